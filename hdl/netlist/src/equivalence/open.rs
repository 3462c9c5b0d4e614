//! Opens flops and memories of a BLIF that Yosys wrote.

use super::Error;
use crate::blast::RamPort;
use crate::blif::{bit_name, ram_port, Names};
use crate::netlist::{Netlist, Ram};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// A statement of a BLIF file with continued lines joined.
struct Line<'a> {
    words: Vec<&'a str>,
    /// Rows of a truth table, or parameters of a subcircuit.
    rows: Vec<&'a str>,
}

struct File<'a> {
    lines: Vec<Line<'a>>,
    /// Signals that only copy another one.
    copies: HashMap<&'a str, &'a str>,
}

fn parse(text: &str) -> File<'_> {
    let mut lines: Vec<Line> = vec![];
    let mut continued = false;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let (body, goes_on) = match line.trim_end().strip_suffix('\\') {
            Some(body) => (body, true),
            None => (line, false),
        };
        let words = body.split_whitespace();
        if continued {
            if let Some(last) = lines.last_mut() {
                last.words.extend(words);
            }
        } else if body.trim_start().starts_with(".param") || !body.trim_start().starts_with('.') {
            if let (Some(last), false) = (lines.last_mut(), body.trim().is_empty()) {
                last.rows.push(body.trim());
            }
        } else {
            lines.push(Line {
                words: words.collect(),
                rows: vec![],
            });
        }
        continued = goes_on;
    }
    let mut copies = HashMap::new();
    for line in &lines {
        if let ([".names", from, to], ["1 1"]) = (&line.words[..], &line.rows[..]) {
            copies.insert(*to, *from);
        }
    }
    File { lines, copies }
}

impl<'a> File<'a> {
    /// What a signal copies, through any number of copies.
    fn source(&self, mut signal: &'a str) -> &'a str {
        // A chain longer than the file would be a circle.
        for _ in 0..=self.copies.len() {
            match self.copies.get(signal) {
                Some(from) => signal = from,
                None => break,
            }
        }
        signal
    }

    fn list(&self, keyword: &str) -> HashSet<&'a str> {
        let of = |l: &&Line<'a>| l.words.first() == Some(&keyword);
        self.lines
            .iter()
            .filter(of)
            .flat_map(|l| l.words[1..].iter().copied())
            .collect()
    }
}

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
                self.states.push(format!("state:{bit}"));
                self.nexts.push(format!("next:{bit}"));
            }
        }
        let mut left: Vec<&&str> = latches.keys().collect();
        left.sort();
        match left.first() {
            Some(q) => mismatch(format!("its flop '{q}' is not in the netlist")),
            None => Ok(()),
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
        let enable = pin("WR_EN", ram.width, 0)?;
        for bit in 1..ram.width {
            if self.file.source(pin("WR_EN", ram.width, bit)?) != self.file.source(enable) {
                return mismatch(format!("memory '{name}': words are written in parts"));
            }
        }
        let ports = [
            (RamPort::ReadAddress, "RD_ADDR", ram.address_width),
            (RamPort::WriteEnable, "WR_EN", 1),
            (RamPort::WriteAddress, "WR_ADDR", ram.address_width),
            (RamPort::WriteData, "WR_DATA", ram.width),
        ];
        for (port, key, width) in ports {
            for bit in 0..width {
                let of = if port == RamPort::WriteEnable {
                    ram.width
                } else {
                    width
                };
                let to = format!("{}:{}", ram_port(port), bit_name(name, width, bit));
                self.copy(pin(key, of, bit)?, &to);
                self.nexts.push(to);
            }
        }
        for bit in 0..ram.width {
            let from = format!("state:{}", bit_name(name, ram.width, bit));
            self.copy(&from, pin("RD_DATA", ram.width, bit)?);
            self.states.push(from);
        }
        Ok(())
    }

    /// Copies the gates.
    fn logic(&mut self) -> Result<(), Error> {
        for line in &self.file.lines {
            match line.words[..] {
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

/// A parameter of a subcircuit: binary digits, or text in quotes.
fn parameter(line: &Line, key: &str) -> Option<String> {
    line.rows.iter().find_map(|row| {
        let value = row.strip_prefix(".param")?.trim().strip_prefix(key)?;
        let value = value.strip_prefix(' ')?.trim().trim_matches('"');
        Some(value.strip_prefix('\\').unwrap_or(value).to_string())
    })
}
