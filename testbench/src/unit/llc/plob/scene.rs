//! `plob`: evictions by pair of kernels, section II-A; the misses of `lru_stack`'s scene and one
//! more.

use cotenant_golden::llc::plob::{In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::llc::Plob;
use crate::verify::stimulus::Drive;

impl Teach for Plob {
    const SETS: &'static [&'static str] = &["4x21", "4x21s0", "4x21s2"];

    fn scene(params: &Params) -> Scene<Self> {
        // A counter has changed so many cycles after the access.
        let counted = params.stages as u64 + 1;
        let idle = || Self::idle(params);
        let access = |access_kid, access_hit, victim_valid, victim_owner| In {
            access_valid: true,
            access_kid,
            access_hit,
            victim_valid,
            victim_owner,
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
        let mut scene = Scene::new("who evicts whom")
            .group(
                "access, and the line in the LRU position",
                [
                    row("access_valid"),
                    row("access_hit").when("access_valid"),
                    row("access_kid").kernel().when("access_valid"),
                    row("victim_valid").when("access_valid"),
                    row("victim_owner").kernel().when("victim_valid"),
                ],
            )
            .group(
                "evictions of K0 K1 K2 K3, a column an aggressor",
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
            .step(Step::new("Reset: all counters are 0.", reset).then("count[*][2]", [0, 0, 0, 0]))
            .step(
                Step::new(
                    "K0 hits: nothing is evicted. That lines are demoted, PLOB does not see.",
                    access(0, true, true, 0),
                )
                .after(counted, "count[*][0]", [0, 0, 0, 0]),
            )
            .step(
                Step::new(
                    "K2 misses, and the line in the LRU position is K0's: K2 has evicted K0.",
                    access(2, false, true, 0),
                )
                .after(counted, "count[*][2]", [1, 0, 0, 0]),
            )
            .step(
                Step::new(
                    "K3 misses, but the way in the LRU position is invalid: no eviction.",
                    access(3, false, false, 1),
                )
                .after(counted, "count[*][3]", [0, 0, 0, 0]),
            )
            .step(
                Step::new(
                    "K2 misses and evicts a line of its own: counted, too, on the diagonal.",
                    access(2, false, true, 2),
                )
                .after(counted, "count[*][2]", [1, 0, 1, 0]),
            );
        if params.stages > 0 {
            scene = scene.step(Step::over(
                "The last eviction is on its way to the counters.",
                (0..params.stages).map(|_| idle()),
            ));
        }
        scene
            .step(
                Step::new(
                    "A snapshot ends the period: counters go to the shadow registers and begin at 0.",
                    snapshot,
                )
                .sees("count[*][2]", [1, 0, 1, 0])
                .then("count[*][2]", [0, 0, 0, 0])
                .then("sequence_number", 1),
            )
            .step(
                Step::new("Read, the answer a cycle later: K2 has evicted one line of K0.", read(0, 2))
                    .then("read_count", 1),
            )
            .step(Step::new("K3 has evicted none of K0's.", read(0, 3)).then("read_count", 0))
            .step(Step::new("Nobody asks for more.", idle()).sees("overflow", 0))
    }
}
