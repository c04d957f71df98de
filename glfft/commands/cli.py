"""The command `glfft`: picks the subcommand and turns every failure into one line and an exit code.

0 done, 1 the work failed, 2 the command line makes no sense, 130 interrupted. A subcommand is a module with
`add_arguments(parser)` and `run(arguments) -> exit code`, imported only when it is the one asked for: help
needs no OpenGL, and one command's dependencies cannot break another.
"""

from __future__ import annotations

import argparse
import difflib
import errno
import importlib
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn

from glfft.errors import GlfftError, OptionError, ShapeError, UsageError

SUCCESS = 0
WORK_FAILED = 1
USAGE = 2
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM

# Raised for the values people type, whichever layer notices them.
_USAGE_ERRORS = (UsageError, OptionError, ShapeError)

_OWN_OPTIONS = ("-h", "--help", "--version")

_TRACEBACK_VARIABLE = "GLFFT_TRACEBACK"


@dataclass(frozen=True)
class _Command:
    module: str
    summary: str


_COMMANDS = {
    "info": _Command("glfft.commands.info", "versions, renderer, limits and a self-check: paste it into a bug report"),
    "spectrum": _Command("glfft.commands.spectrum", "turn images into pictures of their spectra, and back"),
    "ocean": _Command("glfft.commands.ocean", "show an ocean made of waves summed by inverse transforms"),
    "tune": _Command("glfft.commands.tune", "find the fastest kernels for this device by measuring, and keep them"),
    "bench": _Command("glfft.commands.bench", "time the transforms, beside other libraries if asked"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments after the program's name; None takes those of the process.

    Returns:
        The exit code. Never raises for a failure; GLFFT_TRACEBACK=1 in the environment shows where it arose.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = "glfft"
    try:
        with _terminate_by_exception(), _warnings_in_one_line():
            command = _chosen(arguments)
            name = f"glfft {command}" if command in _COMMANDS else name
            code = _run(command, arguments)
            if sys.stdout is not None:
                sys.stdout.flush()
            return code
    except SystemExit as stop:
        _abandon_output_if_broken()
        return stop.code if isinstance(stop.code, int) else SUCCESS if stop.code is None else WORK_FAILED
    except KeyboardInterrupt:
        _abandon_output()
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has seen enough: nothing failed on our side.
        _abandon_output()
        return SUCCESS
    except GlfftError as error:
        return _report(name, error, str(error), USAGE if isinstance(error, _USAGE_ERRORS) else WORK_FAILED)
    except MemoryError as error:
        return _report(name, error, "There is not enough memory; choose a smaller size.", WORK_FAILED)
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None and error.errno == errno.ENOSPC:
            # Files are `atomic_write`'s business, which names them: this was the standard output.
            return _report(name, error, "Cannot write the output: no space left on device.", WORK_FAILED)
        return _report(name, error, _unexpected(error), WORK_FAILED)


def _chosen(arguments: Sequence[str]) -> str | None:
    # The options of `glfft` itself take no values, so the first bare word is the command.
    return next((word for word in arguments if not word.startswith("-")), None)


def _run(command: str | None, arguments: Sequence[str]) -> int:
    parser = _parser()
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    parsers = {
        name: commands.add_parser(
            name,
            help=known.summary,
            description=_sentence(known.summary),
            formatter_class=_Help,
            allow_abbrev=False,
        )
        for name, known in _COMMANDS.items()
    }
    if arguments and arguments[0].startswith("-") and arguments[0] not in _OWN_OPTIONS:
        parser.error(f"The command comes before its options, and {arguments[0]} is not one of glfft's own.")
    if command is None:
        parser.parse_args(arguments)
        parser.print_help(sys.stderr)
        return USAGE
    if command not in _COMMANDS:
        near = difflib.get_close_matches(command, _COMMANDS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(_COMMANDS)}."
        parser.error(f"There is no command '{command}'; {hint}")
    module = importlib.import_module(_COMMANDS[command].module)
    module.add_arguments(parsers[command])
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:
        parsers[command].error(f"Unrecognized arguments: {' '.join(unknown)}{_meant(unknown, parsers[command])}")
    return int(module.run(parsed) or SUCCESS)


def _meant(unknown: Sequence[str], parser: argparse.ArgumentParser) -> str:
    options = [option for action in parser._actions for option in action.option_strings]
    slips = (word.partition("=")[0] for word in unknown if word.startswith("--"))
    near = [match for slip in slips for match in difflib.get_close_matches(slip, options, n=1)]
    return f"; did you mean {' and '.join(near)}?" if near else ""


class _Parser(argparse.ArgumentParser):
    """argparse that complains in one line."""

    def error(self, message: str) -> NoReturn:
        text = message[:1].upper() + message[1:]
        mark = "" if text.endswith((".", "?")) else "."
        self.exit(USAGE, f"{self.prog}: {text}{mark} See '{self.prog} --help'.\n")


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that shows each default that is a value and is not in the text already."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        text = action.help
        if text is None or "default" in text or not action.option_strings or action.nargs == 0:
            return text
        if action.default in (None, argparse.SUPPRESS, []) or isinstance(action.default, bool):
            return text
        return f"{text} (default: %(default)s)"


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="glfft",
        description="Fast Fourier transforms in OpenGL compute shaders.",
        epilog="'glfft COMMAND --help' tells more about each.",
        formatter_class=_Help,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"glfft {_version()}")
    return parser


def _version() -> str:
    from glfft import __version__

    return __version__


def _sentence(summary: str) -> str:
    return summary[:1].upper() + summary[1:] + "."


def _unexpected(error: Exception) -> str:
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    hint = "" if _show_traceback() else f" ({_TRACEBACK_VARIABLE}=1 in the environment shows where)"
    return f"Unexpected {what}{hint}"


def _report(name: str, error: BaseException, sentence: str, code: int) -> int:
    if _show_traceback():
        traceback.print_exception(error)
    # Results so far first, whatever stands between: the line that says why it ended comes last.
    _abandon_output_if_broken()
    _say(f"{name}: {' '.join(sentence.split())}")
    return code


def _show_traceback() -> bool:
    return os.environ.get(_TRACEBACK_VARIABLE, "0") not in ("", "0")


def _say(line: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            print(line, file=sys.stderr, flush=True)


def _abandon_output_if_broken() -> None:
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        _abandon_output()


def _abandon_output() -> None:
    # What is still buffered for a closed pipe or a full disk would raise again when the interpreter exits.
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextmanager
def _terminate_by_exception() -> Iterator[None]:
    """Let SIGTERM unwind the stack, so that temporary files are removed on that way out too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise SystemExit(TERMINATED)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    def show(message: Warning | str, *_where: object, **_options: object) -> None:
        _say(f"glfft: note: {' '.join(str(message).split())}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
