"""The lines of each area's `mod.rs` that declare modules and re-export types.

They follow from the files beside it and from the registry. Macros could generate them, but rustfmt
and editors do not find modules that a macro declares, so the lines are written into the source.
A line that is there stays as it is, with its visibility; a missing line is added in its place,
and one whose file is gone is removed. For a new area, `mod.rs` and its line in the crate are made.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = "hdl/units/src/registry.rs"

_UNIT = re.compile(r"^ +(\w+): (\w+)::(\w+) \{", re.MULTILINE)
_MODULE = re.compile(r"^(?:(pub|pub\(crate\)) )?mod (\w+);\n", re.MULTILINE)
_HEADER = re.compile(r"^//!.*\n", re.MULTILINE)
_USE = re.compile(r"^pub use (\w+)::(?:\w+|\{[^}]*\});\n", re.MULTILINE)


@dataclass(frozen=True)
class Crate:
    """Where the areas of a crate are."""

    folder: str
    # The file that declares the areas.
    top: str
    # Visibility of a unit's module and of another one.
    visible: tuple
    # Whether units' types are re-exported, and those of their parts.
    types: bool
    parts: bool
    # The header of a new area.
    header: str


CRATES = (
    Crate(
        "golden/src",
        "lib.rs",
        ("pub ", "pub "),
        False,
        False,
        "//! Area `{}`: one behavioural model per hardware unit.\n",
    ),
    Crate(
        "hdl/units/src", "lib.rs", ("pub(crate) ", ""), True, True, "//! Units of the area `{}`.\n"
    ),
    Crate(
        "testbench/src/unit",
        "mod.rs",
        ("pub ", "pub "),
        True,
        False,
        "//! Area `{0}`; the same stems as in `cotenant_golden::{0}` and `cotenant_units::{0}`.\n",
    ),
)


def registered(text):
    """The type of each unit of the registry, by area and name."""
    return {(area, name): kind for name, area, kind in _UNIT.findall(text)}


def _stems(folder):
    """The modules whose files are in a folder."""
    files = {path.stem for path in folder.glob("*.rs")} - {"mod"}
    return files | {path.parent.name for path in folder.glob("*/mod.rs")}


def _runs(text, pattern):
    """The lines of a pattern, as lists of those that no other text is between."""
    runs = []
    for match in pattern.finditer(text):
        if runs and runs[-1][-1].end() == match.start():
            runs[-1].append(match)
        else:
            runs.append([match])
    return runs


def _put(text, pattern, line, like):
    """The text with a line of the pattern: in order among the first lines of which one is like it,
    or else behind all of the pattern, behind the modules or behind the header."""
    runs = _runs(text, pattern)
    run = next((run for run in runs if any(map(like, run))), None)
    if run:
        lines = [match.group() for match in run] + [line]
        lines.sort(key=lambda it: pattern.match(it)[pattern.groups])
        return text[: run[0].start()] + "".join(lines) + text[run[-1].end() :]
    behind = runs or _runs(text, _MODULE) or _runs(text, _HEADER)
    at = behind[-1][-1].end()
    return f"{text[:at]}\n{line}\n{text[at:]}"


def with_module(text, visibility, stem):
    """The text with the declaration of a module."""
    line = f"{visibility}mod {stem};\n"
    return _put(text, _MODULE, line, lambda it: it.group().split("mod ")[0] == visibility)


def completed(text, crate, area, stems, kinds, structs):
    """The text of an area's `mod.rs` with all lines that the files and the registry ask for.

    `kinds` are the types of the area's units and `structs` those of all files, by stem.
    """
    text = _MODULE.sub(lambda it: it.group() if it[2] in stems else "", text)
    gone = {it[1] for it in _USE.finditer(text)} - stems - {"cotenant_registers", "crate"}
    text = _USE.sub(lambda it: "" if it[1] in gone else it.group(), text)
    for stem in sorted(stems):
        declared = next((it for it in _MODULE.finditer(text) if it[2] == stem), None)
        unit, other = crate.visible
        if declared and stem in kinds and not declared[1]:
            # A part that became a unit.
            text = text.replace(declared.group(), "", 1)
            declared = None
        if not declared:
            text = with_module(text, unit if stem in kinds else other, stem)
        kind = kinds.get(stem) if crate.types else None
        if not kind and crate.parts:
            kind = structs.get(stem)
        if kind and all(it[1] != stem for it in _USE.finditer(text)):
            text = _put(text, _USE, f"pub use {stem}::{kind};\n", lambda it: it[1] in stems)
    # As rustfmt leaves it.
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


def _structs(folder, stems):
    """The type that is named as its file, of each file that has one."""
    found = {}
    for stem in stems:
        kind = "".join(word.capitalize() for word in stem.split("_"))
        path = folder / f"{stem}.rs"
        if path.exists() and f"pub struct {kind}" in path.read_text(encoding="utf-8"):
            found[stem] = kind
    return found


def wanted(root):
    """What each file should hold, by its path: those that are otherwise now."""
    units = registered((root / REGISTRY).read_text(encoding="utf-8"))
    areas = sorted({area for area, _ in units})
    changes = {}
    for crate in CRATES:
        place = root / crate.folder
        top = place / crate.top
        text = old = top.read_text(encoding="utf-8")
        for area in areas:
            folder = place / area
            if not folder.is_dir():
                continue
            if all(it[2] != area for it in _MODULE.finditer(text)):
                text = with_module(text, "pub ", area)
            path, stems = folder / "mod.rs", _stems(folder)
            before = path.read_text(encoding="utf-8") if path.exists() else None
            kinds = {name: kind for (of, name), kind in units.items() if of == area}
            start = crate.header.format(area) if before is None else before
            after = completed(start, crate, area, stems, kinds, _structs(folder, stems))
            if after != before:
                changes[path] = after
        if text != old:
            changes[top] = text
    return changes


def main(arguments=None, root=ROOT):
    """Runs the command; its exit code."""
    parser = argparse.ArgumentParser(prog="units", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit code 1 if a file would change"
    )
    chosen = parser.parse_args(arguments)
    changes = wanted(root)
    for path, text in changes.items():
        name = path.relative_to(root)
        if not chosen.check:
            path.write_text(text, encoding="utf-8")
            print(f"{name} is written")
            continue
        old = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        new = text.splitlines()
        for what, lines in (
            ("lacks", [line for line in new if line and line not in old]),
            ("has no file for", [line for line in old if line and line not in new]),
        ):
            for line in lines:
                print(f"{name} {what} '{line}'", file=sys.stderr)
    if chosen.check and changes:
        print("run scripts/units", file=sys.stderr)
        return 1
    return 0
