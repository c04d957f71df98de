"""A run writes its target and nothing else: guards beyond buffers, other mipmaps, and the source stay as they are."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from support.images import blank, ends, random_values, release, upload
from support.pictures import ALGORITHMS, PING_PONG

import glfft
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.engine.images import ImageSpec
from glfft.errors import GlfftError

# Beyond every buffer: more than a work group of any kernel could write.
GUARD = np.full(1 << 14, 0xA5, np.uint8).tobytes()

# Lines that leave a part of a work group without work, and those of every kind of pass.
PLANS: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {
    "few lines": ((3, 16), {}),
    "odd": ((5, 9), {"layers": 3}),
    "pairs": ((5, 6), {"storage": "buffer_pairs", "layers": 2}),
    "double": ((3, 6), {"storage": "buffer_double"}),
    "bluestein": ((3, 7), {"algorithm": "bluestein"}),
    "real": ((3, 6), {"real": True}),
    "real, odd": ((4, 9), {"real": True, "layers": 3}),
    "cosines": ((3, 7), {"kind": "dct2"}),
    "volume": ((3, 5, 6), {}),
    "one axis": ((5, 12), {"axes": (0,)}),
}


def guarded(ctx: moderngl.Context, image: moderngl.Buffer) -> tuple[moderngl.Buffer, int]:
    """A buffer with the same content and a guard behind it, and where the guard begins."""
    content = image.read()
    image.release()
    return ctx.buffer(content + GUARD), len(content)


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> list[tuple[moderngl.Buffer, int]]:
    """The scratch buffers that plans make, each with a guard, and where that begins."""
    made: list[tuple[moderngl.Buffer, int]] = []
    make = ImageSpec.make

    def made_with_guard(self: ImageSpec) -> Any:
        image = make(self)
        if isinstance(image, moderngl.Buffer):
            made.append(guarded(image.ctx, image))
            return made[-1][0]
        return image

    monkeypatch.setattr(ImageSpec, "make", made_with_guard)
    return made


def assert_guards_hold(ctx: moderngl.Context, plan: glfft.Plan, scratch: list[tuple[moderngl.Buffer, int]]) -> None:
    """Fail unless runs of a plan on buffers leave what lies behind the images, and the source, as they were."""
    layers = plan.request.layers
    for direction in ("forward", "inverse"):
        (source_storage, source_shape), (target_storage, target_shape) = ends(plan, direction)
        values = random_values(source_storage, source_shape, layers)
        source, end_of_source = guarded(ctx, upload(ctx, values, source_storage, layers))
        target, end_of_target = guarded(ctx, blank(ctx, target_shape, target_storage, layers))
        before = source.read()
        getattr(plan, direction)(source, target, next_use="read")
        assert source.read() == before
        written = target.read()
        assert written[end_of_target:] == GUARD
        assert np.isfinite(np.frombuffer(written[:end_of_target], target_storage.dtype)).all()
        for buffer, end in scratch:
            assert buffer.read()[end:] == GUARD
        if source_shape == target_shape and source_storage == target_storage:
            getattr(plan, direction)(source, source, next_use="read")
            assert source.read()[end_of_source:] == GUARD
        release(source, target)


@pytest.mark.parametrize("fetches", [False, True])
@pytest.mark.parametrize("name", PLANS)
def test_nothing_is_written_behind_buffers(
    ctx: moderngl.Context,
    name: str,
    fetches: bool,
    scratch: list[tuple[moderngl.Buffer, int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not fetches:
        monkeypatch.setattr(PassSpec, "fetches_buffer", False)
    shape, options = PLANS[name]
    with glfft.Plan(ctx, shape, **{"storage": "buffer", **options}) as plan:
        assert_guards_hold(ctx, plan, scratch)


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name not in PING_PONG])
def test_nor_by_any_algorithm(
    ctx: moderngl.Context, algorithm: str, scratch: list[tuple[moderngl.Buffer, int]]
) -> None:
    try:
        plan = glfft.Plan(ctx, (4, 8), storage="buffer", algorithm=algorithm)
    except GlfftError as error:
        pytest.skip(f"{algorithm} works on no buffers of this shape: {error}")
    with plan:
        assert_guards_hold(ctx, plan, scratch)


@pytest.mark.parametrize(
    ("algorithm", "layers"),
    [*((algorithm, None) for algorithm in ALGORITHMS), ("auto", 2), ("natural-order-stages", 2), (PING_PONG[0], 2)],
)
def test_other_mipmaps_and_the_source_stay(ctx: moderngl.Context, algorithm: str, layers: int | None) -> None:
    storage = STORAGES["rg32f"]
    source = upload(ctx, random_values(storage, (4, 8), layers), storage, layers)
    target = upload(ctx, random_values(storage, (4, 8), layers, seed=1), storage, layers)
    target.build_mipmaps()
    before = source.read()
    # moderngl reads the mipmaps of textures, and of arrays the first level alone.
    levels = [] if layers else [target.read(level=level) for level in (1, 2)]
    with glfft.Plan(ctx, (4, 8), algorithm=algorithm, layers=layers) as plan:
        for run in (plan.forward, plan.inverse):
            run(source, target, next_use="read")
    assert source.read() == before
    if not layers:
        assert [target.read(level=level) for level in (1, 2)] == levels
    release(source, target)
