"""All stages of an axis in one dispatch: on two images, where each stage loads from one and stores to the other, or in
shared memory.
"""

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import log2
from glfft.algorithms.passes import PassSpec


class PingPongCooleyTukey(Family[None]):
    """Decimation in time, bit reversal on the first stage's loads. A work group has a line, a thread a butterfly."""

    name = "ping-pong-cooley-tukey"
    summary = "Cooley-Tukey: all radix-2 stages of an axis in one dispatch, on two images (Mota's single pass)"
    shader = "fft/ping_pong_cooley_tukey.comp"
    radix = 2

    def supports(self, request: AxisRequest) -> str | None:
        return (
            work_groups.why_no_power_of_two(request)
            or work_groups.why_too_many_invocations(request, self._threads(request))
            or _why_no_images(request)
            or work_groups.why_too_many(request, request.lines, request.layers or 1)
        )

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        radices = self._radices(request.length)
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

    def _radices(self, length: int) -> tuple[int, ...]:
        """The radices of the stages in order: the family's own, and a last 2 where radix 4 leaves a factor of 2."""
        bits = log2(self.radix)
        stages, left = divmod(log2(length), bits)
        return (self.radix,) * stages + (2,) * left

    def _threads(self, request: AxisRequest) -> int:
        return max(request.length // self.radix, 1)


class PingPongStockhamRadix2(PingPongCooleyTukey):
    """Stockham's transform: each stage moves its results towards their order."""

    name = "ping-pong-stockham-radix2"
    summary = "Stockham, radix 2: the same without bit reversal (Mota)"
    shader = "fft/ping_pong_stockham_radix2.comp"


class PingPongStockhamRadix4(PingPongCooleyTukey):
    """Four points a thread, and half of the stages and barriers."""

    name = "ping-pong-stockham-radix4"
    summary = "Stockham, radix 4: the same with half of the stages (Mota)"
    shader = "fft/ping_pong_stockham_radix4.comp"
    radix = 4


class CooleyTukey(Family[None]):
    """The line in place in shared memory, with a barrier before each and one before the stores."""

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
        threads = work_groups.threads(request, points=2)
        spec = work_groups.line_pass(
            request,
            "fft/cooley_tukey.comp",
            threads,
            (2,) * stages,
            shared_bytes=request.length * request.storage.value_bytes,
            barriers=stages + 1,
            turns_at_ends=True,
        )
        return [spec]


FAMILIES = (PingPongCooleyTukey(), PingPongStockhamRadix2(), PingPongStockhamRadix4())


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
