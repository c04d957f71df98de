"""Many files, one after another: a bar, a line for each on standard output, and failures named and skipped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tqdm import tqdm

from glfft.errors import GlfftError


def each_file(command: str, sources: Sequence[Path], work: Callable[[int], str]) -> int:
    """Do the work of each source, given its index; `work` returns the line to print. A file that fails is named on
    standard error and skipped. Returns how many failed.
    """
    failures, several = 0, len(sources) > 1
    for index in tqdm(range(len(sources)), unit="picture", file=sys.stderr, disable=not several):
        try:
            line = work(index)
        except (GlfftError, MemoryError) as error:
            failures += 1
            reason = f"{str(error) or 'There is not enough memory.'}{' Skipped.' if several else ''}"
            # Through tqdm, which moves its bar out of the way.
            tqdm.write(f"{command}: {sources[index]}: {reason}", file=sys.stderr)
        else:
            tqdm.write(line, file=sys.stdout)
    if failures and several:
        tqdm.write(f"{command}: {failures} of {len(sources)} pictures failed.", file=sys.stderr)
    return failures
