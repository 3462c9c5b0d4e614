//! Verilog-2005 of a netlist's graph: one module without instances.
//!
//! [`export`](super::export) prints the typed form, which a fault does not
//! touch; here the graph itself is printed, a wire for each node. Ports,
//! flops, RAMs and named signals are where the hierarchical text has them:
//! instances become named generate blocks, so `unit.matrix.count_0_0` is the
//! same counter in both.

use super::header::license_line;
use super::names::{identifier, Scope};
use super::print::{comment, number, range};
use super::{export, Design, Direction, Error, File, Options};
use crate::graph::{NodeId, Op};
use crate::Netlist;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

/// Exports a netlist's graph as one flat module; `note` is said at its top.
///
/// # Errors
/// As [`export`].
pub fn flat(netlist: &Netlist, options: &Options, note: &str) -> Result<Design, Error> {
    // The graph has no loops, and resets as the netlist does.
    let options = &Options {
        readable: false,
        reset: super::Reset::default(),
        ..options.clone()
    };
    let mut design = export(netlist, options)?;
    let text = Writer {
        netlist,
        design: &design,
    }
    .text(note);
    design.modules = vec![File {
        file_name: format!("{}.v", design.top),
        name: design.top.clone(),
        text,
    }];
    Ok(design)
}

/// What stands in the module or in one of its generate blocks.
#[derive(Default)]
struct Block {
    lines: Vec<String>,
    blocks: BTreeMap<String, Block>,
}

impl Block {
    /// The block of a path, and the last name of the path.
    fn at<'a, 'p>(&'a mut self, path: &'p str) -> (&'a mut Block, &'p str) {
        let mut block = self;
        let mut rest = path;
        while let Some((first, below)) = rest.split_once('.') {
            block = block.blocks.entry(first.into()).or_default();
            rest = below;
        }
        (block, rest)
    }

    fn print(&self, indent: usize, out: &mut String) {
        let margin = " ".repeat(indent);
        for line in &self.lines {
            let _ = writeln!(out, "{margin}{line}");
        }
        for (name, block) in &self.blocks {
            let _ = writeln!(out, "{margin}if (1) begin : {name}");
            block.print(indent + 2, out);
            let _ = writeln!(out, "{margin}end");
        }
    }
}

/// The wire of a node.
fn wire(node: NodeId) -> String {
    format!("node_{}", node.0)
}

struct Writer<'a> {
    netlist: &'a Netlist,
    design: &'a Design,
}

impl<'a> Writer<'a> {
    fn text(&self, note: &str) -> String {
        let mut head = vec![];
        comment(0, &format!("{}: flat. {note}", self.design.top), &mut head);
        if let Some(license) = &self.design.license {
            comment(0, &license_line(license), &mut head);
        }
        let mut out = head.join("\n")
            + "\n\n/* verilator lint_off UNUSED */\n/* verilator lint_off VARHIDDEN */\n";
        let ports = self.design.ports.iter().map(|port| {
            let direction = match port.direction {
                Direction::Input => "input",
                Direction::Output => "output",
            };
            format!("    {direction} wire{} {}", range(port.width), port.verilog)
        });
        let ports: Vec<String> = ports.collect();
        let _ = writeln!(
            out,
            "module {} (\n{}\n);",
            self.design.top,
            ports.join(",\n")
        );
        let netlist = self.netlist;
        let named = netlist.signals.iter().map(|signal| signal.node);
        let state = netlist.regs.iter().map(|reg| reg.q);
        let state = state.chain(netlist.rams.iter().map(|ram| ram.data));
        let roots = netlist.roots().into_iter().chain(named).chain(state);
        let nodes = netlist.graph.order(roots);
        for &node in &nodes {
            let width = range(netlist.graph.width(node));
            let _ = writeln!(out, "  wire{width} {};", wire(node));
        }
        for &node in &nodes {
            if let Some(value) = self.value(node) {
                let _ = writeln!(out, "  assign {} = {value};", wire(node));
            }
        }
        for output in &netlist.outputs {
            let _ = writeln!(
                out,
                "  assign {} = {};",
                self.port(&output.name),
                wire(output.node)
            );
        }
        out.push_str("  generate\n");
        self.blocks().print(4, &mut out);
        out.push_str("  endgenerate\nendmodule\n");
        out
    }

    fn port<'n>(&self, name: &'n str) -> &'n str
    where
        'a: 'n,
    {
        let found = self.design.ports.iter().find(|port| port.name == name);
        found.map_or(name, |port| &port.verilog)
    }

    /// What a wire is assigned; that of a flop or RAM is assigned beside it.
    fn value(&self, node: NodeId) -> Option<String> {
        let graph = &self.netlist.graph;
        let width = graph.width(node);
        let two = |a: &NodeId, sign: &str, b: &NodeId| format!("{} {sign} {}", wire(*a), wire(*b));
        Some(match graph.op(node) {
            Op::Const(value) => number(value, width),
            Op::Input(input) => {
                let name = &self.netlist.inputs[*input as usize].name;
                self.port(name).to_string()
            }
            Op::Reg(_) | Op::RamData(_) | Op::Leaf(_) => return None,
            Op::Not(a) => format!("~{}", wire(*a)),
            Op::And(a, b) => two(a, "&", b),
            Op::Or(a, b) => two(a, "|", b),
            Op::Xor(a, b) => two(a, "^", b),
            Op::Add(a, b) => two(a, "+", b),
            Op::Sub(a, b) => two(a, "-", b),
            Op::Mul(a, b) => two(a, "*", b),
            Op::Eq(a, b) => two(a, "==", b),
            Op::Less(a, b) => two(a, "<", b),
            Op::Shl(a, b) => two(a, "<<", b),
            Op::Shr(a, b) => two(a, ">>", b),
            Op::Mux(c, a, b) => format!("{} ? {} : {}", wire(*c), wire(*a), wire(*b)),
            // A wire of one bit takes no subscript.
            Op::Slice(a, _) if graph.width(*a) == 1 => wire(*a),
            Op::Slice(a, low) => format!("{}[{low} +: {width}]", wire(*a)),
            Op::Cat(parts) => {
                let parts: Vec<String> = parts.iter().rev().map(|&part| wire(part)).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Op::Parity(a) => format!("^{}", wire(*a)),
        })
    }

    /// Flops, RAMs and named signals, each in the block that stands for its instance.
    fn blocks(&self) -> Block {
        let netlist = self.netlist;
        let clock = netlist
            .clock
            .as_deref()
            .map_or("clock", |name| self.port(name));
        let mut top = Block::default();
        let ports = self.design.ports.iter().map(|port| port.verilog.clone());
        let mut taken: HashSet<String> = ports.collect();
        // Flops come first in the design's list of state.
        let (flops, rams) = self.design.regs.split_at(netlist.regs.len());
        for (reg, state) in netlist.regs.iter().zip(flops) {
            taken.insert(state.path.clone());
            let (block, name) = top.at(&state.path);
            block.lines.extend([
                format!("reg{} {name};", range(reg.width)),
                format!("always @(posedge {clock}) {name} <= {};", wire(reg.next)),
                format!("assign {} = {name};", wire(reg.q)),
            ]);
        }
        for (ram, state) in netlist.rams.iter().zip(rams) {
            let data_path = state.read_data.as_deref().unwrap_or_default();
            taken.extend([state.path.clone(), data_path.to_string()]);
            let data = data_path.rsplit('.').next().unwrap_or_default();
            let (block, name) = top.at(&state.path);
            let depth = 1u128 << ram.address_width;
            block.lines.extend([
                format!("reg{} {name} [0:{}];", range(ram.width), depth - 1),
                format!("reg{} {data};", range(ram.width)),
                format!("always @(posedge {clock}) begin"),
                format!("  {data} <= {name}[{}];", wire(ram.read_address)),
                format!("  if ({})", wire(ram.write_enable)),
                format!(
                    "    {name}[{}] <= {};",
                    wire(ram.write_address),
                    wire(ram.write_data)
                ),
                "end".into(),
                format!("assign {} = {data};", wire(ram.data)),
            ]);
        }
        for signal in &netlist.signals {
            let Some(path) = self.path(&signal.name) else {
                continue;
            };
            if !taken.insert(path.clone()) {
                continue;
            }
            let (block, name) = top.at(&path);
            let width = range(netlist.graph.width(signal.node));
            block
                .lines
                .push(format!("wire{width} {name} = {};", wire(signal.node)));
        }
        top
    }

    /// Where the hierarchical text has a signal; nothing for a flop's value, which is the flop.
    fn path(&self, name: &str) -> Option<String> {
        let claimed = |part: &str| Scope::default().claim(&identifier(part));
        let Some((owner, port)) = name.rsplit_once('.') else {
            return Some(claimed(name));
        };
        let owns = |state: &&super::State| state.name == owner;
        if let Some(state) = self.design.regs.iter().find(owns) {
            let port = match (port, &state.read_data) {
                ("q", None) | ("read_data", Some(_)) => return None,
                ("d", None) => "next",
                (port, _) => port,
            };
            return Some(format!("{}_{port}", state.path));
        }
        let parts: Vec<String> = name.split('.').map(claimed).collect();
        Some(parts.join("."))
    }
}
