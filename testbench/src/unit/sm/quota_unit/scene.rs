//! `quota_unit`: quotas from ratios, by the pairs and the triple of kernels of the paper.
//!
//! Source: Dai et al., section 3.2 and table 2: bp makes 2 requests an instruction, sv 3, ks 17,
//! ax 11. The latency is that of the schedule: for each kernel a cycle and 40 steps.

use cotenant_golden::sm::quota_unit::{In, Params};
use cotenant_golden::sm::ByKernel;

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::sm::QuotaUnit;

/// Cycles that a kernel takes, of ratios up to 32.
const CYCLES: usize = 41;

impl Teach for QuotaUnit {
    const SETS: &'static [&'static str] = &["2x32", "3x32"];

    fn scene(params: &Params) -> Scene<Self> {
        let start = |ratios: &[u64]| In {
            start: true,
            active: (1 << ratios.len()) - 1,
            // As many as there are kernels.
            ratio: ByKernel::try_from(ratios).unwrap_or_default(),
            ..In::default()
        };
        let idle = In {
            start: false,
            active: 0,
            ..start(&[1, 1, 1][..params.kernels])
        };
        let computes = |scene: Scene<Self>,
                        what: String,
                        ratios: &[u64],
                        quotas: &[u64],
                        why: &str| {
            let busy = CYCLES * params.kernels;
            scene
                .step(Step::new(what, start(ratios)).then("busy", true).then("left", busy as u64))
                .step(
                    Step::over(
                        format!("{busy} cycles, whatever the ratios: {CYCLES} a kernel, off the issue path."),
                        std::iter::repeat_n(idle, busy),
                    )
                    .folded()
                    .sees("left", 1)
                    .then("busy", false),
                )
                .step(
                    Step::new(why, idle)
                        .sees("done", true)
                        .sees("quota", quotas)
                        .then("done", false),
                )
        };
        let scene = Scene::new("instructions that make the same number of requests")
            .group(
                "ratios: requests an instruction",
                [
                    row("start"),
                    row("active").when("start"),
                    row("ratio").when("start"),
                ],
            )
            .group("computation", [row("busy"), row("left"), row("done")])
            .group("quotas", [row("quota")])
            .step(
                Step::new(
                    "Reset: all quotas are 1.",
                    In {
                        reset: true,
                        ..idle
                    },
                )
                .then("busy", false),
            );
        let scene = match params.kernels {
            2 => {
                let scene = computes(
                    scene,
                    "bp makes 2 requests an instruction, sv 3: what are their quotas?".into(),
                    &[2, 3],
                    &[3, 2],
                    "The least common multiple of 2 and 3 is 6: bp may issue 3 instructions while sv issues 2.",
                );
                computes(
                    scene,
                    "Beside bp, ks makes 17 requests an instruction.".into(),
                    &[2, 17],
                    &[17, 2],
                    "bp may issue 17 instructions while ks issues 2: 34 requests each.",
                )
            }
            _ => computes(
                scene,
                "sv makes 3 requests an instruction, ks 17, ax 11: what are their quotas?".into(),
                &[3, 17, 11],
                &[187, 33, 51],
                "The least common multiple is 561: 187, 33 and 51 instructions, 561 requests each.",
            ),
        };
        let clear = In {
            clear: true,
            ..idle
        };
        let ones = vec![1; params.kernels];
        scene
            .step(
                Step::new("A kernel comes or goes: quotas start afresh.", clear)
                    .then("quota", &ones[..]),
            )
            .step(Step::new(
                "All are equal until the next computation is done.",
                idle,
            ))
    }
}
