"""`glfft bloom`: options to a look, and the look to a window or to files."""

import argparse
import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from glfft.commands import arguments as common
from glfft.errors import UsageError
from glfft.files import check_writable

# Those of `glfft.apps.bloom` and `glfft.apps.glare`.
_LEAST_SIDE, _MOST_SIDE, _LEAST_KERNEL, _MOST_KERNEL = 16, 8192, 15, 2047
_RESOLUTION, _SMALL = (1280, 720), (512, 288)
_FRAMES, _FRAMES_PER_SECOND = 72, 24.0


def add_arguments(parser: common.Parser) -> None:
    picture = "picture of linear light (.exr, .hdr) or of 8 or 16 bits; without one, the ocean at a low sun"
    parser.add_argument("image", nargs="?", metavar="IMAGE", type=common.file_name, help=picture)
    add = common.adder(parser, "lens")
    lenses = "camera: 6 blades, f-number 45, 250 dust, 4 scratches; eye: round, 22, 700 dust, 18 eyelashes, 200 fibres"
    add("--lens", ("camera", "eye"), f"where the options below start ({lenses})", default="camera")
    add("--blades N", common.whole_number(0, 24), "edges of the aperture, 3 to 24; 0 for a round one")
    add("--rotation DEGREES", common.between(-360, 360, "degrees", math.pi / 180), "of the blades")
    add("--f-number N", common.between(1, 128), "f-number; twice the number makes the glare twice as large")
    add("--dust N", common.whole_number(0, 5000), "grains of dust, for a halo of fine coloured streaks")
    add("--eyelashes N", common.whole_number(0, 200), "eyelashes, for broad streaks", dest="lashes")
    add("--scratches N", common.whole_number(0, 500), "scratches, a long streak each")
    add("--fibres N", common.whole_number(0, 600), "radial fibres at the edge, for a coloured ring")
    add("--seed N", common.whole_number(0), "other dust, eyelashes and scratches")
    add = common.adder(parser, "picture")
    add("--strength TIMES", common.between(0, 1000), "times the light that diffraction spreads", default=1.0)
    side = "pixels along a side of the kernel, an odd number (default: the picture's height, 1023 at most)"
    add("--kernel PIXELS", common.whole_number(_LEAST_KERNEL, _MOST_KERNEL), side)
    add("--exposure STOPS", common.between(-20, 20, "stops"), "brighter by so many stops", default=0.0)
    add("--compare", ("mipmaps",), "put beside it: as much light spread by a chain of mipmaps, as engines do")
    resolution = "pixels of the ocean (default: {}x{}; {}x{} in a window without a GPU)"
    add("--resolution WxH", common.resolution(_LEAST_SIDE, _MOST_SIDE), resolution.format(*_RESOLUTION, *_SMALL))
    add = common.adder(parser, "output")
    add("--ocean", None, "take the light of the ocean at a low sun, as without a picture")
    add("--time T", common.between(0, 2**20, "seconds"), "time of the ocean's first picture, s", default=0.0)
    name = "file to write: .png, .jpg, .tif, or .exr for linear light; of the ocean also .mp4 or a folder"
    add("-o --output FILE", common.file_name, f"{name} (default without a display: IMAGE-bloom.png, or bloom.png)")
    add("--headless", None, "open no window")
    add("--overwrite", None, "replace numbered pictures in a folder once all new ones are written (default: stop)")
    frames = f"number of pictures (default: {_FRAMES} for a film; in a window, no limit)"
    add("--frames N", common.whole_number(least=1), frames)
    common.add_trace(add)
    rate = f"pictures per second of a film (default: {_FRAMES_PER_SECOND:g})"
    add("--fps F", common.between(0.1, 1000, "pictures per second"), rate)


def run(arguments: argparse.Namespace) -> int:
    # Several pictures: a film, or a folder.
    is_film = arguments.output is not None and Path(arguments.output).suffix.lower() in ("", ".mp4")
    _check(arguments, is_film)
    from glfft.apps.bloom.bloom import Look, load
    from glfft.apps.glare.lens import LENSES, Lens

    lens = replace(LENSES[arguments.lens], **common.given(arguments, Lens))
    look = Look(**{**common.given(arguments, Look), "lens": lens})
    # First: a picture that cannot be read needs no window, and no word of one.
    loaded = load(arguments.image) if arguments.image else None
    windowed = not (arguments.output or arguments.headless) and common.display_or_say_so("glfft bloom", "a file")
    if arguments.trace:
        check_writable(arguments.trace)
    if windowed:
        from glfft.apps.bloom.window import show

        if look.compare or arguments.overwrite or arguments.fps is not None:
            raise UsageError("--compare, --overwrite and --fps are for files; in the window press A, or add --output.")
        size = (loaded[0].shape[1], loaded[0].shape[0]) if loaded else arguments.resolution or _RESOLUTION
        show(partial(_light, arguments, loaded, in_window=True), size, look, arguments.frames, arguments.trace)
        return 0
    return _write_film(arguments, look) if is_film else _write_picture(arguments, look, loaded)


def _light(arguments: argparse.Namespace, loaded: Any, ctx: Any, in_window: bool = False) -> Any:
    """The source of light: the picture that was loaded, or where that is None the ocean."""
    from glfft.apps.bloom.sources import Ocean, Still
    from glfft.gl.context import is_software

    if loaded is not None:
        return Still(ctx, *loaded)
    by_default = _SMALL if in_window and is_software(ctx) else _RESOLUTION
    return Ocean(ctx, arguments.resolution or by_default, in_window=in_window)


def _write_picture(arguments: argparse.Namespace, look: Any, loaded: Any) -> int:
    from glfft.apps.bloom import bloom
    from glfft.profiling.profiler import traced

    image = Path(arguments.image or "")
    output = arguments.output or str(image.with_name(f"{image.stem}-bloom.png") if arguments.image else "bloom.png")
    if arguments.image and Path(output).resolve() == image.resolve():
        raise UsageError(f"{output} is the picture itself; name another file to write to.")
    bloom.check_output(output, look)
    if arguments.frames is not None or arguments.fps is not None or arguments.overwrite:
        raise UsageError("--frames, --fps and --overwrite are for films; name a .mp4 or a folder with --output.")
    with common.headless_context() as ctx, traced(ctx, arguments.trace) as profiler:
        with _light(arguments, loaded, ctx) as light:
            bloom.write(ctx, light, look, output, arguments.time, profiler)
        print(output)
    return 0


def _write_film(arguments: argparse.Namespace, look: Any) -> int:
    from glfft.apps.bloom import bloom
    from glfft.apps.ocean.export import open_writer
    from glfft.apps.ocean.render import write_pictures
    from glfft.profiling.profiler import traced

    rate, frames = arguments.fps or _FRAMES_PER_SECOND, arguments.frames or _FRAMES
    times = [arguments.time + frame / rate for frame in range(frames)]
    with common.headless_context() as ctx, traced(ctx, arguments.trace) as profiler:
        writer = open_writer(arguments.output, rate, arguments.overwrite)
        with _light(arguments, None, ctx) as light:
            made = write_pictures([writer], frames, lambda _: bloom.pictures(ctx, light, look, times, profiler))
        print(writer.path)
    return common.film_code("glfft bloom", made, frames, writer.outcome)


def _check(arguments: argparse.Namespace, is_film: bool) -> None:
    if arguments.image and arguments.ocean:
        raise UsageError("A picture and --ocean are two scenes; leave out one of them.")
    if arguments.image and arguments.resolution:
        raise UsageError("--resolution is for the ocean; leave it out, a picture keeps its own size.")
    if arguments.kernel is not None and arguments.kernel % 2 == 0:
        raise UsageError(f"--kernel {arguments.kernel} has no middle pixel; take {arguments.kernel + 1}.")
    if is_film and arguments.image:
        raise UsageError(f"{arguments.output} would be a film of what stands still; name a .png.")
    if arguments.time and arguments.image:
        raise UsageError("--time is for the ocean; leave it out, a picture stands still.")
