"""Conditions of the preprocessor decided while a text is put together, so that no branch is in it that is not taken."""

import operator
import re
from collections.abc import Callable
from functools import lru_cache

_TOKEN = re.compile(r"\s*(\d+|[A-Za-z_]\w*|&&|\|\||[=!<>]=|[-+*/%!<>()])")
_WORD = re.compile(r"[A-Za-z_]\w*")
# What a compiler or driver defines itself.
_OF_COMPILERS = ("GL_", "__")

_Number = int | None

# How tightly operators bind, and what they do with numbers that are known.
_BINARY: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "||": (1, lambda a, b: int(bool(a or b))),
    "&&": (2, lambda a, b: int(bool(a and b))),
    "==": (3, lambda a, b: int(a == b)),
    "!=": (3, lambda a, b: int(a != b)),
    "<": (4, lambda a, b: int(a < b)),
    ">": (4, lambda a, b: int(a > b)),
    "<=": (4, lambda a, b: int(a <= b)),
    ">=": (4, lambda a, b: int(a >= b)),
    "+": (5, operator.add),
    "-": (5, operator.sub),
    "*": (6, operator.mul),
    "/": (6, lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)),
    "%": (6, lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1)),
}
# The number that decides whatever the other side is.
_DECIDING = {"||": 1, "&&": 0}


class Macros:
    """The macros that are defined at a place of a text.

    A macro may be undecided: what defines it stands in a condition that only the compiler decides.
    """

    def __init__(self, values: dict[str, str]) -> None:
        self._values: dict[str, str | None] = dict(values)

    def define(self, name: str, value: str | None) -> None:
        """Define a macro; None for an undecided one, and for one that takes arguments."""
        self._values[name] = value

    def undefine(self, name: str) -> None:
        """Take a macro away."""
        self._values.pop(name, None)

    def decide(self, condition: str) -> bool | None:
        """Whether a condition is true; None where that is the compiler's to say."""
        names, defined = _names(condition)
        numbers = tuple(self._number(name) for name in names)
        are_defined = tuple(self._is_defined(name) for name in defined)
        result = _decide(condition, numbers, are_defined)
        return None if result is None else bool(result)

    def _number(self, name: str, within: tuple[str, ...] = ()) -> _Number:
        """The whole number that a macro stands for, which may name others, but not those it is named by."""
        value = self._values.get(name)
        if value is None or name in within:
            return None
        if value.isdigit():
            return int(value)
        names, defined = _names(value)
        numbers = tuple(self._number(each, (*within, name)) for each in names)
        return _decide(value, numbers, tuple(self._is_defined(each) for each in defined))

    def _is_defined(self, name: str) -> _Number:
        if name in self._values:
            return None if self._values[name] is None else 1
        return None if name.startswith(_OF_COMPILERS) else 0


@lru_cache(maxsize=1024)
def _tokens(condition: str) -> tuple[str, ...] | None:
    """The tokens of a condition; None if it has others."""
    found, at, condition = [], 0, condition.partition("//")[0].rstrip()
    while at < len(condition):
        token = _TOKEN.match(condition, at)
        if token is None:
            return None
        found.append(token.group(1))
        at = token.end()
    return tuple(found)


@lru_cache(maxsize=1024)
def _names(condition: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The macros whose values a condition asks for, and those of which it asks whether they are defined."""
    values: list[str] = []
    defined: list[str] = []
    before = ""
    for token in _tokens(condition) or ():
        if _WORD.fullmatch(token) and token != "defined":
            (defined if before == "defined" else values).append(token)
        before = before if token == "(" else token
    return tuple(values), tuple(defined)


@lru_cache(maxsize=4096)
def _decide(condition: str, numbers: tuple[_Number, ...], are_defined: tuple[_Number, ...]) -> _Number:
    """The value of a condition, from the numbers that `_names` of it stand for."""
    tokens = _tokens(condition)
    if not tokens:
        return None
    rest = list(tokens)
    known, defined = iter(numbers), iter(are_defined)

    def one() -> _Number:
        token = rest.pop(0)
        if token == "(":
            value = binary(1)
            rest.pop(0)
            return value
        if token in ("!", "-"):
            value = one()
            return None if value is None else int(not value) if token == "!" else -value
        if token == "defined":
            del rest[: 3 if rest[0] == "(" else 1]
            return next(defined)
        return int(token) if token.isdigit() else next(known)

    def binary(least: int) -> _Number:
        left = one()
        while rest and rest[0] in _BINARY and _BINARY[rest[0]][0] >= least:
            symbol = rest.pop(0)
            binds, function = _BINARY[symbol]
            right = binary(binds + 1)
            if None not in (left, right):
                left = function(left, right)  # pyright: ignore[reportArgumentType]
            else:
                deciding = _DECIDING.get(symbol)
                sides = [int(bool(side)) for side in (left, right) if side is not None]
                left = deciding if deciding is not None and deciding in sides else None
        return left

    try:
        value = binary(1)
    except (IndexError, StopIteration, ZeroDivisionError):
        return None
    return None if rest else value
