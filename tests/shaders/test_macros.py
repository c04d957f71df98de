"""What would make GLSL hard to read or to debug."""

from __future__ import annotations

from support.paths import shader_files

# A compile error inside a macro names the line where it is used, and not where it is wrong.
MOST_LINES = 5


def macros(text: str) -> list[str]:
    """Every #define of a text, with the lines that continue it."""
    found: list[str] = []
    continued = False
    for line in text.splitlines():
        if continued:
            found[-1] += "\n" + line
        elif line.lstrip().removeprefix("#").lstrip().startswith("define "):
            found.append(line)
        else:
            continue
        continued = line.rstrip().endswith("\\")
    return found


def test_macros_are_found_to_their_last_line() -> None:
    text = "#define A 1\nint a;\n  # define B(x) \\\n    x; \\\n    x\nint b;\n"
    assert [len(each.splitlines()) for each in macros(text)] == [1, 3]


def test_no_macro_is_long() -> None:
    found = [each for path in shader_files() for each in macros(path.read_text(encoding="utf-8"))]
    assert len(found) > 10
    assert [each for each in found if len(each.splitlines()) > MOST_LINES] == []
