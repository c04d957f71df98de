"""Numpy arrays in and out: the transforms of numpy.fft and scipy.fft, with their names, arguments and results.

Each call uploads, transforms and reads back; in a frame, use textures and `glfft.Plan`. Plans and buffers of the last
shapes are kept for the next call. Any thread may call; calls wait for each other, and leave the thread's current
context as it was. `fft` explains what all functions take and give; the others say what is different.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from moderngl import Context
from numpy.typing import ArrayLike, NDArray

from glfft.arrays.calls import along_axis, over_axes
from glfft.arrays.transform import Transform
from glfft.engine.request import FORWARD, INVERSE

Ints = Sequence[int]
Complex = NDArray[np.complexfloating]
Real = NDArray[np.floating]

_FFT, _IFFT = Transform(FORWARD), Transform(INVERSE)
_RFFT, _IRFFT = Transform(FORWARD, real=True), Transform(INVERSE, real=True)
_DCT, _IDCT = (partial(Transform.trigonometric, "dct", direction) for direction in (FORWARD, INVERSE))
_DST, _IDST = (partial(Transform.trigonometric, "dst", direction) for direction in (FORWARD, INVERSE))
_HFFT, _IHFFT = Transform(INVERSE, real=True, mirrored=True), Transform(FORWARD, real=True, mirrored=True)

# Each signature has numpy's or scipy's arguments in its first line, glfft's own below.
# fmt: off


def fft(array: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """The discrete Fourier transform along one axis, as numpy.fft.fft: sum of f[j] exp(-2 pi i jk/n).

    Args:
        array: real or complex, any number of dimensions; converted to the precision of the result.
        n: length of the transform; the axis is cropped or padded with zeros to it. Default: its length.
        norm: None or "backward" (no scaling), "ortho" (1/sqrt(n)), "forward" (1/n).
        ctx: the context to use; by default the thread's current one, or where it has none a headless one on the default
            device that the first call opens. If another thread has ctx as its current one, the call uses a headless one
            of its own, on the same device where `glfft.open_context` opened it.
        algorithm: as for `glfft.Plan`, like twiddles.
        precision: "single", whatever the array's type, or "double", if the device has float64 in its shaders.

    Returns complex64, or complex128 in double precision, shaped as the input with `n` along the axis. A NaN or infinity
    makes every number of its line NaN or infinite, as in numpy, and none of other lines.

    Raises:
        ShapeError: the length is below 1, or there is no such axis.
        LimitError: the device's buffers do not hold a line, no algorithm can do the length on this device, or the
            device has no double precision.
        OptionError: the value of an option is not one of the allowed ones.
        ContextError: there is no OpenGL 4.3, or the process was forked after OpenGL had been used.
        NotCurrentError: another thread has ctx, and it is not from `glfft.open_context`.
        ReleasedError: ctx has been released.
    """
    return along_axis(_FFT, array, n, axis, norm, (ctx, algorithm, twiddles, precision))


def ifft(array: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """The inverse of `fft`: exp(+2 pi i jk/n), scaled by 1/n for norm None or "backward", not at all for "forward"."""
    return along_axis(_IFFT, array, n, axis, norm, (ctx, algorithm, twiddles, precision))


def fft2(array: ArrayLike, s: Ints | None = None, axes: Ints = (-2, -1), norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """The transform over different axes, as numpy.fft.fft2; others are a batch. `norm` counts the points of all.
    The axes are cropped or padded with zeros to the lengths `s`. Returns complex64, shaped as the input with `s` along
    the axes. A NaN or infinity makes every number of its picture NaN or infinite, as in numpy.
    """
    return over_axes(_FFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def ifft2(array: ArrayLike, s: Ints | None = None, axes: Ints = (-2, -1), norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """The inverse of `fft2`, scaled by 1/points for norm None or "backward"."""
    return over_axes(_IFFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def fftn(array: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """The transform over any number of different axes, as numpy.fft.fftn; by default the last len(s) ones, or all. `s`
    is as in `fft2`; -1 leaves an axis as long as it is. Returns complex64, shaped as the input with `s` along the axes;
    a copy of the input where there are no axes. Raises ShapeError where `s` and `axes` disagree.
    """
    return over_axes(_FFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def ifftn(array: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """The inverse of `fftn`, scaled by 1/points for norm None or "backward"."""
    return over_axes(_IFFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def rfft(array: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """The transform of real numbers along one axis, as numpy.fft.rfft: the non-redundant half of `fft`. Returns
    complex64, shaped as the input with n // 2 + 1 along the axis: frequencies 0 to n / 2. DataError if complex.
    """
    return along_axis(_RFFT, array, n, axis, norm, (ctx, algorithm, twiddles, precision))


def irfft(array: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Real:
    """The inverse of `rfft`, as numpy.fft.irfft: real numbers from the half of their spectrum; `norm` as in `ifft`.

    The array, real or complex, has frequencies 0 to n / 2 along the axis, which is cropped or padded with zeros to
    n // 2 + 1; imaginary parts at 0 and n / 2 are ignored. Returns float32, shaped as the input with n along the axis,
    by default 2 (its length - 1). If a line has a NaN or infinity, some of its results may be finite, unlike numpy's.
    """
    return along_axis(_IRFFT, array, n, axis, norm, (ctx, algorithm, twiddles, precision))


def rfft2(array: ArrayLike, s: Ints | None = None, axes: Ints = (-2, -1), norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """The transform of real numbers over two axes, as numpy.fft.rfft2: `rfft` along the last of `axes`, then `fft`.
    Returns complex64, shaped as the input with s[0], s[1] // 2 + 1 along the axes. DataError for complex arrays.
    """
    return over_axes(_RFFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def irfft2(array: ArrayLike, s: Ints | None = None, axes: Ints = (-2, -1), norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Real:
    """The inverse of `rfft2`, as numpy.fft.irfft2: a real picture from the half of its spectrum; `norm` as in `ifft2`.

    The last of `axes` is the halved one, cropped or padded with zeros to s[1] // 2 + 1; by default `s` has the input's
    lengths, twice the last one less two. Returns float32, shaped as the input with `s` along the axes. If a picture has
    a NaN or infinity, some of it may be finite, unlike numpy's: two rows go through one transform.
    """
    return over_axes(_IRFFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def rfftn(array: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """`rfft` along the last of any number of axes, then `fftn` over the others, as numpy.fft.rfftn. Returns complex64,
    shaped as the input with `s` along the axes, but s[-1] // 2 + 1 along the last one. Raises DataError where the array
    is complex, ShapeError where there is no axis, or `s` and `axes` disagree.
    """
    return over_axes(_RFFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def irfftn(array: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Real:
    """The inverse of `rfftn`, as numpy.fft.irfftn; `irfft2` over any number of axes."""
    return over_axes(_IRFFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def hfft(array: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Real:
    """Real numbers from half of a line with Hermitian symmetry, as numpy.fft.hfft, with the sign of `fft`.

    This is `irfft` of the conjugate without scaling; `array` and `n` are as there, `norm` as in `fft`. `array` has
    points 0 to n / 2 of each line; the other points are their conjugates in reverse. Returns float32, shaped as the
    input with n along the axis.
    """
    return along_axis(_HFFT, array, n, axis, norm, (ctx, algorithm, twiddles, precision))


def ihfft(array: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """The inverse of `hfft`, as numpy.fft.ihfft: `rfft`, conjugated, with the norm of `ifft`."""
    return along_axis(_IHFFT, array, n, axis, norm, (ctx, algorithm, twiddles, precision))


def hfft2(array: ArrayLike, s: Ints | None = None, axes: Ints = (-2, -1), norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Real:
    """`hfft` over two axes, as scipy.fft.hfft2: `irfft2` of the conjugate, with the norm of `fft2`."""
    return over_axes(_HFFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def ihfft2(array: ArrayLike, s: Ints | None = None, axes: Ints = (-2, -1), norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """The inverse of `hfft2`, as scipy.fft.ihfft2: `rfft2`, conjugated, with the norm of `ifft2`."""
    return over_axes(_IHFFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def hfftn(array: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Real:
    """`hfft` over any number of axes, as scipy.fft.hfftn: `irfftn` of the conjugate, with the norm of `fftn`."""
    return over_axes(_HFFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def ihfftn(array: ArrayLike, s: Ints | None = None, axes: Ints | None = None, norm: str | None = None, *,
    ctx: Context | None = None, algorithm: str = "auto", twiddles: str = "table", precision: str = "single") -> Complex:
    """The inverse of `hfftn`, as scipy.fft.ihfftn: `rfftn`, conjugated, with the norm of `ifftn`."""
    return over_axes(_IHFFT, array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def dct(array: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, *,
    orthogonalize: bool | None = None, ctx: Context | None = None, algorithm: str = "auto",
    twiddles: str = "table", precision: str = "single") -> NDArray[np.inexact]:
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
        norm: None or "backward" (no scaling), "ortho" (1/sqrt(P)), "forward" (1/P). P is 2N, or 2 (N - 1) for type 1.
        orthogonalize: scale the ends of a line so that the transform is a multiple of an orthogonal one: x[0] by
            sqrt(2) in types 1 and 3, y[0] by sqrt(1/2) in types 1 and 2, and in type 1 also x[N - 1] and y[N - 1].
            Default: True for norm="ortho".

    Returns float32 (float64 in double precision), shaped as the input with `n` along the axis; complex for complex
    input. A NaN or an infinity makes every number of its own line NaN or infinite. Raises ShapeError where a transform
    of type 1 has one point, OptionError where there is no such type.
    """
    return along_axis(_DCT(type, orthogonalize), array, n, axis, norm, (ctx, algorithm, twiddles, precision))


def idct(array: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, *,
    orthogonalize: bool | None = None, ctx: Context | None = None, algorithm: str = "auto",
    twiddles: str = "table", precision: str = "single") -> NDArray[np.inexact]:
    """The inverse of `dct`, as scipy.fft.idct, scaled by 1/P for norm None or "backward": types 2 and 3 invert each
    other, types 1 and 4 themselves.
    """
    return along_axis(_IDCT(type, orthogonalize), array, n, axis, norm, (ctx, algorithm, twiddles, precision))


def dst(array: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, *,
    orthogonalize: bool | None = None, ctx: Context | None = None, algorithm: str = "auto",
    twiddles: str = "table", precision: str = "single") -> NDArray[np.inexact]:
    """The discrete sine transform along one axis, as scipy.fft.dst.

    For a line x[0] .. x[N - 1], without a norm (Britanak, Yip and Rao, Discrete cosine and sine transforms, 2007):
        type 1  y[k] = 2 sum over j of x[j] sin(pi (j + 1) (k + 1) / (N + 1))
        type 2  y[k] = 2 sum over j of x[j] sin(pi (2j + 1) (k + 1) / 2N)
        type 3  y[k] = (-1)^k x[N - 1] + 2 sum over j < N - 1 of x[j] sin(pi (j + 1) (2k + 1) / 2N)
        type 4  y[k] = 2 sum over j of x[j] sin(pi (2j + 1) (2k + 1) / 4N)

    Unlike in `dct`, P is 2 (N + 1) for type 1, which may have one point, and `orthogonalize` scales x[N - 1] in type 3
    and y[N - 1] in type 2.
    """
    return along_axis(_DST(type, orthogonalize), array, n, axis, norm, (ctx, algorithm, twiddles, precision))


def idst(array: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, *,
    orthogonalize: bool | None = None, ctx: Context | None = None, algorithm: str = "auto",
    twiddles: str = "table", precision: str = "single") -> NDArray[np.inexact]:
    """The inverse of `dst`, as scipy.fft.idst; see `idct`."""
    return along_axis(_IDST(type, orthogonalize), array, n, axis, norm, (ctx, algorithm, twiddles, precision))


def dctn(array: ArrayLike, type: int = 2, s: Ints | None = None, axes: Ints | None = None, norm: str | None = None, *,
    orthogonalize: bool | None = None, ctx: Context | None = None, algorithm: str = "auto",
    twiddles: str = "table", precision: str = "single") -> NDArray[np.inexact]:
    """`dct` over any number of axes, as scipy.fft.dctn; P is their product; `s`, `axes`, errors are as in `fftn`."""
    return over_axes(_DCT(type, orthogonalize), array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def idctn(array: ArrayLike, type: int = 2, s: Ints | None = None, axes: Ints | None = None, norm: str | None = None, *,
    orthogonalize: bool | None = None, ctx: Context | None = None, algorithm: str = "auto",
    twiddles: str = "table", precision: str = "single") -> NDArray[np.inexact]:
    """The inverse of `dctn`, as scipy.fft.idctn."""
    return over_axes(_IDCT(type, orthogonalize), array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def dstn(array: ArrayLike, type: int = 2, s: Ints | None = None, axes: Ints | None = None, norm: str | None = None, *,
    orthogonalize: bool | None = None, ctx: Context | None = None, algorithm: str = "auto",
    twiddles: str = "table", precision: str = "single") -> NDArray[np.inexact]:
    """`dst` over any number of axes, as scipy.fft.dstn; see `dctn`."""
    return over_axes(_DST(type, orthogonalize), array, s, axes, norm, (ctx, algorithm, twiddles, precision))


def idstn(array: ArrayLike, type: int = 2, s: Ints | None = None, axes: Ints | None = None, norm: str | None = None, *,
    orthogonalize: bool | None = None, ctx: Context | None = None, algorithm: str = "auto",
    twiddles: str = "table", precision: str = "single") -> NDArray[np.inexact]:
    """The inverse of `dstn`, as scipy.fft.idstn."""
    return over_axes(_IDST(type, orthogonalize), array, s, axes, norm, (ctx, algorithm, twiddles, precision))
