"""Pictures in a window: where each is, which part of it is seen, and which of its pixels the mouse is on."""

from __future__ import annotations

from dataclasses import dataclass, replace

_CLOSEST = 64.0  # times


@dataclass(frozen=True)
class Part:
    """The part of a picture that is seen, as fractions of its width and height."""

    left: float = 0.0
    top: float = 0.0
    side: float = 1.0  # of both sides

    def zoomed(self, factor: float, at: tuple[float, float]) -> Part:
        """Enlarged by a factor around a place of the pane (fractions of its sides), which stays where it is."""
        side = min(1.0, max(1.0 / _CLOSEST, self.side / factor))
        return Part(self.left + at[0] * (self.side - side), self.top + at[1] * (self.side - side), side)._inside()

    def moved(self, across: float, down: float) -> Part:
        """Moved with the mouse, by fractions of the pane's sides."""
        return replace(self, left=self.left - across * self.side, top=self.top - down * self.side)._inside()

    def _inside(self) -> Part:
        most = 1.0 - self.side
        return replace(self, left=min(max(self.left, 0.0), most), top=min(max(self.top, 0.0), most))


@dataclass(frozen=True)
class Pane:
    """A picture in the window."""

    kind: str  # "picture" or "spectrum"
    rectangle: tuple[float, float, float, float]  # left, top, width, height, pixels of the window
    part: Part

    def place(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """A pixel of the window, as fractions of the pane's width and height."""
        left, top, width, height = self.rectangle
        return (pixel[0] - left) / width, (pixel[1] - top) / height

    def contains(self, pixel: tuple[float, float]) -> bool:
        """Whether a pixel of the window is on the pane."""
        return all(0 <= each < 1 for each in self.place(pixel))

    def of_picture(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """A pixel of the window, as fractions of the whole picture's width and height."""
        across, down = self.place(pixel)
        return self.part.left + across * self.part.side, self.part.top + down * self.part.side

    def frequency(self, pixel: tuple[float, float], size: tuple[int, int], shift: bool) -> tuple[float, float]:
        """The frequency (down, across), cycles a picture, that a pixel of the window shows of a spectrum of `size`,
        width and height; with `shift` the zero frequency is in the middle. The middle of a bin is its frequency.
        """
        across, down = (place * side - 0.5 for place, side in zip(self.of_picture(pixel), size, strict=True))
        middle = (size[1] // 2, size[0] // 2) if shift else (0, 0)
        return down - middle[0], across - middle[1]


def place_of(frequency: tuple[float, float], size: tuple[int, int], shift: bool) -> tuple[float, float]:
    """Where a spectrum's picture shows a frequency (down, across): fractions of its width and height."""
    down, across = frequency
    if shift:
        down, across = down + size[1] // 2, across + size[0] // 2
    return (across + 0.5) / size[0] % 1.0, (down + 0.5) / size[1] % 1.0
