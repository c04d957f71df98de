"""The data of a case: random pictures in the layout that each contender wants, the accuracy of its result, the source
and target image (texture or buffer), and shaders that only copy one to the other.
"""

import math
from dataclasses import replace
from functools import cached_property

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms.storage import Storage
from glfft.apps.bench.cases import Case, ConvolutionCase
from glfft.apps.bench.reference import cosine_transform
from glfft.apps.signal_to_noise import random_complex, snr_db
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import Image, ImageSpec
from glfft.engine.plan_passes import copy_pass
from glfft.engine.request import FORWARD
from glfft.gl.context import state_of
from glfft.profiling.timing import ContextTimer, Subject

SEED = 0
_PHASES = 1 << 16

# A batch of up to this many points is compared with float64 as a whole; of a larger one, the first, the middle and the
# last picture.
_COMPARED_POINTS = 1 << 22


class Workload:
    """Random pictures for a case. Zeros would not do: memory moves zeros faster.

    Attributes:
        case: the case.
        pictures: complex64 [batch, rows, columns], rounded to what the case's storage holds, or complex128 where that
            is float64; float32 where they are real.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.pictures = random_complex((case.batch, *case.shape), SEED, case.storage.double)
        if case.storage.dtype == "f2":
            self.pictures = self.pictures.view(np.float32).astype(np.float16).astype(np.float32).view(np.complex64)
        if case.real or case.cosine:
            self.pictures = self.pictures.real.copy()
        if isinstance(case, ConvolutionCase) and case.filled:
            rows, columns = case.filled
            self.pictures[:, rows:] = 0
            self.pictures[:, :, columns:] = 0

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes of `pictures` that are transformed."""
        return tuple(axis + 1 for axis in self.case.axes)

    def packed(self, storage: Storage) -> npt.NDArray[np.floating]:
        """The pictures as the data of an image: [layers, rows, columns, channels]."""
        texels = self.pictures[..., np.newaxis]
        if storage.paired:
            texels = np.stack((self.pictures[0::2], self.pictures[1::2]), axis=-1)
        return texels.view("f8" if self.case.storage.double else "f4").astype(storage.dtype, copy=False)

    def unpacked(self, data: bytes, storage: Storage) -> npt.NDArray[np.inexact]:
        """The pictures or spectra in the data of an image: [batch, rows, columns], complex unless they are cosines'."""
        real = np.frombuffer(data, storage.dtype).astype("f8" if storage.double else "f4", copy=False)
        numbers = real if self.case.cosine else real.view(np.complex128 if storage.double else np.complex64)
        if not storage.paired:
            return numbers.reshape(self.case.batch, *self.case.spectrum_shape)
        halves = numbers.reshape(-1, *self.case.spectrum_shape, 2)
        return np.moveaxis(halves, -1, 1).reshape(self.case.batch, *self.case.spectrum_shape)

    @cached_property
    def kernel(self) -> npt.NDArray[np.float32]:
        """The kernel of a linear convolution: random, of sum 1, so that results are as large as pictures."""
        assert isinstance(self.case, ConvolutionCase)
        assert self.case.kernel is not None
        numbers = np.random.default_rng(SEED + 1).random(self.case.kernel)
        return (numbers / numbers.sum()).astype(np.float32)

    @cached_property
    def kernel_spectra(self) -> npt.NDArray[np.complex64]:
        """The spectra of a circular convolution's kernels, [batch or 1, rows, columns], of magnitude 1: numbers keep
        their size when a convolution in place is repeated.
        """
        assert isinstance(self.case, ConvolutionCase)
        count = self.case.batch if self.case.own_kernels else 1
        # Of so many phases, as exponentials of gigabytes take longer than all that is timed with them.
        roots = np.exp(2j * np.pi * np.arange(_PHASES) / _PHASES).astype(np.complex64)
        return roots[np.random.default_rng(SEED + 1).integers(0, _PHASES, (count, *self.case.shape), np.uint16)]

    @cached_property
    def _compared(self) -> list[int]:
        batch = self.case.batch
        return sorted({0, batch // 2, batch - 1}) if self.case.points > _COMPARED_POINTS else list(range(batch))

    @cached_property
    def _exact(self) -> npt.NDArray[np.inexact]:
        transform = np.fft.rfftn if self.case.real else np.fft.fftn
        pictures = self.pictures[self._compared]
        if isinstance(self.case, ConvolutionCase):
            return self._exactly_convolved(pictures)
        if self.case.cosine:
            return cosine_transform(pictures, self.axes)
        return transform(pictures.astype(np.result_type(pictures, np.float64)), axes=self.axes, norm="ortho")

    def _exactly_convolved(self, pictures: npt.NDArray[np.inexact]) -> npt.NDArray[np.inexact]:
        case = self.case
        assert isinstance(case, ConvolutionCase)
        if case.kernel is None:
            kernels = self.kernel_spectra[self._compared] if case.own_kernels else self.kernel_spectra
            return np.fft.ifft2(np.fft.fft2(pictures.astype(np.complex128)) * kernels)
        full = [size + taps - 1 for size, taps in zip(case.shape, case.kernel, strict=True)]
        product = np.fft.rfft2(pictures.astype(np.float64), full) * np.fft.rfft2(self.kernel.astype(np.float64), full)
        rows, columns = (
            slice((taps - 1) // 2, (taps - 1) // 2 + size) for size, taps in zip(case.shape, case.kernel, strict=True)
        )
        return np.fft.irfft2(product, full)[:, rows, columns]

    def snr_db(self, result: npt.NDArray[np.inexact], norm: str = "backward") -> float:
        """The signal-to-noise ratio of a forward transform [batch, rows, columns] against float64 numpy, in dB. Of a
        large batch, three pictures are compared. `norm` is "backward" if the transform is unscaled, or "ortho".
        """
        got = result[self._compared]
        return snr_db(got if norm == "ortho" else got / math.sqrt(self.case.transform_points), self._exact)


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
