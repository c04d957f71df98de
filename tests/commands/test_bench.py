"""`glfft bench`: from the command line to tables, JSON and sentences."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.papers import report as papers_report

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench import frames, peers, random_suite
from glfft.apps.bench.benchmark import Measuring
from glfft.apps.bench.peers import Peers, open_peers
from glfft.apps.bench.suite import DEFAULT_SUITE, SUITES, Case, Suite
from glfft.apps.papers.claims import Grid
from glfft.apps.papers.measuring import Run
from glfft.apps.papers.report import Report
from glfft.commands import cli
from glfft.plan import Plan


@pytest.fixture(autouse=True)
def _short_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test asks how well something is timed."""
    monkeypatch.setattr(frames, "_SAMPLE_SECONDS", 1e-3)


def test_json_has_the_documented_shape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "bench.json"
    arguments = "bench --sizes 4,8x16 --algorithms stockham-radix4,cooley-tukey --against scipy --samples 5 --check"
    assert cli.main([*arguments.split(), "--json", str(target)]) == 0
    output = capsys.readouterr()
    assert "stockham-radix4" in output.out
    assert "8x16" in output.err  # the progress bar
    found = json.loads(target.read_text(), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert isinstance(found["device"], str)
    ran = [(result["algorithm"], result["shape"]) for result in found["results"]]
    assert ran == [(name, size) for size in ([4, 4], [8, 16]) for name in ("stockham-radix4", "cooley-tukey")]
    for result in found["results"]:
        rows, columns = result["shape"]
        points = rows * columns
        seconds = result["microseconds"] * 1e-6
        assert (result["batch"], result["axes"], result["storage"]) == (1, [0, 1], "rg32f")
        assert seconds > 0
        assert result["microseconds"] == min(result[way]["microseconds"] for way in ("out_of_place", "in_place"))
        assert result["quartiles"][0] <= result["microseconds"] <= result["quartiles"][1]
        assert result["timer"] in ("gpu timestamps", "wall (software renderer)")
        assert result["gflops"] == pytest.approx(5 * points * math.log2(points) / seconds / 1e9)
        # Two passes, each reading and writing every texel of 8 bytes.
        assert result["gbytes_per_s"] == pytest.approx(2 * 2 * 8 * points / seconds / 1e9)
        assert result["copy_share"] == pytest.approx(2 * result["copy_us"] / result["microseconds"])
        assert result["snr_db"] >= result["floor_db"] == 130
        assert result["setup_ms"]["first"] > 0
        assert result["setup_ms"]["cached"] > 0
        scipy = result["peers"]["scipy"]
        assert scipy["ratio"] == pytest.approx(scipy["microseconds"] / result["microseconds"])
        assert scipy["snr_db"] > 130


def results_of(folder: Path, *options: str) -> dict[str, Any]:
    """What a run with some options writes as JSON."""
    target = folder / "bench.json"
    assert cli.main(["bench", *options, "--samples", "5", "--json", str(target)]) == 0
    return json.loads(target.read_text())


@pytest.mark.parametrize(("ending", "code"), [(KeyboardInterrupt, 130), (SystemExit, 143)])
def test_a_run_that_is_ended_keeps_what_it_has_measured(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    ending: type[BaseException],
    code: int,
) -> None:
    measure = Measuring.measure

    def end_at_the_third(self: Measuring, case: Case, algorithms: Sequence[str]) -> None:
        if case.shape == (16, 16):
            raise ending(code)
        measure(self, case, algorithms)

    monkeypatch.setattr(Measuring, "measure", end_at_the_third)
    target = tmp_path / "bench.json"
    arguments = "bench --sizes 4,8,16,32 --algorithms auto --samples 5 --json"
    assert cli.main([*arguments.split(), str(target)]) == code
    found = json.loads(target.read_text())
    assert [result["shape"] for result in found["results"]] == [[4, 4], [8, 8]]
    assert found["skipped"] == ["The run was ended before 2 of 4 cases were measured."]
    assert "before 2 of 4 cases" in capsys.readouterr().out
    assert cli.main(["bench", "--sizes", "16", "--algorithms", "auto", "--json", str(tmp_path / "none.json")]) == code
    assert not (tmp_path / "none.json").exists()


def test_another_storage_is_compared_with_float32(tmp_path: Path) -> None:
    arguments = "--sizes 8 --batch 2 --storage rgba16f,rg32f --algorithms auto"
    half, single = results_of(tmp_path, *arguments.split())["results"]
    assert (half["batch"], half["storage"], set(half["peers"])) == (2, "rgba16f", {"rg32f"})
    assert half["snr_db"] >= half["floor_db"]
    assert half["snr_db"] < single["floor_db"] < half["peers"]["rg32f"]["snr_db"]
    assert single["peers"] == {}


def test_a_transform_of_one_point_copies_it(tmp_path: Path) -> None:
    (result,) = results_of(tmp_path, "--sizes", "1", "--algorithms", "auto")["results"]
    # There is no error to express in dB.
    assert result["snr_db"] is None
    assert result["gflops"] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("--sizes 0", 2, "at least 1"),
        ("--sizes 1048576", 1, "device's textures"),
        ("--sizes 4 --batch 1048576 --samples 5", 1, "layers"),
        ("--batch 0", 2, "1 or more"),
        ("--batch 3 --storage rgba32f", 2, "must be even"),
        ("--storage rg23f", 2, "did you mean 'rg32f'?"),
        ("--suite --sizes 4", 2, "leave out"),
        ("--suite random --sizes 4", 2, "leave out"),
        ("--suite --count 4", 2, "go with --suite random"),
        ("--sizes 4 --seed 4", 2, "go with --suite random"),
        ("--algorithms stokham-radix4", 2, "did you mean 'stockham-radix4'?"),
        ("--against scipi", 2, "did you mean 'scipy'?"),
        ("--json /no/such/folder/x.json", 1, "no folder"),
        ("--json=", 2, "empty"),
        ("--json -", 2, "does not stand for a stream"),
        ("--samples 4", 2, "5 or more"),
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


def test_a_wrong_transform_shows_and_fails_a_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Plan, "forward", Plan.inverse)
    arguments = ["bench", "--sizes", "8,1", "--algorithms", "auto", "--samples", "5"]
    assert cli.main(arguments) == 0
    assert "WRONG" in capsys.readouterr().out
    assert cli.main([*arguments, "--check"]) == 1
    output = capsys.readouterr()
    assert "auto at 8x8" in output.err
    assert "1x1" not in output.err.splitlines()[-1]


def test_the_suite_is_measured_by_auto(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With scipy in cuFFT's place and a suite of three small cases."""
    (library,) = open_peers(["scipy"]).libraries
    stand_in = replace(library, name="cufft")
    cases = (Case((8, 8)), Case((4, 8), 2), Case((8, 8), storage=STORAGES["rg16f"]))
    monkeypatch.setitem(SUITES, DEFAULT_SUITE, Suite(DEFAULT_SUITE, cases))
    monkeypatch.setattr(peers, "open_peers", lambda names: Peers([stand_in] if names else []))
    found = results_of(tmp_path, "--suite", "--against", "cufft")
    ran = [(result["algorithm"], result["case"], list(result["peers"])) for result in found["results"]]
    assert ran == [
        ("auto", "8x8", ["cufft"]),
        ("auto", "4x8 x 2", ["cufft"]),
        ("auto", "8x8 rg16f", ["cufft", "rg32f"]),
    ]


def test_the_random_suite_is_drawn_and_summed_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(random_suite, "SOFTWARE_POINTS", 1_000)
    monkeypatch.setattr(random_suite, "MOST_POINTS", 1_000)
    monkeypatch.setattr(random_suite, "REFERENCE_POINTS", 500)
    monkeypatch.setattr(random_suite, "_SOURCES", ("smooth",))  # which compile quickly
    command = "--suite random --count 4 --seed 2 --against scipy,numpy-round-trip"
    found = results_of(tmp_path, *command.split())
    assert found["setup"]["suite"] == "random, 4 cases of seed 2, at most 1000 points"
    results = found["results"]
    assert [each["case"] for each in results] == [case.title for case in random_suite.random_suite(2, 4, 1_000).cases]
    compared = [math.prod(each["shape"]) * each["batch"] <= 500 for each in results]
    assert set(compared) == {True, False}
    assert [each["snr_db"] is not None for each in results] == compared
    assert [each["peers"]["scipy"]["snr_db"] is not None for each in results] == compared
    for each, checked in zip(results, compared, strict=True):
        assert all((frame["snr_db"] is not None) == checked for frame in each["frames"].values())
        assert (each["copy_us"], each["python_us"]) == (None, None)
    (summary,) = found["summaries"]
    ratios = {each["case"]: each["peers"]["scipy"]["ratio"] for each in results}
    assert sum(kind["cases"] for kind in summary["kinds"]) == len(ratios) == 4
    assert [each["ratio"] for each in summary["worst"]] == sorted(ratios.values())[:5]
    assert summary["worst"][0]["case"] == min(ratios, key=lambda case: ratios[case])


def test_a_check_compares_every_case_of_the_random_suite(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(random_suite, "SOFTWARE_POINTS", 500)
    monkeypatch.setattr(random_suite, "REFERENCE_POINTS", 0)
    command = ["bench", "--suite", "random", "--count", "1", "--samples", "5", "--against", "scipy"]
    assert cli.main(command) == 0
    unchecked = capsys.readouterr().out
    assert "were not compared" in unchecked
    assert "scipy's time divided by glfft's:" in unchecked
    assert cli.main([*command, "--check"]) == 0
    assert "were not compared" not in capsys.readouterr().out


def test_frame_times_stand_in_the_table_and_in_the_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "bench.json"
    arguments = "bench --sizes 8x16 --algorithms auto --against numpy-round-trip --samples 5 --json"
    assert cli.main([*arguments.split(), str(target)]) == 0
    output = capsys.readouterr().out
    assert "numpy-round-trip: texture.read, numpy.fft" in output
    assert "Frame times" in output
    found = json.loads(target.read_text())
    assert set(found["setup"]["peers"]) == {"numpy-round-trip"}
    frames = found["results"][0]["frames"]
    assert list(frames) == ["glfft", "numpy-round-trip"]
    for each in frames.values():
        assert each["free_running"]["microseconds"] > 0
        assert each["finish_each"]["samples"] == 5
        assert each["snr_db"] > 130
    ours, theirs = (frames[name]["free_running"]["microseconds"] for name in frames)
    assert frames["numpy-round-trip"]["ratio"] == pytest.approx(theirs / ours)


def test_the_report_on_papers_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def measure(run: Run, names: list[str], chapter_done: Callable[[Report], object]):
        asked.append((list(names), run.quick))
        found = papers_report(ambuluri={"lines": Grid()})
        chapter_done(found)
        return found

    monkeypatch.setattr("glfft.apps.papers.report.measure", measure)
    assert cli.main(["bench", "--papers", str(tmp_path / "report.md"), "--quick", "--only", "ambuluri"]) == 0
    assert asked == [(["ambuluri"], True)]
    assert (tmp_path / "report.md").read_text().startswith("# What papers conclude")
    assert cli.main(["bench", "--papers", str(tmp_path / "report.json")]) == 0
    assert json.loads((tmp_path / "report.json").read_text())["device"] == "a device"
    assert cli.main(["bench", "--papers"]) == 0
    assert capsys.readouterr().out.startswith("# What papers conclude")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--quick"], "go with --papers"),
        (["--papers", "--queries"], "has its own cases"),
        (["--queries", "1", "--check"], "only --samples and --device"),
        (["--papers", "--sizes", "64"], "has its own cases"),
        (["--papers", "--only", "nobody"], "--only is 'nobody' and must be one of mota"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bench", *options]) != 0
    assert words in capsys.readouterr().err
