//! Functional coverage of `qbmi`: grants by candidates and ties, and back to back; sets added, and
//! saturation; kernels that start and end; ratios by kernel; ratios that change while quotas are
//! computed.

use cotenant_golden::sm::qbmi::{In, Params, Qbmi as Model, State};

use super::Qbmi;
use crate::unit::prelude::*;

collector! {
    /// Sorts grants, sets of quotas, launches and exits, and intervals.
    pub struct Collector {
        crosses { grants, row, sets, changes, ratios, updates }
        params: Params,
        // Who was granted in the cycle before, as a mask.
        before: u64,
    }
}

/// Kernels that may be granted.
const CANDIDATES: [&str; 3] = ["none", "one", "several"];
/// Who was granted in the cycle before.
const BEFORE: [&str; 3] = ["no kernel", "another", "the same"];
/// A set that is added.
const SET: [&str; 2] = ["all ones", "others"];
/// What changes.
const CHANGE: [&str; 4] = ["launch", "exit", "both of one kernel", "both of others"];
/// Requests per instruction.
const RATIO: [&str; 4] = ["1", "2", "more", "the maximum"];

impl Cover for Qbmi {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let kernels = params.kernels;
        let one = kernels == 1;
        let (most, lag) = (params.ratio_max(), params.lag);
        let interval = 1 << params.interval_w;
        Collector {
            grants: Cross::named("grants")
                .axis("candidates", CANDIDATES)
                .flag("tie")
                .flag("accept")
                .flag("change")
                .without("a tie needs several kernels", move |at| {
                    at[0] < 2 && at[1] == 1 || one && at[0] == 2
                }),
            row: Cross::named("grants in a row")
                .axis("before", BEFORE)
                .flag("a set is added")
                .without("there is only one kernel", move |at| one && at[0] == 1)
                .without(
                    "with a lag of one cycle the grant before has left none",
                    move |at| lag == 1 && at == [0, 1],
                ),
            sets: Cross::named("sets")
                .axis("set", SET)
                .flag("a quota saturates")
                .without(
                    "one kernel has quotas of 1 and issues all the time",
                    move |at| one && (at[0] == 1 || at[1] == 1),
                ),
            changes: Cross::named("changes")
                .axis("change", CHANGE)
                .flag("computing")
                .flag("grant")
                .without("there is only one kernel", move |at| one && at[0] == 3),
            ratios: Cross::named("ratios")
                .numbers("kernel", kernels)
                .axis("ratio", RATIO)
                .without("no number of instructions gives this ratio", move |at| {
                    let counts = (1..=2 * most).map(|ratio| (interval / ratio).max(1));
                    !counts
                        .into_iter()
                        .any(|n| class(interval, n, most) == at[1])
                }),
            updates: Cross::named("updates")
                .numbers("kernel", kernels)
                .flag("computing"),
            params: params.clone(),
            before: 0,
        }
    }
}

/// The class of a ratio, of up to `most`.
fn class(interval: u64, instructions: u64, most: u64) -> usize {
    if instructions == 0 {
        return 3;
    }
    match (2 * interval + instructions) / (2 * instructions) {
        1 => 0,
        ratio if ratio >= most => 3,
        2 => 1,
        _ => 2,
    }
}

impl Collector {
    /// Kernels that may be granted, and how many of them have the highest quota.
    fn candidates(&self, state: &State, ready: u64) -> (usize, usize) {
        let ready = ready & state.active;
        let quotas = state.current.iter().enumerate();
        let quotas = quotas.filter(|(kernel, _)| ready >> kernel & 1 == 1);
        let quotas: Vec<u64> = quotas.map(|(_, &quota)| quota).collect();
        let highest = quotas.iter().max();
        let tied = quotas.iter().filter(|quota| Some(*quota) == highest);
        (quotas.len(), tied.count())
    }

    /// A set that is added: all of it to each kernel, or less to one that has accumulated credit.
    fn added(&mut self, state: &State) {
        let set = &state.unit.quota;
        let most = |quota: u64| match self.params.cap {
            true => 2 * quota,
            false => ones(self.params.quota_w()),
        };
        let pairs = state.current.iter().zip(set).enumerate();
        let mut active = pairs.filter(|(kernel, _)| state.active >> kernel & 1 == 1);
        let saturates = active.any(|(_, (&quota, &set))| quota + set > most(set));
        let others = set.iter().any(|&quota| quota != 1);
        self.sets.hit((usize::from(others), saturates));
    }

    fn request(&mut self, state: &State, input: &In) {
        let kernel = usize::from(input.request_kid);
        let meter = &state.meter[kernel];
        let interval = 1u64 << self.params.interval_w;
        if input.launch >> kernel & 1 == 1 || meter.requests != interval - 1 {
            return;
        }
        let instructions = meter.instructions + u64::from(input.request_first);
        let class = class(interval, instructions, self.params.ratio_max());
        self.ratios.hit((kernel, class));
    }
}

impl Collect<Qbmi> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let state = model.state();
        let change = (input.launch | input.exit) != 0;
        let computing = usize::from(state.unit.left > 0);
        let (candidates, tied) = self.candidates(state, input.ready);
        self.grants
            .hit((candidates.min(2), tied > 1, input.accept, change));
        let granted = input.accept && candidates > 0;
        let winner = state.pick(input.ready).filter(|_| input.accept);
        let grant = winner.map_or(0, |winner| 1 << winner);
        let due = *state.undeducted.due().unwrap_or(&grant);
        let mut quotas = state.current.iter().enumerate();
        let used_up = quotas.any(|(kernel, &quota)| due >> kernel & 1 == 1 && quota == 1);
        if winner.is_some() {
            let before = match self.before {
                0 => 0,
                before if before == grant => 2,
                _ => 1,
            };
            self.row.hit((before, used_up));
        }
        self.before = grant;
        if used_up && !change {
            self.added(state);
        }
        if change {
            let kind = match (input.launch, input.exit) {
                (_, 0) => 0,
                (0, _) => 1,
                (launch, exit) if launch & exit != 0 => 2,
                _ => 3,
            };
            self.changes.hit((kind, computing, granted));
        }
        if input.request_valid {
            self.request(state, input);
        }
        for (kernel, meter) in state.meter.iter().enumerate() {
            if meter.left == 1 && input.launch >> kernel & 1 == 0 {
                self.updates.hit((kernel, computing));
            }
        }
    }

    fn restart(&mut self, _params: &Params) {
        self.before = 0;
    }
}
