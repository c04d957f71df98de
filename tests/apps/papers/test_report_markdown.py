"""Documents as Markdown."""

from __future__ import annotations

from glfft.apps.papers.report import Cells, Heading, Picture, markdown

BLOCKS = [
    Heading(1, "Title"),
    "A paragraph.",
    Cells(["claim", "here"], [["a | b", "holds"]], verdicts=1),
    Cells(["length", "16"], [["row", "1.5"]], numbers=True),
    Picture("plot", "what it shows", []),
    ["one", "two"],
]


def test_each_block_is_written() -> None:
    assert markdown(BLOCKS, {"plot": "plot.svg"}) == (
        "# Title\n\nA paragraph.\n\n| claim | here |\n| --- | --- |\n| a \\| b | holds |\n\n"
        "| length | 16 |\n| --- | --: |\n| row | 1.5 |\n\n![what it shows](plot.svg)\n\n- one\n- two\n"
    )


def test_plots_without_a_file_are_left_out() -> None:
    assert "what it shows" not in markdown(BLOCKS, {})
