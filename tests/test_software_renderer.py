"""Golden images are compared on llvmpipe only, so CI must run there: a skip would hide it. So would a driver that falls
back to another one."""

from __future__ import annotations

import os

import moderngl


def test_the_driver_is_the_one_asked_for(ctx: moderngl.Context) -> None:
    assert ctx.info["GL_RENDERER"].startswith(os.environ.get("MESA_LOADER_DRIVER_OVERRIDE", ""))


def test_ci_runs_on_llvmpipe(ctx: moderngl.Context) -> None:
    assert "llvmpipe" in ctx.info["GL_RENDERER"] or "CI" not in os.environ
