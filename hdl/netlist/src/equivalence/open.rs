//! Makes a BLIF that Yosys wrote combinational: the state of flops and memories becomes inputs and
//! their next values become outputs.

use super::read::{parameter, parse, File, Line};
use super::Error;
use crate::blast::RamPort;
use crate::blif::{bit_name, ram_output, Names};
use crate::netlist::{Netlist, Ram};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

fn mismatch<T>(text: String) -> Result<T, Error> {
    Err(Error::Structure(text))
}

/// The combinational logic of a BLIF that Yosys wrote, with the inputs and
/// outputs of [`crate::blif::combinational`] in the same order.
///
/// # Errors
/// [`Error::Structure`] if a port, flop or RAM of either side is missing on
/// the other, a flop is not on the rising edge of the clock, or a RAM's read
/// and write ports are not as the primitive's.
pub fn opened(yosys: &str, netlist: &Netlist, names: &Names) -> Result<String, Error> {
    let file = parse(yosys);
    let bits = |name: &String, width: usize| -> Vec<String> {
        (0..width).map(|bit| bit_name(name, width, bit)).collect()
    };
    let inputs: Vec<String> = netlist
        .inputs
        .iter()
        .zip(&names.inputs)
        .flat_map(|(i, n)| bits(n, i.width))
        .collect();
    let outputs: Vec<String> = netlist
        .outputs
        .iter()
        .zip(&names.outputs)
        .flat_map(|(o, n)| bits(n, netlist.graph.width(o.node)))
        .collect();
    let expected: HashSet<&str> = inputs
        .iter()
        .chain(&names.clock)
        .map(String::as_str)
        .collect();
    same_set("input", &expected, &file.list(".inputs"))?;
    same_set(
        "output",
        &outputs.iter().map(String::as_str).collect(),
        &file.list(".outputs"),
    )?;

    let mut open = Open {
        file: &file,
        netlist,
        names,
        states: vec![],
        nexts: vec![],
        logic: String::new(),
        read: vec![],
        extra: HashSet::new(),
    };
    open.flops(&bits)?;
    open.rams()?;
    open.logic()?;
    let Open {
        states,
        nexts,
        logic,
        ..
    } = open;
    let mut out = format!(".model {}\n.inputs", names.model);
    inputs.iter().chain(&states).for_each(|name| {
        let _ = write!(out, " \\\n  {name}");
    });
    out.push_str("\n.outputs");
    outputs.iter().chain(&nexts).for_each(|name| {
        let _ = write!(out, " \\\n  {name}");
    });
    out.push('\n');
    out.push_str(&logic);
    out.push_str(".end\n");
    Ok(out)
}

fn same_set(what: &str, netlist: &HashSet<&str>, verilog: &HashSet<&str>) -> Result<(), Error> {
    let mut lacking: Vec<&&str> = netlist.difference(verilog).collect();
    let mut extra: Vec<&&str> = verilog.difference(netlist).collect();
    lacking.sort();
    extra.sort();
    match (lacking.first(), extra.first()) {
        (Some(name), _) => mismatch(format!("it lacks the {what} '{name}'")),
        (_, Some(name)) => mismatch(format!("its {what} '{name}' is not in the netlist")),
        _ => Ok(()),
    }
}

struct Open<'a> {
    file: &'a File<'a>,
    netlist: &'a Netlist,
    names: &'a Names,
    /// Inputs for the states, in the order of the netlist.
    states: Vec<String>,
    /// Outputs for what becomes of them.
    nexts: Vec<String>,
    logic: String,
    /// What flops and memories of the netlist take.
    read: Vec<&'a str>,
    /// Flops that are not in the netlist.
    extra: HashSet<&'a str>,
}

impl<'a> Open<'a> {
    fn copy(&mut self, from: &str, to: &str) {
        let _ = writeln!(self.logic, ".names {from} {to}\n1 1");
    }

    fn is_clock(&self, signal: &'a str) -> bool {
        self.names.clock.as_deref() == Some(self.file.source(signal))
    }

    fn flops(&mut self, bits: &dyn Fn(&String, usize) -> Vec<String>) -> Result<(), Error> {
        // Yosys may connect a flop to any of several names of its output.
        let mut latches: HashMap<&str, (&str, &str)> = HashMap::new();
        for line in &self.file.lines {
            match line.words[..] {
                [".latch", d, q, kind, clock, ..] => {
                    if kind != "re" || !self.is_clock(clock) {
                        return mismatch(format!(
                            "flop '{q}' is not on the rising edge of the clock"
                        ));
                    }
                    latches.insert(q, (d, q));
                }
                [".latch", _, q] | [".latch", _, q, _] => {
                    return mismatch(format!("flop '{q}' has no clock"));
                }
                _ => {}
            }
        }
        let words: HashSet<&'a str> = self
            .file
            .lines
            .iter()
            .flat_map(|l| l.words.iter().copied())
            .collect();
        for (reg, name) in self.netlist.regs.iter().zip(&self.names.regs) {
            for bit in bits(name, reg.width) {
                let source = words.get(bit.as_str()).map(|w| self.file.source(w));
                let Some((d, q)) = source.and_then(|s| latches.remove(s)) else {
                    return mismatch(format!("it lacks the flop '{bit}'"));
                };
                self.copy(&format!("state:{bit}"), q);
                self.copy(d, &format!("next:{bit}"));
                self.read.push(d);
                self.states.push(format!("state:{bit}"));
                self.nexts.push(format!("next:{bit}"));
            }
        }
        self.extra = latches.into_keys().collect();
        Ok(())
    }

    /// Signals that outputs and next values depend on; the rest Yosys has left behind.
    ///
    /// # Errors
    /// [`Error::Structure`] if a flop that is not in the netlist is among them.
    fn used(&self) -> Result<HashSet<&'a str>, Error> {
        let mut drivers: HashMap<&str, &[&'a str]> = HashMap::new();
        let mut reached: Vec<&'a str> = self.read.clone();
        for line in &self.file.lines {
            match &line.words[..] {
                [".names", from @ .., to] => drop(drivers.insert(to, from)),
                [".outputs", outputs @ ..] => reached.extend(outputs),
                _ => {}
            }
        }
        let mut used: HashSet<&'a str> = HashSet::new();
        while let Some(signal) = reached.pop() {
            if used.insert(signal) {
                reached.extend(drivers.get(signal).copied().unwrap_or_default());
            }
        }
        match self.extra.intersection(&used).min() {
            Some(q) => mismatch(format!("its flop '{q}' is not in the netlist")),
            None => Ok(used),
        }
    }

    fn rams(&mut self) -> Result<(), Error> {
        let memories: Vec<&Line> = self
            .file
            .lines
            .iter()
            .filter(|l| matches!(l.words[..], [".subckt", "$mem_v2", ..]))
            .collect();
        for memory in &memories {
            let id = parameter(memory, "MEMID").unwrap_or_default();
            if !self.names.rams.contains(&id) {
                return mismatch(format!("its memory '{id}' is not in the netlist"));
            }
        }
        for (ram, name) in self.netlist.rams.iter().zip(&self.names.rams) {
            let found = memories
                .iter()
                .find(|m| parameter(m, "MEMID").as_deref() == Some(name));
            let Some(memory) = found else {
                return mismatch(format!("it lacks the memory '{name}'"));
            };
            self.ram(ram, name, memory)?;
        }
        Ok(())
    }

    /// Checks that a memory is the primitive, and opens its ports.
    fn ram(&mut self, ram: &Ram, name: &str, memory: &Line<'a>) -> Result<(), Error> {
        let pins: HashMap<&str, &'a str> = memory.words[2..]
            .iter()
            .filter_map(|w| w.split_once('='))
            .collect();
        let number = |key: &str| {
            parameter(memory, key).and_then(|digits| u128::from_str_radix(&digits, 2).ok())
        };
        let shape: [(&str, u128); 10] = [
            ("SIZE", 1 << ram.address_width),
            ("WIDTH", ram.width as u128),
            ("RD_PORTS", 1),
            ("WR_PORTS", 1),
            ("OFFSET", 0),
            ("RD_CLK_ENABLE", 1),
            ("RD_CLK_POLARITY", 1),
            ("WR_CLK_ENABLE", 1),
            ("WR_CLK_POLARITY", 1),
            ("RD_TRANSPARENCY_MASK", 0),
        ];
        for (key, value) in shape {
            if number(key) != Some(value) {
                return mismatch(format!("memory '{name}': {key} is not {value}"));
            }
        }
        let pin = |pin: &str, width: usize, bit: usize| -> Result<&'a str, Error> {
            // Yosys numbers the bits of one-bit pins, or not.
            let numbered = format!("{pin}[{bit}]");
            let plain = || if width == 1 { pins.get(pin) } else { None };
            match pins.get(numbered.as_str()).or_else(plain) {
                Some(net) => Ok(net),
                None => mismatch(format!("memory '{name}' has no pin {numbered}")),
            }
        };
        for clock in ["RD_CLK", "WR_CLK"] {
            if !self.is_clock(pin(clock, 1, 0)?) {
                return mismatch(format!("memory '{name}': {clock} is not the clock"));
            }
        }
        for (reset, level) in [
            ("RD_EN", "$true"),
            ("RD_ARST", "$false"),
            ("RD_SRST", "$false"),
        ] {
            if self.file.source(pin(reset, 1, 0)?) != level {
                return mismatch(format!("memory '{name}': {reset} is not constant"));
            }
        }
        // Yosys has one enable per bit; address and data may be anything while nothing is written.
        let pins_of = |key: &str, width: usize| -> Result<Vec<&'a str>, Error> {
            (0..width).map(|bit| pin(key, width, bit)).collect()
        };
        let read = pins_of("RD_ADDR", ram.address_width)?;
        let enables = pins_of("WR_EN", ram.width)?;
        let address = pins_of("WR_ADDR", ram.address_width)?;
        let data = pins_of("WR_DATA", ram.width)?;
        let any = format!("any_write:{name}");
        let idle = "0".repeat(enables.len());
        let _ = writeln!(self.logic, ".names {} {any}\n{idle} 0", enables.join(" "));
        let one = |net: &&'a str| net.to_string();
        let both = |(enable, net): (&&'a str, &&'a str)| format!("{enable} {net}");
        let outputs: [(RamPort, Vec<String>); 4] = [
            (RamPort::ReadAddress, read.iter().map(one).collect()),
            (RamPort::WriteEnable, enables.iter().map(one).collect()),
            (
                RamPort::WriteAddress,
                address.iter().map(|net| format!("{any} {net}")).collect(),
            ),
            (
                RamPort::WriteData,
                enables.iter().zip(&data).map(both).collect(),
            ),
        ];
        for (port, nets) in outputs {
            for (bit, nets) in nets.iter().enumerate() {
                let to = ram_output(port, name, ram, bit);
                let ones = "1".repeat(nets.split(' ').count());
                let _ = writeln!(self.logic, ".names {nets} {to}\n{ones} 1");
                self.nexts.push(to);
            }
        }
        self.read.extend([read, enables, address, data].concat());
        for bit in 0..ram.width {
            let from = format!("state:{}", bit_name(name, ram.width, bit));
            self.copy(&from, pin("RD_DATA", ram.width, bit)?);
            self.states.push(from);
        }
        Ok(())
    }

    /// Copies the gates that matter.
    fn logic(&mut self) -> Result<(), Error> {
        let used = self.used()?;
        for line in &self.file.lines {
            match line.words[..] {
                [".names", .., to] if !used.contains(to) => {}
                [".names", ..] => {
                    let _ = writeln!(self.logic, "{}", line.words.join(" "));
                    line.rows.iter().for_each(|row| {
                        let _ = writeln!(self.logic, "{row}");
                    });
                }
                [".subckt", "$mem_v2", ..] => {}
                [".subckt" | ".gate", cell, ..] => {
                    return mismatch(format!("cell '{cell}' is no gate"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
