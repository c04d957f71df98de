"""Where kernels are tried: they transform the same noise, and must all give the same result."""

import weakref
from collections.abc import Iterable, Iterator
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import Choice, PassSpec
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import ImageSpec
from glfft.errors import ContextError, ShaderError
from glfft.gl.bindings import SUMS_BUFFER_BINDING
from glfft.gl.context import state_of
from glfft.gl.functions import check_errors, clear_errors

_GROUP = 8
_SUMMING_GROUPS = 1024
_FEWEST_SUMMANDS = 256
_SOURCE_SEED = 1
_TARGET_SEED = 2

# How far fingerprints of right results may be apart, relative to their size. Rounding in float64 makes some 1e-16,
# in float32 1e-7, storing in half precision 1e-3. One wrong element in a million makes up to 1e-3 in float32.
_TOLERANCE = {"f8": 1e-13, "f4": 1e-5, "f2": 1e-2}


class Workbench:
    """Runs kernels on lines like those of a request; all do the plain forward transform of them.

    Raises ContextError where the device has not enough memory for two more textures.
    """

    def __init__(self, ctx: moderngl.Context, request: AxisRequest) -> None:
        self._state = state_of(ctx)
        self._ctx = ctx
        self._owned: list[Any] = []
        self._finalizer = weakref.finalize(self, self._state.dropped.extend, self._owned)
        self.request = request.plain
        images = ImageSpec(ctx, request.shape, request.layers, request.storage)
        try:
            clear_errors(ctx)
            self._source = images.make()
            self._owned.append(self._source)
            self._target = images.make()
            self._owned.append(self._target)
            self._sums = ctx.buffer(reserve=_summing(request)[1] * 4 * request.storage.number_bytes)
            self._owned.append(self._sums)
            check_errors(ctx, "tuning")
            noise, self._noise, self._fingerprint = (CompiledPass(ctx, spec) for spec in helper_passes(request))
            noise.run(None, self._source)
        except BaseException:
            self.release()
            raise
        ctx.memory_barrier()

    def spec(self, choice: Choice) -> PassSpec:
        """The pass of a kernel."""
        (spec,) = registry.family_of(choice.family).passes(self.request, choice.config)
        return spec

    def compile(self, choice: Choice) -> CompiledPass:
        """A kernel made ready to run. Raises ShaderError where the driver refuses it."""
        return CompiledPass(self._ctx, self.spec(choice))

    def run(self, compiled: CompiledPass) -> None:
        """Queue a pass and the barrier after it, as a plan does."""
        compiled.run(self._source, self._target)
        self._ctx.memory_barrier(compiled.spec.bindings.source.barrier)

    def check(self, compiled: CompiledPass) -> Iterator[None]:
        """Queue a pass and the fingerprint of its result, in slices that each take about as long as the pass.

        The result of an earlier pass is overwritten with other noise first. Raises ShaderError where OpenGL refuses to
        run the pass.
        """
        self._noise.run(None, self._target)
        self._ctx.memory_barrier()
        yield
        # Errors that are there already are the program's.
        clear_errors(self._ctx)
        compiled.run(self._source, self._target)
        self._ctx.memory_barrier()
        try:
            check_errors(self._ctx, "running a kernel")
        except ContextError as error:
            raise ShaderError(str(error)) from error
        yield
        self._sums.bind_to_storage_buffer(SUMS_BUFFER_BINDING)
        self._fingerprint.run(self._target, None)
        self._ctx.memory_barrier()

    def fingerprint(self) -> npt.NDArray[np.float64]:
        """The fingerprint of the pass checked last; waits for it."""
        numbers = np.float64 if self.request.storage.double else np.float32
        return np.frombuffer(self._sums.read(), numbers).astype(np.float64)

    def same(self, sums: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> bool:
        """Whether a fingerprint is that of the right result."""
        error = float(np.linalg.norm(sums - right) / np.linalg.norm(right))
        # False for NaN.
        return error <= _TOLERANCE[self.request.storage.dtype]

    def release(self) -> None:
        """Free the textures or buffers, or if the context is not current, when a plan is next made in it."""
        self._finalizer.detach()
        self._state.release_soon(self._owned)
        self._owned = []


def helper_passes(request: AxisRequest) -> tuple[PassSpec, PassSpec, PassSpec]:
    """What a workbench runs besides kernels: noise for its source, other noise for its target, and the fingerprint."""
    request = request.plain
    rows, columns = request.shape[-2:]
    slices = request.points // (rows * columns)
    wanted = (-(-columns // _GROUP), -(-rows // _GROUP), slices)
    across, down, deep = map(min, wanted, request.device.limits.group_count)
    tiles = (across, down, deep)
    tile = (("GROUP", _GROUP), ("SLICES", slices))
    source, target = (
        PassSpec("tuning/noise.comp", request, (*tile, ("SEED", seed)), tiles, _GROUP * _GROUP)
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
