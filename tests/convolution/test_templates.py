"""Normalised correlations: Lewis's formula in float64 at every place, and what is refused."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from support.gl_objects import live_objects
from support.sentences import refused

from glfft import PeakFinder, TemplateMatch
from glfft.convolution import templates
from glfft.errors import DataError, OptionError, ReleasedError, ShapeError, TextureError

# Scores come out of one float32 convolution, off by some 1e-7 of a score of 1 in the mean and ten times that at worst,
# and more where a window has a tenth of the picture's contrast.
SCORE = 2e-5


def expected(picture: NDArray[np.floating], template: NDArray[np.floating]) -> NDArray[np.float64]:
    windows = sliding_window_view(picture.astype(np.float64), template.shape)
    windows = windows - windows.mean((-2, -1), keepdims=True)
    centred = template.astype(np.float64) - template.mean(dtype=np.float64)
    spread = np.sqrt((windows**2).sum((-2, -1)) * (centred**2).sum())
    products = (windows * centred).sum((-2, -1))
    return np.divide(products, spread, out=np.zeros_like(products), where=spread > 1e-9)


def size(shape: tuple[int, int]) -> tuple[int, int]:
    return shape[1], shape[0]


def texture(ctx: moderngl.Context, values: NDArray[np.floating]) -> moderngl.Texture:
    return ctx.texture(values.shape[::-1], 1, values.astype(np.float32).tobytes(), dtype="f4")


def scores_of(ctx: moderngl.Context, picture: NDArray[np.floating], template: object) -> NDArray[np.float32]:
    shape = template.size[::-1] if isinstance(template, moderngl.Texture) else np.shape(template)  # type: ignore[arg-type]
    with TemplateMatch(ctx, picture.shape, shape) as match:
        source = texture(ctx, picture)
        target = ctx.texture(size(match.output_shape), 1, dtype="f4")
        match.set_template(template)  # type: ignore[arg-type]
        match.run(source, target, next_use="read")
        scores = np.frombuffer(target.read(), np.float32).reshape(match.output_shape)
    source.release()
    target.release()
    return scores


@pytest.mark.parametrize(
    ("shape", "size", "offset"),
    [
        ((20, 28), (7, 9), 20.0),
        ((21, 40), (17, 18), 0.0),
        ((12, 12), (12, 12), 20.0),
        ((9, 30), (1, 5), 0.0),
    ],
    ids=str,
)
def test_scores_are_those_of_the_formula(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, shape: tuple[int, int], size: tuple[int, int], offset: float
) -> None:
    monkeypatch.setattr(templates, "_RUN", 8)  # so that small pictures have several runs each way
    random = np.random.default_rng(2)
    picture = random.standard_normal(shape).astype(np.float32)
    template = picture[-size[0] :, : size[1]]
    scores = scores_of(ctx, picture + np.float32(offset), template)
    assert np.abs(scores - expected(picture, template)).max() < SCORE * (1 + offset / 10)
    assert np.unravel_index(scores.argmax(), scores.shape) == (shape[0] - size[0], 0)
    assert scores.max() == pytest.approx(1.0, abs=SCORE)


def test_brightness_contrast_and_scale_change_nothing_and_flat_windows_score_zero(ctx: moderngl.Context) -> None:
    picture = np.random.default_rng(3).random((30, 30))
    picture[5:20, 5:20] = 0.7
    template = picture[20:24, 10:15]
    first = scores_of(ctx, picture, template)
    assert np.abs(first - scores_of(ctx, 300.0 - 200.0 * picture, -5.0 * template)).max() < SCORE
    # Squares of some of these are no float32. A GPU may take what is under 1.2e-38 for 0, and rounding is kept apart.
    for scales in ((1e-4, 1e5), (1e-14, 1e-30), (1e17, 1e30)):
        assert np.abs(first - scores_of(ctx, scales[0] * picture, scales[1] * template)).max() < SCORE
    # Where squares of the picture are no float32 either, nothing is known, and no score is made up.
    assert np.isnan(scores_of(ctx, 1e20 * picture, template)).all()
    assert not scores_of(ctx, 1e-21 * picture, template).any()
    assert not first[5:17, 5:16].any()
    assert first[20, 10] == pytest.approx(1.0, abs=SCORE)


def test_dark_windows_beside_bright_ones_have_no_score(ctx: moderngl.Context) -> None:
    random = np.random.default_rng(0)
    picture = np.zeros((70, 120), np.float32)
    picture[5:10, 5:10], picture[35:60, 65:100] = 0.5 + 0.5 * random.random((5, 5)), random.random((25, 35))
    template = picture[38:50, 70:87]
    scores = scores_of(ctx, picture, template)
    assert np.abs(scores - expected(picture, template)).max() < SCORE
    assert not scores[sliding_window_view(picture, template.shape).max((-2, -1)) == 0].any()


def test_little_contrast_on_a_bright_ground_is_enough(ctx: moderngl.Context) -> None:
    picture = np.random.default_rng(5).standard_normal((40, 50)) + 32768.0
    scores = scores_of(ctx, picture, picture[10:21, 7:20])
    assert np.unravel_index(scores.argmax(), scores.shape) == (10, 7)
    assert scores.max() > 0.99


def test_a_texture_may_be_the_template_and_a_peak_is_found_between_texels(ctx: moderngl.Context) -> None:
    down, right = np.indices((50, 60))
    waves = sum(np.sin((a * down + b * right) / 3 + a) for a, b in ((1.0, 0.3), (-0.4, 1.1), (0.7, -0.8)))
    row, column = 20.37, 31.84
    down, right = np.indices((16, 12))
    template = texture(
        ctx,
        np.asarray(
            sum(
                np.sin((a * (down + row) + b * (right + column)) / 3 + a)
                for a, b in ((1.0, 0.3), (-0.4, 1.1), (0.7, -0.8))
            )
        ),
    )
    source = texture(ctx, np.asarray(waves))
    with TemplateMatch(ctx, (50, 60), (16, 12)) as match, PeakFinder(ctx, match.output_shape) as finder:
        scores = ctx.texture(size(match.output_shape), 1, dtype="f2")
        match.set_template(template)
        match.run(source, scores, next_use="sample")
        finder.run(scores)
        peak = finder.read()
    assert peak[:2] == pytest.approx((row, column), abs=0.1)
    assert peak.value > 0.99
    for each in (template, source, scores):
        each.release()


def test_errors_say_what_to_do(ctx: moderngl.Context) -> None:
    picture = np.random.default_rng(3).random((8, 9))
    source, target = texture(ctx, picture), ctx.texture((6, 6), 1, dtype="f4")
    match = TemplateMatch(ctx, (8, 9), (3, 4))
    finder = PeakFinder(ctx, match.output_shape)
    with_nan = picture.copy()
    with_nan[4, 4] = np.nan
    bad, without_mipmaps = texture(ctx, with_nan), texture(ctx, picture[:3, :4])
    without_mipmaps.filter = moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR
    for call, error in (
        (lambda: TemplateMatch(ctx, (8, 9), (9, 3)), ShapeError),
        (lambda: TemplateMatch(ctx, (8, 9), (0, 3)), ShapeError),
        (lambda: match.run(source, target), OptionError),
        (lambda: match.set_template(picture), ShapeError),
        (lambda: match.set_template(picture[:3, :4] * 1j), OptionError),
        (lambda: match.set_template(with_nan[3:6, 3:7]), DataError),
        (lambda: match.set_template(np.full((3, 4), 0.5)), DataError),
        (lambda: match.set_template(source), TextureError),
        (lambda: match.set_template(picture[:3, :4]) or match.run(target, target), TextureError),
        (lambda: match.run(source, source), TextureError),
        (lambda: match.run(source, ctx.texture((6, 6), 1, dtype="i4")), TextureError),
        (lambda: match.run(source, ctx.texture((6, 6), 3, dtype="f4")), TextureError),
        (lambda: match.run(source, ctx.texture((6, 6), 4, dtype="f1", internal_format=0x8C43)), TextureError),
        (lambda: match.set_template(ctx.texture((4, 3), 1, dtype="u1")), TextureError),
        (lambda: match.set_template(without_mipmaps), TextureError),
        (lambda: match.run(source, target, "print"), OptionError),
        (lambda: match.run(bad, target) or finder.run(target) or finder.read(), DataError),
        (lambda: match.release() or match.run(source, target), ReleasedError),
    ):
        with refused(error):
            call()
    finder.release()
    for each in (source, target, bad, without_mipmaps):
        each.release()


def test_nothing_is_left_of_a_match(ctx: moderngl.Context) -> None:
    picture = np.random.default_rng(3).random((8, 9))
    scores_of(ctx, picture, picture[:3, :4])  # programs and tables stay
    before = live_objects(ctx)
    scores_of(ctx, picture, picture[:3, :4])
    assert live_objects(ctx) == before


@pytest.mark.parametrize("turned", [False, True])
def test_scores_beside_an_edge_are_right_where_contrast_is_a_thousandth_of_it(
    ctx: moderngl.Context, turned: bool
) -> None:
    rng = np.random.default_rng(4)
    picture = (5e-4 * rng.standard_normal((64, 80))).astype(np.float32)
    picture[:, 40:] += 0.9
    template = rng.standard_normal((8, 8)).astype(np.float32)
    picture = np.ascontiguousarray(picture.T if turned else picture)
    # The convolution's rounding is of the whole picture's size.
    assert np.abs(scores_of(ctx, picture, template) - expected(picture, template)).max() < 1e-3
