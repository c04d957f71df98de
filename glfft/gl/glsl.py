"""GLSL as text, and conditions of the preprocessor, decided while a text is put together: it has no branch that is not
taken. They are read as Python reads them, once their operators are Python's.
"""

import ast
import operator
import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

# The formats images can be declared with are r, rg or rgba with these (GLSL 4.30, section 4.4.6.2), and two more.
_FORMAT = r"\b(?:rgba|rg|r)(?:32f|16f|16|8|16_snorm|8_snorm|(?:32|16|8)u?i)\b"
_IMAGE = re.compile(rf"layout\s*\([^()]*({_FORMAT})[^()]*\)[^;(){{}}]*\b[iu]?image\w+\s+(\w+(?:\s*,\s*\w+)*)\s*;")
# A float's literal; members, as x of v[0].x, and whole numbers are none.
_FLOAT_LITERAL = re.compile(r"(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])")
_FLOAT_TYPE = re.compile(r"\b(?:float|vec[234])\b")
_DOUBLE_TYPES = {"float": "double", "vec2": "dvec2", "vec3": "dvec3", "vec4": "dvec4"}
_QUALIFIERS = r"(?:(?:highp|mediump|lowp|readonly|writeonly|coherent|restrict)\s+)*"
_UNIFORM = re.compile(rf"\buniform\s+{_QUALIFIERS}\w+\s+([^;{{}}()]+);")
_ARRAY_SIZE = re.compile(r"\[[^\]]*\]")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def without_comments(source: str) -> str:
    """GLSL with its comments left out, but for the ends of lines in them; one that does not end is left in."""
    return _COMMENT.sub(lambda comment: " " + "\n" * comment.group().count("\n"), source)


def in_double(line: str) -> str:
    """A line of GLSL with float64 types and literals, which GLSL otherwise rounds to float32 before it uses them."""
    code, slashes, comment = line.partition("//")
    code = _FLOAT_LITERAL.sub(r"\1LF", code)
    return _FLOAT_TYPE.sub(lambda found: _DOUBLE_TYPES[found.group()], code) + slashes + comment


@lru_cache(maxsize=64)
def image_formats(source: str) -> dict[str, str]:
    """The formats that images are declared with, by their names; those that only a compiler could tell are left out."""
    declared = _IMAGE.findall(without_comments(source))
    return {name.strip(): image_format for image_format, names in declared for name in names.split(",")}


def declared_uniforms(source: str) -> frozenset[str]:
    """The names of all uniforms outside blocks, images and samplers too, whatever the preprocessor leaves out."""
    lists = _UNIFORM.findall(without_comments(source))
    return frozenset(name.strip() for names in lists for name in _ARRAY_SIZE.sub("", names).split(","))


_DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_PYTHONS = {"&&": " and ", "||": " or ", "!": "~"}  # of Python's, ~ binds as tightly as ! does
_OTHERS = re.compile(r"&&|\|\||!(?!=)")
_OF_COMPILERS = ("GL_", "__")  # what a compiler or driver defines itself

_DEEPEST = 10  # macros may name themselves

_Number = int | None


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_BINARY: dict[type, Callable[[int, int], int]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _quotient,
    ast.Mod: lambda a, b: a - b * _quotient(a, b),
}


class Macros:
    """The macros defined at a place of a text, undecided where only the compiler knows what defines them."""

    def __init__(self, values: dict[str, str]) -> None:
        self._values: dict[str, str | None] = dict(values)

    def define(self, name: str, value: str | None) -> None:
        """Define a macro; None for an undecided one, and for one that takes arguments."""
        self._values[name] = value

    def undefine(self, name: str) -> None:
        self._values.pop(name, None)

    def decide(self, condition: str) -> bool | None:
        """Whether a condition is true; None where that is the compiler's to say."""
        with suppress(ZeroDivisionError):
            result = self._value(_parsed(condition))
            return None if result is None else bool(result)
        return None

    def _value(self, node: ast.expr | None, depth: int = 0) -> _Number:
        """The whole number that an expression is; macros' values may name others, to some depth."""
        if isinstance(node, ast.Name):  # most conditions
            value = self._values.get(node.id)
            if value is None or depth > _DEEPEST:
                return None
            return int(value) if value.isdigit() else self._value(_parsed(value), depth + 1)
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.Call):
            of_name = isinstance(node.func, ast.Name) and node.func.id == "defined" and len(node.args) == 1
            asked = node.args[0] if of_name else None
            return self._is_defined(asked.id) if isinstance(asked, ast.Name) else None
        if isinstance(node, ast.UnaryOp):
            value = self._value(node.operand, depth)
            return None if value is None else int(not value) if isinstance(node.op, ast.Invert) else -value
        if isinstance(node, ast.BoolOp):
            # One side may decide whatever the other is.
            deciding, sides = isinstance(node.op, ast.Or), [self._value(each, depth) for each in node.values]
            if any(side is not None and bool(side) == deciding for side in sides):
                return int(deciding)
            return None if None in sides else int(not deciding)
        if isinstance(node, ast.BinOp):
            left, op, right = node.left, node.op, node.right
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, op, right = node.left, node.ops[0], node.comparators[0]
        else:
            return None
        one, other, function = self._value(left, depth), self._value(right, depth), _BINARY.get(type(op))
        return None if one is None or other is None or function is None else int(function(one, other))

    def _is_defined(self, name: str) -> _Number:
        if name in self._values:
            return None if self._values[name] is None else 1
        return None if name.startswith(_OF_COMPILERS) else 0


@lru_cache(maxsize=4096)
def _parsed(condition: str) -> ast.expr | None:
    """A condition or the value of a macro; None where it is no expression."""
    text = _DEFINED.sub(r"defined(\1\2)", condition.partition("//")[0].strip())
    try:
        return ast.parse(_OTHERS.sub(lambda found: _PYTHONS[found[0]], text), mode="eval").body
    except SyntaxError:
        return None
