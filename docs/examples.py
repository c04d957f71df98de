"""The programs in the documents: found, run and compared with the output printed below them.

A program is a fenced block marked `python`. The blocks of a document run in order, as one program without a window,
in a process of their own. A block marked `text` right below one is what it prints. What a program takes for granted,
a context or a file, and checks of what it made are programs/NAME.py: a comment `<!-- program: NAME -->` runs one there.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_PROGRAM = re.compile(
    r"^<!-- program: (?P<unseen>\w+) -->\n"
    r"|^```python\n(?P<code>.*?)^```\n(?:\n*^```text\n(?P<printed>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)

# Runs blocks given as JSON on its input and answers with what each printed; a failing block ends it with a traceback.
RUNNER = """
import contextlib, io, json, sys
names, printed = {"__name__": "__main__"}, []
for number, code in enumerate(json.load(sys.stdin), start=1):
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(code, f"<program {number}>", "exec"), names)
    printed.append(output.getvalue())
print(json.dumps(printed))
"""


@dataclass(frozen=True)
class Program:
    """One block: its code, what the document says it prints (None: nothing is said), and where that stands."""

    code: str
    printed: str | None
    printed_at: tuple[int, int]


def documents() -> list[Path]:
    """README.md and the pages of docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def programs(text: str) -> list[Program]:
    """The blocks of a document, in order."""
    return [
        Program(found["code"] or _unseen(found["unseen"]), found["printed"], found.span("printed"))
        for found in _PROGRAM.finditer(text)
    ]


def _unseen(name: str) -> str:
    return (ROOT / "docs" / "programs" / f"{name}.py").read_text(encoding="utf-8")


def run(blocks: list[Program], folder: Path) -> list[str]:
    """What each block prints when all of them run in `folder`; nothing is started for none.

    Raises:
        RuntimeError: one failed; the message is its traceback.
    """
    if not blocks:
        return []
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps([block.code for block in blocks]),
        cwd=folder,
        # What was tuned on this machine must not show in a document.
        env={**os.environ, "GLFFT_WISDOM": ""},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def with_outputs(text: str, folder: Path) -> str:
    """The document with each printed output as it is now."""
    found = programs(text)
    if not any(block.printed is not None for block in found):
        return text
    outputs = run(found, folder)
    for block, output in reversed(list(zip(found, outputs, strict=True))):
        if block.printed is not None:
            start, end = block.printed_at
            text = text[:start] + output + text[end:]
    return text
