//! `mem_issue`: a grant withheld by a limit (DMIL) and given to the other kernel (QBMI); the
//! smallest set, with intervals of 4 requests and up to 3 instructions in flight.

use cotenant_golden::sm::mem_issue::{In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::sm::MemIssue;

/// Kernels by their bits.
const K0: u64 = 0b01;
const K1: u64 = 0b10;

impl Teach for MemIssue {
    const SETS: &'static [&'static str] = &["2-milg-qbmi-small"];

    fn scene(_: &Params) -> Scene<Self> {
        let idle = In::default();
        let wants = |want| In {
            want,
            lsu_ready: true,
            ..idle
        };
        let fail = In {
            fail_valid: true,
            lsu_kid: 1,
            ..idle
        };
        let request = |request_first| In {
            request_valid: true,
            request_first,
            lsu_kid: 1,
            ..idle
        };
        let complete = In {
            complete: K1,
            ..idle
        };
        // Three instructions, the first of two requests; each request fails twice.
        let refused = [true, false, true].map(|first| [fail, fail, request(first)]);
        let refused = refused.concat().into_iter().chain([fail, fail]);
        let reset = In {
            reset: true,
            ..idle
        };
        let launch = In {
            launch: K0 | K1,
            ..idle
        };
        Scene::new("a grant withheld by a limit")
            .group("memory instructions wanted, K0 lowest", [row("want"), row("lsu_ready")])
            .group(
                "who issues",
                [
                    row("grant_valid"),
                    row("grant_kid").kernel().when("grant_valid"),
                    row("quota"),
                ],
            )
            .group(
                "what the LSU says, of K1",
                [row("request_valid"), row("fail_valid"), row("complete")],
            )
            .group(
                "limiters of K0 and K1",
                [
                    row("in_flight"),
                    row("milg[1].failures"),
                    row("limit"),
                    row("unlimited"),
                    row("allow"),
                ],
            )
            .step(Step::new("Reset.", reset).then("active", 0b00))
            .step(
                Step::new("K0 and K1 are launched, without limits, with equal quotas.", launch)
                    .then("active", 0b11)
                    .then("unlimited", 0b11)
                    .then("quota", [1, 1]),
            )
            .step(
                Step::over(
                    "K1 alone wants to issue: three memory instructions. K0, which wants nothing, piles up credit.",
                    [wants(K1), wants(K1), wants(K1)],
                )
                .sees("grant_kid", 1)
                .then("in_flight", [0, 3])
                .then("quota", [2, 0]),
            )
            .step(
                Step::over(
                    "The cache is crowded: each of K1's requests is refused twice before it is accepted.",
                    refused,
                )
                .folded()
                .then("quota", [4, 1])
                .then("milg[1].failures", 8)
                .then("milg[1].requests", 3),
            )
            .step(
                Step::new(
                    "The fourth request ends K1's interval: 8 failures >> 2 are 2 a request.",
                    request(true),
                )
                .then("milg[1].divisor", 2),
            )
            .step(
                Step::new("The division of the peak, 3, by 2 begins.", idle)
                    .then("milg[1].left", 2),
            )
            .step(
                Step::over("Two of K1's instructions complete meanwhile.", [complete, complete])
                    .then("in_flight", [0, 1])
                    .then("limit", [3, 1])
                    .then("unlimited", K0),
            )
            .step(
                Step::new(
                    "K1 wants to issue, but has one in flight and a limit of 1: the grant is withheld.",
                    wants(K1),
                )
                .sees("allow", K0)
                .sees("grant_valid", false),
            )
            .step(
                Step::new("Both want to: K0 issues.", wants(K0 | K1))
                    .sees("grant_kid", 0)
                    .then("in_flight", [1, 1]),
            )
            .step(
                Step::new(
                    "The last response of K1's instruction comes; the gate opens in the next cycle.",
                    In {
                        complete: K1,
                        ..wants(K1)
                    },
                )
                .sees("grant_valid", false)
                .then("in_flight", [1, 0])
                .then("quota", [3, 1])
                .then("allow", K0 | K1),
            )
            .step(
                Step::new("K1 issues.", wants(K1))
                    .sees("grant_valid", true)
                    .sees("grant_kid", 1)
                    .then("in_flight", [1, 1])
                    .then("allow", K0),
            )
            .step(Step::new("It is at its limit again.", idle).sees("allow", K0))
    }
}
