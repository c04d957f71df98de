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
from support.wisdom import DEVICE, KERNEL, RENDERER, chosen, request, valid

from glfft.algorithms.stockham import choose
from glfft.wisdom.entries import Entry, parse, to_json


def test_json_brings_back_every_entry() -> None:
    sample = kernels(DEVICE, [2**exponent for exponent in range(1, 13)] * 3, seed=5, heaviest=1024)
    generator = random.Random(5)
    entries = [
        replace(
            Entry.of(request(storage.name), kernel, generator.uniform(1, 1e5)),
            length=kernel.length,
            points=generator.randrange(1, 2**30),
        )
        for kernel, storage in sample
    ]
    assert set(parse(to_json(entries))) == set(entries)
    assert to_json(reversed(entries)) == to_json(entries)


def test_a_valid_file_is_taken(file: Path) -> None:
    file.write_text(valid())
    assert chosen() == KERNEL


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
        {"padding": 3},
        {"padding": -4},
        {"padding": 1 << 40},
        {"microseconds": 0.0},
        {"microseconds": math.nan},
        {"microseconds": "5"},
        {"microseconds": 10**400},
        {"components": None},
        {"storage": 4},
        {"kernel": "fast"},
        {"kernel": None},
        {"unheard_of": 1, "kernel": {**asdict(KERNEL), "unheard_of": 1}},
    ],
    ids=lambda changes: str(changes)[:40],
)
def test_entries_that_do_not_apply_are_ignored_without_a_word(changes: dict[str, object], file: Path) -> None:
    reasoned = choose.reasoned(request())
    file.write_text(valid(**changes))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert chosen() == reasoned


def test_points_of_a_thread_that_make_no_sense_are_ignored(file: Path) -> None:
    for points in (0, -4, 2, 3, 128):
        content = json.loads(valid())
        content["entries"][0]["kernel"]["points"] = points
        assert parse(json.dumps(content)) == () or not parse(json.dumps(content))[0].speaks_of(request())


def test_a_sound_entry_beside_broken_ones_is_taken(file: Path) -> None:
    content = json.loads(valid())
    content["entries"] = [None, 3, {}, [], *content["entries"], {"renderer": RENDERER}]
    file.write_text(json.dumps(content))
    assert chosen() == KERNEL
