"""Camera paths: through all places, smoothly, and files that are wrong named with what is wrong in them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from glfft.apps.ocean.camera import read_camera_path
from glfft.errors import UsageError

PATH = """
[[camera]]
time = 2
position = [0, 5, 0]
[[camera]]
time = 4.0
position = [10.0, 9.0, 3.0]
heading = 90
pitch = -10
[[camera]]
time = 9
position = [40, 20, 3]
heading = 120.5
lens = 50
"""


def _read(folder, text):
    file = folder / "path.toml"
    file.write_text(text)
    return read_camera_path(file)


def test_the_camera_passes_through_its_places_without_a_jolt(folder):
    path = _read(folder, PATH)
    assert path.duration == 7.0
    assert path.at(0.0).position == (0.0, 5.0, 0.0)
    middle = path.at(2.0)
    assert middle.position == pytest.approx((10.0, 9.0, 3.0))
    assert (middle.heading, middle.pitch) == pytest.approx((math.radians(90), math.radians(-10)))
    assert path.at(7.0).lens == pytest.approx(math.radians(50))
    assert path.at(-5.0) == path.at(0.0)
    assert path.at(50.0) == path.at(7.0)
    times = np.arange(0.0, 7.0, 0.01)
    speeds = np.diff([path.at(time).position for time in times], axis=0) / 0.01
    assert np.abs(np.diff(speeds, axis=0)).max() < 0.5, "the speed has no steps"
    assert np.abs(speeds).max() > 5.0


@pytest.mark.parametrize(
    ("text", "speaks_of"),
    [
        ("", "made of tables"),
        ("[[camera]]\nposition = [0, 5, 0]", "its time is None"),
        ("[[camera]]\ntime = 0\nposition = [0, 5]", "three numbers"),
        ("[[camera]]\ntime = 0\nposition = [0, nan, 5]", "position's y is nan"),
        ("[[camera]]\ntime = 0\nposition = [0, 5, 5]\nzoom = 2", "unknown 'zoom'"),
        (PATH + "[[camera]]\ntime = 5\nposition = [0, 5, 0]", "camera 4 is at 5 s and must come after"),
        ("camera = 3\n[[", "is no TOML"),
    ],
)
def test_a_wrong_file_is_one_sentence(folder, text, speaks_of):
    with pytest.raises(UsageError, match=speaks_of):
        _read(folder, text)
    with pytest.raises(UsageError, match="Cannot read the camera path"):
        read_camera_path(folder / "nowhere.toml")
