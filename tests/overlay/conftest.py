"""What the tests of the overlay share."""

from __future__ import annotations

import pytest
from support.drawing import framebuffer as framebuffer
from support.drawing import profiler as profiler

from glfft.overlay import Overlay


@pytest.fixture
def overlay(ctx, profiler):
    with Overlay(ctx, profiler) as made:
        yield made
