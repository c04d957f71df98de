"""GLSL as text."""

import re
from functools import lru_cache

# The formats images can be declared with are r, rg or rgba with these (GLSL 4.30, section 4.4.6.2), and two more.
_FORMAT = r"\b(?:rgba|rg|r)(?:32f|16f|16|8|16_snorm|8_snorm|(?:32|16|8)u?i)\b"
_IMAGE = re.compile(rf"layout\s*\([^()]*({_FORMAT})[^()]*\)[^;(){{}}]*\b[iu]?image\w+\s+(\w+(?:\s*,\s*\w+)*)\s*;")
# A float's literal; members, as x of v[0].x, and whole numbers are none.
_FLOAT_LITERAL = re.compile(r"(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])")
_FLOAT_TYPE = re.compile(r"\b(?:float|vec[234])\b")
_DOUBLE_TYPES = {"float": "double", "vec2": "dvec2", "vec3": "dvec3", "vec4": "dvec4"}
_UNIFORM = re.compile(
    r"\buniform\s+(?:(?:highp|mediump|lowp|readonly|writeonly|coherent|restrict)\s+)*\w+\s+([^;{}()]+);"
)
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
