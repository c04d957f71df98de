"""The benchmark's arithmetic and its JSON."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import moderngl
import numpy as np
import pytest

from glfft import cli
from glfft.accuracy import random_complex, snr_db
from glfft.algorithms.registry import by_name
from glfft.arguments import shapes
from glfft.bench.command import benchmark
from glfft.bench.peers import Textbook, open_peers
from glfft.bench.report import Report, Result
from glfft.errors import MissingExtraError, OptionError
from glfft.gl import state_of
from glfft.plan import Plan
from glfft.reference import REFERENCES
from glfft.storage import STORAGES
from glfft.timing import Timing

TWICE_AS_SLOW = Timing(20.0, (19.0, 22.0), 5, "wall")
RESULT = Result("stockham-radix4", (4, 8), Timing(10.0, (9.0, 11.0), 5, "wall"), 1024, 137.0, {"scipy": TWICE_AS_SLOW})


def test_rates_and_ratio_follow_their_definitions() -> None:
    assert RESULT.gflops == pytest.approx(5 * 32 * 5 / 10e-6 / 1e9)
    assert RESULT.gbytes_per_s == pytest.approx(1024 / 10e-6 / 1e9)
    assert RESULT.ratio("scipy") == 2.0


def test_the_table_shows_what_was_measured_and_what_was_not() -> None:
    text = Report("a device", {"peers": {"scipy": "scipy.fft 1.17"}}, [RESULT], ["too long."]).to_text()
    for shown in ("a device", "scipy.fft 1.17", "4x8", "stockham-radix4", "9.00 to 11.0", "137.0", "2.00", "too long."):
        assert shown in text


def test_sizes_are_read_as_rows_by_columns() -> None:
    assert shapes("256,512x1024, 1x8") == [(256, 256), (512, 1024), (1, 8)]


def test_json_has_the_documented_shape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "bench.json"
    arguments = "bench --sizes 16,32x64 --algorithms stockham-radix4,cooley-tukey --against scipy --samples 5 --json"
    assert cli.main([*arguments.split(), str(target)]) == 0
    output = capsys.readouterr()
    assert "stockham-radix4" in output.out
    assert "4/4" in output.err or "measurement" in output.err  # the progress bar
    report = json.loads(target.read_text(), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert isinstance(report["device"], str)
    ran = [(result["algorithm"], result["shape"]) for result in report["results"]]
    assert ran == [(name, size) for size in ([16, 16], [32, 64]) for name in ("stockham-radix4", "cooley-tukey")]
    for result in report["results"]:
        rows, columns = result["shape"]
        points = rows * columns
        seconds = result["microseconds"] * 1e-6
        assert result["batch"] == 1
        assert seconds > 0
        assert result["quartiles"][0] <= result["microseconds"] <= result["quartiles"][1]
        assert result["timer"] in ("gpu timestamps", "wall (software renderer)")
        assert result["gflops"] == pytest.approx(5 * points * math.log2(points) / seconds / 1e9)
        # Two passes, each reading and writing every texel of 8 bytes.
        assert result["gbytes_per_s"] == pytest.approx(2 * 2 * 8 * points / seconds / 1e9)
        assert result["snr_db"] >= 130
        scipy = result["peers"]["scipy"]
        assert scipy["ratio"] == pytest.approx(scipy["microseconds"] / result["microseconds"])


def test_json_on_standard_output_is_nothing_but_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--sizes", "1", "--algorithms", "auto", "--samples", "5", "--json", "-"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    # A transform of one point copies it: there is no error to express in dB.
    assert result["snr_db"] is None
    assert result["gflops"] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("--sizes 100", 2, "power of two"),
        ("--sizes 0", 2, "at least 1"),
        ("--sizes 1048576", 1, "device's textures"),
        ("--algorithms stokham-radix4", 2, "did you mean 'stockham-radix4'?"),
        ("--against scipi", 2, "did you mean 'scipy'?"),
        ("--json /no/such/folder/x.json", 1, "no folder"),
        ("--device 4096", 1, "4096"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(
    arguments: str, code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bench", *arguments.split()]) == code
    error = capsys.readouterr().err
    assert sentence in error
    assert "Traceback" not in error


def test_a_library_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(MissingExtraError, match="pip install cupy"):
        open_peers(["cufft"])
    with pytest.raises(OptionError, match="choose from scipy, cufft"):
        open_peers(["xyz"])


def test_a_size_that_one_algorithm_cannot_do_is_skipped_and_said(ctx: moderngl.Context) -> None:
    too_long = 2 * by_name("stockham-radix2").max_length(state_of(ctx).limits, STORAGES["rg32f"])
    report = benchmark(ctx, [(1, too_long), (4, 4)], ["stockham-radix2", "auto"], [], samples=5)
    done = [(result.algorithm, result.shape) for result in report.results]
    assert ("auto", (1, too_long)) in done
    assert ("stockham-radix2", (4, 4)) in done
    assert ("stockham-radix2", (1, too_long)) not in done
    assert [sentence for sentence in report.skipped if "stockham-radix2" in sentence and str(too_long) in sentence]


def test_the_error_column_sees_a_wrong_transform(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "forward", Plan.inverse)
    (result,) = benchmark(ctx, [(8, 8)], ["auto"], [], samples=5).results
    assert result.snr_db < 10


def test_snr_is_the_ratio_of_norms_in_db() -> None:
    exact = random_complex((8, 8)).astype(np.complex128)
    assert snr_db(exact * (1 + 1e-3), exact) == pytest.approx(60.0)
    assert snr_db(exact, exact) == math.inf
    assert snr_db(exact * np.nan, exact) == -math.inf


@pytest.mark.parametrize("name", REFERENCES)
def test_a_textbook_peer_does_the_transform_it_is_timed_for(name: str) -> None:
    data = random_complex((8, 16))
    assert snr_db(Textbook(name).transform(data), np.fft.fft2(data.astype(np.complex128))) > 250
    (peer,) = open_peers([name])
    assert peer.time(data, 3).microseconds > 0
