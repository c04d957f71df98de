"""The constants of devices as data and as JSON, beside the entries of wisdom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from glfft.algorithms.device_constants import DeviceConstants
from glfft.gl.device import Device, family_of


@dataclass(frozen=True)
class KnownConstants:
    """The constants of a device, or of many."""

    renderer: str  # the device's name; with no driver, a part of it that speaks for many devices, compared without case
    constants: DeviceConstants
    driver: str = ""  # the driver and its version, or "" for any
    origin: str = "measured"  # how they were come by, in words

    @property
    def key(self) -> tuple[str, str]:
        """Whose they are."""
        return self.renderer, self.driver

    @property
    def for_others(self) -> KnownConstants:
        """Those that are shipped: for all devices of a family, whatever their driver."""
        family = family_of(self.renderer)
        return replace(self, renderer=family, driver="", origin=f"measured on {family}")

    def speaks_of(self, device: Device) -> bool:
        """Whether they are that device's."""
        if self.driver:
            return (self.renderer, self.driver) == (device.renderer, device.driver)
        return self.renderer.lower() in device.renderer.lower()

    def to_fields(self) -> dict[str, Any]:
        """Names and values that JSON has."""
        return asdict(self)

    @classmethod
    def from_fields(cls, content: object) -> KnownConstants:
        """Those that JSON has. Raises ValueError where it has none."""
        values: dict[str, Any] = dict(content) if isinstance(content, Mapping) else {}
        constants = values.pop("constants", None)
        if not isinstance(constants, Mapping) or not all(isinstance(each, str) for each in values.values()):
            raise ValueError("no device has such constants")
        try:
            return cls(constants=DeviceConstants.from_fields(constants), **values)
        except TypeError as error:
            raise ValueError("no device has such constants") from error
