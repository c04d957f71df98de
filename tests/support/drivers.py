"""Faults of drivers that tests must not be blamed for; docs/devices.md tells of each."""

from __future__ import annotations

import moderngl
import pytest

from glfft.gl.context import state_of


def skip_where_uniforms_are_late(ctx: moderngl.Context) -> None:
    """Skip a test that runs a program again and again with the same uniforms, between runs of others."""
    device = state_of(ctx).device
    if device.renderer.startswith("zink") and device.driver.startswith("Mesa 22."):
        pytest.skip("zink of Mesa 22 runs a program with uniforms of an earlier run")
