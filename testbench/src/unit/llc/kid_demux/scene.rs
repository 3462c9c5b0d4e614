//! `kid_demux`: the demultiplexer of one position, for figure 2's four kernels.

use cotenant_golden::llc::kid_demux::{In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::llc::KidDemux;

impl Teach for KidDemux {
    const SETS: &'static [&'static str] = &["4"];

    fn scene(_: &Params) -> Scene<Self> {
        let steers = |caption, enable, select, lane: u64| {
            Step::new(caption, In { enable, select }).sees("lane", lane)
        };
        Scene::new("a demoted line is steered to its owner")
            .group(
                "the line in this position",
                [row("enable"), row("select").kernel()],
            )
            .group("one bit a kernel, K0 lowest", [row("lane")])
            .step(steers(
                "The line is K2's, but not demoted: no lane is driven.",
                false,
                2,
                0,
            ))
            .step(steers(
                "It is demoted: K2's lane is driven.",
                true,
                2,
                0b0100,
            ))
            .step(steers("K0's line is demoted.", true, 0, 0b0001))
            .step(steers("K3's line is demoted.", true, 3, 0b1000))
    }
}
