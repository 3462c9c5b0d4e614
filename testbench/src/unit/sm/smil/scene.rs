//! `smil`: a limit set, reached, and lifted. Limit 3 is the paper's best for sv beside ks.

use cotenant_golden::sm::smil::{In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::sm::Smil;

impl Teach for Smil {
    const SETS: &'static [&'static str] = &["7x5", "7x7", "10x5", "3x2"];

    fn scene(params: &Params) -> Scene<Self> {
        let no_limit = (1u64 << params.count_w) - 1;
        let idle = In::default();
        let issue = In {
            issue: true,
            ..idle
        };
        let reset = In {
            reset: true,
            ..idle
        };
        let set = In {
            set_valid: true,
            set_limit: 3,
            ..idle
        };
        let complete = In {
            complete: true,
            ..idle
        };
        let lift = In {
            set_valid: true,
            set_unlimited: true,
            ..idle
        };
        Scene::new("a limit set, reached, and lifted")
            .group(
                "limit written",
                [
                    row("set_valid"),
                    row("set_unlimited").when("set_valid"),
                    row("set_limit").when("set_valid"),
                ],
            )
            .group(
                "memory instructions",
                [row("issue"), row("complete"), row("in_flight")],
            )
            .group("gate", [row("limit"), row("unlimited"), row("allow")])
            .step(
                Step::new("Reset: no limit but that of the counter.", reset)
                    .then("limit", no_limit)
                    .then("unlimited", true)
                    .then("allow", true),
            )
            .step(
                Step::new(
                    "The limit is set to 3, in force from the next cycle on.",
                    set,
                )
                .then("limit", 3)
                .then("unlimited", false),
            )
            .step(
                Step::over(
                    "Three memory instructions issue: the limit is reached, no further one may.",
                    [issue, issue, issue],
                )
                .then("in_flight", 3)
                .then("allow", false),
            )
            .step(
                Step::new(
                    "The last response of one comes: another may issue.",
                    complete,
                )
                .sees("allow", false)
                .then("in_flight", 2)
                .then("allow", true),
            )
            .step(
                Step::new("Another one issues, and the limit is reached again.", issue)
                    .then("in_flight", 3)
                    .then("allow", false),
            )
            .step(
                Step::new("The limit is lifted.", lift)
                    .then("limit", no_limit)
                    .then("unlimited", true)
                    .then("allow", true),
            )
            .step(
                Step::new("A fourth one issues.", issue)
                    .sees("allow", true)
                    .then("in_flight", 4),
            )
            .step(Step::new("Four are in flight.", idle).sees("in_flight", 4))
    }
}
