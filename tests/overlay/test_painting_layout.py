"""The layout: at most a sixth of the picture, and what is left out of a small one."""

from __future__ import annotations

import math

from hypothesis import example, given
from hypothesis import strategies as st

from glfft.overlay.painting import COPY, layout_for, shown
from glfft.profiling.timeline import SectionStatistics, Summary

NONE = Summary(*[0.0] * 6)


def sections(*depths, moved=0):
    return [SectionStatistics(("section",) * (depth + 1), 1, NONE, NONE, moved) for depth in depths]


@given(
    st.tuples(st.integers(1, 4000), st.integers(1, 3000)),
    st.lists(st.integers(0, 3), max_size=30),
    st.booleans(),
    st.integers(0, 1),
)
@example((230, 1000), [], True, 0)  # wide enough for a line, and not for the margins beside it
def test_it_covers_no_more_than_a_sixth_and_lies_within(size, depths, folded, moved):
    layout = layout_for(size, sections(*depths, moved=moved), folded)
    if layout is None:
        assert size[0] * size[1] < 6 * 220 * 28 or size[0] < 244 or size[1] < 52
        return
    assert layout.width * layout.height <= size[0] * size[1] / 6
    assert layout.width + 24 <= size[0]
    assert layout.height + 24 <= size[1]
    assert layout.rows + layout.more <= len(depths) or layout.rows == 0
    assert layout.more == (not layout.folded and layout.rows < len(depths))
    assert sum(width for _, width in layout.columns) < layout.inner - 60


def test_known_sizes():
    ocean = sections(0, 1, 2, 2, 1, 0, 0, 0, 0, 0)
    rows = {size: layout_for(size, ocean, folded=False) for size in ((1920, 1080), (1280, 720), (640, 360), (480, 270))}
    assert [layout and (layout.rows, len(layout.columns)) for layout in rows.values()] == [
        (10, 5),
        (10, 5),
        (4, 2),
        (0, 0),
    ]


def test_outermost_sections_come_before_nested_ones():
    found = sections(0, 1, 2, 0, 1)
    assert shown(found, 3) == [found[0], found[1], found[3]]
    assert shown(found, 9) == found


def test_of_nested_sections_those_that_take_the_most_time_have_rows():
    def took(path, frames, ms):
        return SectionStatistics(path, frames, Summary(*[ms] * 6), NONE)

    post, geometry, rare, bloom, unknown = found = [
        took(("post",), 40, 50.0),
        took(("post", "geometry"), 40, 6.0),
        took(("post", "rare"), 1, 90.0),
        took(("post", "bloom"), 40, 44.0),
        took(("post", "unknown"), 0, math.nan),
    ]
    assert shown(found, 2) == [post, bloom]
    assert shown(found, 3) == [post, geometry, bloom]
    assert shown(found, 4) == [post, geometry, rare, bloom]
    assert shown(found, 5) == found
    assert unknown not in shown(found, 4)


def test_the_column_of_copies_is_there_where_something_is_in_it():
    for moved in (0, 9):
        layout = layout_for((1280, 720), sections(0, moved=moved), folded=False)
        assert layout is not None
        assert (COPY in dict(layout.columns)) == (moved > 0)
