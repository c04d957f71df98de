"""Where results go: pictures written whole, under names that are told apart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# Whose last write ignored a full disk, or never came back from it, and one of each that did not.
KINDS = ("tif", "bmp", "jpg", "ppm", "pcx", "dds", "im", "jp2", "j2k", "png", "gif", "webp", "tga")

PROGRAM = """
import resource
import sys
from pathlib import Path
from PIL import Image
from glfft.errors import OutputError
from glfft.spectrum.outputs import save_picture

_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
noise = Image.effect_noise((256, 256), 90).convert("RGB")
for kind in sys.argv[1:]:
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    target = Path(f"s.{kind}")
    save_picture(target, Image.new("RGB", (8, 8)))
    before = target.read_bytes()
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
    try:
        save_picture(target, noise)
    except OutputError as error:
        print(error)
    assert target.read_bytes() == before, kind
"""


def test_a_full_disk_leaves_the_earlier_picture_whatever_its_kind(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *KINDS], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"Cannot write s.{kind}: file too large." for kind in KINDS]
    assert {path.name for path in tmp_path.iterdir()} == {f"s.{kind}" for kind in KINDS}
