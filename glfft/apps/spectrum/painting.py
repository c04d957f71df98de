"""Picture files to pictures of their spectra: the steps of `glfft spectrum` in order."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import moderngl
import numpy as np

from glfft.apps.picture_files import save_picture
from glfft.apps.spectrum import colours, fitting, png, radial, source_pictures
from glfft.apps.spectrum.archive import Archive, save_archive
from glfft.apps.spectrum.display import Display, SpectrumMaker, choose_range, read_complex
from glfft.apps.spectrum.options import DATA_ENDING, SPECTRUM_ENDING, Treatment, View
from glfft.apps.spectrum.outputs import Paths, choose_targets, each_file
from glfft.errors import UsageError
from glfft.files import write_whole
from glfft.gl.context import open_context, state_of


def paint_files(sources: Paths, treatment: Treatment, view: View, output: str | None, save_data: str | None) -> int:
    """Write the picture of each file's spectrum to `output`, a picture file or a folder, by default beside its source;
    and spectrum and settings to `save_data`, if given. Prints a line for each; returns how many failed, which are named
    on standard error. Raises UsageError or OutputError where the outputs cannot take the results, MissingExtraError
    where the view needs matplotlib, ContextError where there is no OpenGL 4.3.
    """
    check_drawable(view)
    targets = choose_targets(sources, output, SPECTRUM_ENDING)
    data_targets = [] if save_data is None else choose_targets(sources, save_data, DATA_ENDING)
    if {target.resolve() for target in targets} & {target.resolve() for target in data_targets}:
        raise UsageError("-o and --save-data name the same file; name two.")
    if any(target.suffix.lower() != ".npz" for target in data_targets):
        raise UsageError(f"--save-data {save_data} must end in .npz.")
    ctx = open_context()
    largest_side = state_of(ctx).limits.texture_size
    with SpectrumMaker(ctx, treatment.algorithm) as maker, Display(ctx) as display:

        def work(index: int) -> str:
            source, written = sources[index], [targets[index]]
            archive = archive_input(source, treatment, largest_side)
            textures = maker.forward(archive.input)
            archive = replace(archive, spectrum=read_complex(textures))
            save_painting(targets[index], paint(display, textures, archive, view))
            if data_targets:
                written.append(data_targets[index])
                save_archive(written[-1], archive, {**asdict(view), "colormap": view.table_name})
            return f"{source}: {archive.description} -> {', '.join(map(str, written))}"

        return each_file("glfft spectrum", sources, work)


def check_drawable(view: View) -> None:
    """Raise MissingExtraError, before the work begins, where a view needs matplotlib and it is not installed."""
    if view.view == "radial":
        radial.load_style()
    else:
        colours.colour_table(view.table_name)


def archive_input(path: Path, treatment: Treatment, largest_side: int) -> Archive:
    """Read a picture and make it ready for its transform: an archive without a spectrum, no side over the largest."""
    channels, picture = source_pictures.read_picture(path, treatment.channel)
    fit = fitting.choose_fit(treatment.fit, (channels.shape[1], channels.shape[2]), largest_side)
    planes, notes = fit.apply(channels, treatment.window), list(picture.notes)
    if unknown := int(np.count_nonzero(~np.isfinite(channels))):
        notes.append(f"{unknown} pixels are not finite numbers" if unknown > 1 else "1 pixel is not a finite number")
    empty, asked = np.empty((0, *fit.fitted), np.complex64), (treatment.channel, treatment.window)
    return Archive(empty, planes, fit, *asked, picture.mode, picture.bit_depth, picture.white, path.name, notes)


def paint(display: Display, textures: Sequence[moderngl.Texture], archive: Archive, view: View) -> np.ndarray:
    """The picture of an archive's spectra, which `textures` hold too: uint8 [rows, columns, 3]."""
    if view.view == "radial":
        return radial.plot_radial_profile(archive.spectrum, view.scale, archive.title)
    limits = choose_range(archive.spectrum, view.scale)
    panels = [display.pixels(group, view, limits) for group in view.groups(textures)]
    gap = np.full((panels[0].shape[0], 8, 3), 255, np.uint8)
    return np.concatenate([part for panel in panels for part in (gap, panel)][1:], axis=1)


def save_painting(path: Path, pixels: np.ndarray) -> None:
    if path.suffix.lower() == ".png":
        write_whole(path, png.quick_file(pixels))
    else:
        save_picture(path, pixels)
