//! `gdcu`: the accesses of `lru_stack`'s scene, counted: section III-A and figure 2.

use cotenant_golden::llc::gdcu::{In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::llc::Gdcu;
use crate::verify::stimulus::Drive;

/// The code of a miss.
const MISS: u8 = 4;

impl Teach for Gdcu {
    const SETS: &'static [&'static str] = &["4x4x21", "4x4x21s0", "4x4x21s2"];

    fn scene(params: &Params) -> Scene<Self> {
        // A counter has changed so many cycles after the access.
        let counted = params.stages as u64 + 1;
        let idle = || Self::idle(params);
        let access = |access_kid, access_pos, owners: [u8; 4], stack_valid| In {
            access_valid: true,
            access_kid,
            access_pos,
            stack_owner: owners.into(),
            stack_valid,
            ..idle()
        };
        let read = |read_victim, read_aggressor| In {
            read_victim,
            read_aggressor,
            ..idle()
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        let snapshot = In {
            snapshot: true,
            ..idle()
        };
        let mut scene = Scene::new("whose lines an access demotes")
            .group(
                "access, and the owners before it, MRU first",
                [
                    row("access_valid"),
                    row("access_kid").kernel().when("access_valid"),
                    row("access_pos").named(&[(4, "miss")]).when("access_valid"),
                    row("stack_owner").when("access_valid"),
                    row("stack_valid").when("access_valid"),
                ],
            )
            .group(
                "demotion logic: positions, MRU lowest",
                [row("demotion.demoted").binary()],
            );
        if params.stages > 0 {
            let latched = row("in_flight[0].demotions[*]").when("in_flight[0].valid");
            scene = scene.group("latched: lines of K0 K1 K2 K3", [latched]);
        }
        scene = scene
            .group(
                "demotions of K0 K1 K2 K3, a column an aggressor",
                [row("count[*][0]"), row("count[*][2]"), row("count[*][3]")],
            )
            .group(
                "read port",
                [
                    row("snapshot"),
                    row("sequence_number"),
                    row("read_victim").kernel(),
                    row("read_aggressor").kernel(),
                    row("read_count"),
                ],
            )
            .step(Step::new("Reset: all counters are 0.", reset).then("count[*][0]", [0, 0, 0, 0]))
            .step(
                Step::new(
                    "K0 hits in position 2 of the paper's stack (way 2, 0, 3, 1): the lines in positions 0 and 1, \
                     of K1 and K2, are demoted.",
                    access(0, 2, [1, 2, 3, 0], 0b1111),
                )
                .sees("demotion.demoted", 0b0011)
                .after(counted, "count[*][0]", [0, 1, 1, 0]),
            )
            .step(
                Step::new(
                    "K2 misses: all four lines are demoted, two of K0, one of K1 and one of its own.",
                    access(2, MISS, [0, 1, 2, 0], 0b1111),
                )
                .sees("demotion.demoted", 0b1111)
                .after(counted, "count[*][2]", [2, 1, 1, 0])
                .after(counted, "count[*][0]", [0, 1, 1, 0]),
            )
            .step(
                Step::new("No access: nothing is demoted.", idle())
                    .sees("demotion.demoted", 0b0000),
            )
            .step(
                Step::new(
                    "K3 misses while the LRU way is invalid: three valid lines are demoted, two of K2 and one of K0.",
                    access(3, MISS, [2, 0, 2, 1], 0b0111),
                )
                .sees("demotion.demoted", 0b0111)
                .after(counted, "count[*][3]", [1, 0, 2, 0]),
            );
        if params.stages > 0 {
            scene = scene.step(Step::over(
                "The last access is on its way to the counters.",
                (0..params.stages).map(|_| idle()),
            ));
        }
        scene
            .step(
                Step::new(
                    "A snapshot ends the period: counters go to the shadow registers and begin at 0.",
                    snapshot,
                )
                .sees("count[*][2]", [2, 1, 1, 0])
                .then("count[*][2]", [0, 0, 0, 0])
                .then("shadow[*][2]", [2, 1, 1, 0])
                .then("sequence_number", 1),
            )
            .step(
                Step::new("Read, the answer a cycle later: K0 has demoted K1's lines once.", read(1, 0))
                    .then("read_count", 1),
            )
            .step(
                Step::new("K2 has demoted lines of K0 twice.", read(0, 2)).then("read_count", 2),
            )
            .step(
                Step::new("K3 has demoted lines of K2 twice.", read(2, 3)).then("read_count", 2),
            )
            .step(Step::new("Nobody asks for more.", idle()).sees("overflow", 0))
    }
}
