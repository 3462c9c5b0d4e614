//! Radix and colours of the units' signals.

use cotenant_waveforms::{Colour, Radix, Signal};

use crate::verify::interface::{Form, Port, StateField, ValueNames};

/// Colour of all that the netlist says.
pub(super) const DUT: Colour = Colour::Green;
/// Colour of all that the golden model says.
pub(super) const GOLDEN: Colour = Colour::Yellow;
/// Colour of what is wrong.
const WRONG: Colour = Colour::Red;

/// The signal that says that something is wrong.
pub(crate) fn mismatch() -> Signal {
    Signal::wire("mismatch", 1).colour(WRONG).pinned()
}

/// Registers of several bits that are masks, though no port of that name is.
const MASKS: [&str; 10] = [
    "hits",
    "removed",
    "victim",
    "written_victim",
    "stale",
    "unwritten",
    "early",
    "late",
    "order",
    "lane",
];

/// `stack_owner[3]` is called `stack_owner`, `bank[0].directory.way[1]` is called `way`.
fn base(name: &str) -> &str {
    let leaf = name.rsplit('.').next().unwrap_or(name);
    leaf.split('[').next().unwrap_or(leaf)
}

/// Masks in binary, counts and numbers of ways, kernels and sets in decimal, tags, addresses and
/// packed values in hexadecimal.
fn radix(name: &str, elements: usize, width: usize) -> Radix {
    let name = base(name);
    match (elements, width) {
        (1, 1) => Radix::Binary,
        (2.., 1) => Radix::Binary,
        (2.., _) => Radix::Hexadecimal,
        _ if MASKS.contains(&name) => Radix::Binary,
        _ if ["tag", "addr", "line"]
            .iter()
            .any(|part| name.contains(part)) =>
        {
            Radix::Hexadecimal
        }
        _ => Radix::Decimal,
    }
}

/// With names for the codes that it can carry: a parameter set may have fewer than the unit.
fn named(form: &Form, signal: Signal, name: &str, width: usize) -> Signal {
    match (form.codes)(base(name)) {
        Some(ValueNames { name, mut values }) => {
            values.retain(|(value, _)| *value < 1 << width.min(63));
            signal.named(name, values)
        }
        None => signal,
    }
}

/// A port.
pub(super) fn port(form: &Form, port: &Port, group: &str) -> Signal {
    let mut signal = Signal::wire(port.name, port.width() as u32)
        .radix(radix(port.name, port.elements, port.element_width))
        .group(group);
    // Elements of a bit are read off a mask.
    if port.element_width > 1 {
        let element = radix(port.name, 1, port.element_width);
        signal = signal.elements(port.element_width as u32, element);
    }
    named(form, signal, port.name, port.width())
}

/// A register, called as the netlist's flop is.
pub(super) fn register(form: &Form, field: &StateField, width: usize) -> Signal {
    // A register behind a port looks like the port.
    let mut ports = form.inputs.iter().chain(&form.outputs);
    let like = ports.find(|port| port.name == base(&field.name));
    let radix = match like {
        Some(port) if port.width() == width => radix(port.name, port.elements, port.element_width),
        _ => radix(&field.name, 1, width),
    };
    let signal = Signal::reg(field.probe.flop(), width as u32).radix(radix);
    named(form, signal.group("registers"), &field.name, width)
}

/// A register that the golden model does not have.
pub(super) fn hidden(name: &str, width: usize) -> Signal {
    Signal::reg(name, width as u32)
        .radix(radix(name, 1, width))
        .group("registers")
}

/// Any signal of the netlist.
pub(super) fn net(name: &str, width: usize) -> Signal {
    Signal::wire(name, width as u32).radix(radix(name, 1, width))
}

/// A parameter.
pub(super) fn parameter(form: &Form, name: &str) -> Signal {
    let width = 32;
    let signal = Signal::new(name, width, cotenant_waveforms::Kind::Parameter);
    named(form, signal.radix(Radix::Decimal), name, width as usize)
}
