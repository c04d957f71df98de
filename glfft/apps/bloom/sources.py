"""Where light comes from: a picture, the ocean at a low sun, or a city by the water at dusk; linear, 1 for white."""

import math
from dataclasses import replace

import numpy as np
from moderngl import Context, Texture
from numpy.random import Generator
from numpy.typing import NDArray

from glfft.apps.ocean.quality import choose
from glfft.apps.ocean.scene import OceanScene
from glfft.apps.ocean.screen_pass import radiance_texture
from glfft.apps.ocean.shot import Shot, light_of_preset
from glfft.apps.ocean.sky import Weather
from glfft.gl.releasable import Keeper, released_on_error
from glfft.gl.timed import Sections, timed
from glfft.sea.presets import preset
from glfft.sea.simulation import OceanSimulation

Array = NDArray[np.float64]
Colour = tuple[float, float, float]
Range = tuple[float, float]

LARGEST_LIGHT = 65504.0  # of half floats

# The city: parts of the picture's height, from the top, and of its width.
_HORIZON = 0.66
_SUN = (0.615, 0.455)
_AUREOLE = np.array([1.0, 0.56, 0.24])

_SODIUM, _WARM, _WHITE, _COOL = [1.0, 0.52, 0.12], [1.0, 0.74, 0.42], [1.0, 0.93, 0.82], [0.72, 0.86, 1.0]
_LAMPS = np.array([_SODIUM, _WARM, _WARM, _WHITE, _COOL])
_SIGNS = np.array([[1.0, 0.05, 0.03], [0.06, 0.9, 0.35], [0.1, 0.3, 1.0], [1.0, 0.12, 0.6]])


class Source(Keeper):
    size: tuple[int, int]  # width and height
    moves: bool  # whether pictures differ
    top_first: bool  # whether row 0 of the light is at the top
    beyond_white: bool  # whether there is light brighter than white
    exposure: float = 1.0  # display white per light, of the last picture

    def light(self, time: float, profiler: Sections | None = None) -> Texture:
        """The light at a time in s, filtered linearly, until the next call."""
        raise NotImplementedError


class Still(Source):
    """A picture that stands still, [height, width, 3], top row first."""

    moves, top_first = False, True

    def __init__(self, ctx: Context, light: NDArray[np.float32], beyond_white: bool) -> None:
        self.size = (light.shape[1], light.shape[0])
        self.beyond_white = beyond_white
        self._texture = self._own(upload(ctx, light))

    def light(self, time: float, profiler: Sections | None = None) -> Texture:
        return self._texture


class Ocean(Source):
    """A swell under a low sun, from a camera just above the water."""

    moves, top_first, beyond_white = True, False, True

    def __init__(self, ctx: Context, size: tuple[int, int], quality: str = "auto", in_window: bool = False) -> None:
        self.size = size
        shot = low_sun()
        self._camera = shot.first_camera()
        with released_on_error([self]):
            self._simulation = self._own(OceanSimulation(ctx, shot.settings))
            self._scene = self._own(OceanScene(ctx, size, shot.weather(), choose(ctx, quality, in_window)))
            self._scene.prepare(self._simulation, self._camera)

    def light(self, time: float, profiler: Sections | None = None) -> Texture:
        with timed(profiler, "simulation"):
            self._simulation.update(time, profiler=profiler)
        self.exposure = self._scene.exposure(self._camera)
        return self._scene.draw_light(self._simulation, self._camera, time, profiler)


def low_sun() -> Shot:
    """A swell, with the sun a little higher than its preset's, clear of its own glow, and ahead."""
    name = "swell-at-sunset"
    shot = Shot(settings=preset(name), preset=name)
    light = light_of_preset(name) | {"sun_elevation": math.radians(4.0)}
    return replace(shot, light=Weather(sun_heading=shot.first_camera().heading + math.radians(5.0), **light))


def upload(ctx: Context, picture: NDArray[np.float32]) -> Texture:
    """A texture of linear light [height, width, 3], row 0 first; light beyond half floats' range counts as the most."""
    height, width = picture.shape[:2]
    with np.errstate(invalid="ignore"):
        light = np.clip(np.nan_to_num(picture, nan=0.0, posinf=LARGEST_LIGHT, neginf=0.0), 0.0, LARGEST_LIGHT)
    texels = np.pad(light.astype(np.float16), [(0, 0), (0, 0), (0, 1)], constant_values=1)
    texture = radiance_texture(ctx, (width, height))
    texture.write(texels.tobytes())
    return texture


def download(texture: Texture) -> NDArray[np.float16]:
    """The light of a texture of half floats, [height, width, 3], row 0 first."""
    width, height = texture.size
    return np.frombuffer(texture.read(), np.float16).reshape(height, width, 4)[..., :3]


def city(size: tuple[int, int], seed: int = 1) -> NDArray[np.float32]:
    """The scene at a width and a height, [height, width, 3], top row first."""
    width, height = size
    random = np.random.default_rng([seed, 77])
    y, x = np.meshgrid((np.arange(height) + 0.5) / height, (np.arange(width) + 0.5) / width, indexing="ij")
    picture = _sky(x, y, width / height)
    # From the farthest to the nearest.
    _houses(picture, random, (0.085, 0.058, 0.062), (0.06, 0.22), (0.014, 0.040), 0.04, 0.5)
    _houses(picture, random, (0.030, 0.026, 0.034), (0.07, 0.30), (0.020, 0.050), 0.09, 1.3)
    _houses(picture, random, (0.008, 0.008, 0.012), (0.06, 0.38), (0.026, 0.070), 0.14, 2.4)
    water = round(_HORIZON * height)
    _lamps(picture, random, water)
    _mirrored(picture, random, water)
    return picture.astype(np.float32)


def _sky(x: Array, y: Array, aspect: float) -> Array:
    up = np.clip(1 - y / _HORIZON, 0, 1)[..., None]
    zenith, middle, low = np.array([[0.010, 0.022, 0.060], [0.085, 0.085, 0.135], [0.62, 0.24, 0.085]])
    sky = zenith + (middle - zenith) * np.exp(-2.6 * up) + (low - middle) * np.exp(-7.5 * up)
    away, radius = np.hypot(x - _SUN[0], (y - _SUN[1]) / aspect), 0.0042  # in parts of the width
    sky += (0.55 * np.exp(-away / 0.045) + 0.2 * np.exp(-away / 0.2))[..., None] * _AUREOLE
    disc = np.clip((radius - away) * x.shape[1] + 0.5, 0, 1)
    darker_limb = 0.45 + 0.55 * np.sqrt(np.clip(1 - (away / radius) ** 2, 0, 1))
    return sky + (disc * darker_limb)[..., None] * (60000.0, 42000.0, 24000.0)


def _houses(
    picture: Array, random: Generator, colour: Colour, heights: Range, widths: Range, gap: float, brightest: float
) -> None:
    """A row of houses, all lengths in parts of the picture; those in the gap around the sun do not reach it."""
    height, width = picture.shape[:2]
    ground, left = round(_HORIZON * height), -0.02
    while left < 1.0:
        wide, tall = random.uniform(*widths), random.uniform(*heights)
        if abs(left + wide / 2 - _SUN[0]) < gap:
            tall = min(tall, 0.09)
        first, last = (min(max(round(edge * width), 0), width) for edge in (left, left + wide))
        columns, top = slice(first, last), round((_HORIZON - tall) * height)
        if last > first:
            # Haze over the water, and a narrower storey on top of tall ones.
            haze = 1 + 1.6 * np.linspace(0, 1, ground - top)[:, None, None] ** 3
            picture[top:ground, columns] = np.array(colour) * random.uniform(0.7, 1.3) * haze
            if tall > 0.16 and random.random() < 0.6:
                _roof(picture, random, columns, top, colour)
            _windows(picture, random, columns, top, ground, brightest)
            if random.random() < 0.25 and tall > 0.2:
                _point(picture, (first + last) / 2, top - 0.012 * height, 900.0 * _SIGNS[0], 0.7)
        left += wide * random.uniform(0.8, 1.15)


def _roof(picture: Array, random: Generator, columns: slice, top: int, colour: Colour) -> None:
    height, wide = picture.shape[0], columns.stop - columns.start
    inset, lift = int(wide * random.uniform(0.15, 0.35)), int(height * random.uniform(0.008, 0.03))
    picture[max(0, top - lift) : top, columns.start + inset : columns.stop - inset] = colour
    if random.random() < 0.5:
        mast, thick = columns.start + int(wide * random.uniform(0.3, 0.7)), max(1, height // 540)
        picture[max(0, top - int(0.07 * height)) : top, mast : mast + thick] = colour


def _windows(picture: Array, random: Generator, columns: slice, top: int, ground: int, brightest: float) -> None:
    """Lit windows, a grid of them; in one of a hundred the sun is mirrored."""
    height = picture.shape[0]
    step = max(3, round(height / 120))
    wide, tall = max(1, round(0.42 * step)), max(1, round(0.55 * step))
    share = random.uniform(0.05, 0.32)
    for row in range(top + step, ground - step, step):
        for column in range(columns.start + step // 2, columns.stop - step, step):
            chance, kind, light = random.random(3)
            if chance > share:
                continue
            colour = _LAMPS[int(kind * len(_LAMPS))] * brightest * (0.08 + 0.92 * light**3)
            if chance < 0.004 * share:
                colour = _AUREOLE * 900.0
            picture[row : row + tall, column : column + wide] = colour


def _lamps(picture: Array, random: Generator, water: int) -> None:
    height, width = picture.shape[:2]
    for index in range(26):
        place, lift, kind, light = random.random(4)
        colour = _LAMPS[index % len(_LAMPS)] * (180.0 + 5200.0 * light**4)
        row = water - height * (0.008 + 0.016 * (lift if index % 3 else 0.4))
        _point(picture, width * ((index + 0.7 * place) / 26), row, colour, 0.5 + 0.4 * kind)
    for index in range(9):
        place, lift, light = random.random(3)
        colour = _SIGNS[index % len(_SIGNS)] * (300.0 + 900.0 * light)
        _point(picture, width * place, water - height * (0.03 + 0.16 * lift), colour, 0.7)


def _point(picture: Array, column: float, row: float, colour: Array, radius: float) -> None:
    """Add a small round light; its radius is in pixels of a picture 720 high."""
    radius = max(0.55, radius * picture.shape[0] / 720)
    reach = int(3 * radius) + 1
    top, left = max(0, int(row) - reach), max(0, int(column) - reach)
    part = picture[top : int(row) + reach + 1, left : int(column) + reach + 1]
    rows, columns = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
    away = (rows + 0.5 - row) ** 2 + (columns + 0.5 - column) ** 2
    part += np.exp(-0.5 * away / radius**2)[..., None] * colour


def _mirrored(picture: Array, random: Generator, water: int) -> None:
    """The water: what stands above it, drawn out by waves, and the sun's glitter."""
    height, width = picture.shape[:2]
    rows = np.arange(water, height)
    depth = (rows - water + 0.5) / (height - water)
    for row, near in zip(rows, depth, strict=True):  # far waves stand close together
        spread = 2 + 60 * near * height / 720
        taken = water - 1 - (np.abs(random.normal(0, 1, 24)) * spread + (row - water)).astype(int)
        light = picture[np.clip(taken, 0, water - 1)]
        # The sun's own mirror image is its glitter.
        line = (light * np.minimum(1, 9.0 / np.maximum(light.max(axis=-1, keepdims=True), 1e-9))).mean(axis=0)
        crests = np.arange(0, width + 9, 9)
        ripple = np.interp(np.arange(width), crests, random.normal(0, 0.13, len(crests)))
        picture[row] = line * (0.42 * (1 + ripple))[:, None] + np.array([0.004, 0.007, 0.012])
    _glitter(picture, random, water)


def _glitter(picture: Array, random: Generator, water: int) -> None:
    height, width = picture.shape[:2]
    for near, across, light, long in random.random((900, 4)):
        row = water + (height - water) * near**1.5
        spread = 0.012 + 0.07 * near
        # About normally distributed: the logistic's inverse.
        aside = float(np.log((across + 1e-3) / (1.001 - across)) / 2.4)
        column = width * (_SUN[0] + spread * np.sqrt(2) * aside)
        colour = _AUREOLE * (14.0 * np.exp(6.2 * light**5))
        half = (1.0 + 5.0 * long * (0.2 + near)) * height / 720
        for step in np.arange(-half, half + 0.5):
            at = int(column + step)
            if 0 <= at < width and row < height:
                picture[int(row), at] = np.maximum(picture[int(row), at], colour * (1 - abs(step) / (half + 1)))
