"""Options that commands share: values as they are read, and one sentence for those that make no sense."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from typing import Any

import pytest

from glfft.commands import cli
from glfft.commands.arguments import Parser, names, number, resolution, shapes, whole_number


def test_sizes_are_read_as_rows_by_columns() -> None:
    assert shapes("256,512x1024, 1x8,2x3x4") == [(256, 256), (512, 1024), (1, 8), (2, 3, 4)]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("ocean --wind-direction=--", "'--wind-direction=--' gives no value"),
        ("ocean -o--", "'-o--' gives no value"),
        ("ocean --fetch -5.7e7", "'-5.7e7' must be a number from"),
        ("ocean --fetch -inf", "'-inf' must be a number from"),
        ("info --device +-5", "'+-5' must be a whole number"),
        ("info --device 2147483648", "2147483647 is the most"),
        ("info --device " + "9" * 5000, "has too many digits"),
        ("bench --sizes " + "9" * 5000, "must be a size"),
        ("bench --sizes 2147483648x2", "2147483647 is the most"),
        ("'in\nfo'", "There is no command 'in fo'"),
        ("ocean --resolution 1280", "two numbers of pixels"),
        ("ocean --resolution " + "9" * 5000 + "x9", "two numbers of pixels"),
        ("tune --export=", "the name is empty"),
        ("tune --import good.json ''", "the name is empty"),
        ("tune --import -", "'-' does not stand for a stream"),
    ],
    ids=lambda text: text[:40],
)
def test_a_value_of_the_wrong_kind_is_one_sentence(
    line: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(shlex.split(line)) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert len(error.splitlines()) == 1
    assert len(error) < 300


def test_a_negative_number_in_exponent_form_is_a_value() -> None:
    parser = Parser(prog="glfft")
    parser.add_argument("--wind-direction", type=number)
    for text in ("-5.7e1", "-1E+2", "-.5", "-3", "-1_0"):
        assert parser.parse_args(["--wind-direction", text]).wind_direction == float(text)


def test_a_resolution_has_a_width_and_a_height() -> None:
    parse = resolution(16, 4096)
    assert parse("1280x720") == parse("1280X720") == (1280, 720)
    assert parse("16x4096") == (16, 4096)


def test_names_are_separated_by_commas() -> None:
    assert names("auto, stockham,,") == ["auto", "stockham"]


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (resolution(16, 4096), "1280"),
        (resolution(16, 4096), "15x16"),
        (resolution(16, 4096), "16x4097"),
        (shapes, "256x"),
        (shapes, "-4"),
        (names, ", ,"),
        (whole_number(least=1), "0"),
        (whole_number(least=1), "1.0"),
    ],
)
def test_values_out_of_range_are_refused_by_what_they_must_be(parse: Callable[[str], Any], text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"must (be|have)|list is empty"):
        parse(text)


def test_help_shows_the_default_of_each_option_that_has_one() -> None:
    parser = Parser(prog="glfft")
    parser.add_argument("--count", default=7, help="how many")
    parser.add_argument("--told", default=8, help="how much (default: half)")
    parser.add_argument("--flag", action="store_true", help="whether")
    shown = parser.format_help()
    assert "how many (default: 7)" in shown
    assert shown.count("default") == 2
