"""Exceptions. Each message says in one sentence what is wrong and what to do."""

import math
import operator
import reprlib
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any


class GlfftError(Exception):
    """The base of all errors that glfft raises on purpose."""


class UsageError(GlfftError):
    """A command line is invalid; `glfft` then ends with exit code 2 instead of 1."""


class ContextError(GlfftError):
    """No OpenGL context could be opened, or the given one is too old, lacks a function or has no memory left."""


class NotCurrentError(ContextError):
    """A context is not the calling thread's current one and cannot be made current."""


class DisplayError(ContextError):
    """A window was asked for, and no display can be reached."""


class ShapeError(GlfftError, ValueError):
    """A shape, length or axis cannot be transformed."""


class LimitError(GlfftError):
    """The device's limits are too small for the request."""


class TextureError(GlfftError, ValueError):
    """A texture has the wrong size, format, component count or context."""


class OptionError(GlfftError, ValueError):
    """An option's value is not one of those allowed."""


class AlgorithmError(OptionError):
    """There is no algorithm of that name."""


class ShaderError(GlfftError):
    """A shader could not be read, compiled or linked."""


class ReleasedError(GlfftError):
    """An object was used after it had been released."""


class DataError(GlfftError):
    """An input file or array is empty, truncated, too large or of the wrong kind."""


class ComplexDataError(DataError, TypeError):
    """Complex numbers were given where real ones are needed."""


class AccuracyError(GlfftError):
    """The error of a result is larger than rounding explains."""


class TimingError(GlfftError):
    """The GPU could not be kept busy, so its time could not be measured."""


class OutputError(GlfftError):
    """A result could not be written."""


class MissingExtraError(GlfftError, ImportError):
    """An optional dependency is not installed; the message names the extra that installs it."""


def import_extra(module: str, extra: str, needs: str, otherwise: str = "") -> Any:
    """An optional module. An extra of glfft installs it. Raises MissingExtraError where it does not load: with what
    `needs` it ("Plots need matplotlib"), and what the user can do `otherwise` (", or choose another kind of file").
    """
    try:
        return import_module(module)
    except ImportError as error:
        install = f"in a checkout of glfft run: pip install '.[{extra}]'"
        raise MissingExtraError(f"{needs}; {install}{otherwise} ({error}).") from error


def shown(value: object) -> str:
    """How a message quotes a value: on one line, and not all of a long one."""
    return " ".join(reprlib.repr(value).split())


def size_text(lengths: Iterable[int]) -> str:
    """Lengths as messages have them: 640 x 480."""
    return " x ".join(map(str, lengths))


def require(holds: object, name: str, value: object, wanted: str, error: type[GlfftError] = OptionError) -> None:
    """Refuse a value that is not as it is `wanted`."""
    if not holds:
        raise error(f"{name} is {shown(value)} and must be {wanted}.")


def whole_number(value: object) -> int | None:
    """A value as an integer; None where it is not a whole number, or not of an integer type."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def real_number(value: Any) -> float:
    """A value as a float; NaN, which lies in no range, where it is no number."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def at_least_one(option: str, value: object) -> int:
    """A count. Raises OptionError where it is no whole number above 0 and below 2^31."""
    count = whole_number(value) or 0
    holds = 1 <= count < 1 << 31 and not isinstance(value, bool)
    require(holds, option, value, "a whole number above 0 and below 2^31")
    return count


def check_flag(option: str, value: object) -> bool:
    """True or False, also numpy's, or 1 or 0. Raises OptionError where it is none of these."""
    holds = type(value).__name__ in ("bool", "bool_") or whole_number(value) in (0, 1)
    require(holds, option, value, "True or False")
    return bool(value)


def check_choice(option: str, value: str, allowed: Sequence[str]) -> str:
    """A value that must be one of a few names. Raises OptionError where it is none; the message has the nearest."""
    if isinstance(value, str) and value in allowed:
        return value
    near = get_close_matches(value.lower(), allowed, n=1) if isinstance(value, str) else []
    hint = f"; did you mean '{near[0]}'?" if near else "."
    raise OptionError(f"{option} is {shown(value)} and must be one of {', '.join(allowed)}{hint}")
