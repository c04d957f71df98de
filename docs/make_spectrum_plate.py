"""Makes spectrum.jpg, the plate of spectrum.md: one picture and five views of its spectrum.

`python docs/make_spectrum_plate.py` writes it anew beside this file.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import glfft
from glfft.apps.spectrum.display import Display, SpectrumMaker, read_complex
from glfft.apps.spectrum.options import Treatment, View
from glfft.apps.spectrum.painting import archive_input, paint
from glfft.apps.spectrum.radial import plot_radial_profile

# A pixel of the plate for each bin: a smooth filter would mix the colours of bins side by side.
_PANEL = (400, 267)
_GAP, _CAPTION = 16, 30
_PLOT_SIZE = (600, 400)  # its text can still be read at the size of a panel
_FOLDER = Path(__file__).parent
sys.path.insert(0, str(_FOLDER.parent / "assets"))

from make_dunes import make_dunes  # noqa: E402


def make_plate(folder: Path) -> Image.Image:
    """The plate; the example picture is written into `folder` on the way."""
    source = folder / "dunes.png"
    picture = make_dunes().resize(_PANEL, Image.Resampling.LANCZOS)
    picture.save(source)
    ctx = glfft.open_context()
    maker, display = SpectrumMaker(ctx), Display(ctx)
    archive = archive_input(source, Treatment(window="hann"), max(_PANEL))
    textures = maker.forward(archive.input)
    archive = replace(archive, spectrum=read_complex(textures))
    panels = {"picture": picture}
    for caption, view in {
        "magnitude": View(),
        "power, linear": View("power", "linear", "viridis"),
    }.items():
        panels[caption] = Image.fromarray(paint(display, textures, archive, view))
    # Phases measured from the middle pixel, which shows their structure.
    rolled = np.roll(archive.input, [-(side // 2) for side in archive.fit.fitted], axis=(1, 2))
    textures = maker.forward(rolled)
    for name in ("complex", "phase"):
        panels[f"{name}, from the middle"] = Image.fromarray(paint(display, textures, archive, View(name)))
    plot = plot_radial_profile(archive.spectrum, "log", "", _PLOT_SIZE)
    panels["radial profile"] = Image.fromarray(plot).resize(_PANEL, Image.Resampling.LANCZOS)
    display.release()
    maker.release()
    return _laid_out(panels)


def _laid_out(panels: dict[str, Image.Image]) -> Image.Image:
    width, height = _PANEL
    plate = Image.new("RGB", (3 * width + 4 * _GAP, 2 * (height + _CAPTION) + 3 * _GAP), "white")
    pen = ImageDraw.Draw(plate)
    for index, (caption, panel) in enumerate(panels.items()):
        x = _GAP + (index % 3) * (width + _GAP)
        y = _GAP + (index // 3) * (height + _CAPTION + _GAP)
        plate.paste(panel, (x, y))
        pen.text((x + width // 2, y + height + 15), caption, "#222222", ImageFont.load_default(17), "mm")
    return plate


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as temporary:
        make_plate(Path(temporary)).save(_FOLDER / "spectrum.jpg", quality=85, subsampling=0)
