"""docs/asic.md, from the records."""

from . import library, sta
from .records import ROOT
from .units import LARGEST

PAGE = ROOT / "docs/asic.md"

# ASSUMPTION: a bit of the cache's arrays is a six-transistor cell of 146 squares of the feature
# size, as CACTI has it (HewlettPackard/cacti, technology.cc, curr_area_cell_sram).
SQUARES = 146
FEATURE_UM = 0.18

HEAD = """\
# ASIC synthesis results

<!-- Written by `scripts/asic table` from asic/records.json; do not edit. -->

Each unit mapped to {library}, Oklahoma State University's standard cells for a 0.18 um process (Debian package `qflow-tech-osu018`). Each mapped netlist was simulated with the unit's vectors in Icarus Verilog: every output equals that of the golden model in every cycle; an X is a mismatch.

```sh
scripts/asic run gdcu --config table-1
```

synthesises any unit and parameter set and prints these numbers. Tools: {tools}; vectors of {cycles} cycles, seed {seed:#x}.

- *NAND2*: NAND2 equivalents, the area of all cells divided by that of `{nand2}`, {nand2_um2:g} um2. Excludes wires, clock tree and space between cells. `cotenant area` gives larger numbers because it counts two-input AND operations, several of which fit into one cell.
- *slack*: worst slack at a clock period of {period:g} ns ({mhz:.0f} MHz), for which abc sized and buffered the cells; negative if the unit is slower. Typical process, 1.8 V, 25 °C; ideal clock, no wires; inputs arrive with the clock edge through a `{driver}`, outputs drive {load:g} pF. For a unit without a clock: from input to output.
- *path*: longest path, the period minus the slack.
- *power*: at that period, with the switching activity of each cell's output in the vectors (*activity*: mean number of transitions per net and cycle, without glitches). Most of it is the clock input of the flops, as there is no clock gating. Excludes wires and clock tree.
- *record*: first digits of the digest of the netlist that was measured.

| unit | parameter set | cells | flops | area, um2 | NAND2 | slack, ns | path, ns | power, mW | activity | record |
|---|---|---|---|---|---|---|---|---|---|---|
"""

ARRAYS = """
## Compared with the cache's arrays

Bits and area of {units} relative to the tag and data arrays of an L2 with {cache}.
ASSUMPTION: a bit of the arrays takes {squares} squares of the feature size, CACTI's six-transistor cell (HewlettPackard/cacti, technology.cc), at {feature:g} um {bit:.2f} um2; only cells are counted on both sides: the arrays without decoders and sense amplifiers, the units without wires. The shares of area are larger than those of bits because a flop takes {flop:g} um2, and because the units contain adders, snapshot registers and a read port in addition to the counters. `gdcu` and `plob` are for a cache whose LRU bits and owners they can see; `llc_monitor` needs nothing of the cache but its requests, and has tags, owners and LRU bits of its own for that, in RAM.

| unit | parameter set | copies | bits | NAND2 | share of bits | share of area |
|---|---|---|---|---|---|---|
"""


def bit_um2() -> float:
    """Area of a bit of the cache's arrays."""
    return SQUARES * FEATURE_UM**2


def area_share(entry: dict, record: dict) -> float:
    """A unit's area in all its copies over that of the cache's tag and data bits."""
    arrays = (entry["tag_bits"] + entry["data_bits"]) * bit_um2()
    return record["area_um2"] * entry["copies"] / arrays


def _row(record, period):
    aliases = f" ({', '.join(record['aliases'])})" if record["aliases"] else ""
    return (
        f"| [`{record['unit']}`](units/{record['unit']}.md) | {record['set']}{aliases}"
        f" | {record['cells']} | {record['flops']} | {record['area_um2']:.0f}"
        f" | {record['nand2']:.0f} | {record['slack_ns']:.2f}"
        f" | {period - record['slack_ns']:.2f} | {record['power_mw']['total']:.3g}"
        f" | {record['activity']:.3f} | {record['netlist'][:8]} |\n"
    )


def _arrays(data):
    records = {(one["unit"], one["set"]): one for one in data["records"]}
    # A table that was stopped before its end has some of neither. What is left out for its RAM has
    # bits, but no area.
    left_out = {(one["unit"], one["set"]) for one in data["left_out"]}
    entries = [one for one in data["arrays"] if (one["unit"], one["set"]) in {*records, *left_out}]
    if not entries:
        return ""
    cache = entries[0]["cache"]
    size = (
        f"{cache['sets']} sets of {cache['ways']} lines of {cache['line']} bytes in"
        f" {cache['banks']} banks, {cache['address_bits']}-bit addresses"
    )
    text = ARRAYS.format(
        units=", ".join(f"`{entry['unit']}`" for entry in entries),
        cache=size,
        squares=SQUARES,
        feature=FEATURE_UM,
        bit=bit_um2(),
        flop=library.areas()[library.FLOPS[0]],
    )
    for entry in entries:
        record = records.get((entry["unit"], entry["set"]))
        nand2, area = "excluded", "excluded"
        if record:
            nand2 = f"{record['nand2'] * entry['copies']:.0f}"
            area = f"{area_share(entry, record) * 100:.2f} %"
        text += (
            f"| `{entry['unit']}` | {entry['set']} | {entry['copies']}, {entry['copies_are']}"
            f" | {entry['unit_bits'] * entry['copies']}"
            f" | {nand2} | {entry['share'] * 100:.3f} % | {area} |\n"
        )
    return text


def _left_out(data):
    if not data["left_out"]:
        return ""
    lines = [
        f"- `{one['unit']}` {one['set']}: {one['flop_bits']} flops, {one['ram_bits']} RAM bits\n"
        for one in data["left_out"]
    ]
    return (
        "\n## Excluded\n\n"
        f"The library has no RAM, and the area of a RAM built from flops is not meaningful. Units with more than"
        f" {LARGEST} bits of flops and RAM are excluded; smaller ones have their RAM in flops.\n\n"
        + "".join(lines)
    )


def _unmeasured(data):
    if not data["unmeasured"]:
        return ""
    names = ", ".join(f"`{one['unit']}` {one['set']}" for one in data["unmeasured"])
    return (
        "\n## Not measured\n\n"
        f"Changed since the last run of `scripts/asic table`: {names}.\n"
    )


def page(data: dict) -> str:
    """The page's text."""
    period = data["period_ns"]
    text = HEAD.format(
        library=data["library"]["name"],
        tools=", ".join(f"{name} {version}" for name, version in data["tools"].items()),
        cycles=data["cycles"],
        seed=data["seed"],
        period=period,
        mhz=1000 / period,
        nand2=library.NAND2,
        nand2_um2=library.areas()[library.NAND2],
        driver=library.DRIVER,
        load=sta.LOAD,
    )
    text += "".join(_row(record, period) for record in data["records"])
    return text + _arrays(data) + _left_out(data) + _unmeasured(data)
