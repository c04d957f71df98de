"""The camera: where it is and where it looks. Metres and radians; y is up."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

# A nearer plane would leave too little of the depth buffer's precision for the distance.
NEAR = 0.4
FAR = 400e3

# Below 0 the camera is under water.
LOWEST, HIGHEST = -40.0, 5000.0
STEEPEST = math.radians(85.0)


@dataclass(frozen=True)
class Camera:
    """One view of the sea."""

    position: tuple[float, float, float] = (0.0, 4.5, 0.0)  # of the eye, m
    heading: float = 0.0  # where it looks, rad, from +x towards +z (the sense of the wind's direction)
    pitch: float = math.radians(-2.0)  # above the horizon, rad; negative looks down
    lens: float = math.radians(38.0)  # vertical field of view, rad

    @property
    def axes(self) -> np.ndarray:
        """Right, up and backward as the rows of a [3, 3] float64 array."""
        forward = np.array(
            [
                math.cos(self.heading) * math.cos(self.pitch),
                math.sin(self.pitch),
                math.sin(self.heading) * math.cos(self.pitch),
            ]
        )
        right = np.array([-math.sin(self.heading), 0.0, math.cos(self.heading)])
        return np.stack([right, np.cross(right, forward), -forward])

    def projection(self, aspect: float) -> np.ndarray:
        """OpenGL's perspective matrix, [4, 4] float64 (row, column), for a width over height."""
        scale = 1.0 / math.tan(self.lens / 2)
        return np.array(
            [
                [scale / aspect, 0.0, 0.0, 0.0],
                [0.0, scale, 0.0, 0.0],
                [0.0, 0.0, (FAR + NEAR) / (NEAR - FAR), 2 * FAR * NEAR / (NEAR - FAR)],
                [0.0, 0.0, -1.0, 0.0],
            ]
        )

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

    def moved(self, right: float, up: float, forward: float) -> Camera:
        """The camera moved by distances in metres along its own axes (up is the world's)."""
        axes = self.axes
        step = right * axes[0] - forward * axes[2] + np.array([0.0, up, 0.0])
        x, y, z = (float(value) for value in np.asarray(self.position) + step)
        return replace(self, position=(x, min(max(y, LOWEST), HIGHEST), z))

    def turned(self, heading: float, pitch: float) -> Camera:
        """The camera rotated by angles in radians."""
        return replace(
            self,
            heading=math.remainder(self.heading + heading, 2 * math.pi),
            pitch=min(max(self.pitch + pitch, -STEEPEST), STEEPEST),
        )
