//! The values of a scene's signals in the netlist.

use std::collections::BTreeMap;

use cotenant_netlist::sim::{Layout, Observer, Sim, Slot};

use super::scene::Format;
use crate::verify::interface::{Form, Port, Probe};

/// Where the netlist keeps a signal.
#[derive(Debug, Clone)]
enum Place {
    /// An input or output port.
    Port(Slot, Port),
    /// A flop.
    Flop(Slot),
    /// A register that is all ones if a bit of another one is set.
    Limited {
        slot: Slot,
        passed: Slot,
        bit: usize,
        limit: u64,
    },
    /// A register, or another one while a flag is set.
    Late {
        slot: Slot,
        newer: Slot,
        flags: Vec<Slot>,
    },
    /// A signal inside.
    Inside(Slot),
}

/// A signal by what it is called in a scene.
#[derive(Debug, Clone)]
pub(super) struct Signal {
    places: Vec<Place>,
    /// Bits of one element.
    width: usize,
}

impl Signal {
    /// The signal of this name: a port, else a register by its golden name, else a signal inside,
    /// a flop that is not compared among them.
    pub fn find(form: &Form, layout: &Layout, name: &str) -> Option<Self> {
        Self::port(form, layout, name)
            .or_else(|| Self::registers(form, layout, name))
            .or_else(|| Self::inside(layout, name))
            .or_else(|| Self::flops(layout, name))
    }

    fn port(form: &Form, layout: &Layout, name: &str) -> Option<Self> {
        let named = |ports: &[Port]| ports.iter().copied().find(|port| port.name == name);
        let (port, slot) = match named(&form.inputs) {
            Some(port) => (port, layout.input(name).ok()?),
            None => (named(&form.outputs)?, layout.output(name).ok()?),
        };
        // Of a mask the elements are bits, which are one number together.
        let width = match port.element_width {
            1 => port.width(),
            width => width,
        };
        Some(Self {
            places: vec![Place::Port(slot, port)],
            width,
        })
    }

    fn registers(form: &Form, layout: &Layout, name: &str) -> Option<Self> {
        let (mut places, mut widest) = (Vec::new(), 0);
        let fields = form.state.iter();
        for field in fields.filter(|field| fits(name, &field.name)) {
            let slot = layout.state(field.probe.flop()).ok()?;
            widest = widest.max(field.width);
            places.push(match &field.probe {
                Probe::Value(_) => Place::Flop(slot),
                Probe::Limited { passed, bit, .. } => Place::Limited {
                    slot,
                    passed: layout.state(passed).ok()?,
                    bit: *bit,
                    limit: u64::MAX >> (64 - field.width),
                },
                Probe::Late { newer, flags, .. } => Place::Late {
                    slot,
                    newer: layout.state(newer).ok()?,
                    flags: flags
                        .iter()
                        .map(|flag| layout.state(flag).ok())
                        .collect::<Option<_>>()?,
                },
            });
        }
        (!places.is_empty()).then_some(Self {
            places,
            width: widest,
        })
    }

    fn flops(layout: &Layout, name: &str) -> Option<Self> {
        let found: Vec<Slot> = layout
            .registers()
            .filter(|(path, slot)| fits(name, path) && slot.width() <= 64)
            .map(|(_, slot)| slot)
            .collect();
        let width = found.iter().map(|slot| slot.width()).max()?;
        let places = found.into_iter().map(Place::Flop).collect();
        Some(Self { places, width })
    }

    fn inside(layout: &Layout, name: &str) -> Option<Self> {
        let signals = layout.signals();
        let found: Vec<Slot> = signals
            .filter(|(path, slot)| fits(name, path) && slot.width() <= 64)
            .map(|(_, slot)| slot)
            .collect();
        let width = found.iter().map(|slot| slot.width()).max()?;
        Some(Self {
            places: found.into_iter().map(Place::Inside).collect(),
            width,
        })
    }

    /// One number per element.
    fn values(&self, sim: &Sim, observer: &Observer) -> Vec<u64> {
        let mut values = Vec::new();
        for place in &self.places {
            match place {
                Place::Port(slot, port) if port.element_width > 1 && port.elements > 1 => {
                    let words = sim.get_words(*slot);
                    values.extend((0..port.elements).map(|i| port.element(words, i)));
                }
                Place::Port(slot, _) | Place::Flop(slot) => values.push(sim.get_words(*slot)[0]),
                Place::Limited {
                    slot,
                    passed,
                    bit,
                    limit,
                } => values.push(match sim.get_words(*passed)[bit / 64] >> (bit % 64) & 1 {
                    1 => *limit,
                    _ => sim.get_words(*slot)[0],
                }),
                Place::Late { slot, newer, flags } => {
                    let late = flags.iter().any(|flag| sim.get_words(*flag)[0] == 1);
                    values.push(sim.get_words(if late { *newer } else { *slot })[0]);
                }
                Place::Inside(slot) => values.push(observer.get(*slot)[0]),
            }
        }
        values
    }

    /// It is a single bit.
    fn is_bit(&self) -> bool {
        self.width == 1 && self.places.len() == 1
    }

    /// It is a port of bits that are numbered.
    fn is_mask(&self) -> bool {
        matches!(&self.places[..], [Place::Port(_, port)] if port.element_width == 1 && port.elements > 1)
    }
}

/// Whether a name is meant by a pattern, in which one `*` stands for a number.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let inner = name
        .strip_prefix(before)
        .and_then(|n| n.strip_suffix(after));
    inner.is_some_and(|inner| !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit()))
}

/// All values of a scene's signals.
#[derive(Debug, Clone, Default)]
pub(super) struct Trace {
    signals: BTreeMap<String, (Signal, Vec<Vec<u64>>)>,
}

impl Trace {
    /// Adds a signal that is to be followed.
    pub fn follow(&mut self, name: &str, signal: Signal) {
        self.signals.insert(name.into(), (signal, Vec::new()));
    }

    /// Takes the values of the next cycle, of a netlist that has been evaluated.
    pub fn take(&mut self, sim: &Sim, observer: &mut Observer) {
        observer.observe(sim);
        for (signal, values) in self.signals.values_mut() {
            values.push(signal.values(sim, observer));
        }
    }

    /// A signal's value in a cycle, one number per element; nothing if it was not followed or there
    /// is no such cycle.
    pub fn value(&self, name: &str, cycle: u64) -> &[u64] {
        let value = |(_, values): &'_ (Signal, Vec<Vec<u64>>)| values.len() > cycle as usize;
        match self.signals.get(name) {
            Some(found) if value(found) => &found.1[cycle as usize],
            _ => &[],
        }
    }

    /// Whether a signal is one bit.
    pub fn is_bit(&self, name: &str) -> bool {
        self.signals
            .get(name)
            .is_some_and(|(signal, _)| signal.is_bit())
    }

    /// A value of a signal as it is written.
    pub fn text(&self, name: &str, format: Format, value: &[u64]) -> String {
        let Some((signal, _)) = self.signals.get(name) else {
            return String::new();
        };
        let binary = format == Format::Plain && signal.is_mask();
        let one = |&value: &u64| match format {
            Format::Binary => format!("{value:0width$b}", width = signal.width),
            _ if binary => format!("{value:0width$b}", width = signal.width),
            Format::Hex => format!("{value:x}"),
            Format::Kernel => format!("K{value}"),
            Format::Named(names) => match names.iter().find(|(named, _)| *named == value) {
                Some((_, name)) => (*name).into(),
                None => value.to_string(),
            },
            Format::Plain => value.to_string(),
        };
        let texts: Vec<String> = value.iter().map(one).collect();
        texts.join(" ")
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: a pattern that takes in more than it says shows other signals than the caption
    //! speaks of.
    use super::*;

    #[test]
    fn a_star_is_a_number() {
        assert!(fits("count[*][3]", "count[12][3]"));
        for other in [
            "count[1][2]",
            "count[][3]",
            "shadow[1][3]",
            "count[1][2][3]",
            "count[a][3]",
        ] {
            assert!(!fits("count[*][3]", other), "{other}");
        }
        assert!(fits("demotion.demoted", "demotion.demoted"));
        assert!(!fits("demoted", "demotion.demoted"));
    }
}
