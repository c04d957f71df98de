"""The command `glfft spectrum`: its options, and which of them go together."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from glfft.apps.spectrum.options import (
    CHANNELS,
    COLORMAPS,
    FITS,
    PHASE_ORIGINS,
    SCALES,
    SPECTRUM_ENDING,
    VIEWS,
    WINDOWS,
    Treatment,
    View,
)
from glfft.commands.arguments import file_name, whole_number
from glfft.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `glfft spectrum`. None stands for those that are left out."""
    treatment = Treatment()
    parser.add_argument("images", nargs="*", metavar="IMAGE", help="picture files to transform")
    parser.add_argument(
        "-o",
        "--output",
        type=file_name,
        metavar="FILE|DIR",
        help=f"picture to write, or folder for one each (default: NAME{SPECTRUM_ENDING} beside each picture)",
    )
    work = parser.add_argument_group("what is transformed")
    work.add_argument(
        "--channel", choices=CHANNELS, help=f"channel, or rgb for three transforms (default: {treatment.channel})"
    )
    work.add_argument(
        "--fit",
        choices=FITS,
        help="exact: keep the picture's size; or go to powers of two: pad with zeros, crop to the middle, or resize "
        f"(default: {treatment.fit})",
    )
    work.add_argument(
        "--window", choices=WINDOWS, help=f"fade the picture out towards its edges (default: {treatment.window})"
    )
    work.add_argument(
        "--algorithm",
        metavar="NAME",
        help=f"algorithm of the transform; 'glfft info' lists them (default: {treatment.algorithm})",
    )
    _add_view(parser)
    data = parser.add_argument_group("data")
    data.add_argument(
        "--save-data",
        type=file_name,
        metavar="FILE.npz",
        help="also save spectrum, input and settings (name a folder if there are several pictures)",
    )
    data.add_argument(
        "--inverse", type=file_name, metavar="FILE.npz", help="turn saved data back into a picture, which -o names"
    )
    window = parser.add_argument_group("window")
    window.add_argument(
        "--show", action="store_true", default=None, help="open a window that shows picture and spectrum, live"
    )
    window.add_argument("--frames", type=whole_number(least=1), metavar="N", help="with --show: close after N frames")


def _add_view(parser: argparse.ArgumentParser) -> None:
    shown = parser.add_argument_group("what is shown")
    view = View()
    shown.add_argument(
        "--view", choices=VIEWS, help=f"complex: phase as hue, magnitude as lightness (default: {view.view})"
    )
    shown.add_argument("--scale", choices=SCALES, help=f"of magnitudes and powers (default: {view.scale})")
    shown.add_argument(
        "--colormap",
        choices=COLORMAPS,
        help="colours (default: ember; for phases hue); viridis and magma need matplotlib, as --view radial does",
    )
    shown.add_argument(
        "--shift",
        action=argparse.BooleanOptionalAction,
        help="zero frequency in the middle; --no-shift has it at the top left (default: --shift)",
    )
    shown.add_argument(
        "--phase-origin",
        choices=PHASE_ORIGINS,
        help=f"pixel that phases are counted from: the first, or the middle one (default: {view.phase_origin})",
    )


def run(arguments: argparse.Namespace) -> int:
    """Do what the command line asks; returns the exit code.

    Raises:
        GlfftError: nothing could be done. A bad picture among several is named on standard error instead, and skipped.
    """
    _check_usage(arguments)
    if arguments.inverse is not None:
        from glfft.apps.spectrum.inverse import restore_file

        print(restore_file(arguments.inverse, arguments.output))
        return 0
    sources = [Path(name) for name in arguments.images]
    treatment, view = Treatment(**_given(arguments, *_TREATMENT)), View(**_given(arguments, *_VIEW))
    if arguments.show:
        from glfft.apps.spectrum.show import show

        return show(sources, treatment, view, arguments.frames)
    from glfft.apps.spectrum.pictures import paint_files

    return 1 if paint_files(sources, treatment, view, arguments.output, arguments.save_data) else 0


_TREATMENT = ("channel", "fit", "window", "algorithm")
_VIEW = ("view", "scale", "colormap", "shift", "phase_origin")

# All that --inverse, which has its settings from the file, has no use for.
_FORWARD = (*_TREATMENT, *_VIEW, "save_data", "show", "frames")


def _given(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    return {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}


def _check_usage(arguments: argparse.Namespace) -> None:
    if arguments.inverse is not None:
        useless = [f"--{name.replace('_', '-')}" for name in _given(arguments, *_FORWARD)]
        useless = ["pictures"] * bool(arguments.images) + useless
        if useless:
            raise UsageError(f"--inverse needs only its file and -o; leave out {' and '.join(useless)}.")
        if arguments.output is None:
            raise UsageError("--inverse needs -o IMAGE, the picture to write.")
        _check_picture_name(arguments.output)
        return
    if not arguments.images:
        raise UsageError("Name at least one picture, or --inverse FILE.npz.")
    if arguments.frames and not arguments.show:
        raise UsageError("--frames counts the frames of a window; add --show.")
    if arguments.show and (arguments.output or arguments.save_data):
        raise UsageError("--show writes nothing by itself; leave out -o and --save-data, and press S in the window.")
    if arguments.view == "phase" and arguments.scale:
        raise UsageError("Phases have no --scale; leave it out.")
    if arguments.view in ("complex", "radial") and arguments.colormap:
        raise UsageError(f"--view {arguments.view} has its own colours; leave out --colormap.")
    view = arguments.view or View().view
    if arguments.phase_origin == "middle" and view not in ("phase", "complex") and not arguments.show:
        raise UsageError(f"--view {view} shows no phases; leave out --phase-origin.")
    if arguments.algorithm is not None:
        from glfft.algorithms.registry import check_algorithm

        check_algorithm(arguments.algorithm)
    if arguments.output is not None and len(arguments.images) == 1:
        _check_picture_name(arguments.output)


def _check_picture_name(name: str) -> None:
    if not (name.endswith(("/", "\\")) or os.path.isdir(name)):
        from glfft.apps.spectrum.outputs import check_picture_suffix

        check_picture_suffix(name)
