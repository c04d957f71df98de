"""The surface of the sea: its tiles of waves, drawn again and again from the camera to the horizon."""

import math
from functools import lru_cache
from typing import Any

import moderngl
import numpy as np

from glfft.apps.ocean.camera import NEAR, Camera
from glfft.apps.ocean.picture import LENS_POINTS, Picture
from glfft.apps.ocean.quality import MEDIUM, Quality
from glfft.apps.ocean.screen_pass import Mipmaps, ScreenPass, mipmap_filter
from glfft.apps.ocean.sky import LOW_CLOUDS, Sky
from glfft.gl import barriers, bindings, programs
from glfft.gl.context import is_software
from glfft.gl.releasable import Keeper
from glfft.gl.source import Define
from glfft.gl.textures import use_textures
from glfft.sea import cascades, waves
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import tile_uniforms

_MESH_GROUPS = 32, 64  # threads of a work group: for a small patch, for another
_FOAM_PATTERN_SIZE, _STEEPEST_FOAM = 512, 64.0  # gradient of the pattern, per tile of it

# The share of the variance of slopes too short for the grid that is shown as ripples close by; the rest is roughness.
# Ripples are waves of the tile shorter than a texel of this mipmap, at a smaller scale. A tile with few of them has a
# smaller share: their slopes are multiplied by no more than the last number.
_RIPPLE_SHARE, _MOST_RIPPLE_GAIN, _RIPPLE_LEVEL = 0.6, 8.0, 4
# How many times smaller than the tile its two readings for ripples are, and how they drift, m/s.
_RIPPLE_SCALES, _RIPPLE_DRIFTS = (9.7, 37.3), ((0.54, -0.33), (0.41, 0.29))

# Shares of red, green and blue light: what clear ocean water with a little plankton sends back up; what sand does;
# and what water takes in a metre, as in underwater.glsl.
_DEEP_REFLECTANCE, _SAND, _EXTINCTION = (0.0060, 0.0260, 0.0400), (0.34, 0.31, 0.24), (0.36, 0.085, 0.075)

# Texels along a side of the map of sunlight on the bottom, and how many rays each adds up on each side; and if frugal.
_CAUSTICS = (256, 4), (128, 2)

# The planet's radius, m. The sea curves down with the distance from the eye: from 10 m up the horizon is 11 km away.
PLANET_RADIUS = 6360e3


class Water(Keeper):
    def __init__(self, ctx: moderngl.Context, quality: Quality = MEDIUM) -> None:
        self._ctx, self._quality = ctx, quality
        self._cells = cells = quality.cells
        corners, triangles = _patch_grid(cells)
        self._corners = self._own(ctx.buffer(corners.tobytes()))
        self._triangles = self._own(ctx.buffer(triangles.tobytes()))
        self._places = self._own(ctx.buffer(reserve=4 * 16 * 1024, dynamic=True))
        defines = {"CELLS": cells, "SLIVERS": int(is_software(ctx))}
        program = programs.program(ctx, vertex="ocean/water.vert", fragment="ocean/still.frag", defines=defines)
        content = [(self._corners, "2f", "corner"), (self._places, "4f/i", "patch_place")]
        self._grid = self._own(ctx.vertex_array(program, content, self._triangles, index_element_size=2))
        self._moved: moderngl.Texture | None = None
        # A GPU passes by what is not seen, and need not compile a shader again once it is.
        self._whole = not (quality.plain or is_software(ctx))
        self._foam_pattern = self._own(ctx.texture((_FOAM_PATTERN_SIZE, _FOAM_PATTERN_SIZE), 4, dtype="f1"))
        pattern = ScreenPass(ctx, "ocean/foam_pattern.frag", {"STEEPEST": _STEEPEST_FOAM})
        with pattern, Mipmaps(ctx, self._foam_pattern) as mipmaps:
            pattern.draw_into(self._foam_pattern)
            mipmaps.make()
        self._foam_pattern.filter = (mipmap_filter(quality.plain), moderngl.LINEAR)
        side, _ = _CAUSTICS[quality.frugal]
        self._caustics = self._own(ctx.texture((side, side), 1, np.ones((side, side), "f2").tobytes(), dtype="f2"))
        self._sea_sampler = self._own(ctx.sampler(filter=(mipmap_filter(quality.frugal), moderngl.LINEAR)))

    def draw_mesh(self, simulation: OceanSimulation, camera: Camera, aspect: float, rows: int) -> None:
        """Draw the mesh into a bound `Picture.mesh` of a width over height, with `rows` of samples in its height."""
        reach, view_projection = self._quality.reach, camera.view_projection(aspect)
        # Heights are Rayleigh-distributed: one wave in 3000 is higher than twice Hs.
        significant_height = max(1e-3, simulation.significant_height)
        longest = max(waves.longest_peak_wave(each) for each, _ in simulation.shares)
        wide = 1 / math.tanh(2 * math.pi / longest * min(simulation.step.depths))  # of waves in shallow water
        swing = 1.2 * significant_height * simulation.choppiness * wide + 0.1
        finest = self._finest_patch(simulation.tiles)
        places = visible_patches(camera.position, view_projection, finest, swing, 1.5 * significant_height + 0.1, reach)
        if len(places) == 0:
            return
        if places.nbytes > self._places.size:
            self._places.orphan(2 * places.nbytes)
        self._places.write(places.tobytes())
        moved = {"moved": self._move_points(len(places), simulation, camera, rows)}
        uniforms = {"view_projection": tuple(view_projection.T.ravel()), "eye": camera.position, "reach": reach}
        uniforms |= use_textures(moved, bindings.FIRST_DRAWING_TEXTURE_UNIT)
        programs.set_uniforms(self._grid.program, uniforms)
        self._ctx.enable(moderngl.DEPTH_TEST)
        self._ctx.disable(moderngl.BLEND | moderngl.CULL_FACE)
        self._grid.render(moderngl.TRIANGLES, instances=len(places))
        self._ctx.disable(moderngl.DEPTH_TEST)

    def _move_points(self, count: int, simulation: OceanSimulation, camera: Camera, rows: int) -> moderngl.Texture:
        """The points of so many patches, moved with the waves: a row a patch."""
        # In a compute shader: a point that several triangles share is read once, and on a processor by all its cores.
        corners = (self._cells + 1) ** 2
        if self._moved is None or self._moved.height < count:
            if self._moved is not None:
                self._moved.release()
            # Room for 256 more at a time.
            self._moved = self._own(self._ctx.texture((corners, -(-count // 256) * 256), 4, dtype="f4"))
        group = _MESH_GROUPS[corners > _MESH_GROUPS[0]]
        defines = {"CELLS": self._cells, "TILES": len(simulation.tiles), "GROUP": group}
        uniforms = {**_use_shapes(simulation), **where_waves_are(simulation, camera)}
        uniforms |= {"resolution": camera.pixel_angle(rows), "reach": self._quality.reach}
        self._places.bind_to_storage_buffer(bindings.FIRST_APP_BUFFER_BINDING)
        defines |= {"PLACES": bindings.FIRST_APP_BUFFER_BINDING}
        self._compute("ocean/mesh.comp", defines, uniforms, self._moved, -(-corners // group), count)
        return self._moved

    def find_lens_depths(self, picture: Picture, simulation: OceanSimulation) -> None:
        """Look up the surface just before the camera, which decides what of a picture is under water; see `shade`."""
        uniforms = {"smallest": self._finest_patch(simulation.tiles) / self._cells, **_use_shapes(simulation)}
        defines = {"TILES": len(simulation.tiles), "SIDE": LENS_POINTS}
        self._compute("ocean/lens_depths.comp", defines, {**picture.uniforms, **uniforms}, picture.lens_depths, 1)

    def _find_caustics(self, simulation: OceanSimulation, depth: float) -> dict[str, Any]:
        """Gather the sunlight on the bottom, so many metres deep, under the finest tile."""
        side, around = _CAUSTICS[self._quality.frugal]
        surface = use_textures({"surface": simulation.surface}, bindings.FIRST_DRAWING_TEXTURE_UNIT)
        # By the refractive index of sea water, as in underwater.glsl.
        uniforms = {**surface, **tile_uniforms(simulation.tiles), "reach": depth * (1 - 1 / 1.34)}
        defines = {"TILES": len(simulation.tiles), "SIDE": side, "AROUND": around}
        self._compute("ocean/caustics.comp", defines, uniforms, self._caustics, side // 8, side // 8)
        return {"caustics": self._caustics}

    def _compute(self, shader: str, defines: dict[str, int], uniforms: dict[str, Any], target: moderngl.Texture,
                 *groups: int) -> None:  # fmt: skip
        """Run a compute shader that writes a texture, which can be sampled after."""
        program = programs.compute(self._ctx, shader, {**defines, "IMAGE_UNIT": bindings.FIRST_DRAWING_IMAGE_UNIT})
        programs.set_declared(program, uniforms)
        target.bind_to_image(bindings.FIRST_DRAWING_IMAGE_UNIT, read=False, write=True)
        program.run(*groups)
        self._ctx.memory_barrier(barriers.TEXTURE_FETCH_BARRIER)

    def light_bottom(self, picture: Picture, simulation: OceanSimulation) -> dict[str, Any]:
        """Find the sunlight on the bottom where it is seen. Returns what `Sky.draw_background` reads under water."""
        # One in 16,000 Rayleigh-distributed waves reaches an eye so high above the still sea.
        self._below = picture.uniforms["eye"][1] < 1.1 * simulation.significant_height + 2 * NEAR
        self._sand = picture.uniforms["from_sand"][1] > (1.1e-5 if self._below else 1e-3)  # down to 60 m, and to 33 m
        bottom = self._find_caustics(simulation, picture.uniforms["water_depth"]) if self._sand else {}
        return {"stretch": simulation.stretch, **bottom} if self._below or self._whole else {}

    def shade(self, picture: Picture, simulation: OceanSimulation, sky: Sky) -> None:
        """Light the sea in a picture with its mesh drawn and its bottom lit, reflecting the sky."""
        sea = {"surface": simulation.surface, "stretch": simulation.stretch}
        sea |= {"slope_products": simulation.slope_products, "foam_cover": simulation.foam}
        others = {"foam_pattern": self._foam_pattern, "environment": sky.environment, "cloud_tile": sky.cloud_tile}
        units = use_textures({**sea, **others, "caustics": self._caustics}, picture.free_unit)
        # In place of the textures' own filters: an anisotropic one is another on each device.
        for name in sea:
            self._sea_sampler.use(units[name])
        parts = [self._whole or part for part in (self._sand, self._below, picture.uniforms["eye"][1] > LOW_CLOUDS)]
        defines = shading_defines(len(simulation.tiles), self._quality.plain, *parts, taps=self._quality.taps)
        picture.run("ocean/shading.comp", "water", defines, units)
        for name in sea:
            self._sea_sampler.clear(units[name])

    def _finest_patch(self, tiles: tuple[OceanSettings, ...]) -> float:
        """Its side, m: of cells as wide as the grid of the waves; those shorter than 0.2 m are light and shade only."""
        return self._cells * max(tiles[-1].spacing, min(tiles[0].spacing, 0.2), 0.05)


def shading_defines(tiles: int, plain: bool = False, sand: bool = True, below: bool = True, aloft: bool = True,
                    taps: int = 1) -> dict[str, Define]:  # fmt: skip
    """The constants of water_light.glsl."""
    coarse, fine = _RIPPLE_SCALES
    ripples = {"RIPPLE_LEVEL": float(_RIPPLE_LEVEL), "COARSE_RIPPLES": coarse, "FINE_RIPPLES": fine}
    parts = {"PLAIN": int(plain), "SAND": int(sand), "BELOW": int(below), "ALOFT": int(aloft), "TAPS": taps}
    # Mipmaps blur across the view as along it: for what is read in one place, a finer level.
    return {"TILES": tiles, "DETAIL_BIAS": -1.0, "STEEPEST": _STEEPEST_FOAM, **ripples, **parts}


def uniforms_of(picture: Picture, simulation: OceanSimulation, sky: Sky, camera: Camera, time: float) -> dict[str, Any]:
    """What the passes of a picture share, by name: `Picture.uniforms`."""
    view = camera.heading, camera.pitch
    return {
        **where_waves_are(simulation, camera),
        **shading_uniforms(simulation, time),
        **sky.light,
        "visibility": seen_through_air(sky, camera, simulation.mean(lambda each: each.wind)),
        "environment_columns": float(sky.environment.width),
        "near": NEAR,
        "boost": sky.exposure(*view, -camera.position[1]) / sky.exposure(*view),
        "to_world": tuple(camera.screen_to_world(picture.aspect).T.ravel()),  # from (screen x, screen y, -1)
        "view_projection": tuple(camera.view_projection(picture.aspect).T.ravel()),
        "pixel_angle": camera.pixel_angle(picture.radiance.height),
    }


def where_waves_are(simulation: OceanSimulation, camera: Camera) -> dict[str, object]:
    """What mesh and shading must agree on."""
    return {**tile_uniforms(simulation.tiles), "eye": camera.position, "choppiness": simulation.choppiness}


def _use_shapes(simulation: OceanSimulation) -> dict[str, int]:
    """Bind the textures of displacement.glsl; their units by name."""
    textures = {"surface": simulation.surface, "stretch": simulation.stretch}
    return use_textures(textures, bindings.FIRST_DRAWING_TEXTURE_UNIT)


def shading_uniforms(simulation: OceanSimulation, time: float) -> dict[str, Any]:
    """What the light of the sea depends on besides its textures, the sky and the eye. Nothing of it jumps while a sea
    changes, and what moves at its own speed, but for gusts, is reduced in float64: as smooth after days as at first.
    """
    settings, finest = simulation.settings, simulation.tiles[-1]
    unresolved = tuple(simulation.mean(lambda each, axis=axis: unresolved_slopes(each)[axis]) for axis in range(3))
    reflectance = [simulation.mean(lambda each, i=i: water_reflectance(each.depth)[i]) for i in range(3)]
    share, gain = ripples(unresolved, simulation.mean(short_slope_variance))
    return {
        "downwind": _unit(simulation.mean(lambda each: each.wind_direction)),
        "gust_drift": 6.0 * time if math.isinf(settings.loop) else 0.0,  # m; in a loop they stand still
        # The wind draws foam out into rows from force 5 on, and altogether from force 9 on.
        "windrows": simulation.mean(lambda each: share_between(each.wind, 9.0, 22.0)),
        "water_reflectance": tuple(reflectance),
        "from_sand": tuple(all_of - deep for all_of, deep in zip(reflectance, _DEEP_REFLECTANCE, strict=True)),
        "water_depth": simulation.mean(lambda each: min(each.depth, 60.0)),  # where no sand is seen any more
        "unresolved": unresolved,
        # A grid with closer samples holds all waves down to the ripples of surface tension.
        "ripple_share": share if finest.spacing > 0.04 else 0.0,
        "ripple_gain": gain,
        "significant_height": max(1e-3, simulation.significant_height),
        "ripple_origin": ripple_origin(finest, time),
    }


@lru_cache(maxsize=1024)
def unresolved_slopes(settings: OceanSettings) -> tuple[float, float, float]:
    """Covariance (xx, zz, xz) of slopes missing in the grids: variances of Cox and Munk, J. Opt. Soc. Am. 44 (1954),
    3.16e-3 U along the wind and 3e-3 + 1.92e-3 U across it, minus that on the grids, but at least a fifth of all.
    """
    resolved = sum(waves.slope_variance(each) for each in cascades.tiles_of(settings))
    calm = min(settings.wind, 1.0) ** 2  # below 1 m/s hardly any ripples grow: force 0 is "like a mirror" (WMO No. 8)
    along, across = calm * 3.16e-3 * settings.wind, calm * (3e-3 + 1.92e-3 * settings.wind)
    along, across = max(along, (along + across) / 2), min(across, (along + across) / 2)  # alike in light winds
    share = max(0.2, 1.0 - resolved / (along + across))
    x, z = _unit(settings.wind_direction)
    xx, zz = along * x * x + across * z * z, along * z * z + across * x * x
    return share * xx, share * zz, share * (along - across) * x * z


@lru_cache(maxsize=1024)
def short_slope_variance(settings: OceanSettings) -> float:
    """Variance of the finest tile's slopes that ripples are made of: of waves shorter than a texel of a mipmap."""
    settings = cascades.tiles_of(settings)[-1]
    k = waves.wave_vectors(settings.size, settings.tile)
    texel = settings.tile / (settings.size >> _RIPPLE_LEVEL)
    # The mean of each wave over a texel of the mipmap is subtracted from it.
    mean = np.sinc(k.x * texel / (2 * math.pi)) * np.sinc(k.z * texel / (2 * math.pi))
    short = waves.energy_density(settings) * (k.x**2 + k.z**2) * (1 - mean) ** 2
    return float(short.sum()) * (2 * math.pi / settings.tile) ** 2


def ripples(unresolved: tuple[float, ...], short: float) -> tuple[float, float]:
    """The share of `unresolved_slopes` shown as ripples, and the factor for it on two readings of short waves."""
    both, wanted = 2 * short, unresolved[0] + unresolved[1]
    share = min(_RIPPLE_SHARE, _MOST_RIPPLE_GAIN**2 * both / wanted)
    return share, math.sqrt(share * wanted / both) if share > 0 else 0.0


def ripple_origin(tile: OceanSettings, time: float) -> tuple[float, ...]:
    """Where both readings for a tile's ripples begin, x and z each; in a loop they drift by whole tiles of theirs."""
    origin = []
    for scale, drifts in zip(_RIPPLE_SCALES, _RIPPLE_DRIFTS, strict=True):
        for speed in drifts:
            tiles = speed * (scale / tile.tile)  # a second
            tiles = tiles if math.isinf(tile.loop) else round(tiles * tile.loop) / tile.loop
            origin.append(math.fmod(tiles * time, 1.0))
    return tuple(origin)


def water_reflectance(depth: float) -> tuple[float, ...]:
    """The share of red, green and blue light entering the sea that comes back up, over sand at a depth in metres
    (Maritorena, Morel and Gentili, Limnology and Oceanography 39, 1994, equation 9a).
    """
    colours = zip(_DEEP_REFLECTANCE, _SAND, _EXTINCTION, strict=True)
    return tuple(deep + (sand - deep) * math.exp(-2 * lost * depth) for deep, sand, lost in colours)


def share_between(value: float, low: float, high: float) -> float:
    """How far a value is from `low` to `high`, from 0 to 1."""
    return min(1.0, max(0.0, (value - low) / (high - low)))


def seen_through_air(sky: Sky, camera: Camera, wind: float) -> float:
    """The distance at which 1/e of the contrast of something at sea level is left, m."""
    # Haze thins to 1/e over 1200 m, as in atmosphere.glsl: the way down to the sea is clearer than all along the sea.
    # Spray thins over 20 m. It affects visibility from force 10 on, and "very seriously" at force 12 (WMO No. 8): its
    # loss grows steeply with the wind, and at 25 m/s is as much as that of air which is seen through for 14 km.
    layers = ((1200.0, 1 / sky.weather.visibility), (20.0, (wind / 25.0) ** 9 / 14e3))  # height, and loss a metre
    height = max(1.0, camera.position[1])
    return 1 / sum(lost * thick / height * -math.expm1(-height / thick) for thick, lost in layers)


def _unit(angle: float) -> tuple[float, float]:
    return math.cos(angle), math.sin(angle)


def _patch_grid(cells: int) -> tuple[np.ndarray, np.ndarray]:
    side = np.arange(cells + 1, dtype=np.float32) / cells
    z, x = np.meshgrid(side, side, indexing="ij")
    corners = np.stack([x, z], axis=-1).reshape(-1, 2).astype(np.float32)
    # In strips of 4 cells: the corners of a row are still in the GPU's cache when the next row takes them up again.
    across = math.gcd(4, cells)
    strip, row, column = np.meshgrid(np.arange(cells // across), np.arange(cells), np.arange(across), indexing="ij")
    first = (row * (cells + 1) + strip * across + column).ravel()
    triangles = first[:, None] + np.array([0, 1, cells + 1, 1, cells + 2, cells + 1])
    return corners, np.ascontiguousarray(triangles, dtype=np.uint16)


def visible_patches(eye: tuple[float, float, float], to_clip: np.ndarray, finest: float, swing: float, height: float,
                    reach: float) -> np.ndarray:  # fmt: skip
    """The patches that cover the visible sea exactly once, as far as crests rise above the horizon, the nearest first:
    [count, 4] float32, x and z of the least corner, side (m), level (0 is finest). The sea is a quadtree fixed to the
    world (F. Strugar, "Continuous Distance-Dependent Level of Detail for Rendering Heightmaps", JGT 14, 2009; its
    morphing is in patch.glsl).

    `to_clip`, [4, 4], goes from points relative to the eye to clip space. The finest patch has a side of
    `finest`, m. Waves move a point sideways by at most `swing`, and up or down by `height`, m. A patch is used for
    `reach` of its sides: twice the reach and half the cells make the same mesh of smaller patches.
    """
    horizon = math.sqrt(2 * PLANET_RADIUS * max(eye[1], 0.0)) + math.sqrt(2 * PLANET_RADIUS * height) + swing
    # The eye may be half a root away from the corner where the four roots meet.
    levels = max(1, int(np.ceil(np.log2(2 * horizon / finest))))
    side = finest * 2.0**levels
    # Four roots round the multiple of their side nearest to the eye always contain the horizon.
    centre = np.round(np.array([eye[0], eye[2]]) / side) * side
    corners = centre + side * np.array([[-1.0, -1.0], [-1.0, 0.0], [0.0, -1.0], [0.0, 0.0]])
    # Left, right, bottom, top (Gribb and Hartmann): a point is inside where the product is not negative.
    across, up, _, depth = to_clip
    planes = np.stack([depth + across, depth - across, depth + up, depth - up])
    chosen: list[np.ndarray] = []
    for level in range(levels, -1, -1):
        away = _distance(corners, side, eye)
        seen = (away <= math.hypot(horizon, eye[1])) & _in_view(corners, side, eye, planes, swing, height)
        near = seen & (away < reach * side / 2) if level > 0 else np.zeros(len(corners), bool)
        here = corners[seen & ~near]
        chosen.append(np.column_stack([here, np.full(len(here), side), np.full(len(here), level)]))
        side /= 2
        steps = side * np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
        corners = (corners[near][:, None, :] + steps).reshape(-1, 2)
    patches = np.concatenate(chosen[::-1])
    order = np.argsort(_distance(patches[:, :2], patches[:, 2:3], eye), kind="stable")
    return np.ascontiguousarray(patches[order], dtype=np.float32)


def _distance(corners: np.ndarray, side: float | np.ndarray, eye: tuple[float, float, float]) -> np.ndarray:
    half = 0.5 * side
    away = np.maximum(np.abs(corners - (eye[0], eye[2]) + half) - half, 0.0)
    return np.sqrt((away**2).sum(axis=1) + eye[1] ** 2)


def _in_view(corners: np.ndarray, side: float, eye: tuple[float, float, float], planes: np.ndarray, swing: float,
             height: float) -> np.ndarray:  # fmt: skip
    normals, offsets = planes[:, :3], planes[:, 3]
    sizes = np.abs(normals)
    # The corner of a patch's box that is farthest along a plane's normal decides. All boxes are of one size, but
    # that the farthest corner of a patch lies lowest, by the planet's curve.
    middle = corners - (eye[0], eye[2]) + 0.5 * side
    drop = ((np.abs(middle) + 0.5 * side) ** 2).sum(axis=1, keepdims=True) / (2 * PLANET_RADIUS)
    box = sizes @ (0.5 * side + swing, height, 0.5 * side + swing) - normals[:, 1] * eye[1] + offsets
    return (middle @ normals[:, ::2].T + 0.5 * drop * (sizes[:, 1] - normals[:, 1]) + box >= 0).all(axis=1)
