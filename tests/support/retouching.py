"""Pictures made of numbers, clean and with what a retoucher removes."""

from __future__ import annotations

import moderngl
import numpy as np

from glfft.apps.spectrum.viewer import Viewer


def landscape(shape: tuple[int, int], seed: int = 0, bands: int = 0) -> np.ndarray:
    """A picture from 0.1 to 0.9 whose amplitudes fall as those of photographs, about as 1/f (Field, Relations between
    the statistics of natural images and the response properties of cortical cells, J. Opt. Soc. Am. A 4 (1987)), and
    with hard edges: float64 [rows, columns], or with `bands` [rows, columns, bands].
    """
    generator = np.random.default_rng(seed)
    rows, columns = shape
    frequency = np.hypot(np.fft.fftfreq(rows)[:, None], np.fft.fftfreq(columns)[None, :])
    frequency[0, 0] = 1
    planes = []
    for _ in range(max(bands, 1)):
        plane = np.fft.ifft2(np.fft.fft2(generator.normal(size=shape)) / frequency**1.5).real
        planes.append((plane - plane.min()) / (plane.max() - plane.min()))
    y, x = np.indices(shape)
    picture = np.stack(planes, axis=-1)
    for _ in range(3):
        top, left = generator.integers(0, rows // 2), generator.integers(0, columns // 2)
        picture[top : top + rows // 3, left : left + columns // 4] *= generator.uniform(0.4, 0.9)
        centre, radius = generator.uniform(0, 1, 2), generator.uniform(0.1, 0.25)
        disc = np.hypot(y - centre[0] * rows, x - centre[1] * columns) < radius * min(shape)
        picture[disc] = 1 - 0.6 * (1 - picture[disc])
    picture = 0.1 + 0.8 * (picture - picture.min()) / (picture.max() - picture.min())
    return picture if bands else picture[..., 0]


def psnr(one: np.ndarray, other: np.ndarray) -> float:
    """Peak signal-to-noise ratio of pictures from 0 to 1, dB."""
    return float(-10 * np.log10(np.mean((one.astype(np.float64) - other) ** 2)))


def halftone(picture: np.ndarray, period: float, angles: tuple[float, ...], finer: int = 3) -> np.ndarray:
    """A picture [rows, columns, 3] from 0 to 1 as offset print shows it to a scanner of `period` pixels a screen cell.

    Cyan, magenta, yellow, and black where there are four angles (degrees), are dots of a cosine screen (Lau and Arce,
    Modern Digital Halftoning, 2008, chapter 2): ink where the tone is above the screen. Each pixel is the mean of
    `finer` x `finer` points.
    """
    rows, columns = picture.shape[:2]
    inks = 1 - picture
    if len(angles) == 4:
        black = inks.min(axis=2, keepdims=True) * 0.6
        inks = np.concatenate([(inks - black) / (1 - black), black], axis=2)
    y, x = np.indices((finer * rows, finer * columns)) / finer
    # The share of a cell above each level makes the mean of the dots the tone. No ink, no dots.
    levels = np.sort(np.add.outer(*[np.cos(np.arange(512) * (2 * np.pi / 512))] * 2).ravel())
    levels = np.concatenate([[-np.inf], levels])
    reached = levels[np.ceil(inks * (len(levels) - 1)).astype(int)]
    reached = np.repeat(np.repeat(reached, finer, axis=0), finer, axis=1)
    dots = np.empty_like(reached)
    for ink, angle in enumerate(np.radians(angles)):
        u = (x * np.cos(angle) + y * np.sin(angle)) * (2 * np.pi / period)
        v = (y * np.cos(angle) - x * np.sin(angle)) * (2 * np.pi / period)
        dots[..., ink] = np.cos(u) + np.cos(v) <= reached[..., ink]
    light = (1 - dots[..., :3]) * (1 - dots[..., 3:] if len(angles) == 4 else 1)
    return light.reshape(rows, finer, columns, finer, 3).mean(axis=(1, 3))


def ssim(one: np.ndarray, other: np.ndarray) -> float:
    """Structural similarity of grey pictures from 0 to 1, with means over 7 x 7 pixels (Wang et al., Image quality
    assessment: from error visibility to structural similarity, IEEE Trans. Image Processing 13 (2004)).
    """

    def mean(values: np.ndarray) -> np.ndarray:
        return np.lib.stride_tricks.sliding_window_view(values, (7, 7)).mean(axis=(2, 3))

    first, second = mean(one), mean(other)
    variances = mean(one * one) - first**2 + mean(other * other) - second**2
    covariance = mean(one * other) - first * second
    steady, contrast = 0.01**2, 0.03**2
    similarity = (2 * first * second + steady) * (2 * covariance + contrast)
    return float((similarity / ((first**2 + second**2 + steady) * (variances + contrast))).mean())


def viewer_frame(ctx: moderngl.Context, viewer: Viewer, size: tuple[int, int]) -> np.ndarray:
    """What a viewer draws, row 0 at the top: uint8 [height, width, 3]."""
    colour = ctx.texture(size, 4)
    framebuffer = ctx.framebuffer([colour])
    # A framebuffer must not be released while it is bound.
    with ctx.scope(ctx.detect_framebuffer(0)):
        viewer.draw(framebuffer, size)
    pixels = np.frombuffer(framebuffer.read(components=3), np.uint8).reshape(size[1], size[0], 3)[::-1]
    framebuffer.release()
    colour.release()
    return pixels
