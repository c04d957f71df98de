"""Golden images are compared on llvmpipe only, so CI must run there: a skip would hide it."""

from __future__ import annotations

import os

import moderngl
import pytest


@pytest.mark.skipif("CI" not in os.environ, reason="says something about CI only")
def test_ci_runs_on_llvmpipe(ctx: moderngl.Context) -> None:
    assert "llvmpipe" in ctx.info["GL_RENDERER"]
