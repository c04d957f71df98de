"""What every algorithm offers: tuning, wisdom, explaining and the benchmark know no more of one than this."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import fields
from typing import Any, ClassVar, Generic, TypeVar

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.passes import PassSpec

Config = Hashable
"""One of the kernels of a family, as a frozen dataclass of its own; None for a family that has only one."""
_Config = TypeVar("_Config", bound=Config)


class Family(Generic[_Config]):
    """An algorithm by name, and the kernels it leaves a choice of. One with several kernels is tunable: it gives some
    to measure, and says what to try next around a good one. One with a single kernel overrides `supports` and `passes`.
    """

    name: str  # what users call it
    summary: str  # one line
    tunable = False  # it has several kernels
    fallback = False  # `auto` takes it only where no other tunable family can do a request
    study: bool = False  # it is there to be compared, as a paper describes it: `auto` never takes it
    config_type: ClassVar[type[Any]]  # the class of its kernels, where it has several

    def supports(self, request: AxisRequest) -> str | None:
        """None if it can do a request on the request's device, else what that would take, after "it would need"."""
        return None

    def convolves(self, request: AxisRequest) -> bool:
        """Whether one pass can transform, multiply and transform back."""
        return False

    def fuses(self, request: AxisRequest) -> bool:
        """Whether its passes can make the cosine or sine transform that a request has for a kind, in one dispatch."""
        return False

    def halves(self, request: AxisRequest) -> bool:
        """Whether one pass does real lines that a request has halved, each as a complex one of half as many points."""
        return False

    def lets_pairs_go_alone(self, request: AxisRequest) -> bool:
        """Whether real lines that could go two as a complex one each take one, a whole one or half of one."""
        return False

    def parts(self, request: AxisRequest) -> list[AxisRequest]:
        """The requests that a kernel is chosen for one by one, each with its family as the algorithm."""
        return [request]

    def passes(self, request: AxisRequest, config: _Config) -> list[PassSpec]:
        """The dispatches of one of `parts`, with one of its kernels."""
        raise NotImplementedError

    def default(self, request: AxisRequest) -> _Config:
        """The kernel to take where nothing was measured."""
        return None  # pyright: ignore[reportReturnType]

    def predicted_fastest(
        self, request: AxisRequest, device: DeviceConstants, measured: Iterable[_Config] = ()
    ) -> tuple[_Config, float] | None:
        """The kernel of least predicted time, with µs a pass; None without a model. `measured` ones win when close."""
        return None

    def quick(self, request: AxisRequest) -> _Config:
        """The kernel to take for as long as a faster one is being compiled."""
        return self.default(request)

    def fits(self, config: _Config, request: AxisRequest) -> bool:
        """Whether a kernel, measured elsewhere perhaps, can do one of `parts` on its device."""
        return True

    def for_real_lines(self, config: _Config, request: AxisRequest) -> _Config:
        """The kernel for real lines that have none measured, by one measured on complex lines."""
        return config

    def candidates(self, request: AxisRequest, most: int) -> list[_Config]:
        """The kernels worth measuring, the most promising first."""
        return []

    def neighbours(self, config: _Config, request: AxisRequest) -> list[_Config]:
        """The kernels that differ from a good one in a single option, and are worth measuring too."""
        return []

    def is_worth_it(self, config: _Config, request: AxisRequest) -> bool:
        """Whether a kernel that was fast elsewhere fits the device, and is worth its compile time here."""
        return self.fits(config, request)

    def describe(self, config: _Config) -> str:
        """A kernel in a few words, for tables."""
        return ""

    def to_fields(self, config: _Config) -> dict[str, Any]:
        """A kernel as wisdom keeps it: names and values that JSON has, those that are not the defaults."""
        named = fields(config)  # pyright: ignore[reportArgumentType]
        return {each.name: value for each in named if (value := getattr(config, each.name)) != each.default}

    def from_fields(self, fields: Mapping[str, Any], length: int) -> _Config:
        """The kernel that wisdom has kept. Raises ValueError with the reason where lines of that length have none."""
        try:
            return self.config_type(**fields)
        except TypeError as error:
            raise ValueError("fields are missing, or unknown to this glfft") from error
