"""Sources and targets that hold a region: numpy's transform of the padded picture, cut to the target."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
import scipy.fft
from support import images
from support.images import random_values, run
from support.kernels import restrict_device
from support.pictures import OF_EACH_END, blank, download, upload
from support.sentences import refused
from support.tolerances import COMPOSED_DB, TABLE_DB, assert_close, floor_of

import glfft
from glfft.algorithms.regions import BOUNDARIES, Region
from glfft.algorithms.stockham import bluestein, choose
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.request import DIRECTION_NAMES
from glfft.errors import OptionError, TextureError

Slices = tuple[slice, ...]

PAD: dict[str, Any] = {"zero": "constant", "wrap": "wrap", "mirror": "symmetric", "edge": "edge"}
# A product that reaches every point of the result, and no two places of a spectrum share.
SCATTER = """
value product(ivec3 at, value spectrum) {
    int real = (at.x * (at.x + 1) + 2 * at.y * at.y + 3 * at.z) % 7;
    int imaginary = (at.x * at.y + 3 * at.x + at.y + at.z * at.z) % 5;
    return multiply(spectrum, vec2(float(real - 3), float(imaginary - 2)));
}
"""
NUMBERS = {name: number for number, name in DIRECTION_NAMES.items()}


def scatter(shape: Sequence[int]) -> npt.NDArray[np.complex128]:
    """What SCATTER multiplies a spectrum by."""
    z, y, x = np.indices((*(1,) * (3 - len(shape)), *shape))
    factor = (x * (x + 1) + 2 * y * y + 3 * z) % 7 - 3 + 1j * ((x * y + 3 * x + y + z * z) % 5 - 2)
    return factor.reshape(shape)


def slices_of(region: Region) -> Slices:
    return tuple(slice(first, first + count) for first, count in zip(region.first, region.shape, strict=True))


def random_slices(random: np.random.Generator, shape: Sequence[int]) -> Slices:
    ends = [sorted(random.choice(length + 1, 2, replace=False).tolist()) for length in shape]
    return tuple(slice(first, end) for first, end in ends)


def exact(plan: glfft.Plan, values: npt.NDArray[Any], direction: str) -> npt.NDArray[Any]:
    """numpy's whole result, of [layers, halves, ...] in the plan's source region."""
    request = plan.request
    source, _ = request.regions(NUMBERS[direction])
    whole = request.spectrum_shape if direction == "inverse" else request.shape
    lengths = zip(source.first, whole, source.shape, strict=True)
    around = [(0, 0), (0, 0), *((first, length - first - count) for first, length, count in lengths)]
    padded = np.pad(
        values.astype(np.complex128 if np.iscomplexobj(values) else np.float64), around, PAD[request.boundary]
    )
    axes = [axis - len(request.shape) for axis in sorted(request.axes)]
    if request.kind is not None:
        kind = request.kind
        transform = {"c": (scipy.fft.dctn, scipy.fft.idctn), "s": (scipy.fft.dstn, scipy.fft.idstn)}[kind.name[1]]
        return transform[direction == "inverse"](padded, kind.type, axes=axes)
    there: Any = np.fft.rfftn if request.real else np.fft.fftn
    if direction == "forward":
        return there(padded, axes=axes)
    spectrum = padded if direction == "inverse" else there(padded, axes=axes) * scatter(request.spectrum_shape)
    if request.real:
        return np.fft.irfftn(spectrum, [request.shape[axis] for axis in sorted(request.axes)], axes)
    return np.fft.ifftn(spectrum, axes=axes)


def convolve_and(turn: int) -> tuple[str, str]:
    """A convolution, which has passes of both directions, and one of these alone in turn: each is more programs."""
    return "convolve", ("forward", "inverse")[turn % 2]


def assert_is_numpys(plan: glfft.Plan, directions: Sequence[str], seed: int = 0, loss: float = 0.0) -> None:
    """Fail unless every direction gives numpy's result, all of the target written, but for a loss in dB."""
    for direction in directions:
        (storage, shape), (target_storage, target_shape) = images.ends(plan, direction)
        values = random_values(storage, shape, plan.request.layers, seed)
        result = run(plan, values, direction)
        _, target = plan.request.regions(NUMBERS[direction])
        whole = exact(plan, values, direction)
        cut = (..., *slices_of(target))
        assert result.shape[2:] == target_shape
        assert not np.isnan(result).any()
        # Errors are of the size of the whole result's: a region may have little of it.
        found = whole.copy()
        found[cut] = result
        share = np.sqrt(np.prod(target.shape) / np.prod(whole.shape[2:]))
        single = COMPOSED_DB if direction == "convolve" else TABLE_DB - 3.0
        floor = floor_of(target_storage, 6, single) - loss
        assert_close(found, whole, floor - 20 * np.log10(share) if target_storage.dtype == "f4" else floor)


@pytest.mark.parametrize("seed", range(12))
def test_any_region_of_pictures_of_any_size(ctx: moderngl.Context, seed: int) -> None:
    random = np.random.default_rng(seed)
    shape = tuple(random.choice([5, 8, 9, 12, 17], 2).tolist())
    axes = [(0, 1), (0, 1), (0,), (1,)][seed % 4]
    source = random_slices(random, shape) if seed % 5 else None
    target = random_slices(random, shape) if seed % 7 else None
    boundary = BOUNDARIES[seed // 3] if source else "zero"
    options: dict[str, Any] = {"source_region": source, "target_region": target, "boundary": boundary}
    # Either direction meets each of the axes and of the boundaries.
    ways = convolve_and(seed + seed // 4)
    with glfft.Plan(ctx, shape, axes=axes, multiply=SCATTER, directions=ways, **options) as plan:
        assert_is_numpys(plan, ways, seed)


@pytest.mark.parametrize("algorithm", OF_EACH_END)
def test_every_algorithm(ctx: moderngl.Context, algorithm: str) -> None:
    options: dict[str, Any] = {"source_region": np.s_[1:6, 2:5], "target_region": np.s_[2:7, 3:8]}
    ways = convolve_and(OF_EACH_END.index(algorithm))
    with glfft.Plan(ctx, (8, 8), algorithm=algorithm, multiply=SCATTER, directions=ways, **options) as plan:
        assert_is_numpys(plan, ways)


def test_snippets_are_asked_for_points_of_the_regions_only(ctx: moderngl.Context) -> None:
    shape, source, target = (16, 24), np.s_[3:12, 5:17], np.s_[2:9, 1:20]
    picture = np.full(shape, complex(np.nan, np.nan), np.complex64)
    picture[source] = random_complex((9, 12), 1)
    guard = np.full(shape, 7 + 7j, np.complex64)
    load = "uniform sampler2D around; value load(ivec3 at) { return texelFetch(around, at.xy, 0).xy; }"
    store = """
layout(rg32f) writeonly uniform image2D kept;
void store(ivec3 at, value result) { imageStore(kept, at.xy, vec4(result, 0.0, 0.0)); }
"""
    around, kept = upload(ctx, picture), upload(ctx, guard)
    regions: dict[str, Any] = {"source_region": source, "target_region": target}
    with glfft.Plan(ctx, shape, load=load, store=store, **regions) as plan:
        plan.set_uniforms(around=around, kept=kept)
        plan.forward(None, None, next_use="read")
        result = download(kept).copy()
    guard[target] = np.fft.fft2(np.nan_to_num(picture))[target]
    assert_close(result[target], guard[target], COMPOSED_DB)
    result[target] = guard[target]
    assert np.array_equal(result, guard)


def test_snippets_read_and_write_by_places_of_the_transform(ctx: moderngl.Context) -> None:
    shape, source, target = (16, 24), np.s_[3:12, 5:17], np.s_[2:9, 1:20]
    values = random_complex((9, 12), 2)
    load = "value load(ivec3 at) { return 0.5 * float(at.x) * (read_source(at) + read_source(at + ivec3(1, -1, 0))); }"
    store = "void store(ivec3 at, value result) { write_target(at, float(at.y) * result); }"
    whole = np.zeros((18, 25), np.complex128)
    whole[4:13, 5:17] = values  # one row above the transform, and one column after it
    columns, rows = np.arange(24), np.arange(16)[:, np.newaxis]
    summed = np.zeros(shape, np.complex128)
    summed[source] = (0.5 * columns * (whole[1:17, :24] + whole[0:16, 1:25]))[source]
    regions: dict[str, Any] = {"source_region": source, "target_region": target}
    with glfft.Plan(ctx, shape, load=load, store=store, **regions) as plan:
        picture, result = upload(ctx, values), blank(ctx, (7, 19))
        plan.forward(picture, result, next_use="read")
        assert_close(download(result), (rows * np.fft.fft2(summed))[target], COMPOSED_DB)


@pytest.mark.parametrize("storage", ["rg32f", "buffer"])
@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_snippets_may_go_beyond_regions_that_are_whole(ctx: moderngl.Context, boundary: str, storage: str) -> None:
    values = random_complex((8, 12), 6)
    load = "value load(ivec3 at) { return read_source(at) + read_source(at + ivec3(1, -1, 0)); }"
    store = "void store(ivec3 at, value result) { write_target(at + ivec3(1, 0, 0), result); }"
    around = np.pad(values, 1, mode=PAD[boundary])
    regions: dict[str, Any] = {"source_region": np.s_[:, :], "target_region": np.s_[0:8, 0:12], "boundary": boundary}
    with glfft.Plan(ctx, (8, 12), storage=storage, load=load, store=store, **regions) as plan:
        result = run(plan, values[np.newaxis, np.newaxis])[0, 0]
    # Nothing is stored in the first column: what goes beyond the last one is in no next row.
    assert np.isnan(result[:, 0]).all()
    assert_close(result[:, 1:], np.fft.fft2(values + around[:8, 2:])[:, :-1], COMPOSED_DB)


def test_nothing_is_stored_after_the_end_of_a_buffers_region(ctx: moderngl.Context) -> None:
    values = random_complex((5, 7), 3).astype(np.complex64)
    source = ctx.buffer(np.concatenate([values.ravel(), np.full(400, np.nan)]).astype(np.complex64).tobytes())
    target = ctx.buffer(np.full(400, 7 + 7j, np.complex64).tobytes())
    regions: dict[str, Any] = {"source_region": np.s_[1:6, 2:9], "target_region": np.s_[3:12, 1:9]}
    with glfft.Plan(ctx, (12, 16), storage="buffer", **regions) as plan:
        plan.forward(source, target, next_use="read")
    result = np.frombuffer(target.read(), np.complex64)
    padded = np.zeros((12, 16), np.complex128)
    padded[1:6, 2:9] = values
    assert_close(result[:72].reshape(9, 8), np.fft.fft2(padded)[3:12, 1:9], COMPOSED_DB)
    assert (result[72:] == 7 + 7j).all()


def test_in_place_between_regions_of_a_size(ctx: moderngl.Context) -> None:
    source, target = np.s_[3:10, 2:7], np.s_[5:12, 1:6]
    values = random_complex((7, 5), 4)
    with glfft.Plan(ctx, (16, 16), source_region=source, target_region=target) as plan:
        for transform in (plan.forward, plan.inverse):
            same, other, picture = upload(ctx, values), blank(ctx, (7, 5)), upload(ctx, values)
            transform(same, same, next_use="read")
            transform(picture, other, next_use="read")
            assert np.array_equal(download(same), download(other))
    with glfft.Plan(ctx, (16, 16), axes=(1,), source_region=source, target_region=source) as plan:
        picture = upload(ctx, values)
        plan.forward(picture, picture, next_use="read")
        padded = np.zeros((16, 16), np.complex128)
        padded[source] = values
        assert_close(download(picture), np.fft.fft(padded)[source], COMPOSED_DB)


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({"axes": (1,), "source_region": np.s_[3:10, 2:7], "target_region": np.s_[5:12, 2:7]}, (5, 7)),
        ({"source_region": np.s_[3:10, 2:7], "storage": "buffer"}, None),
    ],
    ids=["one pass", "another size"],
)
def test_what_would_read_what_it_has_stored_is_refused(ctx: moderngl.Context, options: Any, size: Any) -> None:
    with glfft.Plan(ctx, (16, 16), **options) as plan:
        picture = ctx.buffer(reserve=8 * 256) if size is None else ctx.texture(size, 2, dtype="f4")
        with refused(TextureError, match="in place"):
            plan.forward(picture, picture)


def test_images_of_the_transforms_size_are_refused(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (16, 16), source_region=np.s_[3:10, 2:7], target_region=np.s_[0:4, 0:16]) as plan:
        good, whole = (blank(ctx, (7, 5)), blank(ctx, (4, 16))), blank(ctx, (16, 16))
        for arguments, needed in (((whole, good[1]), "5 x 7"), ((good[0], whole), "16 x 4")):
            with refused(TextureError, match=needed):
                plan.forward(*arguments)


def test_lines_of_zeros_and_lines_nobody_asks_for_are_left_out(ctx: moderngl.Context) -> None:
    regions: dict[str, Any] = {"source_region": np.s_[10:18, 0:64], "target_region": np.s_[0:64, 16:32]}
    lines: dict[str, Any] = {"shape": (64, 64), "algorithm": "stockham"}
    with glfft.Plan(ctx, **lines, multiply=SCATTER, **regions) as plan, glfft.Plan(ctx, **lines) as whole:
        passes = {name: plan._pipelines[number].passes for name, number in NUMBERS.items()}
        assert [each.spec.request.lines for each in passes["forward"]] == [8, 16]
        assert [each.spec.request.lines for each in passes["convolve"]] == [8, 64, 64]
        groups = [each.spec.bindings.groups[0] for each in passes["forward"]]
        unpruned = [each.spec.bindings.groups[0] for each in whole._pipelines[NUMBERS["forward"]].passes]
        assert groups == [-(-unpruned[0] * 8 // 64), -(-unpruned[1] * 16 // 64)]
        assert sum(groups) < sum(unpruned)
        # 8 rows of 64 in, 8 rows of 16 between, 64 rows of 16 out.
        assert plan.bytes_moved == 8 * (8 * 64 + 8 * 16 + 8 * 16 + 64 * 16)
        text = plan.explain()
    for wanted, columns in ((np.s_[0:64, 16:32], 16), (np.s_[0:64, 4:12], 4), (np.s_[0:64, 40:44], 0)):
        regions = {"source_region": np.s_[0:64, 8:32], "target_region": wanted}
        with glfft.Plan(ctx, (64, 64), axes=(0,), **regions) as plan:
            written = wanted[1].stop - wanted[1].start
            assert plan.bytes_moved == 8 * 64 * (columns + written)
    assert "reads 8 x 64 points from (10, 0), zero outside; writes 64 x 16 points from (0, 16)" in text
    assert "pruned: 24 of 128 lines are transformed, 14 KiB of 128 KiB moved" in text
    assert "pruned" not in whole.explain()


def test_pruning_is_compared_with_passes_that_store_alike(ctx: moderngl.Context) -> None:
    # On a CPU, buffers between passes hold float32 in place of half floats, with regions and without.
    parts: dict[str, Any] = {"source_region": np.s_[0:64, 0:63], "target_region": np.s_[0:64, 0:63]}
    with glfft.Plan(ctx, (64, 64), storage="rg16f", directions=["forward"], **parts) as plan:
        found = re.search(r", ([\d.]+) KiB of ([\d.]+) KiB moved", plan.explain())
    assert found is not None
    moved, all_moved = map(float, found.groups())
    assert 0.95 * all_moved < moved < all_moved


def test_algorithms_for_study_have_no_regions(ctx: moderngl.Context) -> None:
    for name in glfft.algorithm_names(study=True):
        with refused(OptionError):
            glfft.Plan(ctx, (16, 16), algorithm=name, source_region=np.s_[3:10, 2:7])


# Real pictures in turn: textures and buffers have both.
@pytest.mark.parametrize(("storage", "real"), [(name, index % 2 == 1) for index, name in enumerate(STORAGES)])
def test_every_storage_and_layers(ctx: moderngl.Context, storage: str, real: bool) -> None:
    options: dict[str, Any] = {"source_region": np.s_[1:5, 2:7], "target_region": np.s_[2:7, 3:9]}
    options["directions"] = ways = convolve_and(list(STORAGES).index(storage) // 2)
    with glfft.Plan(
        ctx, (8, 10), storage=storage, layers=3, real=real, boundary="mirror", multiply=SCATTER_2D, **options
    ) as plan:
        assert_is_numpys(plan, ways)


def test_real_rows_of_any_length_go_in_pairs(ctx: moderngl.Context) -> None:
    regions: dict[str, Any] = {"source_region": np.s_[1:6, 2:13], "target_region": np.s_[0:5, 3:12]}
    options: dict[str, Any] = {"real": True, "algorithm": "bluestein", "multiply": SCATTER_2D}
    with glfft.Plan(ctx, (6, 17), layers=2, boundary="wrap", **regions, **options) as plan:
        assert_is_numpys(plan, ("forward", "inverse", "convolve"), loss=10.0)


# Kernels have one more case: some of their registers hold no point of a region.
@pytest.mark.parametrize(
    ("algorithm", "length", "loss", "cases"), [("bluestein", 22, 10.0, 2), ("stockham", 64, 0.0, 3)]
)
def test_real_rows_of_one_axis_go_each_as_a_complex_one(
    ctx: moderngl.Context, algorithm: str, length: int, loss: float, cases: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose, "halves_pay", lambda *_: True)  # on any device
    options: dict[str, Any] = {"real": True, "algorithm": algorithm, "multiply": SCATTER_2D, "layers": 2}
    regions = (("wrap", (2, 3)), ("zero", (length - 15, 3)), ("zero", (5, length - 10)))
    for boundary, (source, target) in regions[:cases]:
        options |= {"source_region": np.s_[1:6, source : source + 11], "target_region": np.s_[0:5, target : target + 9]}
        with glfft.Plan(ctx, (6, length), axes=(1,), boundary=boundary, **options) as plan:
            assert "each goes as a complex one" in plan.explain()
            assert_is_numpys(plan, ("forward", "inverse", "convolve"), loss=loss)


def test_real_rows_of_pictures_go_each_as_a_complex_one(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    for choice in ("halves_pay", "pairs_take_longer"):
        monkeypatch.setattr(choose, choice, lambda *_: True)  # on any device
    options: dict[str, Any] = {"real": True, "algorithm": "stockham", "multiply": SCATTER_2D, "layers": 2}
    for boundary, source, target in (("wrap", 2, 3), ("zero", 1, 15), ("mirror", 9, 4), ("edge", 4, 0)):
        options |= {"source_region": np.s_[1:6, source : source + 7], "target_region": np.s_[0:5, target : target + 9]}
        with glfft.Plan(ctx, (7, 24), boundary=boundary, **options) as plan:
            assert "each goes as a complex one" in plan.explain()
            assert_is_numpys(plan, ("forward", "inverse", "convolve"))


# The third number of a place is a layer.
SCATTER_2D = SCATTER.replace("at.z", "0")
# It is a plane of a layer.
SCATTER_IN_VOLUMES = SCATTER.replace("at.z", "(at.z % DEPTH)")


@pytest.mark.parametrize("seed", range(8))
def test_volumes(ctx: moderngl.Context, seed: int) -> None:
    random = np.random.default_rng(seed)
    shape = tuple(random.choice([3, 4, 5, 6], 3).tolist())
    axes = [(0, 1, 2), (0, 1, 2), (1, 2), (0, 2), (1,)][seed % 5]
    storage, layers = [("rg32f", None), ("buffer", 2), ("buffer_pairs", None)][seed % 3]
    regions: dict[str, Any] = {name: random_slices(random, shape) for name in ("source_region", "target_region")}
    with glfft.Plan(
        ctx,
        shape,
        axes=axes,
        storage=storage,
        layers=layers,
        real=seed % 4 > 1,
        boundary=BOUNDARIES[seed % 4],
        multiply=SCATTER if layers is None else SCATTER_IN_VOLUMES.replace("DEPTH", str(shape[0])),
        directions=convolve_and(seed // 4),
        **regions,
    ) as plan:
        assert_is_numpys(plan, convolve_and(seed // 4), seed)


def test_a_program_for_all_axes_knows_how_many_lines_lie_side_by_side(ctx: moderngl.Context) -> None:
    options: dict[str, Any] = {"source_region": np.s_[1:3, 1:4, 2:6], "target_region": np.s_[0:3, 2:4, 1:6]}
    with glfft.Plan(ctx, (3, 4, 6), algorithm="any-radix-stages", directions="forward", **options) as plan:
        assert_is_numpys(plan, ("forward",))


# Each kind in pictures both ways, and in volumes or by one pass an axis in turn, one way in turn.
@pytest.mark.parametrize(
    ("kind", "algorithm", "shape", "ways"),
    [
        (kind, *of_kind)
        for index, kind in enumerate(["dct1", "dct2", "dct4", "dst1", "dst3"])
        for of_kind in (
            ("auto", (9, 10), ("forward", "inverse")),
            (
                *(("cooley-tukey", (16, 16)), ("auto", (4, 5, 6)))[index % 2],
                (("forward", "inverse")[index // 2 % 2],),
            ),
        )
    ],
    ids=str,
)
def test_cosines_and_sines(
    ctx: moderngl.Context, kind: str, algorithm: str, shape: tuple[int, ...], ways: tuple[str, ...]
) -> None:
    if algorithm != "auto":
        # Complex lines of 16 points in both axes, in dispatches between two more.
        shape = {"dct1": (9, 9), "dst1": (7, 7)}.get(kind, (16, 16))
    random = np.random.default_rng(len(shape))
    regions: dict[str, Any] = {name: random_slices(random, shape) for name in ("source_region", "target_region")}
    with glfft.Plan(ctx, shape, kind=kind, algorithm=algorithm, boundary="edge", directions=ways, **regions) as plan:
        assert_is_numpys(plan, ways)


# 40 points go in parts, 37 padded in turns.
@pytest.mark.parametrize(
    ("length", "storage", "real", "turn"),
    [(40, "rg32f", False, 0), (40, "buffer", True, 1), (37, "rg32f", True, 0), (37, "buffer", False, 1)],
)
def test_lines_longer_than_a_work_group_holds(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, length: int, storage: str, real: bool, turn: int
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=160)
    monkeypatch.setattr(bluestein, "_SCRATCH_BYTES", 1300)
    regions: dict[str, Any] = {"source_region": np.s_[3:10, 5:31], "target_region": np.s_[2:11, 1:36]}
    regions["directions"] = convolve_and(turn)
    with glfft.Plan(
        ctx, (12, length), layers=2, storage=storage, real=real, boundary="wrap", multiply=SCATTER_2D, **regions
    ) as plan:
        assert_is_numpys(plan, convolve_and(turn), loss=10.0)
