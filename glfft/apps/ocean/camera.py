"""The camera: where it is and where it looks, and its way through a film. Metres and radians; y is up."""

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from glfft.errors import DataError, UsageError
from glfft.files import PathName, read_toml

NEAR, FAR = 0.4, 400e3  # a nearer plane would leave too little of the depth buffer's precision for the distance
LOWEST, HIGHEST = -40.0, 5000.0  # m; below 0 the camera is under water
STEEPEST = math.radians(85.0)


@dataclass(frozen=True)
class Camera:
    position: tuple[float, float, float] = (0.0, 4.5, 0.0)  # of the eye, m
    heading: float = 0.0  # where it looks, rad, from +x towards +z (the sense of the wind's direction)
    pitch: float = math.radians(-2.0)  # above the horizon, rad; negative looks down
    lens: float = math.radians(38.0)  # vertical field of view, rad

    @property
    def axes(self) -> np.ndarray:
        """Right, up and backward as the rows of a [3, 3] float64 array."""
        x, z = math.cos(self.heading), math.sin(self.heading)
        forward = np.array([x * math.cos(self.pitch), math.sin(self.pitch), z * math.cos(self.pitch)])
        right = np.array([-z, 0.0, x])
        return np.stack([right, np.cross(right, forward), -forward])

    def projection(self, aspect: float) -> np.ndarray:
        """OpenGL's perspective matrix, [4, 4] float64 (row, column), for a width over height."""
        scale = 1.0 / math.tan(self.lens / 2)
        matrix = np.diag([scale / aspect, scale, (FAR + NEAR) / (NEAR - FAR), 0.0])
        matrix[2, 3], matrix[3, 2] = 2 * FAR * NEAR / (NEAR - FAR), -1.0
        return matrix

    def view_projection(self, aspect: float) -> np.ndarray:
        """From points relative to the eye to clip space, [4, 4] float64."""
        view = np.eye(4)
        view[:3, :3] = self.axes
        return self.projection(aspect) @ view

    def screen_to_world(self, aspect: float) -> np.ndarray:
        """From (screen x, screen y, -1) to a direction in the world, [3, 3] float64."""
        scale = math.tan(self.lens / 2)
        return self.axes.T @ np.diag([scale * aspect, scale, 1.0])

    def pixel_angle(self, height: int) -> float:
        """The angle of one pixel at the centre of a picture with this height in pixels, rad."""
        return 2 * math.tan(self.lens / 2) / height

    def moved(self, right: float, up: float, forward: float) -> Self:
        """The camera moved by distances in metres along its own axes (up is the world's)."""
        axes = self.axes
        step = right * axes[0] - forward * axes[2] + np.array([0.0, up, 0.0])
        x, y, z = (float(value) for value in np.asarray(self.position) + step)
        return replace(self, position=(x, min(max(y, LOWEST), HIGHEST), z))

    def turned(self, heading: float, pitch: float) -> Self:
        pitch = min(max(self.pitch + pitch, -STEEPEST), STEEPEST)
        return replace(self, heading=math.remainder(self.heading + heading, 2 * math.pi), pitch=pitch)


# Default, least and largest, degrees.
_ANGLES = {"heading": (0.0, -3600.0, 3600.0), "pitch": (0.0, -85.0, 85.0), "lens": (38.0, 2.0, 120.0)}


class CameraPath:
    """A camera that flies through places at given times, s, smoothly; headings may go round more than once.

    Each number is a cubic of time, whose slope at a place is that between the places before and after (Catmull-Rom for
    uneven times). Before the first and after the last place the camera stands still.
    """

    def __init__(self, times: list[float], cameras: list[Camera]) -> None:
        self._times, self.duration = np.array(times) - times[0], float(times[-1] - times[0])  # s
        self._values = np.array([[*each.position, each.heading, each.pitch, each.lens] for each in cameras])
        self._slopes = np.zeros_like(self._values)
        if len(times) > 2:
            spans = (self._times[2:] - self._times[:-2])[:, None]
            self._slopes[1:-1] = (self._values[2:] - self._values[:-2]) / spans

    def at(self, seconds: float) -> Camera:
        time = min(max(seconds, 0.0), self.duration)
        index = int(np.searchsorted(self._times[1:-1], time, side="right"))
        if self.duration == 0:
            return _camera_of(self._values[0])
        span = self._times[index + 1] - self._times[index]
        s = (time - self._times[index]) / span
        (before, after), (leaving, arriving) = (each[index : index + 2] for each in (self._values, self._slopes))
        mixed = (2 * s**3 - 3 * s**2 + 1) * before + (3 * s**2 - 2 * s**3) * after  # Hermite's basis
        return _camera_of(mixed + span * ((s**3 - 2 * s**2 + s) * leaving + (s**3 - s**2) * arriving))


def _camera_of(values: np.ndarray) -> Camera:
    x, y, z, heading, pitch, lens = map(float, values)
    return Camera((x, min(max(y, LOWEST), HIGHEST), z), heading, min(max(pitch, -STEEPEST), STEEPEST), lens)


def read_camera_path(path: PathName) -> CameraPath:
    """A path from a TOML file with a table [[camera]] for each place: `time` (s), `position` (x, y, z in metres, y up)
    and, optionally, `heading`, `pitch` and `lens`, the vertical angle of view (degrees; by default 0, 0 and 38). Raises
    UsageError, which names place and key, for any other file.
    """
    name = Path(path).name
    try:
        found = read_toml(path)
    except DataError as error:
        raise UsageError(f"Cannot read the camera path: {error}") from error
    places = found.get("camera")
    if not isinstance(places, list) or not places or set(found) != {"camera"}:
        raise UsageError(f"{name} is no camera path: it must be made of tables [[camera]], and has none or others.")
    times, cameras = [], []
    for index, place in enumerate(places, 1):
        where = f"{name}: camera {index}"
        time, camera = _read_place(place, where)
        if times and time <= times[-1]:
            raise UsageError(f"{where} is at {time:g} s and must come after the one before, at {times[-1]:g} s.")
        times.append(time)
        cameras.append(camera)
    return CameraPath(times, cameras)


def _read_place(place: Any, where: str) -> tuple[float, Camera]:
    if not isinstance(place, dict):
        raise UsageError(f"{where} must be a table [[camera]].")
    if unknown := set(place) - {"time", "position", *_ANGLES}:
        raise UsageError(f"{where} has an unknown {min(unknown)!r}; there are time, position, heading, pitch, lens.")
    time = _number(place.get("time"), where, "time", -1e9, 1e9)
    position = place.get("position")
    if not isinstance(position, list) or len(position) != 3:
        raise UsageError(f"{where} needs a position of three numbers, as in position = [0, 5, 0].")
    axes = {"x": (-1e6, 1e6), "y": (LOWEST, HIGHEST), "z": (-1e6, 1e6)}
    x, y, z = (_number(at, where, f"position's {axis}", *axes[axis]) for axis, at in zip(axes, position, strict=True))
    angles = (_number(place.get(key, usual), where, key, *limits) for key, (usual, *limits) in _ANGLES.items())
    return time, Camera((x, y, z), *map(math.radians, angles))


def _number(value: Any, where: str, what: str, lowest: float, highest: float) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not lowest <= value <= highest:  # nor NaN
        raise UsageError(f"{where}: its {what} is {value!r} and must be a number from {lowest:g} to {highest:g}.")
    return float(value)
