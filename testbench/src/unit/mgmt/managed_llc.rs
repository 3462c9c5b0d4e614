//! `managed_llc` under test.
//!
//! Stimulus: accesses as to `managed_directory`, by sampled cores and others; periods end mostly when
//! nothing is under way; one of the sampled cores may be slower for a while; policy, masks and quotas are
//! those of TAP, none, or given; thresholds of streaming are often those that an application just
//! reaches. For a while lines are accessed at any position of a monitor's stack, and a monitor's large
//! counters are reset.
//!
//! Functional coverage: whose accesses follow which policy; what is counted, also in the cycle in which a
//! period ends; what a period's end interrupts; what a decision begins with, and whether it changes
//! quotas; which quotas and masks hold; reads; counters at their limit. What the parts do is covered
//! where they are under test.
//!
//! Example waveform: two periods, from accesses and instructions to masks and quotas.
//!
//! Facts: those of the parts; monitors are cleared with the directory; UCP reads positions that an
//! application lacks.

mod coverage;
mod far;
pub(crate) mod stimulus;

use cotenant_golden::mgmt::managed_llc::{In, ManagedLlc as Model, Params, State};
use cotenant_golden::mgmt::ByApplication;

use super::{CoreSampling, ManagedDirectory, Tap, Ucp, Umon, Xsratio};
use crate::unit::llc::shared::{self, matters_alone};
use crate::unit::prelude::*;

/// The unit [`managed_llc`](cotenant_golden::mgmt::managed_llc).
#[derive(Debug, Clone, Copy)]
pub struct ManagedLlc;

/// A part without its subscript, where it is, and a flop of it.
fn in_part(flop: &str) -> Option<(&str, &str, &str)> {
    let (path, flop) = flop.split_once('.')?;
    Some((path.split('[').next()?, path, flop))
}

/// RAMs of the directory, and of each monitor: one for all ways, and one each.
fn rams(params: &Params) -> usize {
    1 + params.ways
}

/// The application whose monitor has a RAM, none of the directory's, and the RAM in it.
fn ram_of(params: &Params, ram: usize) -> (Option<usize>, usize) {
    let rams = rams(params);
    ((ram / rams).checked_sub(1), ram % rams)
}

impl Interface for ManagedLlc {
    const NAME: &'static str = "managed_llc";
    const SUMMARY: &'static str =
        "TAP's management of a cache that a GPU and CPUs share, as a whole";
    const PLACE: Place = Place::Cache;
    type Model = Model;

    fn named_in_paper(flop: &str) -> Option<&'static str> {
        let (part, _, flop) = in_part(flop)?;
        let sampling = (part == "sampler").then_some(flop);
        sampling.and_then(CoreSampling::named_in_paper)
    }

    fn working(flop: &str) -> bool {
        match in_part(flop) {
            Some(("directory", _, flop)) => ManagedDirectory::working(flop),
            Some(("monitor", _, flop)) => Umon::working(flop),
            Some(("gpu_ratio", _, flop)) => Xsratio::working(flop),
            Some(("shares", _, flop)) => Ucp::working(flop),
            Some(("evictions" | "accesses", _, flop)) => shared::working(flop),
            _ => flop == "read_from",
        }
    }

    /// The read port shows evictions.
    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        let directory = ManagedDirectory::resumed(&params.directory(), &state.directory);
        let mut parts = vec![
            ("directory".to_string(), directory),
            (
                "gpu_ratio".into(),
                Xsratio::resumed(&params.xsratio(), &state.gpu_ratio),
            ),
            ("shares".into(), Ucp::resumed(&params.ucp(), &state.shares)),
        ];
        for (application, monitor) in state.monitor.iter().enumerate() {
            let flops = Umon::resumed(&params.monitor(), monitor);
            parts.push((format!("monitor[{application}]"), flops));
        }
        let below = |(path, flops): (String, Vec<(String, u128)>)| {
            let named = move |(flop, value)| (format!("{path}.{flop}"), value);
            flops.into_iter().map(named)
        };
        let answer = state.answers.due_or_default();
        let read = shared::resumed("evictions.", params.cnt_w, answer);
        parts.into_iter().flat_map(below).chain(read).collect()
    }

    fn probe(params: &Params, register: &str, at: &[usize]) -> Probe {
        let Some((part, register)) = register.split_once('.') else {
            return Probe::Value(subscripted(register, at));
        };
        match part {
            "directory" => ManagedDirectory::probe(&params.directory(), register, at).below(part),
            "monitor[]" => Umon::probe(&params.monitor(), register, &at[1..])
                .below(&format!("monitor[{}]", at[0])),
            "gpu_ratio" => Xsratio::probe(&params.xsratio(), register, at).below(part),
            "sampler" => CoreSampling::probe(&params.sampling(), register, at).below(part),
            "masks" => Tap::probe(&params.tap(), register, at).below(part),
            "shares" => Ucp::probe(&params.ucp(), register, at).below(part),
            _ => shared::probe(&format!("{part}."), register, at),
        }
    }

    fn computed(params: &Params) -> Vec<StateField> {
        below("gpu_ratio", Xsratio::computed(&params.xsratio())).collect()
    }

    fn pack_computed(params: &Params, state: &State, words: &mut Packer<'_>) {
        Xsratio::pack_computed(&params.xsratio(), &state.gpu_ratio, words);
    }

    from_golden!();

    /// Those of the directory, then those of each monitor.
    fn memories(params: &Params) -> Vec<Memory> {
        let of = |path: String, memories: Vec<Memory>| {
            memories.into_iter().map(move |memory| Memory {
                ram: format!("{path}.{}", memory.ram),
                ..memory
            })
        };
        let directory = ManagedDirectory::memories(&params.directory());
        let monitors = (0..params.applications).flat_map(|application| {
            let memories = Umon::memories(&params.monitor());
            of(format!("monitor[{application}]"), memories)
        });
        of("directory".into(), directory).chain(monitors).collect()
    }

    fn written(params: &Params, model: &Model, each: &mut dyn FnMut((usize, usize))) {
        if let Some((set, tags)) = model.written() {
            each((0, set));
            for way in (0..params.ways).filter(|way| tags >> way & 1 == 1) {
                each((1 + way, set));
            }
        }
        let rams = rams(params);
        for (application, stack) in model.stacked().enumerate() {
            let first = (1 + application) * rams;
            if let Some(stack) = stack {
                (first..first + rams).for_each(|ram| each((ram, stack)));
            }
        }
    }

    fn pack_word(
        params: &Params,
        state: &State,
        (ram, word): (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        let (application, ram) = ram_of(params, ram);
        match application.map(|application| &state.monitor[application]) {
            Some(monitor) => Umon::pack_word(&params.monitor(), monitor, (ram, word), packer),
            None => {
                let directory = &state.directory;
                ManagedDirectory::pack_word(&params.directory(), directory, (ram, word), packer);
            }
        }
    }

    fn word_read(params: &Params, state: &State, ram: usize) -> usize {
        let (application, ram) = ram_of(params, ram);
        match application.map(|application| &state.monitor[application]) {
            Some(monitor) => Umon::word_read(&params.monitor(), monitor, ram),
            None => ManagedDirectory::word_read(&params.directory(), &state.directory, ram),
        }
    }
}

impl Teach for ManagedLlc {
    const SETS: &'static [&'static str] = &["4x8x2x1x4x2b1w3c4t2"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || In {
            policy: 1,
            aware: true,
            gpu: 0b01,
            sample: true,
            stream_accesses: 1,
            quota_given: ByApplication::from_fn(params.applications, |_| 0),
            ..Self::idle(params)
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        let period = || In {
            period: true,
            ..idle()
        };
        let access = |access_app, access_tag| In {
            access_valid: true,
            access_app,
            access_tag,
            // Not one of the sampled ones: there is none with this number.
            access_core: 2,
            ..idle()
        };
        // Both sampled cores retire two instructions.
        let of_gpu = In {
            retired: cotenant_golden::mgmt::core_sampling::ByCore::from_fn(params.cores, |_| 2),
            ..access(0, 0xc)
        };
        let cpu = [0xa, 0xb, 0xa, 0xb].map(|tag| access(1, tag));
        let masks = params.masks_latency();
        let quotas = |rounds: usize| 2 + rounds;
        let sweep = (0..params.sets).map(|_| idle());
        Scene::new("two periods: a GPU that does not gain from the cache gets one way")
            .group(
                "access (application 0 is of the GPU)",
                [
                    row("ready"),
                    row("access_valid"),
                    row("access_app").when("access_valid"),
                    row("access_tag").hex().when("access_valid"),
                    row("retired"),
                ],
            )
            .group(
                "report",
                [
                    row("done_valid"),
                    row("done_app").when("done_valid"),
                    row("done_hit").when("done_valid"),
                ],
            )
            .group(
                "period",
                [
                    row("period"),
                    row("busy"),
                    row("gpu_ratio.count[*]"),
                    row("insensitive"),
                    row("xsratio"),
                ],
            )
            .group(
                "decision",
                [
                    row("ucp_mask").binary(),
                    row("rrip_mask").binary(),
                    row("decided"),
                    row("quota"),
                ],
            )
            .step(Step::new("Reset.", reset).then("ready", 0))
            .step(
                Step::over("The sets are cleared.", sweep)
                    .folded()
                    .sees("ready", 0)
                    .then("ready", 1),
            )
            .step(
                Step::new(
                    "A period ends: from now on accesses of application 0 count as the GPU's.",
                    period(),
                )
                .then("busy", 1),
            )
            .step(
                Step::over(
                    "There was no access. So the ratio is 1, and all that is given out goes to \
                     application 0.",
                    (0..masks + quotas(12)).map(|_| idle()),
                )
                .folded()
                .then("quota", [3, 1]),
            )
            .step(Step::over(
                "Application 1, of a CPU, uses two lines by turns: it needs two ways.",
                cpu,
            ))
            .step(
                Step::over(
                    "Application 0 uses its line c twelve times, three times as often as the CPU \
                     accesses the cache. Its two sampled cores retire as many instructions.",
                    (0..12).map(|_| of_gpu.clone()),
                )
                .folded(),
            )
            .step(
                Step::over("All is reported, and counted.", [idle(), idle(), idle()])
                    .then("gpu_ratio.count[*]", [12, 4]),
            )
            .step(
                Step::new("The period ends: caching does not help the GPU.", period())
                    .then("insensitive", 1),
            )
            .step(
                Step::over(
                    "The ratio, one bit of the quotient per cycle, and then the masks.",
                    (0..masks).map(|_| idle()),
                )
                .then("xsratio", 3)
                .then("ucp_mask", 0b01)
                .then("rrip_mask", 0b01),
            )
            .step(
                Step::over(
                    "With the UCP-Mask application 0 has one way. Until that is decided, the old \
                     quotas hold.",
                    (0..quotas(11)).map(|_| idle()),
                )
                .folded()
                .sees("quota", [3, 1])
                .then("quota", [1, 3]),
            )
            .step(Step::over("The new ones hold.", [idle(), idle()]))
    }
}

impl Facts for ManagedLlc {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        all.extend(terms.within("directory.", |terms| {
            ManagedDirectory::invariants(&params.directory(), terms)
        }));
        for application in 0..params.applications {
            all.extend(terms.within(&format!("monitor[{application}]."), |terms| {
                Umon::invariants(&params.monitor(), terms)
            }));
        }
        // Directory and monitors are cleared together, the monitors no longer than the directory.
        let [sweeping, swept] = terms.flops(["directory.sweeping", "directory.sweep_set"]);
        for application in 0..params.applications {
            let of_monitor = |flop| format!("monitor[{application}].{flop}");
            let [clearing, at] =
                ["sweeping", "sweep_index"].map(|flop| terms.flop(&of_monitor(flop)));
            let same = terms.same(swept, at);
            let together = terms.all([sweeping, same]);
            all.push(terms.implies(clearing, together));
            // UCP asks for positions that an application does not have, and may get.
            let [asked, from] =
                ["shares.answering", &of_monitor("matrix.read_from")].map(|flop| terms.flop(flop));
            let has = terms.is(from, 0);
            let most = terms.number((params.ways - params.applications) as u64);
            let beyond = terms.lower(most, from);
            let neither = [has, beyond].map(|it| terms.not(it));
            let new = terms.all(neither);
            all.push(terms.implies(asked, new));
        }
        all.extend(terms.within("gpu_ratio.", |terms| {
            Xsratio::invariants(&params.xsratio(), terms)
        }));
        all.extend(terms.within("sampler.", |terms| {
            CoreSampling::invariants(&params.sampling(), terms)
        }));
        all.extend(terms.within("masks.", |terms| Tap::invariants(&params.tap(), terms)));
        all.extend(terms.within("shares.", |terms| Ucp::invariants(&params.ucp(), terms)));
        all
    }

    fn words(
        params: &Params,
        ram: &str,
        question: Words,
        terms: &mut Terms<'_>,
    ) -> Option<Vec<Term>> {
        terms.flop_within("directory.", ram, |ram, terms| {
            ManagedDirectory::words(&params.directory(), ram, question, terms)
        })
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let (part, path, flop) = in_part(flop)?;
        // Of what a monitor shows UCP takes what it has asked for.
        let read = flop.strip_prefix("matrix.").filter(|_| part == "monitor");
        if let Some(flop) = read.filter(|flop| shared::working(flop)) {
            let asked = terms.flop("shares.answering");
            let Some(row) = shared::subscript(flop) else {
                return Some(asked);
            };
            let from = terms.flop(&format!("{path}.matrix.read_from"));
            let shown = terms.is(from, row);
            return Some(terms.all([asked, shown]));
        }
        terms.within(&format!("{path}."), |terms| match part {
            "directory" => ManagedDirectory::matters(&params.directory(), flop, terms),
            "monitor" => Umon::matters(&params.monitor(), flop, terms),
            "gpu_ratio" => Xsratio::matters(&params.xsratio(), flop, terms),
            "shares" => Ucp::matters(&params.ucp(), flop, terms),
            _ => None,
        })
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let from = terms.flop("read_from");
        if flop == "read_from" {
            // While one of the two matrices has something to show.
            let matrices = [("evictions.", params.applications), ("accesses.", 2)];
            let matrices = matrices.map(|(path, rows)| (path.to_owned(), rows));
            return Some(shared::some_row(matrices, terms));
        }
        let (part, path, flop) = in_part(flop)?;
        let (shown, rows) = match part {
            "evictions" => (terms.not(from), params.applications),
            "accesses" => (from, 2),
            "monitor" => {
                let path = format!("{path}.");
                return terms.within(&path, |terms| {
                    Umon::matters_alone(&params.monitor(), flop, terms)
                });
            }
            _ => return None,
        };
        let path = format!("{path}.");
        let matters = terms.within(&path, |terms| matters_alone(rows, flop, terms))?;
        Some(terms.all([shown, matters]))
    }
}
