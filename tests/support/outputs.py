"""A standard output that a command may give up."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import pytest


@contextmanager
def own_output() -> Iterator[TextIO]:
    """A file of its own as the standard output, for commands that are interrupted in this process.

    They give up the descriptor that they write to. From pytest's own, pytest would still read, and fail ever after.
    """
    with tempfile.TemporaryFile("w+") as output, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", output)
        yield output
