//! `llc_monitor_apb` and `llc_monitor_axi` under test.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use std::marker::PhantomData;

use cotenant_golden::bus::llc_monitor::{In, LlcMonitorBus as Model, Out, State};
use cotenant_golden::bus::llc_registers::{self, Interrupts, Slot};
use cotenant_golden::llc::llc_monitor::{self, Params};
use cotenant_golden::llc::{clog2, id_w};
use cotenant_golden::rules::verilog::{self, Expression};
use cotenant_golden::Model as _;
use cotenant_units::table::ParameterSet;
use cotenant_waveforms::ValueNames;

use super::{access, below, decoded, pack_access, Bus};
use crate::error::Result;
use crate::unit::llc::LlcMonitor;
use crate::verify::interface::{Interface, Packer, Place, Port, StateField};
use crate::verify::interface::{Memory, WordPacker};

/// The units [`llc_monitor_apb`](cotenant_golden::bus::LlcMonitorApb) and
/// [`llc_monitor_axi`](cotenant_golden::bus::LlcMonitorAxi).
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

/// Budgets by matrix: the golden model's name, and the instance.
const BUDGETS: [&str; 2] = ["demotions", "evictions"];

/// The register file's registers.
fn registers(params: &Params) -> Vec<StateField> {
    let kernels = params.kernels;
    let kid_w = id_w(kernels);
    let pair_w = 1 + 2 * kid_w;
    let mut fields = access();
    for (name, width, flop) in [
        ("period", 32, "timer.period_register"),
        ("left", 32, "timer.left"),
        ("timer_ends", 1, "timer.expiring"),
        ("period_ended", 1, "period_passed"),
        ("enable", 3, "irq_enable"),
        ("irq", 1, "irq_register"),
        ("sweeping", 1, "scan.sweep"),
        ("sweep", pair_w, "scan.sweep_pair"),
        ("scan.matrix", 1, "scan.slot_matrix"),
        ("scan.victim", kid_w, "scan.slot_victim"),
        ("scan.aggressor", kid_w, "scan.slot_aggressor"),
        ("closing", 1, "scan.closing"),
        ("closing_from", pair_w, "scan.closing_pair"),
        ("slots[0].valid", 1, "scan.asked"),
        ("slots[0].pair", pair_w, "scan.asked_pair"),
        ("slots[1].valid", 1, "scan.compared"),
        ("slots[1].pair", pair_w, "scan.compared_pair"),
        ("slots[2].over", 1, "scan.above"),
        ("slots[2].pair", pair_w, "scan.above_pair"),
    ] {
        fields.push(StateField::value(name, width, flop));
    }
    for (kind, flop) in [("over", "flags"), ("mask", "masks")] {
        for budget in BUDGETS {
            for victim in 0..kernels {
                let name = format!("{kind}.{budget}[{victim}]");
                let flop = format!("{budget}.{flop}[{victim}]");
                fields.push(StateField::value(name, kernels, flop));
            }
        }
    }
    fields
}

fn pack_registers(params: &Params, state: &llc_registers::State, words: &mut Packer<'_>) {
    pack_access(&state.access, words);
    words.value(state.period);
    words.value(state.left);
    words.value(state.timer_ends());
    words.value(state.period_ended);
    let Interrupts {
        demotion,
        eviction,
        period,
    } = state.enable;
    words.value(u64::from(demotion) | u64::from(eviction) << 1 | u64::from(period) << 2);
    words.value(state.irq);
    words.value(state.sweeping);
    words.value(state.sweep);
    words.value(state.scan.matrix);
    words.value(state.scan.victim);
    words.value(state.scan.aggressor);
    words.value(state.closing > 0);
    words.value(state.closing_from.index(params.kernels) as u64);
    let [asked, compared, above] = &state.slots;
    let pair = |slot: &Slot| slot.pair.index(params.kernels) as u64;
    words.value(asked.valid);
    words.value(pair(asked));
    words.value(compared.valid);
    words.value(pair(compared));
    words.value(above.over);
    words.value(pair(above));
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

    fn working(flop: &str) -> bool {
        // The limit register shows what the RAM read, which is undefined while it is swept; what is
        // compared with it is compared.
        decoded(flop)
            || flop == "registers.scan.limit_register"
            || flop
                .strip_prefix("monitor.")
                .is_some_and(LlcMonitor::working)
    }

    fn resumed(params: &Params, state: &State<B::State>) -> Vec<(String, u64)> {
        let monitor = LlcMonitor::resumed(params, &state.monitor).into_iter();
        monitor
            .map(|(flop, value)| (format!("monitor.{flop}"), value))
            .collect()
    }

    fn codes(name: &str) -> Option<ValueNames> {
        LlcMonitor::codes(name)
    }

    fn legal(params: &Params, name: &dyn Fn(&str) -> String) -> Vec<Expression> {
        let ports = [Self::inputs(params), Self::outputs(params)].concat();
        verilog::legal(&llc_monitor::LlcMonitor::rules(params), &ports, name)
    }

    fn params(set: &ParameterSet) -> Result<Params> {
        LlcMonitor::params(set)
    }

    fn inputs(params: &Params) -> Vec<Port> {
        let mut ports = named(LlcMonitor::inputs(params), &CACHE);
        ports.extend(B::input_ports());
        ports
    }

    fn outputs(params: &Params) -> Vec<Port> {
        let mut ports = named(LlcMonitor::outputs(params), &DONE);
        ports.extend(B::output_ports());
        ports.push(Port::value("irq", 1));
        ports
    }

    fn state(params: &Params) -> Vec<StateField> {
        let mut fields: Vec<StateField> = below("bus", B::state()).collect();
        fields.extend(below("registers", registers(params)));
        fields.extend(below("monitor", LlcMonitor::state(params)));
        fields
    }

    fn pack_in(params: &Params, input: &In<B::In>, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.access_valid);
        words.value(input.invalidate_valid);
        words.elements(clog2(params.sets), input.request_set.iter().copied());
        words.elements(params.tag_w, input.access_tag.iter().copied());
        let requester_w = clog2(params.requesters + 1);
        words.elements(requester_w, input.access_requester.iter().copied());
        words.elements(id_w(params.ways), input.invalidate_way.iter().copied());
        B::pack_in(&input.bus, words);
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
        pack_registers(params, &state.registers, words);
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
        memories.push(Memory::values("registers.scan.limits", words, LIMIT_W));
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

/// RAMs of a monitor: of each bank one per way, and the replacement bits.
fn llc_monitor_rams(params: &llc_monitor::Params) -> usize {
    params.banks * (1 + params.ways)
}
