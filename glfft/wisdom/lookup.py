"""Which kernel to take for a request: the one measured nearest to it, or a family's default where there is none.

Measurements are shipped, in glfft/wisdom/devices, or in the user's file: measured on this device, or imported. Nearest
is near in storage, and in the number of points, which decides between many small work groups and few busy ones. Where
none is near, predicted times choose between the measured kernels and the one that is predicted to be the fastest.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import chain
from typing import Any

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.family import Config, Family
from glfft.algorithms.passes import Choice, PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.gl.device import Device, is_software_renderer
from glfft.wisdom import store
from glfft.wisdom.entries import Entry, KnownConstants, contents, is_of, understood

_QUICK = "quick to compile, for as long as the fastest kernel that is known is being compiled"
_BY = "as nothing was measured near such lines on this device, by constants"
_NOT_MEASURED = "reasoned from the limits, as nothing was measured of such lines on this device"

# Kernels of like storage and a fourth to four times the points are taken as they are; up to eight times lose 3 %.
_NEAR = 0, 2.0

# Two lines a thread go before one where they were measured with less than twice or half the points, and after one where
# with so many times the points. Columns of a real picture have half the points of a complex picture's: with kernels for
# them, complex pictures of 3888 x 2592 took an NVIDIA H200 1.09 times as long.
_ALIKE, _FEWER = (0, 0.98), 1.5

# Where an entry comes from, in the order in which equally near entries are preferred.
_ORIGINS = _TUNED, _IMPORTED, _SHIPPED = ("tuned on this device", "imported wisdom", "shipped wisdom")


@cache
def _shipped_contents() -> list[dict[str, Any]]:
    folder = resources.files("glfft.wisdom") / "devices"
    return [contents(file.read_text(encoding="utf-8")) for file in folder.iterdir() if file.name.endswith(".json")]


@cache
def _shipped_constants() -> tuple[KnownConstants, ...]:
    return understood([], [each for content in _shipped_contents() for each in content.get("constants", ())]).constants


def constants_of(device: Device) -> KnownConstants | None:
    """The constants measured on a device, else those that come with glfft nearest to it, else or for a CPU None."""
    if device.software:
        return None
    here = next((each for each in store.constants() if each.speaks_of(device)), None)
    shipped_for = (each for each in _shipped_constants() if each.speaks_of(device))
    return here or max(shipped_for, key=lambda each: len(each.renderer), default=None)


@cache
def shipped(length: int) -> tuple[Entry, ...]:
    """What comes with glfft for lines of a length: a first plan reads no more than it needs."""
    of_all = chain.from_iterable(content["entries"] for content in _shipped_contents())
    return understood(each for each in of_all if each["length"] == length).entries


@cache
def of_convolutions(kind: str, axis: int, components: int, device: Device) -> tuple[Entry, ...]:
    """What comes with glfft of passes measured within convolutions on such a device."""
    wanted = {"convolution": kind, "axis": axis, "components": components}
    of_all = chain.from_iterable(content["entries"] for content in _shipped_contents())
    alike = (each for each in of_all if wanted.items() <= each.items())
    return understood(each for each in alike if is_of(device, each["renderer"], each["driver"])).entries


def passes(request: AxisRequest) -> list[PassSpec]:
    """The dispatches for one axis, with the best kernels known. Raises LimitError where the algorithm has none."""
    specs: list[PassSpec] = []
    for part, choice in choose(request):
        family = registry.family_of(choice.family)
        kept = choice if family.tunable else None
        specs += [replace(spec, choice=kept) for spec in family.passes(part, choice.config)]
    return specs


def choose(request: AxisRequest) -> list[tuple[AxisRequest, Choice]]:
    """The parts of a request, and a kernel for each. Raises LimitError as `passes` does."""
    families = registry.families_for(request)
    chosen = _best(request, families)
    if chosen is not None:
        return [(request, chosen)]
    parts = families[0].parts(request)
    if parts == [request]:
        return [(request, _reasoned(request, families[0]))]
    # What the caller's snippet computes is loaded by the first of them.
    parts = [parts[0], *(replace(part, loads_computed=False) for part in parts[1:])]
    owners = [registry.family_of(part.algorithm) for part in parts]
    return [(part, _best(part, [owner]) or _reasoned(part, owner)) for part, owner in zip(parts, owners, strict=True)]


def known(request: AxisRequest, families: Iterable[Family]) -> list[tuple[Entry, str]]:
    """Entries about such lines on such a device, with origins, the one to take first. These go before others, in this
    order: near ones for convolutions alone, near ones for real lines alone (no shipped one where the user has a near
    one), pairs, pieces or swaps where that gains, the nearest, by origin, those for few devices, the fastest.
    """
    names = {family.name for family in families}
    found = [(entry, _TUNED if entry.driver else _IMPORTED) for entry in store.entries()]
    found += [(entry, _SHIPPED) for entry in shipped(request.length)]
    found = [each for each in found if each[0].family in names and each[0].speaks_of(request)]
    users = any(origin != _SHIPPED and entry.distance(request) <= _NEAR for entry, origin in found)

    def rank(each: tuple[Entry, str]) -> tuple[object, ...]:
        entry, origin = each
        distance = entry.distance(request)
        preference = _ORIGINS.index(origin), -len(entry.renderer), not entry.loads_computed
        outranked = users and origin == _SHIPPED
        is_near = distance <= _NEAR and (entry.convolution != "" or not outranked)
        own = (entry.convolution != "", entry.reals != "") if is_near else (False, False)
        farther = abs(entry.points - request.points)  # where `distance` tells none apart
        first = not own[0], not own[1], max(_rank_by_kind(entry, request), outranked)
        return *first, *distance, *preference, farther, entry.microseconds

    return sorted(found, key=rank)


def _rank_by_kind(entry: Entry, request: AxisRequest) -> int:
    """0 for a kernel with two lines a thread, in pieces or, of a single picture, with swapped points, where that gains
    on a GPU, 2 where it loses, 1 for others, 3 for far ones. Columns of 4032 points take an NVIDIA H200 0.83 of the
    time in pairs, but 1.1 at half as many columns, and convolved 1.3; 2048^2 swapped 0.97, two layers of it 1.05.
    """
    config: Any = entry.config
    distance, pairs = entry.distance(request), getattr(config, "line_pairs", False)
    if distance > _NEAR:
        return 3
    plain = not request.mirrors and request.inverse_scale is None
    # There is no choice but pieces where shared memory has no room for all positions at once.
    in_pieces = getattr(config, "pieces", 1) > 1 and config.needs_no_pieces(request.device.limits, request.storage)
    swapped = getattr(config, "swaps", False) and plain and request.layers is None and distance < _ALIKE
    if request.device.software or not (pairs or in_pieces or swapped):
        return 1
    loses = not plain or (pairs and entry.points > _FEWER * request.points)
    return 2 if loses else int(pairs and distance >= _ALIKE)


def winners(request: AxisRequest, family: Family) -> list[Entry]:
    """A family's fastest kernels for lines of that length: on such devices, then on any of the kind, stored alike."""
    return [entry for entry, _ in known(request, [family])] + [
        entry
        for entry in shipped(request.length)
        if entry.family == family.name
        and entry.in_buffer == request.storage.buffer
        and not (entry.loads_computed or entry.convolution or entry.reals)
        and is_software_renderer(entry.renderer) == request.device.software
    ]


def _reasoned(request: AxisRequest, family: Family) -> Choice:
    """The kernel of a family to take where nothing was measured, or where it is to compile quickly."""
    if request.quick:
        return Choice(family.name, family.quick(request), _QUICK)
    return predicted(request, family) or Choice(family.name, family.default(request), _NOT_MEASURED)


def predicted(request: AxisRequest, family: Family, measured: Iterable[Config] = ()) -> Choice | None:
    """The kernel of a family predicted to be the fastest, perhaps one measured elsewhere; None where nothing can be."""
    constants = constants_of(request.device)
    if constants is None or (found := family.predicted_fastest(request, constants.constants, measured)) is None:
        return None
    config, microseconds = found
    return Choice(family.name, config, f"predicted to take {microseconds:.3g} us a pass, {_BY} {constants.origin}")


def _best(request: AxisRequest, families: Iterable[Family]) -> Choice | None:
    """The kernel measured nearest to a request, or predicted; None if none was measured, or a quick one is wanted."""
    found = [] if request.quick else known(request, families)
    if not found:
        return None
    near = found[0][0].distance(request) <= _NEAR
    if request.storage.name == "rg16f" and not near and constants_of(request.device) is not None:
        # With kernels for rg32f, pictures take an NVIDIA H200 0.97 of the time that they take with predicted ones.
        single = replace(request, storage=STORAGES["rg32f"])
        found = known(single, families)
        near = found[0][0].distance(single) <= _NEAR
    nearest, origin = found[0]
    own = registry.family_of(nearest.family)
    if not near:
        alike = {entry.config: (entry, origin) for entry, origin in reversed(found) if entry.family == own.name}
        choice = predicted(request, own, alike)
        if choice is not None:
            if choice.config not in alike:
                return choice
            nearest, origin = alike[choice.config]
    fits_as_it_is = not near or nearest.reals or request.device.software
    config = nearest.config if fits_as_it_is else own.for_real_lines(nearest.config, request)
    storage = f" of {nearest.storage}" if nearest.storage else ""
    measured_on = "" if nearest.driver else f" on {nearest.renderer}"
    timed = "convolution" if nearest.convolution else "pass"
    why = f"{origin}: {nearest.microseconds:.4g} us a {timed} of {nearest.points} points{storage}{measured_on}"
    if nearest.points != request.points or nearest.distance(request) > (0, 0.0):
        why += f", the nearest measured to {request.points} points of {request.storage.name}"
    return Choice(nearest.family, config, why, timed == "convolution" and near)
