//! Equivalence proofs between exported Verilog and the netlist, by tools that share no code with
//! either.
//!
//! Yosys reads the Verilog back and writes gates; flops and RAMs are opened on
//! both sides ([`opened`], [`crate::blif::combinational`]) and matched by
//! name; abc proves each output, each flop's next value and what is read and
//! written of each RAM equal for all inputs and all states (address and data
//! of a write matter only where a bit is written). Together with equal state
//! names and one clock that is sequential equivalence, from any common start.
//!
//! An asynchronous reset is read as one at the clock's edge; that the flops take
//! their values earlier is all that is not compared. A reset port that is active
//! low is compared with the inverse of the netlist's.
//!
//! Yosys (`yosys`, 0.23 or newer) and abc (`berkeley-abc` or `yosys-abc`) are
//! searched for on the path.

mod open;
mod read;

pub use open::opened;

use crate::blif::{self, Names};
use crate::verilog::Design;
use crate::Netlist;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names under which abc is installed.
const ABC: [&str; 2] = ["berkeley-abc", "yosys-abc"];

/// Why two descriptions were not compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A tool that is not installed, or does not start.
    #[error("{tool} does not start ({source}): install it, or put it on the path")]
    Tool {
        /// The tool.
        tool: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A tool that gave up.
    #[error("{tool} failed: {message}")]
    Failed {
        /// The tool.
        tool: String,
        /// The end of what it printed.
        message: String,
    },
    /// A file that cannot be read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The two have different ports, flops or RAMs.
    #[error("the Verilog does not match the netlist: {0}")]
    Structure(String),
}

/// Outcome of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every output, next value and access to a RAM is equal for all inputs and states.
    Equal {
        /// How many bits were compared.
        bits: usize,
    },
    /// Some are not.
    Different {
        /// What abc says of them.
        report: String,
    },
}

/// Names of the netlist's parts as the exported design has them.
///
/// # Errors
/// [`Error::Structure`] if the design was not made from this netlist.
pub fn names(netlist: &Netlist, design: &Design) -> Result<Names, Error> {
    let missing = |what: &str| Error::Structure(format!("'{what}' is not in the exported design"));
    let port = |name: &str| {
        let found = design.ports.iter().find(|p| p.name == name);
        found
            .map(|p| p.verilog.clone())
            .ok_or_else(|| missing(name))
    };
    let state = |name: &str| {
        let found = design.regs.iter().find(|s| s.name == name);
        found.map(|s| s.flat.clone()).ok_or_else(|| missing(name))
    };
    Ok(Names {
        model: design.top.clone(),
        clock: netlist.clock.as_deref().map(port).transpose()?,
        inputs: netlist
            .inputs
            .iter()
            .map(|i| port(&i.name))
            .collect::<Result<_, _>>()?,
        outputs: netlist
            .outputs
            .iter()
            .map(|o| port(&o.name))
            .collect::<Result<_, _>>()?,
        regs: netlist
            .regs
            .iter()
            .map(|r| state(&r.name))
            .collect::<Result<_, _>>()?,
        rams: netlist
            .rams
            .iter()
            .map(|r| state(&r.name))
            .collect::<Result<_, _>>()?,
    })
}

/// The commands by which Yosys turns Verilog files into a BLIF of gates,
/// flops and memories, removing nothing.
///
/// `resets` is a file that says what an asynchronous reset is to be read as, if there is one.
pub fn yosys_script(files: &[PathBuf], top: &str, resets: Option<&Path>, blif: &Path) -> String {
    let mut script = String::new();
    for file in files {
        script.push_str(&format!("read_verilog \"{}\"\n", file.display()));
    }
    script.push_str(&format!(
        "hierarchy -check -top {top}\nproc\ncheck -assert\nflatten\n"
    ));
    if let Some(resets) = resets {
        script.push_str(&format!("techmap -map \"{}\"\n", resets.display()));
    }
    // The read register becomes part of the memory's port.
    script.push_str("memory_dff\nmemory_collect\n");
    script.push_str("techmap t:$mem_v2 %n\nsimplemap t:$mem_v2 %n\ndfflegalize -cell $_DFF_P_ x\n");
    script.push_str(&format!("write_blif -param \"{}\"\n", blif.display()));
    script
}

/// Flops with an asynchronous reset as flops with the same one at the clock's edge.
const RESETS: &str = "\
(* techmap_celltype = \"$adff\" *)
module reset_at_edge (CLK, ARST, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1'b1;
  parameter ARST_POLARITY = 1'b1;
  parameter [WIDTH-1:0] ARST_VALUE = 0;
  input CLK, ARST;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  \\$sdff #(
    .WIDTH(WIDTH), .CLK_POLARITY(CLK_POLARITY),
    .SRST_POLARITY(ARST_POLARITY), .SRST_VALUE(ARST_VALUE)
  ) _TECHMAP_REPLACE_ (.CLK(CLK), .SRST(ARST), .D(D), .Q(Q));
endmodule
";

/// Proves Verilog files equal to the netlist that `design` was exported from.
///
/// `files` are the design's, perhaps changed since; `folder` takes the
/// intermediate files: `verilog.ys`, `verilog.blif`, `implementation.blif`,
/// `netlist.blif`.
///
/// # Errors
/// [`Error::Structure`] if the ports, flops or RAMs are not the same, the
/// others if the tools do not work.
pub fn prove(
    netlist: &Netlist,
    design: &Design,
    files: &[PathBuf],
    folder: &Path,
) -> Result<Verdict, Error> {
    let names = names(netlist, design)?;
    let at = |name: &str| folder.join(name);
    let (script, gates) = (at("verilog.ys"), at("verilog.blif"));
    let resets = design.asynchronous.then(|| at("resets.v"));
    if let Some(resets) = &resets {
        write(resets, RESETS)?;
    }
    let mut commands = yosys_script(files, &design.top, resets.as_deref(), &gates);
    if netlist.regs.iter().any(|reg| netlist.never_resets(reg)) {
        // From any common state on, whatever the flops start with.
        commands = commands.replace("dfflegalize", "setattr -unset init w:*\ndfflegalize");
    }
    write(&script, &commands)?;
    run("yosys", &["-q".as_ref(), "-s".as_ref(), script.as_os_str()])?;
    let text = std::fs::read_to_string(&gates).map_err(|source| Error::File {
        path: gates.clone(),
        source,
    })?;
    let (mine, theirs) = (at("netlist.blif"), at("implementation.blif"));
    let low = design.ports.iter().filter(|port| port.active_low);
    let text = low.fold(text, |text, port| inverted(&text, &port.verilog));
    write(&theirs, &opened(&text, netlist, &names)?)?;
    write(&mine, &blif::combinational(netlist, &names))?;
    let files = format!("\"{}\" \"{}\"", mine.display(), theirs.display());
    // dcec is the faster, but does not name the outputs that differ, and may give up.
    let (mut tool, mut report) = abc(&format!("dcec {files}"))?;
    if !report.contains("Networks are equivalent") {
        (tool, report) = abc(&format!("cec {files}"))?;
    }
    if report.contains("Networks are equivalent") {
        let mut bits = netlist
            .outputs
            .iter()
            .map(|o| netlist.graph.width(o.node))
            .sum::<usize>();
        bits += netlist.regs.iter().map(|r| r.width).sum::<usize>();
        bits += netlist
            .rams
            .iter()
            .map(|r| 2 * (r.address_width + r.width))
            .sum::<usize>();
        Ok(Verdict::Equal { bits })
    } else if report.contains("NOT EQUIVALENT") {
        Ok(Verdict::Different { report })
    } else {
        Err(Error::Failed {
            tool,
            message: end_of(&report),
        })
    }
}

/// A BLIF whose input is the inverse of what it was.
fn inverted(blif: &str, input: &str) -> String {
    let low = format!("{input}:low");
    let mut ports = false;
    let lines = blif.lines().map(|line| {
        ports = line.starts_with(".inputs") || ports && line.starts_with(' ');
        let words = line.split(' ').map(|word| match word {
            _ if !ports && word == input => &low,
            word => word,
        });
        let line = words.collect::<Vec<_>>().join(" ");
        match line.as_str() {
            ".end" => format!(".names {input} {low}\n0 1\n.end\n"),
            line => format!("{line}\n"),
        }
    });
    lines.collect()
}

fn abc(command: &str) -> Result<(String, String), Error> {
    let mut last = None;
    for tool in ABC {
        match run(tool, &["-q".as_ref(), command.as_ref()]) {
            Ok(report) => return Ok((tool.into(), report)),
            Err(error @ Error::Tool { .. }) => last = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(last.unwrap_or_else(|| Error::Failed {
        tool: "abc".into(),
        message: "not found".into(),
    }))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|source| Error::File {
        path: path.into(),
        source,
    })
}

fn run(tool: &str, arguments: &[&std::ffi::OsStr]) -> Result<String, Error> {
    let output = Command::new(tool)
        .args(arguments)
        .output()
        .map_err(|source| Error::Tool {
            tool: tool.into(),
            source,
        })?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        Ok(text)
    } else {
        Err(Error::Failed {
            tool: tool.into(),
            message: end_of(&text),
        })
    }
}

/// The last lines: where tools say what was wrong.
fn end_of(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(8)..].join("\n")
}
