//! `counter_matrix`: counting, the limit, and a snapshot; figure 2's counters for two kernels.

use cotenant_golden::llc::counter_matrix::{CounterMatrix as Model, In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::llc::CounterMatrix;
use crate::verify::interface::Interface;
use crate::verify::stimulus::Drive;

/// The limit of a counter of 16 bits.
const LIMIT: u64 = 65_535;

impl Teach for CounterMatrix {
    const SETS: &'static [&'static str] = &["2x2x16"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || Self::idle(params);
        let inc = |inc_kid, inc: [u32; 2]| In {
            inc_valid: true,
            inc_kid,
            inc: inc.into(),
            ..idle()
        };
        let read = |read_victim, read_aggressor| In {
            read_victim,
            read_aggressor,
            ..idle()
        };
        let scene = Scene::new("counting, the limit, and a snapshot")
            .group(
                "increments, of K0 and K1",
                [
                    row("inc_valid"),
                    row("inc_kid").kernel().when("inc_valid"),
                    row("inc").when("inc_valid"),
                ],
            )
            .group(
                "counters of K0 and K1, a column an aggressor",
                [row("count[*][0]"), row("count[*][1]"), row("passed[*]")],
            )
            .group(
                "read port",
                [
                    row("snapshot"),
                    row("sequence_number"),
                    row("overflow"),
                    row("read_victim").kernel(),
                    row("read_aggressor").kernel(),
                    row("read_live"),
                    row("read_count"),
                ],
            );
        let scene = match near_limit(params) {
            Some(model) => scene.from(model),
            None => scene,
        };
        scene
            .step(
                Step::new(
                    "K1 has demoted K0's lines 65533 times, two below the limit of 16 bits. Nothing happens.",
                    idle(),
                )
                .sees("count[*][1]", [LIMIT - 2, 0]),
            )
            .step(
                Step::new("K1 demotes one line of K0 and two of its own.", inc(1, [1, 2]))
                    .then("count[*][1]", [LIMIT - 1, 2])
                    .then("count[*][0]", [0, 0]),
            )
            .step(
                Step::new("One more: the counter is at its limit, which is no overflow.", inc(1, [1, 0]))
                    .then("count[*][1]", [LIMIT, 2])
                    .then("passed[*]", [0b00, 0b00]),
            )
            .step(
                Step::new(
                    "Two more of K0: the counter stays at its limit, and K0's row is marked.",
                    inc(1, [2, 1]),
                )
                .then("count[*][1]", [LIMIT, 3])
                .then("passed[*]", [0b10, 0b00]),
            )
            .step(
                Step::new(
                    "A snapshot beside an increment by K0: what was counted goes to the reader with its mark, \
                     and the increment opens the new period.",
                    In {
                        snapshot: true,
                        ..inc(0, [0, 3])
                    },
                )
                .then("count[*][0]", [0, 3])
                .then("count[*][1]", [0, 0])
                .then("shadow[*][1]", [LIMIT, 3])
                .then("overflow", 0b01)
                .then("passed[*]", [0b00, 0b00])
                .then("sequence_number", 1),
            )
            .step(
                Step::new(
                    "Read, the answer a cycle later: K0's lines by K1, at least 65535 as the mark says.",
                    read(0, 1),
                )
                .then("read_count", LIMIT),
            )
            .step(
                Step::new("K1's own lines by K1: 3.", read(1, 1)).then("read_count", 3),
            )
            .step(
                Step::new(
                    "The new period goes on with what K0 did: a live read shows what it has come to.",
                    In {
                        read_live: true,
                        ..read(1, 0)
                    },
                )
                .sees("count[*][0]", [0, 3])
                .then("read_count", 3),
            )
            .step(
                Step::new("Beside an increment, a live read lacks it.", In {
                    read_live: true,
                    read_victim: 1,
                    ..inc(0, [0, 2])
                })
                .then("read_count", 3)
                .then("count[*][0]", [0, 5]),
            )
            .step(Step::new("Nobody asks for more.", idle()).sees("read_count", 3))
    }
}

/// Two events below the limit, which takes too long to come to.
fn near_limit(params: &Params) -> Option<Model> {
    // A set of the table always has a model.
    let mut model = CounterMatrix::model(params).ok()?;
    model.preset(0, 1, LIMIT - 2);
    Some(model)
}
