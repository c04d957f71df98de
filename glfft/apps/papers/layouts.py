"""Batches of 16 points in the layouts that del Mundo's kernels read: arrays to bytes of a buffer, and back.

del Mundo, Adhinarayanan and Feng, Accelerating Fast Fourier Transform for Wideband Channelization, sections
III-C and III-F.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from glfft.algorithms.study.four_by_four import LENGTH, FourByFourConfig

# Lines of a work group.
_GROUP = 16


def laid_out(points: npt.NDArray[np.complex64], config: FourByFourConfig) -> npt.NDArray[np.float32]:
    """The numbers of a buffer for a kernel, in order, from points [lines, 16] of full work groups."""
    if config.layout == "groups":
        # The axes are group, line, row and column.
        rows_first = points.reshape(-1, _GROUP, 4, 4).swapaxes(1, 2)
        return np.ascontiguousarray(rows_first).view(np.float32).ravel()
    if config.layout == "planar":
        side_by_side = points.reshape(-1, config.width, LENGTH).swapaxes(1, 2)
        return np.concatenate([side_by_side.real.ravel(), side_by_side.imag.ravel()])
    return points.view(np.float32).ravel()


def in_lines(numbers: npt.NDArray[np.float32], config: FourByFourConfig) -> npt.NDArray[np.complex64]:
    """The points [lines, 16] of a buffer's numbers, as `laid_out` gives them."""
    if config.layout == "groups":
        rows_first = numbers.view(np.complex64).reshape(-1, 4, _GROUP, 4)
        return rows_first.swapaxes(1, 2).reshape(-1, LENGTH)
    if config.layout == "planar":
        real, imaginary = numbers.reshape(2, -1, LENGTH, config.width).swapaxes(2, 3)
        return np.stack([real, imaginary], axis=-1).view(np.complex64).reshape(-1, LENGTH)
    return numbers.view(np.complex64).reshape(-1, LENGTH)
