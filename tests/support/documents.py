"""The tools of the documents, which are no part of the package."""

import importlib
import sys

from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

examples, make_pages, stockham_by_hand = map(importlib.import_module, ("examples", "make_pages", "stockham_by_hand"))
