"""Forms of GLSL that compilers get wrong, found in its text: docs/devices.md says which, and where they were seen.

Texts are read as they are written, not as they are after macros have been put in. What a compiler knows when it has
unrolled all loops and put all functions in is constant: literals, names in capital letters, counters of loops between
constant bounds, and what is computed from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_TOKEN = re.compile(
    r"(?P<name>[A-Za-z_]\w*)|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\w*)|<<=|>>=|[-+*/%&|^<>=!]=|<<|>>|&&|\|\||\^\^|\+\+|--|\S"
)
_FUNCTION = re.compile(r"\b(?:[a-z]\w*|[A-Z]\w*)\s+(?P<name>\w+)\s*\((?P<parameters>[^(){};]*)\)\s*\{")
_WHOLE = ("int", "uint", "bool", *(f"{letter}vec{n}" for letter in "iub" for n in (2, 3, 4)))
_IN_MEMORY = re.compile(r"\b(?:shared|uniform|buffer|in|out)\b[^;{}()]*?(?P<name>\w+)\s*(?:\[[^;]*?\]\s*)*;")
_BLOCK = re.compile(r"\b(?:uniform|buffer)\s+\w+\s*\{(?P<members>[^{}]*)\}\s*(?P<name>\w*)")
_MEMBER = re.compile(r"(?P<name>\w+)\s*(?:\[[^;\]]*\])*\s*;")
_CONSTANT = re.compile(r"\bconst\s+\w+\s*(?:\[[^\]]*\])?\s+(?P<name>\w+)\s*(?:\[[^\]]*\])?\s*=")
_ASSIGNING = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--")
_FETCHES = ("texelFetch", "texelFetchOffset", "imageLoad", "imageStore")
_UNSIGNED_BUILT_IN = ("gl_WorkGroupID", "gl_GlobalInvocationID", "gl_LocalInvocationID", "gl_LocalInvocationIndex")

Tokens = list[str]


@dataclass
class Function:
    """A function of a text: its name, its parameters in order, and what is between its braces."""

    name: str
    parameters: list[str]
    text: str
    varying: set[str] = field(default_factory=set)

    @property
    def body(self) -> Tokens:
        return tokens(self.text)


@dataclass(frozen=True)
class Text:
    """A text without comments and directives, as far as the forms need it."""

    functions: tuple[Function, ...]
    in_memory: frozenset[str]
    constants: frozenset[str]


def parse(text: str) -> Text:
    """Read a text."""
    text = _DIRECTIVE.sub("", _COMMENT.sub("", text))
    functions = []
    for found in _FUNCTION.finditer(text):
        if found["name"] in ("if", "for", "while", "switch"):
            continue
        body = text[found.end() : _closing(text, found.end())]
        functions.append(Function(found["name"], [_last_name(each) for each in found["parameters"].split(",")], body))
    in_memory = {found["name"] for found in _IN_MEMORY.finditer(text)}
    for block in _BLOCK.finditer(text):
        in_memory |= {block["name"], *(member["name"] for member in _MEMBER.finditer(block["members"]))}
    constants = frozenset(found["name"] for found in _CONSTANT.finditer(text))
    return Text(tuple(functions), frozenset(in_memory), constants)


# Many texts have the same functions.
@cache
def tokens(text: str) -> Tokens:
    """The words and signs of a text, which are not to be changed."""
    return [found[0] for found in _TOKEN.finditer(text)]


def _closing(text: str, start: int) -> int:
    """Where the brace closes that was opened before `start`."""
    depth = 1
    for found in re.finditer(r"[{}]", text[start:]):
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return start + found.start()
    return len(text)


def _last_name(parameter: str) -> str:
    names = re.findall(r"[A-Za-z_]\w*", re.sub(r"\[[^\]]*\]", "", parameter))
    return names[-1] if names else ""


# --- Local arrays -----------------------------------------------------------------------------------------------


def varying_indices(texts: Iterable[str]) -> list[str]:
    """Places where an array or a vector that is no memory and no table is indexed by what a compiler cannot know.

    Tables of constants have names in capital letters.

    Args:
        texts: that are compiled together: a function of one may call one of another.

    Returns:
        each place as "function: name[index]".
    """
    read = [parse(text) for text in texts]
    in_memory = frozenset().union(*(each.in_memory for each in read))
    constants = frozenset().union(*(each.constants for each in read))
    functions = [function for each in read for function in each.functions]
    while _spread(functions, constants):
        pass
    found = []
    for function in functions:
        for name, index in _walk(function, constants):
            if isinstance(index, str) and name not in in_memory and not name.isupper():
                found.append(f"{function.name}: {name}[{index}]")
    return found


def _spread(functions: list[Function], constants: frozenset[str]) -> bool:
    """Mark parameters that some call gives what is not constant; whether there were new ones."""
    named: dict[str, list[Function]] = {}
    for function in functions:
        named.setdefault(function.name, []).append(function)
    new = False
    for function in functions:
        for name, arguments in _walk(function, constants):
            if isinstance(arguments, str):
                continue
            for called in named.get(name, ()):
                for parameter, constant in zip(called.parameters, arguments, strict=False):
                    if not constant and parameter not in called.varying:
                        called.varying.add(parameter)
                        new = True
    return new


Uses = list[tuple[str, str | list[bool]]]


def _walk(function: Function, constants: frozenset[str]) -> Uses:
    """Each index that varies, by the name indexed, and of each call which arguments are constant."""
    known = constants | set(function.parameters) - function.varying
    known -= {name for name in function.parameters if _assigned(function.text, name)}
    return _uses(function.text, known & _words(function.text))


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


@cache
def _uses(text: str, constants: frozenset[str]) -> Uses:
    """What `_walk` gives, of a function's body and the constants that it names."""
    return [*_found_uses(tokens(text), set(constants))]


def _found_uses(body: Tokens, known: set[str]) -> Iterator[tuple[str, str | list[bool]]]:
    known_before: list[set[str]] = []
    head_ends = -1
    for at, token in enumerate(body):
        if token == "{":
            known_before.append(set(known))
        elif token == "}" and known_before:
            known = known_before.pop()
        elif token == "for":
            head_ends = _end(body, at + 1)
            known |= _counters(body[at + 2 : head_ends], known)
        elif token in _WHOLE and at > head_ends and at + 2 < len(body) and body[at + 2] in ("=", ";", "["):
            known = _declared(body, at, known)
        elif token == "[" and at and re.match(r"\w+", body[at - 1]) and body[at - 1] not in _WHOLE:
            index = body[at + 1 : _end(body, at)]
            # A declaration has the type before the name.
            declares = at > 1 and re.fullmatch(r"[A-Za-z_]\w*", body[at - 2]) and body[at - 2] not in ("return", "else")
            if not declares and not _is_constant(index, known):
                yield body[at - 1], " ".join(index)
        elif token == "(" and at and re.fullmatch(r"[A-Za-z_]\w*", body[at - 1]):
            yield body[at - 1], [_is_constant(each, known) for each in _split(body[at + 1 : _end(body, at)])]


def _declared(body: Tokens, at: int, known: set[str]) -> set[str]:
    """What is known after the declaration of whole numbers at a place: those computed once from what is known."""
    end = next((index for index in range(at, len(body)) if body[index] == ";"), len(body))
    found = set(known)
    for each in _split(body[at + 1 : end]):
        if not each:
            continue
        name = each[0]
        once = sum(1 for _ in _assignments(body, name)) <= 1
        if len(each) > 2 and each[1] == "=" and once and _is_constant(each[2:], found):
            found.add(name)
        else:
            found.discard(name)
    return found


def _counters(head: Tokens, known: set[str]) -> set[str]:
    """The counters of a loop, if its start, its end and its step are constant."""
    parts = _split(head, ";")
    if len(parts) != 3 or not parts[0] or parts[0][0] not in _WHOLE:
        return set()
    first = [each for each in _split(parts[0][1:]) if each]
    names = {each[0] for each in first}
    starts = all(len(each) > 2 and _is_constant(each[2:], known) for each in first)
    rest = _is_constant(parts[1], known | names) and _is_constant(parts[2], known | names)
    return names if starts and rest else set()


def _is_constant(expression: Tokens, known: set[str]) -> bool:
    for at, token in enumerate(expression):
        if not re.match(r"[A-Za-z_]", token) or token in known or token in ("true", "false", *_WHOLE):
            continue
        called = at + 1 < len(expression) and expression[at + 1] == "("
        component = at > 0 and expression[at - 1] == "."
        if not (called or component or token.isupper()):
            return False
    return True


def _assignments(body: Tokens, name: str) -> Iterator[int]:
    for at, token in enumerate(body):
        if token == name and (body[at - 1 : at] == ["."] or at + 1 >= len(body)):
            continue
        if token == name and (body[at + 1] in _ASSIGNING or body[at - 1 : at] in (["++"], ["--"])):
            yield at


@cache
def _assigned(text: str, name: str) -> bool:
    return any(True for _ in _assignments(tokens(text), name))


def _end(body: Tokens, at: int) -> int:
    """Where the bracket at a place closes."""
    depth = 0
    for index in range(at, len(body)):
        depth += (body[index] in "([{") - (body[index] in ")]}")
        if not depth:
            return index
    return len(body)


def _split(expression: Tokens, by: str = ",") -> list[Tokens]:
    """The parts of an expression between commas that are in no brackets."""
    parts: list[Tokens] = [[]]
    depth = 0
    for token in expression:
        depth += (token in "([{") - (token in ")]}")
        if token == by and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


# --- Differences ------------------------------------------------------------------------------------------------


def mirrored_fetches(text: str) -> list[str]:
    """Fetches at a constant minus a coordinate, written in the fetch or in a variable for it."""
    found = []
    for function in parse(text).functions:
        body = function.body
        mirrored = set(_mirrored_variables(body))
        for at, token in enumerate(body):
            if token not in _FETCHES or body[at + 1 : at + 2] != ["("]:
                continue
            arguments = _split(body[at + 2 : _end(body, at + 1)])
            if len(arguments) > 1 and (_mirrors(arguments[1]) or mirrored & set(arguments[1])):
                found.append(f"{function.name}: {' '.join(arguments[1])}")
    return found


def _mirrored_variables(body: Tokens) -> Iterator[str]:
    """Variables of whole numbers that are a constant minus something from the start."""
    for at, token in enumerate(body):
        if token in _WHOLE and body[at + 2 : at + 3] == ["="]:
            end = next((index for index in range(at, len(body)) if body[index] == ";"), len(body))
            if _mirrors(body[at + 3 : end]):
                yield body[at + 1]


def _mirrors(expression: Tokens) -> bool:
    """Whether a number is taken from a constant in an expression. What a function makes of it is another number."""
    within: list[str] = []
    for at, token in enumerate(expression):
        if token in "([":
            within.append(expression[at - 1] if at else "")
        elif token in ")]":
            within.pop()
        elif (
            token == "-"
            and not any(_is_function(each) for each in within)
            and _follows_constant(expression, at)
            and not _is_constant(_operand(expression, at + 1), set())
        ):
            return True
    return False


def _is_function(word: str) -> bool:
    return re.fullmatch(r"[A-Za-z_]\w*", word) is not None and word not in _WHOLE


def _follows_constant(expression: Tokens, at: int) -> bool:
    """Whether what stands before a minus is a constant, and not part of a longer sum."""
    start, depth = at, 0
    while start > 0:
        depth += (expression[start - 1] in ")]") - (expression[start - 1] in "([")
        if depth < 0 or (not depth and expression[start - 1] in ",?:"):
            break
        start -= 1
    return start < at and _is_constant(expression[start:at], set())


def _operand(expression: Tokens, at: int) -> Tokens:
    """What follows a minus, up to the next sign of its rank."""
    depth = 0
    for index in range(at, len(expression)):
        depth += (expression[index] in "([") - (expression[index] in ")]")
        if depth < 0 or (not depth and expression[index] in "+-,;"):
            return expression[at:index]
    return expression[at:]


def unsigned_below_zero(text: str) -> list[str]:
    """Differences of unsigned numbers that may be below zero: less an invocation's place, or 3u less something."""
    found = []
    for function in parse(text).functions:
        body = function.body
        for at, token in enumerate(body):
            if token != "-" or at + 1 >= len(body):
                continue
            literal = re.fullmatch(r"\d+u", body[at - 1]) is not None
            if body[at + 1] in _UNSIGNED_BUILT_IN or (literal and not re.match(r"\d", body[at + 1])):
                found.append(f"{function.name}: {' '.join(body[at - 1 : at + 2])}")
    return found
