"""What tests of chapters share."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from glfft.apps.papers.measuring import Run


@pytest.fixture
def run(ctx: moderngl.Context) -> Iterator[Run]:
    with Run(ctx, 5) as made:
        yield made


@pytest.fixture
def quick_run(ctx: moderngl.Context) -> Iterator[Run]:
    with Run(ctx, 5, quick=True) as made:
        yield made
