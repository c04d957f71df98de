"""What a bug report needs: versions, the device, and whether each algorithm is right on it; as data and as text."""

import dataclasses
import math
import platform
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from typing import Any

import moderngl

import glfft
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.registry import AUTO, algorithm_names, longest_line
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import EXPECTED_DB, EXPECTED_DOUBLE_DB, self_check
from glfft.errors import GlfftError
from glfft.gl.context import is_software, state_of
from glfft.wisdom import store

_PACKAGES = (
    *("moderngl", "glcontext", "numpy", "glfw", "pillow", "tqdm", "platformdirs", "filelock"),
    *("imgui-bundle", "av", "matplotlib", "scipy"),
)


def versions() -> dict[str, str | None]:
    """Versions of glfft, Python, the operating system and the packages glfft uses; None for one not installed."""
    found: dict[str, str | None] = dict.fromkeys(("glfft", "python", "system", *_PACKAGES))
    found |= {"glfft": glfft.__version__, "python": platform.python_version(), "system": platform.platform()}
    for package in _PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            found[package] = metadata.version(package)
    return found


def describe_device(ctx: moderngl.Context) -> dict[str, Any]:
    """Renderer, vendor, OpenGL version and limits of a context, and where its tuned kernels are kept."""
    place = store.path()
    kept = f"{place}, {len(store.entries())} tuned kernels" if place else f"not saved ({store.why_nowhere()})"
    return {
        "renderer": ctx.info["GL_RENDERER"],
        "vendor": ctx.info["GL_VENDOR"],
        "opengl": ctx.info["GL_VERSION"],
        "software": is_software(ctx),
        "limits": dataclasses.asdict(state_of(ctx).limits),
        "wisdom": kept,
    }


def check_algorithms(ctx: moderngl.Context) -> dict[str, dict[str, Any]]:
    """For each algorithm the longest line that fits, the self-check in dB, and the error if it could not run."""
    lines = AxisRequest((1, 2), 1, -1, 1.0, False, None, STORAGES["rg32f"], state_of(ctx).device)
    return {
        name: {
            "max_length": longest if (longest := longest_line(name, lines)) > 1 else None,  # it needs both axes
            **_checked(lambda name=name: self_check(ctx, name), EXPECTED_DB),
        }
        for name in algorithm_names()
    }


def check_double(ctx: moderngl.Context) -> dict[str, Any] | None:
    """The self-check in double precision, in dB, and the error if it could not run; None if the device has none."""
    if not state_of(ctx).limits.float64:
        return None
    return _checked(lambda: self_check(ctx, AUTO, precision="double"), EXPECTED_DOUBLE_DB)


def _checked(check: Callable[[], float], expected: float) -> dict[str, Any]:
    error, decibels = None, -math.inf
    try:
        decibels = check()
    except GlfftError as failure:
        error = " ".join(str(failure).split())
    rounded = round(decibels, 1) if math.isfinite(decibels) else None  # JSON has no infinity
    return {"snr_db": rounded, "passed": decibels >= expected, "error": error}


def versions_text(found: dict[str, str | None]) -> str:
    packages = [f"{name} {version}" for name, version in found.items() if version and name in _PACKAGES]
    absent = [name for name, version in found.items() if not version]
    rows = {"packages": ", ".join(packages)} | ({"not installed": ", ".join(absent)} if absent else {})
    return f"glfft {found['glfft']}, Python {found['python']}, {found['system']}\n{_rows(rows)}"


def device_text(report: dict[str, Any]) -> str:
    limits = report["limits"]
    sizes = " x ".join(str(size) for size in limits["group_size"])
    kind = " (software: runs on the CPU)" if report["software"] else ""
    rows = {
        "renderer": f"{report['renderer']}{kind}",
        "vendor": report["vendor"],
        "OpenGL": report["opengl"],
        "limits": f"textures {limits['texture_size']} texels, shared memory {limits['shared_memory']} bytes,",
        "": f"work groups of {limits['invocations']} invocations, {sizes} at most,",
        " ": f"{limits['image_units']} image units, {limits['texture_units']} texture units",
        "wisdom": report["wisdom"],
    }
    return _rows(rows)


def algorithms_text(report: dict[str, dict[str, Any]]) -> str:
    width = max(map(len, report))
    lines = {name: at["max_length"] or "both axes" for name, at in report.items()}
    rows = (f"{name:{width}}  {lines[name]:>12}  {_verdict(at, EXPECTED_DB)}" for name, at in report.items())
    return "\n".join(["", f"{'algorithm':{width}}  longest line  self-check against float64 numpy", *rows])


def double_text(found: dict[str, Any] | None) -> str:
    if found is None:
        return "\ndouble precision: none, as this device has no float64 in its shaders"
    return f"\ndouble precision: {_verdict(found, EXPECTED_DOUBLE_DB).lstrip()}"


def _verdict(found: dict[str, Any], expected: float) -> str:
    decibels = "not run" if found["snr_db"] is None else f"{found['snr_db']:.1f} dB"
    return f"{decibels:>8}  {'ok' if found['passed'] else found['error'] or f'WRONG, {expected:.0f} dB expected'}"


def study_text(summaries: dict[str, str]) -> str:
    """Which algorithm to use, and those for study, each with what it is."""
    width = max(map(len, summaries))
    lines = ["", "Use auto. These are for study, as papers describe them; glfft bench --algorithms NAME times one."]
    return "\n".join([*lines, *(f"{name:{width}}  {summary}" for name, summary in summaries.items())])


def _rows(texts: dict[str, str]) -> str:
    return "\n".join(f"{label:14}{text}" for label, text in texts.items())
