"""The profiler's picture over a program's."""

from glfft.overlay.overlay import Overlay

__all__ = ["Overlay"]
