"""Makes the pictures of gallery.md, each by the command that stands below it there.

`python docs/make_gallery.py` writes them anew beside this file, in a few minutes without a graphics card; with names,
only those.
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from pathlib import Path

from PIL import Image

from glfft.commands.cli import main

_FOLDER = Path(__file__).parent
_PICTURE = re.compile(r"!\[[^\]]*\]\((gallery-[a-z-]+\.jpg)\)\s+```sh\s+glfft ([^`]+)```")


def make(wanted: list[str]) -> None:
    """Write the pictures of those names, or all."""
    text = (_FOLDER / "gallery.md").read_text(encoding="utf-8")
    for name, command in _PICTURE.findall(text):
        if wanted and name not in wanted:
            continue
        with tempfile.TemporaryDirectory() as temporary:
            picture = Path(temporary) / "picture.png"
            options = shlex.split(command.replace("\\\n", " "))
            options[options.index("sea.png")] = str(picture)
            if main([*options, "--resolution", "800x450", "--supersample", "2"]) != 0:
                sys.exit(1)
            Image.open(picture).save(_FOLDER / name, quality=78, optimize=True, progressive=True)


if __name__ == "__main__":
    make(sys.argv[1:])
