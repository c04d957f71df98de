"""The command `glfft spectrum`: its options, and which of them go together."""

import argparse
import os
from pathlib import Path

from glfft.apps.spectrum import options
from glfft.apps.spectrum.options import SPECTRUM_ENDING, Treatment, View
from glfft.commands.arguments import add_trace, adder, file_name, given, whole_number
from glfft.errors import UsageError
from glfft.files import check_writable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    treatment, view = Treatment(), View()
    parser.add_argument("images", nargs="*", type=file_name, metavar="IMAGE", help="picture files to transform")
    add = adder(parser)
    output = f"picture to write, or folder for several (default: NAME{SPECTRUM_ENDING} beside each picture)"
    add("-o --output FILE|DIR", file_name, output)
    add = adder(parser, "what is transformed")
    add("--channel", options.CHANNELS, f"channel, or rgb for three transforms (default: {treatment.channel})")
    fit = "exact keeps the size; the others make powers of two: pad with zeros, crop to the middle, or resize"
    add("--fit", options.FITS, f"{fit} (default: {treatment.fit})")
    taper = "taper that fades the picture out towards its edges"
    add("--window", options.WINDOWS, f"{taper} (default: {treatment.window})")
    algorithm = "algorithm of the transform; 'glfft info' lists them"
    add("--algorithm NAME", str, f"{algorithm} (default: {treatment.algorithm})")
    add = adder(parser, "what is shown")
    add("--view", options.VIEWS, f"complex shows phase as hue and magnitude as lightness (default: {view.view})")
    add("--scale", options.SCALES, f"scale of magnitudes and powers (default: {view.scale})")
    colours = "colours (default: ember, hue for phases); viridis, magma and --view radial need matplotlib"
    add("--colormap", options.COLORMAPS, colours)
    shift = "put zero frequency in the middle; --no-shift puts it at the top left (default: --shift)"
    add("--shift", None, shift, action=argparse.BooleanOptionalAction)
    add = adder(parser, "data")
    saved = "also save spectrum, input and settings (a folder if there are several pictures)"
    add("--save-data FILE.npz", file_name, saved)
    add("--inverse FILE.npz", file_name, "turn saved data back into the picture that -o names")
    add("--edited PICTURE", file_name, "with --inverse: the picture of the spectrum, painted on in any program")
    add = adder(parser, "window")
    add("--show", None, "open a window that shows picture and spectrum, live", default=None)
    add("--mask FILE", file_name, "with --show: begin with a mask, .png or .npz, of the spectrum's size")
    add("--frames N", whole_number(least=1), "with --show: close after N frames")
    add_trace(add)


def run(arguments: argparse.Namespace) -> int:
    _check_usage(arguments)
    if arguments.inverse is not None:
        from glfft.apps.spectrum.archive import restore_file

        print(restore_file(arguments.inverse, arguments.output, arguments.edited))
        return 0
    sources = [Path(name) for name in arguments.images]
    treatment, view = Treatment(**given(arguments, Treatment)), View(**given(arguments, View))
    if arguments.show:
        from glfft.apps.spectrum.live_view import open_viewer

        open_viewer(sources, treatment, view, arguments.frames, arguments.trace, arguments.mask)
        return 0
    from glfft.apps.spectrum.painting import paint_files

    return 1 if paint_files(sources, treatment, view, arguments.output, arguments.save_data) else 0


def _check_usage(arguments: argparse.Namespace) -> None:
    if arguments.inverse is not None:
        named = [*given(arguments, Treatment), *given(arguments, View)]
        forward = ("save_data", "show", "frames", "trace", "mask")
        named += [name for name in forward if getattr(arguments, name) is not None]
        useless = ["pictures"] * bool(arguments.images) + [f"--{name.replace('_', '-')}" for name in named]
        if useless:
            raise UsageError(f"--inverse needs only its file, -o and --edited; leave out {' and '.join(useless)}.")
        if arguments.output is None:
            raise UsageError("--inverse needs -o IMAGE, the picture to write.")
        _check_picture_name(arguments.output)
        return
    show, view, writes = arguments.show, arguments.view, arguments.output or arguments.save_data
    for is_wrong, sentence in (
        (arguments.edited is not None, "--edited is the painted picture of saved data; name those with --inverse."),
        (not arguments.images, "Name at least one picture, or --inverse FILE.npz."),
        (arguments.frames and not show, "--frames counts the frames of a window; add --show."),
        (arguments.trace and not show, "--trace is the timeline of a window's frames; add --show."),
        (arguments.mask and not show, "--mask begins a window's painting; add --show, or use glfft spectrum apply."),
        (show and writes, "--show writes nothing by itself; leave out -o and --save-data, and press S in the window."),
        (view == "phase" and arguments.scale, "Phases have no --scale; leave it out."),
        (view in ("complex", "radial") and arguments.colormap, f"--view {view} has its own colours, no --colormap."),
    ):
        if is_wrong:
            raise UsageError(sentence)
    if arguments.trace:
        check_writable(arguments.trace)
    if arguments.algorithm is not None:
        from glfft.algorithms.registry import check_algorithm

        check_algorithm(arguments.algorithm)
    if arguments.output is not None and len(arguments.images) == 1:
        _check_picture_name(arguments.output)


def _check_picture_name(name: str) -> None:
    if not (name.endswith(("/", "\\")) or os.path.isdir(name)):
        from glfft.apps.spectrum.outputs import check_picture_suffix

        check_picture_suffix(name)
