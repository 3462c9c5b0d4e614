"""Builds the book: pages as mdBook wants them, mdBook, then the files that pages link to."""

import html
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from . import contents
from .contents import BookError
from .links import API

# What says that a folder is a built site, which may be replaced.
STAMP = ".cotenant-site"
_ATTRIBUTE = re.compile(r'(?<=[\s"])(href|src)="([^"]*)"')
_PICTURES = {".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"}

_BOOK = """\
[book]
title = "Cotenant"
description = {description}
language = "en"
src = "src"

[build]
use-default-preprocessors = false

# README.md is a folder's index.html.
[preprocessor.index]

[output.html]
smart-punctuation = false
# It would need the address of the server.
input-404 = ""
{repository}
additional-css = ["wide.css"]

[output.html.print]
enable = false

# Examples are no programs to be run in a browser.
[output.html.playground]
runnable = false
copyable = true

[output.html.fold]
enable = true
level = 0
"""

# Waves and tables are wide.
_WIDE = ":root { --content-max-width: 1000px; }\n"

_TEXT = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font-family: sans-serif; margin: 1em 2em; color-scheme: light dark; }}
pre {{ font-size: 0.85em; line-height: 1.35; tab-size: 4; }}
</style>
</head>
<body>
<p><a href="{home}">Cotenant</a></p>
<h1>{title}</h1>
{body}
</body>
</html>
"""


def mdbook():
    """The program, from the virtual environment or from PATH."""
    ours = contents.ROOT / "target/venv/bin/mdbook"
    found = str(ours) if ours.exists() else shutil.which("mdbook")
    if not found:
        raise BookError("mdbook is not there: run scripts/setup")
    return found


def manifest(root):
    """Description and repository of Cargo.toml; the latter may be None."""
    path = root / "Cargo.toml"
    if not path.exists():
        raise BookError(f"{root} has no Cargo.toml: expected the repository")
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    package = {**read.get("workspace", {}).get("package", {}), **read.get("package", {})}
    repository = package.get("repository")
    return package.get("description", ""), repository and repository.rstrip("/")


def _quoted(text):
    """A string of TOML."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _api_page(api):
    crates = sorted(
        path.parent.name for path in api.glob("*/index.html") if path.parent.name != "src"
    )
    if not crates:
        raise BookError(f"{api} has no documentation: expected what `cargo doc` writes")
    lines = ["# Rust API", "", "The documentation of the crates, by `cargo doc`.", ""]
    return "\n".join(lines + [f"- [`{name}`]({API}/{name}/index.html)" for name in crates]) + "\n"


def prepare(root, folder, api=None):
    """Writes what mdBook takes into a folder."""
    description, repository = manifest(root)
    source = folder / "src"
    for path in contents.pages(root):
        to = source / path
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, to)
    generated = {}

    def generate(group, path, text):
        generated[group] = [(path, contents.title(text, path))]
        (source / path).write_text(text, encoding="utf-8")

    if (root / contents.UNITS).is_dir():
        generate("Units", contents.WAVES, contents.waves_page(root))
    if api:
        generate("Project", "api.md", _api_page(api))
    (source / "SUMMARY.md").write_text(contents.summary(root, generated), encoding="utf-8")
    link = f"git-repository-url = {_quoted(repository)}\n" if repository else ""
    book = _BOOK.format(description=_quoted(description), repository=link)
    (folder / "book.toml").write_text(book, encoding="utf-8")
    (folder / "wide.css").write_text(_WIDE, encoding="utf-8")


def _is_text(path):
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return True


class Files:
    """Puts the repository's files that pages link to into the site: pictures as they are, others as
    a page of their text, a folder as a list of its files."""

    def __init__(self, root, site, repository):
        self.root, self.site, self.repository = root, site, repository
        self.made = {}

    def _page(self, path, to, body):
        home = os.path.relpath(self.site / "index.html", to.parent)
        to.parent.mkdir(parents=True, exist_ok=True)
        title = html.escape(path.relative_to(self.root).as_posix())
        to.write_text(_TEXT.format(title=title, home=home, body=body), encoding="utf-8")

    def _text(self, path, to):
        text = path.read_text(encoding="utf-8")
        self._page(path, to, f"<pre><code>{html.escape(text)}</code></pre>")

    def _list(self, path, to):
        items = []
        for file in sorted(path.iterdir()):
            if file.is_file() and not file.name.startswith("."):
                link = quote(os.path.relpath(self.put(file), to.parent))
                items.append(f'<li><a href="{link}">{html.escape(file.name)}</a></li>')
        self._page(path, to, "<ul>\n" + "\n".join(items) + "\n</ul>")

    def put(self, path):
        """The place in the site of a file or folder of the repository, made if it is not there."""
        inside = path.relative_to(self.root).as_posix()
        if inside in self.made:
            return self.made[inside]
        if path.is_dir():
            to, make = self.site / inside / "index.html", self._list
        elif path.suffix in _PICTURES or not _is_text(path):
            to, make = self.site / inside, shutil.copyfile
        else:
            to, make = self.site / f"{inside}.html", self._text
        self.made[inside] = to
        if not to.exists():
            to.parent.mkdir(parents=True, exist_ok=True)
            make(path, to)
        return to

    def target(self, page, link):
        """What a link of a page of the site becomes."""
        parts = urlsplit(html.unescape(link))
        if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            return link
        place = Path(os.path.normpath(page.parent / unquote(parts.path)))
        if place.is_file() or not place.is_relative_to(self.site):
            return link
        inside = place.relative_to(self.site)
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        to = place / "index.html" if place.is_dir() else place.with_name("index.html")
        if not (to.is_file() and (place.is_dir() or place.name == "README.html")):
            path = self.root / inside
            # mdBook takes all Markdown for pages.
            if place.suffix == ".html" and not path.exists():
                path = path.with_suffix(".md")
            if not path.exists():
                return link  # the check finds it
            if self.repository and path.suffix not in _PICTURES:
                kind = "tree" if path.is_dir() else "blob"
                file = quote(path.relative_to(self.root).as_posix())
                return html.escape(f"{self.repository}/{kind}/HEAD/{file}{fragment}")
            to = self.put(path)
        return html.escape(quote(os.path.relpath(to, page.parent)) + fragment)

    def complete(self):
        """Completes the links of all pages of the site."""
        for page in sorted(self.site.rglob("*.html")):

            def completed(found, page=page):
                return f'{found[1]}="{self.target(page, found[2])}"'

            text = page.read_text(encoding="utf-8")
            new = _ATTRIBUTE.sub(completed, text)
            if new != text:
                page.write_text(new, encoding="utf-8")


def _replace(out, site):
    """Puts a built site in its place."""
    if out.exists():
        if not out.is_dir() or (any(out.iterdir()) and not (out / STAMP).exists()):
            raise BookError(f"{out} is there and no site: expected a new or an empty folder")
        shutil.rmtree(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(site, out)


def build(root, out, api=None):
    """Builds the site of a repository into a folder, which it replaces when all is done."""
    root, out = root.resolve(), Path(os.path.abspath(out))
    with tempfile.TemporaryDirectory(prefix="cotenant-site-") as folder:
        folder = Path(folder).resolve()
        prepare(root, folder, api)
        done = subprocess.run(
            [mdbook(), "build", "--dest-dir", folder / "site", folder],
            capture_output=True,
            text=True,
        )
        # What mdBook warns of is wrong in a page, such as an HTML tag that is not closed.
        warned = [line for line in done.stderr.splitlines() if re.search(r"\b(WARN|ERROR)\b", line)]
        if done.returncode or warned:
            raise BookError(f"mdbook: {done.stderr.strip()}")
        site = folder / "site"
        (site / STAMP).write_text("Written by scripts/site.\n", encoding="utf-8")
        Files(root, site, manifest(root)[1]).complete()
        if api:
            shutil.copytree(api, site / API)
        _replace(out, site)
