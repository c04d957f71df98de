"""What a device is and what it allows, as data."""

import re
from dataclasses import dataclass

# Where a renderer's name ends and its bus, driver or compiler begins: "NVIDIA H200/PCIe/SSE2", "llvmpipe (LLVM 15.0)".
# Trade marks belong to the name: "AMD Radeon (TM)".
_END_OF_NAME = re.compile(r"/(?:PCIe?|AGP|SSE2|integrated)\b| \((?!TM\)|R\))")

_SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software rasterizer")


@dataclass(frozen=True)
class Limits:
    """What a device allows, read from its context once: texture sizes in texels, memory in bytes, the others in counts;
    `float64` is whether shaders may compute in it. The defaults are what OpenGL 4.3 promises.
    """

    texture_size: int
    shared_memory: int
    invocations: int
    group_size: tuple[int, int, int]
    group_count: tuple[int, int, int]
    image_units: int
    texture_units: int
    buffer_bytes: int = 1 << 24
    array_layers: int = 2048
    float64: bool = True
    texture_3d_size: int = 2048
    buffer_texels: int = 1 << 16

    def in_rows(self, groups: int) -> tuple[int, int]:
        """Groups across, and rows of them, that hold so many work groups: a device may allow only 65535 in a row."""
        rows = -(-groups // self.group_count[0])
        return -(-groups // rows), rows


@dataclass(frozen=True)
class Device:
    """The device behind a context: measured kernels are kept by its names."""

    limits: Limits  # what it allows
    renderer: str = ""  # its name, GL_RENDERER
    driver: str = ""  # its driver and the version of that
    avx512: bool = False  # whether the machine's processor has AVX-512

    @property
    def software(self) -> bool:
        return is_software_renderer(self.renderer)

    @property
    def goes_lane_by_lane(self) -> bool:
        """Whether it loads and stores lane by lane, but from images for all lanes at once: Mesa's llvmpipe."""
        return self.renderer.startswith("llvmpipe") and self.limits.float64 and self.limits.buffer_texels > 0

    @property
    def stores_doubles(self) -> bool:
        """Whether floats take less time stored two by two, as doubles: not where eight fill an AVX-512 register."""
        return self.goes_lane_by_lane and not (self.avx512 and "256 bits" in self.renderer)


# The least that OpenGL ES 3.1 guarantees (specification, section 20.3): kernels for it run on every such device.
_LIMITS_OF_ES_3_1 = Limits(
    texture_size=2048, shared_memory=16384, invocations=128, group_size=(128, 128, 64),
    group_count=(65535, 65535, 65535), image_units=4, texture_units=48, buffer_bytes=1 << 27, array_layers=256,
    float64=False, texture_3d_size=256, buffer_texels=0,
)  # fmt: skip
ES_3_1 = Device(_LIMITS_OF_ES_3_1, "OpenGL ES 3.1")


def model_of(renderer: str) -> str:
    """The part of a renderer's name that all such devices share, whatever their bus, driver and compiler."""
    return _END_OF_NAME.split(renderer)[0].strip()


def is_software_renderer(renderer: str) -> bool:
    """Whether a device of that name is a CPU."""
    return any(name in renderer.lower() for name in _SOFTWARE_RENDERERS)
