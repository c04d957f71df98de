"""Plans whose source and target are arrays: what they compute, and what goes over the host."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from support.cuda_driver import PretendDriver, content, torch_on
from support.gl_objects import assert_plans_leave_nothing, live_objects
from support.sentences import refused
from support.tolerances import DOUBLE_DB, TABLE_DB, snr_db

from glfft.algorithms.storage import STORAGES
from glfft.errors import DataError, OptionError
from glfft.plan import Plan

SHAPE: tuple[int, int] = (8, 12)
RNG = np.random.default_rng(9)


def _noise(*shape: int) -> Any:
    return RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)


@pytest.mark.parametrize("storage", [name for name, each in STORAGES.items() if each.dtype != "f2"])
@pytest.mark.parametrize("layers", [None, 3])
def test_arrays_are_transformed_there_and_back(
    give: Any, storage: str, layers: int | None, ctx: moderngl.Context
) -> None:
    double = STORAGES[storage].double
    pairs = (2,) if STORAGES[storage].paired else ()
    numbers = _noise(*(() if layers is None else (layers,)), *SHAPE, *pairs).astype("c16" if double else "c8")
    axes = (-3, -2) if pairs else (-2, -1)
    floor = DOUBLE_DB if double else TABLE_DB
    with Plan(ctx, SHAPE, storage=storage, layers=layers) as plan:
        source, spectrum, back = give(numbers), give(np.zeros_like(numbers)), give(np.zeros_like(numbers))
        plan.forward(source, spectrum)
        assert snr_db(content(spectrum), np.fft.fftn(numbers, axes=axes)) > floor
        plan.inverse(spectrum, back)
        assert snr_db(content(back), numbers) > floor
        assert np.array_equal(content(source), numbers)


@pytest.mark.parametrize("storage", ["rg32f", "buffer"])
def test_real_arrays_have_half_spectra(give: Any, storage: str, ctx: moderngl.Context) -> None:
    picture = RNG.standard_normal(SHAPE).astype("f4")
    half, back = give(np.zeros((8, 7), np.complex64)), give(np.zeros(SHAPE, np.float32))
    with Plan(ctx, SHAPE, storage=storage, real=True) as plan:
        plan.forward(give(picture), half)
        plan.inverse(half, back)
    assert snr_db(content(half), np.fft.rfft2(picture)) > TABLE_DB
    assert snr_db(content(back), picture) > TABLE_DB


def test_arrays_are_convolved(give: Any, ctx: moderngl.Context) -> None:
    numbers, doubled = _noise(*SHAPE).astype("c8"), give(np.zeros(SHAPE, np.complex64))
    twice = "value product(ivec3 at, value spectrum) { return 2.0 * spectrum; }"
    with Plan(ctx, SHAPE, multiply=twice) as plan:
        plan.convolve(give(numbers), doubled)
    assert snr_db(content(doubled), 2 * numbers) > TABLE_DB


def test_an_array_may_be_both_or_one_end_alone(give: Any, ctx: moderngl.Context) -> None:
    numbers = _noise(*SHAPE).astype("c8")
    array, texture = give(numbers), ctx.texture((12, 8), 2, dtype="f4")
    exact = np.fft.fft2(numbers)
    with Plan(ctx, SHAPE) as plan:
        plan.forward(array, texture, next_use="read")
        assert snr_db(np.frombuffer(texture.read(), "c8").reshape(SHAPE), exact) > TABLE_DB
        plan.inverse(texture, array)
        assert snr_db(content(array), numbers) > TABLE_DB
        plan.forward(array, array)
        assert snr_db(content(array), exact) > TABLE_DB
    texture.release()


def test_on_a_gpu_a_run_asks_for_two_copies_and_waits_for_none(
    ctx: moderngl.Context, driver: PretendDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    tensors = torch_on(7, monkeypatch)
    source, target = tensors(_noise(*SHAPE).astype("c8")), tensors(np.zeros(SHAPE, np.complex64))
    with Plan(ctx, SHAPE, storage="buffer") as plan:
        plan.forward(source, target)
        # What is registered stays so from run to run.
        assert len(driver.registered) == 2
        driver.calls.clear()
        plan.forward(source, target)
        copy = ["MapResources", "ResourceGetMappedPointer", "MemcpyDtoDAsync"]
        # The source is copied, the target is taken back from the run before, and copied after the transform.
        steps = [[*copy, "UnmapResources"], ["StreamWaitEvent", "UnmapResources"], [*copy, "EventRecord"]]
        assert driver.calls == [call for step in steps for call in ("CtxPushCurrent", *step, "CtxPopCurrent")]
        assert {*driver.events.values()} == {None, 7}
    assert driver.registered == {}


@pytest.mark.usefixtures("freed_by_glfft_alone")
@pytest.mark.parametrize("storage", ["rg32f", "buffer"])
@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_the_plans_images_are_freed_with_it(storage: str, ctx: moderngl.Context) -> None:
    numbers = _noise(*SHAPE).astype("c8")

    def run_once(_: int) -> None:
        with Plan(ctx, SHAPE, storage=storage) as plan:
            without_images = live_objects(ctx)
            plan.forward(numbers, numbers.copy())
            assert live_objects(ctx) != without_images

    assert_plans_leave_nothing(ctx, run_once, 4)


def test_arrays_that_do_not_suit_the_plan_are_one_sentence(ctx: moderngl.Context) -> None:
    numbers = _noise(*SHAPE).astype("c8")
    read_only = np.broadcast_to(numbers[:1], SHAPE)
    with Plan(ctx, SHAPE) as plan:
        for source, target in (
            (numbers.astype("c16"), numbers),
            (numbers.T, numbers),
            (numbers[:4], numbers),
            (numbers, numbers[:, :6].copy()),
            (numbers, read_only),
            (numbers, np.zeros(SHAPE, ">c8")),
        ):
            with refused(DataError):
                plan.forward(source, target)
        with pytest.raises(OptionError, match="next_use"):
            plan.forward(numbers, numbers.copy(), next_use="reading")
