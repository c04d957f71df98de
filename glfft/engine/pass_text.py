"""The GLSL of a plan's passes, as a plan hands it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from glfft.algorithms.passes import PassSpec
from glfft.engine.request import DIRECTION_NAMES


@dataclass(frozen=True)
class PassText:
    """The GLSL of one pass. `str` of it is the text under a line with its name.

    Attributes:
        name: its direction and number, such as "forward pass 1".
        stage: the kind of shader: "compute".
        text: what the compiler sees. Passes with the same text share a program.
    """

    name: str
    stage: str
    text: str = field(repr=False)

    def __str__(self) -> str:
        return f"// ==== {self.name}\n{self.text}"


def pass_texts(passes: Mapping[int, Sequence[PassSpec]]) -> tuple[PassText, ...]:
    """The texts of the passes of each direction, in order."""
    return tuple(
        PassText(f"{DIRECTION_NAMES[direction]} pass {number}", "compute", spec.source.text)
        for direction, specs in passes.items()
        for number, spec in enumerate(specs, start=1)
    )
