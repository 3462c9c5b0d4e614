"""The table of docs/fpga.md: measures what is missing, writes it, checks it."""

import difflib
import json
import shutil
from pathlib import Path

from . import design, records, tools

PAGE = tools.ROOT / "docs" / "fpga.md"
TABLE = ("<!-- begin: table, written by scripts/fpga table -->", "<!-- end: table -->")
PARTS = ("<!-- begin: parts, written by scripts/fpga with --record -->", "<!-- end: parts -->")
DEMO = ("<!-- begin: demo, written by scripts/fpga demo --record -->", "<!-- end: demo -->")

# Sets without an alias that the table has, too: what is compared with SafeSU, and banks of 16 ways,
# since the named sets of so many ways fit neither device.
EXTRA = {
    ("gdcu", "16x4x32"),
    ("gdcu", "16x4x32s2"),
    ("gdcu", "16x4x32s3"),
    ("llc_monitor", "16x4x16x1"),
    ("llc_monitor", "16x4x16x1s2"),
    ("llc_monitor", "16x4x64x1"),
    ("llc_monitor", "16x4x64x1s2"),
    ("llc_monitor", "16x4x64x1s2r1"),
}


def wanted(only, everything: bool) -> list:
    """(unit, set) in the order of `cotenant list`."""
    units = json.loads(tools.cotenant(["list", "--json"]))["units"]
    known = {(unit["name"], entry["name"]): entry for unit in units for entry in unit["sets"]}
    if only:
        pairs = []
        for name in only:
            unit, _, set_name = name.partition(":")
            found = [
                (u, s)
                for (u, s), entry in known.items()
                if u == unit and (not set_name or set_name in (s, *entry["aliases"]))
            ]
            if not found:
                raise tools.FpgaError(f"'{name}' is no UNIT:SET that cotenant list names")
            pairs += found
        return pairs
    return [key for key, entry in known.items() if everything or entry["aliases"] or key in EXTRA]


def measure(chosen):
    """Measures what the data lacks, the smallest Verilog first, and writes the table."""
    work = chosen.out or Path("out/fpga/table")
    with tools.claimed(work):
        work.mkdir()
        _measure(chosen, work)


def _measure(chosen, work):
    data = records.all_records(chosen.data)
    for name in chosen.families:
        data[name].begin()
    pairs = wanted(chosen.only, chosen.all or chosen.forget)
    if chosen.forget:
        pairs = [key for key in pairs if any(key in data[name].entries for name in chosen.families)]
    exports = [design.export(unit, name, work / f"{unit}_{name}") for unit, name in pairs]
    for one in sorted(exports, key=lambda one: len(one.text())):
        for name in chosen.families:
            entry = data[name].of(one)
            if entry is None:
                data[name].drop(one)
            if chosen.forget:
                continue
            family = data[name].family
            if entry and not records.lacking(family, entry, chosen.seeds):
                continue
            entry = records.measure(family, one, work, entry, chosen.seeds, data[name].put)
            data[name].put(entry)
            for way, found in entry["ways"].items():
                said = f"{found['cells']} {_speed(found)}"
                print(f"{name} {one.unit} {one.set} {way}: {said}", flush=True)
    write_page(chosen.page, chosen.data)


def check(chosen):
    """The page's table is that of the data, and the data are of today's netlists."""
    page = chosen.page.read_text()
    right = _filled(chosen.page, chosen.data)
    work = chosen.out or Path("out/fpga/check")
    with tools.claimed(work):
        pairs, wrong = _disagreements(chosen, work)
        shutil.rmtree(work)
    if page != right:
        lines = difflib.unified_diff(page.splitlines(), right.splitlines(), lineterm="", n=0)
        wrong.insert(0, "\n".join(["the table is not that of the data:", *list(lines)[2:]]))
    if wrong:
        raise tools.Missed("\n".join([*wrong, "run scripts/fpga table"]))
    print(f"{len(pairs)} parameter sets: the table and today's netlists agree with the data")


def _disagreements(chosen, work):
    """The sets, and where the data are not of today's netlists."""
    data = records.all_records(chosen.data)
    wrong = []
    pairs = wanted(chosen.only, chosen.all)
    for unit, set_name in pairs:
        today = design.export(unit, set_name, work / f"{unit}_{set_name}")
        for name in chosen.families:
            entry = data[name].entries.get((unit, set_name))
            if entry is None:
                wrong.append(f"{name} {unit} {set_name}: not measured")
            elif entry["netlist"] != today.netlist:
                wrong.append(
                    f"{name} {unit} {set_name}: measured of netlist {entry['netlist']}, "
                    f"today's is {today.netlist}"
                )
            else:
                lacking = records.lacking(data[name].family, entry, 1)
                wrong += [f"{name} {unit} {set_name} {way}: not measured" for way in lacking]
    kept = [] if chosen.only else list(records.noted(chosen.data, "demo").items())
    kept = [(f"demo {name}", entry | {"unit": "llc_monitor"}) for name, entry in kept]
    # Measured again in seconds, so all values are current.
    kept += records.noted(chosen.data, "part").items()
    for name, entry in kept:
        folder = work / name.replace(" ", "_")
        today = design.export(entry["unit"], entry["set"], folder).netlist
        if entry["netlist"] != today:
            wrong.append(f"{name}: made of netlist {entry['netlist']}, today's is {today}")
    return pairs, wrong


def table(data: dict) -> str:
    """Markdown; one row per parameter set, both families."""
    heads = [
        f"{one.head['device']}: {', '.join(one.head['tools'])}" for one in data.values() if one.head
    ]
    keys = list(dict.fromkeys(key for one in data.values() for key in one.entries))
    # What cotenant no longer lists is not shown.
    everything = wanted(None, True)
    keys = [key for key in keys if key in everything]
    order = list(dict.fromkeys(unit for unit, _ in everything))
    keys.sort(key=lambda key: (order.index(key[0]), _size(data, key)))
    rows = [
        "; ".join(heads) + ".",
        "",
        "| unit | set | iCE40 LC | FF | RAM | MHz "
        "| ECP5 COMB | FF | RAM | MHz | LUTs | the other way |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for key in keys:
        entries = [one.entries.get(key) for one in data.values()]
        about = next(entry for entry in entries if entry)
        cells = [
            cell
            for one, entry in zip(data.values(), entries)
            for cell in _cells(one.family, entry)
        ]
        rows.append(f"| `{key[0]}` | `{key[1]}`{_aliases(about)} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _size(data, key):
    """To sort by: cells of either family, in its first way."""
    found = [
        entry["ways"][one.family.first()]["cells"][one.family.area]
        for one in data.values()
        if (entry := one.entries.get(key))
    ]
    return found[-1]


def _cells(family, entry):
    if entry is None:
        return ["", "", "", "not measured"] + ["", ""] * (len(family.ways) > 1)
    best = records.better(family, entry)
    found = entry["ways"][best]
    shown = [str(found["cells"][column]) for column in (family.area, "FF", "RAM")]
    shown.append(_speed(found))
    for way in family.ways:
        if way != best:
            other = entry["ways"].get(way)
            speed = f"{other['cells'][family.area]}, {_speed(other)}" if other else "not measured"
            shown += [best, f"{way}: {speed}"]
    return shown


def _speed(found):
    """MHz, or why there are none."""
    if "misfit" not in found:
        return _mhz(found)
    # The unit alone is too large, or it is with the registers around; in a cell of the table.
    said = found["misfit"].replace("|", "\\|")
    if said.startswith("not placed"):
        return said.replace("not placed", "does not fit with the registers around", 1)
    return f"does not fit: {said}"


def _aliases(entry):
    return f" ({', '.join(entry['aliases'])})" if entry["aliases"] else ""


def _mhz(found):
    """The median of the seeds, and how far they spread; nothing if none was placed."""
    stuck = found.get("unrouted", [])
    seeds = f"seed{'s' if len(stuck) > 1 else ''} {', '.join(stuck)}"
    missed = f"; {seeds} not routed" if stuck else ""
    placed = len(found["mhz"])
    if not stuck and 0 < placed < records.SEEDS:
        missed = f"; {placed} of {records.SEEDS} seeds"
    if not found["mhz"]:
        return missed.removeprefix("; ")
    slowest, fastest = (f"{pick(found['mhz'].values()):.0f}" for pick in (min, max))
    spread = f" ({slowest} to {fastest})" if slowest != fastest else ""
    return f"{records.median(found):.0f}{spread}{missed}"


def demo_rows(entries: dict) -> str:
    """Markdown; one row per board."""
    rows = [
        "| board | monitor | cells | MHz | the board's clock | tools |",
        "|---|---|---|---|---|---|",
    ]
    for entry in entries.values():
        cells = ", ".join(f"{used} of {most} {name}" for name, (used, most) in entry["cells"].items())
        tail = f"{entry['mhz']:.0f} | {entry['clock_mhz']:.0f} MHz | {', '.join(entry['tools'])}"
        rows.append(f"| {entry['title']} | `{entry['set']}` | {cells} | {tail} |")
    return "\n".join(rows)


def part_rows(entries: dict) -> str:
    """Markdown; one row per part that is measured apart, on the ECP5."""
    rows = ["| of | set | what | COMB | FF | MHz | tools |", "|---|---|---|---|---|---|---|"]
    for entry in entries.values():
        cells = f"{entry['cells']['COMB']} | {entry['cells']['FF']} | {_mhz(entry)}"
        which = f"`{entry['unit']}` | `{entry['set']}`{_aliases(entry)}"
        rows.append(f"| {which} | {entry['part']} | {cells} | {', '.join(entry['tools'])} |")
    return "\n".join(rows)


def write_page(path: Path, data: Path):
    """The tables of the page, from the data."""
    records.write(path, _filled(path, data))


def _filled(path: Path, folder: Path) -> str:
    page = path.read_text()
    texts = {
        TABLE: table(records.all_records(folder)),
        PARTS: part_rows(records.noted(folder, "part")),
        DEMO: demo_rows(records.noted(folder, "demo")),
    }
    for (begin, end), text in texts.items():
        if page.count(begin) != 1 or page.count(end) != 1:
            raise tools.FpgaError(f"{path}: expected the lines '{begin}' and '{end}', once each")
        head, rest = page.split(begin)
        page = f"{head}{begin}\n{text}\n{end}{rest.split(end)[1]}"
    return page
