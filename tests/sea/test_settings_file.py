"""Settings of a sea in TOML files: the same again after reading, and refusals that name the setting."""

from __future__ import annotations

import math
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.sentences import assert_one_sentence

from glfft.errors import DataError, OutputError
from glfft.sea.measured import MeasuredSpectrum
from glfft.sea.presets import PRESETS, preset
from glfft.sea.settings import OceanSettings, Swell
from glfft.sea.settings_file import read_settings, write_settings

MEASURED = MeasuredSpectrum(tuple(np.array([0.05, 0.1, 0.3])), (0.1, 2.0, 0.05), (0.1, 0.2, 0.3), r1=(0.9, 0.8, 0.7))
SEAS = [
    OceanSettings(),
    OceanSettings(size=128, cascades=(47.1, 8.3), band=(0.1, math.inf), loop=20.0, foam_threshold=0.7, seed=2**63 - 1),
    OceanSettings(cascades=3, depth=12.5, swells=(Swell(2.0, 12.0), Swell(0.1, 18.0, -1.0, gamma=9.0)), wind=1 / 3),
    OceanSettings(measured=MEASURED, swells=(Swell(1.0, 9.0),)),
    *(preset(name) for name in ("storm", "lagoon")),
]


@pytest.mark.parametrize("settings", SEAS, ids=range(len(SEAS)))
def test_what_is_written_is_read_again(tmp_path: Path, settings: OceanSettings):
    path = tmp_path / "sea.toml"
    write_settings(path, settings)
    assert read_settings(path) == settings
    assert tomllib.loads(path.read_text(encoding="utf-8"))["wind"] == settings.wind
    assert "wind = " in path.read_text(encoding="utf-8")


def test_what_a_file_does_not_name_has_its_default(tmp_path: Path):
    path = tmp_path / "sea.toml"
    path.write_text("wind = 7  # a whole number will do\ncascades = 2\n", encoding="utf-8")
    assert read_settings(path) == OceanSettings(wind=7.0, cascades=2)
    path.write_text("", encoding="utf-8")
    assert read_settings(path) == OceanSettings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("wnd = 7", "there is no setting wnd; did you mean wind?"),
        ("xyzzy = 7", "there is no setting xyzzy."),
        ("wind = -3", "The wind speed is -3 and must be a number from 0.01 to 150 m/s."),
        ("wind = nan", "wind is nan and must be a number."),
        ("wind = '7'", "wind is '7' and must be a number."),
        ("wind = true", "wind is True and must be a number."),
        ("size = 64.0", "size is 64.0 and must be a whole number."),
        ("size = 63", "The ocean's size is 63"),
        # Too large for a float.
        (f"size = 1{400 * '0'}", "The ocean's size is 1000"),
        (f"wind = 1{400 * '0'}", "The wind speed is 1000"),
        (f"band = [0, 1{400 * '0'}]", "The band is (0.0, nan)"),
        (f"[measured]\nfrequency = [1{400 * '0'}]\ndensity = [1]", "and finite numbers"),
        ("spectrum = 3", "spectrum is 3 and must be a name in quotes."),
        ("spectrum = 'flat'", "spectrum is 'flat' and must be one of jonswap, pierson-moskowitz"),
        ("cascades = 9", "The cascades are 9"),
        ("tile = 100\ncascades = [50]", "Tiles of 100 m and 50 m repeat together"),
        ("swells = 3", "swells must be tables"),
        ("[[swells]]\nheight = 1", "swells needs the settings period."),
        ("[[swells]]\nheight = 1\nperiod = 0", "The period of a swell is 0"),
        (
            "[[swells]]\nheight = 1\nperiod = 9\ndirecton = 2",
            "there is no setting swells.directon; did you mean swells.direction?",
        ),
        ("measured = 3", "measured must be a table"),
        ("[measured]\nfrequency = 1\ndensity = [1]", "measured.frequency must be a list of numbers"),
        ("[measured]\nfrequency = [0.1]\ndensity = [1]", "needs at least two frequencies"),
        ("[measured]\ndensity = [1]", "measured needs the settings frequency."),
        ("wind = ", "is no TOML: "),
    ],
)
def test_what_is_refused_names_file_and_setting(tmp_path: Path, text: str, said: str):
    path = tmp_path / "sea.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as refused:
        read_settings(path)
    assert said in str(refused.value)
    assert str(path) in str(refused.value)
    assert_one_sentence(str(refused.value).replace(str(path), "The file").replace("The file: ", "The file "))


def test_a_file_that_cannot_be_read_or_written_is_told(tmp_path: Path):
    with pytest.raises(DataError, match="No such file"):
        read_settings(tmp_path / "none.toml")
    binary = tmp_path / "picture.toml"
    binary.write_bytes(b"\xff\xd8\xff")
    with pytest.raises(DataError, match="no text"):
        read_settings(binary)
    with pytest.raises(OutputError):
        write_settings(tmp_path / "no" / "folder.toml", OceanSettings())


def test_every_preset_can_be_shared(tmp_path: Path):
    for name in PRESETS:
        write_settings(tmp_path / f"{name}.toml", replace(preset(name), seed=3))
        assert read_settings(tmp_path / f"{name}.toml") == replace(preset(name), seed=3)
