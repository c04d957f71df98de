"""What the subcommands share: the parser of their command lines, options, and types whose messages users understand."""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from glfft.errors import shown

DEFAULT_SIZES = "256,512,1024"

# What the C int of a driver holds. No option needs more.
_LARGEST = 2**31 - 1

# Python refuses to read integers of more than 4300 digits. No option needs nearly as many.
_MOST_DIGITS = 400

# Or a list that begins with one.
_NEGATIVE_NUMBER = re.compile(r"-(\d[\d_]*\.?\d*|\.\d+)(e[+-]?\d+)?(,.*)?$|-inf(inity)?$|-nan$", re.IGNORECASE)


class Parser(argparse.ArgumentParser):
    """argparse that complains in one line, exits with 2, and takes every negative number as a value."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, formatter_class=_Help, allow_abbrev=False, **options)
        # argparse takes -5e7 and -inf for options. It has no public setting for that.
        self._negative_number_matcher = _NEGATIVE_NUMBER

    def error(self, message: str) -> NoReturn:
        text = " ".join(message.split())
        text = text[:1].upper() + text[1:]
        mark = "" if text.endswith((".", "?")) else "."
        self.exit(2, f"{self.prog}: {text}{mark} See '{self.prog} --help'.\n")

    def check_values(self, words: Iterable[str]) -> None:
        """Refuse `--option=--` in one sentence: argparse of Python 3.11 fails on it."""
        for word in itertools.takewhile(lambda word: word != "--", words):
            if re.fullmatch(r"--[^=]+=--|-\w=?--", word):
                self.error(f"'{word}' gives no value; put one in place of the last '--'")


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that shows the default of each option that has one, unless the option's text says it already."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        text = action.help
        if text is None or "default" in text or not action.option_strings or action.nargs == 0:
            return text
        if action.default in (None, argparse.SUPPRESS, []) or isinstance(action.default, bool):
            return text
        return f"{text} (default: %(default)s)"


def add_sizes(parser: argparse.ArgumentParser, left_out: str) -> None:
    """Add `--sizes LIST`: the shapes to transform, or None if it is left out.

    Args:
        left_out: what the help says of leaving it out.
    """
    parser.add_argument(
        "--sizes",
        type=shapes,
        metavar="LIST",
        help="256 means 256x256, 512x1024 means 512 rows of 1024 columns, 64x64x64 is a volume; separated by commas "
        f"({left_out})",
    )


def add_device(parser: argparse.ArgumentParser) -> None:
    """Add `--device N`: which GPU to use."""
    parser.add_argument(
        "--device",
        type=whole_number(least=0),
        metavar="N",
        help="index of the EGL device, counted from 0 (default: the driver chooses)",
    )


def file_name(text: str) -> str:
    """A type for argparse: the name of a file or folder, neither empty nor "-"."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty; name a file")
    if text == "-":
        raise argparse.ArgumentTypeError("'-' does not stand for a stream here; name a file (./- if it is called '-')")
    return text


def whole_number(least: int) -> Callable[[str], int]:
    """A type for argparse: a whole number, `least` or more."""

    def parse(text: str) -> int:
        number = integer(text)
        if number < least:
            raise argparse.ArgumentTypeError(f"{shown(text)} must be a whole number, {least} or more")
        if number > _LARGEST:
            raise argparse.ArgumentTypeError(f"{shown(text)} is too large; {_LARGEST} is the most")
        return number

    return parse


def integer(text: str) -> int:
    """A type for argparse: a whole number of any sign; its user checks the range."""
    if not re.fullmatch(r"[+-]?\d+", text):
        raise argparse.ArgumentTypeError(f"{shown(text)} must be a whole number")
    if len(text) > _MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"{shown(text)} has too many digits")
    return int(text)


def number(text: str) -> float:
    """A type for argparse: a number, infinity and NaN included; its user checks the range."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{shown(text)} must be a number") from None


def resolution(least: int, most: int) -> Callable[[str], tuple[int, int]]:
    """A type for argparse: '1280x720' as (1280, 720), width and height, each from `least` to `most` pixels."""

    def parse(text: str) -> tuple[int, int]:
        size = _lengths(text)
        if size is None or text.lower().count("x") != 1:
            raise argparse.ArgumentTypeError(f"{shown(text)} must be two numbers of pixels, such as 1280x720")
        if not all(least <= side <= most for side in size):
            raise argparse.ArgumentTypeError(f"{shown(text)} must have {least} to {most} pixels each way")
        return size[0], size[1]

    return parse


def names(text: str) -> list[str]:
    """A type for argparse: names separated by commas."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise argparse.ArgumentTypeError("the list is empty; give one name, or several separated by commas")
    return found


def shapes(text: str) -> list[tuple[int, ...]]:
    """A type for argparse: '256,512x1024,8x16x32' as [(256, 256), (512, 1024), (8, 16, 32)]."""
    found = []
    for word in names(text):
        shape = _lengths(word)
        if shape is None:
            raise argparse.ArgumentTypeError(
                f"{shown(word)} must be a size such as 256, 512x1024 (rows x columns), or 64x64x64 (a volume)"
            )
        if max(shape) > _LARGEST:
            raise argparse.ArgumentTypeError(f"{shown(word)} is too large; {_LARGEST} is the most")
        found.append(shape)
    return found


def _lengths(text: str) -> tuple[int, ...] | None:
    """'256' as (256, 256), '512x1024' as (512, 1024), three lengths as three, and None for what is none of these."""
    lengths = text.lower().split("x")
    if len(lengths) > 3 or not all(length.isdecimal() and len(length) <= _MOST_DIGITS for length in lengths):
        return None
    return tuple(map(int, lengths if len(lengths) > 1 else lengths * 2))
