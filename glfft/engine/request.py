"""What a plan is asked for, turned into passes without touching the driver."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

from glfft.algorithms.passes import AxisRequest, PassSpec, half_shape
from glfft.algorithms.registry import by_name, passes_for
from glfft.algorithms.storage import STORAGES, Storage
from glfft.gl.device import Limits
from glfft.snippets import Snippet

FORWARD = -1
INVERSE = +1
CONVOLVE = 0
WAY_NAMES = {FORWARD: "forward", INVERSE: "inverse", CONVOLVE: "convolve"}


@dataclass(frozen=True)
class PlanRequest:
    """The transform a plan does, as data.

    Attributes:
        shape: rows, columns.
        axes: axes transformed, in the order of the forward passes: 1 = along a row, 0 = along a column.
        algorithm: a name of `glfft.algorithms()`.
        norm: "backward", "ortho" or "forward", as in numpy.
        twiddles: "table" (from float64) or "computed" (in the shader).
        layers: pictures transformed at once, in texture arrays; None for 2-D textures.
        storage: what a texel is.
        load, store: snippets fused into the first and the last pass.
        multiply: snippet that multiplies a spectrum between there and back.
        real: real pictures, and the half of their spectra that tells the rest.
    """

    shape: tuple[int, int]
    axes: tuple[int, ...]
    algorithm: str
    norm: str
    twiddles: str
    layers: int | None = None
    storage: Storage = STORAGES["rg32f"]
    load: Snippet | None = None
    store: Snippet | None = None
    multiply: Snippet | None = None
    real: bool = False

    @property
    def points(self) -> int:
        """Points of one transform, over the axes transformed."""
        return math.prod(self.shape[axis] for axis in self.axes)

    def scale(self, direction: int) -> float:
        """The factor on the result that `norm` asks for."""
        if direction == CONVOLVE:
            return 1.0 / self.points
        if self.norm == "ortho":
            return 1.0 / math.sqrt(self.points)
        scaled_direction = INVERSE if self.norm == "backward" else FORWARD
        return 1.0 / self.points if direction == scaled_direction else 1.0

    @property
    def real_axis(self) -> int | None:
        """The axis whose spectrum is halved: the last of those transformed, if it has more than one point."""
        axis = max(self.axes)
        return axis if self.real and self.shape[axis] > 1 else None

    @property
    def spectrum_shape(self) -> tuple[int, int]:
        """Rows, columns of the spectrum."""
        return half_shape(self.shape, max(self.axes)) if self.real else self.shape

    def passes(self, direction: int, limits: Limits, renderer: str = "", driver: str = "") -> list[PassSpec]:
        """The dispatches of one direction, in order.

        Args:
            direction: FORWARD or INVERSE.
            limits: of the device.
            renderer, driver: the device's name and its driver's, by which measured kernels are found.

        Raises:
            LimitError: the algorithm cannot do a line of this length on this device.
        """
        return self._with_ends(_joined(self._chains(direction, limits, renderer, driver)))

    def convolution(self, limits: Limits, renderer: str = "", driver: str = "") -> list[PassSpec]:
        """The dispatches of a convolution: forward, product and back, the last axis of the way out in one where it can.

        Raises:
            LimitError: as for `passes`.
        """
        assert self.multiply is not None
        device = (limits, renderer, driver)
        there, back = self._chains(FORWARD, *device), self._chains(INVERSE, *device)
        algorithm = by_name(self.algorithm)
        snippets = self.multiply.generated("multiply")
        last, first = there[-1][-1].request, back[0][-1].request
        turning = replace(self._axis_request(last.axis, FORWARD, last.scale, *device), back_scale=first.scale)
        if self.points > 1 and turning.axis != self.real_axis and algorithm.goes_back(turning):
            (middle,) = passes_for(algorithm, turning)
            middle = replace(middle, snippets=snippets, reads=there[-1][0].reads, writes=back[0][-1].writes)
            return self._with_ends([*_joined(there[:-1]), middle, *_joined(back[1:])])
        passes = _joined(there)
        product = (("generated/store.glsl", '#include "fft/product_store.glsl"\n'),)
        passes[-1] = replace(passes[-1], snippets=product + snippets)
        return self._with_ends(passes + _joined(back))

    def _chains(self, direction: int, limits: Limits, renderer: str, driver: str) -> list[list[PassSpec]]:
        """The dispatches of each axis, without snippets."""
        algorithm = by_name(self.algorithm)
        # The inverse goes back the way the forward transform came.
        ordered = self.axes if direction == FORWARD else self.axes[::-1]
        axes = [axis for axis in ordered if self.shape[axis] > 1]
        chains: list[list[PassSpec]] = []
        for axis in axes:
            scale = self.scale(direction) if axis == axes[-1] else 1.0
            chain = passes_for(algorithm, self._axis_request(axis, direction, scale, limits, renderer, driver))
            if axis == self.real_axis:
                # What is a real line on one side is half of its spectrum on the other.
                if direction == FORWARD:
                    chain[-1] = replace(chain[-1], writes="half")
                else:
                    chain[0] = replace(chain[0], reads="half")
            chains.append(chain)
        chains = chains or [[self.copy_pass(direction, limits)]]
        if self.real and direction == FORWARD:
            chains[0][0] = replace(chains[0][0], reads="real")
        elif self.real:
            chains[-1][-1] = replace(chains[-1][-1], writes="real")
        return chains

    def _with_ends(self, passes: list[PassSpec]) -> list[PassSpec]:
        """The passes, every other one backwards, with the caller's load in the first and store in the last."""
        passes = [each.backwards if index % 2 else each for index, each in enumerate(passes)]
        if any(snippet is not None for snippet in (self.load, self.store, self.multiply)):
            # The image unit is left to what the snippets declare.
            passes = [replace(each, image_loads=False) for each in passes]
        if self.load is not None:
            passes[0] = replace(passes[0], snippets=passes[0].snippets + self.load.generated("load"))
        if self.store is not None:
            passes[-1] = replace(passes[-1], snippets=passes[-1].snippets + self.store.generated("store"))
        return passes

    def _axis_request(
        self, axis: int, direction: int, scale: float, limits: Limits, renderer: str = "", driver: str = ""
    ) -> AxisRequest:
        halved = self.real_axis is not None and axis != self.real_axis
        return AxisRequest(
            self.spectrum_shape if halved else self.shape,
            axis,
            direction,
            scale,
            self.twiddles == "computed",
            self.layers,
            self.storage,
            limits,
            renderer,
            driver,
            # A pair shares its NaNs and its rounding, as all lines of a picture do once both axes are through.
            real_pairs=axis == self.real_axis and len(self.axes) > 1,
            picture=self.shape if halved else None,
        )

    def copy_pass(self, direction: int, limits: Limits, block: tuple[int, int, int] = (8, 8, 1)) -> PassSpec:
        """A dispatch that only copies: all there is to do along axes of one point.

        Args:
            direction: FORWARD or INVERSE.
            limits: of the device.
            block: width, height of a work group, and rows that each of its invocations copies.
        """
        rows, columns = self.shape
        width, height, rows_each = block
        return PassSpec(
            shader="fft/copy.comp",
            request=self._axis_request(1, direction, 1.0, limits),
            defines=(("GROUP_WIDTH", width), ("GROUP_HEIGHT", height), ("ROWS_EACH", rows_each), ("SCALE", 1.0)),
            groups=(-(-columns // width), -(-rows // (height * rows_each)), self.layers or 1),
            threads=width * height,
        )


def _joined(chains: list[list[PassSpec]]) -> list[PassSpec]:
    return list(itertools.chain.from_iterable(chains))
