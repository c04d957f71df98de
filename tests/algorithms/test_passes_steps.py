"""Steps of passes, and whether they can work in place."""

from __future__ import annotations

from dataclasses import replace

from support.requests import spec_of

from glfft.algorithms.axis_request import PaddedLines
from glfft.algorithms.passes import PassSpec, keep_places, readers, steps, writers
from glfft.algorithms.regions import Points


def test_what_moves_points_keeps_no_places() -> None:
    spec = spec_of(stores_where_it_loads=True)
    assert keep_places([spec])
    assert not keep_places([spec_of()])
    assert not keep_places([replace(spec, reads=Points.REAL, writes=Points.HERMITIAN)])
    for path, keeps in (("load", False), ("store", False), ("multiply", True)):
        assert keep_places([replace(spec, snippets=((f"generated/{path}.glsl", ""),))]) is keeps


def test_all_turns_of_padded_lines_are_one_step() -> None:
    plain = spec_of()

    def turn(first: int) -> list[PassSpec]:
        enters = PaddedLines(plain.request, first, enters=True)
        leaves = PaddedLines(plain.request, first, leaves=True)
        return [
            replace(plain, request=replace(plain.request, padded=enters), writes=Points.PADDED),
            replace(plain, request=replace(plain.request, padded=leaves), reads=Points.PADDED),
        ]

    turns = [*turn(0), *turn(4)]
    assert steps([plain, *turns, plain]) == [[plain], turns, [plain]]
    assert readers(turns) == turns[::2]
    assert writers(turns) == turns[1::2]
