"""A shot: when its pictures are taken, from where, and with the sun in view."""

from __future__ import annotations

import math

import numpy as np
import pytest

from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.shot import Shot, first_camera
from glfft.apps.ocean.sky import Weather
from glfft.sea import waves
from glfft.sea.settings import OceanSettings

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SEA = OceanSettings(size=32, wind=12.0, tile=120.0, wind_direction=0.7)


def test_pictures_follow_each_other_at_the_films_rate():
    shot = Shot(SEA, time=3.0, frames_per_second=25.0)
    assert [shot.time_of(frame) for frame in (0, 1, 25)] == pytest.approx([3.0, 3.04, 4.0])


def test_the_camera_flies_evenly_where_it_looks():
    shot = Shot(SEA, frames_per_second=10.0)
    start, later = shot.camera(0), shot.camera(100)
    assert start == first_camera(SEA)
    assert (later.heading, later.pitch) == (start.heading, start.pitch)
    step = np.subtract(later.position, start.position)
    np.testing.assert_allclose(step, -12.0 * start.axes[2], err_msg="10 s at 1.2 m/s")
    half = shot.camera(50).position
    assert half == pytest.approx([(a + b) / 2 for a, b in zip(start.position, later.position, strict=True)])


@pytest.mark.parametrize("wind_direction", [-3.0, 0.0, 1.5, 3.0])
def test_waves_come_towards_the_camera_and_the_sun_is_in_view(wind_direction):
    settings = OceanSettings(size=32, tile=120.0, wind_direction=wind_direction)
    camera, weather = first_camera(settings), Shot(settings).weather()
    assert -math.pi <= camera.heading <= math.pi
    # Waves run where the wind blows to: against the view, and a little aside of it.
    assert math.cos(camera.heading - wind_direction) < -0.8
    # Half the width of a picture of 16:9 is 31 degrees.
    assert 0 < math.remainder(weather.sun_heading - camera.heading, 2 * math.pi) < math.radians(25)


def test_a_shot_may_say_where_from_and_in_which_light():
    view, light = Camera((1.0, 900.0, 2.0), heading=0.3, pitch=-0.4), Weather(sun_heading=2.0)
    shot = Shot(SEA, frames_per_second=10.0, view=view, light=light)
    assert (shot.camera(0), shot.weather()) == (view, light)
    assert shot.camera(10).position[0] > 1.5
    assert math.remainder(Shot(SEA, view=view).weather().sun_heading - 0.3, 2 * math.pi) == pytest.approx(
        0.19, abs=0.01
    )


def test_the_eye_is_above_all_but_the_rarest_crests():
    for wind in (5.0, 20.0):
        settings = OceanSettings(size=32, tile=600.0, wind=wind)
        # Crests of a random sea rarely exceed the significant height above the mean level.
        assert first_camera(settings).position[1] > waves.significant_height(settings)
