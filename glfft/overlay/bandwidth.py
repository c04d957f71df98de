"""How fast a device copies: what a pass, which must at least move its points once, is compared with."""

from itertools import pairwise

import moderngl

from glfft.gl import programs
from glfft.gl.bindings import TARGET_IMAGE_UNIT, source_texture_unit
from glfft.gl.context import is_software, state_of
from glfft.gl.functions import check_errors, clear_errors
from glfft.gl.releasable import release_all
from glfft.profiling.clocks import GpuClock, WallClock

# Width and height: two textures of 64 MiB are more than the caches of a GPU hold. A software renderer takes less.
_SIZE, _SOFTWARE_SIZE = (4096, 2048), (512, 512)
_TEXEL_BYTES = 8
_COPIES = 4

# Bytes a second, by device.
_measured: dict[str, float] = {}


def copy_bandwidth(ctx: moderngl.Context) -> float:
    """Bytes a second, read and written, of a shader that only copies a texture of complex64 numbers.

    It is measured once for each device and kept: the fastest of four copies, which take a few milliseconds once the
    shader is compiled. GL state: as a plan leaves it.

    Raises:
        ContextError: the device has no memory for it.
    """
    device = state_of(ctx).device
    name = f"{device.renderer} {device.driver}"
    if name not in _measured:
        _measured[name] = _measure(ctx)
    return _measured[name]


def _measure(ctx: moderngl.Context) -> float:
    software = is_software(ctx)
    width, height = size = _SOFTWARE_SIZE if software else _SIZE
    source_unit = source_texture_unit(state_of(ctx).limits)
    units = {"SOURCE_UNIT": source_unit, "TARGET_UNIT": TARGET_IMAGE_UNIT}
    copy, fill = (programs.compute(ctx, "overlay/copy.comp", {**units, "FILL": fills}) for fills in (0, 1))
    clear_errors(ctx)
    textures = source, target = [ctx.texture(size, 2, dtype="f4") for _ in range(2)]
    clock = WallClock(ctx) if software else GpuClock(ctx)
    try:
        check_errors(ctx, "measuring how fast the device copies")
        for texture in textures:
            texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        stamps = []
        for program, written in ((fill, source), *[(copy, target)] * (1 + _COPIES)):  # the first copy may still compile
            stamps.append(clock.mark())
            source.use(source_unit)
            written.bind_to_image(TARGET_IMAGE_UNIT, read=False, write=True)
            program.run(width // 32, height // 8)
            ctx.memory_barrier()
        times = [clock.take(stamp) for stamp in (*stamps, clock.mark())]
    finally:
        release_all((*textures, clock))
    fastest = min(after - before for before, after in pairwise(times[2:]))
    return 2 * _TEXEL_BYTES * width * height / max(1, fastest) * 1e9
