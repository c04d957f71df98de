"""A dispatch a stage with the work groups of Mota's thesis: 4 x 8 invocations for rows, 8 x 4 for columns."""

from __future__ import annotations

from glfft.algorithms.stages import IN_FREQUENCY, IN_NATURAL_ORDER, IN_TIME, Groups, Stages

# Listings A.1 and A.2.
_MOTAS: Groups = ((4, 8), (8, 4))

FAMILIES = (
    Stages(
        "cooley-tukey-stages-4x8",
        "cooley-tukey-stages with work groups of 4 x 8 threads for rows, 8 x 4 for columns (Mota, listing A.1)",
        IN_TIME,
        _MOTAS,
        study=True,
    ),
    Stages(
        "natural-order-stages-4x8",
        "natural-order-stages with the same work groups",
        IN_NATURAL_ORDER,
        _MOTAS,
        study=True,
    ),
    Stages(
        "cooley-tukey-dif-stages-4x8",
        "cooley-tukey-dif-stages with the same work groups",
        IN_FREQUENCY,
        _MOTAS,
        study=True,
    ),
)
