//! `demotion`: which positions an access demotes, in a set of four ways as in figure 2.

use cotenant_golden::llc::demotion::{In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::llc::Demotion;

/// The code of a miss.
const MISS: u8 = 4;

impl Teach for Demotion {
    const SETS: &'static [&'static str] = &["4"];

    fn scene(_: &Params) -> Scene<Self> {
        let access = |caption, access_pos, stack_valid, demoted: u64| {
            let input = In {
                access_valid: true,
                access_pos,
                stack_valid,
            };
            Step::new(caption, input).sees("demoted", demoted)
        };
        let bubble = In {
            access_valid: false,
            access_pos: MISS,
            stack_valid: 0b1111,
        };
        Scene::new("hits demote the lines above, misses all")
            .group(
                "access",
                [
                    row("access_valid"),
                    row("access_pos").named(&[(4, "miss")]).when("access_valid"),
                    row("stack_valid"),
                ],
            )
            .group("one bit a position, MRU lowest", [row("demoted")])
            .step(access(
                "A hit on the MRU line: it stays where it is, and so do all others.",
                0,
                0b1111,
                0b0000,
            ))
            .step(access(
                "A hit in position 2 moves that line to the top: those in positions 0 and 1 go down by one.",
                2,
                0b1111,
                0b0011,
            ))
            .step(access(
                "A hit on the LRU line, position 3: all others go down.",
                3,
                0b1111,
                0b0111,
            ))
            .step(access(
                "A miss has a code of its own, 4: all four go down, the LRU line out of the cache.",
                MISS,
                0b1111,
                0b1111,
            ))
            .step(access(
                "A miss while the way in the LRU position is invalid: only the three valid lines count.",
                MISS,
                0b0111,
                0b0111,
            ))
            .step(
                Step::new("No access, nothing demoted, whatever the other inputs carry.", bubble)
                    .sees("demoted", 0),
            )
    }
}
