//! `rbmi`: loose round-robin among three kernels.

use cotenant_golden::sm::rbmi::{In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::sm::Rbmi;

impl Teach for Rbmi {
    const SETS: &'static [&'static str] = &["3"];

    fn scene(_: &Params) -> Scene<Self> {
        let offers = |ready, accept| In {
            reset: false,
            ready,
            accept,
        };
        let grants = |caption, ready, kernel: u64| {
            Step::new(caption, offers(ready, true))
                .sees("grant_valid", true)
                .sees("grant_kid", kernel)
                .then("last", kernel)
        };
        let reset = In {
            reset: true,
            ..offers(0, false)
        };
        Scene::new("loose round-robin")
            .group(
                "memory instructions ready, K0 lowest",
                [row("ready").binary(), row("accept")],
            )
            .group(
                "who issues",
                [
                    row("grant_valid"),
                    row("grant_kid").kernel().when("grant_valid"),
                    row("last").kernel(),
                ],
            )
            .step(Step::new("Reset: as if K2 had issued last.", reset).then("last", 2))
            .step(grants("All are ready: K0's turn.", 0b111, 0))
            .step(grants("All are ready: K1's turn.", 0b111, 1))
            .step(grants("K1 has nothing to issue: K2's turn.", 0b101, 2))
            .step(grants(
                "It would be K0's turn, but it has nothing: passed over for K1.",
                0b110,
                1,
            ))
            .step(
                Step::new(
                    "The LSU takes none: nobody issues, nobody loses its turn.",
                    offers(0b111, false),
                )
                .sees("grant_valid", false)
                .then("last", 1),
            )
            .step(grants("All are ready: K2's turn, after K1.", 0b111, 2))
            .step(
                Step::new("Nobody is ready: no grant.", offers(0b000, true))
                    .sees("grant_valid", false),
            )
    }
}
