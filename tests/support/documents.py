"""The tools of the documents, which are no part of the package, and what their programs print."""

import importlib
import json
import os
import sys
from pathlib import Path

from support.displays import QUICK_KERNELS
from support.paths import ROOT
from support.programs import lines_of

sys.path.insert(0, str(ROOT / "docs"))

examples, make_pages, stockham_by_hand = map(importlib.import_module, ("examples", "make_pages", "stockham_by_hand"))

# Pages whose programs compute so much that an interpreter of shaders takes longer than a compiler.
LARGE = [ROOT / "docs" / f"{name}.md" for name in ("channelizer", "sea", "tuning")]


def assert_prints_what_is_shown(document: Path, folder: Path) -> None:
    """Run a document's programs in a folder, in a process that need not import everything anew."""
    programs = examples.programs(document.read_text(encoding="utf-8"))
    blocks = json.dumps([program.code for program in programs])
    # The page on tuning shows which kernels are chosen.
    kernels = "" if document.stem == "tuning" else QUICK_KERNELS
    runner = f"{kernels}import io, sys\nsys.stdin = io.StringIO({blocks!r})\n{examples.RUNNER}"
    outputs = json.loads(lines_of(runner, {**os.environ, "GLFFT_WISDOM": ""}, folder)[-1])
    for program, output in zip(programs, outputs, strict=True):
        if program.printed is not None:
            assert output == program.printed, "run `make pages`"
