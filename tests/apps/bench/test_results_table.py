"""The tables for people: what was measured, what was not, and what is wrong."""

from __future__ import annotations

import dataclasses

from support.bench import RESULT, frame_times, measured, report

from glfft.apps.bench.results import render


def test_the_tables_show_what_was_measured_and_what_was_not() -> None:
    text = render(report())
    wanted = ("a device", "scipy.fft 1.17", "4x8 x 3", "12.0", "10.0", "9.00 to 11.0", "80%", "137.0", "2.00", "3.00")
    for shown in (*wanted, "123", "4.56", "7.89", "too long."):
        assert shown in text
    assert "WRONG" not in text
    assert "WRONG" in render(report([dataclasses.replace(RESULT, measured=measured(1.0, snr=129.9))]))


def test_a_peer_that_could_not_do_a_case_leaves_a_gap() -> None:
    alone = dataclasses.replace(RESULT, peers={})
    rows = [line.split() for line in render(report([RESULT, alone])).splitlines() if line.startswith("4x8")]
    assert rows[0][-4:] == ["20.0", "2.00", "30.0", "3.00"]
    assert rows[1][-4:] == ["-"] * 4


def test_frame_times_have_a_table_of_their_own() -> None:
    ours, theirs = frame_times(10.0, 50.0), frame_times(300.0, 310.0)
    both = dataclasses.replace(RESULT, frames={"glfft": ours, "cufft-interop": theirs})
    alone = dataclasses.replace(RESULT, algorithm="auto", frames={"glfft": ours})
    text = render(report([both, alone, dataclasses.replace(RESULT, algorithm="cooley-tukey")]))
    heading, _, _, first, second, end = text.split("Frame times: ")[1].splitlines()[:6]
    assert "wall time" in heading
    assert first.split() == ["4x8", "x", "3", "stockham-radix4", "10.0", "50.0", "300", "310", "30.0"]
    assert second.split() == ["4x8", "x", "3", "auto", "10.0", "50.0", "-", "-", "-"]
    assert end == ""
    assert "WRONG" not in text
    wrong = dataclasses.replace(both, frames={"glfft": ours, "cufft-interop": frame_times(300.0, 310.0, snr=20.0)})
    assert "300 WRONG" in render(report([wrong]))
    assert "Frame times" not in render(report())
