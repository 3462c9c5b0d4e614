"""Checks the links of a built site: pages, anchors, pictures, scripts and styles."""

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Attributes whose value is one address.
_ADDRESSES = {"href", "src", "poster", "data"}
_CSS = re.compile(r"""url\(\s*['"]?([^'")]+)""")
# Made by rustdoc, which checks its links itself.
API = "api"


@dataclass(frozen=True)
class Broken:
    """A link that leads nowhere."""

    page: str
    link: str
    why: str

    def __str__(self):
        return f"{self.page}: {self.link}: {self.why}"


class _Page(HTMLParser):
    """Collects the addresses and the anchors of a page."""

    def __init__(self):
        super().__init__()
        self.links, self.anchors, self.base = [], set(), None

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag == "base" and values.get("href"):
            self.base = values["href"]
            return
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        for name, value in attrs:
            # A <data> or <meta> has no addresses; <object> has.
            if name in _ADDRESSES and value is not None and (name != "data" or tag == "object"):
                self.links.append(value)
            if name == "srcset" and value:
                self.links += [part.split()[0] for part in value.split(",") if part.strip()]


@lru_cache(maxsize=None)
def _read(path):
    page = _Page()
    page.feed(path.read_text(encoding="utf-8", errors="replace"))
    page.close()
    return page


def _why(site, page, link, base=None):
    """Why a link of a page leads nowhere, or None."""
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return "not an address"
    if parts.scheme in ("http", "https", "mailto", "data"):
        return None
    if parts.scheme or parts.netloc:
        return f"an address of kind {parts.scheme or '//'!r}: expected https"
    path = unquote(parts.path)
    if path.startswith("/"):
        return "begins at the server's root: expected a relative link"
    folder = page.parent / unquote(base or "")
    target = Path(os.path.normpath(folder / path)) if path else page
    if not target.is_relative_to(site):
        return "leads out of the site"
    if target.is_dir():
        target = target / "index.html"
    if not target.is_file():
        return "no such page or file"
    if parts.fragment and target.suffix == ".html":
        anchor = unquote(parts.fragment)
        if anchor not in _read(target).anchors and parts.fragment not in _read(target).anchors:
            return f"{target.relative_to(site)} has no such anchor"
    return None


def check(site):
    """The broken links of a site, and how many links were looked at."""
    site = Path(os.path.abspath(site))
    _read.cache_clear()
    broken, seen = [], 0

    def look(file, links, base=None):
        nonlocal seen
        for link in dict.fromkeys(links):
            seen += 1
            why = _why(site, file, link, base)
            if why:
                broken.append(Broken(file.relative_to(site).as_posix(), link, why))

    for file in sorted(site.rglob("*")):
        if API in file.relative_to(site).parts[:1]:
            continue
        if file.suffix == ".html":
            page = _read(file)
            look(file, page.links, page.base)
        elif file.suffix == ".css":
            look(file, _CSS.findall(file.read_text(encoding="utf-8")))
    return broken, seen
