"""What a device is and allows, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What a device allows, read from its context once.

    Sizes are in texels, shared memory in bytes, groups and invocations in counts.
    """

    texture_size: int
    shared_memory: int
    invocations: int
    group_size: tuple[int, int, int]
    group_count: tuple[int, int, int]
    image_units: int
    texture_units: int


_SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software rasterizer")


def is_software_renderer(renderer: str) -> bool:
    """Whether a device of that name is a CPU."""
    return any(name in renderer.lower() for name in _SOFTWARE_RENDERERS)
