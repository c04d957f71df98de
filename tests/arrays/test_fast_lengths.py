"""The length to pad to."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import moderngl
import pytest
import scipy.fft
from support.sentences import refused

import glfft
from glfft.algorithms.lengths import largest_prime_factor
from glfft.arrays import fast_lengths
from glfft.errors import LimitError, ShapeError
from glfft.gl.context import state_of


def test_the_arguments_are_scipys() -> None:
    ours, theirs = (
        [(each.name, each.default) for each in inspect.signature(function).parameters.values()]
        for function in (glfft.next_fast_len, scipy.fft.next_fast_len)
    )
    assert ours[:2] == theirs
    assert glfft.next_fast_len(target=17, real=True) >= 17


def test_the_next_length_without_a_large_factor(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_lengths, "known", lambda request, families: [])
    for target in (0, 1, 13, 16, 17, 26, 38, 1001, 1080, 4096, 1 << 20):
        assert glfft.next_fast_len(target, ctx=ctx) == target
    for target, wanted in ((23, 24), (29, 30), (37, 38), (1009, 1014), (10007, 10010)):
        assert glfft.next_fast_len(target, True, ctx=ctx) == wanted
        assert largest_prime_factor(wanted) <= 19


@dataclass
class Measured:
    microseconds: float
    points: int
    length: int = 0
    storage: str = ""


def test_what_was_measured_to_be_faster_is_taken(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    times: dict[int, float] = {1014: 5.0, 1024: 3.0, 1040: 4.0, 1053: 0.2, 1200: 0.1}

    def known(request: Any, families: Any) -> list[tuple[Measured, str]]:
        lines = 70 if request.length == 1053 else 7  # one that was measured alone takes its share of a dispatch's time
        measured = Measured(times.get(request.length, 0.0) * lines, lines * request.length)
        return [(measured, "")] if request.length in times else []

    monkeypatch.setattr(fast_lengths, "known", known)
    assert glfft.next_fast_len(1009, ctx=ctx) == 1024
    assert glfft.next_fast_len(1025, ctx=ctx) == 1026, "it was not measured"
    times.pop(1014)
    assert glfft.next_fast_len(1009, ctx=ctx) == 1014, "nothing to compare with"


@pytest.mark.parametrize("axis", [0, 1])
def test_pairs_keep_to_small_radices(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, axis: int) -> None:
    monkeypatch.setattr(fast_lengths, "known", lambda *_: [])
    for target in (1, 17, 847, 975, 1335):
        length = fast_lengths.length_for_convolutions(target, axis, "rgba16f", False, ctx=ctx)
        assert target <= length <= 1.1 * target + 1
        assert largest_prime_factor(length) <= 7


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize(("storage", "components"), [("rg32f", 2), ("rgba32f", 4)])
@pytest.mark.parametrize("axis", [0, 1])
def test_convolutions_take_lengths_measured_in_such_ones(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, axis: int, storage: str, components: int, real: bool
) -> None:
    microseconds, empty = {900: 15.0, 950: 14.0, 1001: 16.0, 1078: 10.0}, fast_lengths._EMPTY_US

    def of_convolutions(*wanted: Any) -> list[Measured]:
        assert wanted == ("real" if real else "complex", axis, components, state_of(ctx).device)
        return [Measured(empty + us, 700 * length, length) for length, us in microseconds.items()]

    def length_of(target: int) -> int:
        return fast_lengths.length_for_convolutions(target, axis, storage, real, ctx=ctx)

    monkeypatch.setattr(fast_lengths, "of_convolutions", of_convolutions)
    monkeypatch.setattr(fast_lengths, "known", lambda *_: [])
    chosen = [length_of(target) for target in (899, 952, 1000)]
    assert chosen == [950, 1001, 1078], "the fastest up to an eleventh longer"
    assert length_of(824) == (840 if components == 4 else 825), "all that were measured are longer"
    assert length_of(1079) == 1080, "all that were measured are shorter"


def test_neither_what_dispatches_take_at_least_nor_many_pictures_make_a_length_seem_fast(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_convolutions = [Measured(10.0, 500 * 300, 500), Measured(10.5, 540 * 324, 540), Measured(1.0, 3 * 520**2, 520)]
    monkeypatch.setattr(fast_lengths, "of_convolutions", lambda *_: of_convolutions)
    assert fast_lengths.length_for_convolutions(500, 0, "rg32f", True, ctx=ctx) == 500


@pytest.mark.parametrize("target", [2**50 + 1, 2**62])
def test_longer_than_any_transform_only_factors_count(
    ctx: moderngl.Context, target: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looked_up(*_: Any) -> Any:
        raise AssertionError("so long a line was measured nowhere, and its divisors take minutes to find")

    monkeypatch.setattr(fast_lengths, "families_for", looked_up)
    assert target <= glfft.next_fast_len(target, ctx=ctx) < 1.001 * target


def test_no_number_of_64_bits() -> None:
    with refused(LimitError, match="longest transform"):
        glfft.next_fast_len(2**70)


@pytest.mark.parametrize(("target", "word"), [(-1, "-1"), (7.0, "7.0"), ("x", "'x'"), (None, "None")])
def test_bad_targets(target: Any, word: str) -> None:
    with refused(ShapeError) as caught:
        glfft.next_fast_len(target)
    assert word in str(caught.value)
    with pytest.raises((ValueError, TypeError)):
        scipy.fft.next_fast_len(target)


def test_lengths_measured_in_the_same_storage_come_first(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_convolutions = [Measured(10.0, 500 * 300, 500, "rgba32f"), Measured(9.0, 540 * 324, 540, "rgba16f")]
    monkeypatch.setattr(fast_lengths, "of_convolutions", lambda *_: of_convolutions)
    chosen = [
        fast_lengths.length_for_convolutions(499, 0, storage, False, ctx=ctx) for storage in ("rgba32f", "rgba16f")
    ]
    assert chosen == [500, 540]
    assert fast_lengths.length_for_convolutions(520, 0, "rgba32f", False, ctx=ctx) == 540, "none of that storage fits"
