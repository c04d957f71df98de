"""Plans of volumes: transforms over any of three axes, in 3-D textures and in buffers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from support import images
from support.images import assert_refused, random_values
from support.kernels import restrict_device
from support.pictures import ALGORITHMS
from support.tolerances import BLUESTEIN_DB, COMPOSED_DB, TABLE_DB, floor_of

import glfft
from glfft import snippets
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex, snr_db
from glfft.errors import TextureError
from glfft.gl.context import is_software
from glfft.wisdom import store

AXES = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]


def from_the_end(axes: tuple[int, ...]) -> list[int]:
    """Axes of a volume as those of an array of volumes, the one that real= halves last."""
    return [axis - 3 for axis in sorted(axes)]


@pytest.mark.parametrize("axes", AXES)
def test_all_axes_in_both_directions(ctx: moderngl.Context, axes: tuple[int, ...]) -> None:
    shape = (6, 5, 7)
    with glfft.Plan(ctx, shape, axes=axes) as plan:
        at_once = len(axes) == 3 and not is_software(ctx)  # planes
        assert plan.dispatches == len(axes) - at_once
        values = random_values(plan.request.storage, shape, None)
        exact = np.fft.fftn(values.astype(complex), axes=from_the_end(axes))
        assert snr_db(images.run(plan, values), exact) >= TABLE_DB
        exact = np.fft.ifftn(values.astype(complex), axes=from_the_end(axes))
        assert snr_db(images.run(plan, values, "inverse"), exact) >= TABLE_DB


@pytest.mark.parametrize("axes", AXES)
def test_real_volumes(ctx: moderngl.Context, axes: tuple[int, ...]) -> None:
    shape = (6, 5, 7)
    with glfft.Plan(ctx, shape, axes=axes, real=True) as plan:
        volume = random_values(plan.request.storage.of_reals, shape, None)
        exact = np.fft.rfftn(volume.astype(float), axes=from_the_end(axes))
        assert plan.spectrum_shape == exact.shape[2:]
        assert snr_db(images.run(plan, volume), exact) >= TABLE_DB
        assert snr_db(images.run(plan, exact.astype(np.complex64), "inverse"), volume) >= TABLE_DB


# Real volumes in turn: textures and buffers have both.
@pytest.mark.parametrize(("name", "real"), [(name, index % 2 == 1) for index, name in enumerate(STORAGES)])
def test_every_storage(ctx: moderngl.Context, name: str, real: bool) -> None:
    shape = (3, 4, 10)
    with glfft.Plan(ctx, shape, storage=name, real=real, directions="forward") as plan:
        storage = plan.request.storage
        values = random_values(storage.of_reals if real else storage, shape, None)
        transform = np.fft.rfftn if real else np.fft.fftn
        exact = transform(values.astype(float if real else complex), axes=(2, 3, 4))
        floor = floor_of(storage, plan.dispatches)
        assert snr_db(images.run(plan, values), exact) >= floor


@pytest.mark.parametrize("axes", [(0,), (0, 1), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("real", [False, True])
def test_a_buffer_holds_a_batch_of_volumes(ctx: moderngl.Context, axes: tuple[int, ...], real: bool) -> None:
    shape = (5, 4, 6)
    with glfft.Plan(ctx, shape, axes=axes, layers=3, storage="buffer", real=real) as plan:
        values = random_values(plan.request.storage.of_reals if real else plan.request.storage, shape, 3)
        transform = np.fft.rfftn if real else np.fft.fftn
        exact = transform(values.astype(float if real else complex), axes=from_the_end(axes))
        assert snr_db(images.run(plan, values), exact) >= TABLE_DB
        back = exact.astype(np.complex64)
        assert snr_db(images.run(plan, back, "inverse"), values) >= TABLE_DB


@pytest.mark.parametrize("shape", [(59, 2, 1), (1, 1, 1), (8, 1, 2)])
def test_lengths_of_large_primes_and_of_one_point(ctx: moderngl.Context, shape: tuple[int, int, int]) -> None:
    with glfft.Plan(ctx, shape, norm="ortho") as plan:
        values = random_values(plan.request.storage, shape, None)
        exact = np.fft.fftn(values.astype(complex), axes=(2, 3, 4), norm="ortho")
        assert snr_db(images.run(plan, values), exact) >= BLUESTEIN_DB


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm(ctx: moderngl.Context, algorithm: str) -> None:
    shape = (4, 2, 8)
    with glfft.Plan(ctx, shape, algorithm=algorithm) as plan:
        values = random_values(plan.request.storage, shape, None)
        exact = np.fft.fftn(values.astype(complex), axes=(2, 3, 4))
        assert snr_db(images.run(plan, values), exact) >= BLUESTEIN_DB


@pytest.mark.parametrize("storage", ["rg32f", "buffer"])
def test_lines_in_two_parts(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, storage: str) -> None:
    shape = (3, 40, 64)
    restrict_device(ctx, monkeypatch, shared_memory=64)
    with glfft.Plan(ctx, shape, axes=(1, 2), storage=storage) as plan:
        assert plan.dispatches == 4
        values = random_values(plan.request.storage, shape, None)
        assert snr_db(images.run(plan, values), np.fft.fft2(values.astype(complex))) >= TABLE_DB


@pytest.mark.parametrize("storage", ["rg32f", "buffer_pairs"])
def test_in_place(ctx: moderngl.Context, storage: str) -> None:
    shape = (5, 6, 7)
    with glfft.Plan(ctx, shape, storage=storage) as plan:
        kind = plan.request.storage
        values = random_values(kind, shape, None)
        image = images.upload(ctx, values, kind, None)
        plan.forward(image, image, next_use="read")
        exact = np.fft.fftn(values.astype(complex), axes=(2, 3, 4))
        assert snr_db(images.download(image, kind, shape, None), exact) >= TABLE_DB
        plan.inverse(image, image, next_use="read")
        assert snr_db(images.download(image, kind, shape, None), values) >= COMPOSED_DB
        images.release(image)


@pytest.mark.parametrize(
    ("storage", "layers", "real"),
    [("rg32f", None, False), ("rg32f", None, True), ("buffer", None, True), ("buffer", 2, False)],
)
def test_convolution_with_a_texture(ctx: moderngl.Context, storage: str, layers: int | None, real: bool) -> None:
    shape = (4, 6, 5)
    filter_spectrum = np.fft.fftn(random_complex(shape, seed=3).real)
    kept = filter_spectrum[..., : shape[2] // 2 + 1] if real else filter_spectrum
    texture = ctx.texture3d(kept.shape[::-1], 2, np.ascontiguousarray(kept.astype("c8")).tobytes(), dtype="f4")
    options = {"storage": storage, "layers": layers, "real": real}
    with glfft.Plan(ctx, shape, multiply=snippets.multiply_by_texture(), directions="convolve", **options) as plan:
        assert len(plan._pipelines[0].passes) == 5
        plan.set_uniforms(factor=texture)
        values = random_values(plan.request.storage.of_reals if real else plan.request.storage, shape, layers)
        exact = np.fft.ifftn(np.fft.fftn(values.astype(complex), axes=(2, 3, 4)) * filter_spectrum, axes=(2, 3, 4))
        assert snr_db(images.run(plan, values, "convolve"), exact.real if real else exact) >= COMPOSED_DB
        wrong = ctx.texture3d(shape, 2, dtype="f4")
        with pytest.raises(TextureError, match="width x height x depth"):
            plan.set_uniforms(factor=wrong)
        images.release(texture, wrong)


# A number for every place: (1 + column + plane) + i (row + 2 layer) / 2.
PRODUCT = """
value product(ivec3 at, value spectrum) {
    return multiply(spectrum, vec2(1 + at.x + at.z % DEPTH, 0.5 * float(at.y + 2 * (at.z / DEPTH))));
}
"""


@pytest.mark.parametrize(("axes", "dispatches"), [((0,), 1), ((0, 2), 3), ((1, 2), 3), ((0, 1), 3)])
@pytest.mark.parametrize("real", [False, True])
def test_products_over_some_of_the_axes(
    ctx: moderngl.Context, axes: tuple[int, ...], dispatches: int, real: bool
) -> None:
    shape, layers = (4, 3, 5), 2
    options = {"axes": axes, "storage": "buffer", "layers": layers, "real": real}
    with glfft.Plan(ctx, shape, multiply=PRODUCT, directions="convolve", **options) as plan:
        # Where the only axis is the one halved, there and back are two dispatches.
        assert len(plan._pipelines[0].passes) == dispatches + (real and len(axes) == 1)
        values = random_values(plan.request.storage.of_reals if real else plan.request.storage, shape, layers)
        there, back = (np.fft.rfftn, np.fft.irfftn) if real else (np.fft.fftn, np.fft.ifftn)
        ends = from_the_end(axes)
        spectrum = there(values.astype(float if real else complex), axes=ends)
        planes, rows, columns = np.indices(spectrum.shape[2:])
        layer = np.arange(layers)[:, None, None, None, None]
        spectrum = spectrum * (1 + columns + planes + 0.5j * (rows + 2 * layer))
        exact = back(spectrum, [shape[axis] for axis in sorted(axes)], ends)
        assert snr_db(images.run(plan, values, "convolve"), exact) >= COMPOSED_DB


# What they add is right only if each place is named as it should be, and once.
PLACES = "vec2(at.x + COLUMNS * (at.y + ROWS * (at.z % DEPTH)), at.z / DEPTH)"
LOAD = f"value load(ivec3 at) {{ return read_source(at) + {PLACES}; }}"
STORE = f"void store(ivec3 at, value result) {{ write_target(at, result + {PLACES}); }}"


# All three axes in both storages, and the others in turn: each has one axis, and each two.
@pytest.mark.parametrize(
    ("axes", "storage", "layers"),
    [
        *((axes, *(("rg32f", None), ("buffer", 2))[index % 2]) for index, axes in enumerate(AXES)),
        (AXES[-1], "buffer", 2),
    ],
    ids=str,
)
def test_places_that_snippets_are_given(
    ctx: moderngl.Context, axes: tuple[int, ...], storage: str, layers: int | None
) -> None:
    shape = (3, 2, 4)
    places = np.arange(24).reshape(shape) + 1j * np.arange(layers or 1)[:, None, None, None, None]
    options: dict[str, Any] = {"storage": storage, "layers": layers, "directions": "forward"}
    with glfft.Plan(ctx, shape, axes=axes, load=LOAD, store=STORE, **options) as plan:
        values = random_values(plan.request.storage, shape, layers)
        exact = np.fft.fftn(values + places, axes=from_the_end(axes)) + places
        assert snr_db(images.run(plan, values), exact) >= TABLE_DB


def test_places_in_half_a_spectrum_along_z_count_whole_volumes(ctx: moderngl.Context) -> None:
    shape = (6, 2, 3)
    places = np.arange(36).reshape(shape)[:4] + 1j * np.arange(3)[:, None, None, None, None]
    with glfft.Plan(ctx, shape, axes=(0,), storage="buffer", layers=3, real=True, store=STORE) as plan:
        volumes = random_values(plan.request.storage.of_reals, shape, 3)
        exact = np.fft.rfftn(volumes.astype(float), axes=(2,)) + places
        assert snr_db(images.run(plan, volumes), exact) >= TABLE_DB


def test_snippets_that_come_ready_take_in_all_three_axes(ctx: moderngl.Context) -> None:
    shape = (3, 4, 5)
    with glfft.Plan(ctx, shape, load=snippets.shift_load(), store=snippets.shift_store()) as plan:
        values = random_values(plan.request.storage, shape, None)
        axes = (2, 3, 4)
        exact = np.fft.fftshift(np.fft.fftn(np.fft.ifftshift(values.astype(complex), axes), axes=axes), axes)
        assert snr_db(images.run(plan, values), exact) >= TABLE_DB
    with glfft.Plan(ctx, shape, storage="buffer", layers=2, load=snippets.hann_load()) as plan:
        values = random_values(plan.request.storage, shape, 2)
        windows = [(1 - np.cos(2 * np.pi * np.arange(length) / length)) / 2 for length in shape]
        window = np.einsum("i,j,k->ijk", *windows)
        assert snr_db(images.run(plan, values), np.fft.fftn(values * window, axes=(2, 3, 4))) >= TABLE_DB


def test_two_real_volumes_go_as_one_complex_volume(ctx: moderngl.Context) -> None:
    shape, size = (3, 4, 5), (5, 4, 3)
    pair = random_complex(shape)
    parts = [ctx.texture3d(size, 1, part.astype("f4").tobytes(), dtype="f4") for part in (pair.real, pair.imag)]
    target = ctx.texture3d(size, 2, dtype="f4")
    with glfft.Plan(ctx, shape, load=snippets.real_pair_load()) as plan:
        plan.set_uniforms(first=parts[0], second=parts[1])
        plan.forward(None, target, next_use="read")
    result = np.frombuffer(target.read(), np.complex64).reshape(shape)
    assert snr_db(result, np.fft.fftn(pair.astype(complex))) >= TABLE_DB
    images.release(*parts, target)


@pytest.mark.parametrize("axes", [(0, 1), (1, 2), (0, 2)])
def test_what_is_no_number_stays_in_its_own_transform(ctx: moderngl.Context, axes: tuple[int, ...]) -> None:
    # Odd lengths, so that real lines that go in pairs would be from two transforms.
    shape = (3, 5, 7)
    with glfft.Plan(ctx, shape, axes=axes, real=True, directions="forward") as plan:
        volume = random_values(plan.request.storage.of_reals, shape, None)
        volume[0, 0, 1, 2, 3] = np.nan
        result = images.run(plan, volume)
    kept = 3 - sum(axes)
    others = np.delete(result, (1, 2, 3)[kept], axis=kept - 3)
    assert np.isfinite(others).all()
    assert not np.isfinite(result).all()


def test_textures_of_other_kinds_and_sizes_are_refused(ctx: moderngl.Context) -> None:
    volume, wrong_depth = ctx.texture3d((8, 4, 2), 2, dtype="f4"), ctx.texture3d((8, 4, 3), 2, dtype="f4")
    picture, layers = ctx.texture((8, 4), 2, dtype="f4"), ctx.texture_array((8, 4, 2), 2, dtype="f4")
    wrong_channels = ctx.texture3d((8, 4, 2), 4, dtype="f4")
    with glfft.Plan(ctx, (2, 4, 8)) as plan:
        assert_refused(plan, volume, picture, ("moderngl.Texture3D", "not Texture"))
        assert_refused(plan, volume, layers, ("moderngl.Texture3D", "not TextureArray"))
        assert_refused(plan, volume, wrong_depth, ("8 x 4 x 3", "width x height x depth = 8 x 4 x 2"))
        assert_refused(plan, volume, wrong_channels, ("4 components", "rg32f"))
    with glfft.Plan(ctx, (4, 8)) as plan:
        assert_refused(plan, picture, volume, ("moderngl.Texture,", "not Texture3D"))
        assert_refused(plan, picture, layers, ("moderngl.Texture,", "not TextureArray; use layers="))
    images.release(volume, wrong_depth, picture, layers, wrong_channels)


def test_swizzles_of_3d_textures_are_seen(ctx: moderngl.Context) -> None:
    shape = (2, 3, 4)
    with glfft.Plan(ctx, shape) as plan:
        storage = plan.request.storage
        values: Any = random_values(storage, shape, None)
        exact = np.fft.fftn(values.imag + 1j * values.real, axes=(2, 3, 4))
        source, target = (images.upload(ctx, values, storage, None) for _ in range(2))
        source.swizzle = "GRBA"
        target.swizzle = "GRBA"
        plan.forward(source, target, next_use="read")
        assert snr_db(images.download(target, storage, shape, None), exact) >= TABLE_DB
        images.release(source, target)


def test_textures_whose_mipmaps_would_be_used_are_refused(ctx: moderngl.Context) -> None:
    shape = (1, 1, 4)
    storage = STORAGES["rg32f"]
    values = random_values(storage, shape, None)
    source, target, short = (images.upload(ctx, values, storage, None) for _ in range(3))
    with glfft.Plan(ctx, shape) as plan:
        target.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        with pytest.raises(TextureError, match="asks for mipmaps"):
            plan.forward(source, target)
        target.build_mipmaps()
        plan.forward(source, target, next_use="read")
        exact = np.fft.fftn(values.astype(complex), axes=(2, 3, 4))
        assert snr_db(images.download(target, storage, shape, None), exact) >= TABLE_DB
        short.build_mipmaps()
        short.build_mipmaps(base=1)
        with pytest.raises(TextureError, match="mipmap 1"):
            plan.forward(short, target)
    images.release(source, target, short)


def test_explain_names_the_three_axes(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (2, 4, 8), real=True) as plan:
        text = plan.explain()
    assert "2 x 4 x 8 real, to half spectra of 2 x 4 x 5 complex64, rows, then columns, then lines along z" in text
    assert "20 lines along z" in text


@pytest.mark.parametrize(("storage", "layers"), [("rg32f", None), ("buffer", 2)])
def test_a_plan_of_volumes_can_be_tuned(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, storage: str, layers: int | None
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "wisdom.json"))
    shape = (4, 3, 2)
    with glfft.Plan(ctx, shape, axes=(0,), storage=storage, layers=layers) as plan:
        report = plan.tune(quick=True)
        assert len(report.passes) == 1
        values = random_values(plan.request.storage, shape, layers)
        exact = np.fft.fft(values.astype(complex), axis=2)
        assert snr_db(images.run(plan, values), exact) >= TABLE_DB
