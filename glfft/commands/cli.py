"""The command `glfft`: picks the subcommand and turns every failure into one line and an exit code.

0 means done, 1 that the work failed, 2 that the command line makes no sense, 130 interrupted. A subcommand is a module
with `add_arguments(parser)` and `run(arguments)`, which returns an exit code, or None for 0. Only the one asked for is
imported, and what is heavy in its `run` alone, so that help and usage errors come at once.
"""

from __future__ import annotations

import sys

# Python handles Ctrl-C from its start on. What is imported here is little, but it takes its time too.
try:
    import importlib
    import os
    import signal
    import threading
    import warnings
    from collections.abc import Iterator, Sequence
    from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
    from difflib import get_close_matches
    from typing import Any, NoReturn, TextIO

    from glfft.errors import GlfftError, OptionError, OutputError, ShapeError, UsageError
    from glfft.files import packaged_toml, without_empty_folders
except KeyboardInterrupt:
    sys.exit(130)

SUCCESS, WORK_FAILED, USAGE, INTERRUPTED = 0, 1, 2, 128 + signal.SIGINT

# Raised for the values people type, by whichever layer notices them.
_USAGE_ERRORS = (UsageError, OptionError, ShapeError)

# What ends a program, Ctrl-C apart. SIGHUP, which Windows lacks, comes when the terminal is closed.
_ENDING_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))

_ONCE_MORE = 0.01  # seconds after which a swallowed interrupt is raised again
_TRACEBACK_VARIABLE = "GLFFT_TRACEBACK"

_COMMANDS = packaged_toml("glfft.commands", "commands.toml")

_OPTIONS = {"storage='buffer'": "--storage buffer", "algorithm='auto'": "--algorithm auto", "real=True": "--real"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, by default the process's; returns the exit code. GLFFT_TRACEBACK=1 shows where it fails."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with _streams_that_may_break() as output:
            return _guarded(arguments, output)
    except KeyboardInterrupt:
        return INTERRUPTED


def _guarded(arguments: Sequence[str], output: _Stream) -> int:
    """Run a command; turn what it raises into a line and an exit code."""
    name, code, failure = "glfft", SUCCESS, None
    try:
        with without_empty_folders(), _signals_end_by_exception(), _interrupts_come_through(), _warnings_in_one_line():
            arguments = _joined(arguments)
            # The options of `glfft` itself take no values, so the first bare word is the command.
            command = next((word for word in arguments if not word.startswith("-")), None)
            name = f"glfft {command}" if command in _COMMANDS else name
            code = _run(command, arguments)
            output.flush()
    except SystemExit as stop:
        # argparse has printed help or an error, or a signal has ended the work.
        code = stop.code if isinstance(stop.code, int) else SUCCESS if stop.code is None else WORK_FAILED
    except KeyboardInterrupt:
        # Ctrl-C may have ended the reader of a pipe too. Writing the rest could fail, or wait.
        output.abandon()
        return INTERRUPTED
    except Exception as error:
        failure = error
    # Results so far come first: the line that says why it ended is the last one.
    try:
        output.flush()
    except OutputError as error:
        failure = failure or error
    failed = _report(name, failure) if failure else SUCCESS
    return code or failed


def _joined(arguments: Sequence[str]) -> list[str]:
    """The arguments with a command of two words, such as `ocean bake`, as one."""
    first = next((at for at, word in enumerate(arguments) if not word.startswith("-")), 0)
    both = " ".join(arguments[first : first + 2])
    return [*arguments[:first], both, *arguments[first + 2 :]] if both in _COMMANDS else list(arguments)


def _run(command: str | None, arguments: Sequence[str]) -> int:
    from glfft import __version__
    from glfft.commands.arguments import Parser

    epilog = "'glfft COMMAND --help' describes the options of a command."
    parser = Parser(prog="glfft", description="Fast Fourier transforms in OpenGL compute shaders.", epilog=epilog)
    parser.add_argument("--version", action="version", version=f"glfft {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    parsers = {
        name: commands.add_parser(name, help=summary, description=f"{summary[:1].upper()}{summary[1:]}.")
        for name, summary in _COMMANDS.items()
    }
    if arguments and arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version"):
        parser.error(f"The command comes before its options, and {arguments[0]} is not one of glfft's own")
    if command is None:
        parser.parse_args(arguments)
        parser.print_help(sys.stderr)
        return USAGE
    if command not in _COMMANDS:
        near = get_close_matches(command, _COMMANDS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(_COMMANDS)}."
        parser.error(f"There is no command '{command}'; {hint}")
    module = importlib.import_module(f"glfft.commands.{command.replace(' ', '_')}")
    module.add_arguments(parsers[command])
    parsers[command].check_values(arguments)
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:
        parsed.parser.error(parsed.parser.unrecognized(unknown))
    _check_progress_settings()
    return int(module.run(parsed) or SUCCESS)


def _check_progress_settings() -> None:
    """Try a progress bar if the environment has settings for tqdm, which fails on bad ones. Raises UsageError."""
    settings = sorted(name for name in os.environ if name.startswith("TQDM_"))
    if not settings:
        return
    import io

    try:
        from tqdm import tqdm

        with tqdm(total=1, file=io.StringIO()) as bar:
            bar.update()
            bar.refresh()
    except Exception as error:
        why = f"No progress bar can be drawn with {' and '.join(settings)} of the environment ({error})"
        raise UsageError(f"{why}; correct or unset what is wrong.") from error


def _report(name: str, error: Exception) -> int:
    """Say in one line what went wrong; returns the exit code."""
    if _show_traceback():
        import traceback

        traceback.print_exception(error)
    print(f"{name}: {' '.join(_sentence(error).split())}", file=sys.stderr, flush=True)
    return USAGE if isinstance(error, _USAGE_ERRORS) else WORK_FAILED


def _sentence(error: Exception) -> str:
    if isinstance(error, GlfftError):
        text = str(error)
        # Options of Python, where the message has not the command line's beside them.
        for python, option in () if "(--" in text else _OPTIONS.items():
            text = text.replace(python, option)
        return text
    if isinstance(error, MemoryError):
        return "There is not enough memory; choose a smaller size."
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    hint = "" if _show_traceback() else f" ({_TRACEBACK_VARIABLE}=1 in the environment shows where)"
    return f"Unexpected {what}{hint}"


def _show_traceback() -> bool:
    return os.environ.get(_TRACEBACK_VARIABLE, "0") not in ("", "0")


class _Stream:
    """Standard output or error: characters that it lacks are escaped, and its reader may leave."""

    def __init__(self, stream: TextIO, must_arrive: bool) -> None:
        self._stream, self._must_arrive = stream, must_arrive

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with self._failing():
            try:
                self._stream.write(text)
            except UnicodeEncodeError as error:
                self._stream.write(text.encode(error.encoding, "backslashreplace").decode(error.encoding))
        return len(text)

    def flush(self) -> None:
        with self._failing():
            self._stream.flush()

    def abandon(self) -> None:
        """Send nowhere what is still to come, and what is still buffered: Python writes that when it exits."""
        with suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.abandon()
            if self._must_arrive and not isinstance(error, BrokenPipeError):
                raise OutputError(f"Cannot write the output: {(error.strerror or str(error)).lower()}.") from error


@contextmanager
def _streams_that_may_break() -> Iterator[_Stream]:
    """Let commands write to `sys.stdout` and `sys.stderr` whatever becomes of them; gives the former."""
    # Streams that the caller has closed are opened: else a picture opened next could get what a driver prints.
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    with open(os.devnull, "w") as nowhere:
        output: Any = _Stream(sys.stdout or nowhere, must_arrive=True)
        errors: Any = _Stream(sys.stderr or nowhere, must_arrive=False)
        with redirect_stdout(output), redirect_stderr(errors):
            yield output


@contextmanager
def _signals_end_by_exception() -> Iterator[None]:
    """Let signals that end a program unwind the stack, so that temporary files are removed on that way out too."""

    def stop(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    with ExitStack() as stack:
        if threading.current_thread() is threading.main_thread():
            for number in _ENDING_SIGNALS:
                before = signal.getsignal(number)
                if before is not signal.SIG_IGN:  # nohup has it ignored
                    stack.callback(signal.signal, number, before)
                    signal.signal(number, stop)
        yield


@contextmanager
def _interrupts_come_through() -> Iterator[None]:
    """Raise Ctrl-C and the signals above once more where Python drops them: in destructors, which moderngl has."""
    before = sys.unraisablehook
    waiting: list[threading.Timer] = []

    def raise_again(dropped: sys.UnraisableHookArgs) -> None:
        error = dropped.exc_value
        code = INTERRUPTED if isinstance(error, KeyboardInterrupt) else getattr(error, "code", None)
        number = next((each for each in (signal.SIGINT, *_ENDING_SIGNALS) if code == 128 + each), None)
        if number is None or threading.current_thread() is not threading.main_thread():
            before(dropped)
            return
        # Raised here it would be dropped too. A thread makes it arrive after the destructor has ended.
        try:
            waiting.append(threading.Timer(_ONCE_MORE, _send_to_main_thread, (number,)))
            waiting[-1].daemon = True
            waiting[-1].start()
        except (KeyboardInterrupt, SystemExit):  # on a busy machine it arrives before
            raise_again(dropped)

    sys.unraisablehook = raise_again
    try:
        yield
    finally:
        sys.unraisablehook = before
        for timer in waiting:
            timer.cancel()


def _send_to_main_thread(number: int) -> None:
    if hasattr(signal, "pthread_kill"):
        # To the thread, so that it does not go on waiting for something else.
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)


@contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    def show(message: Warning | str, *_where: object, **_options: object) -> None:
        print(f"glfft: note: {' '.join(str(message).split())}", file=sys.stderr, flush=True)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
