//! BLIF of a netlist, for abc, Yosys, VPR and others.
//!
//! [`sequential`] keeps flops as latches and RAMs as subcircuits.
//! [`combinational`] opens flops and RAMs: each state bit becomes an input
//! `state:NAME` and an output `next:NAME`, which is what an equivalence
//! checker wants.

use crate::blast::{Aig, Gates, Leaf, Lit, RamPort, Root};
use crate::netlist::{Netlist, Ram};
use std::fmt::Write;

/// Names of a netlist's parts in a BLIF file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The model.
    pub model: String,
    /// The clock, if there is one.
    pub clock: Option<String>,
    /// By [`Netlist::inputs`].
    pub inputs: Vec<String>,
    /// By [`Netlist::outputs`].
    pub outputs: Vec<String>,
    /// By [`Netlist::regs`].
    pub regs: Vec<String>,
    /// By [`Netlist::rams`].
    pub rams: Vec<String>,
}

impl Names {
    /// The netlist's own.
    pub fn of(netlist: &Netlist) -> Names {
        Names {
            model: netlist.module().name.clone(),
            clock: netlist.clock.clone(),
            inputs: netlist.inputs.iter().map(|i| i.name.clone()).collect(),
            outputs: netlist.outputs.iter().map(|o| o.name.clone()).collect(),
            regs: netlist.regs.iter().map(|r| r.name.clone()).collect(),
            rams: netlist.rams.iter().map(|r| r.name.clone()).collect(),
        }
    }
}

/// `count[4]`, or `valid` if it has one bit only.
pub(crate) fn bit_name(name: &str, width: usize, bit: usize) -> String {
    if width == 1 {
        name.into()
    } else {
        format!("{name}[{bit}]")
    }
}

/// Name of a RAM's port.
pub(crate) fn ram_port(port: RamPort) -> &'static str {
    match port {
        RamPort::ReadAddress => "read_address",
        RamPort::WriteEnable => "write_enable",
        RamPort::WriteAddress => "write_address",
        RamPort::WriteData => "write_data",
    }
}

/// Name of an output of [`combinational`] for a RAM.
pub(crate) fn ram_output(port: RamPort, name: &str, ram: &Ram, bit: usize) -> String {
    let width = match port {
        RamPort::ReadAddress | RamPort::WriteAddress => ram.address_width,
        RamPort::WriteEnable | RamPort::WriteData => ram.width,
    };
    format!("{}:{}", ram_port(port), bit_name(name, width, bit))
}

/// A netlist being written.
struct Writer<'a> {
    netlist: &'a Netlist,
    names: &'a Names,
    aig: Aig,
    out: String,
}

/// The netlist with flops as latches of unknown start value, and RAMs as
/// subcircuits `ram_aA_wW` whose models are black boxes.
pub fn sequential(netlist: &Netlist, names: &Names) -> String {
    Writer::new(netlist, names).sequential()
}

/// The logic between the flops alone.
///
/// Inputs: `PORT[bit]`, `state:FLOP[bit]`, `state:RAM[bit]` (read data).
/// Outputs: `PORT[bit]`, `next:FLOP[bit]` (reset included), and of each RAM
/// what its ports do: `read_address:RAM[bit]`; `write_enable:RAM[bit]`, one per
/// bit of the word; `write_address:RAM[bit]` and `write_data:RAM[bit]`, 0
/// unless it is written.
pub fn combinational(netlist: &Netlist, names: &Names) -> String {
    Writer::new(netlist, names).combinational()
}

impl<'a> Writer<'a> {
    fn new(netlist: &'a Netlist, names: &'a Names) -> Self {
        Writer {
            netlist,
            names,
            aig: Aig::new(netlist),
            out: String::new(),
        }
    }

    fn leaf(&self, leaf: Leaf) -> String {
        let n = self.netlist;
        match leaf {
            Leaf::Input(i, bit) => bit_name(&self.names.inputs[i], n.inputs[i].width, bit),
            Leaf::Reg(i, bit) => {
                format!(
                    "state:{}",
                    bit_name(&self.names.regs[i], n.regs[i].width, bit)
                )
            }
            Leaf::RamData(i, bit) => {
                format!(
                    "state:{}",
                    bit_name(&self.names.rams[i], n.rams[i].width, bit)
                )
            }
        }
    }

    fn root(&self, root: Root) -> String {
        let n = self.netlist;
        match root {
            Root::Output(i, bit) => bit_name(
                &self.names.outputs[i],
                n.graph.width(n.outputs[i].node),
                bit,
            ),
            Root::Next(i, bit) => {
                format!(
                    "next:{}",
                    bit_name(&self.names.regs[i], n.regs[i].width, bit)
                )
            }
            Root::Ram(i, port, bit) => {
                let ram = &n.rams[i];
                let width = match port {
                    RamPort::ReadAddress | RamPort::WriteAddress => ram.address_width,
                    RamPort::WriteEnable => 1,
                    RamPort::WriteData => ram.width,
                };
                format!(
                    "{}:{}",
                    ram_port(port),
                    bit_name(&self.names.rams[i], width, bit)
                )
            }
        }
    }

    /// A literal's variable as a signal.
    fn signal(&self, lit: Lit) -> String {
        match lit.variable() {
            0 => "constant:0".into(),
            v if v <= self.aig.leaves.len() => self.leaf(self.aig.leaves[v - 1]),
            v => format!("gate:{v}"),
        }
    }

    fn list(&mut self, keyword: &str, names: &[String]) {
        let _ = write!(self.out, "{keyword}");
        for name in names {
            let _ = write!(self.out, " \\\n  {name}");
        }
        self.out.push('\n');
    }

    fn gates(&mut self) {
        self.out.push_str(".names constant:0\n");
        let first = self.aig.leaves.len() + 1;
        for (i, [a, b]) in self.aig.gates.clone().into_iter().enumerate() {
            let (x, y) = (self.signal(a), self.signal(b));
            let level = |lit: Lit| u8::from(!lit.is_inverted());
            let (p, q) = (level(a), level(b));
            let _ = writeln!(self.out, ".names {x} {y} gate:{}\n{p}{q} 1", first + i);
        }
    }

    fn copy(&mut self, from: Lit, to: &str) {
        let signal = self.signal(from);
        let level = u8::from(!from.is_inverted());
        let _ = writeln!(self.out, ".names {signal} {to}\n{level} 1");
    }

    /// Outputs of the opened netlist.
    fn opened(&mut self) -> Vec<(String, Lit)> {
        let mut enable = Lit::FALSE;
        let mut out = vec![];
        for (root, lit) in self.aig.roots.clone() {
            let Root::Ram(i, port, bit) = root else {
                out.push((self.root(root), lit));
                continue;
            };
            let ram = &self.netlist.rams[i];
            let name = |bit| ram_output(port, &self.names.rams[i], ram, bit);
            match port {
                RamPort::ReadAddress => out.push((name(bit), lit)),
                RamPort::WriteEnable => {
                    // Comes before what it enables.
                    enable = lit;
                    out.extend((0..ram.width).map(|bit| (name(bit), lit)));
                }
                RamPort::WriteAddress | RamPort::WriteData => {
                    out.push((name(bit), self.aig.and(enable, lit)));
                }
            }
        }
        out
    }

    fn combinational(mut self) -> String {
        let _ = writeln!(self.out, ".model {}", self.names.model);
        let inputs: Vec<String> = self.aig.leaves.iter().map(|l| self.leaf(*l)).collect();
        let roots = self.opened();
        let outputs: Vec<String> = roots.iter().map(|root| root.0.clone()).collect();
        self.list(".inputs", &inputs);
        self.list(".outputs", &outputs);
        self.gates();
        for (name, lit) in &roots {
            self.copy(*lit, name);
        }
        self.out.push_str(".end\n");
        self.out
    }

    fn sequential(mut self) -> String {
        let is_port = |l: &&Leaf| matches!(l, Leaf::Input(..));
        let _ = writeln!(self.out, ".model {}", self.names.model);
        let clock = self.names.clock.clone();
        let mut inputs: Vec<String> = clock.iter().cloned().collect();
        inputs.extend(
            self.aig
                .leaves
                .iter()
                .filter(is_port)
                .map(|l| self.leaf(*l)),
        );
        let roots = self.aig.roots.clone();
        let outputs: Vec<String> = roots
            .iter()
            .filter(|r| matches!(r.0, Root::Output(..)))
            .map(|r| self.root(r.0))
            .collect();
        self.list(".inputs", &inputs);
        self.list(".outputs", &outputs);
        self.gates();
        for (root, lit) in &roots {
            let name = self.root(*root);
            self.copy(*lit, &name);
        }
        let clock = clock.unwrap_or_else(|| "NIL".into());
        for (i, reg) in self.netlist.regs.iter().enumerate() {
            for bit in 0..reg.width {
                let (d, q) = (self.root(Root::Next(i, bit)), self.leaf(Leaf::Reg(i, bit)));
                let _ = writeln!(self.out, ".latch {d} {q} re {clock} 2");
            }
        }
        let mut models: Vec<(usize, usize)> = vec![];
        for (i, ram) in self.netlist.rams.iter().enumerate() {
            let shape = (ram.address_width, ram.width);
            if !models.contains(&shape) {
                models.push(shape);
            }
            let mut pins = vec![format!("clock={clock}")];
            for (port, width) in ram_pins(shape) {
                pins.extend((0..width).map(|bit| {
                    let net = self.root(Root::Ram(i, port, bit));
                    format!("{}={net}", bit_name(ram_port(port), width, bit))
                }));
            }
            pins.extend((0..ram.width).map(|bit| {
                let net = self.leaf(Leaf::RamData(i, bit));
                format!("{}={net}", bit_name("read_data", ram.width, bit))
            }));
            self.list(&format!(".subckt ram_a{}_w{}", shape.0, shape.1), &pins);
        }
        self.out.push_str(".end\n");
        for shape in models {
            let mut inputs = vec!["clock".to_string()];
            for (port, width) in ram_pins(shape) {
                inputs.extend((0..width).map(|bit| bit_name(ram_port(port), width, bit)));
            }
            let outputs: Vec<String> = (0..shape.1)
                .map(|bit| bit_name("read_data", shape.1, bit))
                .collect();
            let _ = writeln!(self.out, ".model ram_a{}_w{}", shape.0, shape.1);
            self.list(".inputs", &inputs);
            self.list(".outputs", &outputs);
            self.out.push_str(".blackbox\n.end\n");
        }
        self.out
    }
}

/// Input ports of a RAM of this address width and word width.
fn ram_pins((address, word): (usize, usize)) -> [(RamPort, usize); 4] {
    [
        (RamPort::ReadAddress, address),
        (RamPort::WriteEnable, 1),
        (RamPort::WriteAddress, address),
        (RamPort::WriteData, word),
    ]
}
