"""A dispatch a stage with the work groups of Mota's thesis: 4 x 8 invocations for rows, 8 x 4 for columns."""

from glfft.algorithms import stages
from glfft.algorithms.stages import Groups, Stages

# Listings A.1 and A.2.
_MOTAS: Groups = ((4, 8), (8, 4))
_SUMMARY = "with work groups of 4 x 8 threads for rows, 8 x 4 for columns (Mota, listing A.1)"
_SUMMARIES = (_SUMMARY, "with the same work groups", "with the same work groups")

FAMILIES = tuple(
    Stages(f"{ours.name}-4x8", f"{ours.name} {summary}", ours.shader, _MOTAS, study=True)
    for ours, summary in zip(stages.FAMILIES, _SUMMARIES, strict=True)
)
