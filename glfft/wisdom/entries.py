"""Measured kernels and constants of devices, and as JSON: {"version": 2, "entries": [...], "constants": [...]}."""

import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.family import Config
from glfft.algorithms.storage import STORAGES
from glfft.gl.device import Device, model_of

FORMAT_VERSION = 2

_SIMPLE_TYPES: dict[Any, tuple[type, ...]] = {int: (int,), str: (str,), bool: (bool,), float: (int, float)}

_UNCACHED = 1 << 24  # points from which on a kernel's speed hardly depends on how many there are
_LARGEST = sys.float_info.max  # JSON has whole numbers beyond what a float holds
_UNKNOWN = "fields are missing, or unknown to this glfft"

Key = tuple[Any, ...]  # which lines on which device an entry is about, and by which family: one is kept for each
_OPTIONAL = ("loads_computed", "convolution", "reals")
_KEY = ("renderer", "driver", "length", "axis", "components", "storage", "points", "family", *_OPTIONAL)


def is_of(device: Device, renderer: str, driver: str) -> bool:
    """Whether a device is the one of these names; with no driver, a part of its name is enough, in any case."""
    if driver:
        return (renderer, driver) == (device.renderer, device.driver)
    return renderer.lower() in device.renderer.lower()


@dataclass(frozen=True)
class KnownConstants:
    """The constants of a device, or of many."""

    renderer: str  # the device's name; with no driver, a part of it that speaks for many devices, compared without case
    constants: DeviceConstants
    driver: str = ""  # the driver and its version, or "" for any
    origin: str = "measured"  # how they were come by, in words

    @property
    def key(self) -> tuple[str, str]:
        return self.renderer, self.driver

    @property
    def for_others(self) -> Self:
        """Those that are shipped: for all devices of a model, whatever their driver."""
        model = model_of(self.renderer)
        return replace(self, renderer=model, driver="", origin=f"measured on {model}")

    def speaks_of(self, device: Device) -> bool:
        return is_of(device, self.renderer, self.driver)

    @classmethod
    def from_fields(cls, content: object) -> Self:
        """Those that JSON has. Raises ValueError where it has none."""
        values: dict[str, Any] = dict(content) if isinstance(content, Mapping) else {}
        constants = values.pop("constants", None)
        with suppress(TypeError):  # unknown names
            if isinstance(constants, Mapping) and all(isinstance(each, str) for each in values.values()):
                return cls(constants=DeviceConstants.from_fields(constants), **values)
        raise ValueError("no device has such constants")


@dataclass(frozen=True)
class Entry:
    renderer: str  # the device's name; with no driver, a part of it that speaks for many devices, compared without case
    length: int  # points of a line
    axis: int  # 1 rows, 0 columns, 2 lines in squares and parts of rows, see `AxisRequest.measured_axis`
    components: int  # channels of a texel
    points: int  # points of the whole picture, all layers together
    config: Config  # the fastest kernel found
    microseconds: float  # a pass of it took, GPU time or, on software renderers, wall time
    driver: str = ""  # the driver and its version, or "" for any
    storage: str = ""  # what a texel is, a name of glfft.algorithms.storage, or "" for textures with so many components
    family: str = field(kw_only=True)  # the algorithm whose kernel it is
    # it is for passes whose loads a snippet computes, alone; the time is of a plain pass, to be compared with others
    loads_computed: bool = False
    # it is for passes of convolutions of "complex" or "real" pictures, alone; the time is of the whole convolution
    convolution: str = ""
    # it is for passes over real lines that go "alone" or "in pairs", and for no others
    reals: str = ""

    @classmethod
    def of(cls, request: AxisRequest, family: str, config: Config, microseconds: float) -> Self:
        device, storage, rounded = request.device, request.storage, float(f"{microseconds:.4g}")
        what = request.length, request.measured_axis, storage.components, request.points, config, rounded
        return cls(device.renderer, *what, device.driver, storage.name, family=family, reals=request.reals)

    @property
    def for_others(self) -> Self:
        """The entry as it is shipped: for all devices of its model, whatever their driver."""
        return replace(self, renderer=model_of(self.renderer), driver="")

    @property
    def key(self) -> Key:
        return tuple(getattr(self, name) for name in _KEY)

    @property
    def in_buffer(self) -> bool:
        """Whether it was measured in a buffer, and not in a texture."""
        return self.storage in STORAGES and STORAGES[self.storage].buffer

    def speaks_of(self, request: AxisRequest) -> bool:
        """Whether it was measured for such lines, device and precision; in textures lines are in tiles, on a GPU."""
        alike = self.convolution == request.convolution and self.components == request.storage.components
        return (
            self.length == request.length
            and self.axis in request.measured_axes
            and is_of(request.device, self.renderer, self.driver)
            and (self.in_buffer or not request.storage.buffer or request.device.software)
            and (self.storage in STORAGES and STORAGES[self.storage].double) == request.storage.double
            and (request.loads_computed or not self.loads_computed)
            and self.reals in ("", request.reals)
            and (alike or not self.convolution)
            and registry.family_of(self.family).fits(self.config, request)
        )

    def distance(self, request: AxisRequest) -> tuple[int, float]:
        """How far from a request it is: unlike storage or axis, then the log of the ratio of points, up to 2^24."""
        storage = request.storage
        # Those without a name were measured in textures.
        same_name = self.storage in (storage.name, storage.name if storage.buffer else "")
        unlike = 2 if self.components != storage.components else int(not same_name)
        unlike += request.measured_axes.index(self.axis)
        return unlike, abs(math.log2(min(self.points, _UNCACHED) / min(request.points, _UNCACHED)))


@dataclass(frozen=True)
class Wisdom:
    entries: tuple[Entry, ...]  # what this glfft understands
    # entries with a family, fields or values that it does not know, as JSON: a later glfft's, perhaps
    unread: tuple[str, ...]
    left_out: dict[str, int]  # how many those are, for each reason
    constants: tuple[KnownConstants, ...] = ()  # of devices, those that this glfft understands


def read(text: str) -> Wisdom:
    """All that a text of wisdom holds; entries that make no sense are in `unread`. Raises ValueError as `contents`."""
    content = contents(text)
    return understood(content["entries"], content.get("constants"))


def contents(text: str) -> dict[str, Any]:
    """What a text of wisdom holds, as JSON: "entries", and perhaps "constants". Raises ValueError for another text."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is not JSON ({error})") from error
    if not isinstance(content, dict) or "version" not in content or not isinstance(content.get("entries"), list):
        raise ValueError("it is not wisdom")
    if content["version"] != FORMAT_VERSION:
        raise ValueError(f"it has version {content['version']!r} and this glfft reads version {FORMAT_VERSION}")
    return content


def understood(entries_of_json: Iterable[Any], constants_of_json: Any = ()) -> Wisdom:
    """What entries and constants of a text say; entries that make no sense are in `unread`."""
    entries, constants = list[Entry](), list[KnownConstants]()
    unread, left_out = list[str](), Counter[str]()
    for each in entries_of_json:
        try:
            entries.append(_entry(each))
        except ValueError as reason:
            left_out[str(reason)] += 1
            unread.append(json.dumps(each))
    for each in constants_of_json if isinstance(constants_of_json, list) else ():
        with suppress(ValueError):  # a later glfft's
            constants.append(KnownConstants.from_fields(each))
    return Wisdom(tuple(entries), tuple(unread), left_out, tuple(constants))


def to_json(entries: Iterable[Entry], unread: Iterable[str] = (), constants: Iterable[KnownConstants] = ()) -> str:
    """The text `read` reads, one entry a line, in an order that does not depend on how they were come by."""
    lines = [_line(entry) for entry in sorted(entries, key=lambda entry: entry.key)]
    devices = [json.dumps(asdict(each)) for each in sorted(constants, key=lambda each: each.key)]
    text = f'{{"version": {FORMAT_VERSION}, "entries": [\n  ' + ",\n  ".join([*lines, *unread]) + "\n]"
    return text + (', "constants": [\n  ' + ",\n  ".join(devices) + "\n]" if devices else "") + "}\n"


def _line(entry: Entry) -> str:
    values = {each.name: getattr(entry, each.name) for each in fields(entry)}
    kept = {name: value for name, value in values.items() if value or name not in _OPTIONAL}  # most are of plain passes
    return json.dumps({**kept, "config": registry.family_of(entry.family).to_fields(entry.config)})


def _entry(content: Any) -> Entry:
    """An entry; ValueError says why there is none."""
    values = dict(content) if isinstance(content, dict) else {}
    config, family, length = values.pop("config", None), values.get("family"), values.get("length")
    if not isinstance(config, dict) or not isinstance(family, str) or type(length) is not int:
        raise ValueError(_UNKNOWN)
    owner = next((each for each in registry.tunable_families() if each.name == family), None)
    if owner is None:
        raise ValueError(f"this glfft has no kernels of {family}")
    try:
        entry = Entry(**values, config=owner.from_fields(config, length))
    except TypeError as error:
        raise ValueError(_UNKNOWN) from error
    simple = [each for each in fields(entry) if each.type in _SIMPLE_TYPES]
    typed = all(type(getattr(entry, each.name)) in _SIMPLE_TYPES[each.type] for each in simple)
    if not (typed and 0 < entry.microseconds < _LARGEST and 0 < entry.points < _LARGEST):
        raise ValueError("no kernel has such values")
    return entry
