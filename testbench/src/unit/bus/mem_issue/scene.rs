//! Example waveform of `mem_issue_apb` and `mem_issue_axi`: a limit is set, holds, and is read
//! back; static limits and round-robin.

use cotenant_golden::bus::mem_issue::In as Cycle;
use cotenant_golden::sm::mem_issue::{In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::bus::spoken::Spoken;
use crate::unit::bus::MemIssueBus;

/// Where the registers of the scene are.
const CONTROL: u16 = 0x01c;
const IN_FLIGHT_1: u16 = 0x044;
const SET_LIMIT_1: u16 = 0x144;

/// Kernels by their bits.
const K0: u64 = 0b01;
const K1: u64 = 0b10;

impl<Bus: Spoken> Teach for MemIssueBus<Bus> {
    const SETS: &'static [&'static str] = &["2-smil-rbmi"];

    fn scene(params: &Params) -> Scene<Self> {
        let cycle = |sm: In, bus: Bus::In| Cycle::new(&sm, bus);
        let asks = |sm: In| cycle(sm, Bus::In::default());
        let wants = |want| In {
            want,
            lsu_ready: true,
            ..In::default()
        };
        let on_the_bus = |transfer: Vec<Bus::In>| {
            let cycles = transfer.into_iter().map(|bus| cycle(In::default(), bus));
            cycles.collect::<Vec<Cycle<Bus::In>>>()
        };
        let write = |address, data| on_the_bus(Bus::write(address, data));
        let all = u64::MAX >> (64 - params.count_w);
        let (refused, by) = Bus::REFUSED;
        Scene::new("a limit set by software")
            .group("bus", Bus::rows())
            .group(
                "memory instructions wanted, K0 lowest",
                [row("want"), row("lsu_ready")],
            )
            .group(
                "grant",
                [
                    row("grant_valid"),
                    row("grant_kid").kernel().when("grant_valid"),
                ],
            )
            .group(
                "limiters of K0 and K1",
                [
                    row("in_flight"),
                    row("limit"),
                    row("unlimited"),
                    row("allow"),
                ],
            )
            .step(
                Step::new(
                    "Reset.",
                    asks(In {
                        reset: true,
                        ..In::default()
                    }),
                )
                .then("active", 0b00),
            )
            .step(
                Step::new(
                    "K0 and K1 are launched, without limits.",
                    asks(In {
                        launch: K0 | K1,
                        ..In::default()
                    }),
                )
                .then("active", 0b11)
                .then("unlimited", 0b11),
            )
            .step(
                Step::over(
                    "Software limits K1 to one instruction in flight.",
                    write(SET_LIMIT_1, 1),
                )
                .then("limit", [all, 1])
                .then("unlimited", K0),
            )
            .step(
                Step::new("K1 issues it,", asks(wants(K1)))
                    .sees("grant_kid", 1)
                    .then("in_flight", [0, 1])
                    .then("allow", K0),
            )
            .step(Step::new("and cannot issue another one.", asks(wants(K1))).sees("grant_valid", false))
            .step(Step::new("K0 may.", asks(wants(K0 | K1))).sees("grant_kid", 0))
            .step(
                Step::over(
                    "A snapshot captures the number in flight of each kernel.",
                    write(CONTROL, 1),
                )
                .then("registers.in_flight[*]", [1, 1])
                .then("registers.sequence", 1),
            )
            .step(Step::over("K1 has one.", on_the_bus(Bus::read(IN_FLIGHT_1))).sees(Bus::READ, 1))
            .step(
                Step::over(
                    "A limit of 0 would stop K1 for ever: the write is refused, and the old limit stays.",
                    write(SET_LIMIT_1, 0),
                )
                .sees(refused, by)
                .then("limit", [all, 1]),
            )
            .step(
                Step::over("Software removes the limit.", write(SET_LIMIT_1, 1 << 31))
                    .then("unlimited", K0 | K1),
            )
            .step(Step::new("K1 issues again.", asks(wants(K1))).sees("grant_kid", 1))
            .step(Step::new("It has two in flight.", asks(In::default())).sees("in_flight", [1, 2]))
    }
}
