//! Example waveform of `llc_monitor_apb` and `llc_monitor_axi`: a budget is set and exceeded, and
//! an interrupt is raised; the smallest parameter set.

use cotenant_golden::bus::llc_monitor::In;
use cotenant_golden::llc::llc_monitor::{self as monitor, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::bus::spoken::Spoken;
use crate::unit::bus::LlcMonitorBus;
use crate::verify::stimulus::Drive;

/// Where the registers of the scene are.
const CONTROL: u16 = 0x01c;
const IRQ_STATUS: u16 = 0x024;
const IRQ_ENABLE: u16 = 0x028;
const DEMOTION_OVER_0: u16 = 0x080;
const DEMOTION_MASK_0: u16 = 0x100;
const GDC_0_1: u16 = 0x804;
const DEMOTION_LIMIT_0_1: u16 = 0x2804;

/// K1, as an aggressor's bit.
const K1: u32 = 0b10;

/// The set that is accessed, and the tags of two lines of it.
const SET: u32 = 5;
const A: u64 = 0xa;
const B: u64 = 0xb;

impl<Bus: Spoken> Teach for LlcMonitorBus<Bus> {
    const SETS: &'static [&'static str] = &["2x2x16x1"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || Self::idle(params);
        let access = |requester: u16, tag| {
            let mut input = idle();
            let cache = monitor::In {
                access_valid: 1,
                request_set: vec![SET],
                access_tag: vec![tag],
                access_requester: vec![requester],
                ..monitor::In::idle(params)
            };
            input.set_cache(&cache);
            input
        };
        let on_the_bus = |transfer: Vec<Bus::In>| {
            let cycles = transfer.into_iter().map(|bus| {
                let mut input = idle();
                input.bus = bus;
                input
            });
            cycles.collect::<Vec<In<Bus::In>>>()
        };
        let write = |address, data| on_the_bus(Bus::write(address, data));
        let read = |address| on_the_bus(Bus::read(address));
        let mut reset = idle();
        let asked = monitor::In {
            reset: true,
            ..monitor::In::idle(params)
        };
        reset.set_cache(&asked);
        // An access is in the counters five cycles later.
        let counted = 5;
        // All eight pairs are read in that many cycles; a bit follows by four, `irq` by one more.
        let scanned = (0..counted as usize + 8 + 4 + 1).map(|_| idle());
        let closed = (0..8 + 4).map(|_| idle());
        Scene::new("a contention budget")
            .group("bus", Bus::rows())
            .group(
                "accesses (SM 0 runs K0, SM 1 runs K1)",
                [
                    row("ready"),
                    row("access_valid"),
                    row("access_tag").hex().when("access_valid"),
                    row("access_requester").when("access_valid"),
                ],
            )
            .group(
                "demotions of K0's lines, by K0 and K1",
                [
                    row("monitor.bank[0].gdcu.count[0][*]"),
                    row("registers.over.demotions[0]").binary(),
                    row("registers.mask.demotions[0]").binary(),
                    row("registers.closing"),
                    row("irq"),
                ],
            )
            .step(Step::new("Reset.", reset).then("ready", false))
            .step(
                Step::over(
                    "Two sweeps: the 16 sets are cleared, the 8 limits are set to all ones, no limit.",
                    (0..params.sets).map(|_| idle()),
                )
                .folded()
                .sees("registers.sweeping", false)
                .sees("ready", false)
                .then("ready", true),
            )
            .step(
                Step::over(
                    "Software gives K1 a budget: one demotion of K0's lines in a period.",
                    write(DEMOTION_LIMIT_0_1, 1),
                )
                .sees(Bus::WRITTEN, true),
            )
            .step(
                Step::over("It enables the flag of K1", write(DEMOTION_MASK_0, K1))
                    .then("registers.mask.demotions[0]", 0b10),
            )
            .step(
                Step::over("and the interrupt.", write(IRQ_ENABLE, 1))
                    .then("registers.enable", 0b001),
            )
            .step(
                Step::over(
                    "K0 and K1 alternately access lines a and b of the same set of two ways: each access but the first demotes the other's line.",
                    [access(0, A), access(1, B), access(0, A), access(1, B)],
                )
                .sees("monitor.bank[0].gdcu.count[0][*]", [0, 0])
                .after(counted - 2, "monitor.bank[0].gdcu.count[0][*]", [0, 1])
                .after(counted, "monitor.bank[0].gdcu.count[0][*]", [0, 2]),
            )
            .step(
                Step::over(
                    "The second demotion exceeds the limit. The scan finds it and raises the interrupt.",
                    scanned,
                )
                .folded()
                .sees("registers.over.demotions[0]", 0b10)
                .sees("irq", true),
            )
            .step(
                Step::over("Software reads the cause: demotions.", read(IRQ_STATUS)).sees(Bus::READ, 0b001),
            )
            .step(
                Step::over("Who? K1.", read(DEMOTION_OVER_0)).sees(Bus::READ, 0b10),
            )
            .step(
                Step::over("Software ends the period,", write(CONTROL, 1))
                    .then("monitor.bank[0].gdcu.count[0][*]", [0, 0])
                    .then("registers.closing", true)
                    .then("irq", true),
            )
            .step(
                Step::over(
                    "lets the scan compare the final counts of the period,",
                    closed,
                )
                .folded()
                .sees("registers.closing", false)
                .sees("registers.over.demotions[0]", 0b10),
            )
            .step(
                Step::over("and clears the flag, which is not set again.", write(DEMOTION_OVER_0, K1))
                    .then("registers.over.demotions[0]", 0),
            )
            .step(
                Step::over("The period had two demotions of K0's lines by K1.", read(GDC_0_1))
                    .sees(Bus::READ, 2)
                    .sees("irq", false),
            )
            .step(Step::new("No flag is set any more.", idle()).sees("registers.over.demotions[0]", 0))
    }
}
