"""What the tests of profiling share."""

from __future__ import annotations

import pytest

from glfft.profiling.profiler import Profiler


@pytest.fixture
def profiler(ctx):
    with Profiler(ctx, history=16) as made:
        yield made
