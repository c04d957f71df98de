"""`glfft ocean bake` as people use it: what is written, what is kept, and refusals in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.files import left_behind
from support.sentences import one_line_of_error

from glfft.commands.cli import main
from glfft.sea.settings import OceanSettings
from glfft.sea.settings_file import read_settings

BAKE = ["ocean", "bake", "--size", "16", "--tile", "60", "--formats", "npz"]


def test_missing_frames_are_written_and_counted(folder, capsys):
    options = [*BAKE, "--no-foam", "--frames", "0:10", "--output", "sea"]
    assert main([*options, "--shard", "2/2"]) == 0
    assert capsys.readouterr().out == "4 files written, 0 were there: sea\n"
    assert main(options) == 0
    assert capsys.readouterr().out == "6 files written, 4 were there: sea\n"
    next(Path("sea").glob("sea_*.npz")).unlink()
    assert main(options) == 0
    assert capsys.readouterr().out == "1 file written, 9 were there: sea\n"
    assert len(list(Path("sea").glob("sea_*.npz"))) == 10
    assert read_settings("sea/sea.toml") == OceanSettings(size=16, tile=60.0)


@pytest.mark.filterwarnings("ignore:The tile is")
def test_foam_comes_with_the_gpu(folder, capsys):
    assert main([*BAKE, "--frames", "0:1", "--wind", "5"]) == 0
    assert sorted(each.name for each in Path("out/bake").iterdir()) == ["sea.toml", "sea_00000.npz"]


@pytest.mark.parametrize(
    ("options", "speaks_of"),
    [
        (["--frames", "3"], "'3' must be two whole numbers with ':' between them, as in 1:10"),
        (["--frames", "3:3"], "3:3"),
        (["--frames", "0:2", "--shard", "3/2"], "3/2"),
        (["--frames", "0:2", "--formats", "png"], "The formats are png and must be among exr, npz, obj"),
        (["--frames", "0:2", "--fps", "0"], "over 0"),
        (["--frames", "0:2", "--dask", "tcp://x:1", "--shard", "1/2"], "give one of them"),
        (["--frames", "0:2", "--algorithm", "fast"], "fast"),
        (["--frames", "0:2", "--wind", "-1"], "wind"),
        ([], "--frames"),
    ],
)
def test_what_makes_no_sense_is_one_line(folder, capsys, options, speaks_of):
    assert main([*BAKE, *options]) == 2
    assert speaks_of in one_line_of_error(capsys)
    assert left_behind(folder) == []


def test_another_sea_is_refused(folder, capsys):
    assert main([*BAKE, "--no-foam", "--frames", "0:1", "--output", "sea"]) == 0
    capsys.readouterr()
    assert main([*BAKE, "--no-foam", "--frames", "0:1", "--output", "sea", "--seed", "4"]) == 1
    assert "bake into another folder" in capsys.readouterr().err
