//! `qbmi`: ratios measured, quotas computed, and quotas used up and filled again; figure 7, with
//! intervals of 4 requests in place of 1024.

use cotenant_golden::sm::qbmi::{In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::sm::Qbmi;

impl Teach for Qbmi {
    const SETS: &'static [&'static str] = &["2x2"];

    fn scene(_: &Params) -> Scene<Self> {
        let idle = In::default();
        let request = |request_first| In {
            request_valid: true,
            request_first,
            request_kid: 1,
            ..idle
        };
        let both = In {
            ready: 0b11,
            accept: true,
            ..idle
        };
        // Who wins, and the quotas that it leads to.
        let wins = |caption, kernel: u64, quotas: [u64; 2]| {
            Step::new(caption, both)
                .sees("grant_valid", true)
                .sees("grant_kid", kernel)
                .then("quota", quotas)
        };
        let reset = In {
            reset: true,
            ..idle
        };
        let launch = In {
            launch: 0b11,
            ..idle
        };
        Scene::new("ratios, quotas, and a refill")
            .group("kernels, K0 lowest", [row("launch"), row("active")])
            .group(
                "requests accepted",
                [
                    row("request_valid"),
                    row("request_first").when("request_valid"),
                    row("request_kid").kernel().when("request_valid"),
                    row("ratio"),
                ],
            )
            .group("newest set of quotas", [row("unit.left"), row("unit.quota[*]")])
            .group(
                "who issues",
                [
                    row("ready"),
                    row("accept"),
                    row("grant_kid").kernel().when("grant_valid"),
                    row("quota"),
                ],
            )
            .step(Step::new("Reset: no kernel is active.", reset).then("active", 0b00))
            .step(
                Step::new("K0 and K1 are launched: quotas start afresh and equal.", launch)
                    .then("active", 0b11)
                    .then("quota", [1, 1])
                    .then("ratio", [1, 1]),
            )
            .step(
                Step::over(
                    "K1's interval: 4 requests of 2 instructions. Meanwhile the quotas of equal ratios are computed.",
                    [request(true), request(false), request(true), request(false)],
                )
                .then("meter[1].requests", 0)
                .then("meter[1].left", 3),
            )
            .step(
                Step::over("4 / 2 is found in three steps.", [idle; 3])
                    .sees("ratio", [1, 1])
                    .then("ratio", [1, 2]),
            )
            .step(
                Step::over("The first computation ends.", [idle; 2])
                    .then("unit.left", 0)
                    .then("unit.quota[*]", [1, 1]),
            )
            .step(
                Step::over(
                    "Another one, with the new ratio, takes nine cycles.",
                    [idle; 9],
                )
                .folded()
                .sees("unit.quota[*]", [1, 1])
                .then("unit.quota[*]", [2, 1])
                .then("quota", [1, 1]),
            )
            .step(wins("Both are ready with equal quotas: the turn of K0.", 0, [1, 1]))
            .step(Step::new("It is taken off its quota, which is zero then:", idle).then("quota", [0, 1]))
            .step(Step::new("the newest set, 2 and 1, is added to both.", idle).then("quota", [2, 2]))
            .step(wins("In a row: equal, so K1, after K0;", 1, [2, 2]))
            .step(wins("its quota does not know yet: equal, so K0.", 0, [2, 1]))
            .step(wins("K0 has the higher quota.", 0, [1, 1]))
            .step(wins("Equal: K1. K0's quota is zero then,", 1, [0, 1]))
            .step(wins("K1's is higher, and while it issues the set is added.", 1, [2, 1]))
            .step(wins("K0; now K1's quota is zero,", 0, [2, 0]))
            .step(wins("and again K0 issues while the set is added.", 0, [3, 1]))
            .step(wins(
                "So it goes on: two instructions of K0 for each of K1, two requests each.",
                0,
                [2, 1],
            ))
            .step(Step::new("The LSU takes none.", idle).sees("grant_valid", false))
    }
}
