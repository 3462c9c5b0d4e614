"""What was measured, in docs/fpga/FAMILY.json: found again by the digest of the netlist."""

import itertools
import json
import os
import statistics
from pathlib import Path

from . import tools
from .design import wrapper
from .family import FAMILIES, Family

# Placements of a row, each with a seed of its own.
SEEDS = 3
FOLDER = tools.ROOT / "docs" / "fpga"


class Records:
    """The measurements of a family, and with what they were made."""

    def __init__(self, family: Family, folder: Path):
        self.family = family
        self.path = folder / f"{family.name}.json"
        self.head = {}
        self.entries = {}
        if self.path.exists():
            self.head, self.entries = self._read()

    def _read(self):
        try:
            text = json.loads(self.path.read_text())
            entries = {(entry["unit"], entry["set"]): entry for entry in text["records"]}
            return text["head"], entries
        except (ValueError, KeyError, TypeError) as error:
            raise tools.FpgaError(
                f"{self.path} is no file of measurements ({error!r}): "
                "restore it, or remove it to measure all again"
            ) from error

    def begin(self):
        """States tools and flow; what others measured is forgotten."""
        head = {
            "schema": 3,
            "family": self.family.name,
            "device": self.family.device,
            "tools": [tools.version("yosys"), tools.version(self.family.placer[0])],
            "synthesis": self.family.synthesis,
            "ways": self.family.ways,
            "goal_mhz": self.family.goal,
        }
        if self.entries and head != self.head:
            print(f"{self.path.name}: other tools or another flow: all is measured again")
            self.entries = {}
        self.head = head

    def of(self, design) -> dict | None:
        """The measurement of this very netlist."""
        entry = self.entries.get((design.unit, design.set))
        return entry if entry and entry["netlist"] == design.netlist else None

    def put(self, entry: dict):
        """Keeps an entry and writes the file."""
        self._reread()
        self.entries[entry["unit"], entry["set"]] = entry
        self._write()

    def drop(self, design):
        """Forgets what was measured of another netlist."""
        self._reread()
        if self.entries.pop((design.unit, design.set), None):
            self._write()

    def _reread(self):
        """Another run may have measured, too."""
        if self.path.exists():
            head, entries = self._read()
            if head == self.head:
                self.entries = entries

    def _write(self):
        """One entry per line, so that changes can be read."""
        lines = [json.dumps(self.entries[key]) for key in sorted(self.entries)]
        text = json.dumps(self.head) + ',\n  "records": [\n    ' + ",\n    ".join(lines)
        write(self.path, '{\n  "head": ' + text + "\n  ]\n}\n")


def write(path: Path, text: str):
    """Beside, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".part{os.getpid()}")
    part.write_text(text)
    part.rename(path)


def noted(folder: Path, what: str) -> dict:
    """What was recorded of the demos, by board, or of parts measured apart, by name."""
    path = folder / f"{what}.json"
    try:
        return json.loads(path.read_text()) if path.exists() else {}
    except ValueError as error:
        raise tools.FpgaError(f"{path} is no JSON ({error}): restore it, or remove it") from error


def note(folder: Path, what: str, name: str, entry: dict):
    """Keeps the figures of a demo or a part."""
    entries = noted(folder, what) | {name: entry}
    write(folder / f"{what}.json", json.dumps(dict(sorted(entries.items())), indent=2) + "\n")


def _identity(design) -> dict:
    entry = {key: getattr(design, key) for key in ("unit", "set", "aliases")}
    return entry | {"netlist": design.netlist}


def _not_kept(_found):
    """Of a measurement that is not kept until it is whole."""


def measure(
    family: Family, design, folder: Path, entry: dict | None, seeds: int, keep=_not_kept
) -> dict:
    """A unit, synthesised in each way of the family; what `entry` has is not measured again. `keep`
    is given the entry so far after each seed, which may take minutes."""
    ways = dict(entry["ways"]) if entry else {}
    for way in family.ways:

        def keep_way(found, way=way):
            keep(_identity(design) | {"ways": ways | {way: found}})

        ways[way] = figures(family, design, folder, way, ways.get(way), seeds, keep_way)
    return _identity(design) | {"ways": ways}


def figures(
    family: Family,
    design,
    folder: Path,
    way: str,
    known: dict | None,
    seeds: int,
    keep=_not_kept,
) -> dict:
    """Area of the unit alone; MHz between flops, of the seeds that `known` lacks."""
    name = f"{family.name}_{design.unit}_{design.set}"
    if way != family.first():
        name += f".{way}"
    found = {"cells": {}, "mhz": {}} if known is None else known | {"mhz": dict(known["mhz"])}
    if known is None:
        unit = f"{name}.unit"
        family.synthesise(folder, _paths(design), design.top, unit, way=way)
        cells = family.pack_only(folder, unit)
        found["cells"] = {heading: used for heading, (used, _) in cells.items()}
        found["cells"] |= family.counted(folder / f"{unit}.json")
        over = [f"{used} of {most} {what}" for what, (used, most) in cells.items() if used > most]
        if over:
            found["misfit"] = ", ".join(over)
    if _complete(found, seeds):
        return found
    (folder / f"{name}.wrapper.v").write_text(wrapper(design, "wrapper"))
    sources = [*_paths(design), f"{name}.wrapper.v"]
    family.synthesise(folder, sources, "wrapper", name, way=way)
    for seed in itertools.count(1):
        if found["mhz"] or "unrouted" in found:
            keep(found)
        if _complete(found, seeds):
            return found
        if str(seed) in found["mhz"] or str(seed) in found.get("unrouted", []):
            continue
        try:
            mhz, said = family.place(folder, name, seed, family.goal)
        except tools.Endless:
            found["unrouted"] = [*found.get("unrouted", []), str(seed)]
            continue
        if mhz is None:
            found["misfit"] = f"not placed: {said}"
            found["mhz"] = {}
        else:
            found["mhz"][str(seed)] = round(mhz, 1)


def _complete(found: dict, seeds: int) -> bool:
    """It does not fit, or as many seeds were placed; another seed takes the place of one that the
    router did not come to an end with, up to as many again."""
    tried = len(found["mhz"]) + len(found.get("unrouted", []))
    return "misfit" in found or len(found["mhz"]) >= seeds or tried >= 2 * seeds


def lacking(family: Family, entry: dict, seeds: int) -> list:
    """Ways that are not measured, or with fewer seeds."""
    ways = entry["ways"]
    return [way for way in family.ways if way not in ways or not _complete(ways[way], seeds)]


def better(family: Family, entry: dict) -> str:
    """The way with the smallest product of area and period; the first one of equals."""

    def product(way):
        found = entry["ways"][way]
        if "misfit" in found or not found["mhz"]:
            return float("inf")
        return found["cells"][family.area] / median(found)

    return min((way for way in family.ways if way in entry["ways"]), key=product)


def _paths(design):
    return [f"{design.folder.name}/{source}" for source in design.sources]


def median(found: dict) -> float:
    """Of the seeds' MHz."""
    return statistics.median(found["mhz"].values())


def placed(family: Family, design, folder: Path, seeds: int) -> tuple:
    """A measurement that is not kept in the table, and its MHz in words; it must fit."""
    found = figures(family, design, folder, family.first(), None, seeds)
    if "misfit" in found:
        raise tools.Missed(f"{design.top}: {found['misfit']}")
    each = ", ".join(f"{mhz:.1f}" for mhz in found["mhz"].values())
    return _identity(design) | found, f"{median(found):.1f} MHz (of {each})"


def all_records(folder: Path) -> dict:
    """By family."""
    return {name: Records(family, folder) for name, family in FAMILIES.items()}
