"""The algorithms by name; each turns an `AxisRequest` into passes and knows nothing of plans."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from typing import Any

from glfft.algorithms import stages
from glfft.algorithms.any_radix import AnyRadix
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import largest_prime_factor, next_smooth
from glfft.algorithms.passes import Choice
from glfft.algorithms.stockham import modelled, pictures
from glfft.algorithms.stockham.bluestein import Bluestein
from glfft.algorithms.stockham.butterflies import LARGEST_PRIME
from glfft.algorithms.stockham.choose import convolution_is_faster
from glfft.algorithms.stockham.cost import predicted_us, work_of
from glfft.algorithms.stockham.family import FIXED, RADIX_8, Stockham
from glfft.algorithms.study import butterfly_sets, four_by_four, global_local, word_groups
from glfft.errors import AlgorithmError, LimitError, shown
from glfft.gl.device import Device

AUTO = "auto"
_AUTO_SUMMARY = (
    "the fastest that works: stockham, stockham-picture for small pictures, and bluestein for lengths with prime "
    f"factors over {LARGEST_PRIME}, or over 31 where that is faster"
)

_REGISTRY: dict[str, Family[Any]] = {
    family.name: family
    for family in (
        *stages.PING_PONGS,
        *stages.FAMILIES,
        AnyRadix(),
        stages.CooleyTukey(),
        *FIXED,
        Stockham(),
        pictures.StockhamPicture(),
        Bluestein(),
        *RADIX_8,  # what is there for study, as papers describe it
        *stages.STUDIED,
        *(family for paper in (butterfly_sets, word_groups, global_local, four_by_four) for family in paper.FAMILIES),
    )
}


def algorithm_names(study: bool = False) -> dict[str, str]:
    """The names a plan's `algorithm=` takes, each with a one-line summary. The one to use is "auto". With `study` they
    are those that are there to be compared, as papers describe them: plans of suitable lengths take them, `auto` none.
    """
    summaries = {name: family.summary for name, family in _REGISTRY.items() if family.study == study}
    return summaries if study else {AUTO: _AUTO_SUMMARY, **summaries}


def family_of(name: str) -> Family:
    return _REGISTRY[name]


def tunable_families() -> list[Family]:
    return [family for family in _REGISTRY.values() if family.tunable]


def probes(device: Device) -> list[tuple[AxisRequest, Choice, Callable[[DeviceConstants], float]]]:
    """Passes whose times tell the constants of a device, and what these predict, in microseconds; none on CPUs."""
    found = modelled.probes(device)
    return [
        (each, Choice(Stockham.name, config), partial(predicted_us, work_of(each, config))) for each, config in found
    ]


def check_algorithm(name: str) -> str:
    """A name that users give. Raises AlgorithmError where no algorithm has it; the message has the nearest name."""
    if isinstance(name, str) and (name == AUTO or name in _REGISTRY):
        return name
    near = get_close_matches(str(name).lower(), {**algorithm_names(), **algorithm_names(study=True)}, n=1, cutoff=0.6)
    choices = f"choose one of {', '.join(algorithm_names())}, or one for study, which 'glfft info' lists."
    hint = f"did you mean '{near[0]}'?" if near else choices
    raise AlgorithmError(f"There is no algorithm {shown(name)}; {hint}")


def families_for(request: AxisRequest) -> list[Family]:
    """The families that can do a request under the algorithm it names, the best first: for `auto` the tunable ones that
    are not for study, else the first. Raises LimitError, with what is needed and what works, where there is none.
    """
    if request.algorithm != AUTO:
        named = family_of(request.algorithm)
        need = named.supports(request)
        if need is not None:
            raise LimitError(_refusal_of(request, need))
        return [named]
    at_once = family_of(AnyRadix.name)
    if request.quick and not (request.device.software or request.kind) and at_once.supports(request) is None:
        return [at_once]
    usable = [family for family in _REGISTRY.values() if not family.study and family.supports(request) is None]
    if not usable:
        raise LimitError(_refusal_of_all(request))
    tunable = [family for family in usable if family.tunable]
    return [family for family in tunable if family.fallback == convolution_is_faster(request)] or tunable or usable[:1]


def for_both_axes(rows: AxisRequest, algorithm: str, auto_may: bool, whole: bool) -> AxisRequest | None:
    """The rows of a picture, or of a `whole` volume, with all other lines; None where each axis takes a dispatch."""
    if rows.is_volume and not whole:
        return None
    at_once = replace(rows, both_axes=True, crossing=None, algorithm=pictures.StockhamPicture.name)
    if algorithm == at_once.algorithm:
        return None if pictures.kernel_for(at_once) is None else at_once
    return at_once if auto_may and algorithm == AUTO and pictures.pays(at_once) else None


def in_halves(request: AxisRequest) -> AxisRequest:
    """Real lines of even length, each as a complex one of half as many points where that is one dispatch and faster."""
    if not request.real or request.length % 2 or request.length == 2:
        return request
    halved = replace(request, halved=True, real_pairs=False)
    with suppress(LimitError):
        own, pairs = families_for(halved), request.real_pairs
        alone = not pairs or (families_for(request) == own and all(each.lets_pairs_go_alone(request) for each in own))
        if alone and all(family.halves(halved) for family in own):
            return halved
    return request


def for_one_axis(algorithm: str) -> str:
    """The algorithm that does lines alone under a name that users give."""
    return Stockham.name if algorithm == pictures.StockhamPicture.name else algorithm


def is_usual(algorithm: str) -> bool:
    """Whether lines under a name go as glfft thinks best, not as a paper describes."""
    return for_one_axis(algorithm) in (AUTO, Stockham.name)


def _refusal_of(request: AxisRequest, need: str) -> str:
    """Why the algorithm that a request names cannot do it, and what can."""
    nearest = None if "such as" in need else _nearest_length(request)
    need += "" if nearest is None else f"; it can do {nearest}"
    able = any(family.supports(request) is None for family in _REGISTRY.values())
    advice = f"algorithm='{AUTO}' works" if able else "no algorithm can do it on this device"
    return f"{request.algorithm} cannot transform lines of {_points(request)} here: it would need {need}; {advice}."


def _refusal_of_all(request: AxisRequest) -> str:
    """Why no algorithm can do a request, and what to ask for instead."""
    # What takes any length says what is in its way.
    needs = [family.supports(request) for family in _REGISTRY.values() if family.fallback]
    smooth = next_smooth(request.length, LARGEST_PRIME)
    because, advice = "they", "use shorter lines"
    if smooth > request.length:
        because = f"with the prime factor {largest_prime_factor(request.length)} they"
        advice = f"use a length without prime factors above {LARGEST_PRIME}, such as {smooth}"
    return f"Lines of {_points(request)} are too long for this device: {because} take {needs[-1]}; {advice}."


def _points(request: AxisRequest) -> str:
    points, kind = f"{request.length} points", request.kind
    if kind is None or kind.type != 1:
        return points
    return f"{points}, as a {kind.name} of {request.shape[request.axis]} takes,"


def _nearest_length(request: AxisRequest) -> int | None:
    """The power of two nearest to a request's length at which its algorithm can do it, None if there is none."""
    if request.part is not None or request.kind is not None or request.picture is not None:
        return None
    family = family_of(request.algorithm)
    lengths = sorted((2**power for power in range(1, 25)), key=lambda each: abs(each - request.length))
    others = (each for each in lengths if each != request.length)
    return next((each for each in others if family.supports(request.of_length(each)) is None), None)


def longest_line(name: str, request: AxisRequest) -> int:
    """The longest line of a power of two that an algorithm can do, for requests alike but for the shape."""
    longest = 1
    while longest < request.device.limits.texture_size:
        following = replace(request, shape=(1, 2 * longest), axis=1, algorithm=name)
        try:
            families_for(following)
        except LimitError:
            break
        longest *= 2
    return longest
