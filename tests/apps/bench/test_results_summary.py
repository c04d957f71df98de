"""A run of many cases in a few numbers."""

from __future__ import annotations

import dataclasses
import math

import pytest
from support.bench import RESULT, measured, report

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.results import render, summarise
from glfft.apps.bench.suite import Case, OceanCase

_CASES = (Case((8, 7)), Case((8, 11)), Case((11, 8), axes=(1,)), Case((8, 8), real=True))


def test_each_kind_has_its_mean_its_share_and_its_least() -> None:
    summary = summarise("cufft", list(zip(_CASES, ["auto"] * 4, (2.0, 0.5, 4.0, 1.0), strict=True)))
    complex_, real = summary["kinds"]
    assert complex_["geometric_mean"] == pytest.approx(math.cbrt(2.0 * 0.5 * 4.0))
    assert (complex_["kind"], complex_["cases"]) == ("complex", 3)
    assert complex_["share_above_one"] == pytest.approx(2 / 3)
    assert (complex_["least"], complex_["least_smooth"]) == (0.5, 2.0)  # 11 is no factor of the second line's length
    assert (real["kind"], real["geometric_mean"], real["share_above_one"]) == ("real", 1.0, 0.0)


def test_kinds_and_algorithms_are_not_mixed() -> None:
    half = Case((8, 8), storage=STORAGES["rg16f"])
    cases = (*_CASES[::3], half, Case((8, 8), cosine=True), OceanCase((8, 8), 4), _CASES[0])
    algorithms = ["auto"] * 5 + ["cooley-tukey"]
    summary = summarise("scipy", list(zip(cases, algorithms, [1.0] * 6, strict=True)))
    kinds = ["complex", "real", "half storage", "cosine", "ocean", "complex"]
    assert [(each["kind"], each["algorithm"]) for each in summary["kinds"]] == list(zip(kinds, algorithms, strict=True))
    assert summarise("scipy", [(_CASES[1], "auto", 1.0)])["kinds"][0]["least_smooth"] is None


def test_the_worst_five_are_the_lowest() -> None:
    ratios = (3.0, 0.9, 1.5, 0.7, 2.0, 0.8)
    found = [(Case((8, 8 + index)), "auto", ratio) for index, ratio in enumerate(ratios)]
    worst = summarise("cufft", found)["worst"]
    assert [tuple(each.values()) for each in worst[:2]] == [("8x11", "auto", 0.7), ("8x13", "auto", 0.8)]
    assert [each["ratio"] for each in worst] == sorted(ratios)[:5]


def test_a_report_sums_up_the_peers_that_were_asked_for() -> None:
    alone = dataclasses.replace(RESULT, peers={})
    slow = dataclasses.replace(RESULT, peers={"scipy": measured(5.0)})
    found = report([RESULT, alone, slow])
    (summary,) = found.summaries  # cufft has times too, but is not among the peers of the record
    assert [each["ratio"] for each in summary["worst"]] == [0.5, 2.0]
    (as_data,) = found.to_json()["summaries"]
    assert as_data["kinds"][0]["geometric_mean"] == pytest.approx(1.0)
    assert "geometric mean" not in render(found)
    of_suite = dataclasses.replace(found, setup={**found.setup, "suite": "sizes"})
    assert "geometric mean" in render(of_suite)
    assert "Lowest: 4x8 x 3 0.50, 4x8 x 3 2.00." in render(of_suite)
    assert report([alone]).summaries == []
