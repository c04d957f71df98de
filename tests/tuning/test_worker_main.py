"""What a worker process compiles is what a plan needs."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import moderngl
import pytest
from support.paths import ROOT
from support.tuning import PATIENCE_SECONDS, specs, until

from glfft.algorithms.passes import PassSpec
from glfft.gl.context import state_of
from glfft.tuning.worker import Worker


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where a process started from here has its driver keep what it compiles."""
    (tmp_path / "cache").mkdir()
    monkeypatch.setenv("MESA_SHADER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("MESA_SHADER_CACHE_DISABLE", raising=False)
    monkeypatch.setenv("__GL_SHADER_DISK_CACHE", "1")
    monkeypatch.setenv("__GL_SHADER_DISK_CACHE_PATH", str(tmp_path / "cache"))
    return tmp_path / "cache"


def answer_to(worker: Worker, spec: PassSpec) -> None:
    """Have a pass compiled."""
    worker.ask(replace(spec))
    until(lambda: worker.answers() == [None] or worker.lost)
    assert not worker.lost


# Runs plans forward, in a process that finds in the cache what the worker has left there.
_RUNS = """
import ast, sys
sys.path[:0] = [sys.argv[1]]
from support import images
import glfft
ctx = glfft.open_context()
for options in ast.literal_eval(sys.argv[2]):
    with glfft.Plan(ctx, (4, 8), **options) as plan:
        images.run(plan, images.random_values(plan.request.storage, plan.shape, plan.request.layers))
"""
_PLANS: list[dict[str, Any]] = [
    {},
    {"layers": 2, "storage": "rgba16f"},
    {"storage": "buffer_pairs"},
    {"load": "uniform float gain;\nvalue load(ivec3 at) { return gain * read_source(at); }"},
]


def test_a_renderer_finds_in_its_cache_all_that_a_worker_has_compiled(ctx: moderngl.Context, cache: Path) -> None:
    if not re.search("llvmpipe|NVIDIA", str(ctx.info["GL_RENDERER"])):
        pytest.skip("it is not known where this driver keeps what it compiles")

    def size() -> int:
        return sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())

    worker = Worker(state_of(ctx).device)
    for spec in {spec.source.text: spec for options in _PLANS for spec in specs(ctx, (4, 8), **options)}.values():
        before = size()
        answer_to(worker, spec)
        assert size() > before, "nothing was compiled"
    # Mesa writes in a thread of its own: the end of the process is the end of that.
    process = worker._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    process.wait(PATIENCE_SECONDS)
    worker.release()
    before = size()
    subprocess.run([sys.executable, "-c", _RUNS, str(ROOT / "tests"), repr(_PLANS)], check=True)
    assert size() == before


def test_passes_of_real_plans_are_compiled_and_wrong_ones_are_survived(ctx: moderngl.Context) -> None:
    worker = Worker(state_of(ctx).device)
    (wrong, *_) = specs(ctx, (4, 8))
    answer_to(worker, replace(wrong, defines=(*wrong.defines, ("POINTS", "nonsense"))))
    for spec in specs(ctx, (4, 8), real=True):
        answer_to(worker, spec)
    worker.release()
