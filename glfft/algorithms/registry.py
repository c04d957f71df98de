"""The algorithms by name; each turns an `AxisRequest` into passes and knows nothing of plans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from glfft.algorithms import auto, cooley_tukey, stages
from glfft.algorithms.passes import AxisRequest, PassSpec
from glfft.algorithms.stockham import choose, kernel
from glfft.algorithms.storage import Storage
from glfft.errors import AlgorithmError, LimitError
from glfft.gl.device import Limits


@dataclass(frozen=True)
class Algorithm:
    """One way to transform the lines of a texture.

    Attributes:
        name: what users call it.
        summary: one line.
        passes: the dispatches for an axis whose length is a power of two, at least 2, and at most `max_length`.
        max_length: the longest line that fits the device.
        limit: why there is such a longest line, to complete "it would need ...".
        goes_back: whether its one pass can also multiply and transform back, as `AxisRequest.back_scale` asks.
    """

    name: str
    summary: str
    passes: Callable[[AxisRequest], list[PassSpec]]
    max_length: Callable[[Limits, Storage], int]
    limit: Callable[[AxisRequest], str]
    goes_back: Callable[[AxisRequest], bool] = lambda request: False


def _texture_limit(request: AxisRequest) -> str:
    return f"a texture {request.length} texels long, and the device allows {request.limits.texture_size}"


def _texture_size(limits: Limits, storage: Storage) -> int:
    return limits.texture_size


_REGISTRY = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm(
            "auto",
            "the fastest that works: stockham, or where a device cannot do that, cooley-tukey-stages",
            auto.passes,
            _texture_size,
            _texture_limit,
            auto.goes_back,
        ),
        Algorithm(
            "cooley-tukey-stages",
            "radix-2 decimation in time, one dispatch a stage, bit reversal first (Mota)",
            stages.cooley_tukey,
            _texture_size,
            _texture_limit,
        ),
        Algorithm(
            "natural-order-stages",
            "radix-2 with even and odd elements recombined after each stage, no bit reversal (Mota)",
            stages.natural_order,
            _texture_size,
            _texture_limit,
        ),
        Algorithm(
            "cooley-tukey-dif-stages",
            "radix-2 decimation in frequency (Gentleman-Sande), one dispatch a stage, bit reversal last (Mota)",
            stages.cooley_tukey_dif,
            _texture_size,
            _texture_limit,
        ),
        Algorithm(
            "cooley-tukey",
            "all radix-2 stages of an axis in one dispatch, a barrier between stages (Mota)",
            cooley_tukey.passes,
            cooley_tukey.max_length,
            cooley_tukey.limit,
        ),
        Algorithm(
            "stockham-radix2",
            "autosort, radix 2, one dispatch an axis (Mota)",
            kernel.radix2,
            kernel.max_length,
            kernel.limit,
            kernel.goes_back,
        ),
        Algorithm(
            "stockham-radix4",
            "autosort, radix 4 with one radix-2 stage where needed, one dispatch an axis (Mota)",
            kernel.radix4,
            kernel.max_length,
            kernel.limit,
            kernel.goes_back,
        ),
        Algorithm(
            "stockham",
            "autosort with the radices, points and lines measured to be fastest on the device, one dispatch an axis, "
            "two for lines that do not fit shared memory",
            choose.passes,
            choose.max_length,
            _texture_limit,
            choose.goes_back,
        ),
    )
}


def algorithms() -> dict[str, str]:
    """The names a plan's `algorithm=` takes, each with a one-line summary."""
    return {name: algorithm.summary for name, algorithm in _REGISTRY.items()}


def by_name(name: str) -> Algorithm:
    """The algorithm of a name.

    Raises:
        AlgorithmError: there is none; the message has the nearest name.
    """
    if isinstance(name, str) and name in _REGISTRY:
        return _REGISTRY[name]
    near = get_close_matches(str(name).lower(), _REGISTRY, n=1, cutoff=0.4)
    hint = f"did you mean '{near[0]}'?" if near else f"choose one of {', '.join(_REGISTRY)}."
    raise AlgorithmError(f"There is no algorithm '{name}'; {hint}")


def passes_for(algorithm: Algorithm, request: AxisRequest) -> list[PassSpec]:
    """The dispatches for one axis.

    Raises:
        LimitError: a line does not fit; the message names the limit, the need and an algorithm that works.
    """
    if request.length > algorithm.max_length(request.limits, request.storage):
        works = [
            name
            for name, other in _REGISTRY.items()
            if request.length <= other.max_length(request.limits, request.storage)
        ]
        advice = f"algorithm='{works[0]}' works" if works else "no algorithm can do it on this device"
        raise LimitError(
            f"{algorithm.name} cannot transform lines of {request.length} points here: it would need "
            f"{algorithm.limit(request)}; {advice}."
        )
    return algorithm.passes(request)
