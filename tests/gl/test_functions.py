"""Raw functions of the driver, and what is said where there are none."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import cast

import moderngl
import pytest
from support.sentences import assert_one_sentence

from glfft.errors import ContextError
from glfft.gl.functions import load_function

pytestmark = pytest.mark.usefixtures("egl")


def test_the_private_loader_of_moderngl_is_where_it_was(ctx: moderngl.Context) -> None:
    # If this fails, moderngl has moved its function loader: see glfft.gl.functions.
    get_string = load_function(ctx, "glGetString", ctypes.c_char_p, ctypes.c_uint)
    assert get_string(0x1F01).decode() == ctx.info["GL_RENDERER"]


def test_a_moved_loader_is_a_sentence() -> None:
    moved = cast(moderngl.Context, SimpleNamespace(mglo=SimpleNamespace()))
    with pytest.raises(ContextError) as caught:
        load_function(moved, "glFlush", None)
    assert_one_sentence(str(caught.value).replace("5.12 or 5.13", ""))
    assert "moderngl" in str(caught.value)


def test_a_function_the_driver_lacks_is_a_sentence() -> None:
    loader = SimpleNamespace(load_opengl_function=lambda name: 0)
    without = cast(moderngl.Context, SimpleNamespace(mglo=SimpleNamespace(_context=loader)))
    with pytest.raises(ContextError) as caught:
        load_function(without, "glTeleport", None)
    assert_one_sentence(str(caught.value))
    assert "glTeleport" in str(caught.value)
