"""A hook of MkDocs: a page for each file outside docs/ that some page links to, and whole docstrings in api.md.

In a checkout, such a link leads to the file itself, and api.md lists names. The site has no files outside docs/.
"""

from __future__ import annotations

import re
from pathlib import Path

import make_api
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent

_LINK = re.compile(r"(?<=\]\()\.\./(?P<path>[^)#\s]+)(?=\))")
_LANGUAGES = {".py": "python", ".json": "json", ".yml": "yaml"}
_SHADERS = (".comp", ".glsl", ".vert", ".frag")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each file or folder that some page links to."""
    linked = {found["path"] for page in files.documentation_pages() for found in _LINK.finditer(page.content_string)}
    for path in sorted(linked):
        if (ROOT / path).exists():  # else the link stays as it is, and the strict build names it
            files.append(File.generated(config, _page_of(path), content=_content(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to the pages that `on_files` has added; put docstrings where api.md lists names."""
    markdown = make_api.for_site(markdown)
    added = files.src_uris
    return _LINK.sub(lambda found: uri if (uri := _page_of(found["path"])) in added else found[0], markdown)


def _page_of(path: str) -> str:
    return f"source/{path.rstrip('/')}.md"


def _content(path: str) -> str:
    place = ROOT / path
    if place.is_dir():
        text, language = "\n".join(sorted(each.name for each in place.iterdir() if each.name[0] not in "._")), "text"
    else:
        text = place.read_text(encoding="utf-8")
        language = "glsl" if place.suffix in _SHADERS else _LANGUAGES.get(place.suffix, "text")
    return f"# {path}\n\n`````{language}\n{text.rstrip()}\n`````\n"
