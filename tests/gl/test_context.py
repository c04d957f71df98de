"""The one module that knows the driver: limits, errors, raw functions, contexts."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from dataclasses import astuple
from typing import Any

import moderngl
import pytest
from support.displays import python
from support.programs import lines_of
from support.sentences import assert_one_sentence, refused

import glfft
from glfft.errors import ContextError
from glfft.gl.context import driver_of, read_device, require_context, state_of
from glfft.gl.functions import load_function


def raise_gl_error(ctx: moderngl.Context) -> None:
    load_function(ctx, "glEnable", None, ctypes.c_uint)(0xFFFF)


pytestmark = pytest.mark.usefixtures("egl")


def test_limits_are_at_least_what_opengl_4_3_promises(ctx: moderngl.Context) -> None:
    # OpenGL 4.3 core specification, tables 23.54 to 23.67.
    limits = read_device(ctx).limits
    assert limits.texture_size >= 16384
    assert limits.shared_memory >= 32768
    assert limits.invocations >= 1024
    assert all(have >= least for have, least in zip(limits.group_size, (1024, 1024, 64), strict=True))
    assert all(have >= 65535 for have in limits.group_count)
    assert limits.image_units >= 8
    assert limits.texture_units >= 16
    # Nothing read as garbage: no limit of a real device comes near this.
    flat = [limit for entry in astuple(limits) for limit in (entry if isinstance(entry, tuple) else (entry,))]
    assert all(limit < 2**31 for limit in flat)


def test_the_state_of_a_context_is_made_once(ctx: moderngl.Context) -> None:
    assert state_of(ctx) is state_of(ctx)
    assert state_of(ctx).limits == read_device(ctx).limits


def test_an_error_of_the_callers_is_not_blamed_on_a_plan(ctx: moderngl.Context) -> None:
    raise_gl_error(ctx)
    glfft.Plan(ctx, (8, 8)).release()


def test_the_context_given_comes_first(ctx: moderngl.Context) -> None:
    assert require_context(ctx) is ctx
    assert require_context(None) is ctx, "the thread's current one, whichever moderngl takes"


@pytest.mark.parametrize(
    ("call", "environment", "words"),
    [
        ("glfft.open_context(-1)", {}, ["Device index -1", "counted from 0"]),
        ("glfft.open_context(99)", {}, ["99", "device"]),
        ("glfft.open_context('x')", {}, ["'x'", "whole number"]),
        ("glfft.open_context(1.5)", {}, ["1.5", "whole number"]),
        ("glfft.open_context(2147483648)", {}, ["no EGL device for device index 2147483648"]),
        ("glfft.open_context(10**30)", {}, ["no EGL device for device index 1000000"]),
        ("glfft.open_context()", {"GLCONTEXT_DEVICE_INDEX": "99"}, ["GLCONTEXT_DEVICE_INDEX=99"]),
        ("glfft.open_context()", {"GLCONTEXT_DEVICE_INDEX": "2147483648"}, ["GLCONTEXT_DEVICE_INDEX=2147483648"]),
        (
            "glfft.open_context()",
            {"GLCONTEXT_DEVICE_INDEX": "first"},
            ["GLCONTEXT_DEVICE_INDEX=first"],
        ),
        ("glfft.open_context(system='wgl')", {}, ["'wgl'", "'egl' and 'glx'"]),
        ("glfft.open_context()", {"GLFFT_WINDOW_SYSTEM": "x11"}, ["GLFFT_WINDOW_SYSTEM=x11", "'egl' and 'glx'"]),
        ("glfft.open_context(0, 'glx')", {}, ["leave out the device"]),
        ("glfft.open_context(system='glx')", {"DISPLAY": ""}, ["X display", "xvfb-run"]),
    ],
)
def test_a_device_or_window_system_that_is_none_is_a_sentence(
    call: str, environment: dict[str, str], words: list[str]
) -> None:
    program = f"import glfft\ntry:\n    {call}\nexcept glfft.GlfftError as error:\n    print(error)\n"
    printed = run_python(program, environment)
    assert_one_sentence(printed)
    for word in words:
        assert word in printed


# A transform through each kind of context, and through the context that stands in for it in another thread.
_SYSTEMS = """
import threading
import numpy as np
import glfft
from glfft.gl.context import stand_in_for
numbers = np.random.default_rng(0).standard_normal((8, 16))
for asked in (None, "egl", "glx"):
    ctx = glfft.open_context(system=asked)
    other = stand_in_for(ctx)
    with ctx:
        error = abs(glfft.fft2(numbers, ctx=ctx) - np.fft.fft2(numbers)).max()
    print(*[type(each.mglo._context).__module__ for each in (ctx, other)], error < 1e-4, ctx.error)
    ctx.release()
    glfft.gl.current.leave()
"""


@pytest.mark.window
@pytest.mark.parametrize("variable", ["", "glx", "egl"])
def test_a_context_comes_from_the_window_system_asked_for(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLFFT_WINDOW_SYSTEM", variable)
    done = python("-c", _SYSTEMS, display=True, own=False)
    kinds = [{"": "egl", "egl": "egl", "glx": "x11"}[variable], "egl", "x11"]
    assert done.stdout.splitlines() == [f"{kind} {kind} True GL_NO_ERROR" for kind in kinds], done.stderr


def test_egl_that_makes_no_context_current_beside_a_window_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_current(**settings: object) -> None:
        raise ValueError("Requested OpenGL version 430, got version 0")  # moderngl's words for it

    monkeypatch.setattr(moderngl, "create_context", nothing_current)
    monkeypatch.setattr("glfft.gl.current.can_egl_be_current", lambda: True)  # wherever this runs
    with refused(ContextError, match="__GLVND_DISALLOW_PATCHING=1"):
        glfft.open_context(system="egl")


def test_a_context_older_than_4_3_is_refused_where_it_is_the_current_one() -> None:
    printed = run_python(
        "import glfft, moderngl\n"
        "moderngl.create_context(standalone=True, backend='egl')\n"
        "moderngl.Context.version_code = property(lambda self: 330, lambda self, value: None)\n"
        "try:\n    glfft.fft([1, 2])\nexcept glfft.GlfftError as error:\n    print(error)\n",
        {},
    )
    assert_one_sentence(printed)
    for words in (
        "OpenGL 3.3",
        "moderngl.create_context(require=430)",
        "gl_version = (4, 3)",
        "GL_CONTEXT_MAJOR_VERSION 4 and GL_CONTEXT_MINOR_VERSION 3",
        "CONTEXT_VERSION_MAJOR 4 and CONTEXT_VERSION_MINOR 3",
    ):
        assert words in printed


def test_on_macos_the_message_says_that_there_is_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    old = moderngl.Context.__new__(moderngl.Context)
    old.version_code = 410
    with refused(ContextError, match=r"macOS.* ends at 4\.1"):
        glfft.Plan(old, (8, 8))


def run_python(program: str, environment: dict[str, Any]) -> str:
    return "\n".join(lines_of(program, {**os.environ, **environment}))


def test_the_driver_is_named_without_the_profile_asked_for() -> None:
    class Context:
        def __init__(self, version: str) -> None:
            self.info = {"GL_VERSION": version}

    for version, expected in {
        "4.5 (Core Profile) Mesa 22.3.6": "Mesa 22.3.6",
        "4.5 (Compatibility Profile) Mesa 22.3.6": "Mesa 22.3.6",
        "4.6.0 NVIDIA 580.159.04": "NVIDIA 580.159.04",
        "4.3.0 NVIDIA 580.159.04": "NVIDIA 580.159.04",
        "4.6.0 - Build 31.0.101.2111": "Build 31.0.101.2111",
        "4.6.0 Core Profile Context 22.20.27": "22.20.27",
        "4.3": "unknown",
    }.items():
        assert driver_of(Context(version)) == expected  # pyright: ignore[reportArgumentType]


class Interrupted:
    """A key whose hash a signal's handler interrupts once."""

    def __init__(self, number: int) -> None:
        self.number, self.hashes_left = number, -1

    def __hash__(self) -> int:
        self.hashes_left -= 1
        if self.hashes_left == 0:
            raise KeyboardInterrupt
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Interrupted) and self.number == other.number


@pytest.mark.parametrize("hashes", [1, 2, 3, 4])
def test_what_is_kept_survives_an_interrupt(ctx: moderngl.Context, hashes: int) -> None:
    state, keys = state_of(ctx), [Interrupted(number) for number in range(4)]

    def kept(number: int) -> moderngl.Buffer:
        return state.kept("test", keys[number], lambda: ctx.buffer(reserve=4 * number + 4), lambda of: len(of) > 2)

    try:
        kept(0)
        kept(1)
        for key in keys:
            key.hashes_left = hashes
        with contextlib.suppress(KeyboardInterrupt):
            kept(2)
        for key in keys:
            key.hashes_left = -1
        for number in (3, 0, 1, 2, 1):
            assert kept(number).size == 4 * number + 4
        assert len(state.caches["test"]) == 2
    finally:
        del state.caches["test"]
