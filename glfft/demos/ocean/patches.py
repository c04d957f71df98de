"""Which patches of the sea to draw: fine near the camera, coarse far away, none outside the view.

The sea is a quadtree fixed to the world, so that vertices stay where they are while the camera moves (F. Strugar,
"Continuous Distance-Dependent Level of Detail for Rendering Heightmaps", JGT 14, 2009; its morphing is in water.vert).
"""

from __future__ import annotations

import math

import numpy as np

# A patch of side s is fine enough for points at least REACH * s / 2 away from the camera. From 4 on, neighbours differ
# by one level at most, and a patch has changed into the coarser grid where a coarser neighbour begins.
REACH = 4.2

# Of the planet, m. The sea curves down with the distance from the eye: from 10 m up the horizon is 11 km away.
PLANET_RADIUS = 6360e3

# The least distance to the edge of the sea, m: crests stand out above the horizon.
_LEAST_REACH = 60e3


def visible_patches(
    eye: tuple[float, float, float],
    view_projection: np.ndarray,
    finest: float,
    *,
    swing: float,
    height: float,
) -> np.ndarray:
    """The patches that cover the visible sea exactly once.

    Args:
        eye: position of the eye, m.
        view_projection: [4, 4], from points relative to the eye to clip space.
        finest: side of the smallest patch, m.
        swing: how far waves move a point sideways at most, m.
        height: how far waves move a point up or down at most, m.

    Returns:
        [count, 4] float32: x and z of the corner nearest to minus infinity, side (m), level (0 is finest). Near
        patches first, so that they hide what lies behind before it is shaded.
    """
    horizon = max(_LEAST_REACH, 1.1 * math.sqrt(2 * PLANET_RADIUS * max(eye[1], 0.0)))
    # The eye may be half a root away from the corner where the four roots meet.
    levels = max(1, int(np.ceil(np.log2(2 * horizon / finest))))
    side = finest * 2.0**levels
    # Four roots round the multiple of their side nearest to the eye always contain the horizon.
    centre = np.round(np.array([eye[0], eye[2]]) / side) * side
    corners = centre + side * np.array([[-1.0, -1.0], [-1.0, 0.0], [0.0, -1.0], [0.0, 0.0]])
    planes = _side_planes(view_projection)
    chosen: list[np.ndarray] = []
    for level in range(levels, -1, -1):
        corners = corners[_in_view(corners, side, eye, planes, swing, height)]
        near = _distance(corners, side, eye) < REACH * side / 2 if level > 0 else np.zeros(len(corners), bool)
        here = corners[~near]
        chosen.append(np.column_stack([here, np.full(len(here), side), np.full(len(here), float(level))]))
        side /= 2
        steps = side * np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
        corners = (corners[near][:, None, :] + steps).reshape(-1, 2)
    patches = np.concatenate(chosen[::-1])
    order = np.argsort(_distance(patches[:, :2], patches[:, 2:3], eye), kind="stable")
    return np.ascontiguousarray(patches[order], dtype=np.float32)


def _distance(corners: np.ndarray, side: float | np.ndarray, eye: tuple[float, float, float]) -> np.ndarray:
    level_eye = np.array([eye[0], eye[2]])
    away = np.maximum(np.maximum(corners - level_eye, level_eye - corners - side), 0.0)
    return np.sqrt((away**2).sum(axis=1) + eye[1] ** 2)


def _side_planes(view_projection: np.ndarray) -> np.ndarray:
    # Left, right, bottom, top (Gribb and Hartmann): a point is inside where the product is not negative.
    x, y, _, w = view_projection
    return np.stack([w + x, w - x, w + y, w - y])


def _in_view(
    corners: np.ndarray,
    side: float,
    eye: tuple[float, float, float],
    planes: np.ndarray,
    swing: float,
    height: float,
) -> np.ndarray:
    low = np.column_stack([corners[:, 0] - swing, np.full(len(corners), -height), corners[:, 1] - swing])
    high = np.column_stack([corners[:, 0] + side + swing, np.full(len(corners), height), corners[:, 1] + side + swing])
    # The farthest corner lies lowest.
    level_eye = np.array([eye[0], eye[2]])
    farthest = np.maximum(np.abs(corners - level_eye), np.abs(corners + side - level_eye))
    low[:, 1] -= (farthest**2).sum(axis=1) / (2 * PLANET_RADIUS)
    low, high = low - np.asarray(eye), high - np.asarray(eye)
    normals, offsets = planes[:, :3], planes[:, 3]
    # The box corner farthest along each plane's normal decides.
    reached = np.maximum(low[:, None, :] * normals, high[:, None, :] * normals).sum(axis=2) + offsets
    return (reached >= 0).all(axis=1)
