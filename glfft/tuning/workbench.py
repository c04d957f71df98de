"""Where kernels are tried: they transform the same noise, and must all give the same result."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms.passes import AxisRequest, PassSpec
from glfft.algorithms.stockham.kernel import Kernel, kernel_pass
from glfft.engine.compiled_pass import Pass
from glfft.engine.images import Carriers
from glfft.errors import ContextError, ShaderError
from glfft.gl.barriers import SHADER_STORAGE_BARRIER, TEXTURE_FETCH_BARRIER
from glfft.gl.context import check_errors, clear_errors, state_of

# One of the lower half of the buffer bindings that every OpenGL 4.3 device has; the plan's are the highest.
SUMS_BINDING = 4

_GROUP = 8
_SUMMING_GROUPS = 1024
_FEWEST_SUMMANDS = 256
_SOURCE_SEED = 1
_TARGET_SEED = 2

# How far fingerprints of right results may be apart, relative to their size. Rounding in float32 makes some 1e-7,
# storing in half precision 1e-3. One wrong element in a million makes up to 1e-3 in float32.
_TOLERANCE = {"f4": 1e-5, "f2": 1e-2}


class Workbench:
    """Runs kernels on lines like those of a request.

    Args:
        ctx: the context.
        request: the lines; all kernels do the plain forward transform of them.

    Raises:
        ContextError: the device has not enough memory for two more textures.
    """

    def __init__(self, ctx: moderngl.Context, request: AxisRequest) -> None:
        state = state_of(ctx)
        self.request = plain(request)
        self._ctx = ctx
        self._owned: list[Any] = []
        self._finalizer = weakref.finalize(self, state.dropped.extend, self._owned)
        images = Carriers(ctx, request.shape, request.layers, request.storage)
        try:
            clear_errors(ctx)
            self._source = images.make()
            self._owned.append(self._source)
            self._target = images.make()
            self._owned.append(self._target)
            self._sums = ctx.buffer(reserve=_summing(request)[1] * 16)
            self._owned.append(self._sums)
            check_errors(ctx, "tuning")
            noise, self._noise, self._fingerprint = (Pass(ctx, spec) for spec in helper_passes(request))
            noise.run(None, self._source)
        except BaseException:
            self.release()
            raise
        ctx.memory_barrier()
        buffers = request.storage.buffer
        self._fetch_barrier = SHADER_STORAGE_BARRIER if buffers else TEXTURE_FETCH_BARRIER

    def spec(self, kernel: Kernel) -> PassSpec:
        """The pass of a kernel."""
        return kernel_pass(self.request, kernel)

    def compile(self, kernel: Kernel) -> Pass:
        """A kernel made ready to run.

        Raises:
            ShaderError: the driver refuses it.
        """
        return Pass(self._ctx, self.spec(kernel))

    def run(self, compiled: Pass) -> None:
        """Queue a pass and the barrier after it, as a plan does."""
        compiled.run(self._source, self._target)
        self._ctx.memory_barrier(self._fetch_barrier)

    def check(self, compiled: Pass) -> Iterator[None]:
        """Queue a pass and the fingerprint of its result, in slices that each take about as long as the pass.

        The result of an earlier pass is overwritten with other noise first.

        Raises:
            ShaderError: OpenGL refuses to run the pass.
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
        self._sums.bind_to_storage_buffer(SUMS_BINDING)
        self._fingerprint.run(self._target, None)
        self._ctx.memory_barrier()

    def fingerprint(self) -> npt.NDArray[np.float64]:
        """The fingerprint of the pass checked last; waits for it."""
        return np.frombuffer(self._sums.read(), np.float32).astype(np.float64)

    def same(self, sums: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> bool:
        """Whether a fingerprint is that of the right result."""
        error = float(np.linalg.norm(sums - right) / np.linalg.norm(right))
        # False for NaN.
        return error <= _TOLERANCE[self.request.storage.dtype]

    def release(self) -> None:
        """Free the textures or buffers."""
        self._finalizer.detach()
        while self._owned:
            self._owned.pop().release()


def helper_passes(request: AxisRequest) -> tuple[PassSpec, PassSpec, PassSpec]:
    """What a workbench runs besides kernels: noise for its source, other noise for its target, and the fingerprint."""
    request = plain(request)
    rows, columns = request.shape
    tiles = (-(-columns // _GROUP), -(-rows // _GROUP), request.layers or 1)
    source, target = (
        PassSpec("tuning/noise.comp", request, (("GROUP", _GROUP), ("SEED", seed)), tiles, _GROUP * _GROUP)
        for seed in (_SOURCE_SEED, _TARGET_SEED)
    )
    summands, sums = _summing(request)
    defines = (("SUMMANDS", summands), ("SUMS_BINDING", SUMS_BINDING))
    return source, target, PassSpec("tuning/fingerprint.comp", request, defines, (sums, 1, 1), 64)


def _summing(request: AxisRequest) -> tuple[int, int]:
    """How many texels go into each sum of a fingerprint, and how many sums there are."""
    rows, columns = request.shape
    texels = rows * columns * (request.layers or 1)
    summands = max(-(-texels // _SUMMING_GROUPS), _FEWEST_SUMMANDS)
    return summands, -(-texels // summands)


def tunable(specs: Iterable[PassSpec]) -> list[AxisRequest]:
    """The requests of the passes whose kernel was a choice, each kind once."""
    requests: dict[object, AxisRequest] = {}
    for spec in specs:
        if spec.why:
            request = plain(spec.request)
            requests.setdefault((request.length, request.measured_axis, request.points), request)
    return list(requests.values())


def plain(request: AxisRequest) -> AxisRequest:
    """The forward transform of the same lines, without scaling, pairs of real lines or convolution.

    A kernel is chosen for its lines. Direction, scale and so on make little difference to its time, so that one
    measurement serves all passes along such lines.
    """
    return replace(request, direction=-1, scale=1.0, real_pairs=False, picture=None, back_scale=None)
