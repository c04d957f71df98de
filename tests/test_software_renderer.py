"""Golden images are compared on llvmpipe only, so CI must run there: a skip would hide it. So would a driver that falls
back to another one."""

from __future__ import annotations

import os

import moderngl
import pytest


@pytest.mark.skipif("MESA_LOADER_DRIVER_OVERRIDE" not in os.environ, reason="no other driver is asked for")
def test_the_driver_is_the_one_asked_for(ctx: moderngl.Context) -> None:
    assert ctx.info["GL_RENDERER"].startswith(os.environ["MESA_LOADER_DRIVER_OVERRIDE"])


@pytest.mark.skipif("CI" not in os.environ, reason="says something about CI only")
def test_ci_runs_on_llvmpipe(ctx: moderngl.Context) -> None:
    assert "llvmpipe" in ctx.info["GL_RENDERER"]
