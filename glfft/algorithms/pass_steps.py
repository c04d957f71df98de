"""Passes in order, divided where an image has been written whole."""

from collections.abc import Sequence

from glfft.algorithms.line_layout import Points
from glfft.algorithms.passes import PassSpec


def steps(specs: Sequence[PassSpec]) -> list[list[PassSpec]]:
    """The steps of passes in order: a pass, or all passes over padded lines, which go through scratch in turns."""
    found: list[list[PassSpec]] = []
    for spec in specs:
        padded = spec.request.padded
        if padded is None or (padded.enters and padded.first == 0):
            found.append([])
        found[-1].append(spec)
    return found


def readers(step: Sequence[PassSpec]) -> list[PassSpec]:
    """The passes of a step that read its source."""
    return [spec for spec in step if spec.reads is not Points.PADDED]


def writers(step: Sequence[PassSpec]) -> list[PassSpec]:
    """The passes of a step that write its target."""
    return [spec for spec in step if spec.writes is not Points.PADDED]


def keep_places(step: Sequence[PassSpec]) -> bool:
    """Whether a step can work in place, the caller's snippets included."""
    moves = any(path in ("generated/load.glsl", "generated/store.glsl") for spec in step for path, _ in spec.snippets)
    stays = all(spec.stores_where_it_loads for spec in step)
    alike = step[0].reads is step[-1].writes and step[0].reads in (Points.COMPLEX, Points.REAL)
    return stays and alike and not moves and same_region(step)


def same_region(step: Sequence[PassSpec]) -> bool:
    """Whether the source and the target of a step hold the same region of the transform, or both all of it.

    Work groups that have whole pictures load all of a region before they store another of the same size.
    """
    source, target = step[0].source_lines, step[-1].target_lines
    moves = source.first != target.first and not step[0].request.both_axes
    return source.shape == target.shape and not moves
