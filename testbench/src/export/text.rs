//! Files beside the Verilog: file list, Makefile, README.

use super::design::LICENSE;
use std::fmt::Write;

use super::manifest::{Manifest, PortEntry, VectorEntry, BUILD};

/// The design's files for `-f`, which Icarus, Verilator and most others read.
pub(super) fn file_list(manifest: &Manifest) -> String {
    let mut out = format!("// Design {}, top module last.\n", manifest.top);
    manifest.sources.iter().for_each(|file| {
        out.push_str(file);
        out.push('\n');
    });
    out
}

/// A module to simulate beside the testbench, which writes a waveform.
pub(super) fn waves(top: &str) -> String {
    format!(
        "// Writes {BUILD}/{top}.vcd while {top}_tb plays its vectors.\n\
         // SPDX-License-Identifier: {LICENSE}\n\n\
         module {top}_waves;\n  initial begin\n    $dumpfile(\"{BUILD}/{top}.vcd\");\n    \
         $dumpvars(0, {top}_tb);\n  end\nendmodule\n"
    )
}

/// Icarus warns where a block that reads an array runs whenever any word of it changes.
pub(super) const ENTIRE_ARRAY: &str = "-Wno-sensitivity-entire-array";

/// Rules for the testbenches.
pub(super) fn makefile(manifest: &Manifest) -> String {
    let Manifest { top, sources, .. } = manifest;
    let cycles = manifest
        .vectors
        .as_ref()
        .map_or(0, |vectors| vectors.cycles);
    let asserted = match manifest.loops && !manifest.assumptions.is_empty() {
        true => ASSERTIONS,
        false => "",
    };
    MAKEFILE
        .replace("@TOP@", top)
        .replace("@CYCLES@", &cycles.to_string())
        .replace("@SOURCES@", &sources.join(" "))
        .replace("-g2005 -Wall", &warnings(manifest))
        .replace("@ASSERTIONS@", asserted)
        .replace("@TOP@", top)
        .replace("@BUILD@", BUILD)
}

fn warnings(manifest: &Manifest) -> String {
    match manifest.loops {
        true => format!("-g2005 -Wall {ENTIRE_ARRAY}"),
        false => "-g2005 -Wall".into(),
    }
}

const MAKEFILE: &str = "\
# Checks @TOP@ against the vectors in this folder.
#
#   make icarus      play them in Icarus Verilog
#   make verilator   play them in Verilator
#   make waves       play them in Icarus and write @BUILD@/@TOP@.vcd
#   make lint        warnings of Verilator, Icarus and Yosys, each an error
#   make clean       remove what was made
#
# A run passes if its last line is PASS with the number of all cycles
# and how many of them were compared.

TOP := @TOP@
CYCLES := @CYCLES@
SOURCES := @SOURCES@

IVERILOG ?= iverilog
VVP ?= vvp
VERILATOR ?= verilator
VERILATOR_FLAGS ?= -O3
CXX_OPT ?= -O2
YOSYS ?= yosys

.DELETE_ON_ERROR:
.PHONY: all icarus verilator waves lint clean

all: icarus verilator

icarus: @BUILD@/$(TOP).vvp
\t$(VVP) -n $< | tee @BUILD@/icarus.log
\t@grep -qx 'PASS $(CYCLES) cycles, [1-9][0-9]* compared' @BUILD@/icarus.log

verilator: @BUILD@/verilator/V$(TOP)
\t$< | tee @BUILD@/verilator.log
\t@grep -qx 'PASS $(CYCLES) cycles, [1-9][0-9]* compared' @BUILD@/verilator.log

waves: @BUILD@/$(TOP)_waves.vvp
\t$(VVP) -n $< | tee @BUILD@/waves.log
\t@grep -qx 'PASS $(CYCLES) cycles, [1-9][0-9]* compared' @BUILD@/waves.log

@BUILD@/$(TOP).vvp: $(SOURCES) $(TOP)_tb.v
\t@mkdir -p $(@D)
\t$(IVERILOG) -g2005 -Wall -s $(TOP)_tb -o $@ $^

@BUILD@/$(TOP)_waves.vvp: $(SOURCES) $(TOP)_tb.v $(TOP)_waves.v
\t@mkdir -p $(@D)
\t$(IVERILOG) -g2005 -Wall -s $(TOP)_tb -s $(TOP)_waves -o $@ $^

@BUILD@/verilator/V$(TOP): $(SOURCES) $(TOP)_main.cpp
\t@mkdir -p $(@D)
\t+$(VERILATOR) --cc --exe --build -Wall $(VERILATOR_FLAGS) --top-module $(TOP) \\
\t  -MAKEFLAGS 'OPT_FAST=$(CXX_OPT) OPT_GLOBAL=$(CXX_OPT)' --Mdir $(@D) $(SOURCES) ../../$(TOP)_main.cpp

@ASSERTIONS@lint:
\t$(VERILATOR) --lint-only -Wall --top-module $(TOP) $(SOURCES)
\t@mkdir -p @BUILD@
\t$(IVERILOG) -g2005 -Wall -t null -s $(TOP) $(SOURCES) 2>&1 | tee @BUILD@/lint.log
\t@test ! -s @BUILD@/lint.log
\t$(YOSYS) -q -e . -p 'read_verilog $(SOURCES); hierarchy -check -top $(TOP); proc; check -assert'

clean:
\trm -rf @BUILD@
";

const ASSERTIONS: &str = "\
# Plays the vectors with the assertions about inputs.
.PHONY: assertions
assertions: @BUILD@/assertions/V$(TOP)
\t$< | tee @BUILD@/assertions.log
\t@grep -qx 'PASS $(CYCLES) cycles, [1-9][0-9]* compared' @BUILD@/assertions.log

@BUILD@/assertions/V$(TOP): $(SOURCES) $(TOP)_assert.sv $(TOP)_main.cpp
\t@mkdir -p $(@D)
\t+$(VERILATOR) --cc --exe --build -Wall --assert $(VERILATOR_FLAGS) --top-module $(TOP) \\
\t  -MAKEFLAGS 'OPT_FAST=$(CXX_OPT) OPT_GLOBAL=$(CXX_OPT)' --Mdir $(@D) $(SOURCES) $(TOP)_assert.sv ../../$(TOP)_main.cpp

";

/// What the folder holds, for people.
pub(super) fn readme(manifest: &Manifest) -> String {
    let Manifest { unit, set, top, .. } = manifest;
    let mut out = format!("# {unit} {set}\n\n");
    let parameters: Vec<String> = manifest
        .parameters
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let _ = writeln!(
        out,
        "Top module `{top}` ({}) in Verilog-2005.\n\
         Made by cotenant {}, netlist {}; do not edit, export again.\n\
         Licence: MIT OR Apache-2.0.",
        parameters.join(", "),
        env!("CARGO_PKG_VERSION"),
        manifest.netlist
    );
    out.push_str("\n## Use\n\n");
    let (targets, bench) = match manifest.vectors {
        Some(_) => (
            "`lint` and `sim`",
            " with the testbench for target `simulation`",
        ),
        None => ("`default` and `lint`", ""),
    };
    let _ = writeln!(
        out,
        "`files.f` lists the modules, each in a file of its name; `export.json` holds the same and \
         the ports for programs. `{top}.core` is a core of FuseSoC with the targets {targets}, \
         `Bender.yml` a package of Bender{bench}.\n\n\
         ```\niverilog -g2005 -s YOUR_TOP -f files.f YOUR_FILES\n\
         verilator --lint-only -Wall --top-module {top} -f files.f\n\
         yosys -p 'read_verilog {}; synth -top {top}'\n\
         fusesoc --cores-root . run --target lint cotenant:rtl:{top}\n\
         bender script flist\n```",
        manifest.sources.join(" ")
    );
    out.push_str("\n## Ports\n\n| port | direction | width | |\n|---|---|---|---|\n");
    for port in &manifest.ports {
        out.push_str(&row(port));
    }
    let sequential = manifest.ports.iter().any(|port| port.clock);
    if sequential {
        out.push_str("\nFlops take their values at the rising edge of the clock. ");
        out.push_str(&reset(manifest));
        out.push_str(
            " There is no `initial`. Outputs are valid before the edge that ends their cycle.\n",
        );
    } else {
        out.push_str("\nCombinational: no clock, no reset.\n");
    }
    out.push_str(&names(manifest));
    out.push_str(&renamed(&manifest.ports));
    if manifest.loops && !manifest.assumptions.is_empty() {
        out.push_str(&legal(manifest));
    }
    if !manifest.registers.is_empty() {
        let files: Vec<String> = manifest
            .registers
            .iter()
            .map(|f| format!("`{f}`"))
            .collect();
        let _ = writeln!(
            out,
            "\n## Registers\n\n{}: the same registers as SystemRDL, as C macros (for every \
             parameter set), as a table, and as an IP-XACT component with ports and bus interface.",
            files.join(", ")
        );
    }
    if let Some(vectors) = &manifest.vectors {
        out.push_str(&testbench(top, vectors));
    }
    out
}

/// What the reset does.
fn reset(manifest: &Manifest) -> String {
    let low = manifest.ports.iter().find(|port| port.active_low);
    let (name, level) = match low {
        Some(port) => (port.verilog.as_str(), "low"),
        None => ("reset", "high"),
    };
    match manifest.asynchronous {
        true => format!(
            "`{name}` is asynchronous and active {level}; it resets every flop at once. It may \
             begin at any time and must end in time before a rising edge: synchronise its end to \
             the clock."
        ),
        false => format!(
            "`{name}` is synchronous and active {level}; it resets every flop, and after one cycle \
             of it nothing is X."
        ),
    }
}

fn row(port: &PortEntry) -> String {
    let note = match port.elements {
        _ if port.clock => "clock".into(),
        1 => String::new(),
        n if n == port.width => format!("{n} bits, element 0 the lowest"),
        n => format!(
            "{n} values of {} bits, element 0 in the low bits",
            port.width / n
        ),
    };
    let PortEntry {
        verilog,
        direction,
        width,
        ..
    } = port;
    format!("| `{verilog}` | {direction} | {width} | {note} |\n")
}

/// What inputs are legal.
fn legal(manifest: &Manifest) -> String {
    let Manifest { top, .. } = manifest;
    let mut out = format!(
        "\n## Legal inputs\n\nWhat the unit does is defined for inputs of which all of this is \
         true. `{top}_assert.sv` has an assertion of each and binds them to the module: compile \
         it with the modules where the simulator has assertions (Verilator: `--assert`).\n\n\
         | assertion | |\n|---|---|\n"
    );
    for rule in &manifest.assumptions {
        let _ = writeln!(out, "| `{}` | {} |", rule.name, rule.text);
    }
    out
}

fn names(manifest: &Manifest) -> String {
    let arrays = match manifest.loops {
        true => {
            ". Arrays are arrays where a loop goes through them: the flop `matrix.count[3][2]` is the \
             word `matrix.count[3][2]`; otherwise, and in the names of ports, subscripts are \
             written with `_`."
        }
        false => ", with `_` for `.` and for subscripts: the flop `matrix.count[3][2]` is \
                  `matrix.count_3_2`.",
    };
    format!("\n## Names\n\nPorts, signals and instances have the names of the fields of the Rust block{arrays} {NAMES}")
}

const NAMES: &str = "A word that is reserved gets \
a `_` at its end: keywords of Verilog and SystemVerilog, since files are compiled as either; \
keywords of C++ and of its libraries and members of Verilator's model, since Verilator turns \
ports into members of a class (a port called `set` would not compile). Names that would differ in \
upper and lower case only, or be the same, get a number. A module is called after its block and \
its parameters.
";

fn renamed(ports: &[PortEntry]) -> String {
    let renamed = ports.iter().filter(|port| port.name != port.verilog);
    let list: Vec<String> = renamed
        .map(|port| format!("`{}` is `{}`", port.name, port.verilog))
        .collect();
    match list.is_empty() {
        true => "\nNo port of this unit had to be renamed.\n".into(),
        false => format!("\nRenamed here: {}.\n", list.join(", ")),
    }
}

fn testbench(top: &str, vectors: &VectorEntry) -> String {
    let VectorEntry {
        cycles,
        reset_cycles,
        seed,
        profile,
    } = vectors;
    let reset = match reset_cycles {
        0 => String::new(),
        n => format!(", the first {n} of them reset"),
    };
    format!(
        "\n## Testbench\n\n\
         `make icarus` and `make verilator` play {cycles} cycles{reset}, compare every output \
         after the first cycle of reset and print `PASS {cycles} cycles` and how many were compared, \
         or what differs and `FAIL`; a run that compared nothing fails. `make` does \
         both, `make waves` writes `{BUILD}/{top}.vcd`, `make lint` runs the linters.\n\n\
         | file | |\n|---|---|\n\
         | `{top}_tb.v` | testbench in Verilog-2005; an X is a mismatch |\n\
         | `{top}_main.cpp` | the same for Verilator |\n\
         | `{top}.vec` | inputs and expected outputs, one line per cycle; its head names the columns |\n\
         | `{top}_waves.v` | writes the waveform |\n\n\
         The expected outputs are those of the golden model, and the netlist gave the same in the \
         run that made them (stimulus `{profile}`, seed {seed}). They suit any other implementation \
         with these ports, too.\n"
    )
}

#[cfg(test)]
mod tests {
    //! Rationale: a renamed port is what a user stumbles over, and no unit has one at present; the
    //! README must name it all the same.
    use super::*;

    #[test]
    fn renamed_ports_are_named() {
        let port = |name: &str, verilog: &str| PortEntry {
            name: name.into(),
            verilog: verilog.into(),
            direction: "input".into(),
            width: 4,
            elements: 1,
            clock: false,
            active_low: false,
            constant: None,
        };
        assert!(renamed(&[port("way", "way")]).contains("No port"));
        let text = renamed(&[port("way", "way"), port("set", "set_")]);
        assert!(
            text.contains("`set` is `set_`") && !text.contains("way"),
            "{text}"
        );
        assert!(row(&port("set", "set_")).starts_with("| `set_` | input | 4 |"));
    }
}
