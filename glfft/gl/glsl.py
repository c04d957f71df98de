"""GLSL as text, and conditions of the preprocessor, which Python reads once their operators are Python's."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
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
_DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_IN_PYTHON = {"&&": " and ", "||": " or ", "!": "~"}  # where ~ binds as tightly as ! does in GLSL
_OPERATORS = re.compile(r"&&|\|\||!(?!=)")
_OF_COMPILERS = ("GL_", "__")  # what a compiler or driver defines itself
_DEEPEST = 10  # macros may name themselves


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


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_BINARY: dict[type, Callable[[int, int], int]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: _quotient,
    ast.Mod: lambda a, b: a - b * _quotient(a, b),
}  # fmt: skip


def is_true(condition: str, macros: Mapping[str, str | None]) -> bool:
    """Whether a condition is true with macros' values, None where unknown. Raises ValueError where it takes such."""
    try:
        return bool(_value(_parsed(condition), macros))
    except (SyntaxError, ZeroDivisionError):
        raise ValueError("it is no expression of whole numbers") from None


def _value(node: ast.expr, macros: Mapping[str, str | None], depth: int = 0) -> int:
    """The whole number that an expression is; macros' values may name others, to some depth."""
    match node:
        case ast.Name(name):  # most conditions
            value = macros.get(name)
            if value is None or depth > _DEEPEST:
                raise ValueError(f"{name} has no value that is known before compiling")
            return int(value) if value.isdigit() else _value(_parsed(value), macros, depth + 1)
        case ast.Constant(int(number)):
            return number
        case ast.Call(ast.Name("defined"), [ast.Name(name)]):
            if macros.get(name, "") is None or (name not in macros and name.startswith(_OF_COMPILERS)):
                raise ValueError(f"only the compiler knows whether {name} is defined")
            return name in macros
        case ast.UnaryOp(ast.Invert(), operand):
            return not _value(operand, macros, depth)
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand, macros, depth)
        case ast.BoolOp(op, sides):
            values = (_value(side, macros, depth) for side in sides)
            return any(values) if isinstance(op, ast.Or) else all(values)
        case ast.BinOp(left, op, right) | ast.Compare(left, [op], [right]) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left, macros, depth), _value(right, macros, depth))
    raise SyntaxError


@lru_cache(maxsize=4096)
def _parsed(condition: str) -> ast.expr:
    """A condition or the value of a macro. Raises SyntaxError where it is no expression."""
    text = _DEFINED.sub(r"defined(\1\2)", condition.partition("//")[0].strip())
    return ast.parse(_OPERATORS.sub(lambda found: _IN_PYTHON[found[0]], text), mode="eval").body
