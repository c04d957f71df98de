"""What the subcommands share: the parser of their command lines, and types of options with messages for users."""

import argparse
import itertools
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Concatenate, NoReturn, ParamSpec, TypeVar

from glfft.errors import shown

if TYPE_CHECKING:
    import moderngl

DEFAULT_SIZES = "256,512,1024"

_Limits = ParamSpec("_Limits")
_Value = TypeVar("_Value")
Adder = Callable[..., argparse.Action]  # what `adder` returns
SAMPLES = ("cf32", "ci16", "ci8", "cu8")  # types of raw samples, as `glfft.channelizer.recordings` names them

_LARGEST = 2**31 - 1  # what the C int of a driver holds
_MOST_DIGITS = 400  # Python refuses to read integers of more than 4300

# Or a list that begins with one.
_NEGATIVE_NUMBER = re.compile(r"-(\d[\d_]*\.?\d*|\.\d+)(e[+-]?\d+)?([,:].*)?$|-inf(inity)?$|-nan$", re.IGNORECASE)


class Parser(argparse.ArgumentParser):
    """argparse that complains in one line, exits with 2, and takes every negative number as a value."""

    _words: Sequence[str] = ()  # the command line, for `error`

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, formatter_class=_Help, allow_abbrev=False, **options)
        # argparse takes -5e7 and -inf for options. It has no public setting for that.
        self._negative_number_matcher = _NEGATIVE_NUMBER
        self.set_defaults(parser=self)  # of a command with subcommands the one that was asked for
        self.hidden: dict[argparse.Action, str | None] = {}  # options that --help leaves out, and their texts

    def show_first(self, *options: str) -> None:
        """Let --help show only these options, and --help-all every option."""
        self.hidden = {each: each.help for each in self._actions if not {"--help", *options} & {*each.option_strings}}
        for each in self.hidden:
            each.help = argparse.SUPPRESS
        self.add_argument("--help-all", action=_HelpAll, nargs=0, help="show all options and exit")

    def unrecognized(self, words: Sequence[str]) -> str:
        """The message that refuses words, with the options that they perhaps mean."""
        slips = (word.partition("=")[0] for word in words if word.startswith("--"))
        near = [match for slip in slips for match in get_close_matches(slip, self._option_string_actions, n=1)]
        return f"Unrecognized arguments: {' '.join(words)}" + (f"; did you mean {' and '.join(near)}?" if near else "")

    def error(self, message: str) -> NoReturn:
        options = (word for word in self._words if word.startswith("--"))
        unknown = [word for word in options if word.partition("=")[0] not in self._option_string_actions]
        if unknown and "are required" in message:  # what is missing may be misspelt
            message = self.unrecognized(unknown)
        text = " ".join(message.split())
        mark = "" if text.endswith((".", "?")) else "."
        self.exit(2, f"{self.prog}: {text[:1].upper()}{text[1:]}{mark} See '{self.prog} --help'.\n")

    def check_values(self, words: Iterable[str]) -> None:
        """Refuse `--option=--` in one sentence: argparse of Python 3.11 fails on it."""
        self._words = [*itertools.takewhile(lambda word: word != "--", words)]
        for word in self._words:
            if re.fullmatch(r"--[^=]+=--|-\w=?--", word):
                self.error(f"'{word}' gives no value; put one in place of the last '--'")


class _HelpAll(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        assert isinstance(parser, Parser)
        for each, text in parser.hidden.items():
            each.help = text
        parser.print_help()
        parser.exit()


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that shows the default of each option that has one, unless the option's text says it already."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        text, default = action.help, action.default
        has_default = default not in (None, argparse.SUPPRESS, []) and not isinstance(default, bool)
        if text is None or "default" in text or not has_default or not action.option_strings or action.nargs == 0:
            return text
        return f"{text} (default: %(default)s)"


def adder(parser: argparse.ArgumentParser, title: str = "") -> Adder:
    """A function that adds an option to a parser, or to a group of it with a title. Its arguments: the option's names
    with the name of its value, as in "-o --output FILE"; the type of the value, a tuple of choices, or None for a
    switch; the help text; and any of argparse's keywords.
    """
    group = parser.add_argument_group(title) if title else parser

    def add(names: str, kind: Callable[[str], Any] | tuple[str, ...] | None, text: str, **options: Any) -> Any:
        words = names.split()
        if kind is None:
            options.setdefault("action", "store_true")
        elif isinstance(kind, tuple):
            options["choices"] = kind
        else:
            options["type"] = kind
        if not words[-1].startswith("-"):
            options["metavar"] = words.pop()
        return group.add_argument(*words, help=text, **options)

    return add


def given(arguments: argparse.Namespace, kind: type) -> dict[str, Any]:
    """The options that have a value and are fields of a dataclass, by name."""
    values = {each.name: getattr(arguments, each.name, None) for each in fields(kind)}
    return {name: value for name, value in values.items() if value is not None}


def add_sizes(parser: argparse.ArgumentParser, left_out: str) -> None:
    text = "shapes, separated by commas: 256 (256x256), 512x1024 (rows x columns), 64x64x64 (a volume)"
    adder(parser)("--sizes LIST", shapes, f"{text} ({left_out})")


def add_device(parser: argparse.ArgumentParser) -> None:
    text = "index of the EGL device, counted from 0 (default: the driver chooses)"
    adder(parser)("--device N", whole_number(least=0), text)


def add_bank(parser: argparse.ArgumentParser, channels: int, decimations: str) -> Adder:
    """The options of a bank of filters, in a group of their own, to which the result adds more."""
    add = adder(parser, "channels")
    add("--channels M", whole_number(least=2), "number of channels, 2 or more", default=channels)
    add("--decimation D", whole_number(least=1), f"keep every D-th sample of a channel, {decimations}")
    add("--taps N", whole_number(1, 1000), "filter taps per channel", default=12)
    return add


def add_trace(add: Adder) -> None:
    text = "write when each section of the last 1000 frames ran, on CPU and GPU, for ui.perfetto.dev"
    add("--trace FILE.trace.json", file_ending(".trace.json"), text)


@contextmanager
def headless_context(device: int | None = None) -> Iterator["moderngl.Context"]:
    """A context without a window, on the device of an index if one is given, for this block."""
    from glfft.gl.context import open_context
    from glfft.gl.releasable import released_after

    with released_after(ctx := open_context(device)):
        yield ctx


def film_code(command: str, made: int, wanted: int, outcome: str) -> int:
    """The exit code of a film; where Ctrl-C has stopped it, standard error says so, and what became of its pictures."""
    if made == wanted:
        return 0
    print(f"{command}: stopped after {made} of {wanted} pictures, {outcome}.", file=sys.stderr)
    return 128 + signal.SIGINT


def display_or_say_so(command: str, instead: str) -> bool:
    """Whether a window can open; if not, standard error says what is written instead."""
    from glfft.ui.window import has_display

    if has_display():
        return True
    print(f"{command}: no display can be reached, so no window opens; writing {instead} instead.", file=sys.stderr)
    return False


def file_name(text: str) -> str:
    """A type for argparse: the name of a file or folder, neither empty nor "-"."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty; name a file")
    check(text != "-", text, "does not stand for a stream here; name a file (./- if it is called '-')")
    return text


def option_type(parse: Callable[Concatenate[str, _Limits], _Value]) -> Callable[_Limits, Callable[[str], _Value]]:
    """What makes types for argparse of a function: given all but its text, a function of the text alone."""
    return lambda *limits, **named: lambda text: parse(text, *limits, **named)


def check(holds: object, text: str, wanted: str) -> None:
    """Raise argparse's error for the text of an option where something does not hold: what the text must be."""
    if not holds:
        raise argparse.ArgumentTypeError(f"{shown(text)} {wanted}")


@option_type
def file_ending(text: str, *endings: str) -> str:
    """A type for argparse: the name of a file with one of some endings."""
    check(file_name(text).lower().endswith(endings), text, f"must end in {' or '.join(endings)}")
    return text


@option_type
def whole_number(text: str, least: int, most: int = _LARGEST) -> int:
    """A type for argparse: a whole number, `least` or more, and at most `most`."""
    number = integer(text)
    check(most == _LARGEST or least <= number <= most, text, f"must be a whole number from {least} to {most}")
    check(number >= least, text, f"must be a whole number, {least} or more")
    check(number <= most, text, f"is too large; {most} is the most")
    return number


def integer(text: str) -> int:
    """A type for argparse: a whole number of any sign; its user checks the range."""
    check(re.fullmatch(r"[+-]?\d+", text), text, "must be a whole number")
    check(len(text) <= _MOST_DIGITS, text, "has too many digits")
    return int(text)


def number(text: str) -> float:
    """A type for argparse: a number, infinity and NaN included; its user checks the range."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{shown(text)} must be a number") from None


@option_type
def between(text: str, lowest: float, highest: float, unit: str = "", si: float = 1.0) -> float:
    """A type for argparse: a number in a range, in a unit with the value `si` in SI units, converted to SI."""
    value = number(text)
    check(lowest <= value <= highest, text, f"must be a number from {lowest:g} to {highest:g} {unit}".rstrip())
    return value * si


@option_type
def values(text: str, said: str, least: int, *parts: tuple[str, float, float, str]) -> list[float]:
    """A type for argparse: `least` numbers or more, `said` so in messages; of each the name, ends and unit in parts."""
    found = [number(each) for each in text.split(",")]
    check(least <= len(found) <= len(parts), text, f"must be {said}")
    for value, (name, lowest, highest, unit) in zip(found, parts, strict=False):
        if not lowest <= value <= highest:  # written so that NaN fails too
            raise argparse.ArgumentTypeError(f"{name} is {value:g} and must be from {lowest:g} to {highest:g} {unit}")
    return found


@option_type
def resolution(text: str, least: int, most: int) -> tuple[int, int]:
    """A type for argparse: '1280x720' as (1280, 720), width and height, each from `least` to `most` pixels."""
    size = _lengths(text if text.lower().count("x") == 1 else "")
    check(size, text, "must be two numbers of pixels, such as 1280x720")
    check(all(least <= side <= most for side in size), text, f"must have {least} to {most} pixels each way")
    return size[0], size[1]


def names(text: str) -> list[str]:
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise argparse.ArgumentTypeError("the list is empty; give one name, or several separated by commas")
    return found


def shapes(text: str) -> list[tuple[int, ...]]:
    """A type for argparse: '256,512x1024,8x16x32' as [(256, 256), (512, 1024), (8, 16, 32)]."""
    found = [(word, _lengths(word)) for word in names(text)]
    for word, shape in found:
        check(shape, word, "must be a size such as 256, 512x1024 (rows x columns), or 64x64x64 (a volume)")
        check(max(shape) <= _LARGEST, word, f"is too large; {_LARGEST} is the most")
    return [shape for _, shape in found]


def _lengths(text: str) -> tuple[int, ...]:
    """'256' as (256, 256), '512x1024' as (512, 1024), three lengths as three, and () for what is none of these."""
    lengths = text.lower().split("x")
    if len(lengths) > 3 or not all(length.isdecimal() and len(length) <= _MOST_DIGITS for length in lengths):
        return ()
    return tuple(map(int, lengths if len(lengths) > 1 else lengths * 2))
