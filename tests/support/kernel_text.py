"""How much a reader of a final shader text has to read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from glfft.gl.glsl import without_comments
from glfft.gl.source import Source

# A definition of a function, up to its opening brace; GLSL has no nested ones.
_FUNCTION = re.compile(r"^[a-z]\w* (\w+)\([^;{}]*\) \{", re.MULTILINE)
# What reads a texel, or an element of a buffer.
_READS = re.compile(r"\b(?:texelFetch|imageLoad)\s*\(\s*glfft_source\b|\bglfft_source\[")


@dataclass(frozen=True)
class KernelText:
    """Counts of a final text.

    Attributes:
        lines: all of them, with comments and empty ones.
        files: from which its lines are, texts that Python wrote included.
        defines: constants and macros, wherever they are defined.
        conditionals: lines that begin one: #if, #ifdef or #ifndef.
        undefined: names that are defined anew.
        functions_to_texel: on the way from `load_line` to what reads a texel, both counted; 0 without a `load_line`.
    """

    lines: int
    files: int
    defines: int
    conditionals: int
    undefined: tuple[str, ...]
    functions_to_texel: int


def measured(source: Source) -> KernelText:
    """The counts of a source."""
    text = without_comments(source.text)
    return KernelText(
        lines=source.text.count("\n"),
        files=len({path for path, _ in source.origins if path is not None}),
        defines=len(re.findall(r"^ *# *define\b", text, re.MULTILINE)),
        conditionals=len(re.findall(r"^ *# *if", text, re.MULTILINE)),
        undefined=tuple(re.findall(r"^ *# *undef (\w+)", text, re.MULTILINE)),
        functions_to_texel=_way(_bodies(_with_names(text)), "load_line"),
    )


def _with_names(text: str) -> str:
    """A text with the functions' names in place of constants that stand for them."""
    for constant, function in re.findall(r"^#define (\w+) ([a-z]\w+)$", text, re.MULTILINE):
        text = re.sub(rf"\b{constant}\(", f"{function}(", text)
    return text


def _bodies(text: str) -> dict[str, str]:
    """The bodies of functions by name; of overloaded ones all together."""
    bodies: dict[str, str] = {}
    for found in _FUNCTION.finditer(text):
        end = text.find("\n}", found.end())
        bodies[found.group(1)] = bodies.get(found.group(1), "") + text[found.end() : end]
    return bodies


def _way(bodies: dict[str, str], function: str) -> int:
    """The most functions on a way from one to what reads a texel, 0 if none leads there."""
    if function not in bodies:
        return 0
    if _READS.search(bodies[function]):
        return 1
    called = {name for name in re.findall(r"\b(\w+)\(", bodies[function]) if name != function}
    longest = max((_way(bodies, name) for name in called), default=0)
    return longest + 1 if longest else 0
