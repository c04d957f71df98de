"""Patches of sea: they cover what is seen once, and stand still while the eye moves."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glfft.apps.ocean import water
from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.quality import QUALITIES

LEAST_REACH = min(each.reach for each in QUALITIES.values())
positions = st.tuples(st.floats(-5e4, 5e4), st.floats(0.8, 5000.0), st.floats(-5e4, 5e4))
headings = st.floats(-math.pi, math.pi)


def _covering(places, points):
    x, z, side = places[:, :3].T.astype(float)
    by_x, by_z = points[:, :1], points[:, 1:]
    return ((by_x >= x) & (by_x < x + side) & (by_z >= z) & (by_z < z + side)).sum(axis=1)


@given(positions, headings, st.floats(-1.2, 0.4), st.integers(0, 2**32 - 1), st.sampled_from([4.2, 8.4]))
def test_every_visible_point_of_the_sea_lies_in_exactly_one_patch(position, heading, pitch, seed, reach):
    camera = Camera(position, heading, pitch)
    view_projection = camera.view_projection(16 / 9)
    places = water.visible_patches(position, view_projection, 8.0, swing=2.0, height=2.0, reach=reach)
    random = np.random.default_rng(seed)
    distance = np.exp(random.uniform(0.0, math.log(40e3), 400))
    angle = heading + random.uniform(-0.7, 0.7, 400)
    points = np.array([position[0], position[2]]) + distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    from_eye = np.column_stack(
        [
            points[:, 0] - position[0],
            -position[1] - distance**2 / (2 * water.PLANET_RADIUS),
            points[:, 1] - position[2],
        ]
    )
    clip = np.column_stack([from_eye, np.ones(400)]) @ view_projection.T
    # Crests 2 m high, as far away as they stand above the horizon.
    horizon = math.sqrt(2 * water.PLANET_RADIUS * position[1]) + math.sqrt(2 * water.PLANET_RADIUS * 2.0)
    visible = (np.abs(clip[:, :2]) <= clip[:, 3:]).all(axis=1) & (distance < horizon)
    count = _covering(places, points)
    assert (count[visible] == 1).all()
    assert (count <= 1).all()


def test_patches_do_not_move_with_the_eye():
    """The same square of sea is cut the same way wherever the eye is: corners are multiples of the side."""
    for x in (0.0, 3.7, 1234.5):
        camera = Camera((x, 5.0, -x))
        view = camera.view_projection(1.5)
        places = water.visible_patches(camera.position, view, 8.0, 1.0, 1.0, LEAST_REACH)
        assert np.all(places[:, :2] % places[:, 2:3] == 0)


@given(positions, headings)
def test_neighbouring_patches_differ_by_one_level_at_most(position, heading):
    everything = np.zeros((4, 4))
    everything[3, 3] = 1.0  # a projection that has every point in view
    places = water.visible_patches(position, everything, 8.0, 0.0, 0.0, LEAST_REACH).astype(float)
    near = places[np.abs(places[:, :2] - [position[0], position[2]]).max(axis=1) < max(600, 6 * position[1])]
    middle = near[:, :2] + near[:, 2:3] / 2
    x, z = (np.abs(along[:, None] - along) for along in middle.T)
    gap = np.maximum(x, z) - (near[:, None, 2] + near[None, :, 2]) / 2
    touching = gap < 1e-6
    levels = np.abs(near[:, None, 3] - near[None, :, 3])
    assert levels[touching].max() <= 1


def test_a_patch_has_stopped_morphing_where_a_coarser_one_begins(ctx):
    """water.vert turns a patch into the next level's grid between 0.86 and 0.98 of its reach."""
    side, diagonal = 1.0, math.sqrt(2.0)
    farthest_point_of_finer_patch = LEAST_REACH * side + 2 * side * diagonal
    assert farthest_point_of_finer_patch <= 0.86 * LEAST_REACH * 2 * side
