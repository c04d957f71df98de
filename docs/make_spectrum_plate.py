"""Makes spectrum.jpg, the plate of spectrum.md: one picture and four views of its spectrum.

`python docs/make_spectrum_plate.py` writes it anew beside this file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

import glfft
from glfft.spectrum.fitting import choose_fit
from glfft.spectrum.options import Treatment, View
from glfft.spectrum.pictures import SpectrumPainter, archive_input
from glfft.spectrum.radial import plot_radial_profile

_PANEL = 384
_GAP, _CAPTION = 16, 30
_PLOT_SIZE = (540, 540)  # its text can still be read at the size of a panel
_FOLDER = Path(__file__).parent
sys.path.insert(0, str(_FOLDER.parent / "assets"))

from make_dunes import make_dunes  # noqa: E402


def make_plate(folder: Path) -> Image.Image:
    """The plate; the example picture is written into `folder` on the way."""
    source = folder / "dunes.png"
    make_dunes().save(source)
    painter = SpectrumPainter(glfft.open_context())
    archive, _ = archive_input(source, Treatment("luminance", "crop", "hann"), painter.largest_side)
    spectra = painter.transform(archive.input)
    with Image.open(source) as picture:
        fit = choose_fit("crop", (picture.height, picture.width), painter.largest_side)
        top, left = fit.offset
        rows, columns = fit.fitted
        cut = picture.crop((left, top, left + columns, top + rows))
    panels = {"picture": cut}
    for caption, view in {
        "magnitude": View(),
        "power, linear": View("power", "linear", "lagoon"),
        "complex, from the middle": View("complex", phase_origin="middle"),
        "phase, from the middle": View("phase", phase_origin="middle"),
    }.items():
        panels[caption] = painter.paint(spectra, view, "", fit.middle)
    plot = plot_radial_profile(spectra, "log", "", _PLOT_SIZE)
    painter.release()
    width, height = 3 * _PANEL + 4 * _GAP, 2 * (_PANEL + _CAPTION) + 3 * _GAP
    return _laid_out(Image.new("RGB", (width, height), "white"), panels, plot)


def _laid_out(plate: Image.Image, panels: dict[str, Image.Image], plot: Image.Image) -> Image.Image:
    pen = ImageDraw.Draw(plate)
    for index, (caption, panel) in enumerate(panels.items()):
        square = _middle_square(panel)
        x = _GAP + (index % 3) * (_PANEL + _GAP)
        y = _GAP + (index // 3) * (square.height + _CAPTION + _GAP)
        plate.paste(square, (x + (_PANEL - square.width) // 2, y))
        pen.text((x + _PANEL // 2, y + square.height + 15), caption, "#222222", ImageFont.load_default(17), "mm")
    x, y = _GAP + 2 * (_PANEL + _GAP), _GAP + _PANEL + _CAPTION + _GAP
    small = plot.resize((_PANEL, round(plot.height * _PANEL / plot.width)), Image.Resampling.LANCZOS)
    plate.paste(small, (x, y + (_PANEL - small.height) // 2))
    pen.text((x + _PANEL // 2, y + _PANEL + 15), "radial profile", "#222222", ImageFont.load_default(17), "mm")
    return plate


def _middle_square(panel: Image.Image) -> Image.Image:
    side = min(panel.size)
    left, top = (panel.width - side) // 2, (panel.height - side) // 2
    square = panel.crop((left, top, left + side, top + side))
    # Half as large again: bins stay told apart, where a smooth filter would mix their colours.
    return square.resize((_PANEL, _PANEL), Image.Resampling.BOX)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as temporary:
        make_plate(Path(temporary)).save(_FOLDER / "spectrum.jpg", quality=85, subsampling=0)
