"""Fourier, cosine and sine transforms of numpy arrays, as functions of numpy.fft and scipy.fft.

Each call uploads, transforms and reads back. These functions are for convenience and checks; in a frame use textures
and `glfft.Plan`. The plans and buffers of the last shapes are kept for the next call. The functions work in any thread:
calls wait for each other and leave the thread's current context as it was.
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
    """The Fourier transform along one axis, as numpy.fft.fft: F[k] = sum of f[j] exp(-2 pi i jk/n).

    Args:
        array: real or complex, of any rank; converted to the precision of the result.
        n: length of the transform; the axis is cropped or padded with zeros to it. Default: its length.
        axis: the axis.
        norm: None or "backward" (no scaling), "ortho" (1/sqrt(n)), "forward" (1/n).
        ctx: the context to use. Default: moderngl's, or a headless one that the first call opens. If the context is
            current in another thread, the call uses a headless one of its own: on the same device if
            `glfft.open_context` opened ctx, on the default device if ctx was left out.
        options: algorithm= and twiddles=, as for `glfft.Plan`; precision="single" (default, whatever the array's type)
            or "double", if the device has float64 in its shaders.

    Returns:
        complex64 (complex128 in double precision), shaped as the input with `n` along the axis. A NaN or an infinity
        makes every number of its own line NaN or infinite.

    Raises:
        ShapeError: the length is below 1, or the axis does not exist.
        LimitError: the device cannot do the length or the precision.
        OptionError: an option or its value is not allowed.
        ContextError: there is no OpenGL 4.3, or the process was forked after OpenGL had been used.
        NotCurrentError: ctx is current in another thread, and is not from `glfft.open_context`.
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
    """The inverse of `fft`, with exp(+2 pi i jk/n); norm None or "backward" scales by 1/n, "forward" does not."""
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
    """`fft` over two axes, as numpy.fft.fft2.

    Args:
        array: real or complex, of rank 2 or more; further axes are a batch.
        s: lengths of the transform along `axes`; axes are cropped or padded with zeros to them.
        axes: two different axes.
        norm: None or "backward" (no scaling), "ortho" (1/sqrt(points)), "forward" (1/points).
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        complex64, shaped as the input with `s` along the axes. A NaN or an infinity makes every number of its own
        picture NaN or infinite.

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
    """The inverse of `fft2`; norm None or "backward" scales by 1/points."""
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
    """The non-redundant half of `fft` for real numbers, as numpy.fft.rfft: frequencies 0 to n / 2.

    Arguments are those of `fft`, with a real array.

    Returns:
        complex64, shaped as the input with n // 2 + 1 along the axis.

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
    """The inverse of `rfft`, as numpy.fft.irfft: real numbers from half of their spectrum.

    Args:
        array: frequencies 0 to n / 2 along the axis. Imaginary parts at 0 and n / 2 are ignored.
        n: length of the result; the axis is cropped or padded with zeros to n // 2 + 1. Default: 2 (its length - 1).
        axis: the axis.
        norm: as in `ifft`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        float32, shaped as the input with n along the axis. If a line has a NaN or an infinity, which of its numbers
        stay finite depends on the algorithm.

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
    """`rfft` along the last of two axes, then `fft` along the first, as numpy.fft.rfft2.

    Arguments are those of `fft2`, with a real array; the last of `axes` is halved.

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
    """The inverse of `rfft2`, as numpy.fft.irfft2: real pictures from half of their spectra.

    Args:
        array: real or complex, of rank 2 or more; further axes are a batch.
        s: lengths of the result along `axes`; the last axis is cropped or padded with zeros to s[1] // 2 + 1. Default:
            the lengths of the input, the last one 2 (its length - 1).
        axes: two different axes; the last one is the halved one.
        norm: as in `ifft2`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        float32, shaped as the input with `s` along the axes. If a picture has a NaN or an infinity, which of its
        numbers stay finite depends on the algorithm.

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
    """`fft` over any number of axes, as numpy.fft.fftn.

    Args:
        array: real or complex.
        s: lengths of the transform along `axes`; axes are cropped or padded with zeros to them. -1 leaves an axis as it
            is.
        axes: different axes; further ones are a batch. Default: the last len(s) axes, or all.
        norm: as in `fft2`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        complex64, shaped as the input with `s` along the axes; a copy of the input if there are no axes.

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
    """The inverse of `fftn`; norm None or "backward" scales by 1/points."""
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
    """`rfft` along the last axis, then `fft` along the others, as numpy.fft.rfftn.

    Arguments are those of `fftn`, with a real array and at least one axis; the last of `axes` is halved.

    Returns:
        complex64, shaped as the input with `s` along the axes, and s[-1] // 2 + 1 along the last one.

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
    """The inverse of `rfftn`, as numpy.fft.irfftn: real numbers from half of their spectrum.

    Arguments, result and errors are those of `irfft2`, over any number of axes as in `fftn`.
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
    """Real numbers from half of a line with Hermitian symmetry, as numpy.fft.hfft, with the sign of `fft`.

    This is `irfft` of the conjugate without scaling.

    Args:
        array: points 0 to n / 2 of each line; the other points are their conjugates in reverse. Imaginary parts at 0
            and n / 2 are ignored.
        n: length of the result; the axis is cropped or padded with zeros to n // 2 + 1. Default: 2 (its length - 1).
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
    """The inverse of `hfft`, as numpy.fft.ihfft: half of a line with Hermitian symmetry from real numbers.

    Arguments, result and errors are those of `rfft`, with the norm of `ifft`.
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
    """`hfft` over two axes, as scipy.fft.hfft2; the last of `axes` is the halved one.

    Arguments, result and errors are those of `irfft2`, with the norm of `fft2`.
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
    """The inverse of `hfft2`, as scipy.fft.ihfft2.

    Arguments, result and errors are those of `rfft2`, with the norm of `ifft2`.
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
    """`hfft` over any number of axes, as scipy.fft.hfftn; the last of `axes` is the halved one.

    Arguments, result and errors are those of `irfftn`, with the norm of `fftn`.
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
    """The inverse of `hfftn`, as scipy.fft.ihfftn.

    Arguments, result and errors are those of `rfftn`, with the norm of `ifftn`.
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

    For a line x[0] .. x[N - 1], without a norm (Britanak, Yip and Rao, Discrete cosine and sine transforms, 2007):
        type 1  y[k] = x[0] + (-1)^k x[N - 1] + 2 sum over 0 < j < N - 1 of x[j] cos(pi j k / (N - 1))
        type 2  y[k] = 2 sum over j of x[j] cos(pi (2j + 1) k / 2N)
        type 3  y[k] = x[0] + 2 sum over j > 0 of x[j] cos(pi j (2k + 1) / 2N)
        type 4  y[k] = 2 sum over j of x[j] cos(pi (2j + 1) (2k + 1) / 4N)

    Args:
        array: real, of any rank; converted to the precision of the result. The real and the imaginary part of complex
            numbers are transformed separately (scipy 1.17 ignores orthogonalize= there).
        type: 1, 2, 3 or 4.
        n: length of the transform; the axis is cropped or padded with zeros to it. Default: its length.
        axis: the axis.
        norm: None or "backward" (no scaling), "ortho" (1/sqrt(P)), "forward" (1/P). P is 2N, or 2 (N - 1) for type 1.
        orthogonalize: scale the ends of a line so that the transform is a multiple of an orthogonal one: x[0] by
            sqrt(2) in types 1 and 3, y[0] by sqrt(1/2) in types 1 and 2, and in type 1 also x[N - 1] and y[N - 1].
            Default: True for norm="ortho".
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        float32 (float64 in double precision), shaped as the input with `n` along the axis; complex for complex input. A
        NaN or an infinity makes every number of its own line NaN or infinite.

    Raises:
        ShapeError: a transform of type 1 has one point. Other errors are those of `fft`.
        OptionError: there is no such type, or an option or its value is not allowed.
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
    """The inverse of `dct`, as scipy.fft.idct.

    Types 2 and 3 invert each other, types 1 and 4 themselves. Norm None or "backward" scales by 1/P. Arguments, result
    and errors are those of `dct`.
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

    For a line x[0] .. x[N - 1], without a norm (Britanak, Yip and Rao, Discrete cosine and sine transforms, 2007):
        type 1  y[k] = 2 sum over j of x[j] sin(pi (j + 1) (k + 1) / (N + 1))
        type 2  y[k] = 2 sum over j of x[j] sin(pi (2j + 1) (k + 1) / 2N)
        type 3  y[k] = (-1)^k x[N - 1] + 2 sum over j < N - 1 of x[j] sin(pi (j + 1) (2k + 1) / 2N)
        type 4  y[k] = 2 sum over j of x[j] sin(pi (2j + 1) (2k + 1) / 4N)

    Arguments, result and errors are those of `dct`, with three differences. P is 2 (N + 1) for type 1. `orthogonalize`
    scales x[N - 1] in type 3 and y[N - 1] in type 2. Type 1 may have one point.
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
    """The inverse of `dst`, as scipy.fft.idst; arguments, result and errors are those of `idct`."""
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
        type: as in `dct`, for all axes.
        s: as in `fftn`.
        axes: as in `fftn`.
        norm: as in `dct`; P is the product over the axes.
        orthogonalize: as in `dct`.
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        As `dct`, shaped as the input with `s` along the axes; a copy of the input if there are no axes.

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
    """The inverse of `dctn`, as scipy.fft.idctn; arguments, result and errors are those of `dctn`."""
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
    """`dst` over any number of axes, as scipy.fft.dstn; arguments, result and errors are those of `dctn`."""
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
    """The inverse of `dstn`, as scipy.fft.idstn; arguments, result and errors are those of `dctn`."""
    kind = Transform.trigonometric("dst", type, INVERSE, orthogonalize)
    return over_axes(kind, array, s, axes, norm, ctx, options)


def next_fast_len(target: int, real: bool = False, *, ctx: moderngl.Context | None = None) -> int:
    """The length to pad to, as scipy.fft.next_fast_len.

    This is the next length without a prime factor above 13. If that length and others up to an eighth longer were
    measured on the device, it is the one of these with the fastest lines.

    Args:
        target: the least length, at least 0.
        real: ignored; the lengths are the same for real transforms.
        ctx: the device's context. Default: the current one; without one only factors count.

    Returns:
        A length of at least `target`; 0 for 0.

    Raises:
        ShapeError: `target` is negative or not a whole number.
        LimitError: `target` exceeds 64 bits.
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
