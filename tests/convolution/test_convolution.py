"""Convolutions of textures: scipy.signal's in float64, at every border, in every format."""

from __future__ import annotations

from functools import partial
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from scipy import signal
from support.gl_objects import live_objects
from support.profiling import Recorder
from support.sentences import refused
from support.tolerances import COMPOSED_DB, assert_close

from glfft import Convolution, Deconvolution, PeakFinder, PhaseCorrelation, TemplateMatch
from glfft.algorithms.regions import BOUNDARIES
from glfft.algorithms.stockham import pictures
from glfft.convolution import axis_region
from glfft.errors import LimitError, OptionError, ReleasedError, ShapeError, TextureError
from glfft.gl.context import state_of

PICTURE = (6, 9)
KERNEL = (3, 4)
PADDED = {"zero": "constant", "wrap": "wrap", "mirror": "symmetric", "edge": "edge"}


def random(shape: tuple[int, ...], seed: int = 0) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def expected(
    picture: npt.NDArray[Any], kernel: npt.NDArray[Any], mode: str, boundary: str = "zero"
) -> npt.NDArray[Any]:
    """By scipy, of a picture with so much around it that no border is left."""
    picture, kernel = (np.asarray(each, np.result_type(each, np.float64)) for each in (picture, kernel))
    if mode == "valid":
        return signal.convolve2d(picture, kernel, "valid")
    reach = [length - 1 for length in kernel.shape]
    around = np.pad(picture, [(length, length) for length in reach], mode=PADDED[boundary])  # type: ignore[call-overload]
    full = signal.convolve2d(around, kernel, "valid")
    if mode == "full":
        return full
    rows, columns = (slice(r // 2, r // 2 + n) for r, n in zip(reach, picture.shape, strict=True))
    return full[rows, columns]


def size(shape: tuple[int, ...]) -> tuple[int, int]:
    return shape[1], shape[0]


def texture(ctx: moderngl.Context, values: npt.NDArray[Any], dtype: str = "f4") -> moderngl.Texture:
    """A texture of [rows, columns] or [rows, columns, channels]."""
    channels = 1 if values.ndim == 2 else values.shape[2]
    data = values.astype({"f4": np.float32, "f2": np.float16, "f1": np.uint8}[dtype])
    return ctx.texture(size(values.shape), channels, data.tobytes(), dtype=dtype, alignment=1)


def read(target: moderngl.Texture | moderngl.TextureArray) -> npt.NDArray[np.float64]:
    values = np.frombuffer(target.read(alignment=1), {"f4": np.float32, "f2": np.float16}[target.dtype])
    shape = (*target.size[:1:-1], *target.size[1::-1], target.components)
    return np.squeeze(values.reshape(shape).astype(np.float64), -1) if target.components == 1 else values.reshape(shape)


def convolved(ctx: moderngl.Context, picture: Any, kernel: Any, **options: Any) -> npt.NDArray[np.float64]:
    with Convolution(ctx, picture.shape[:2], kernel.shape[:2], **options) as convolution:
        source = texture(ctx, picture)
        target = ctx.texture(size(convolution.output_shape), source.components, dtype="f4")
        convolution.set_kernel(kernel)
        convolution.run(source, target, next_use="read")
        result = read(target)
    for each in (source, target):
        each.release()
    return result


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("mode", ["full", "same"])
def test_every_border_is_scipys(ctx: moderngl.Context, mode: str, boundary: str) -> None:
    picture, kernel = random(PICTURE), random(KERNEL, 1)
    assert_close(
        convolved(ctx, picture, kernel, mode=mode, boundary=boundary),
        expected(picture, kernel, mode, boundary),
        COMPOSED_DB,
    )


@pytest.mark.parametrize(
    ("picture", "kernel", "mode"),
    [(PICTURE, KERNEL, "valid"), (KERNEL, KERNEL, "valid"), ((3, 2), (6, 5), "same"), ((1, 8), (1, 3), "full")],
    ids=str,
)
def test_kernels_may_be_as_large_as_the_picture_and_larger(
    ctx: moderngl.Context, picture: tuple[int, int], kernel: tuple[int, int], mode: str
) -> None:
    values, weights = random(picture), random(kernel, 1)
    assert_close(convolved(ctx, values, weights, mode=mode), expected(values, weights, mode), COMPOSED_DB)


def test_borders_repeat_a_picture_that_is_smaller_than_the_kernel(ctx: moderngl.Context) -> None:
    picture, kernel = random((2, 3)), random((6, 8), 1)
    for boundary in ("wrap", "mirror"):
        found = convolved(ctx, picture, kernel, boundary=boundary)
        assert_close(found, expected(picture, kernel, "same", boundary), COMPOSED_DB)


@pytest.mark.parametrize(("real", "storage"), [(True, "r32f"), (True, "rgba32f"), (False, "rg32f")])
@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("kernel", [(12, 20), (5, 6), (4, 1), (1, 2), (1, 1)], ids=str)
@pytest.mark.parametrize("picture", [(12, 20), (12, 22), (13, 22)], ids=str)
def test_pictures_that_go_on_are_transformed_as_they_are_where_that_is_fast(
    ctx: moderngl.Context, picture: tuple[int, int], kernel: tuple[int, int], flip: bool, real: bool, storage: str
) -> None:
    channels = {"r32f": (), "rg32f": (2,), "rgba32f": (4,)}[storage]
    values, weights = random((*picture, *channels)), random(kernel, 1)
    if not real:
        weights = weights + 1j * random(kernel, 2)
    found = convolved(ctx, values, weights, boundary="wrap", real=real, storage=storage, flip=flip)
    planes = np.moveaxis(values, -1, 0) if channels else values[np.newaxis]
    if not real:
        planes = planes[:1] + 1j * planes[1:]
    turned = weights[::-1, ::-1].conj() if flip else weights
    wanted = np.stack([expected(plane, turned, "same", "wrap") for plane in planes], axis=-1)
    if not real:
        wanted = np.concatenate([np.real(wanted), np.imag(wanted)], axis=-1)
    assert_close(found, wanted if channels else wanted[..., 0], COMPOSED_DB)
    with Convolution(ctx, picture, kernel, boundary="wrap", storage=storage, real=real, flip=flip) as convolution:
        lengths = zip(convolution.plan.shape, picture, strict=True)
        assert all(length == side for length, side in lengths if side in (12, 20))


def test_results_are_met_by_their_own_products_alone_and_no_shorter_transform_does() -> None:
    pairs = [("full", "zero"), ("same", "zero"), ("valid", "zero"), ("same", "edge"), ("full", "edge")]
    for picture, kernel in np.random.default_rng(3).integers(1, 12, (100, 2)).tolist():
        for mode, boundary in pairs if kernel <= picture else pairs[:2]:
            region = axis_region(picture, kernel, mode, boundary)
            results = set(range(region.result.start, region.result.stop))
            # Around the picture, only so many points of the border are needed.
            zero = boundary == "zero" or mode == "valid"
            window = picture if zero else len(results) + kernel - 1
            assert region.picture.stop - region.picture.start == picture
            assert 0 <= region.picture.start <= region.picture.stop <= region.points
            for points in (region.points - 1, region.points):
                folded = {at % points for at in range(points, window + kernel - 1)} if points else results
                fits = window <= points and max(results) < points and not folded & results
                assert fits == (points == region.points), (picture, kernel, mode, boundary)


def test_colours_are_convolved_apart_from_and_into_the_formats_of_renderers(ctx: moderngl.Context) -> None:
    picture = np.random.default_rng(0).integers(0, 256, (*PICTURE, 4))
    kernel = np.abs(random(KERNEL, 1))
    wanted = np.stack([expected(picture[..., each] / 255.0, kernel, "same") for each in range(4)], axis=-1)
    source, target = texture(ctx, picture, "f1"), ctx.texture(size(PICTURE), 4, dtype="f2")
    with Convolution(ctx, PICTURE, KERNEL, storage="rgba32f") as convolution:
        convolution.set_kernel(kernel)
        convolution.run(source, target)
        # Half a spectrum of a real kernel says all.
        assert convolution._kernel.spectrum.width == convolution.plan.shape[1] // 2 + 1
        # Drivers may cut half floats in place of rounding them.
        assert np.abs(read(target) - wanted).max() <= 2.0**-10 * wanted.max()
    # sRGB is decoded. OpenGL 4.6 core, equation 8.17.
    encoded = ctx.texture(size(PICTURE), 4, picture.astype(np.uint8).tobytes(), internal_format=0x8C43)
    light = picture[..., 0] / 255.0
    light = np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)
    alone = ctx.texture(size(PICTURE), 1, dtype="f4")
    with Convolution(ctx, PICTURE, KERNEL) as convolution:
        convolution.set_kernel(kernel)
        convolution.run(encoded, alone)
        wanted = expected(light, kernel, "same")
        assert np.abs(read(alone) - wanted).max() <= 0.003 * wanted.max()
    for each in (source, target, encoded, alone):
        each.release()


def test_half_floats_hold_a_bright_picture(ctx: moderngl.Context) -> None:
    """The sum over it would be infinite."""
    picture, kernel = 2000.0 + random(PICTURE), np.full((1, 1), 1.0)
    found = convolved(ctx, picture, kernel, storage="r16f")
    assert np.abs(found - picture).max() <= 8 * 2.0**-11 * 2000.0


def test_each_layer_may_have_a_kernel_of_its_own(ctx: moderngl.Context) -> None:
    pictures, kernels = random((3, *PICTURE)), random((3, *KERNEL), 1)
    source, target = (ctx.texture_array((*size(PICTURE), 3), 1, dtype="f4") for _ in range(2))
    source.write(pictures.tobytes())
    for own in (True, False):
        with Convolution(ctx, PICTURE, KERNEL, layers=3, kernel_per_layer=own) as convolution:
            convolution.set_kernel(kernels if own else kernels[0])
            convolution.run(source, target)
        for layer, found in enumerate(read(target)):
            assert_close(found, expected(pictures[layer], kernels[layer if own else 0], "same"), COMPOSED_DB)
    source.release()
    target.release()


def test_complex_kernels_and_correlations_are_scipys(ctx: moderngl.Context) -> None:
    picture, kernel = random((*PICTURE, 2)), random((*KERNEL, 2), 1)
    numbers, weights = (each.astype(np.float64).view(np.complex128)[..., 0] for each in (picture, kernel))
    for flip, by_scipy in ((False, signal.convolve), (True, signal.correlate)):
        with Convolution(ctx, PICTURE, KERNEL, mode="full", storage="rg32f", real=False, flip=flip) as convolution:
            source, held = texture(ctx, picture), texture(ctx, kernel)
            target = ctx.texture(size(convolution.output_shape), 2, dtype="f4")
            for given in (weights, held):
                convolution.set_kernel(given)
                convolution.run(source, target)
                found = read(target).astype(np.float64).view(np.complex128)[..., 0]
                assert_close(found, by_scipy(numbers, weights, method="direct"), COMPOSED_DB)
        for each in (source, held, target):
            each.release()


def test_a_kernel_changes_between_runs_and_a_picture_in_place(ctx: moderngl.Context) -> None:
    picture = random(PICTURE)
    image = texture(ctx, picture)
    with Convolution(ctx, PICTURE, KERNEL) as convolution:
        for seed in (1, 2):
            kernel = random(KERNEL, seed)
            convolution.set_kernel(texture(ctx, kernel))
            convolution.run(image, image)
            picture = expected(picture, kernel, "same").astype(np.float32)
        assert_close(read(image), picture, COMPOSED_DB)
    image.release()


def test_a_convolution_need_not_wait_for_the_compiler(ctx: moderngl.Context) -> None:
    picture, kernel = random((20, 36)), random((5, 7), 1)
    image, target, wanted = (
        texture(ctx, picture),
        ctx.texture((36, 20), 1, dtype="f4"),
        expected(picture, kernel, "same"),
    )
    with Convolution(ctx, picture.shape, kernel.shape, wait=False) as convolution:
        assert not convolution.plan.settled
        convolution.set_kernel(kernel)
        convolution.run(image, target)
        assert_close(read(target), wanted, COMPOSED_DB)
        while not convolution.plan.settled:
            convolution.run(image, target)
        convolution.run(image, target)
        assert_close(read(target), wanted, COMPOSED_DB)
        with Convolution(ctx, picture.shape, kernel.shape) as waiting:
            assert waiting.plan.settled
            assert waiting.plan.source() == convolution.plan.source()
    image.release()
    target.release()


@pytest.mark.parametrize(
    ("mode", "storage", "boundary"),
    [
        (*each, boundary)
        for turn, each in enumerate([("same", "r32f"), ("full", "rg32f"), ("valid", "rgba32f")])
        # Outside results that are valid nothing is read.
        for boundary in ((BOUNDARIES[turn], BOUNDARIES[turn + 2]) if turn < 2 else ("zero",))
    ],
)
def test_small_pictures_are_convolved_in_one_dispatch_also_in_place(
    ctx: moderngl.Context, mode: str, storage: str, boundary: str
) -> None:
    picture, kernel, channels = (7, 9), (3, 4), {"r32f": 1, "rg32f": 2, "rgba32f": 4}[storage]
    values = random((3, *picture, channels))
    image = ctx.texture_array((9, 7, 3), channels, values, dtype="f4", alignment=1)
    results = []
    for algorithm in ("stockham-picture", "stockham"):
        with Convolution(
            ctx, picture, kernel, mode=mode, boundary=boundary, layers=3, storage=storage, algorithm=algorithm
        ) as convolution:
            assert ("rows and columns" in convolution.plan.explain()) == (algorithm == "stockham-picture")
            convolution.set_kernel(random(kernel))
            rows, columns = convolution.output_shape
            target = ctx.texture_array((columns, rows, 3), channels, dtype="f4", alignment=1)
            convolution.run(image, target, "read")
            results.append(np.frombuffer(target.read(alignment=1), np.float32))
            if mode == "same" and algorithm == "stockham-picture":
                convolution.run(image, image, "read")
                assert image.read(alignment=1) == target.read(alignment=1)
                image.write(values, alignment=1)
            target.release()
    assert_close(results[0], results[1], COMPOSED_DB)
    image.release()


@pytest.mark.parametrize("make", [Convolution, TemplateMatch, Deconvolution, PhaseCorrelation])
def test_what_is_too_large_for_the_device_is_said_with_sizes_and_a_way_out(ctx: moderngl.Context, make: Any) -> None:
    most = state_of(ctx).limits.texture_size
    others = () if make is PhaseCorrelation else ((3, 5),)
    with refused(LimitError) as caught:
        make(ctx, (4, most + 1), *others)
    assert all(f" {word} " in str(caught.value) for word in (f"4 x {most + 1}", str(most), "parts"))
    # A kernel of which the transform needs only a part must be a texture too.
    with pytest.raises(LimitError, match=f"kernel 3 x {most + 1} "):
        Convolution(ctx, (4, 4), (3, most + 1))


def test_errors_say_what_to_do(ctx: moderngl.Context) -> None:
    for options, error in (
        ({"mode": "some"}, OptionError),
        ({"boundary": "none"}, OptionError),
        ({"storage": "rgb8"}, OptionError),
        ({"real": False}, OptionError),
        ({"kernel_per_layer": True}, OptionError),
        ({"kernel_per_layer": 2, "layers": 2}, OptionError),
        ({"flip": "no"}, OptionError),
        ({"mode": "valid", "kernel_shape": (10, 3)}, ShapeError),
        ({"kernel_shape": (0, 3)}, ShapeError),
        ({"kernel_shape": 3}, ShapeError),
        ({"kernel_shape": (3, 1 << 24)}, LimitError),
    ):
        with refused(error):
            Convolution(ctx, PICTURE, **{"kernel_shape": KERNEL, **options})
    convolution = Convolution(ctx, PICTURE, KERNEL, storage="rg32f")
    source, small = texture(ctx, random((*PICTURE, 2))), texture(ctx, random((4, 4, 2)))
    narrow = texture(ctx, random(PICTURE))
    # OpenGL would drop what is stored.
    srgb = ctx.texture(size(PICTURE), 4, dtype="f1", internal_format=0x8C43)
    kernel = random(KERNEL)
    for call, error in (
        (lambda: convolution.run(source, source), OptionError),
        (lambda: convolution.set_kernel(kernel[1:]), ShapeError),
        (lambda: convolution.set_kernel(kernel * 1j), OptionError),
        (lambda: convolution.set_kernel("kernel"), OptionError),
        (lambda: convolution.set_kernel(small), TextureError),
        (lambda: convolution.set_kernel(kernel) or convolution.run(small, source), TextureError),
        (lambda: convolution.run(source, small), TextureError),
        (lambda: convolution.run(source, narrow), TextureError),
        (lambda: convolution.run(source, srgb), TextureError),
        (lambda: convolution.run(kernel, source), TextureError),  # type: ignore[arg-type]
        (lambda: convolution.release() or convolution.run(source, source), ReleasedError),
    ):
        with refused(error):
            call()
    convolution.release()
    for each in (source, small, narrow, srgb):
        each.release()


def test_textures_that_begin_at_a_smaller_mipmap_are_refused(ctx: moderngl.Context) -> None:
    """Fetches would find the smaller picture, and stores be dropped."""
    good, short, scores = (ctx.texture((9, 6), 1, dtype="f4") for _ in range(3))
    kernel = ctx.texture((4, 3), 1, dtype="f4")
    with (
        Convolution(ctx, PICTURE, KERNEL) as convolution,
        Deconvolution(ctx, PICTURE, KERNEL) as deconvolution,
        PhaseCorrelation(ctx, PICTURE) as correlation,
        TemplateMatch(ctx, PICTURE, (1, 1)) as match,
        PeakFinder(ctx, PICTURE) as finder,
    ):
        convolution.set_kernel(kernel)
        deconvolution.set_kernel(kernel)
        match.set_template(ctx.texture((1, 1), 1, dtype="f4"))
        finder.run(short)  # as its mipmaps may be built later
        for each in (short, kernel):
            each.build_mipmaps()
            each.build_mipmaps(base=1)
        for call in (
            lambda: convolution.run(short, good),
            lambda: convolution.run(good, short),
            lambda: convolution.set_kernel(kernel),
            lambda: deconvolution.run(short, good),
            lambda: correlation.run(good, short),
            lambda: match.run(short, scores),
            lambda: match.run(good, short),
            lambda: finder.run(short),
        ):
            with refused(TextureError, match="begins at a smaller mipmap"):
                call()
        short.build_mipmaps()
        convolution.run(short, good)
        finder.run(short)
    for each in (good, short, scores, kernel):
        each.release()


def test_textures_of_integers_and_of_several_samples_are_refused_by_what_they_are_for(ctx: moderngl.Context) -> None:
    good, depth = ctx.texture((9, 6), 4, dtype="f4"), ctx.depth_texture((9, 6))
    small = ctx.texture((4, 3), 1, dtype="u1")
    with Convolution(ctx, PICTURE, KERNEL) as convolution, PhaseCorrelation(ctx, PICTURE) as correlation:
        convolution.set_kernel(ctx.texture((4, 3), 1, dtype="f4"))
        # Not every device has textures of several samples.
        several = [ctx.texture((9, 6), 4, samples=4)] if ctx.max_samples >= 4 else []
        for bad in (ctx.texture((9, 6), 4, dtype="u1"), *several):
            for call, role in (
                (partial(convolution.run, bad, good), "source"),
                (partial(convolution.run, good, bad), "target"),
                (partial(correlation.run, good, bad), "second"),
            ):
                with refused(TextureError, f"The {role}", "with one sample"):
                    call()
            bad.release()
        with refused(TextureError, "The kernel"):
            convolution.set_kernel(small)
        convolution.run(depth, good)
    for each in (good, depth, small):
        each.release()


@pytest.mark.parametrize("how", ["released", "dropped"])
def test_nothing_is_left_of_a_convolution(ctx: moderngl.Context, how: str) -> None:
    def use() -> Convolution:
        convolution = Convolution(ctx, PICTURE, KERNEL)
        convolution.set_kernel(random(KERNEL))
        return convolution

    use().release()  # programs and tables stay
    before = live_objects(ctx)
    convolution = use()
    assert live_objects(ctx) != before
    if how == "released":
        convolution.release()
    del convolution
    Convolution(ctx, PICTURE, KERNEL).release()  # frees what was dropped
    assert live_objects(ctx) == before


def test_a_profiler_sees_each_pass(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    # Else both axes of so small a picture would take one pass.
    monkeypatch.setattr(pictures, "pays", lambda request: False)
    picture, template, target = texture(ctx, random((8, 13))), random((3, 4)), ctx.texture((13, 8), 1, dtype="f4")
    scores, passes = ctx.texture((10, 6), 1, dtype="f4"), ["rows 1", "columns", "rows 2"]

    def seen(run: Any) -> list[str]:
        recorder = Recorder()
        run(recorder)
        return list(recorder.seen)

    with Convolution(ctx, (8, 13), (3, 4)) as made:
        made.set_kernel(template)
        assert seen(lambda profiler: made.run(picture, target, "sample", profiler)) == passes
    with TemplateMatch(ctx, (8, 13), (3, 4)) as made:
        made.set_template(template)
        names = seen(lambda profiler: made.run(picture, scores, "sample", profiler))
        assert names[-2:] == ["window rows", "window columns"]
        assert names[:-2] == passes
    with Deconvolution(ctx, (8, 13), (3, 4), method="richardson-lucy", iterations=2) as made:
        made.set_kernel(np.abs(template))
        names = seen(lambda profiler: made.run(picture, target, "sample", profiler))
        assert names == [
            part + each for part in ("blur", "correction") for each in ("", *(f"/{name}" for name in passes))
        ]
    with PhaseCorrelation(ctx, (8, 13)) as made:
        names = seen(lambda profiler: made.run(picture, target, profiler=profiler))
        assert names[0] == "first picture"
        assert names[-3:] == ["peak", "peak/search", "peak/refinement"]
    for each in (picture, target, scores):
        each.release()


@pytest.mark.filterwarnings("error")
def test_a_kernel_beyond_float32_is_infinite_without_a_warning(ctx: moderngl.Context) -> None:
    source, target = texture(ctx, random(PICTURE)), texture(ctx, np.zeros(PICTURE))
    with Convolution(ctx, PICTURE, KERNEL) as convolution:
        convolution.set_kernel(np.full(KERNEL, 1e300))
        convolution.run(source, target, "read")
    assert not np.isfinite(np.frombuffer(target.read(), np.float32)).any()
