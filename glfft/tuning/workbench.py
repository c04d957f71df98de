"""Where kernels are tried: they transform the same noise, and must all give the same result."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import Choice, PassSpec
from glfft.algorithms.regions import Points, half_shape
from glfft.algorithms.storage import FLOAT32, FLOAT64
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import ImageSpec
from glfft.errors import ContextError, ShaderError
from glfft.gl.bindings import SUMS_BUFFER_BINDING
from glfft.gl.functions import check_errors, clear_errors
from glfft.gl.releasable import Owner, released_on_error

_GROUP = 8
_SUMMING_GROUPS, _FEWEST_SUMMANDS = 1024, 256
_SOURCE_SEED, _TARGET_SEED = 1, 2

# How far fingerprints of right results may be apart, relative to their size, as multiples of one rounding: 1e-5 in
# float32. There rounding makes some 1e-7, and one wrong element in a million up to 1e-3.
_ROUNDINGS_OF_ARITHMETIC, _ROUNDINGS_OF_STORES = 150, 20


class Workbench(Owner):
    """Runs kernels, all the plain forward transform, on lines like a request's. Raises ContextError without memory."""

    def __init__(self, ctx: moderngl.Context, request: AxisRequest) -> None:
        super().__init__(ctx)
        self.request = request.plain
        noise, other_noise, fingerprint = helper_passes(request)
        with released_on_error(self._owned):
            clear_errors(ctx)
            self._source, self._target = (
                self._own(ImageSpec(ctx, each.target_lines.shape, request.layers, each.target_storage).make())
                for each in (noise, other_noise)
            )
            self._sums = self._own(ctx.buffer(reserve=fingerprint.groups[0] * 4 * request.storage.number_bytes))
            check_errors(ctx, "tuning")
            self._noise, self._fingerprint = CompiledPass(ctx, other_noise), CompiledPass(ctx, fingerprint)
            CompiledPass(ctx, noise).run(None, self._source)
        ctx.memory_barrier()

    def spec(self, choice: Choice) -> PassSpec:
        (spec,) = registry.family_of(choice.family).passes(self.request, choice.config)
        reads, writes = _ends(self.request)
        return replace(spec, reads=reads, writes=writes)

    def compile(self, choice: Choice) -> CompiledPass:
        """A kernel made ready to run. Raises ShaderError where the driver refuses it."""
        return CompiledPass(self.ctx, self.spec(choice))

    def run(self, compiled: CompiledPass) -> None:
        """Queue a pass and the barrier after it, as a plan does."""
        compiled.run(self._source, self._target)
        self.ctx.memory_barrier(compiled.spec.bindings.source.barrier)

    def check(self, compiled: CompiledPass) -> Iterator[None]:
        """Queue a pass over other noise and its fingerprint, in slices. Raises ShaderError where OpenGL refuses it."""
        self._noise.run(None, self._target)
        self.ctx.memory_barrier()
        yield
        clear_errors(self.ctx)  # errors that are there already are the program's
        compiled.run(self._source, self._target)
        self.ctx.memory_barrier()
        try:
            check_errors(self.ctx, "running a kernel")
        except ContextError as error:
            raise ShaderError(str(error)) from error
        yield
        self._sums.bind_to_storage_buffer(SUMS_BUFFER_BINDING)
        self._fingerprint.run(self._target, None)
        self.ctx.memory_barrier()

    def fingerprint(self) -> npt.NDArray[np.float64]:
        """The fingerprint of the pass checked last; waits for it."""
        numbers = np.float64 if self.request.storage.double else np.float32
        return np.frombuffer(self._sums.read(), numbers).astype(np.float64)

    def same(self, sums: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> bool:
        """Whether a fingerprint is the right result's."""
        error = float(np.linalg.norm(sums - right) / np.linalg.norm(right))
        # False for NaN.
        storage = self.request.storage
        arithmetic = 2.0 ** -(FLOAT64 if storage.double else FLOAT32).bits
        return error <= _ROUNDINGS_OF_ARITHMETIC * arithmetic + _ROUNDINGS_OF_STORES * 2.0**-storage.number.bits


def helper_passes(request: AxisRequest) -> tuple[PassSpec, PassSpec, PassSpec]:
    """What a workbench runs besides kernels: noise for its source, other noise for its target, and the fingerprint."""
    request = request.plain
    reads, writes = _ends(request)
    shape = half_shape(request.shape, request.axis) if writes is Points.HERMITIAN else request.shape
    slices, texels = _slices(request, shape), math.prod(shape) * (request.layers or 1)
    summands = max(-(-texels // _SUMMING_GROUPS), _FEWEST_SUMMANDS)
    defines = (("SLICES", slices), ("SUMMANDS", summands), ("SUMS_BINDING", SUMS_BUFFER_BINDING))
    groups = -(-texels // summands), 1, 1
    fingerprint = PassSpec("tuning/fingerprint.comp", request, defines, groups, 64, reads=writes)
    source = _noise(request, _SOURCE_SEED, request.shape, reads)
    return source, _noise(request, _TARGET_SEED, shape, writes), fingerprint


def _ends(request: AxisRequest) -> tuple[Points, Points]:
    """What the source and the target of a plain request hold."""
    return (Points.REAL, Points.HERMITIAN) if request.reals else (Points.COMPLEX, Points.COMPLEX)


def _slices(request: AxisRequest, shape: tuple[int, ...]) -> int:
    """Layers, or of volumes the planes of all of them."""
    return math.prod(shape[:-2]) * (request.layers or 1)


def _noise(request: AxisRequest, seed: int, shape: tuple[int, ...], writes: Points) -> PassSpec:
    slices, (rows, columns) = _slices(request, shape), shape[-2:]
    wanted = (-(-columns // _GROUP), -(-rows // _GROUP), slices)
    across, down, deep = map(min, wanted, request.device.limits.group_count)
    defines = (("GROUP", _GROUP), ("SLICES", slices), ("SEED", seed))
    return PassSpec("tuning/noise.comp", request, defines, (across, down, deep), _GROUP * _GROUP, writes=writes)


def tunable(specs: Iterable[PassSpec]) -> list[AxisRequest]:
    """The requests of the passes whose kernel was a choice that times of passes may replace, each kind once."""
    requests: dict[object, AxisRequest] = {}
    for spec in specs:
        if spec.choice is not None and not spec.choice.whole:
            request = spec.request.plain
            lines = request.length, request.measured_axis, request.points
            requests.setdefault((*lines, request.storage.name, request.reals, request.algorithm), request)
    return list(requests.values())
