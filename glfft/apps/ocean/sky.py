"""The sky: the same for the background, the reflections, the light on the foam, and the exposure."""

import math
from dataclasses import astuple, dataclass
from typing import Any, Self

import moderngl
import numpy as np

from glfft.apps.ocean.picture import Picture
from glfft.apps.ocean.quality import MEDIUM, Quality
from glfft.apps.ocean.screen_pass import Mipmaps, ScreenPass, radiance_texture
from glfft.gl.releasable import Keeper
from glfft.gl.textures import use_textures

LOW_CLOUDS = 1500.0  # m, their height in shaders/ocean/low_clouds.glsl
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


@dataclass(frozen=True)
class Weather:
    """The light of the scene; headings count from +x towards +z."""

    sun_elevation: float = math.radians(12.0)  # above the horizon, rad; below 0 it is twilight, dark from -6 degrees on
    sun_heading: float = math.radians(14.0)  # where the sun stands, rad
    haze: float = 1.6  # aerosol, 1 for a clear day
    clouds: float = 0.6  # share of the sky that high clouds cover
    low_clouds: float = 0.0  # share that low clouds cover; they throw shadows on the sea and hide the sun
    visibility: float = 14e3  # distance at sea level at which 1/e of the contrast is left, m

    def towards(self, other: Self, share: float) -> Self:
        """The weather on its way to another one, from 0 to 1."""
        both = zip(astuple(self), astuple(other), strict=True)
        return type(self)(*((1 - share) * here + share * there for here, there in both))

    @property
    def sun_direction(self) -> np.ndarray:
        """Unit vector towards the sun."""
        level, x, z = math.cos(self.sun_elevation), math.cos(self.sun_heading), math.sin(self.sun_heading)
        return np.array([level * x, math.sin(self.sun_elevation), level * z])


class Sky(Keeper):
    """The sky's textures and light for one `Weather` at a time; radiance is relative to the sun's irradiance in space.

    `environment` is the sky without the sun's disk, rgba16f with mipmaps, as in shaders/ocean/sky_map.glsl,
    `cloud_tile` the low clouds from below, see cloud_tile.frag. `sun_colour` is the irradiance on a surface facing the
    sun, without clouds, `sky_irradiance` that from the sky on a level one, three floats each. `white` is the light that
    eyes take for white.
    """

    def __init__(self, ctx: moderngl.Context, weather: Weather, quality: Quality = MEDIUM) -> None:
        self._frugal = quality.frugal
        self._multiple = self._own(radiance_texture(ctx, (16, 12)))
        self._view = self._own(radiance_texture(ctx, (160, 80)))
        self._cloud_sunlight = self._own(radiance_texture(ctx, (3, 1)))
        self.environment = self._own(radiance_texture(ctx, (1024, 256)))
        self.cloud_tile = self._own(radiance_texture(ctx, (512, 512), 1, "f4"))  # half floats are cut or rounded
        self.environment.repeat_x = self.cloud_tile.repeat_x = self.cloud_tile.repeat_y = True
        self.environment.filter = self.cloud_tile.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        names = ("multiple_scattering", "sky_view", "cloud_sunlight", "environment", "cloud_tile")
        self._passes = {name: self._own(ScreenPass(ctx, f"ocean/{name}.frag")) for name in names}
        self._mipmaps = self._own(Mipmaps(ctx, self.environment))
        with Mipmaps(ctx, self.cloud_tile) as mipmaps:
            self._passes["cloud_tile"].draw_into(self.cloud_tile)
            mipmaps.make()
        self._textures = {"sky_view": self._view, "cloud_sunlight": self._cloud_sunlight, "cloud_tile": self.cloud_tile}
        self.sun_colour = self.sky_irradiance = self._brightness = np.zeros(3)
        self.configure(weather)

    def configure(self, weather: Weather) -> None:
        self.weather, sun_height = weather, math.sin(weather.sun_elevation)
        self.sun_colour = sunlight_at_sea(sun_height, weather.haze)
        self._passes["multiple_scattering"].draw_into(self._multiple, haze=weather.haze)
        scattered = {"multiple_scattering": self._multiple}
        self._passes["sky_view"].draw_into(self._view, scattered, haze=weather.haze, sun_height=sun_height)
        sun = tuple(weather.sun_direction)
        self._passes["cloud_sunlight"].draw_into(self._cloud_sunlight, haze=weather.haze, sun_direction=sun)
        light = {"pixel_angle": 2 * math.pi / self.environment.width, **self.light}
        del light["sky_irradiance"]  # it is measured from what this pass draws
        self._passes["environment"].draw_into(self.environment, self._textures, **light)
        self._mipmaps.make()
        self._measure()

    def draw_background(self, picture: Picture, below: dict[str, Any] | None = None) -> None:
        """Draw the sky, or what `Water.light_bottom` gives under water, behind the mesh."""
        coarse = self._frugal and picture.uniforms["eye"][1] <= LOW_CLOUDS  # the clouds in it are seen from below
        textures = {"environment": self.environment} if coarse else self._textures
        units = use_textures(textures | (below or {}), picture.free_unit)
        defines = {"SAND": int("caustics" in units), "BELOW": int("stretch" in units), "FROM_ENVIRONMENT": int(coarse)}
        defines["TILES"] = np.size(picture.uniforms["tile"])
        picture.run("ocean/background.comp", "sky", defines, units)

    @property
    def light(self) -> dict[str, Any]:
        """Uniforms of shaders that this sky lights, by name."""
        return {
            "sun_direction": tuple(self.weather.sun_direction),
            "sun_colour": tuple(self.sun_colour),
            "sky_irradiance": tuple(self.sky_irradiance),
            "cloud_cover": self.weather.clouds,
            "low_clouds": self.weather.low_clouds,
        }

    def _measure(self) -> None:
        coarse = self._mipmaps.levels[3]  # a coarse mipmap is good enough for two averages, and quick to read
        radiance = np.frombuffer(coarse.read(), np.float16).reshape(coarse.height, -1, 4)[..., :3].astype(np.float64)
        edges = np.linspace(0.0, 1.0, coarse.height + 1) ** 2 * (math.pi / 2)
        # The integral of sin(e) cos(e) de over a row, all around: its share of the irradiance on a level surface.
        share = math.pi * (np.sin(edges[1:]) ** 2 - np.sin(edges[:-1]) ** 2)
        self.sky_irradiance = (radiance.mean(axis=1) * share[:, None]).sum(axis=0)
        brightness = radiance[edges[1:] < math.radians(25.0)] @ _LUMINANCE
        self._brightness = np.log(brightness + 1e-6).mean(axis=0)
        low_clouds, sun_height = self.weather.low_clouds, max(0.0, math.sin(self.weather.sun_elevation))
        self._entering = (1 - low_clouds) * sun_height * self.sun_colour + self.sky_irradiance + 1e-9  # at night too
        self._above_clouds = (sun_height * self.sun_colour + self.sky_irradiance) @ _LUMINANCE
        # Eyes adapt to the light around them, in dim light by four fifths (CIE 159:2004): below closed clouds, where a
        # sea would be brown, less below fewer, which leave a low sun's gold, and by half at late dusk, which is violet.
        late = min(0.5, max(0.0, -0.5 - math.degrees(self.weather.sun_elevation) / 5))
        adapted = max(0.8 * low_clouds**2, late)
        self.white = tuple((self._entering / (self._entering @ _LUMINANCE)) ** adapted)

    def exposure(self, heading: float, pitch: float = 0.0, depth: float | None = None, height: float = 0.0) -> float:
        """Display white per radiance, from the brightness of the sky low over the horizon, most of all ahead: heading
        (+x towards +z) and pitch of the view, rad. A view down has more, and so has an eye at a depth under water, m;
        over low clouds it has less, the more there are.
        """
        azimuths = (np.arange(len(self._brightness)) + 0.5) * (2 * math.pi / len(self._brightness))
        weights = (1.02 + np.cos(azimuths - heading)) ** 3
        ahead = np.exp((self._brightness * weights).sum() / weights.sum())
        clouds_below = self.weather.low_clouds * min(1.0, max(0.0, height - LOW_CLOUDS) / 120.0)
        # Clouds below send up 0.45 of the light of a sun that nothing hides.
        ahead = max(ahead, clouds_below**2 * 0.45 / math.pi * self._above_clouds)
        metered = 0.34 / ahead  # the mean of that sky gets 0.34 of display white
        if depth is not None:
            # What enters the water counts there, not the sky's glow at the horizon; less of it still looks darker.
            stops = min(0.8 + 0.12 * max(0.0, depth), 4.5)
            stops += 0.75 * math.log2(4.6 / max(0.1, metered * self._entering[1]))  # 4.6 at noon
            # Seen upwards, the sky in Snell's window, 1.8 times as bright as in air, has 0.8 of display white at most.
            window = 2.0**stops * metered * 0.57 * self.sky_irradiance[1] * math.exp(-0.085 * max(0.0, depth))
            return 2.0**stops * metered * min(1.0, 0.8 / (window + 1e-9)) ** max(0.0, math.sin(pitch))
        # A stop more where the view is so far below the horizon that it holds nothing but water. That mirrors the sky
        # and, at noon, sends 0.03 of display white up from inside; where it is darker, the view needs more.
        down = max(0.0, -pitch)
        mirrored = 0.34 * (0.02 + 0.98 * (1 - math.sin(down)) ** 5)
        inside = 0.025 / math.pi * metered * (self._entering @ _LUMINANCE)
        darker = (1 - clouds_below) * 0.6 * math.log2((mirrored + 0.03) / (mirrored + inside))
        stops = min(1.0, math.degrees(down) / 35.0)
        return float(2.0 ** (stops + min(1.0, max(0.0, math.degrees(down) - 8.0) / 27.0) * darker) * metered)


def sunlight_at_sea(sun_height: float, haze: float) -> np.ndarray:
    """The share of sunlight that reaches the sea through a clear sky, [3], for the sine of the sun's elevation: optical
    depths of atmosphere.glsl integrated upwards, and the air mass of Kasten and Young, Applied Optics 28 (1989).
    """
    rayleigh = np.array([5.802e-3, 13.558e-3, 33.1e-3]) * 8.0
    aerosol = haze * 4.44e-3 * 1.2
    ozone = np.array([0.650e-3, 1.881e-3, 0.085e-3]) * 15.0
    degrees = math.degrees(math.asin(min(1.0, max(-0.02, sun_height))))
    air_mass = 1.0 / (max(sun_height, 0.0) + 0.50572 * (degrees + 6.07995) ** -1.6364)
    # The sun sets gradually: about the share of its disk, 0.535 degrees wide, above the horizon, where air lifts it.
    above = min(1.0, max(0.0, 0.5 + (math.radians(degrees) + math.radians(0.57)) / (2 * 0.00467)))
    return np.exp(-(rayleigh + aerosol + ozone) * air_mass) * above


def sun_at(hours: float) -> tuple[float, float]:
    """Elevation and heading of the sun, rad, at a solar time, h, on an equinox at 40° north; at 6 it is east (+x)."""
    angle, latitude = math.radians(15.0 * (hours - 12.0)), math.radians(40.0)
    west, north, up = math.sin(angle), -math.cos(angle) * math.sin(latitude), math.cos(angle) * math.cos(latitude)
    return math.asin(up), math.atan2(-north, -west)
