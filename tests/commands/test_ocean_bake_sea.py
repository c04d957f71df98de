"""Options that describe a sea, and the settings they give."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from support.files import left_behind

from glfft.commands.arguments import Parser
from glfft.commands.cli import main
from glfft.commands.ocean_bake import add_sea, settings_of
from glfft.sea.presets import preset
from glfft.sea.settings import OceanSettings, Swell
from glfft.sea.settings_file import read_settings


def settings_from(*words):
    parser = Parser(prog="glfft")
    add_sea(parser)
    return settings_of(parser.parse_args(words))


def test_options_are_in_units_that_users_say():
    assert settings_from() == OceanSettings()
    found = settings_from("--wind-direction", "30", "--fetch", "50", "--swell", "2,12,90", "--tile", "900,170")
    swell = Swell(2.0, 12.0, math.radians(90.0))
    assert found == OceanSettings(
        wind_direction=math.radians(30.0), fetch=50e3, swells=(swell,), tile=900.0, cascades=(170.0,)
    )


def test_settings_are_saved_and_taken_up_and_options_change_them(folder, capsys):
    assert main(["ocean", "--preset", "storm", "--wind", "10", "--size", "64", "--save-settings", "sea.toml"]) == 0
    saved = read_settings("sea.toml")
    assert saved == replace(preset("storm"), wind=10.0, size=64)
    turned = ["--preset", "storm", "--wind-direction", "90", "--save-settings", "sea.toml"]
    assert main(["ocean", *turned]) == 0
    assert math.degrees(read_settings("sea.toml").swells[0].direction) > 124.9
    assert main(["ocean", "--preset", "storm", "--wind", "10", "--size", "64", "--save-settings", "sea.toml"]) == 0
    assert left_behind(folder) == ["sea.toml"]
    again = ["--settings", "sea.toml", "--fetch", "30", "--tile", "900", "--save-settings", "again.toml"]
    assert main(["ocean", *again]) == 0
    assert read_settings("again.toml") == replace(saved, fetch=30e3, tile=900.0, cascades=1)
    capsys.readouterr()
    Path("sea.toml").write_text("wnd = 3", encoding="utf-8")
    assert main(["ocean", "--settings", "sea.toml", "--headless"]) == 1
    assert "did you mean wind?" in capsys.readouterr().err
