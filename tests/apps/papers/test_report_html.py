"""Documents as one HTML file."""

from __future__ import annotations

from html.parser import HTMLParser

from glfft.apps.papers.report import Cells, Heading, Picture, html

BLOCKS = [
    Heading(1, "Title"),
    Heading(2, "Mota, Transforms (2022)"),
    Heading(3, "Conclusions"),
    "a < b & c",
    Cells(["claim", "here"], [["a", "fails"]], verdicts=1),
    Cells(["length", "16"], [["row", "1.5 (1–2)"]], numbers=True),
    Picture("plot", "what it shows", []),
    ["one"],
]
_ALONE = {"meta"}


class _Tags(HTMLParser):
    """Checks that tags are closed in order, and keeps links and anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.anchors: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open += [tag] if tag not in _ALONE else []
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        self.anchors += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_file_is_whole_and_needs_no_other() -> None:
    text = html(BLOCKS, {"plot": "<svg><path d='M0 0'></path></svg>"})
    tags = _Tags()
    tags.feed(text)
    assert tags.open == []
    assert tags.links == ["#mota-transforms-2022"]
    assert tags.anchors == ["mota-transforms-2022"]
    assert "a &lt; b &amp; c" in text
    assert '<span class="verdict fails">fails</span>' in text
    assert "<td>1.5<small>1–2</small></td>" in text
    assert "<svg>" in text


def test_plots_that_were_not_drawn_are_left_out() -> None:
    assert "<figure>" not in html(BLOCKS, {})
