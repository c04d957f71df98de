"""A shot of the ocean, given by its options alone: which sea, from where, and when."""

import math
from dataclasses import dataclass, field

from glfft.apps.ocean.camera import Camera, CameraPath
from glfft.apps.ocean.quality import AUTO
from glfft.apps.ocean.sky import Weather
from glfft.sea import cascades
from glfft.sea.settings import OceanSettings

_LIGHT_OF_PRESET: dict[str, dict[str, float]] = {
    "swell-at-sunset": {"sun_elevation": math.radians(2.5)},
    "lagoon": {"sun_elevation": math.radians(50.0), "low_clouds": 0.1},
    "storm": {"low_clouds": 0.75},
    **{f"beaufort-{force}": {"low_clouds": share} for force, share in enumerate((0.4, 0.55, 0.75, 0.9, 1.0), 8)},
}


def light_of_preset(name: str) -> dict[str, float]:
    """The height of the sun and the low clouds over a preset, or over any sea (""), by names of `Weather`."""
    return {"sun_elevation": Weather().sun_elevation, "low_clouds": 0.2} | _LIGHT_OF_PRESET.get(name, {})


@dataclass(frozen=True)
class Shot:
    settings: OceanSettings = field(default_factory=OceanSettings)
    algorithm: str = "auto"  # of the transforms
    time: float = 0.0  # of the first picture, s
    frames: int | None = None  # number of pictures, or None for no end
    frames_per_second: float = 24.0  # of the film, and of the sea's time
    view: Camera | None = None  # the camera of the first picture, by default `first_camera` of the sea
    light: Weather | None = None  # sun and air, by default with the sun ahead of the camera
    quality: str = AUTO  # name of a `glfft.apps.ocean.quality`, or "auto"
    preset: str = ""  # name of the preset of the settings, or "": some have their own light
    path: CameraPath | None = None  # of the camera, from the first picture on
    buoys: int = 0  # how many lie in the channel ahead of the first camera, up to 300
    supersampling: int = 1  # pixels drawn along each side of one, and averaged
    diffraction: int = 0  # of `Quality`, whichever it is
    any_size: bool = False  # whether a window may compute the sea with fewer samples, without a graphics card

    def time_of(self, frame: int) -> float:
        return self.time + frame / self.frames_per_second

    def camera(self, frame: int = 0) -> Camera:
        """The camera of a picture; it stands still over a sea that loops."""
        if self.path:
            return self.path.at(frame / self.frames_per_second)
        drift = 1.2 if math.isinf(self.settings.loop) else 0.0  # m/s
        return self.first_camera().moved(0.0, 0.0, drift * frame / self.frames_per_second)

    def first_camera(self) -> Camera:
        return self.path.at(0.0) if self.path else self.view or first_camera(self.settings)

    @property
    def frames_a_loop(self) -> int | None:
        """How many pictures show the whole loop, or None if there is none or no whole number of them does."""
        frames = self.settings.loop * self.frames_per_second
        return round(frames) if math.isfinite(frames) and abs(frames - round(frames)) < 1e-6 else None

    def weather(self) -> Weather:
        """The light; by default the sun is ahead of the first camera, a little to its right."""
        # Without the whole camera, whose height takes the sea's spectrum to compute.
        view = self.path.at(0.0) if self.path else self.view
        heading = (view.heading if view else _first_heading(self.settings)) + math.radians(11.0)
        return self.light or Weather(sun_heading=heading, **light_of_preset(self.preset))


def first_camera(settings: OceanSettings) -> Camera:
    """A low view against the waves, high enough to clear all but the rarest crests."""
    height = 2.2 + 1.1 * cascades.significant_height(settings)
    return Camera(position=(0.0, height, 0.0), heading=_first_heading(settings), pitch=math.radians(-2.5))


def _first_heading(settings: OceanSettings) -> float:
    # Waves come from ahead, at a slant.
    return math.remainder(settings.wind_direction + math.radians(180.0 - 28.0), 2 * math.pi)
