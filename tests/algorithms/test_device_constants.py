"""The constants of devices as data."""

from dataclasses import asdict, replace
from typing import Any

import pytest

from glfft.algorithms.device_constants import MEASURED, DeviceConstants


def test_some_constants_are_scaled_and_the_others_stay() -> None:
    device = DeviceConstants()
    scaled = device.scaled({"launch_us": 2.0, "texel": 0.5})
    assert scaled == replace(device, launch_us=2 * device.launch_us, texel=device.texel / 2)


def test_what_json_has_is_read_again_and_what_is_left_out_is_the_default() -> None:
    device = DeviceConstants().scaled(dict.fromkeys(MEASURED, 1.5))
    assert DeviceConstants.from_fields(asdict(device)) == device
    assert DeviceConstants.from_fields({"units": 7}) == replace(DeviceConstants(), units=7)


@pytest.mark.parametrize(
    "values", [{"units": 0}, {"texel": -1.0}, {"texel": float("inf")}, {"texel": "1"}, {"units": True}, {"colour": 1}]
)
def test_what_no_device_has_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no device has such constants"):
        DeviceConstants.from_fields(values)
