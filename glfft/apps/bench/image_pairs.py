"""The source and target image (texture or buffer) of a case, and shaders that only copy one to the other."""

from __future__ import annotations

from dataclasses import replace

import moderngl

from glfft.algorithms.storage import Storage
from glfft.apps.bench.cases import Case
from glfft.apps.bench.workload import Workload
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import Image, ImageSpec
from glfft.engine.plan_passes import copy_pass
from glfft.engine.request import FORWARD
from glfft.gl.context import state_of
from glfft.profiling.timing import ContextTimer, Subject

# Width and height of a work group, and the rows that each invocation copies. Which is fastest depends on the size of
# the textures: on an H200 the first copies 8192 rows of 1024 in 82 us, the fourth in 37.5 us, the fifth in 35.4 us.
_COPY_BLOCKS = ((8, 8, 1), (16, 16, 1), (32, 4, 1), (4, 64, 1), (4, 16, 8))


def check_limits(ctx: moderngl.Context, case: Case) -> None:
    """Refuse a case before any memory is asked for. Raises ShapeError where its shape cannot be transformed, LimitError
    where it exceeds the device's limits.
    """
    case.request.check_limits(state_of(ctx).device)


class ImagePair:
    """The source image, filled with a workload's numbers, and the target image of its transforms, in one storage.
    Raises ContextError where the device has no memory left for them.
    """

    def __init__(self, ctx: moderngl.Context, workload: Workload, storage: Storage) -> None:
        case = workload.case
        self.ctx = ctx
        self.workload = workload
        self.case = replace(case, storage=storage)
        layers = self.case.layers
        real_source = case.real or case.cosine
        self.source = ImageSpec(ctx, case.shape, layers, storage.of_reals if real_source else storage).make()
        try:
            target = storage.of_reals if case.cosine else storage
            self.target = ImageSpec(ctx, self.case.spectrum_shape, layers, target).make()
        except Exception:
            self.source.release()
            raise
        self.fill(self.source)

    def fill(self, image: Image) -> None:
        """Write the workload's numbers to an image."""
        image.write(self.workload.packed(self.case.storage))

    def target_snr_db(self, norm: str = "ortho") -> float:
        """The signal-to-noise ratio of the transform in the target, whose `norm` is "ortho", or "backward" if it is
        unscaled.
        """
        return self.workload.snr_db(self.workload.unpacked(self._read_target(), self.case.storage), norm)

    def _read_target(self) -> bytes:
        if not isinstance(self.target, moderngl.Buffer):
            return self.target.read()
        return read_copy(self.ctx, self.target)

    def release(self) -> None:
        self.source.release()
        self.target.release()


def read_copy(ctx: moderngl.Context, buffer: moderngl.Buffer, size: int = -1, offset: int = 0) -> bytes:
    """Bytes of a buffer, by default all, read from a copy. Some drivers move a buffer that is read to the host's
    memory, where it stays and is slow.
    """
    size = buffer.size if size < 0 else size
    copy = ctx.buffer(reserve=size)
    try:
        ctx.copy_buffer(copy, buffer, size, read_offset=offset)
        return copy.read()
    finally:
        copy.release()


def copies(timer: ContextTimer, images: ImagePair) -> list[Subject]:
    """Shaders that copy the source to the target with the loads and stores of a pass, for several work groups. There is
    none for real numbers.
    """
    case, device = images.case, state_of(images.ctx).device
    if case.real or case.cosine:
        return []
    subjects = []
    for block in _COPY_BLOCKS:
        each = CompiledPass(images.ctx, copy_pass(case.request, FORWARD, device, block))

        def copy(each: CompiledPass = each) -> None:
            each.run(images.source, images.target)
            images.ctx.memory_barrier(each.spec.bindings.source.barrier)

        subjects.append(timer.subject(copy))
    return subjects
