"""The Stockham algorithms by name: one with a choice of kernels, and the fixed ones of papers."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.family import Family
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stockham import candidates, choose, modelled
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import BY_STRIDE, EXCHANGES, SWAPPED, KernelConfig
from glfft.algorithms.stockham.cost import predicted_us, work_of
from glfft.algorithms.stockham.kernel import fused, kernel_pass

_TYPES: dict[str, type] = {"int": int, "bool": bool, "str": str}
_MOST = 1 << 31  # GLSL's int holds no more
_MOST_STAGES = 32
_FEW_THREADS = 128  # a work group


class Stockham(Family[KernelConfig]):
    """The kernel for a device and a length is measured, or where nothing was measured, reasoned."""

    name = choose.FAMILY
    summary = (
        "autosort with the kernel measured to be fastest on the device; a dispatch an axis, long lines two or three"
    )
    tunable = True
    config_type = KernelConfig

    def supports(self, request: AxisRequest) -> str | None:
        return choose.why_not(request)

    def convolves(self, request: AxisRequest) -> bool:
        return self.fuses(request) and not choose.convolves_faster_apart(request)

    def fuses(self, request: AxisRequest) -> bool:
        return request.length <= choose.longest_at_once(request)

    def halves(self, request: AxisRequest) -> bool:
        return len(self.parts(request)) == 1 and choose.halves_pay(request)

    def lets_pairs_go_alone(self, request: AxisRequest) -> bool:
        return choose.pairs_take_longer(request)

    def parts(self, request: AxisRequest) -> list[AxisRequest]:
        return choose.parts(request)

    def passes(self, request: AxisRequest, config: KernelConfig) -> list[PassSpec]:
        return [kernel_pass(request, config) if request.kind is None else fused(request, config, kernel_pass)]

    def predicted_fastest(
        self, request: AxisRequest, device: DeviceConstants, measured: Iterable[KernelConfig] = ()
    ) -> modelled.Predicted | None:
        # One search serves both directions.
        values = replace(request.of_values, direction=-1, scale=1.0, loads_computed=False, convolution="")
        found = modelled.fastest(values, device) if modelled.speaks_of(values) else None
        if found is None:
            return None
        if not self.fits(found[0], request):
            kernel = found[0].in_one_piece
            found = kernel, predicted_us(work_of(values, kernel), device)
        if not request.mirrors:
            found = modelled.with_pairs(found, values, device)
        kernel, microseconds = modelled.with_measured(found, values, device, measured)
        return self.for_real_lines(kernel, request), microseconds

    def fits(self, config: KernelConfig, request: AxisRequest) -> bool:
        limits, storage = request.device.limits, request.of_values.storage
        if config.pieces > 1:
            needless = request.inverse_scale is not None and config.needs_no_pieces(limits, storage)
            # Real lines go in one piece.
            if request.mirrors or needless or not config.in_one_piece.fits(limits, storage):
                return False
        apart = choose.lines_lie_apart(request) and config.lines <= choose.fewest_lines(request)
        if apart or choose.leaves_units_idle(request):
            return False
        fits = self._is_for(config, request.length) and config.fits(limits, storage)
        return fits and not candidates.spills(config, request)

    def _is_for(self, config: KernelConfig, length: int) -> bool:
        return config.length == length

    def _transformed(self, request: AxisRequest) -> AxisRequest:
        return request.of_values

    def default(self, request: AxisRequest) -> KernelConfig:
        return candidates.default(self._transformed(request))

    def quick(self, request: AxisRequest) -> KernelConfig:
        return choose.quick(self._transformed(request))

    def for_real_lines(self, config: KernelConfig, request: AxisRequest) -> KernelConfig:
        # Two rows of a pair fill the sectors of textures, as two complex rows do. So an NVIDIA H200 takes 3000 x 4000
        # points in 0.86 of the time, back 0.94, 2160 x 3840 in 0.93. Groups of 64 threads take 1.08, of 128 up to 1.03.
        lines = config.line_by_line.lines
        while lines // 2 * config.threads > _FEW_THREADS:
            lines //= 2
        if request.reals != "in pairs" or request.storage.buffer or lines == config.line_by_line.lines:
            return config
        return replace(config.line_by_line, lines=lines, side_by_side=config.side_by_side and lines > 1)

    def candidates(self, request: AxisRequest, most: int) -> list[KernelConfig]:
        return candidates.candidates(self._transformed(request), most)

    def neighbours(self, config: KernelConfig, request: AxisRequest) -> list[KernelConfig]:
        wanted = self._transformed(request)
        return [*candidates.neighbours(config, wanted), *candidates.in_pairs(config, wanted)]

    def is_worth_it(self, config: KernelConfig, request: AxisRequest) -> bool:
        return self.fits(config, request) and candidates.is_worth_it(config, self._transformed(request))

    def describe(self, config: KernelConfig) -> str:
        """Radices, points a thread, lines a group, and what is unusual."""
        words = ["x".join(map(str, config.radices)), f"{config.points} points", f"{config.lines} lines"]
        several = len(config.radices) > 1
        padding = {BY_STRIDE: "padding by stride", SWAPPED: "swapped"}.get(config.padding, f"padding {config.padding}")
        unusual = {
            "one after the other": config.lines > 1 and not config.side_by_side,
            config.exchange: several,
            padding: several and config.padding != 0,
            "texture": several and config.sampled_twiddles,
            "products": several and config.twiddle_products,
            "factors prefetched": several and config.prefetch_twiddles,
            "image loads": config.image_loads,
            "staged": config.staged,
            "in pairs": config.line_pairs,
            f"{config.pieces} pieces": config.pieces > 1,
        }
        return ", ".join([*words, *(word for word, holds in unusual.items() if holds)])

    def from_fields(self, fields: Mapping[str, Any], length: int) -> KernelConfig:
        radices = fields.get("radices", ())
        known = isinstance(radices, list) and all(type(radix) is int and radix in RADICES for radix in radices)
        if not known or not 0 < len(radices) <= _MOST_STAGES:
            raise ValueError("no kernel has such radices")
        kernel = super().from_fields({**fields, "radices": tuple(radices)}, length)
        if not _sound(kernel) or not self._is_for(kernel, length):
            raise ValueError("no kernel has such values")
        return kernel


@dataclass(eq=False)
class FixedRadix(Family[None]):
    """Stages of one radix, one line a work group. Radix 2 is Mota's algorithm 3 in registers and shared memory; radix 4
    has a last stage of radix 2 where log2 of the length is odd.

    Of radix 8, with two exchanges between three stages for 512 points, it is as Hinitt and Kocak's kernel (GPU-Based
    FFT Computation for Multi-Gigabit WirelessHD Baseband Processing, 2010, section 5). Theirs is radix 2 and another
    order of points: `glfft.algorithms.study.butterfly_sets`.
    """

    name: str
    summary: str
    radix: int
    padding: int = 0
    study: bool = False

    def supports(self, request: AxisRequest) -> str | None:
        slots = request.length + (request.length // self.padding if self.padding else 0)
        shared = slots * request.storage.value_bytes
        if self.radix < 8:
            return work_groups.why_not(request, shared_bytes=shared)
        stages = max(round(math.log(request.length, 8)), 1)
        if request.length != 8**stages:
            return f"a length that is a power of eight, such as {8**stages}"
        return work_groups.why_not(request, request.length // 8, shared)

    def convolves(self, request: AxisRequest) -> bool:
        return not self.study

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        radices = work_groups.radices(request, self.radix)
        threads = work_groups.threads(request, points=max(radices))
        return [kernel_pass(request, KernelConfig(radices, threads, padding=self.padding))]


_IN_SHARED_MEMORY = "with the line in registers and shared memory in place of two images"
FIXED = tuple(
    FixedRadix(f"stockham-radix{radix}", f"ping-pong-stockham-radix{radix} {_IN_SHARED_MEMORY}", radix)
    for radix in (2, 4)
)
_RADIX_8 = "autosort, radix 8, eight points a thread, two exchanges at 512 points, one line a work group"
_PADDED = "the same with a free slot of shared memory after every 8 points, so that fewer accesses meet in a bank"
RADIX_8 = (
    FixedRadix("radix-8", _RADIX_8, 8, study=True),
    FixedRadix("radix-8-padded", _PADDED, 8, padding=8, study=True),
)


def _sound(kernel: KernelConfig) -> bool:
    return (
        all(type(getattr(kernel, each.name)) is _TYPES.get(str(each.type), tuple) for each in fields(kernel))
        and 0 < kernel.threads <= kernel.length
        and 0 < kernel.lines < _MOST
        and 0 < kernel.pieces <= max(kernel.lines, 2)
        and (kernel.lines == 1 or kernel.lines % kernel.pieces == 0)
        and kernel.exchange in EXCHANGES
        and SWAPPED <= kernel.padding < _MOST
    )
