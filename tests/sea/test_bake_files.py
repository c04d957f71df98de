"""Files of baked seas: their arrays, channels and metadata, and a mesh that closes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from glfft.errors import OutputError
from glfft.sea import bake
from glfft.sea.bake import Array, Bake, BakedTile, write_tile_exr
from glfft.sea.settings import OceanSettings

pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

NAMES = ("height", "dx", "dz", "slope_x", "slope_z")
SEA = OceanSettings(size=16, tile=60.0, wind=14.0, choppiness=1.2)


def job(folder: Path, settings: OceanSettings = SEA, formats: tuple[str, ...] = ("npz",)) -> Bake:
    return Bake(settings, str(folder), 0, 1, formats=formats, foam=False)


def test_several_tiles_have_a_file_each_and_the_mesh_closes(tmp_path: Path):
    several = replace(SEA, size=48, cascades=2)
    wanted = job(tmp_path, several, ("npz", "obj"))
    assert bake.run(wanted) == 4
    found = sorted(each.name for each in tmp_path.glob("sea_*"))
    assert found == [
        "sea_t0_00000.npz",
        "sea_t0_00000.obj",
        "sea_t1_00000.npz",
        "sea_t1_00000.obj",
    ]
    lines = (tmp_path / "sea_t0_00000.obj").read_text(encoding="utf-8").splitlines()
    points = np.array([line.split()[1:] for line in lines if line.startswith("v ")], dtype=float).reshape(49, 49, 3)
    faces = np.array(
        [[each.split("/")[0] for each in line.split()[1:]] for line in lines if line.startswith("f ")], int
    )
    assert points[:, -1] - points[:, 0] == pytest.approx(np.broadcast_to((60.0, 0, 0), (49, 3)), abs=2e-5)
    assert points[-1] - points[0] == pytest.approx(np.broadcast_to((0, 0, 60.0), (49, 3)), abs=2e-5)
    corners = points.reshape(-1, 3)[faces - 1]
    up = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 1]
    assert (faces.min(), faces.max(), len(faces)) == (1, 49**2, 48**2)
    assert (up > 0).mean() > 0.99
    with np.load(tmp_path / "sea_t1_00000.npz") as file:
        assert "foam" not in file
        assert file["bandFrom"] > 0
        assert points[:48, :48, 1].std() > file["displacement"][..., 1].std()


def test_exr_files_have_channels_and_tile_metadata(tmp_path: Path):
    exr = pytest.importorskip("OpenEXR")
    wanted = job(tmp_path, formats=("exr", "npz"))
    assert bake.run(wanted) == 2
    with (
        exr.File(str(tmp_path / "sea_00000.exr"), separate_channels=True) as file,
        np.load(tmp_path / "sea_00000.npz") as exact,
    ):
        channels, header = file.channels(), file.header()
        assert set(channels) == {"displacement.X", "displacement.Y", "displacement.Z", "slope.X", "slope.Z"}
        for index, axis in enumerate("XYZ"):
            assert np.array_equal(channels[f"displacement.{axis}"].pixels, exact["displacement"][..., index])
        assert header["glfft:tile"] == 60.0
        assert header["glfft:seed"] == "1"


def test_the_first_channels_of_an_exr_file_are_the_displacement(tmp_path: Path):
    """Renderers that know four channels take the first ones: names without a layer, then the others by name."""
    exr = pytest.importorskip("OpenEXR")
    numbers = np.random.default_rng(4).random((16, 16))
    fields: dict[str, Array] = dict.fromkeys(NAMES, numbers)
    write_tile_exr(tmp_path / "sea.exr", BakedTile(SEA, 0.0, 24.0, fields, numbers))
    with exr.File(str(tmp_path / "sea.exr"), separate_channels=True) as file:
        names = list(file.channels())
    ordered = sorted(names, key=lambda name: ("." in name, name))
    assert ordered[:4] == ["displacement.X", "displacement.Y", "displacement.Z", "foam.V"]
    assert ordered[4:] == ["slope.X", "slope.Z"]


def test_why_an_exr_file_cannot_be_written_is_told_of_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Full:
        ZIP_COMPRESSION, scanlineimage = 3, 0

        def __init__(self, *_: object) -> None: ...

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None: ...

        def write(self, name: str) -> None:
            Path(name).write_bytes(b"begun")
            raise RuntimeError(f'Failed to write pixel data to image file "{name}". File too large.')

    Full.File = Full  # pyright: ignore[reportAttributeAccessIssue]
    monkeypatch.setattr("glfft.sea.bake.load_exr", lambda: Full)
    fields: dict[str, Array] = {name: np.zeros((16, 16)) for name in NAMES}
    with pytest.raises(OutputError) as told:
        write_tile_exr(tmp_path / "sea.exr", BakedTile(SEA, 0.0, 24.0, fields, None))
    assert str(told.value) == f"Cannot write {tmp_path / 'sea.exr'}: file too large."
    assert list(tmp_path.iterdir()) == []
