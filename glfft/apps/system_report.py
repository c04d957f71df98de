"""What a bug report needs: versions, the device, and whether each algorithm is right on it."""

import math
import platform
from importlib import metadata

import moderngl

import glfft
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.registry import algorithm_names, longest_line
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import EXPECTED_DB, self_check
from glfft.engine.explain import aligned
from glfft.errors import GlfftError
from glfft.gl.context import is_software, state_of
from glfft.wisdom import store

_PACKAGES = "moderngl glcontext numpy glfw pillow tqdm platformdirs filelock imgui-bundle av matplotlib OpenEXR scipy"


def versions() -> str:
    """Versions of glfft, Python, the operating system and the packages glfft uses, and which are not installed."""
    found, absent = list[str](), list[str]()
    for package in _PACKAGES.split():
        try:
            found.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            absent.append(package)
    rows = [("packages", ", ".join(found)), *([("not installed", ", ".join(absent))] if absent else [])]
    about = f"glfft {glfft.__version__}, Python {platform.python_version()}, {platform.platform()}"
    return "\n".join([about, *aligned(rows)])


def device(ctx: moderngl.Context) -> str:
    """Renderer, vendor, OpenGL version and limits of a context, and where its tuned kernels are kept."""
    limits, place = state_of(ctx).limits, store.path()
    sizes = " x ".join(map(str, limits.group_size))
    double = "float64" if limits.float64 else "no float64"
    rows = [
        ("renderer", ctx.info["GL_RENDERER"] + " (software: runs on the CPU)" * is_software(ctx)),
        ("vendor", ctx.info["GL_VENDOR"]),
        ("OpenGL", ctx.info["GL_VERSION"]),
        ("limits", f"textures {limits.texture_size} texels, shared memory {limits.shared_memory} bytes,"),
        ("", f"work groups of {limits.invocations} invocations, {sizes} at most,"),
        ("", f"{limits.image_units} image units, {limits.texture_units} texture units, {double} in shaders"),
        ("wisdom", f"{place}, {len(store.entries())} tuned kernels" if place else f"not saved ({store.why_nowhere()})"),
    ]
    return "\n".join(aligned(rows))


def self_checks(ctx: moderngl.Context) -> tuple[str, list[str]]:
    """A table of each algorithm's longest line and its self-check in dB, or the error; and the names of wrong ones."""
    lines = AxisRequest((1, 2), 1, -1, 1.0, False, None, STORAGES["rg32f"], state_of(ctx).device)
    rows, wrong = [("algorithm", "longest line", "self-check against float64 numpy")], list[str]()
    for name in algorithm_names():
        try:
            decibels, failed = self_check(ctx, name), ""
        except GlfftError as error:
            decibels, failed = -math.inf, " ".join(str(error).split())
        right = decibels >= EXPECTED_DB
        wrong += [] if right else [name]
        verdict = failed or f"{decibels:.1f} dB  {'ok' if right else f'WRONG, {EXPECTED_DB:.0f} dB expected'}"
        longest = longest_line(name, lines)
        rows.append((name, str(longest) if longest > 1 else "both axes", verdict))
    return "\n".join(["", *aligned(rows)]), wrong


def study() -> str:
    """Which algorithm to use, and those for study, each with what it is."""
    said = "Use auto. These are for study, as papers describe them; glfft bench --algorithms NAME times one."
    return "\n".join(["", said, *aligned([*algorithm_names(study=True).items()])])
