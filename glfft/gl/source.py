"""Shader text put together: includes, constants, and a compiler's errors at the right file and line.

A final source is: the version line, one `#define` a constant, then the entry point with its includes put in. A file is
put in once, or wherever it is asked for if its name ends in .template.glsl. The line map made on the way turns the
compiler's message back into file and line, which drivers cannot do themselves (Mesa ignores file names in #line).

All files are written for float32. A source in float64 has the same text with other types and literals; only snippets
are taken as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from glfft.errors import ShaderError
from glfft.gl.glsl import in_double

Define = int | float | bool | str

VERSION_LINE = "#version 430 core"
# NVIDIA's compiler (580.159) leaves arrays that loops index in memory, those of doubles with the precision of float32.
# With all loops unrolled they are registers. Other compilers ignore the line.
_UNROLL_LINE = "#pragma optionNV(unroll all)"
# Files put in wherever they are asked for; all others are put in once.
_TEMPLATE = ".template.glsl"
_SNIPPETS = "snippets/"
_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"\s*$')
# It would make the compiler count from another number than the line map does.
_LINE_DIRECTIVE = re.compile(r"^\s*#\s*line\b")
# GLSL's ends of lines, and no others: in Python a form feed is one too.
_NEW_LINE = re.compile(r"\r\n|\n\r|\r|\n")
_SHADER_FILE = re.compile(r"\w+(/\w+)*(\.template)?\.(glsl|comp|vert|frag)")

# How drivers name a line: Mesa "0:12(5): error", NVIDIA "0(12) : error", glslang, AMD and Intel "ERROR: 0:12: ...".
_MESSAGE_LINE = re.compile(r"^\s*(?:(?:ERROR|WARNING):\s*)?\d+[:(](?P<line>\d+)\)?(?P<rest>.*)$")


@dataclass(frozen=True)
class Source:
    """A final shader source, and where each of its lines came from.

    Attributes:
        name: the entry point's path below shaders/.
        text: what the compiler sees.
        origins: per line of `text`, the file (None for lines written here) and the line in it, counted from 1.
    """

    name: str
    text: str
    origins: tuple[tuple[str | None, int], ...]

    def locate(self, line: int) -> str:
        """Where a line of the final text came from, with the text of that line."""
        if not 1 <= line <= len(self.origins):
            return f"{self.name}, final line {line}"
        path, number = self.origins[line - 1]
        quoted = self.text.split("\n")[line - 1].strip()
        return f"{path or 'generated constants'}:{number}: `{quoted}`"


def assemble(
    name: str,
    defines: Mapping[str, Define] | None = None,
    generated: Mapping[str, str] | None = None,
    double: bool = False,
) -> Source:
    """Put a final source together.

    Args:
        name: entry point, a path below shaders/.
        defines: constants, written as `#define NAME value` in the order given.
        generated: texts that includes can name, by the path they are included under; a snippet's is no path of a file.
        double: float64 in place of float32 in all but snippets; DOUBLE_PRECISION is defined then.

    Raises:
        ShaderError: a file is missing.
    """
    head = [VERSION_LINE, *([_UNROLL_LINE] if double else [])]
    written = [f"#define {key} {_glsl_literal(value)}" for key, value in (defines or {}).items()]
    if double:
        written = [*map(in_double, written), "#define DOUBLE_PRECISION 1"]
    head += written
    body = _body(name, tuple((generated or {}).items()), double)
    return Source(name, "\n".join(head) + "\n" + body.text, _written_here(len(head)) + body.origins)


def explain_failure(message: str, sources: tuple[Source, ...]) -> str:
    """A compiler's message with its line numbers turned into file, line and source line.

    Args:
        message: what the driver printed, in Mesa's, NVIDIA's or glslang's form.
        sources: the stages of the program in order; moderngl heads a stage's message with its name.
    """
    source = sources[0]
    explained = []
    for line in message.splitlines():
        heading = line.strip().lower().replace("_", " ")
        if len(sources) > 1 and heading in ("vertex shader", "fragment shader"):
            source = sources[heading == "fragment shader"]
        match = _MESSAGE_LINE.match(line)
        if match:
            explained.append(f"{source.locate(int(match.group('line')))} {match.group('rest').strip(' :')}")
    if not explained:
        explained = [" ".join(message.split())]
    names = " and ".join(source.name for source in sources)
    return f"The shader {names} does not compile:\n" + "\n".join(f"  {line}" for line in explained)


@cache
def _written_here(count: int) -> tuple[tuple[None, int], ...]:
    """The origins of that many first lines."""
    return tuple((None, number) for number in range(1, count + 1))


@dataclass(frozen=True)
class _Body:
    """What follows the constants: an entry point with its includes put in."""

    text: str
    origins: tuple[tuple[str, int], ...]


@lru_cache(maxsize=128)
def _body(name: str, generated: tuple[tuple[str, str], ...], double: bool) -> _Body:
    """The body of a source. The passes of a plan, and the plans of a program, differ mostly by their constants: each
    body is put together once.
    """
    texts = dict(generated)
    lines: list[str] = []
    origins: list[tuple[str, int]] = []
    included: set[str] = set()

    def add(path: str, asked_by: str) -> None:
        if path in included and not path.endswith(_TEMPLATE):
            return
        included.add(path)
        widened = double and _SHADER_FILE.fullmatch(path) is not None and not path.startswith(_SNIPPETS)
        for piece in _pieces(path, _read(path, asked_by, texts), widened):
            if piece.include is not None:
                add(piece.include, f"{path}:{piece.origins[0][1]}")
            else:
                lines.extend(piece.lines)
                origins.extend(piece.origins)

    add(name, "the program")
    return _Body("".join(f"{line}\n" for line in lines), tuple(origins))


def _read(path: str, asked_by: str, generated: Mapping[str, str]) -> str:
    if path in generated:
        return generated[path]
    try:
        if _SHADER_FILE.fullmatch(path):
            return _file(path)
    except FileNotFoundError:
        pass
    raise ShaderError(f"There is no shader file '{path}', which {asked_by} asks for.")


@dataclass(frozen=True)
class _Piece:
    """Lines of a file that follow each other, or one line that includes another file."""

    lines: tuple[str, ...]
    origins: tuple[tuple[str, int], ...]
    include: str | None


@lru_cache(maxsize=512)
def _pieces(path: str, text: str, double: bool) -> tuple[_Piece, ...]:
    """A text cut at its includes, in float64 if need be. Every plan asks for the same files: each is cut once."""
    pieces = []
    lines: list[tuple[str, tuple[str, int]]] = []

    def end_piece() -> None:
        if lines:
            texts, origins = zip(*lines, strict=True)
            pieces.append(_Piece(texts, origins, None))
            lines.clear()

    for number, line in enumerate(_lines(text), start=1):
        match = _INCLUDE.match(line)
        if match:
            end_piece()
            pieces.append(_Piece((line,), ((path, number),), match.group(1)))
        elif not _LINE_DIRECTIVE.match(line):
            lines.append((in_double(line) if double else line, (path, number)))
    end_piece()
    return tuple(pieces)


def _lines(text: str) -> list[str]:
    lines = _NEW_LINE.split(text)
    return lines if lines[-1] else lines[:-1]


@cache
def _file(path: str) -> str:
    # A plan in stages assembles the same few files for every pass: read each once.
    return resources.files("glfft.shaders").joinpath(path).read_text(encoding="utf-8")


def _glsl_literal(value: Define) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        # repr gives the shortest text that reads back as the same number; GLSL wants a point or an exponent in it.
        # A numpy float64 is a float too, whose own repr has its type's name in it.
        text = repr(float(value))
        return text if any(mark in text for mark in ".en") else text + ".0"
    return str(value)
