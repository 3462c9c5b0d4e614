//! `lru_stack`: the replacement bits of section III-A, built up and then used.
//!
//! Source: GDC, section III-A: "for a 4-way LLC where the MRU for a given set is way 2, followed
//! by way 0, way 3 and way 1 (so way 1 is the LRU), the replacement bits would be the
//! concatenation of 10, 00, 11, and 01". Whose lines they are is chosen here.

use cotenant_golden::llc::lru_stack::{In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::llc::LruStack;
use crate::verify::stimulus::Drive;

impl Teach for LruStack {
    const SETS: &'static [&'static str] = &["4x4"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || Self::idle(params);
        let hit = |access_way, access_kid| In {
            access_valid: true,
            access_hit: true,
            access_way,
            access_kid,
            ..idle()
        };
        let miss = |access_kid| In {
            access_valid: true,
            access_kid,
            ..idle()
        };
        // What is hit where, and the stack that it leads to.
        let moves = |caption, way, kid, position: u64, ways: [u64; 4], owners: [u64; 4]| {
            Step::new(caption, hit(way, kid))
                .sees("hit_pos", position)
                .then("stack_way", ways)
                .then("stack_owner", owners)
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        let invalidate = In {
            invalidate_valid: true,
            invalidate_way: 2,
            ..idle()
        };
        Scene::new("the stack of section III-A: way 2, 0, 3, 1")
            .group(
                "request",
                [
                    row("access_valid"),
                    row("access_hit").when("access_valid"),
                    row("access_way").when("access_hit"),
                    row("access_kid").kernel().when("access_valid"),
                    row("hit_pos").when("access_hit"),
                    row("invalidate_valid"),
                ],
            )
            .group(
                "replacement bits: ways and owners, MRU first",
                [row("stack_way"), row("stack_owner"), row("stack_valid")],
            )
            .group(
                "what a miss would replace",
                [
                    row("victim_way"),
                    row("victim_owner").kernel().when("victim_valid"),
                    row("victim_valid"),
                ],
            )
            .step(
                Step::new("Reset: the ways in order, all invalid.", reset)
                    .then("stack_way", [0, 1, 2, 3])
                    .then("stack_valid", 0b0000),
            )
            .step(
                Step::over(
                    "Four misses of K0 fill the ways from the LRU position: 3, 2, 1, 0.",
                    [miss(0), miss(0), miss(0), miss(0)],
                )
                .then("stack_way", [0, 1, 2, 3])
                .then("stack_owner", [0, 0, 0, 0])
                .then("stack_valid", 0b1111),
            )
            .step(moves(
                "K0 hits way 1 in position 1: way 1 moves to the top, way 0 goes down.",
                1,
                0,
                1,
                [1, 0, 2, 3],
                [0, 0, 0, 0],
            ))
            .step(moves(
                "K3 hits way 3 in the LRU position and owns its line from now on.",
                3,
                3,
                3,
                [3, 1, 0, 2],
                [3, 0, 0, 0],
            ))
            .step(moves(
                "K2 hits way 0 in position 2.",
                0,
                2,
                2,
                [0, 3, 1, 2],
                [2, 3, 0, 0],
            ))
            .step(
                moves(
                    "K1 hits way 2. This is the paper's example: the MRU is way 2, followed by 0, 3 and 1.",
                    2,
                    1,
                    3,
                    [2, 0, 3, 1],
                    [1, 2, 3, 0],
                )
                .then("victim_way", 1),
            )
            .step(moves(
                "K0 hits way 3 in position 2: the lines above it, of K1 and K2, are demoted by one.",
                3,
                0,
                2,
                [3, 2, 0, 1],
                [0, 1, 2, 0],
            ))
            .step(
                Step::new(
                    "K2 misses: all lines are demoted, that of K0 in way 1 is evicted, and K2's takes its way.",
                    miss(2),
                )
                .sees("victim_way", 1)
                .sees("victim_owner", 0)
                .sees("victim_valid", true)
                .then("stack_way", [1, 3, 2, 0])
                .then("stack_owner", [2, 0, 1, 2]),
            )
            .step(
                Step::new(
                    "Way 2 is invalidated and goes to the bottom; its owner bits stay.",
                    invalidate,
                )
                .then("stack_way", [1, 3, 0, 2])
                .then("stack_owner", [2, 0, 2, 1])
                .then("stack_valid", 0b0111),
            )
            .step(
                Step::new(
                    "K3 misses: the way in the LRU position is invalid, so nothing is evicted.",
                    miss(3),
                )
                .sees("victim_way", 2)
                .sees("victim_valid", false)
                .then("stack_way", [2, 1, 3, 0])
                .then("stack_owner", [3, 2, 0, 2])
                .then("stack_valid", 0b1111),
            )
            .step(
                Step::new("No request: the stack stays as it is.", idle())
                    .sees("stack_way", [2, 1, 3, 0])
                    .sees("victim_way", 0),
            )
    }
}
