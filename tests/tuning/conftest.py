"""Tests of tuning keep what they measure in a file of their own, and may pretend to run on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.tuning import CompilesNothing, PretendGpu

from glfft.engine.compiled_pass import CompiledPass
from glfft.tuning import measure, precompile
from glfft.tuning import tuner as tuner_module
from glfft.tuning.workbench import Workbench


@pytest.fixture(autouse=True)
def _every_test_has_a_file_of_wisdom(file: Path) -> None:
    pass


@pytest.fixture
def with_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on other devices than NVIDIA's, whose driver would find nothing of what it has compiled."""
    monkeypatch.setattr(precompile, "is_nvidias", lambda ctx: False)


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> Callable[[PretendGpu], PretendGpu]:
    """Puts a pretended GPU in the place of the context's queue."""

    def install(gpu: PretendGpu) -> PretendGpu:
        run = Workbench.run

        def run_and_count(bench: Workbench, each: CompiledPass) -> None:
            gpu.call(each.spec.radices)
            run(bench, each)

        monkeypatch.setattr(Workbench, "run", run_and_count)
        monkeypatch.setattr(tuner_module, "is_software", lambda ctx: True)
        monkeypatch.setattr(tuner_module, "Precompiler", CompilesNothing)
        monkeypatch.setattr(measure, "is_software", lambda ctx: False)
        monkeypatch.setattr(measure, "GlQueue", gpu)
        return gpu

    return install
