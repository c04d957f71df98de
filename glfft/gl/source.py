"""Shader text put together: includes, constants, and a compiler's errors at the right file and line.

A final source is: the version line, one `#define` a constant, then the entry point with its includes put in. What the
program does not use is not in it: conditions of the preprocessor are decided here, with the constants and with what
files define, and a constant that no line names is left out. So is what a file's comments say from a line on that begins
with `// Defines:`, `// Inputs:` or the like: the list of what the file wants, for those who include it.

A file is put in once. A template, whose name ends in .template.glsl, is put in wherever it is asked for, with other
words in place of its own: `#include "a.template.glsl" with N = 3, M = 4`.

The line map made on the way turns the compiler's message back into file and line, which drivers cannot do themselves
(Mesa ignores file names in #line).

All files are written for float32. A source in float64 has the same text with other types and literals but in snippets.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import groupby
from pathlib import Path

from glfft.errors import ShaderError
from glfft.gl.glsl import in_double, is_true, without_comments

Define = int | float | bool | str
Defines = Mapping[str, Define]  # constants by name
_Texts = tuple[tuple[str, str], ...]  # names and texts

VERSION_LINE = "#version 430 core"
# NVIDIA's compiler (580.159) leaves arrays that loops index in memory, those of doubles with the precision of float32.
# With all loops unrolled they are registers. Other compilers ignore the line.
_UNROLL_LINE = "#pragma optionNV(unroll all)"
# They are inside an installed package; a checkout, installed or not, has them beside its package.
_INSIDE, _BESIDE = resources.files("glfft").joinpath("shaders"), Path(__file__).parents[2] / "shaders"
_SHADERS = _INSIDE if _INSIDE.joinpath("fft").is_dir() else _BESIDE
_TEMPLATE = ".template.glsl"  # files put in wherever they are asked for; all others are put in once
_SNIPPETS = "snippets/"
_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"(?:\s+with\s+(\w+ = \w+(?:, \w+ = \w+)*))?\s*$')
_DIRECTIVE = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif|else|endif|define|undef)\b\s*(.*?)\s*$")
_MACRO = re.compile(r"(\w+)(\()?\s*(.*)")
_WORD = re.compile(r"[A-Za-z_]\w*")
# From such a line on, a comment lists what a file wants.
_WANTS = re.compile(r"^// (?:Defines|Inputs|Outputs|Uniforms|Generated|Wants)(?:[:,]| \()")
# It would make the compiler count from another number than the line map does.
_LINE_DIRECTIVE = re.compile(r"^\s*#\s*line\b")
_NEW_LINE = re.compile(r"\r\n|\n\r|\r|\n")  # GLSL's ends of lines, and no others: in Python a form feed is one too
_SHADER_FILE = re.compile(r"\w+(/\w+)*(\.template)?\.(glsl|comp|vert|frag)")

# How drivers name a line: Mesa "0:12(5): error", NVIDIA "0(12) : error", glslang, AMD and Intel "ERROR: 0:12: ...".
_MESSAGE_LINE = re.compile(r"^\s*(?:(?:ERROR|WARNING):\s*)?\d+[:(](?P<line>\d+)\)?(?P<rest>.*)$")


@dataclass(frozen=True)
class Source:
    """A final shader source, and where each of its lines came from."""

    name: str  # the entry point's path below shaders/
    text: str  # what the compiler sees
    # per line of `text`, the file (None for lines written here) and the line in it, counted from 1
    origins: tuple[tuple[str | None, int], ...]

    def locate(self, line: int) -> str:
        """Where a line of the final text came from, with the text of that line."""
        if not 1 <= line <= len(self.origins):
            return f"{self.name}, final line {line}"
        path, number = self.origins[line - 1]
        quoted = self.text.split("\n")[line - 1].strip()
        return f"{path or 'generated constants'}:{number}: `{quoted}`"

    def text_of(self, wanted: Callable[[str], bool]) -> str:
        """The lines from files whose paths are wanted."""
        lines = zip(self.text.split("\n"), self.origins, strict=False)
        return "\n".join(line for line, (path, _) in lines if path and wanted(path))


def assemble(
    name: str, defines: Defines | None = None, generated: Mapping[str, str] | None = None, double: bool = False
) -> Source:
    """Put a source together from an entry point below shaders/, constants in order, and texts that includes can name, a
    snippet's under no file's path. Double is float64 in all else, with DOUBLE_PRECISION. Raises ShaderError.
    """
    constants = {key: _glsl_literal(value) for key, value in (defines or {}).items()}
    if double:
        constants = {key: in_double(value) for key, value in constants.items()} | {"DOUBLE_PRECISION": "1"}
    return _assembled(name, tuple(constants.items()), tuple((generated or {}).items()), double)


# Plans are made again and again, of passes that are alike.
@lru_cache(maxsize=128)
def _assembled(name: str, given: _Texts, generated: _Texts, double: bool) -> Source:
    constants = dict(given)
    assembly = _Assembly(constants, dict(generated), double)
    assembly.add(name, "the program")
    head = [VERSION_LINE, *([_UNROLL_LINE] if double else [])]
    head += [f"#define {key} {constants[key]}" for key in _used(constants, assembly.words)]
    text = "".join(f"{line}\n" for line in (*head, *assembly.lines))
    return Source(name, text, (*((None, number) for number in range(1, len(head) + 1)), *assembly.origins))


def _used(constants: Mapping[str, str], words: set[str]) -> list[str]:
    """The constants that a text names, or that other ones name which it does, in their order."""
    found, new = set[str](), words & constants.keys()
    while new:
        found |= new
        new = {word for key in new for word in _WORD.findall(constants[key]) if word in constants} - found
    return [key for key in constants if key in found]


def explain_failure(message: str, sources: tuple[Source, ...]) -> str:
    """A compiler's message, of Mesa, NVIDIA or glslang, by stages, with file, line and source line for its numbers."""
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


class _Assembly:
    """What follows the constants, in the making: files put in, and conditions decided with what is defined so far."""

    def __init__(self, constants: Mapping[str, str], generated: Mapping[str, str], double: bool) -> None:
        self.lines: list[str] = []
        self.origins: list[tuple[str, int]] = []
        self.words: set[str] = set()
        self._macros: dict[str, str | None] = dict(constants)
        self._generated, self._double = generated, double
        self._included: set[str] = set()
        # For each condition round a line: True in the branch taken, False before it, None after it.
        self._branches: list[bool | None] = []

    def add(self, path: str, asked_by: str, words: str = "") -> None:
        if path in self._included and not path.endswith(_TEMPLATE):
            return
        self._included.add(path)
        own = _SHADER_FILE.fullmatch(path) is not None
        widened = self._double and own and not path.startswith(_SNIPPETS)
        for piece in _pieces(path, _read(path, asked_by, self._generated), widened, own, words):
            if piece.directive is not None:
                self._direct(*piece.directive, f"{path}:{piece.origins[0][1]}")
            elif self._keeps and piece.include is not None:
                self.add(piece.include, f"{path}:{piece.origins[0][1]}", piece.words_given)
            elif self._keeps:
                self._write(piece)

    @property
    def _keeps(self) -> bool:
        return not self._branches or self._branches[-1] is True  # no branch is taken within one that is not

    def _write(self, piece: "_Piece") -> None:
        lines, origins = piece.lines, piece.origins
        if self.lines and not self.lines[-1] and not lines[0]:
            lines, origins = lines[1:], origins[1:]
        self.lines.extend(lines)
        self.origins.extend(origins)
        self.words.update(piece.words)
        # A known one stays: to define it under a condition is to guard it, `#ifndef`, or an error.
        self._macros.update(each for each in piece.defined if each[1] is not None or each[0] not in self._macros)

    def _direct(self, kind: str, condition: str, place: str) -> None:
        """Go by a line that a condition begins or ends with, or has between its branches."""
        # As in `_branches`: False where no branch of the condition has been taken yet.
        before = (False if self._keeps else None) if kind == "if" else self._branches.pop()
        if kind == "endif":
            return
        try:
            taken = None if before is not False else kind == "else" or is_true(condition, self._macros)
        except ValueError as error:
            why = f"cannot be decided: {error}; snippets must define other names than its"
            raise ShaderError(f"The condition at {place}, '{condition}', {why}.") from None
        self._branches.append(taken)


def _read(path: str, asked_by: str, generated: Mapping[str, str]) -> str:
    if path in generated:
        return generated[path]
    with suppress(FileNotFoundError):
        if _SHADER_FILE.fullmatch(path):
            return _file(path)
    raise ShaderError(f"There is no shader file '{path}', which {asked_by} asks for.")


@dataclass(frozen=True)
class _Piece:
    """Lines of a file that follow each other, one line that includes another file, or one of a condition."""

    lines: tuple[str, ...]  # lines, origins: as in `Source`
    origins: tuple[tuple[str, int], ...]
    words: frozenset[str] = frozenset()  # names and keywords in these lines
    # the macros that they define, with their values; None where only the compiler knows whether
    defined: tuple[tuple[str, str | None], ...] = ()
    include: str | None = None  # include, words_given: the file to put in, and the words to put in a template
    words_given: str = ""
    # what it does with a condition: "if", "elif", "else" or "endif", and the condition
    directive: tuple[str, str] | None = None


@lru_cache(maxsize=1024)
def _pieces(path: str, text: str, double: bool, own: bool, words: str) -> tuple[_Piece, ...]:
    """A text cut at its includes and, if it is our `own`, its conditions, in float64 if need be; once for all plans."""
    for given in filter(None, words.split(", ")):
        name, _, value = given.partition(" = ")
        text = re.sub(rf"\b{name}\b", value, text)
    pieces: list[_Piece] = []
    read = [(_piece_of_line(path, *each, own), *each) for each in _numbered_lines(text, own)]
    for is_plain, run in groupby(read, key=lambda each: each[0] is None):
        if not is_plain:
            pieces += [piece for piece, *_ in run if piece is not None]
        elif lines := [(number, line) for _, number, line, _ in run if not _LINE_DIRECTIVE.match(line)]:
            kept = tuple(in_double(line) if double else line for _, line in lines)
            pieces.append(_plain_piece(kept, tuple((path, number) for number, _ in lines), own))
    return tuple(pieces)


def _numbered_lines(text: str, own: bool) -> list[tuple[int, str, str]]:
    """Each line's number, text, and code without comments, but for the comment on what a file of our `own` wants."""
    lines = _NEW_LINE.split(text)
    if not lines[-1]:
        lines.pop()
    codes = without_comments("\n".join(lines)).split("\n")
    found: list[tuple[int, str, str]] = []
    in_wants = False
    for number, (line, code) in enumerate(zip(lines, codes, strict=False), start=1):
        in_wants = own and line.startswith("//") and (in_wants or _WANTS.match(line) is not None)
        if not in_wants:
            found.append((number, line, code))
        elif found and found[-1][1] == "//":  # the empty line of the comment before it
            found.pop()
    return found


def _piece_of_line(path: str, number: int, line: str, code: str, own: bool) -> _Piece | None:
    """The piece that a line is by itself: it includes a file, or belongs to a condition of our `own`."""
    if "#" not in line:  # as most lines: a first plan reads a thousand
        return None
    origins = ((path, number),)
    if include := _INCLUDE.match(code):
        return _Piece((line,), origins, include=include.group(1), words_given=include.group(2) or "")
    directive = _DIRECTIVE.match(line)
    if directive is None or not own or directive.group(1) in ("define", "undef"):
        return None
    kind, condition = directive.groups()
    if kind in ("ifdef", "ifndef"):
        kind, condition = "if", f"{'!' if kind == 'ifndef' else ''}defined({condition})"
    return _Piece((line,), origins, directive=(kind, condition))


def _plain_piece(lines: tuple[str, ...], origins: tuple[tuple[str, int], ...], own: bool) -> _Piece:
    text = "\n".join(lines)
    code = without_comments(text)
    defined: list[tuple[str, str | None]] = []
    depth = 0
    for line in code.split("\n") if "#" in code else ():
        directive = _DIRECTIVE.match(line)
        if directive is None:
            continue
        kind, rest = directive.groups()
        depth += kind.startswith("if") - (kind == "endif")
        macro = _MACRO.match(rest)
        if macro and kind in ("define", "undef"):
            known = kind == "define" and depth == 0
            value = "" if macro.group(2) else macro.group(3).strip()  # with arguments it is no number
            defined.append((macro.group(1), value if known else None))
    # What a snippet names in a comment does no harm.
    return _Piece(lines, origins, frozenset(_WORD.findall(code if own else text)), tuple(defined))


@cache
def _file(path: str) -> str:
    return _SHADERS.joinpath(path).read_text(encoding="utf-8")


def _glsl_literal(value: Define) -> str:
    if isinstance(value, float):
        # repr gives the shortest text that reads back as the same number; GLSL wants a point or an exponent in it.
        # A numpy float64 is a float too, whose own repr has its type's name in it.
        text = repr(float(value))
        return text if any(mark in text for mark in ".en") else text + ".0"
    return str(int(value) if isinstance(value, bool) else value)
