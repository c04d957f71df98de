"""What users ask for, checked before anything is made of it: each message says what would be right."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from glfft.algorithms.registry import by_name
from glfft.algorithms.storage import STORAGES
from glfft.engine.request import PlanRequest
from glfft.errors import LimitError, OptionError, ShapeError, shown
from glfft.gl.device import Limits
from glfft.snippets import Snippet, as_snippet, is_for_complex_pictures

NORMS = ("backward", "ortho", "forward")
TWIDDLES = ("table", "computed")


def make_request(
    shape: Sequence[int],
    axes: Iterable[int],
    algorithm: str,
    norm: str | None,
    twiddles: str,
    limits: Limits,
    *,
    layers: int | None = None,
    storage: str = "rg32f",
    load: Snippet | str | None = None,
    store: Snippet | str | None = None,
    multiply: Snippet | str | None = None,
    real: bool = False,
) -> PlanRequest:
    """Check what a user asks for.

    Raises:
        ShapeError: the shape or an axis makes no sense, or a transformed length is no power of two.
        LimitError: the shape is beyond the device's texture limit.
        AlgorithmError, OptionError: an unknown name.
    """
    checked_axes = _check_axes(axes)
    checked_shape = _check_shape(shape, checked_axes, limits)
    norm = check_choice("norm", "backward" if norm is None else norm, NORMS)
    check_choice("twiddles", twiddles, TWIDDLES)
    by_name(algorithm)
    check_choice("storage", storage, tuple(STORAGES))
    checked_load, checked_store = as_snippet("load", load), as_snippet("store", store)
    if _check_real(real):
        _check_for_real(checked_load, checked_store)
    return PlanRequest(
        checked_shape,
        checked_axes,
        algorithm,
        norm,
        twiddles,
        _check_layers(layers),
        STORAGES[storage],
        checked_load,
        checked_store,
        as_snippet("multiply", multiply),
        real,
    )


def check_choice(option: str, value: str, allowed: Sequence[str]) -> str:
    """A value of an option that must be one of a few names.

    Raises:
        OptionError: it is none of them; the message has the nearest.
    """
    # Asked first: an array compared with a name gives an array.
    if isinstance(value, str) and value in allowed:
        return value
    near = get_close_matches(str(value), allowed, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else "."
    raise OptionError(f"{option} is {shown(value)} and must be one of {', '.join(allowed)}{hint}")


def _check_axes(axes: Iterable[int]) -> tuple[int, ...]:
    try:
        wanted = [operator.index(axis) for axis in axes]
    except TypeError:
        raise ShapeError(f"axes is {shown(axes)} and must be a sequence of axis numbers, such as (0, 1).") from None
    if not wanted or any(axis not in (-2, -1, 0, 1) for axis in wanted):
        raise ShapeError(f"axes is {tuple(wanted)} and must name one or both of axis 0 (columns) and 1 (rows).")
    normalised = {axis % 2 for axis in wanted}
    if len(normalised) != len(wanted):
        raise ShapeError(f"axes is {tuple(wanted)}: each axis can be transformed once.")
    # Rows first: their texels lie side by side in memory, and the order of the axes does not change the result.
    return tuple(sorted(normalised, reverse=True))


def _check_layers(layers: Any) -> int | None:
    if layers is None:
        return None
    try:
        # True is a whole number to Python, and asks for something else than one layer.
        count = 0 if isinstance(layers, bool) else operator.index(layers)
    except TypeError:
        count = 0
    if count < 1:
        raise ShapeError(f"layers is {layers!r} and must be a whole number of at least 1, or None for 2-D textures.")
    return count


def _check_real(real: Any) -> bool:
    if not isinstance(real, bool):
        raise OptionError(f"real is {real!r} and must be True, for real pictures, or False.")
    return real


def _check_for_real(*given: Snippet | None) -> None:
    for snippet in filter(is_for_complex_pictures, given):
        assert snippet is not None
        raise OptionError(
            f"The {snippet.name} is for whole complex pictures, and a plan with real=True has real ones and half "
            "spectra; leave out one of the two."
        )


def _check_shape(shape: Any, axes: tuple[int, ...], limits: Limits) -> tuple[int, int]:
    try:
        lengths = tuple(operator.index(length) for length in shape)
    except TypeError:
        raise ShapeError(f"The shape is {shown(shape)} and must be two whole numbers, (rows, columns).") from None
    if len(lengths) != 2:
        raise ShapeError(f"The shape is {lengths} and must be two numbers, (rows, columns).")
    for axis, (length, what) in enumerate(zip(lengths, ("rows", "columns"), strict=True)):
        if length < 1:
            raise ShapeError(f"The shape is {lengths}: the number of {what} must be at least 1.")
        if axis in axes and length & (length - 1):
            below = 1 << (length.bit_length() - 1)
            raise ShapeError(
                f"The shape is {lengths}: {length} {what} is not a power of two; pad to {2 * below} or crop to {below}."
            )
        if length > limits.texture_size:
            raise LimitError(
                f"The shape is {lengths}: the device's textures have at most {limits.texture_size} {what}; "
                "use a smaller shape or split the data."
            )
    return lengths
