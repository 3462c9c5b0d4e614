//! `milg`: the end of an interval: failures a request by a shift, the limit by a division, the
//! limit released. Figure 10, with intervals of 8 requests in place of 1024.

use cotenant_golden::sm::milg::{In, Params, Release};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::sm::Milg;

impl Teach for Milg {
    const SETS: &'static [&'static str] = &["3x6x3", "3x6x3d"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = In::default();
        let (issue, complete) = (
            In {
                issue: true,
                ..idle
            },
            In {
                complete: true,
                ..idle
            },
        );
        let (request, fail) = (
            In {
                request: true,
                ..idle
            },
            In { fail: true, ..idle },
        );
        let reset = In {
            reset: true,
            ..idle
        };
        // Each request fails twice; the last one is a step of its own.
        let refused = std::iter::repeat_n([fail, fail, request], 8).flatten();
        let refused = refused.take(23);
        // With RELEASE 1 a limit below half the counter's range doubles: from 3 to 6.
        let (released, limit, unlimited) = match params.release {
            Release::Unlimited => (
                "No failure, so the limit is lifted, the literal reading of the formula.",
                7,
                true,
            ),
            Release::Double => ("No failure, so the limit doubles.", 6, false),
        };
        Scene::new("intervals of 8 requests with and without failures")
            .group(
                "memory instructions",
                [
                    row("issue"),
                    row("complete"),
                    row("in_flight"),
                    row("peak"),
                    row("grew"),
                ],
            )
            .group(
                "their requests",
                [
                    row("request"),
                    row("fail"),
                    row("requests"),
                    row("failures"),
                    row("closed"),
                ],
            )
            .group(
                "division, a quotient bit a cycle",
                [
                    row("left"),
                    row("divisor"),
                    row("remainder"),
                    row("shift").binary(),
                ],
            )
            .group("gate", [row("limit"), row("unlimited"), row("allow")])
            .step(
                Step::new("Reset: no limit but that of the counter, 7.", reset)
                    .then("limit", 7)
                    .then("unlimited", true),
            )
            .step(
                Step::over(
                    "Six memory instructions go to the LSU; the peak follows a cycle later.",
                    [issue; 6],
                )
                .folded()
                .then("in_flight", 6)
                .then("peak", 5)
                .then("grew", true),
            )
            .step(
                Step::over(
                    "The cache is crowded: each request is refused twice before it is accepted.",
                    refused,
                )
                .folded()
                .then("requests", 7)
                .then("failures", 16)
                .then("peak", 6),
            )
            .step(
                Step::new(
                    "The eighth request ends the interval: 16 failures >> 3 are 2 a request.",
                    request,
                )
                .then("requests", 0)
                .then("failures", 0)
                .then("closed", true)
                .then("divisor", 2),
            )
            .step(
                Step::new(
                    "A cycle later the peak has seen all of the interval; its division, 6 by 2, begins.",
                    idle,
                )
                .sees("peak", 6)
                .then("left", 3)
                .then("shift", 0b110),
            )
            .step(
                Step::over(
                    "The quotient's three bits, the highest first: 0, 1, 1.",
                    [idle; 3],
                )
                .sees("left", 1)
                .then("limit", 3)
                .then("unlimited", false)
                .then("shift", 0b011)
                .then("remainder", 0),
            )
            .step(
                Step::over(
                    "The limit is 3 and six are in flight: none may issue until fewer than 3 are.",
                    [complete; 4],
                )
                .sees("allow", false)
                .then("in_flight", 2)
                .then("allow", true),
            )
            .step(
                Step::new("One issues, and the limit is reached again.", issue)
                    .then("in_flight", 3)
                    .then("allow", false),
            )
            .step(
                Step::over(
                    "An interval without a failure: seven requests,",
                    [request; 7],
                )
                .folded()
                .then("requests", 7)
                .then("failures", 0),
            )
            .step(
                Step::new("and the eighth, which ends it.", request)
                    .then("requests", 0)
                    .then("divisor", 0)
                    .then("limit", 3),
            )
            .step(
                Step::new(released, idle)
                    .then("limit", limit)
                    .then("unlimited", unlimited)
                    .then("allow", true),
            )
            .step(Step::new("The next one may issue.", idle).sees("allow", true))
    }
}
