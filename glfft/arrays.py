"""Numpy arrays in and out: `fft`, `fft2`, `fftn`, their inverses, and the same for real and Hermitian arrays (`rfft`,
`hfft`, ...), and cosine and sine transforms (`dct`, `dst`, ...), with the names of numpy and scipy and their results,
in single precision, or where the device has it in double.

Each call uploads, transforms and reads back. Use these functions for convenience and checks; in a frame, keep to
textures and `glfft.Plan`. Plans and buffers of the last shapes are kept for the next call.

They can be called from any thread; calls wait for each other. A call leaves the thread's current context as it was.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms.lengths import largest_prime_factor, next_smooth
from glfft.algorithms.passes import AxisRequest
from glfft.algorithms.registry import LARGEST_FAST_PRIME, families_for
from glfft.algorithms.storage import STORAGES
from glfft.array_transforms import LONGEST, Transform, along_axis, over_axes
from glfft.engine.request import FORWARD, INVERSE
from glfft.errors import ContextError, LimitError, ShapeError, shown
from glfft.gl.context import default_context, state_of
from glfft.gl.device import Device
from glfft.wisdom.lookup import known

# Of measurements of one length, next_fast_len takes the one with about so many points.
_POINTS_COMPARED = 1 << 20


def fft(
    array: npt.ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The discrete Fourier transform along one axis, as numpy.fft.fft: sum of f[j] exp(-2 pi i jk/n).

    Args:
        array: real or complex, any number of dimensions; converted to the precision of the result.
        n: length of the transform; the axis is cropped or padded with zeros to it. Default: its length.
        axis: the axis.
        norm: None or "backward" (no scaling), "ortho" (1/sqrt(n)), "forward" (1/n).
        ctx: the context to use; by default moderngl's, or where there is none a headless one that the first call opens.
            If another thread has it as its current one, the call uses a headless one of its own: on the same device
            where `glfft.open_context` opened it, on the default device where ctx was left out.
        options: algorithm= and twiddles=, as for `glfft.Plan`; and precision=, which is "single" (the default, whatever
            the array's type) or "double", where the device has float64 in its shaders.

    Returns:
        complex64, or complex128 in double precision, shaped as the input with `n` along the axis. A NaN or infinity
        makes every number of its line NaN or infinite, as in numpy, and none of other lines.

    Raises:
        ShapeError: the length is below 1, or there is no such axis.
        LimitError: the device's buffers do not hold a line, no algorithm can do the length on this device, or the
            device has no double precision.
        OptionError: an option or its value is not one of those allowed.
        ContextError: there is no OpenGL 4.3, or the process was forked after OpenGL had been used.
        NotCurrentError: another thread has ctx, and it is not from `glfft.open_context`.
        ReleasedError: ctx has been released.
    """
    return along_axis(Transform(FORWARD), array, n, axis, norm, ctx, options)


def ifft(
    array: npt.ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The inverse of `fft`: exp(+2 pi i jk/n), scaled by 1/n for norm None or "backward", not at all for "forward"."""
    return along_axis(Transform(INVERSE), array, n, axis, norm, ctx, options)


def fft2(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The transform over two axes, as numpy.fft.fft2.

    Args:
        array: real or complex, two or more dimensions. Further axes are a batch.
        s: lengths of the transform along `axes`; axes are cropped or padded with zeros to them.
        axes: two different axes.
        norm: None or "backward" (no scaling), "ortho" (1/sqrt(points)), "forward" (1/points).
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        complex64, shaped as the input with `s` along the axes. A NaN or infinity makes every number of its picture NaN
        or infinite, as in numpy.

    Errors are those of `fft`.
    """
    return over_axes(Transform(FORWARD), array, s, axes, norm, ctx, options, rank=2)


def ifft2(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The inverse of `fft2`, scaled by 1/points for norm None or "backward"."""
    return over_axes(Transform(INVERSE), array, s, axes, norm, ctx, options, rank=2)


def rfft(
    array: npt.ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The transform of real numbers along one axis, as numpy.fft.rfft: the non-redundant half of `fft`.

    Args:
        array: real, any number of dimensions.
        n: length of the transform; the axis is cropped or padded with zeros to it. Default: its length.
        axis: the axis.
        norm: as in `fft`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        complex64, shaped as the input with n // 2 + 1 along the axis: frequencies 0 to n / 2.

    Raises:
        DataError: the array is complex. Other errors are those of `fft`.
    """
    return along_axis(Transform(FORWARD, real=True), array, n, axis, norm, ctx, options)


def irfft(
    array: npt.ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.floating]:
    """The inverse of `rfft`, as numpy.fft.irfft: real numbers from the half of their spectrum.

    Args:
        array: real or complex; frequencies 0 to n / 2 along the axis. Imaginary parts at 0 and n / 2 are ignored.
        n: length of the result; the axis is cropped or padded with zeros to n // 2 + 1. Default: twice
            its length less two.
        axis: the axis.
        norm: as in `ifft`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        float32, shaped as the input with n along the axis. Of a line with a NaN or infinity, numpy leaves some numbers
        finite and this function others, or none.

    Errors are those of `fft`.
    """
    return along_axis(Transform(INVERSE, real=True), array, n, axis, norm, ctx, options)


def rfft2(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The transform of real numbers over two axes, as numpy.fft.rfft2: `rfft` along the last one, then `fft`.

    Args:
        array: real, two or more dimensions. Further axes are a batch.
        s: lengths of the transform along `axes`; axes are cropped or padded with zeros to them.
        axes: two different axes; the last one is halved.
        norm: as in `fft2`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        complex64, shaped as the input with s[0] and s[1] // 2 + 1 along the axes.

    Raises:
        DataError: the array is complex. Other errors are those of `fft`.
    """
    return over_axes(Transform(FORWARD, real=True), array, s, axes, norm, ctx, options, rank=2)


def irfft2(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.floating]:
    """The inverse of `rfft2`, as numpy.fft.irfft2: a real picture from the half of its spectrum.

    Args:
        array: real or complex, two or more dimensions. Further axes are a batch.
        s: lengths of the result along `axes`; the last axis is cropped or padded with zeros to
            s[1] // 2 + 1. Default: those of the input, twice the last one less two.
        axes: two different axes; the last one is the halved one.
        norm: as in `ifft2`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        float32, shaped as the input with `s` along the axes. Of a picture with a NaN or infinity, numpy leaves some
        numbers finite; here, where two rows go through one complex transform, they are mostly others, or none.

    Errors are those of `fft`.
    """
    return over_axes(Transform(INVERSE, real=True), array, s, axes, norm, ctx, options, rank=2)


def fftn(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The transform over any number of axes, as numpy.fft.fftn.

    Args:
        array: real or complex.
        s: lengths of the transform along `axes`; axes are cropped or padded with zeros to them. -1 leaves an axis as
            long as it is.
        axes: different axes; further ones are a batch. Default: the last ones, as many as `s` has, or all.
        norm: None or "backward" (no scaling), "ortho" (1/sqrt(points)), "forward" (1/points).
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        complex64, shaped as the input with `s` along the axes; a copy of the input where there are no axes.

    Raises:
        ShapeError: `s` and `axes` disagree. Other errors are those of `fft`.
    """
    return over_axes(Transform(FORWARD), array, s, axes, norm, ctx, options)


def ifftn(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The inverse of `fftn`, scaled by 1/points for norm None or "backward"."""
    return over_axes(Transform(INVERSE), array, s, axes, norm, ctx, options)


def rfftn(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The transform of real numbers over any number of axes, as numpy.fft.rfftn: `rfft` along the last, then `fftn`.

    Args:
        array: real.
        s: as in `fftn`.
        axes: as in `fftn`, at least one; the last one is halved.
        norm: as in `fftn`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        complex64, shaped as the input with `s` along the axes, but s[-1] // 2 + 1 along the last one.

    Raises:
        DataError: the array is complex. Other errors are those of `fftn`.
    """
    return over_axes(Transform(FORWARD, real=True), array, s, axes, norm, ctx, options)


def irfftn(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.floating]:
    """The inverse of `rfftn`, as numpy.fft.irfftn: real numbers from the half of their spectrum.

    Args:
        array: real or complex.
        s: lengths of the result along `axes`; the last axis is cropped or padded with zeros to s[-1] // 2 + 1. Default:
            those of the input, twice the last one less two.
        axes: as in `rfftn`.
        norm: as in `ifftn`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        float32, shaped as the input with `s` along the axes.

    Errors are those of `fftn`.
    """
    return over_axes(Transform(INVERSE, real=True), array, s, axes, norm, ctx, options)


def hfft(
    array: npt.ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.floating]:
    """The transform of numbers with Hermitian symmetry along one axis, as numpy.fft.hfft.

    It makes real numbers from half of a line. It has the sign of `fft`, and is `irfft` of the conjugate without its
    scaling.

    Args:
        array: real or complex; points 0 to n / 2 of each line, whose other points are their conjugates in reverse.
            Imaginary parts at 0 and n / 2 are ignored.
        n: length of the result; the axis is cropped or padded with zeros to n // 2 + 1. Default: twice its length less
            two.
        axis: the axis.
        norm: as in `fft`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        float32, shaped as the input with n along the axis.

    Errors are those of `fft`.
    """
    return along_axis(Transform(INVERSE, real=True, mirrored=True), array, n, axis, norm, ctx, options)


def ihfft(
    array: npt.ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The inverse of `hfft`, as numpy.fft.ihfft: half of a line with Hermitian symmetry, from real numbers.

    Args:
        array: real.
        n: length of the transform; the axis is cropped or padded with zeros to it. Default: its length.
        axis: the axis.
        norm: as in `ifft`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        complex64, shaped as the input with n // 2 + 1 along the axis.

    Raises:
        DataError: the array is complex. Other errors are those of `fft`.
    """
    return along_axis(Transform(FORWARD, real=True, mirrored=True), array, n, axis, norm, ctx, options)


def hfft2(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.floating]:
    """`hfft` over two axes, as scipy.fft.hfft2: the last of the axes is the halved one; arguments as in `irfft2`.

    The norm is that of a forward transform, as in `fft2`. Errors are those of `fft`.
    """
    return over_axes(Transform(INVERSE, real=True, mirrored=True), array, s, axes, norm, ctx, options, rank=2)


def ihfft2(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The inverse of `hfft2`, as scipy.fft.ihfft2; arguments as in `rfft2`, the norm as in `ifft2`.

    Errors are those of `rfft2`.
    """
    return over_axes(Transform(FORWARD, real=True, mirrored=True), array, s, axes, norm, ctx, options, rank=2)


def hfftn(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.floating]:
    """`hfft` over any number of axes, as scipy.fft.hfftn: the last one is the halved one.

    Arguments are as in `irfftn`. The norm is that of a forward transform, as in `fftn`. Errors are those of `fftn`.
    """
    return over_axes(Transform(INVERSE, real=True, mirrored=True), array, s, axes, norm, ctx, options)


def ihfftn(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complexfloating]:
    """The inverse of `hfftn`, as scipy.fft.ihfftn; arguments as in `rfftn`, the norm as in `ifftn`.

    Errors are those of `rfftn`.
    """
    return over_axes(Transform(FORWARD, real=True, mirrored=True), array, s, axes, norm, ctx, options)


def dct(
    array: npt.ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.inexact]:
    """The discrete cosine transform along one axis, as scipy.fft.dct.

    With N points x[0] .. x[N - 1] in a line, and no norm:
        type 1  y[k] = x[0] + (-1)^k x[N - 1] + 2 sum over 0 < j < N - 1 of x[j] cos(pi j k / (N - 1))
        type 2  y[k] = 2 sum over j of x[j] cos(pi (2j + 1) k / 2N)
        type 3  y[k] = x[0] + 2 sum over j > 0 of x[j] cos(pi j (2k + 1) / 2N)
        type 4  y[k] = 2 sum over j of x[j] cos(pi (2j + 1) (2k + 1) / 4N)
    (Britanak, Yip and Rao, Discrete cosine and sine transforms, 2007, section 2.)

    Args:
        array: real, any number of dimensions; converted to the precision of the result. Of complex numbers, the real
            and the imaginary parts are transformed, each on their own (scipy 1.17 passes over orthogonalize= then).
        type: 1, 2, 3 or 4.
        n: length of the transform; the axis is cropped or padded with zeros to it. Default: its length.
        axis: the axis.
        norm: None or "backward" (no scaling), "ortho" (1/sqrt(P)), "forward" (1/P), where P is 2N, of type 1 2 (N - 1).
        orthogonalize: scale the points at the ends of a line, so that the transform is orthogonal but for a factor:
            x[0] by sqrt(2) of types 1 and 3, y[0] by sqrt(1/2) of types 1 and 2, and of type 1 x[N - 1] and y[N - 1]
            too. None for whether norm is "ortho".
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        float32, or float64 in double precision, shaped as the input with `n` along the axis; complex64 or complex128
        of complex numbers. A NaN or infinity makes every number of its line NaN or infinite, and none of other lines.

    Raises:
        ShapeError: a transform of type 1 has one point. Other errors are those of `fft`.
        OptionError: there is no such type, or an option or its value is not one of those allowed.
    """
    kind = Transform.trigonometric("dct", type, FORWARD, orthogonalize)
    return along_axis(kind, array, n, axis, norm, ctx, options)


def idct(
    array: npt.ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.inexact]:
    """The inverse of `dct`, as scipy.fft.idct: of type 2 it is type 3 and the other way round, scaled by 1/P for norm
    None or "backward". Arguments and errors are those of `dct`.
    """
    kind = Transform.trigonometric("dct", type, INVERSE, orthogonalize)
    return along_axis(kind, array, n, axis, norm, ctx, options)


def dst(
    array: npt.ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.inexact]:
    """The discrete sine transform along one axis, as scipy.fft.dst.

    With N points x[0] .. x[N - 1] in a line, and no norm:
        type 1  y[k] = 2 sum over j of x[j] sin(pi (j + 1) (k + 1) / (N + 1))
        type 2  y[k] = 2 sum over j of x[j] sin(pi (2j + 1) (k + 1) / 2N)
        type 3  y[k] = (-1)^k x[N - 1] + 2 sum over j < N - 1 of x[j] sin(pi (j + 1) (2k + 1) / 2N)
        type 4  y[k] = 2 sum over j of x[j] sin(pi (2j + 1) (2k + 1) / 4N)
    (Britanak, Yip and Rao, Discrete cosine and sine transforms, 2007, section 2.)

    Arguments and errors are those of `dct`, but for these: P of the norm is 2 (N + 1) of type 1; `orthogonalize` scales
    x[N - 1] of type 3 and y[N - 1] of type 2; and type 1 is defined for one point too.
    """
    kind = Transform.trigonometric("dst", type, FORWARD, orthogonalize)
    return along_axis(kind, array, n, axis, norm, ctx, options)


def idst(
    array: npt.ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.inexact]:
    """The inverse of `dst`, as scipy.fft.idst; see `idct`."""
    kind = Transform.trigonometric("dst", type, INVERSE, orthogonalize)
    return along_axis(kind, array, n, axis, norm, ctx, options)


def dctn(
    array: npt.ArrayLike,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.inexact]:
    """`dct` over any number of axes, as scipy.fft.dctn.

    Args:
        array: as in `dct`.
        type: as in `dct`, of all axes.
        s: lengths of the transform along `axes`; axes are cropped or padded with zeros to them. -1 leaves an axis as
            long as it is.
        axes: different axes; further ones are a batch. Default: the last ones, as many as `s` has, or all.
        norm: as in `dct`; P is the product of those of the axes.
        orthogonalize: as in `dct`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        As `dct`, shaped as the input with `s` along the axes; a copy of the input where there are no axes.

    Raises:
        ShapeError: `s` and `axes` disagree. Other errors are those of `dct`.
    """
    kind = Transform.trigonometric("dct", type, FORWARD, orthogonalize)
    return over_axes(kind, array, s, axes, norm, ctx, options)


def idctn(
    array: npt.ArrayLike,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.inexact]:
    """The inverse of `dctn`, as scipy.fft.idctn; arguments and errors are those of `dctn`."""
    kind = Transform.trigonometric("dct", type, INVERSE, orthogonalize)
    return over_axes(kind, array, s, axes, norm, ctx, options)


def dstn(
    array: npt.ArrayLike,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.inexact]:
    """`dst` over any number of axes, as scipy.fft.dstn; arguments and errors are those of `dctn`."""
    kind = Transform.trigonometric("dst", type, FORWARD, orthogonalize)
    return over_axes(kind, array, s, axes, norm, ctx, options)


def idstn(
    array: npt.ArrayLike,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.inexact]:
    """The inverse of `dstn`, as scipy.fft.idstn; arguments and errors are those of `dctn`."""
    kind = Transform.trigonometric("dst", type, INVERSE, orthogonalize)
    return over_axes(kind, array, s, axes, norm, ctx, options)


def next_fast_len(target: int, real: bool = False, *, ctx: moderngl.Context | None = None) -> int:
    """The length to pad to, as scipy.fft.next_fast_len: the shortest from `target` on that is fast.

    That is the next length without a prime factor above 13. If this length and others at most an eighth longer were
    measured on the device at hand, by tuning or for the measurements that come with glfft, it is the one of these whose
    lines took the least time.

    Args:
        target: the least length, at least 0.
        real: accepted as in scipy; the lengths are the same for real transforms.
        ctx: the context of the device at hand. Default: the current one; where there is none, only factors count.

    Returns:
        A length of at least `target`; 0 for 0.

    Raises:
        ShapeError: `target` is negative or not a whole number.
        LimitError: `target` is no number of 64 bits.
    """
    try:
        least = operator.index(target)
    except TypeError:
        raise ShapeError(f"The target is {shown(target)} and must be a whole number.") from None
    if least < 0:
        raise ShapeError(f"The target is {least} and must be at least 0.")
    if least > sys.maxsize:
        raise LimitError(f"The target is {shown(target)}; the longest transform there is has {LONGEST} points.")
    if least < 2:
        return least
    shortest = next_smooth(least, LARGEST_FAST_PRIME)
    if shortest > LONGEST:
        # Measured nowhere, and long to look for.
        return shortest
    with suppress(ContextError):
        used = default_context() if ctx is None else ctx
        if used is not None:
            return _fastest_measured(shortest, state_of(used).device)
    return shortest


def _fastest_measured(shortest: int, device: Device) -> int:
    """The length that was measured to be fastest, from `shortest` to an eighth more; that where it was not measured."""
    times: dict[int, float] = {}
    for length in range(shortest, shortest + shortest // 8 + 1):
        if largest_prime_factor(length) <= LARGEST_FAST_PRIME:
            lines = max(1, _POINTS_COMPARED // length)
            request = AxisRequest((lines, length), 1, FORWARD, 1.0, False, None, STORAGES["buffer"], device)
            found = known(request, families_for(request))
            if found:
                times[length] = found[0].microseconds / found[0].points * length
        if shortest not in times:
            return shortest
    return min(times, key=lambda length: (times[length], length))
