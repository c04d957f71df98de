"""Writes anew what the code gives to README.md and the pages of docs/: tables, and what the programs print.

`make pages` runs it; `make pages ARGS=--figures` draws the figures too (needs the extra `plot`).
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

import examples
import make_api
import make_devices_table
import make_model_plot
import make_papers
import make_performance_plot
import make_sizes_plot
import stockham_by_hand

_TABLE = re.compile(r"^<!-- table: (?P<name>[^\n]+) -->\n\n(?:(?:\|[^\n]*\n)+\n)?", re.MULTILINE)


def with_tables(text: str) -> str:
    """The document with the table that each `<!-- table: NAME -->` asks for below it, and the lists of `make_api`."""
    made = _TABLE.sub(lambda mark: f"<!-- table: {mark['name']} -->\n\n{_table(mark['name'])}\n\n", text)
    return make_api.with_names(made) if make_api.MARK.search(made) else made


def _table(name: str) -> str:
    makers = (stockham_by_hand, make_performance_plot, make_papers, make_devices_table)
    return {title: make for maker in makers for title, make in maker.TABLES.items()}[name]()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", action="store_true", help="draw the figures too")
    if parser.parse_args().figures:
        import make_figures

        make_figures.draw_stockham()
        make_figures.draw_dispatches()
        make_figures.draw_orders()
        make_performance_plot.draw()
        make_sizes_plot.draw()
        make_model_plot.draw()
        make_papers.draw()
    make_papers.write_reports()
    for document in examples.documents():
        before = document.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            after = examples.with_outputs(with_tables(before), Path(folder))
        if after != before:
            document.write_text(after, encoding="utf-8")
            print(f"updated {document.relative_to(examples.ROOT)}")


if __name__ == "__main__":
    main()
