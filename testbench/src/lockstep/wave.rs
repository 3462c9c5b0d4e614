//! The waveform around a mismatch: the netlist and the golden model beside each other.

use std::ops::Range;
use std::path::{Path, PathBuf};

use cotenant_netlist::sim::Slot;
use cotenant_waveforms::{Fill, Layout, Options, Scope, Signal, WaveFile};

use super::dut::Dut;
use super::record::{Record, Row};
use super::tree::Tree;
use crate::error::{Error, Result};
use crate::unit::Interface;

/// Cycles shown before a mismatch, at most.
pub(super) const BEFORE: u64 = 200;

/// Writes the cycles `shown`, as far as they are recorded, and marks those in which the two sides
/// differ.
pub(super) fn write<U: Interface>(
    path: &Path,
    dut: &Dut,
    record: &Record,
    mismatch: Option<u64>,
    shown: Range<u64>,
    comments: &[String],
) -> Result<PathBuf> {
    let mut replayed = dut.clone();
    let Some((start, state)) = record.oldest() else {
        // Nothing has run yet, so there is nothing to show.
        return Ok(path.into());
    };
    let failed = |source| Error::Simulate {
        unit: U::NAME,
        source,
    };
    replayed.sim_mut().restore(state).map_err(failed)?;
    let hierarchy = Hierarchy::new::<U>(&replayed);
    let layout = Layout::new(hierarchy.scope.clone())?;
    let mut options = Options::new().version("cotenant lockstep");
    for comment in comments {
        options = options.comment(comment.clone());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| Error::Io {
            action: "create",
            path: folder.into(),
            source,
        })?;
    }
    let mut file = WaveFile::create(path, &layout, &options)?;
    let mut sample = cotenant_waveforms::Sample::new(&layout);
    let mut observer = replayed.sim().observer();
    for cycle in start..shown.end {
        let row = record.row(cycle);
        replayed.drive(row.input);
        replayed.sim_mut().eval();
        if cycle >= shown.start {
            // Of RAMs no row knows; where they differ first is known.
            let differs = mismatch == Some(cycle) || !replayed.agrees(row.output, row.state);
            let signals = observer.observe(replayed.sim());
            sample.fill(|out| hierarchy.fill(out, &replayed, signals, &row, differs))?;
            file.sample(cycle, &sample)?;
        }
        replayed.sim_mut().step();
    }
    Ok(file.finish()?)
}

/// Where a value of the netlist is read.
#[derive(Debug, Clone, Copy)]
enum Shown {
    /// From the observer.
    Signal(Slot),
    /// From the simulation.
    Output(Slot),
}

/// The scopes, and the netlist's signals in their order.
struct Hierarchy {
    scope: Scope,
    dut: Vec<Shown>,
    reset: Option<Slot>,
}

impl Hierarchy {
    fn new<U: Interface>(dut: &Dut) -> Self {
        let layout = dut.sim().layout();
        let signals: Vec<(&str, Slot)> = layout.signals().collect();
        let sequential = !dut.fields().is_empty();
        let reset = signals.iter().find(|(name, _)| *name == "reset");
        let mut top = Scope::module(U::NAME);
        if sequential {
            top.push_signal(Signal::clock("clock"));
        }
        if reset.is_some() {
            top.push_signal(Signal::wire("reset", 1));
        }
        top.push_signal(Signal::wire("mismatch", 1));
        let mut tree = Tree::default();
        let outputs: Vec<(&str, Slot)> = layout.outputs().collect();
        for &(name, slot) in &signals {
            // What the simulation says, which is what was compared.
            let output = outputs.iter().find(|(output, _)| *output == name);
            let shown = output.map_or(Shown::Signal(slot), |(_, slot)| Shown::Output(*slot));
            tree.insert(name, slot.width(), shown);
        }
        let mut order = Vec::new();
        let mut netlist = tree.scope("dut", &mut order);
        let mut golden = Scope::module("golden");
        if sequential {
            netlist.push_signal(Signal::clock("clock"));
            golden.push_signal(Signal::clock("clock"));
        }
        for port in dut.input_ports().chain(dut.output_ports()) {
            golden.push_signal(Signal::wire(port.name, port.width() as u32));
        }
        let fields = dut.fields().iter();
        let state = Scope::module("state").signals(
            fields.map(|field| Signal::reg(field.name.replace('.', "_"), field.width as u32)),
        );
        if sequential {
            golden.push_scope(state);
        }
        Self {
            scope: top.scope(netlist).scope(golden),
            dut: order,
            reset: reset.map(|(_, slot)| *slot),
        }
    }

    /// One value a signal, in the order of declaration.
    fn fill(&self, out: &mut Fill<'_>, dut: &Dut, signals: &[u64], row: &Row<'_>, differs: bool) {
        if let Some(reset) = self.reset {
            out.put(signals[reset.offset()]);
        }
        out.put_bool(differs);
        for shown in &self.dut {
            out.put_limbs(match shown {
                Shown::Signal(slot) => &signals[slot.range()],
                Shown::Output(slot) => dut.sim().get_words(*slot),
            });
        }
        let mut put = |words: &[u64], widths: &mut dyn Iterator<Item = usize>| {
            let mut at = 0;
            for width in widths {
                let limbs = &words[at..at + width.div_ceil(64)];
                at += limbs.len();
                match width {
                    // A model that is wrong may hold more than the port does.
                    1..=63 => out.put(limbs[0] & ((1 << width) - 1)),
                    _ => out.put_limbs(limbs),
                }
            }
        };
        put(row.input, &mut dut.input_ports().map(|port| port.width()));
        put(row.output, &mut dut.output_ports().map(|port| port.width()));
        put(row.state, &mut dut.fields().iter().map(|field| field.width));
    }
}
