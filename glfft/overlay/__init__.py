"""Draws a profiler's results over a program's picture."""

from glfft.overlay.overlay import Overlay

__all__ = ["Overlay"]
