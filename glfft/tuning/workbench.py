"""Where kernels are tried: they transform the same noise, and must all give the same result."""

from collections.abc import Iterable, Iterator

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import Choice, PassSpec
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
        images = ImageSpec(ctx, request.shape, request.layers, request.storage)
        with released_on_error(self._owned):
            clear_errors(ctx)
            self._source, self._target = (self._own(images.make()) for _ in range(2))
            self._sums = self._own(ctx.buffer(reserve=_summing(request)[1] * 4 * request.storage.number_bytes))
            check_errors(ctx, "tuning")
            noise, self._noise, self._fingerprint = (CompiledPass(ctx, spec) for spec in helper_passes(request))
            noise.run(None, self._source)
        self._released = False
        ctx.memory_barrier()

    def spec(self, choice: Choice) -> PassSpec:
        (spec,) = registry.family_of(choice.family).passes(self.request, choice.config)
        return spec

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
        """Whether a fingerprint is that of the right result."""
        error = float(np.linalg.norm(sums - right) / np.linalg.norm(right))
        # False for NaN.
        storage = self.request.storage
        arithmetic = 2.0 ** -(FLOAT64 if storage.double else FLOAT32).bits
        return error <= _ROUNDINGS_OF_ARITHMETIC * arithmetic + _ROUNDINGS_OF_STORES * 2.0**-storage.number.bits


def helper_passes(request: AxisRequest) -> tuple[PassSpec, PassSpec, PassSpec]:
    """What a workbench runs besides kernels: noise for its source, other noise for its target, and the fingerprint."""
    request = request.plain
    rows, columns = request.shape[-2:]
    slices = request.points // (rows * columns)
    wanted = (-(-columns // _GROUP), -(-rows // _GROUP), slices)
    across, down, deep = map(min, wanted, request.device.limits.group_count)
    tile = (("GROUP", _GROUP), ("SLICES", slices))
    source, target = (
        PassSpec("tuning/noise.comp", request, (*tile, ("SEED", seed)), (across, down, deep), _GROUP * _GROUP)
        for seed in (_SOURCE_SEED, _TARGET_SEED)
    )
    summands, sums = _summing(request)
    defines = (("SLICES", slices), ("SUMMANDS", summands), ("SUMS_BINDING", SUMS_BUFFER_BINDING))
    return source, target, PassSpec("tuning/fingerprint.comp", request, defines, (sums, 1, 1), 64)


def _summing(request: AxisRequest) -> tuple[int, int]:
    """How many texels go into each sum of a fingerprint, and how many sums there are."""
    summands = max(-(-request.points // _SUMMING_GROUPS), _FEWEST_SUMMANDS)
    return summands, -(-request.points // summands)


def tunable(specs: Iterable[PassSpec]) -> list[AxisRequest]:
    """The requests of the passes whose kernel was a choice, each kind once."""
    requests: dict[object, AxisRequest] = {}
    for spec in specs:
        if spec.choice is not None:
            request = spec.request.plain
            kind = (request.length, request.measured_axis, request.points, request.storage.name, request.algorithm)
            requests.setdefault(kind, request)
    return list(requests.values())
