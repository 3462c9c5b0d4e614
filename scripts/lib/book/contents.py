"""Which pages the book has, and in which order. They are found, never listed, so that none is
forgotten: a group's order is that in which its index links to them, then the rest by path."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
INTRODUCTION = "README.md"
TUTORIALS = "docs/tutorials"
UNITS = "docs/units"
WAVES = "docs/units/pictures.md"

# Folders of what is built.
_BUILT = {"target", "out", "node_modules"}
_LINK = re.compile(r"\]\(([^)#\s]+\.md)(?:#[^)]*)?\)")
_FENCE = re.compile(r"^(```+).*?^\1\s*$", re.MULTILINE | re.DOTALL)


class BookError(Exception):
    """The book cannot be built."""


@dataclass(frozen=True)
class Group:
    """A part of the book: its title and its pages, which are below the first if nested."""

    title: str
    pages: tuple
    nested: bool = False


def _is_page(path):
    """Whether a Markdown file is a page, not a part of a source's documentation."""
    return path.startswith("docs/") or "/" not in path or path.endswith("/README.md")


def pages(root):
    """The paths of all pages below a folder."""
    found = []
    for folder, below, files in os.walk(root):
        below[:] = [name for name in below if name not in _BUILT and not name.startswith(".")]
        inside = Path(folder).relative_to(root)
        found += [(inside / name).as_posix() for name in files if name.endswith(".md")]
    return sorted(path for path in found if _is_page(path))


def title(text, path):
    """A page's heading."""
    heading = re.search(r"^# +(.+?) *$", _FENCE.sub("", text), re.MULTILINE)
    if not heading:
        raise BookError(f"{path} has no heading: expected a line '# TITLE'")
    return heading[1]


def linked(text, path):
    """The pages that a page links to, in this order."""
    folder = os.path.dirname(path)
    targets = [os.path.normpath(os.path.join(folder, to)) for to in _LINK.findall(text)]
    return list(dict.fromkeys(targets))


def _ordered(group, index, root):
    """A group's pages: the index if it is one of them, those it links to, others."""
    order = [index]
    if (root / index).exists():
        order += linked((root / index).read_text(encoding="utf-8"), index)
    place = {path: number for number, path in enumerate(order)}
    return tuple(sorted(group, key=lambda path: (place.get(path, len(place)), path)))


def groups(root):
    """All pages except the introduction, each in one group."""
    left = [path for path in pages(root) if path != INTRODUCTION]
    if not (root / INTRODUCTION).exists():
        raise BookError(f"{root} has no {INTRODUCTION}: expected the repository")

    def take(within):
        taken = [path for path in left if within(path)]
        left[:] = [path for path in left if path not in taken]
        return taken

    def folder(name, index=None):
        group = take(lambda path: path.startswith(f"{name}/"))
        return _ordered(group, index or f"{name}/README.md", root)

    found = (
        Group("Tutorials", folder(TUTORIALS), nested=True),
        Group("Units", folder(UNITS), nested=True),
        Group("Reference", folder("docs", INTRODUCTION)),
        Group("Examples and parts", _ordered(take(lambda path: "/" in path), INTRODUCTION, root)),
        Group("Project", _ordered(left, INTRODUCTION, root)),
    )
    return [group for group in found if group.pages]


def summary(root, generated):
    """The text of SUMMARY.md, mdBook's list of pages. `generated` are pages that are not in the
    repository: the path and title of each, by the title of the group that it ends."""

    def line(path, name=None):
        name = name or title((root / path).read_text(encoding="utf-8"), path)
        return f"[{name}]({path})"

    lines = ["# Summary", "", line(INTRODUCTION, "Introduction")]
    for group in groups(root):
        lines += ["", f"# {group.title}", ""]
        index, *others = group.pages
        indent = "  " if group.nested and index.endswith("/README.md") else ""
        lines.append(f"- {line(index)}")
        lines += [f"{indent}- {line(path)}" for path in others]
        lines += [f"{indent}- {line(*page)}" for page in generated.get(group.title, ())]
    return "\n".join(lines) + "\n"


def waves_page(root):
    """A page of all units' waves, each above a link to its unit."""
    index = f"{UNITS}/README.md"
    names = [Path(path).stem for path in _ordered(pages(root), index, root)]
    names = [name for name in names if (root / UNITS / f"waves/{name}.svg").exists()]
    lines = [
        "# Waves of all units",
        "",
        "An example of each unit, run by netlist and golden model in lockstep. Its page explains it"
        " step by step.",
    ]
    for name in dict.fromkeys(names):
        lines += ["", f"## `{name}`", "", f"[Step by step, ports, area]({name}.md)"]
        lines += ["", f"![Waves of {name}](waves/{name}.svg)"]
    return "\n".join(lines) + "\n"
