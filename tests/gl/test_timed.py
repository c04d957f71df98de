"""Waits: told to every listener of the context that still lives, also where they end with an exception."""

from __future__ import annotations

import gc

import pytest

from glfft.gl import programs
from glfft.gl.source import Source
from glfft.gl.timed import tell, timed, waiting


class Listener:
    def __init__(self):
        self.heard = []

    def waited(self, name, start, end):
        self.heard.append((name, end - start))


def test_listeners_hear_of_waits_as_long_as_they_live(ctx):
    first, second = Listener(), Listener()
    tell(ctx, first)
    tell(ctx, second)
    with pytest.raises(ZeroDivisionError), waiting(ctx, "swap"):
        raise ZeroDivisionError
    del second
    gc.collect()
    with waiting(ctx, "readback"):
        pass
    assert [name for name, _ in first.heard] == ["swap", "readback"]
    assert all(length >= 0 for _, length in first.heard)


def test_only_what_is_compiled_anew_is_waited_for(ctx):
    listener = Listener()
    tell(ctx, listener)
    text = "#version 430 core\nlayout(local_size_x = 3) in;\nvoid main() {}\n"
    source = Source("alone.comp", text, (("", 1), ("alone.comp", 1), ("alone.comp", 2)))
    for _ in range(2):
        programs.compute_from(ctx, source)
    assert [name for name, _ in listener.heard] == ["compile"]


def test_without_a_profiler_a_section_is_nothing():
    with timed(None, "waves"), timed(None, "rows"):
        pass
