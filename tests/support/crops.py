"""Parts of a picture of the sea, drawn alone as they are in the whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from glfft.apps.ocean.camera import Camera


@dataclass(frozen=True)
class CropCamera(Camera):
    """A camera that sees a box of a picture.

    Attributes:
        full: width and height of the picture.
        box: left, upper, right and lower edge, pixels from the picture's upper left corner.
    """

    full: tuple[int, int] = (1, 1)
    box: tuple[int, int, int, int] = (0, 0, 1, 1)

    @classmethod
    def of(cls, camera: Camera, full: tuple[int, int], box: tuple[int, int, int, int]) -> CropCamera:
        """The camera of a box of another's picture."""
        return cls(camera.position, camera.heading, camera.pitch, camera.lens, full, box)

    def projection(self, aspect: float) -> np.ndarray:
        wide, high, right, up = self._part()
        to_part = np.diag([1 / wide, 1 / high, 1.0, 1.0])
        to_part[:2, 3] = -right / wide, -up / high
        return to_part @ super().projection(self.full[0] / self.full[1])

    def screen_to_world(self, aspect: float) -> np.ndarray:
        wide, high, right, up = self._part()
        of_part = np.array([[wide, 0.0, -right], [0.0, high, -up], [0.0, 0.0, 1.0]])
        return super().screen_to_world(self.full[0] / self.full[1]) @ of_part

    def pixel_angle(self, height: int) -> float:
        return super().pixel_angle(height) * (self.box[3] - self.box[1]) / self.full[1]

    def _part(self) -> tuple[float, float, float, float]:
        """Width and height as shares of the picture's, and the middle from -1 to 1."""
        left, upper, right, lower = self.box
        width, height = self.full
        return (
            (right - left) / width,
            (lower - upper) / height,
            (left + right) / width - 1,
            1 - (upper + lower) / height,
        )
