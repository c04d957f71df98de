"""The constants of a device, found from the times of a few passes."""

import moderngl
import pytest
from support.tuning import MORE, lines_of

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.family import Config
from glfft.algorithms.stockham import modelled
from glfft.gl.context import is_software, state_of
from glfft.gl.device import Device
from glfft.tuning.device_constants import Prediction, fitted, measured

START = DeviceConstants()
Probe = tuple[AxisRequest, Config]


def predictions() -> list[Prediction]:
    device = Device(MORE, "NVIDIA H200/PCIe/SSE2")
    return [predict for _, _, predict in registry.probes(device)]


def test_the_constants_of_another_device_are_found_from_the_times_of_its_passes() -> None:
    changes = {"launch_us": 3.0, "gigabytes_per_second": 0.4, "instruction": 1.5, "texel": 0.7, "shared_access": 2.0}
    other = START.scaled(changes)
    times = [(predict, predict(other)) for predict in predictions()]
    assert len(times) > 12
    found = fitted(times, START)
    before = max(abs(predict(START) / took - 1) for predict, took in times)
    after = max(abs(predict(found) / took - 1) for predict, took in times)
    assert before > 0.5
    assert after < 0.05
    assert found.launch_us == pytest.approx(other.launch_us, rel=0.05)
    assert found.gigabytes_per_second == pytest.approx(other.gigabytes_per_second, rel=0.05)
    # What its maker says is not measured.
    assert (found.units, found.megahertz) == (START.units, START.megahertz)


def test_times_that_are_as_predicted_change_nothing() -> None:
    times = [(predict, predict(START)) for predict in predictions()]
    assert fitted(times, START) == START


def test_a_cpu_has_no_such_constants(ctx: moderngl.Context) -> None:
    if is_software(ctx):
        assert measured(ctx, START) is None


def test_passes_are_timed_and_the_constants_are_those_of_the_device(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = state_of(ctx).device
    family = registry.families_for(lines_of(16))[0]
    requests = [lines_of(length, lines=8) for length in (8, 16)]
    probes: list[Probe] = [(request, family.default(request)) for request in requests]
    monkeypatch.setattr(modelled, "probes", lambda given: probes)
    found = measured(ctx, START)
    assert found is not None
    assert found.key == (device.renderer, device.driver)
    assert found.origin == "measured on this device"
    assert found.constants != START
