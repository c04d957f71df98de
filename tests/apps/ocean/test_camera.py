"""The camera: its axes, its projection, and where it flies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glfft.apps.ocean.camera import Camera

headings = st.floats(-math.pi, math.pi)


@given(headings, st.floats(-1.4, 1.4))
def test_the_camera_turns_without_stretching(heading, pitch):
    axes = Camera((0.0, 3.0, 0.0), heading, pitch).axes
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)


@given(headings, st.floats(-0.5, 0.5), st.floats(-1, 1), st.floats(-1, 1))
def test_screen_to_world_undoes_the_projection(heading, pitch, x, y):
    camera = Camera((0.0, 3.0, 0.0), heading, pitch)
    direction = camera.screen_to_world(1.6) @ np.array([x, y, -1.0])
    clip = camera.view_projection(1.6) @ np.append(direction, 1.0)
    np.testing.assert_allclose(clip[:2] / clip[3], [x, y], atol=1e-9)


def test_flying_forward_goes_where_the_camera_looks():
    camera = Camera((0.0, 50.0, 0.0), heading=math.pi / 2, pitch=0.0).moved(0.0, 0.0, 10.0)
    np.testing.assert_allclose(camera.position, (0.0, 50.0, 10.0), atol=1e-9)
