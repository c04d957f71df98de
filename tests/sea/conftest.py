"""A simulation of the sea that several tests look at."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest
from support.ocean import SEA

from glfft.sea.simulation import OceanSimulation


@pytest.fixture
def simulation(ctx: moderngl.Context) -> Iterator[OceanSimulation]:
    with OceanSimulation(ctx, SEA) as made:
        yield made
