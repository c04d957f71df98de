"""Draws all pictures of the gallery and all presets into a folder, and compares two such folders of two devices.

`python docs/compare_pictures.py draw FOLDER` draws them on this device; with names, only those.
`python docs/compare_pictures.py compare FOLDER OTHER` prints how far apart they are, and writes sheets with both, side
by side into FOLDER/sheets.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from glfft.commands.cli import main
from glfft.sea.presets import PRESETS

_GALLERY = Path(__file__).parent / "gallery.md"
_COMMAND = re.compile(r"!\[[^\]]*\]\((gallery-[a-z-]+)\.jpg\)\s+```sh\s+glfft ([^`]+)```")
_FAR = 30  # levels of 255
_GAP = 8  # pixels


def commands() -> dict[str, list[str]]:
    """The arguments of `glfft` that draw each picture, by its name."""
    found = {
        name: shlex.split(text.replace("\\\n", " ")) for name, text in _COMMAND.findall(_GALLERY.read_text("utf-8"))
    }
    presets = {name: ["ocean", "--preset", name, "--time", "7", "-o", "sea.png"] for name in PRESETS}
    return {**found, **presets}


def draw(folder: Path, names: list[str], size: str, quality: str) -> None:
    """Draw the pictures of those names, or all."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, options in commands().items():
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory() as temporary:
            picture = Path(temporary) / "sea.png"
            options[options.index("sea.png")] = str(picture)
            if main([*options, "--headless", "--resolution", size, "--quality", quality]) != 0:
                sys.exit(1)
            Image.open(picture).convert("RGB").save(folder / f"{name}.jpg", quality=95)


def compare(folder: Path, other: Path) -> None:
    """Print a table of all pictures that both folders have, and write the sheets."""
    sheets = folder / "sheets"
    sheets.mkdir(exist_ok=True)
    print(f"{'picture':24} mean difference  within {_FAR}   brighter by")
    for path in sorted(folder.glob("*.jpg")):
        if not (other / path.name).exists():
            continue
        pair = [Image.open(each / path.name).convert("RGB") for each in (folder, other)]
        ours, theirs = (np.asarray(each, dtype=np.float64) for each in pair)
        apart = np.abs(ours - theirs)
        within = (apart.max(axis=-1) <= _FAR).mean()
        print(f"{path.stem:24} {apart.mean():15.2f} {within:10.2%} {ours.mean() / theirs.mean() - 1:12.2%}")
        width, height = pair[0].size
        sheet = Image.new("RGB", (2 * width + _GAP, height), "white")
        for index, picture in enumerate(pair):
            sheet.paste(picture, (index * (width + _GAP), 0))
        sheet.save(sheets / path.name, quality=95)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["draw", "compare"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("more", nargs="*", help="names of pictures, or the other folder")
    parser.add_argument("--size", default="960x540")
    parser.add_argument("--quality", default="high")
    arguments = parser.parse_args()
    if arguments.what == "draw":
        draw(arguments.folder, arguments.more, arguments.size, arguments.quality)
    else:
        compare(arguments.folder, Path(arguments.more[0]))
