"""How fast the issue path of a QBMI is by itself: without the blocks that make its quotas."""

import re
from pathlib import Path

from . import design, records, tools
from .family import ECP5

# Off the issue path: what measures ratios and what makes a set of quotas of them.
BESIDE = ("quota_unit", "request_ratio")

_PORT = re.compile(r"^ +(input|output) wire (?:\[(\d+):0\] )?(\w+),?$", re.M)


def stand_in(verilog: str) -> str:
    """A module with the ports of this one, whose inputs end in flops and whose outputs begin in
    some; a chain leads from these to those, so that none is dropped."""
    name = re.search(r"^module (\w+)", verilog, re.M)[1]
    header = verilog[: verilog.index(");")]
    ports = [(way, int(high or 0) + 1, port) for way, high, port in _PORT.findall(header)]
    inputs = [port for port in ports if port[0] == "input" and port[2] != "clock"]
    outputs = [port for port in ports if port[0] == "output"]
    if not inputs or not outputs:
        raise tools.FpgaError(f"{name}: expected inputs and outputs, a line each")
    taken, given = (sum(port[1] for port in side) for side in (inputs, outputs))
    listed = ",\n".join(f"    {way} wire [{width - 1}:0] {port}" for way, width, port in ports)
    return f"""\
module {name} (
{listed}
);
  reg [{taken - 1}:0] taken, mixed;
  reg [{given - 1}:0] given;
  assign {{{", ".join(port[2] for port in outputs)}}} = given;
  always @(posedge clock) begin
    taken <= {{{", ".join(port[2] for port in inputs)}}};
    mixed <= {{mixed, 1'b0}} ^ taken;
    given <= {{given, mixed[{taken - 1}]}};
  end
endmodule
"""


def path(chosen):
    """Prints the MHz of the placer's seeds, and the cells that are left; gives them to be
    recorded."""
    unit, _, name = chosen.what.partition(":")
    work = chosen.out or Path("out/fpga/path")
    with tools.claimed(work):
        return _measured(unit, name, work, chosen.seeds)


def _measured(unit, name, work, seeds):
    one = design.export(unit, name, work / "verilog")
    for block in BESIDE:
        files = [file for file in one.sources if file.startswith(f"{block}_")]
        if not files:
            raise tools.Missed(f"{one.top} has no {block}: nothing to measure it without")
        for file in files:
            source = one.folder / file
            source.write_text(stand_in(source.read_text()))
    entry, speed = records.placed(ECP5, one, work, seeds)
    cells = entry["cells"]
    print(
        f"{unit} {one.set}, {ECP5.title}: {speed}, "
        f"{cells['COMB']} COMB, {cells['FF']} FF with registers for {' and '.join(BESIDE)}"
    )
    registers = " and ".join(f"`{block}`" for block in BESIDE)
    return entry | {"part": f"the issue path, with registers for {registers}", "netlist": one.netlist}
