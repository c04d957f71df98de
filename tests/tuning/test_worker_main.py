"""What a worker process compiles is what a plan needs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import moderngl
import pytest
from support.paths import ROOT
from support.tuning import PATIENCE_SECONDS, specs, until

from glfft.tuning.precompile import RemotePrecompiler
from glfft.tuning.worker import Worker
from glfft.tuning.worker_main import Device, PrecompileJob


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where a process started from here has Mesa keep what it compiles."""
    monkeypatch.setenv("MESA_SHADER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("MESA_SHADER_CACHE_DISABLE", raising=False)
    return tmp_path / "cache"


# Runs a plan forward, in a process that finds in the cache what the worker has left there.
_RUNS = """
import ast, sys
sys.path[:0] = [sys.argv[1]]
from support import images
import glfft
with glfft.Plan(glfft.open_context(), (16, 16), **ast.literal_eval(sys.argv[2])) as plan:
    images.run(plan, images.random_values(plan.request.storage, plan.shape, plan.request.layers))
"""


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"layers": 2, "storage": "rgba16f"},
        {"storage": "buffer4"},
        {"load": "uniform float gain;\nvalue load(ivec3 at) { return gain * read_source(at); }"},
    ],
)
def test_a_renderer_finds_in_its_cache_all_that_was_compiled_elsewhere(
    ctx: moderngl.Context, cache: Path, options: dict[str, Any]
) -> None:
    if "llvmpipe" not in str(ctx.info["GL_RENDERER"]):
        pytest.skip("it is llvmpipe's cache that is looked into")

    def size() -> int:
        return sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())

    compiler = RemotePrecompiler(ctx, PrecompileJob(Device.of(ctx)))
    for spec in specs(ctx, (16, 16), **options):
        before = size()
        compiler.begin(spec)
        until(compiler.ready)
        assert compiler._worker is not None
        assert not compiler._worker.lost
        assert size() > before, "nothing was compiled"
    # Mesa writes in a thread of its own: the end of the process is the end of that.
    assert compiler._worker is not None
    process = compiler._worker._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    process.wait(PATIENCE_SECONDS)
    compiler.release()
    before = size()
    here = str(ROOT / "tests")
    subprocess.run([sys.executable, "-c", _RUNS, here, repr(options)], check=True)
    assert size() == before


def test_a_pass_of_a_real_plan_is_compiled_elsewhere(ctx: moderngl.Context) -> None:
    worker = Worker(PrecompileJob(Device.of(ctx)))
    for spec in specs(ctx, (16, 16), real=True):
        worker.ask(replace(spec))
        until(lambda: worker.answers() == [None] or worker.lost)
        assert not worker.lost
    worker.release()
