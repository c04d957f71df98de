"""What a plan says of itself: its passes, radices and barriers."""

from __future__ import annotations

import math
import re

import moderngl
import pytest
from support.pictures import ALGORITHMS
from support.tuning import specs_of

import glfft
from glfft.algorithms.stockham.config import KernelConfig
from glfft.engine.explain import format_bytes
from glfft.wisdom import lookup
from glfft.wisdom.entries import Entry

SHAPE = (16, 64)

each_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)


def test_a_plan_names_its_layers_and_storage(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (16, 8), layers=3, storage="rgba16f") as plan:
        assert plan.explain().startswith("16 x 8 rgba16f, 3 layers, rows, then columns;")
        assert "layers=3, storage='rgba16f'" in repr(plan)


@each_algorithm
def test_explain_tells_of_every_pass(ctx: moderngl.Context, algorithm: str) -> None:
    with glfft.Plan(ctx, SHAPE, algorithm=algorithm, norm="ortho") as plan:
        text = plan.explain()
        passes = plan.dispatches
    assert f"algorithm {algorithm}, norm ortho, twiddles table" in text
    assert " x ".join(map(str, SHAPE)) in text
    for heading in ("radices", "threads", "shared", "barriers", "moved"):
        assert heading in text
    for section in text.split("\n\n")[1:]:
        assert re.match(rf"(forward|inverse): {passes} dispatch", section)
        # The radices of a direction's passes multiply up to its points: nothing is left out, nothing told twice.
        # Those of Bluestein's algorithm are of convolutions, which are twice as long.
        points = 1
        lines = "(?:parts of )?(?:rows|columns|rows and columns)"
        row = re.compile(rf"^ +(\d+)(?:-(\d+))? +\d+ {lines} +([\dx]+) ", re.M)
        for first, last, radices in row.findall(section):
            stages = int(last or first) - int(first) + 1
            for radix in radices.split("x"):
                points *= int(radix) ** stages
        assert points == math.prod(SHAPE) * (4 if algorithm == "bluestein" else 1)


def test_what_two_passes_have_alike_is_said_once(ctx: moderngl.Context) -> None:
    product = "value product(ivec3 at, value spectrum) { return spectrum; }"
    with glfft.Plan(ctx, (4, 16, 16), multiply=product, directions=["convolve"]) as plan:
        reasons = re.findall(r"^  [a-z ]+: .*$", plan.explain(), re.M)
    assert len(reasons) == len(set(reasons)) > 0


@pytest.mark.parametrize("image_loads", [False, True])
def test_explain_counts_the_barriers_of_a_run(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, image_loads: bool
) -> None:
    kernel = KernelConfig((4, 2), 2, image_loads=image_loads)
    monkeypatch.setattr(lookup, "known", lambda request, families: [(Entry.of(request, "stockham", kernel, 1.0), "")])
    issued = []
    texture = ctx.texture((8, 8), 2, dtype="f4")
    with glfft.Plan(ctx, (8, 8), algorithm="stockham") as plan:
        monkeypatch.setattr(moderngl.Context, "memory_barrier", lambda ctx, bits: issued.append(bits))
        plan.forward(texture, texture)
        assert f"forward: 2 dispatches, {len(issued)} memory barriers" in plan.explain()
    texture.release()


def test_the_memory_that_points_are_exchanged_through_is_told(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (96, 128)) as plan:
        told = plan.explain()
        for spec in specs_of(plan):
            held = f"{format_bytes(spec.slots.bytes)} buffer" if spec.slots else format_bytes(spec.shared_bytes)
            assert f"  {held}  " in told
