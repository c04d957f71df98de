"""All stages of an axis in one dispatch: on two images, where each stage loads from one and stores to the other, or in
shared memory.
"""

from dataclasses import dataclass

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import log2
from glfft.algorithms.passes import PassSpec


@dataclass(eq=False)
class PingPong(Family[None]):
    """A work group has a line, and a thread a butterfly: stages of one radix, and a last 2 where radix 4 leaves one."""

    name: str
    summary: str
    shader: str
    radix: int = 2

    def supports(self, request: AxisRequest) -> str | None:
        return (
            work_groups.why_no_power_of_two(request)
            or work_groups.why_too_many_invocations(request, self._threads(request))
            or _why_no_images(request)
            or work_groups.why_too_many(request, request.lines, request.layers or 1)
        )

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        radices = work_groups.radices(request, self.radix)
        spec = work_groups.line_pass(
            request,
            self.shader,
            self._threads(request),
            radices,
            # The first stage of a decimation in frequency has the most factors, and the last has none.
            table=radices[::-1],
            barriers=radices.count(self.radix),
            # The last stage stores where it loaded, and the stages before it store to the two images.
            turns_at_ends=True,
            ping_pong=True,
        )
        return [spec]

    def _threads(self, request: AxisRequest) -> int:
        return max(request.length // self.radix, 1)


class CooleyTukey(Family[None]):
    """The line in place in shared memory, with a barrier before each stage and one before the stores."""

    name = "cooley-tukey"
    summary = "ping-pong-cooley-tukey with the line in shared memory in place of two images"

    def supports(self, request: AxisRequest) -> str | None:
        return (
            work_groups.why_not(request)
            or work_groups.why_no_power_of_two(request)
            or work_groups.why_too_many(request, request.lines)
        )

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        stages = log2(request.length)
        spec = work_groups.line_pass(
            request,
            "fft/cooley_tukey.comp",
            work_groups.threads(request, points=2),
            (2,) * stages,
            shared_bytes=request.length * request.storage.value_bytes,
            barriers=stages + 1,
            turns_at_ends=True,
        )
        return [spec]


FAMILIES = (
    # Bits are reversed as the first stage loads.
    PingPong(
        "ping-pong-cooley-tukey",
        "Cooley-Tukey: all radix-2 stages of an axis in one dispatch, on two images (Mota's single pass)",
        "fft/ping_pong_cooley_tukey.comp",
    ),
    PingPong(
        "ping-pong-stockham-radix2",
        "Stockham, radix 2: the same without bit reversal (Mota)",
        "fft/ping_pong_stockham_radix2.comp",
    ),
    PingPong(
        "ping-pong-stockham-radix4",
        "Stockham, radix 4: the same with half of the stages (Mota)",
        "fft/ping_pong_stockham_radix4.comp",
        radix=4,
    ),
)


def _why_no_images(request: AxisRequest) -> str | None:
    """Why two images cannot hold the lines between stages, to complete "it would need"."""
    if request.storage.double:
        return "single precision, as images have no texels of float64"
    if request.is_volume and request.layers is not None:
        return "one volume at a time, as there are no arrays of 3-D images"
    limits = request.device.limits
    longest, most = max(request.shape), limits.texture_3d_size if request.is_volume else limits.texture_size
    if longest > most:
        return f"images of {longest} texels a side, and the device has at most {most}"
    if (request.layers or 1) > limits.array_layers:
        return f"images of {request.layers} layers, and the device has at most {limits.array_layers}"
    return None
