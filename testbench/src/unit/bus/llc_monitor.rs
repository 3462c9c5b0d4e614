//! `llc_monitor_apb` and `llc_monitor_axi`.

use std::marker::PhantomData;

use cotenant_golden::bus::llc_registers::{self, Interrupts, Pair};
use cotenant_golden::bus::monitor::{LlcMonitorBus as Model, Out, State};
use cotenant_golden::llc::llc_monitor::{self, Params};
use cotenant_golden::llc::{clog2, id_w};
use cotenant_golden::Model as _;
use cotenant_units::table::ParameterSet;
use cotenant_waveforms::ValueNames;

use super::{access, below, pack_access, Bus};
use crate::error::Result;
use crate::unit::interface::{Interface, Packer, Place, Port, StateField};
use crate::unit::llc::LlcMonitor;
use crate::unit::memory::{Memory, WordPacker};

/// The units [`llc_monitor_apb`](cotenant_golden::bus::llc_monitor_apb) and
/// [`llc_monitor_axi`](cotenant_golden::bus::llc_monitor_axi).
#[derive(Debug, Clone, Copy)]
pub struct LlcMonitorBus<B>(PhantomData<B>);

/// Ports of the monitor that the cache has.
const CACHE: [&str; 7] = [
    "reset",
    "access_valid",
    "invalidate_valid",
    "request_set",
    "access_tag",
    "access_requester",
    "invalidate_way",
];
const DONE: [&str; 6] = [
    "ready",
    "done_valid",
    "done_hit",
    "done_way",
    "done_evict",
    "done_owner",
];

/// Those of the ports that are named, in the order of their names.
fn named(ports: Vec<Port>, names: &[&str]) -> Vec<Port> {
    ports
        .into_iter()
        .filter(|port| names.contains(&port.name))
        .collect()
}

const MATRICES: [&str; 2] = ["demotion", "eviction"];

/// The register file's own registers.
fn registers(params: &Params) -> Vec<StateField> {
    let kernels = params.kernels;
    let kid_w = id_w(kernels);
    let mut fields = access();
    let mut add = |name: String, width: usize, flop: String| {
        fields.push(StateField::value(name, width, flop));
    };
    let mut same = |name: &str, width: usize| add(name.into(), width, name.into());
    same("sweeping", 1);
    same("sweep", 1 + 2 * kid_w);
    same("period", 32);
    same("left", 32);
    same("period_ended", 1);
    same("irq", 1);
    for name in ["demotion", "eviction", "period"] {
        add(format!("enable.{name}"), 1, format!("enable_{name}"));
    }
    for (name, width) in [("matrix", 1), ("victim", kid_w), ("aggressor", kid_w)] {
        add(format!("scan.{name}"), width, format!("scan_{name}"));
    }
    for (kind, flop) in [("over", "over"), ("mask", "mask")] {
        for matrix in MATRICES {
            for victim in 0..kernels {
                let name = format!("{kind}.{matrix}[{victim}]");
                add(name, kernels, format!("{matrix}_{flop}[{victim}]"));
            }
        }
    }
    fields
}

fn pack_pair(pair: &Pair, words: &mut Packer<'_>) {
    words.value(pair.matrix);
    words.value(pair.victim);
    words.value(pair.aggressor);
}

fn pack_registers(state: &llc_registers::State, words: &mut Packer<'_>) {
    pack_access(&state.access, words);
    words.value(state.sweeping);
    words.value(state.sweep);
    words.value(state.period);
    words.value(state.left);
    words.value(state.period_ended);
    words.value(state.irq);
    let Interrupts {
        demotion,
        eviction,
        period,
    } = state.enable;
    words.value(demotion);
    words.value(eviction);
    words.value(period);
    pack_pair(&state.scan, words);
    for flags in state.over.iter().chain(&state.mask).flatten() {
        words.value(*flags);
    }
}

/// Width of a limit.
const LIMIT_W: usize = 32;

impl<B: Bus> Interface for LlcMonitorBus<B> {
    const NAME: &'static str = B::LLC_MONITOR;
    const SUMMARY: &'static str = B::LLC_MONITOR_SUMMARY;
    const PLACE: Place = Place::Banks;
    type Model = Model<B>;

    fn codes(name: &str) -> Option<ValueNames> {
        LlcMonitor::codes(name)
    }

    fn params(set: &ParameterSet) -> Result<Params> {
        LlcMonitor::params(set)
    }

    fn inputs(params: &Params) -> Vec<Port> {
        let mut ports = named(LlcMonitor::inputs(params), &CACHE);
        ports.extend(B::inputs());
        ports
    }

    fn outputs(params: &Params) -> Vec<Port> {
        let mut ports = named(LlcMonitor::outputs(params), &DONE);
        ports.extend(B::outputs());
        ports.push(Port::value("irq", 1));
        ports
    }

    fn state(params: &Params) -> Vec<StateField> {
        let mut fields: Vec<StateField> = below("bus", B::state()).collect();
        fields.extend(below("registers", registers(params)));
        fields.extend(below("monitor", LlcMonitor::state(params)));
        fields
    }

    fn pack_in(params: &Params, input: &B::MonitorIn, words: &mut Packer<'_>) {
        let cache = B::cache(input);
        words.value(cache.reset);
        words.value(cache.access_valid);
        words.value(cache.invalidate_valid);
        words.elements(clog2(params.sets), cache.request_set.iter().copied());
        words.elements(params.tag_w, cache.access_tag.iter().copied());
        let requester_w = clog2(params.requesters + 1);
        words.elements(requester_w, cache.access_requester.iter().copied());
        words.elements(id_w(params.ways), cache.invalidate_way.iter().copied());
        B::pack_in(&B::beside_cache(input), words);
    }

    fn pack_out(params: &Params, out: &Out<B::Out>, words: &mut Packer<'_>) {
        words.value(out.ready);
        words.value(out.done_valid);
        words.value(out.done_hit);
        words.elements(id_w(params.ways), out.done_way.iter().copied());
        words.value(out.done_evict);
        words.elements(id_w(params.kernels), out.done_owner.iter().copied());
        B::pack_out(&out.bus, words);
        words.value(out.irq);
    }

    fn pack_state(params: &Params, state: &State<B::State>, words: &mut Packer<'_>) {
        B::pack_state(&state.bus, words);
        pack_registers(&state.registers, words);
        LlcMonitor::pack_state(params, &state.monitor, words);
    }

    /// Those of the monitor, then the limits.
    fn memories(params: &Params) -> Vec<Memory> {
        let monitor = LlcMonitor::memories(params).into_iter();
        let mut memories: Vec<Memory> = monitor
            .map(|memory| Memory {
                ram: format!("monitor.{}", memory.ram),
                ..memory
            })
            .collect();
        let words = 2 << (2 * id_w(params.kernels));
        memories.push(Memory::values("registers.limits", words, LIMIT_W));
        memories
    }

    fn written(params: &Params, model: &Model<B>, each: &mut dyn FnMut((usize, usize))) {
        let monitor = llc_monitor_rams(params);
        let of_a_bank = monitor / params.banks;
        for (bank, set) in model.written() {
            (0..of_a_bank).for_each(|ram| each((bank * of_a_bank + ram, set)));
        }
        if let Some(word) = model.limit_written() {
            each((monitor, word));
        }
    }

    fn pack_word(
        params: &Params,
        state: &State<B::State>,
        (ram, word): (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        match ram == llc_monitor_rams(params) {
            true => packer.value(LIMIT_W, state.registers.limits[word]),
            false => LlcMonitor::pack_word(params, &state.monitor, (ram, word), packer),
        }
    }

    fn word_read(params: &Params, state: &State<B::State>, ram: usize) -> usize {
        match ram == llc_monitor_rams(params) {
            // Far states have read nothing.
            true => 0,
            false => LlcMonitor::word_read(params, &state.monitor, ram),
        }
    }
}

/// RAMs of a monitor: of each bank one a way, and the replacement bits.
fn llc_monitor_rams(params: &llc_monitor::Params) -> usize {
    params.banks * (1 + params.ways)
}
