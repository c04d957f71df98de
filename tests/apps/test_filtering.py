"""Pictures through kernels: scipy's convolution of linear light in float64, in every depth; a blur undone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage
from support.sentences import refused

from glfft.apps.filter_kernels import read_kernel
from glfft.apps.filtering import Filtering, PictureFilter
from glfft.apps.spectrum.stored_pictures import StoredPicture
from glfft.convolution import Convolution
from glfft.errors import ContextError, DataError, LimitError
from glfft.gl.context import state_of

MODES = {"mirror": "reflect", "edge": "nearest", "wrap": "wrap", "zero": "constant"}  # scipy.ndimage's names


def stored(samples: NDArray[Any], colours: int, mode: str = "RGB") -> StoredPicture:
    return StoredPicture(samples, colours, mode, 1, [])


def filtered(ctx: moderngl.Context, picture: StoredPicture, kernel: str, **options: Any) -> NDArray[Any]:
    with PictureFilter(ctx, read_kernel(kernel), Filtering(kernel, **options)) as through:
        after = through.filtered(picture).samples
    assert after.dtype == picture.samples.dtype
    assert after.shape == picture.samples.shape
    return after


def linear(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def srgb(light: NDArray[Any]) -> NDArray[np.float64]:
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 0) ** (1 / 2.4) - 0.055)


# What the numbers are is turned into light before, and back after, what knows of boundaries.
@pytest.mark.parametrize(
    ("dtype", "bands", "colours", "boundary"),
    [("u1", 3, 3, "mirror"), ("u2", 3, 3, "wrap"), ("u2", 1, 1, "zero"), ("f4", 1, 1, "edge")],
)
def test_light_is_convolved_as_by_scipy(
    ctx: moderngl.Context, dtype: str, bands: int, colours: int, boundary: str
) -> None:
    random = np.random.default_rng(1)
    white = {"u1": 255, "u2": 65535, "f4": 1.0}[dtype]
    samples = (random.random((11, 15, bands)) * white).astype(dtype)
    picture = stored(samples, colours)
    light = samples / np.float64(white)
    light = light if dtype == "f4" else linear(light)
    kernel = read_kernel("motion:5,40")
    wanted = np.stack([ndimage.convolve(each, kernel, mode=MODES[boundary]) for each in np.moveaxis(light, -1, 0)], -1)
    found = filtered(ctx, picture, "motion:5,40", boundary=boundary)
    if dtype == "f4":
        assert np.abs(found - wanted).max() < 1e-5
    else:
        # Half a level of rounding; float32 light is off by less than a tenth of one more.
        assert np.abs(found - white * srgb(wanted)).max() < 0.6


def let_textures_be_small(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, side: int) -> None:
    state = state_of(ctx)
    monkeypatch.setattr(state, "device", replace(state.device, limits=replace(state.device.limits, texture_size=side)))


def test_what_is_too_large_for_the_device_is_refused(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = np.random.default_rng(5).random((41, 150, 3)).astype(np.float32)
    let_textures_be_small(ctx, monkeypatch, 63)
    for options in ({"kernel": "gaussian:1"}, {"kernel": "gaussian:1", "deconvolve": True}):
        with refused(LimitError, match="limit of 63"):
            filtered(ctx, stored(samples, 3), **options)


def test_transparent_colours_do_not_spread_and_alpha_does(ctx: moderngl.Context) -> None:
    samples = np.zeros((20, 20, 4), np.uint8)
    samples[:, :10] = (200, 40, 90, 255)
    samples[:, 10:] = (0, 255, 0, 0)
    found = filtered(ctx, stored(samples, 3, "RGBA"), "gaussian:1.5")
    assert 0 < found[10, 10, 3] < 255
    visible = found[..., 3] > 10
    assert np.abs(found[visible].astype(int) - (200, 40, 90, 0))[..., :3].max() <= 1


def test_an_exrs_colours_are_multiplied_by_alpha_already(ctx: moderngl.Context) -> None:
    samples = np.random.default_rng(6).random((14, 17, 4)).astype(np.float32)
    samples[:, :5, 3] = 0.0  # light that covers nothing
    picture = replace(stored(samples, 3), options={"attributes": {}})
    bands = [filtered(ctx, stored(samples[..., band : band + 1], 1, "F"), "gaussian:1")[..., 0] for band in range(4)]
    assert np.abs(filtered(ctx, picture, "gaussian:1") - np.stack(bands, -1)).max() < 1e-5


@pytest.mark.parametrize("options", [{"noise": 1e-4}, {"iterations": 20}], ids=str)
def test_a_blur_is_undone(ctx: moderngl.Context, options: dict[str, Any]) -> None:
    scene = ndimage.gaussian_filter(np.random.default_rng(2).random((34, 38, 3)), (1.5, 1.5, 0))
    scene = (scene - scene.min()) / np.ptp(scene)
    kernel = read_kernel("lens:6,3")
    light = np.stack([ndimage.convolve(each, kernel) for each in np.moveaxis(scene, -1, 0)], -1)
    sharp, blurred = (np.rint(65535 * srgb(each)).astype(np.uint16) for each in (scene, light))
    restored = filtered(ctx, stored(blurred, 3), "lens:6,3", deconvolve=True, **options)
    errors = [np.abs(each.astype(float) - sharp)[4:-4, 4:-4].mean() for each in (restored, blurred)]
    assert errors[0] < 0.6 * errors[1]


def test_alpha_stays_in_a_deconvolution(ctx: moderngl.Context) -> None:
    samples = np.random.default_rng(3).integers(0, 256, (12, 16, 4), dtype=np.uint8)
    assert np.array_equal(
        filtered(ctx, stored(samples, 3, "RGBA"), "gaussian:1", deconvolve=True)[..., 3], samples[..., 3]
    )


def test_nan_and_infinity_are_refused(ctx: moderngl.Context) -> None:
    for wrong in (np.nan, np.inf):
        with pytest.raises(DataError, match="NaN or infinity"):
            filtered(ctx, stored(np.full((4, 4, 1), wrong, np.float32), 1, "F"), "gaussian:1")


def test_a_picture_is_filtered_after_one_whose_kernel_found_no_memory(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ContextError("The device has no memory left.")

    kernel, picture = "gaussian:1", stored(np.random.default_rng(5).random((9, 12, 1)).astype(np.float32), 1, "F")
    with PictureFilter(ctx, read_kernel(kernel), Filtering(kernel)) as through:
        with monkeypatch.context() as patched:
            patched.setattr(Convolution, "set_kernel", fail)
            with pytest.raises(ContextError):
                through.filtered(picture)
        assert np.array_equal(through.filtered(picture).samples, filtered(ctx, picture, kernel))
