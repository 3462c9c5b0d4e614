"""What `cotenant export` wrote of a unit, and the wrapper that gives its ports two pins."""

import json
from dataclasses import dataclass
from pathlib import Path

from . import tools


@dataclass
class Design:
    """An exported unit; `sources` are relative to `folder`, the top module's last.

    Measurements are found again by `netlist`, the digest of the netlist that the Verilog was made
    from: of inputs, outputs, flops, memories and logic. Designs of the same digest are the same
    hardware, whatever their wires are called and however the Verilog is written.
    """

    folder: Path
    unit: str
    set: str
    aliases: list
    parameters: dict
    top: str
    netlist: str
    ports: list
    sources: list

    def text(self) -> str:
        """All of its Verilog."""
        return "".join((self.folder / name).read_text() for name in self.sources)

    def port(self, name: str) -> int:
        """The width of a port."""
        for port in self.ports:
            if port["verilog"] == name:
                return port["width"]
        raise tools.FpgaError(f"{self.unit} {self.set} has no port {name}")

    @property
    def clocked(self) -> bool:
        """It has a clock."""
        return any(port["clock"] for port in self.ports)


def export(unit: str, set_name: str, folder: Path) -> Design:
    """Exports a unit into `folder`, which is made."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    arguments = ["export", unit, "--config", set_name, "--unrolled", "--out", folder.resolve()]
    tools.cotenant(arguments)
    return read(folder)


def read(folder: Path) -> Design:
    """An export that is there."""
    about = json.loads((folder / "export.json").read_text())
    fields = ("unit", "set", "aliases", "parameters", "top", "netlist", "ports", "sources")
    return Design(folder, **{name: about[name] for name in fields})


def wrapper(design: Design, name: str) -> str:
    """Verilog of a module with the unit between flops: every input from a long shift register,
    every output into a register, which a second shift register takes over and shifts out."""
    inputs = [p for p in design.ports if p["direction"] == "input" and not p["clock"]]
    outputs = [p for p in design.ports if p["direction"] == "output"]
    n_in = sum(p["width"] for p in inputs)
    n_out = sum(p["width"] for p in outputs)
    if not n_in or not n_out:
        raise tools.FpgaError(f"{design.top} has {n_in} input and {n_out} output bits: no paths")
    links = [f".{p['verilog']}(clock)" for p in design.ports if p["clock"]]
    for ports, bus in ((inputs, "given"), (outputs, "answer")):
        place = 0
        for port in ports:
            links.append(f".{port['verilog']}({bus}[{place} +: {port['width']}])")
            place += port["width"]
    connections = ",\n      ".join(links)
    return f"""\
// {design.top} between flops; see scripts/lib/fpga/design.py.
module {name} (
    input wire clock,
    input wire data_in,
    input wire load,
    output wire data_out
);
  reg [{n_in - 1}:0] given;
  reg [{n_out - 1}:0] taken, leaving;
  wire [{n_out - 1}:0] answer;
  assign data_out = leaving[0];
  always @(posedge clock) begin
    given <= {{given, data_in}};
    taken <= answer;
    leaving <= load ? taken : leaving >> 1;
  end
  {design.top} unit (
      {connections}
  );
endmodule
"""
