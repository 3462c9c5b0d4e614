//! `mem_issue` under test: stimulus, coverage, example waveform and invariants.
//!
//! Functional coverage: what becomes of each kernel's wish to issue; its limit; its requests; ends
//! of its intervals; what is in flight as it starts and ends; instructions that complete together.
//!
//! Example waveform: a grant withheld by a limit (DMIL) and given to the other kernel (QBMI); the
//! smallest set, with intervals of 4 requests and up to 3 instructions in flight.
//!
//! Facts: what its limiters and its priority hold, and kernels that it and the priority know.

pub mod stimulus;

use cotenant_golden::sm::mem_issue::{In, Limiter, MemIssue as Model, Params, Priority, State};

use super::shared::Gate;
use super::{Milg, Qbmi, Rbmi, Smil};
use crate::unit::prelude::*;

/// The unit [`mem_issue`](cotenant_golden::sm::mem_issue).
#[derive(Debug, Clone, Copy)]
pub struct MemIssue;

/// A flop's name below an instance of `array`: `peak` of `milg[1].peak`.
fn below<'a>(flop: &'a str, array: &str) -> Option<&'a str> {
    let rest = flop.strip_prefix(array)?.strip_prefix('[')?;
    rest.split_once("].").map(|(_, flop)| flop)
}

impl Interface for MemIssue {
    const NAME: &'static str = "mem_issue";
    const SUMMARY: &'static str =
        "selects the kernel that issues a memory instruction: a limiter per kernel and a priority";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    fn named_in_paper(flop: &str) -> Option<&'static str> {
        let of_milg = below(flop, "milg").and_then(Milg::named_in_paper);
        of_milg.or_else(|| below(flop, "qbmi").and_then(Qbmi::named_in_paper))
    }

    fn working(flop: &str) -> bool {
        below(flop, "milg").is_some_and(Milg::working)
            || below(flop, "qbmi").is_some_and(Qbmi::working)
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        let qbmi = state.qbmi.as_ref();
        let flops = qbmi.map_or_else(Vec::new, |qbmi| Qbmi::resumed(&params.qbmi(), qbmi));
        let within = |(flop, value)| (format!("qbmi[0].{flop}"), value);
        let qbmi = flops.into_iter().map(within);
        let milgs = state.milg.iter().enumerate();
        let milgs = milgs.flat_map(|(kernel, milg)| {
            let flops = Milg::resumed(&params.milg(), milg).into_iter();
            flops.map(move |(flop, value)| (format!("milg[{kernel}].{flop}"), value))
        });
        qbmi.chain(milgs).collect()
    }

    fn codes(name: &str) -> Option<ValueNames> {
        match name {
            "LIMITER" => Some(names_of_codes::<Limiter>("Limiter")),
            "PRIORITY" => Some(names_of_codes::<Priority>("Priority")),
            _ => Milg::codes(name),
        }
    }

    fn compared(params: &Params, register: &str, at: &[usize]) -> bool {
        Qbmi::compared(&params.qbmi(), register, at)
    }

    fn probe(params: &Params, register: &str, at: &[usize]) -> Probe {
        let kernel = || at[0];
        match register.split_once('.') {
            Some(("milg[]", milg)) => {
                Milg::probe(&params.milg(), milg, &at[1..]).below(&format!("milg[{}]", kernel()))
            }
            Some(("smil[]", smil)) => {
                Smil::probe(&params.smil(), smil, &at[1..]).below(&format!("smil[{}]", kernel()))
            }
            Some(("rbmi", rbmi)) => Rbmi::probe(&params.rbmi(), rbmi, at).below("rbmi[0]"),
            Some(("qbmi", qbmi)) => Qbmi::probe(&params.qbmi(), qbmi, at).below("qbmi[0]"),
            _ => Probe::Value(format!("{register}_register")),
        }
    }

    fn computed(params: &Params) -> Vec<StateField> {
        let mut fields = Vec::new();
        for kernel in 0..params.limiters(Limiter::Milg) {
            let milg = Milg::computed(&params.milg()).into_iter();
            fields.extend(milg.map(|field| field.below(&format!("milg[{kernel}]"))));
        }
        if params.priority == Priority::Qbmi {
            let qbmi = Qbmi::computed(&params.qbmi()).into_iter();
            fields.extend(qbmi.map(|field| field.below("qbmi[0]")));
        }
        fields
    }

    fn pack_computed(params: &Params, state: &State, words: &mut Packer<'_>) {
        for milg in &state.milg {
            Milg::pack_computed(&params.milg(), milg, words);
        }
        if let Some(qbmi) = &state.qbmi {
            Qbmi::pack_computed(&params.qbmi(), qbmi, words);
        }
    }

    from_golden!();
}

collector! {
    /// Sorts grants, limits, requests, intervals and kernels.
    pub struct Collector {
        crosses { wishes, gates, requests, intervals, lives, completions }
        params: Params,
    }
}

/// What becomes of a wish to issue.
const WISH: [&str; 6] = [
    "none",
    "not active",
    "at its limit",
    "the LSU is full",
    "another kernel is granted",
    "granted",
];
/// What a request is.
const REQUEST: [&str; 3] = ["refused", "first", "another"];
/// Failures per request.
const RATIO: [&str; 3] = ["0", "1", "more"];
/// What happens to a kernel.
const LIFE: [&str; 2] = ["starts", "ends"];
/// Kernels of which an instruction completes.
const COMPLETE: [&str; 3] = ["no kernel", "one kernel", "several kernels"];

/// A limiter's registers: in flight, limit, and whether there is one.
fn limiter(state: &State, kernel: usize) -> (u64, u64, bool) {
    match (state.milg.get(kernel), state.smil.get(kernel)) {
        (Some(milg), _) => (milg.in_flight, milg.limit, !milg.unlimited),
        (_, Some(smil)) => (smil.in_flight, smil.limit, !smil.unlimited),
        _ => (0, 0, false),
    }
}

impl Cover for MemIssue {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let kernels = params.kernels;
        let (one, smil) = (kernels == 1, params.limiter == Limiter::Smil);
        let one_bit = params.fail_w == params.interval_w + 1;
        let each = || Axis::numbers("kernel", kernels);
        Collector {
            params: params.clone(),
            wishes: Cross::new("requests to issue", [each(), Axis::new("wish", WISH)])
                .without("there is only one kernel", move |at| one && at[1] == 4),
            gates: Cross::named("issue")
                .by(each())
                .axis("in flight", Gate::NAMES)
                .flag("limited")
                .without("without a limit the count cannot exceed it", |at| {
                    at[1] == Gate::AboveLimit as usize && at[2] == 0
                }),
            requests: Cross::new("requests", [each(), Axis::new("request", REQUEST)]),
            intervals: Cross::named("intervals")
                .by(each())
                .axis("failures per request", RATIO)
                .without("the limit is static", move |_| smil)
                .without("the divisor is one bit", move |at| one_bit && at[1] == 2),
            lives: Cross::named("lives")
                .by(each())
                .axis("kernel", LIFE)
                .flag("in flight"),
            completions: Cross::new("completions", [Axis::new("of", COMPLETE)])
                .without("there is only one kernel", move |at| one && at[0] == 2),
        }
    }
}

impl Collector {
    fn wish(&mut self, state: &State, input: &In, granted: Option<u8>) {
        for kernel in 0..self.params.kernels {
            let bit = |mask: u64| mask >> kernel & 1 == 1;
            let (in_flight, limit, limited) = limiter(state, kernel);
            let wish = match input.lsu_ready {
                _ if !bit(input.want) => 0,
                _ if !bit(state.active) => 1,
                _ if in_flight >= limit => 2,
                false => 3,
                true if granted == Some(kernel as u8) => 5,
                true => 4,
            };
            self.wishes.hit((kernel, wish));
            let gate = Gate::of(in_flight, limit) as usize;
            self.gates.hit((kernel, gate, limited));
            for (kind, mask) in [input.launch, input.exit].into_iter().enumerate() {
                if bit(mask) {
                    self.lives.hit((kernel, kind, in_flight > 0));
                }
            }
        }
    }

    fn request(&mut self, state: &State, input: &In) {
        let kernel = usize::from(input.lsu_kid);
        let class = match (input.fail_valid, input.request_first) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        self.requests.hit((kernel, class));
        let Some(milg) = state.milg.get(kernel) else {
            return;
        };
        let ends = input.request_valid && milg.requests == ones(self.params.interval_w);
        if ends && input.launch >> kernel & 1 == 0 {
            let ratio = milg.failures >> self.params.interval_w;
            self.intervals.hit((kernel, ratio.min(2) as usize));
        }
    }
}

impl Collect<MemIssue> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let state = model.state();
        self.wish(state, input, model.grant(input));
        if input.request_valid || input.fail_valid {
            self.request(state, input);
        }
        let complete = input.complete.count_ones() as usize;
        self.completions.hit(complete.min(2));
    }
}

/// Kernels by their bits.
const K0: u64 = 0b01;
const K1: u64 = 0b10;

impl Teach for MemIssue {
    const SETS: &'static [&'static str] = &["2-milg-qbmi-small"];

    fn scene(params: &Params) -> Scene<Self> {
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
        let complete = Self::cycle(params, |i| i.complete = K1);
        // Three instructions, the first of two requests; each request fails twice.
        let refused = [true, false, true].map(|first| [fail, fail, request(first)]);
        let refused = refused.concat().into_iter().chain([fail, fail]);
        let reset = Self::cycle(params, |i| i.reset = true);
        let launch = Self::cycle(params, |i| i.launch = K0 | K1);
        Scene::new("a grant withheld by a limit")
            .rows("memory instructions wanted, K0 lowest", "want, lsu_ready")
            .rows("grant", "grant_valid, grant_kid kernel when grant_valid, quota")
            .rows("LSU responses to K1", "request_valid, fail_valid, complete")
            .rows("limiters of K0 and K1", "in_flight, milg[1].failures, limit, unlimited, allow")
            .cycle("Reset.", reset)
            .then("active", 0b00)
            .cycle("K0 and K1 are launched, without limits, with equal quotas.", launch)
            .then("active", 0b11)
            .then("unlimited", 0b11)
            .then("quota", [1, 1])
            .cycles(
                "Only K1 issues: three memory instructions. K0, which is idle, accumulates credit.",
                [wants(K1), wants(K1), wants(K1)],
            )
            .sees("grant_kid", 1)
            .then("in_flight", [0, 3])
            .then("quota", [4, 1])
            .cycles(
                "The cache is congested: each of K1's requests is refused twice before it is accepted.",
                refused,
            )
            .folded()
            .then("milg[1].failures", 8)
            .then("milg[1].requests", 3)
            .cycle(
                "The fourth request ends K1's interval: 8 failures >> 2 are 2 per request.",
                request(true),
            )
            .then("milg[1].divisor", 2)
            .cycle("The division of the peak, 3, by 2 begins.", idle)
            .then("milg[1].left", 2)
            .cycles("Two of K1's instructions complete meanwhile.", [complete, complete])
            .then("in_flight", [0, 1])
            .then("limit", [3, 1])
            .then("unlimited", K0)
            .cycle(
                "K1 wants to issue, but has one in flight and a limit of 1: the grant is withheld.",
                wants(K1),
            )
            .sees("allow", K0)
            .sees("grant_valid", false)
            .cycle("Both want to: K0 issues.", wants(K0 | K1))
            .sees("grant_kid", 0)
            .then("in_flight", [1, 1])
            .cycle(
                "The last response of K1's instruction arrives; K1 may issue in the next cycle.",
                In {
                        complete: K1,
                        ..wants(K1)
                    },
            )
            .sees("grant_valid", false)
            .then("in_flight", [1, 0])
            .then("quota", [3, 1])
            .then("allow", K0 | K1)
            .cycle("K1 issues.", wants(K1))
            .sees("grant_valid", true)
            .sees("grant_kid", 1)
            .then("in_flight", [1, 1])
            .then("allow", K0)
            .cycle("It is at its limit again.", idle)
            .sees("allow", K0)
    }
}

impl Facts for MemIssue {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = Vec::new();
        for kernel in 0..params.kernels {
            all.extend(match params.limiter {
                Limiter::Milg => terms.within(&format!("milg[{kernel}]."), |terms| {
                    Milg::invariants(&params.milg(), terms)
                }),
                Limiter::Smil => terms.within(&format!("smil[{kernel}]."), |terms| {
                    Smil::invariants(&params.smil(), terms)
                }),
            });
        }
        match params.priority {
            Priority::Rbmi => {
                all.extend(
                    terms.within("rbmi[0].", |terms| Rbmi::invariants(&params.rbmi(), terms)),
                );
            }
            Priority::Qbmi => {
                all.extend(
                    terms.within("qbmi[0].", |terms| Qbmi::invariants(&params.qbmi(), terms)),
                );
                let [own, its] = terms.flops(["active_register", "qbmi[0].active_register"]);
                all.push(terms.equal(own, its));
            }
        }
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        for kernel in 0..params.limiters(Limiter::Milg) {
            let milg = |flop: &str, terms: &mut _| Milg::matters(&params.milg(), flop, terms);
            let found = terms.flop_within(&format!("milg[{kernel}]."), flop, milg);
            if found.is_some() {
                return found;
            }
        }
        let qbmi = |flop: &str, terms: &mut _| Qbmi::matters(&params.qbmi(), flop, terms);
        terms.flop_within("qbmi[0].", flop, qbmi)
    }
}
