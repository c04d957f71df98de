"""The check of kernels tells right results from wrong ones, and leaves nothing behind."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import pytest
from support.gl_objects import live_objects
from support.tuning import assert_fingerprints_tell, lines_of

from glfft.algorithms.passes import Choice
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.storage import STORAGES, Storage
from glfft.engine.images import ImageSpec
from glfft.gl.context import state_of
from glfft.gl.releasable import release_all
from glfft.tuning.workbench import Workbench, tunable
from glfft.wisdom import lookup


@pytest.mark.parametrize("storage", [each for each in STORAGES.values() if not each.double], ids=lambda each: each.name)
def test_fingerprints_tell_right_from_wrong(ctx: moderngl.Context, storage: Storage) -> None:
    """`test_workbench_double.py` has float64."""
    assert_fingerprints_tell(ctx, storage)


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_a_bench_leaves_nothing(ctx: moderngl.Context) -> None:
    wanted = replace(lines_of(16), device=state_of(ctx).device)
    Workbench(ctx, wanted).release()
    state_of(ctx).release_dropped()
    before = live_objects(ctx)
    Workbench(ctx, wanted).release()
    assert live_objects(ctx) == before
    Workbench(ctx, wanted)
    state_of(ctx).release_dropped()
    assert live_objects(ctx) == before


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("storage", ["rgba32f", "buffer"])
def test_real_lines_are_measured_as_such(ctx: moderngl.Context, storage: str, pairs: bool) -> None:
    wanted = replace(lines_of(18, storage, lines=41), real=True, real_pairs=pairs, device=state_of(ctx).device)
    bench = Workbench(ctx, replace(wanted, direction=1, scale=0.25))
    ends = ((41, 18), STORAGES[storage].of_reals), ((41, 10), STORAGES[storage])
    like = [ImageSpec(ctx, shape, None, kept).make() for shape, kept in ends]
    assert (bench._source.size, bench._target.size) == tuple(image.size for image in like)
    release_all(like)
    sums = []
    for radices, scale in (((2, 9), 1.0), ((6, 3), 1.0), ((6, 3), 1.05)):
        bench.request = replace(wanted, scale=scale)
        for _ in bench.check(bench.compile(Choice("stockham", KernelConfig(radices, 3, lines=2)))):
            pass
        sums.append(bench.fingerprint())
    assert bench.same(sums[1], sums[0])
    assert not bench.same(sums[2], sums[0])
    bench.release()


def test_both_directions_share_a_search() -> None:
    wanted = lines_of(64)
    back = replace(wanted, direction=1, scale=0.25)
    specs = [lookup.passes(each)[0] for each in (wanted, back, replace(wanted, axis=0))]
    assert tunable(specs) == [wanted.plain, replace(wanted, axis=0).plain]
    real = replace(wanted, real=True)
    assert tunable(lookup.passes(real)) == [real]
