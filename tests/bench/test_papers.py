"""The report on papers: kernels are checked before they are timed, and verdicts follow from times and their spread."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest
from support.kernels import restrict_device

from glfft.bench import ambuluri, papers
from glfft.bench.ambuluri import Conclusion, Row
from glfft.bench.papers import CLOSE, FAILS, HOLDS, Measurement
from glfft.commands import cli
from glfft.errors import AccuracyError
from glfft.tuning.timing import Timing

FAST, SLOW = Row("constant-geometry", 1), Row("word-group-2", 1)
CLAIM = Conclusion("the one is faster", (FAST,), (SLOW,), (16, 32, 64))


def timing(microseconds: float, spread: float = 0.1) -> Timing:
    return Timing(microseconds, (microseconds - spread, microseconds + spread), 5, "test")


def measurement(times: dict[int, tuple[float, float]], cufft: dict[int, float] | None = None) -> Measurement:
    ours = {(row, length): timing(each[i]) for length, each in times.items() for i, row in enumerate((FAST, SLOW))}
    reference = {length: timing(2.0) for length in times}
    return Measurement("device", ours, {}, reference, "reference", {n: timing(us) for n, us in (cufft or {}).items()})


def test_a_conclusion_holds_where_the_quartiles_are_apart() -> None:
    measured = measurement({16: (1.0, 2.0), 32: (2.0, 1.0), 64: (1.0, 1.1), 128: (1.0, 2.0)})
    assert papers.verdicts(measured, CLAIM) == {16: HOLDS, 32: FAILS, 64: CLOSE}


def test_more_threads_than_enough_must_not_be_faster() -> None:
    few, many = ambuluri.ENOUGH[0], ambuluri.MORE[0]
    times = {(few, 16): timing(2.0), (many, 16): timing(1.0), (few, 32): timing(1.0), (many, 32): timing(1.1)}
    measured = Measurement("device", times, {}, {16: timing(1.0), 32: timing(1.0)}, "reference", {})
    assert papers.enough_threads(measured) == {16: FAILS, 32: HOLDS}


def test_cufft_is_compared_where_there_is_one() -> None:
    rows = {(ambuluri.ROWS[0], length): timing(1.0) for length in (16, 32, 64)}
    reference = {length: timing(1.0) for length in (16, 32, 64)}
    cufft = {16: timing(2.0), 32: timing(0.5), 64: timing(1.1)}
    found = papers.as_good_as_cufft(Measurement("device", rows, {}, reference, "reference", cufft))
    assert found == {16: HOLDS, 32: FAILS, 64: CLOSE}
    assert papers.as_good_as_cufft(measurement({16: (1.0, 2.0)})) == {}


def test_the_report_gives_ratios_and_says_what_cannot_be_tested() -> None:
    text = papers.markdown(measurement({16: (1.0, 4.0)}))
    assert "| word-group-2, 1 thread | 6.58 |" in text
    assert "| cannot be tested here |" in text
    assert "0.50 (0.45 to 0.55)" in text, "half of the reference's 2 us"


def test_kernels_are_measured_and_those_that_do_not_fit_say_why(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    restrict_device(ctx, monkeypatch, invocations=16)
    rows = [Row("word-group-2", 2), Row("word-group-2", 4), Row("radix-22", 4), Row("multi-group-2", 1)]
    measured = papers.measure(ctx, [16], 5, rows)
    assert {row for row, _ in measured.times} == {rows[0], rows[2], rows[3]}
    assert measured.skipped == {(rows[1], 16): "it would need more threads than a work group has here"}
    assert measured.reference[16].microseconds > 0
    assert papers.measure(ctx, [32], 5, rows[2:3]).skipped[rows[2], 32].startswith("it would need a length that is a")


def test_a_wrong_kernel_is_not_timed(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(papers, "snr_db", lambda *_: 20.0)
    with pytest.raises(AccuracyError, match=r"word-group-2, 1 thread is wrong at 16 points: 20\.0 dB"):
        papers.measure(ctx, [16], 5, [Row("word-group-2", 1, (1.0,))])


def test_the_command_writes_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(papers, "measure", lambda *_, **__: measurement({16: (1.0, 4.0)}))
    assert cli.main(["bench", "--papers", str(tmp_path / "report.md"), "--quick", "--only", "ambuluri"]) == 0
    assert (tmp_path / "report.md").read_text().startswith("# Ambuluri")
    assert cli.main(["bench", "--papers"]) == 0
    assert capsys.readouterr().out.startswith("# Ambuluri")


@pytest.mark.parametrize(
    ("options", "words"),
    [(["--quick"], "go with --papers"), (["--papers", "--sizes", "64"], "has its own cases")],
)
def test_options_that_do_not_go_together_are_refused(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bench", *options]) != 0
    assert words in capsys.readouterr().err
