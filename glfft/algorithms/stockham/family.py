"""The Stockham algorithms by name: one with a choice of kernels, and the fixed ones of papers."""

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import log2
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stockham import candidates, choose, cost, modelled
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import BY_STRIDE, EXCHANGES, KernelConfig
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.stockham.trigonometric import fused
from glfft.gl.device import Device

_TYPES: dict[str, type] = {"int": int, "bool": bool, "str": str}
# GLSL's int holds no more.
_MOST = 1 << 31
_MOST_STAGES = 32


class Stockham(Family[KernelConfig]):
    """The kernel for a device and a length is measured, or where nothing was measured, reasoned."""

    name = choose.FAMILY
    summary = (
        "autosort with the radices, points and lines measured to be fastest on the device, one dispatch an axis, "
        "two or three for lines that do not fit shared memory"
    )
    tunable = True
    config_type = KernelConfig

    def supports(self, request: AxisRequest) -> str | None:
        return choose.why_not(request)

    def convolves(self, request: AxisRequest) -> bool:
        return request.length <= choose.longest_at_once(request)

    def fuses(self, request: AxisRequest) -> bool:
        return self.convolves(request)

    def parts(self, request: AxisRequest) -> list[AxisRequest]:
        return choose.parts(request)

    def passes(self, request: AxisRequest, config: KernelConfig) -> list[PassSpec]:
        return [kernel_pass(request, config) if request.kind is None else fused(request, config, kernel_pass)]

    def default(self, request: AxisRequest) -> KernelConfig:
        return candidates.default(request)

    def predicted_us(self, config: KernelConfig, request: AxisRequest, device: DeviceConstants) -> float:
        return cost.predicted_us(cost.work_of(request, config), device)

    def predicted_fastest(self, request: AxisRequest, device: DeviceConstants) -> tuple[KernelConfig, float] | None:
        # One search serves both directions.
        request = replace(request, direction=-1, scale=1.0, loads_computed=False)
        return modelled.fastest(request, device) if modelled.speaks_of(request) else None

    def probes(self, device: Device) -> list[tuple[AxisRequest, KernelConfig]]:
        return [] if device.software else modelled.probes(device)

    def quick(self, request: AxisRequest) -> KernelConfig:
        return choose.quick(request)

    def fits(self, config: KernelConfig, request: AxisRequest) -> bool:
        return self._is_for(config, request.length) and config.fits(request.device.limits, request.storage)

    def _is_for(self, config: KernelConfig, length: int) -> bool:
        """Whether a kernel can do lines of a length."""
        return config.length == length

    def candidates(self, request: AxisRequest, most: int) -> list[KernelConfig]:
        return candidates.candidates(request, most)

    def neighbours(self, config: KernelConfig, request: AxisRequest) -> list[KernelConfig]:
        return candidates.neighbours(config, request)

    def is_worth_it(self, config: KernelConfig, request: AxisRequest) -> bool:
        return candidates.is_worth_it(config, request)

    def describe(self, config: KernelConfig) -> str:
        """Radices, points a thread, lines a group, and what is unusual."""
        words = ["x".join(map(str, config.radices)), f"{config.points} points", f"{config.lines} lines"]
        if config.lines > 1 and not config.side_by_side:
            words.append("one after the other")
        if len(config.radices) > 1:
            words.append(config.exchange)
            if config.padding:
                words.append("padding by stride" if config.padding == BY_STRIDE else f"padding {config.padding}")
            if config.sampled_twiddles:
                words.append("texture")
            if config.twiddle_products:
                words.append("products")
            if config.prefetch_twiddles:
                words.append("factors prefetched")
        if config.image_loads:
            words.append("image loads")
        if config.line_pairs:
            words.append("in pairs")
        return ", ".join(words)

    def from_fields(self, fields: Mapping[str, Any], length: int) -> KernelConfig:
        radices = fields.get("radices")
        if (
            not isinstance(radices, list)
            or not 0 < len(radices) <= _MOST_STAGES
            or not all(type(radix) is int and radix in RADICES for radix in radices)
        ):
            raise ValueError("no kernel has such radices")
        kernel = super().from_fields({**fields, "radices": tuple(radices)}, length)
        if not _sound(kernel) or not self._is_for(kernel, length):
            raise ValueError("no kernel has such values")
        return kernel


class StockhamRadix2(Family[None]):
    """Radix-2 stages only, one line a work group: Mota's algorithm 3 in registers and shared memory."""

    name = "stockham-radix2"
    summary = "ping-pong-stockham-radix2 with the line in registers and shared memory in place of two images"

    def supports(self, request: AxisRequest) -> str | None:
        return work_groups.why_not(request) or work_groups.why_no_power_of_two(request)

    def convolves(self, request: AxisRequest) -> bool:
        return True

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        return [_one_line_a_group(request, (2,) * log2(request.length))]


class StockhamRadix4(StockhamRadix2):
    """Radix-4 stages, and a last one of radix 2 where log2 of the length is odd."""

    name = "stockham-radix4"
    summary = "ping-pong-stockham-radix4 with the line in registers and shared memory in place of two images"

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        stages = log2(request.length)
        return [_one_line_a_group(request, (4,) * (stages // 2) + (2,) * (stages % 2))]


class Radix8(Family[None]):
    """Eight points a thread, and for 512 points two exchanges between three stages, as Hinitt and Kocak's kernel has.

    Theirs (GPU-Based FFT Computation for Multi-Gigabit WirelessHD Baseband Processing, 2010, section 5) is radix 2 and
    another order of points: `glfft.algorithms.study.butterfly_sets`.
    """

    name = "radix-8"
    summary = "autosort, radix 8, eight points a thread, two exchanges at 512 points, one line a work group"
    study = True
    padding = 0

    def supports(self, request: AxisRequest) -> str | None:
        stages = max(round(math.log(request.length, 8)), 1)
        if request.length != 8**stages:
            return f"a length that is a power of eight, such as {8**stages}"
        return work_groups.why_too_many_invocations(request, request.length // 8) or work_groups.why_not(
            request, self.padding
        )

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        stages = round(math.log(request.length, 8))
        return [kernel_pass(request, KernelConfig((8,) * stages, request.length // 8, padding=self.padding))]


class Radix8Padded(Radix8):
    """The same with padding in shared memory."""

    name = "radix-8-padded"
    summary = "the same with a free slot of shared memory after every 8 points, so that fewer accesses meet in a bank"
    padding = 8


def _one_line_a_group(request: AxisRequest, radices: tuple[int, ...]) -> PassSpec:
    return kernel_pass(request, KernelConfig(radices, work_groups.threads(request, points=max(radices))))


def _sound(kernel: KernelConfig) -> bool:
    return (
        all(type(getattr(kernel, each.name)) is _TYPES.get(str(each.type), tuple) for each in fields(kernel))
        and 0 < kernel.threads <= kernel.length
        and 0 < kernel.lines < _MOST
        and kernel.exchange in EXCHANGES
        and BY_STRIDE <= kernel.padding < _MOST
    )
