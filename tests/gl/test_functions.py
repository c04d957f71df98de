"""Raw functions of the driver are found, and its errors are sentences."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import cast

import moderngl
import pytest
from support.sentences import assert_one_sentence, refused

from glfft.errors import ContextError
from glfft.gl.functions import check_errors, errors_checked, load_function


def test_the_private_loader_of_moderngl_is_where_it_was(ctx: moderngl.Context) -> None:
    # If this fails, moderngl has moved its function loader: see gl.load_function.
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
    with refused(ContextError, "glTeleport"):
        load_function(without, "glTeleport", None)


def raise_gl_error(ctx: moderngl.Context) -> None:
    load_function(ctx, "glEnable", None, ctypes.c_uint)(0xFFFF)


def test_a_block_tells_of_its_own_gl_errors_alone(ctx: moderngl.Context) -> None:
    raise_gl_error(ctx)
    with errors_checked(ctx, "doing nothing"):
        pass
    with pytest.raises(ContextError, match="GL_INVALID_ENUM while asking"), errors_checked(ctx, "asking"):
        raise_gl_error(ctx)
    assert ctx.error == "GL_NO_ERROR"


def test_gl_errors_become_sentences_and_are_gone(ctx: moderngl.Context) -> None:
    check_errors(ctx, "doing nothing")
    raise_gl_error(ctx)
    with refused(ContextError, match="GL_INVALID_ENUM while turning on the impossible"):
        check_errors(ctx, "turning on the impossible")
    check_errors(ctx, "doing nothing again")


def test_too_little_memory_says_what_to_do() -> None:
    class Full:
        error = "GL_OUT_OF_MEMORY"

    with refused(ContextError, match="not enough memory left for making textures; choose a smaller size"):
        check_errors(cast(moderngl.Context, Full()), "making textures")
