"""Which patches of the sea to draw: fine near the camera, coarse far away, none outside the view.

The sea is a quadtree fixed to the world (F. Strugar, "Continuous Distance-Dependent Level of Detail for Rendering
Heightmaps", JGT 14, 2009; its morphing is in water.vert).
"""

import math

import numpy as np

# A patch of side s is fine enough for points at least `reach` * s / 2 away from the camera. From this reach on,
# neighbours differ by one level at most, and a patch has changed into the coarser grid where a coarser one begins.
LEAST_REACH = 4.2

# The planet's radius, m. The sea curves down with the distance from the eye: from 10 m up the horizon is 11 km away.
PLANET_RADIUS = 6360e3


def visible_patches(
    eye: tuple[float, float, float], to_clip: np.ndarray, finest: float, swing: float, height: float, reach: float
) -> np.ndarray:
    """The patches that cover the visible sea exactly once, as far as crests rise above the horizon, the nearest first:
    [count, 4] float32, x and z of the least corner, side (m), level (0 is finest).

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


def _in_view(
    corners: np.ndarray, side: float, eye: tuple[float, float, float], planes: np.ndarray, swing: float, height: float
) -> np.ndarray:
    normals, offsets = planes[:, :3], planes[:, 3]
    sizes = np.abs(normals)
    # The corner of a patch's box that is farthest along a plane's normal decides. All boxes are of one size, but
    # that the farthest corner of a patch lies lowest, by the planet's curve.
    middle = corners - (eye[0], eye[2]) + 0.5 * side
    drop = ((np.abs(middle) + 0.5 * side) ** 2).sum(axis=1, keepdims=True) / (2 * PLANET_RADIUS)
    box = sizes @ (0.5 * side + swing, height, 0.5 * side + swing) - normals[:, 1] * eye[1] + offsets
    reached = middle @ normals[:, ::2].T + 0.5 * drop * (sizes[:, 1] - normals[:, 1]) + box
    return (reached >= 0).all(axis=1)
