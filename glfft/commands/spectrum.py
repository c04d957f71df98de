"""The command `glfft spectrum`: its options, its messages, and what happens when one picture of many is bad."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from tqdm import tqdm

from glfft.commands.arguments import whole_number
from glfft.errors import GlfftError, UsageError
from glfft.gl.context import open_context
from glfft.spectrum.archive import load_archive, save_archive
from glfft.spectrum.colours import COLORMAPS
from glfft.spectrum.display import PHASE_ORIGINS, SCALES, VIEWS, View
from glfft.spectrum.fitting import FITS
from glfft.spectrum.images import CHANNELS
from glfft.spectrum.inverse import picture_from_planes, restore_planes
from glfft.spectrum.outputs import check_picture_suffix, choose_targets, save_picture
from glfft.spectrum.pictures import SPECTRUM_ENDING, SpectrumPainter, Treatment, archive_input, describe
from glfft.spectrum.windows import WINDOWS

_DATA_ENDING = "-spectrum.npz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `glfft spectrum`."""
    parser.add_argument("images", nargs="*", metavar="IMAGE", help="pictures to transform, of any kind Pillow reads")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE|DIR",
        help=f"picture to write, or folder for one each (default: NAME{SPECTRUM_ENDING} beside each picture)",
    )
    work = parser.add_argument_group("what is transformed")
    work.add_argument("--channel", choices=CHANNELS, default="luminance", help="channel, or rgb for three transforms")
    work.add_argument(
        "--fit",
        choices=FITS,
        default="pad",
        help="how to get to powers of two: pad with zeros, crop to the middle, or resize",
    )
    work.add_argument("--window", choices=WINDOWS, default="none", help="fade the picture out towards its edges")
    shown = parser.add_argument_group("what is shown")
    shown.add_argument(
        "--view", choices=VIEWS, default="magnitude", help="complex: phase as hue, magnitude as lightness"
    )
    shown.add_argument("--scale", choices=SCALES, help="of magnitudes and powers (default: log)")
    shown.add_argument("--colormap", choices=COLORMAPS, help="colours (default: ember; for phases hue)")
    shown.add_argument(
        "--shift",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="the zero frequency in the middle; --no-shift has it at the top left (default: --shift)",
    )
    shown.add_argument(
        "--phase-origin",
        choices=PHASE_ORIGINS,
        default="corner",
        help="pixel that phases are counted from: the first one, or that in the middle of the picture",
    )
    data = parser.add_argument_group("data")
    data.add_argument(
        "--save-data",
        metavar="FILE.npz",
        help="also save spectrum, input and settings (a folder where there are several pictures)",
    )
    data.add_argument("--inverse", metavar="FILE.npz", help="turn saved data back into a picture: -o names it")
    window = parser.add_argument_group("window")
    window.add_argument("--show", action="store_true", help="open a window: picture and spectrum, live")
    window.add_argument("--frames", type=whole_number(least=1), metavar="N", help="with --show: close after N frames")


def run(arguments: argparse.Namespace) -> int:
    """Do what the command line asks; returns the exit code.

    Raises:
        GlfftError: nothing could be done. A bad picture among several is named on stderr instead, and skipped.
    """
    _check_usage(arguments)
    if arguments.inverse is not None:
        return _restore(arguments)
    treatment = Treatment(arguments.channel, arguments.fit, arguments.window)
    view = View(arguments.view, arguments.scale or "log", arguments.colormap, arguments.shift, arguments.phase_origin)
    sources = [Path(name) for name in arguments.images]
    if arguments.show:
        # Only here: the rest of the command needs no window library.
        from glfft.spectrum.show import show

        return show(sources, treatment, view, arguments.frames)
    return _paint_all(sources, treatment, view, arguments)


def _check_usage(arguments: argparse.Namespace) -> None:
    if arguments.inverse is not None:
        if arguments.images or arguments.show or arguments.save_data:
            raise UsageError("--inverse takes its own file and -o; leave out pictures, --show and --save-data.")
        if not arguments.output:
            raise UsageError("--inverse needs -o IMAGE, the picture to write.")
        check_picture_suffix(arguments.output)
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
    if arguments.phase_origin == "middle" and arguments.view not in ("phase", "complex") and not arguments.show:
        raise UsageError(f"--view {arguments.view} shows no phases; leave out --phase-origin.")
    if arguments.output is not None and not arguments.output:
        raise UsageError("-o is empty; name a file or a folder.")
    if arguments.output and len(arguments.images) == 1 and _names_a_file(arguments.output):
        check_picture_suffix(arguments.output)


def _names_a_file(name: str) -> bool:
    return not (name.endswith(("/", "\\")) or Path(name).is_dir())


def _paint_all(sources: Sequence[Path], treatment: Treatment, view: View, arguments: argparse.Namespace) -> int:
    targets = choose_targets(sources, arguments.output, SPECTRUM_ENDING)
    data_targets: Sequence[Path | None] = [None] * len(sources)
    if arguments.save_data:
        data_targets = choose_targets(sources, arguments.save_data, _DATA_ENDING)
        if {target.resolve() for target in targets} & {target.resolve() for target in data_targets}:
            raise UsageError("-o and --save-data name the same file; name two.")
        if any(target.suffix.lower() != ".npz" for target in data_targets):
            raise UsageError(f"--save-data {arguments.save_data} must end in .npz.")
    painter = SpectrumPainter(open_context())
    failures = 0
    try:
        for source, target, data_target in _with_progress(list(zip(sources, targets, data_targets, strict=True))):
            try:
                line = _paint(painter, source, target, data_target, treatment, view)
            except (GlfftError, MemoryError) as error:
                failures += 1
                skipped = " Skipped." if len(sources) > 1 else ""
                _say(f"glfft spectrum: {source}: {error or 'There is not enough memory.'}{skipped}", sys.stderr)
            else:
                _say(line, sys.stdout)
    finally:
        painter.release()
    if failures and len(sources) > 1:
        _say(f"glfft spectrum: {failures} of {len(sources)} pictures failed.", sys.stderr)
    return 1 if failures else 0


def _paint(
    painter: SpectrumPainter, source: Path, target: Path, data_target: Path | None, treatment: Treatment, view: View
) -> str:
    archive, notes = archive_input(source, treatment, painter.largest_side)
    spectra = painter.transform(archive.input)
    done = describe(archive, notes)
    picture = painter.paint(spectra, view, f"{source.name}: {done}", archive.fit.middle)
    save_picture(target, picture)
    if data_target is None:
        return f"{source}: {done} -> {target}"
    settings = {**asdict(view), "colormap": view.table_name}
    save_archive(data_target, replace(archive, spectrum=spectra), settings)
    return f"{source}: {done} -> {target}, {data_target}"


def _restore(arguments: argparse.Namespace) -> int:
    target = choose_targets([Path(arguments.inverse)], arguments.output, ".png")[0]
    archive = load_archive(arguments.inverse)
    planes = restore_planes(open_context(), archive)
    picture, notes = picture_from_planes(planes, archive, target)
    save_picture(target, picture)
    rows, columns = archive.fit.original
    if archive.window != "none":
        notes.append(f"the {archive.window} window is still in it")
    if not archive.fit.reversible:
        notes.append("black where the crop left nothing" if archive.fit.kind == "crop" else "detail lost in resizing")
    print(", ".join([f"{arguments.inverse}: {columns}x{rows}", archive.channel, *notes]), "->", target)
    return 0


def _with_progress(jobs: list[tuple[Path, Path, Path | None]]) -> Iterator[tuple[Path, Path, Path | None]]:
    # One picture takes no time worth a bar.
    yield from tqdm(jobs, unit="picture", file=sys.stderr, disable=len(jobs) < 2)


def _say(line: str, file) -> None:
    # Through tqdm, which lifts its bar out of the way.
    tqdm.write(line, file=file)
