"""`glfft export`: the passes of a plan as shaders, tables and a manifest."""

import argparse
from typing import Any

from glfft.algorithms.storage import STORAGES
from glfft.commands import arguments as common


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = common.adder(parser)
    size = "shape to transform: 1080x1920 (rows x columns) or 64x64x64 (a volume)"
    add("--size SHAPE", _one_shape, size, required=True)
    add("--real", None, "real pictures, and the halves of their spectra that tell the rest")
    add("--kind NAME", str, "dct1 to dct4 or dst1 to dst4, of real pictures (default: a Fourier transform)")
    add("--storage", tuple(STORAGES), "format of the textures or buffers", default="rg32f")
    add("--layers N", common.whole_number(least=1), "pictures transformed at once (default: one 2-D texture)")
    axes = "axes to transform, separated by commas; 1 is along rows (default: all)"
    add("--axes LIST", lambda text: [common.integer(word) for word in common.names(text)], axes)
    norm = "direction that is scaled by 1/points: backward, forward, or ortho: both, by its root"
    add("--norm NAME", str, norm, default="backward")
    add("--algorithm NAME", str, "algorithm", default="auto")
    portable = "GLSL ES 3.10 that needs no more than OpenGL ES 3.1 guarantees; for complex numbers add --storage buffer"
    add("--portable", None, portable)
    add("-o --output DIR", common.file_name, "folder to make", required=True)
    add("--overwrite", None, "replace what was exported to DIR")
    common.add_device(parser)


def run(arguments: argparse.Namespace) -> None:
    """Write the folder. Raises what `glfft.Plan` and its `export` raise."""
    from glfft import Plan
    from glfft.files import check_new_folder

    check_new_folder(arguments.output, arguments.overwrite)
    names = ("real", "kind", "storage", "layers", "axes", "norm", "algorithm")
    options: dict[str, Any] = {name: getattr(arguments, name) for name in names}
    with common.headless_context(arguments.device) as ctx, Plan(ctx, arguments.size, **options) as plan:
        folder = plan.export(arguments.output, portable=arguments.portable, overwrite=arguments.overwrite)
        print(f"{len(list(folder.iterdir()))} files written: {folder}")
    if not any(folder.glob("*.spv")):
        print("No SPIR-V was written, since glslangValidator is not installed; install glslang, and export again.")


def _one_shape(text: str) -> tuple[int, ...]:
    found = common.shapes(text)
    common.check(len(found) == 1, text, "has several shapes; give one, such as 1080x1920")
    return found[0]
