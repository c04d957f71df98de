"""What tests of spectra share."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from glfft.apps.spectrum.retouching import Retoucher


@pytest.fixture
def retoucher(ctx: moderngl.Context) -> Iterator[Retoucher]:
    with Retoucher(ctx) as made:
        yield made
