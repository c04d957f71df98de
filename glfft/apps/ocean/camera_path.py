"""The way of a camera through a film, from a file of places at times."""

from __future__ import annotations

import math
import os
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from glfft.apps.ocean.camera import HIGHEST, LOWEST, STEEPEST, Camera
from glfft.errors import DataError, UsageError
from glfft.files import refuse_pipe

_MOST_BYTES = 2**20
_LENS = 38.0  # degrees
_ANGLES = {"heading": 3600.0, "pitch": math.degrees(STEEPEST), "lens": 120.0}  # and the largest, degrees


class CameraPath:
    """A camera that flies through places at given times, smoothly.

    Between two places each number is a cubic polynomial of time, whose slope at a place is that between the places
    before and after (Catmull-Rom for uneven times). Before the first and after the last place the camera stands still.

    Args:
        times: s, rising.
        cameras: one for each; headings may go round more than once.
    """

    def __init__(self, times: list[float], cameras: list[Camera]) -> None:
        self._times = np.array(times)
        self._values = np.array([[*each.position, each.heading, each.pitch, each.lens] for each in cameras])
        self._slopes = np.zeros_like(self._values)
        if len(times) > 2:
            spans = (self._times[2:] - self._times[:-2])[:, None]
            self._slopes[1:-1] = (self._values[2:] - self._values[:-2]) / spans

    @property
    def duration(self) -> float:
        """From the first to the last place, s."""
        return float(self._times[-1] - self._times[0])

    def at(self, seconds: float) -> Camera:
        """The camera some seconds after the first place."""
        time = min(max(self._times[0] + seconds, self._times[0]), self._times[-1])
        index = int(np.clip(np.searchsorted(self._times, time, side="right") - 1, 0, max(0, len(self._times) - 2)))
        if len(self._times) == 1:
            x, y, z, heading, pitch, lens = (float(value) for value in self._values[0])
            return Camera((x, y, z), heading, pitch, lens)
        span = self._times[index + 1] - self._times[index]
        s = (time - self._times[index]) / span
        before, after = self._values[index], self._values[index + 1]
        leaving, arriving = span * self._slopes[index], span * self._slopes[index + 1]
        # Hermite's basis.
        mixed = (2 * s**3 - 3 * s**2 + 1) * before + (3 * s**2 - 2 * s**3) * after
        x, y, z, heading, pitch, lens = (
            float(value) for value in mixed + (s**3 - 2 * s**2 + s) * leaving + (s**3 - s**2) * arriving
        )
        return Camera((x, min(max(y, LOWEST), HIGHEST), z), heading, min(max(pitch, -STEEPEST), STEEPEST), lens)


def read_camera_path(path: str | os.PathLike[str]) -> CameraPath:
    """A path from a TOML file with a table [[camera]] for each place.

    Each has `time` (s) and `position` (x, y, z in metres, y up), and if wanted `heading`, `pitch` and `lens`, the
    vertical angle of view (degrees; 0, 0 and 38 without).

    Raises:
        UsageError: the file cannot be read or is no such table; the message names the place and the key.
    """
    name = Path(path).name
    try:
        refuse_pipe(path)
        if os.path.getsize(path) > _MOST_BYTES:
            raise UsageError(f"{name} is no camera path: it is larger than a megabyte.")
        found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except DataError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"Cannot read the camera path {path}: {error.strerror or error}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{name} is no TOML file: {error}.") from error
    places = found.get("camera")
    if not isinstance(places, list) or not places or set(found) != {"camera"}:
        raise UsageError(f"{name} is no camera path: it must be made of tables [[camera]] only.")
    times, cameras = [], []
    for index, place in enumerate(places, 1):
        where = f"{name}: camera {index}"
        if not isinstance(place, dict):
            raise UsageError(f"{where} must be a table [[camera]].")
        if unknown := set(place) - {"time", "position", *_ANGLES}:
            raise UsageError(
                f"{where} has an unknown {min(unknown)!r}; there are time, position, heading, pitch, lens."
            )
        time = _number(place.get("time"), where, "time", -1e9, 1e9)
        if times and time <= times[-1]:
            raise UsageError(f"{where} is at {time:g} s and must come after the one before, at {times[-1]:g} s.")
        position = place.get("position")
        if not isinstance(position, list) or len(position) != 3:
            raise UsageError(f"{where} needs a position of three numbers, as in position = [0, 5, 0].")
        x, y, z = (
            _number(value, where, f"position's {axis}", *((LOWEST, HIGHEST) if axis == "y" else (-1e6, 1e6)))
            for axis, value in zip("xyz", position, strict=True)
        )
        heading, pitch, lens = (
            math.radians(
                _number(
                    place.get(key, _LENS if key == "lens" else 0.0), where, key, 2 if key == "lens" else -most, most
                )
            )
            for key, most in _ANGLES.items()
        )
        times.append(time)
        cameras.append(Camera((x, y, z), heading, pitch, lens))
    return CameraPath(times, cameras)


def _number(value: Any, where: str, what: str, lowest: float, highest: float) -> float:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    if not known or not lowest <= value <= highest:  # written so that NaN fails too
        raise UsageError(f"{where}: its {what} is {value!r} and must be a number from {lowest:g} to {highest:g}.")
    return float(value)
