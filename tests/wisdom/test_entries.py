"""Entries of wisdom: what is written is read again, and entries that make no sense are left out."""

from __future__ import annotations

import json
import math
import random
import warnings
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from support.kernels import kernels
from support.wisdom import FAMILY, KERNEL, LIMITS, RENDERER, chosen, entry, request, valid

from glfft.algorithms.stockham import choose
from glfft.wisdom.entries import Entry, read, to_json


def test_json_brings_back_every_entry() -> None:
    sample = kernels(LIMITS, [2**exponent for exponent in range(1, 13)] * 3, seed=5, heaviest=1024)
    generator = random.Random(5)
    entries = [
        replace(
            Entry.of(request(storage.name), FAMILY, kernel, generator.uniform(1, 1e5)),
            length=kernel.length,
            points=generator.randrange(1, 2**30),
        )
        for kernel, storage in sample
    ]
    assert set(read(to_json(entries)).entries) == set(entries)
    assert to_json(reversed(entries)) == to_json(entries)


def test_a_valid_file_is_taken(file: Path) -> None:
    file.write_text(valid())
    assert chosen() == KERNEL
    assert read(valid()).entries == (entry(),)
    assert read(to_json([entry()])) == read(valid())


@pytest.mark.parametrize("version", [1, 3, "2", None])
def test_other_versions_are_refused(version: object) -> None:
    with pytest.raises(ValueError, match=f"it has version {version!r} and this glfft reads version 2"):
        read(json.dumps({"version": version, "entries": []}))


@pytest.mark.parametrize(
    ("renderer", "family"),
    [
        ("NVIDIA H200/PCIe/SSE2", "NVIDIA H200"),
        ("llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe"),
        ("AMD Radeon RX 6800 (radeonsi, navi21, LLVM 15.0.7, DRM 3.49)", "AMD Radeon RX 6800"),
        ("AMD Radeon (TM) R9 380 Series", "AMD Radeon (TM) R9 380 Series"),
        ("Mesa Intel(R) UHD Graphics 630 (CFL GT2)", "Mesa Intel(R) UHD Graphics 630"),
        ("NVIDIA Tegra Orin (nvgpu)/integrated", "NVIDIA Tegra Orin"),
    ],
)
def test_an_entry_for_others_is_of_the_family_with_any_driver(renderer: str, family: str) -> None:
    measured = entry(renderer=renderer)
    shipped = measured.for_others
    assert (shipped.renderer, shipped.driver) == (family, "")
    assert replace(shipped, renderer=measured.renderer, driver=measured.driver) == measured
    assert shipped.speaks_of(request(renderer=renderer, driver="Another Driver 3"))


@pytest.mark.parametrize(
    "changes",
    [
        {"renderer": "Another Device"},
        {"renderer": "Some Device 75"},
        {"renderer": "some device"},
        {"driver": "Some Driver 1.3"},
        {"length": 128},
        {"axis": 0},
        {"radices": [4, 4, 8]},
        {"radices": [4, 4, 4, 4]},
        {"radices": [4, 4]},
        {"radices": [64]},
        {"radices": []},
        {"radices": None},
        {"radices": [4.0, 4, 4]},
        {"points": 0, "renderer": RENDERER},
        {"points": 10**400, "renderer": RENDERER},
        {"lines": 0},
        {"lines": -1},
        {"lines": 1 << 20},
        {"lines": "2"},
        {"side_by_side": "yes"},
        {"exchange": "AT_ONCE"},
        {"padding": -4},
        {"padding": 1 << 40},
        {"microseconds": 0.0},
        {"microseconds": math.nan},
        {"microseconds": "5"},
        {"microseconds": 10**400},
        {"components": None},
        {"storage": 4},
        {"threads": 0},
        {"threads": -16},
        {"threads": 65},
        {"threads": 16.0},
        {"threads": None},
        {"config": "fast"},
        {"config": None},
        {"family": "stockham-radix4"},
        {"family": "unheard-of"},
        {"family": None},
        {"family": ["stockham"]},
        {"unheard_of": 1},
        {"config": {**asdict(KERNEL), "unheard_of": 1}},
    ],
    ids=lambda changes: str(changes)[:40],
)
def test_entries_that_do_not_apply_are_ignored_without_a_word(changes: dict[str, object], file: Path) -> None:
    reasoned = choose.default(request())
    file.write_text(valid(**changes))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert chosen() == reasoned


def test_threads_that_make_no_sense_are_ignored() -> None:
    for threads in (0, -4, 128, 4.0, None):
        assert read(valid(threads=threads)).entries == ()


def test_a_sound_entry_beside_broken_ones_is_taken(file: Path) -> None:
    content = json.loads(valid())
    content["entries"] = [None, 3, {}, [], *content["entries"], {"renderer": RENDERER}]
    file.write_text(json.dumps(content))
    assert chosen() == KERNEL


def test_what_a_later_glfft_has_added_is_told_apart_from_what_is_understood() -> None:
    content = json.loads(valid())
    (good,) = content["entries"]
    later = [
        {**good, "family": "of-the-future"},
        {**good, "watts": 3.5},
        {**good, "config": {**good["config"], "warps": 2}},
    ]
    found = read(json.dumps({"version": 2, "entries": [later[0], good, *later[1:]]}))
    assert found.entries == (entry(),)
    assert [json.loads(each) for each in found.unread] == later
    assert sorted(found.left_out.values()) == [1, 2]
    assert any("of-the-future" in reason for reason in found.left_out)
    # Written again, they are all there.
    again = read(to_json(found.entries, found.unread))
    assert again == found
