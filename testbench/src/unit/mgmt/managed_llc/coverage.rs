//! Functional coverage of `managed_llc`: what the parts tell each other, and what holds of it.

use cotenant_golden::mgmt::managed_directory::Policy;
use cotenant_golden::mgmt::managed_llc::{In, ManagedLlc as Model, Params, State};

use super::stimulus::UnderWay;
use super::ManagedLlc;
use crate::unit::llc::shared::limit_bin;
use crate::unit::prelude::*;

const POLICIES: [&str; 3] = ["LRU", "quotas", "RRIP"];
/// Who accesses.
const WHO: [&str; 4] = ["a CPU", "a core of the GPU", "Core-POL1", "Core-POL2"];
/// What an access has done.
const DONE: [&str; 4] = [
    "hit",
    "missed, and evicted nothing",
    "evicted a line of its own",
    "evicted another's line",
];
/// Whose masks hold.
const SOURCES: [&str; 3] = ["those of TAP", "none", "those given"];
const UNDER_WAY: [&str; 4] = ["nothing", "the ratio", "masks", "quotas"];
/// Where an event takes a counter.
const LIMITS: [&str; 3] = ["exceeds its limit", "reaches it", "stays below"];
const MATRICES: [&str; 2] = ["evictions", "hits and misses"];

collector! {
    /// Sorts accesses, periods and decisions.
    pub struct Collector {
        crosses {
            accesses, counted, periods, starts, decisions, holding, reads, limits, port
        }
        params: Params,
        /// The quotas before the newest ones.
        before: Option<Vec<u64>>,
    }
}

fn source(input: &In) -> usize {
    match (input.mask_override, input.aware) {
        (true, _) => 2,
        (false, aware) => usize::from(!aware),
    }
}

impl Collector {
    fn count(&mut self, state: &State, input: &In) {
        let done = &state.directory;
        if !done.done_valid {
            return;
        }
        let (app, owner) = (usize::from(done.done_app), usize::from(done.done_owner));
        let did = match (done.done_hit, done.done_evict) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => 2 + usize::from(app != owner),
        };
        self.counted.hit((did, input.period));
        let most = ones(self.params.cnt_w);
        let mut limit = |matrix: usize, count: u64| {
            let count = if input.period { 0 } else { count };
            self.limits.hit((matrix, limit_bin(count, 1, most)));
        };
        limit(1, state.accesses.count[usize::from(!done.done_hit)][app]);
        if done.done_evict {
            limit(0, state.evictions.count[owner][app]);
        }
    }
}

impl Cover for ManagedLlc {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        // All ways are given to all as one each.
        let fixed = params.ways == params.applications;
        Collector {
            params: params.clone(),
            accesses: Cross::named("accesses")
                .axis("by", WHO)
                .axis("policy", POLICIES)
                .flag("TAP"),
            counted: Cross::named("what is counted")
                .axis("access", DONE)
                .flag("a period ends"),
            periods: Cross::named("ends of periods")
                .axis("under way", UNDER_WAY)
                .flag("the next one is sampled"),
            starts: Cross::named("starts of UCP")
                .axis("masks", SOURCES)
                .flag("some application gets one way")
                .flag("ratio above 1")
                .without("without masks none gets one way", |at| {
                    at[0] == 1 && at[1] == 1
                }),
            decisions: Cross::named("decisions")
                .axis("quotas", ["stay", "change"])
                .flag("others are given")
                .without("all have one way", move |at| fixed && at[0] == 1),
            holding: Cross::named("RRIP-Masks")
                .axis("masks", SOURCES)
                .flag("some application has one")
                .without("there is none", |at| at[0] == 1 && at[1] == 1),
            reads: Cross::named("reads")
                .axis("matrix", MATRICES)
                .flag("running")
                .flag("a period ends"),
            limits: Cross::named("limits")
                .axis("matrix", MATRICES)
                .axis("counter", LIMITS),
            port: Cross::named("port")
                .axis("access", ["none", "access", "invalidation"])
                .flag("ready"),
            before: None,
        }
    }
}

impl Collect<ManagedLlc> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        let state = model.state();
        if input.reset {
            self.before = None;
            return;
        }
        let port = match (input.access_valid, input.access_invalidate) {
            (false, _) => 0,
            (true, invalidate) => 1 + usize::from(invalidate),
        };
        self.port.hit((port, !state.directory.sweeping));
        let due = state.directory.in_flight.due().copied().flatten();
        if let Some(access) = due.filter(|access| !access.invalidate) {
            let who = match (access.pol1, access.pol2) {
                (true, _) => 2,
                (_, true) => 3,
                _ => (input.gpu >> access.app & 1) as usize,
            };
            let policy = Policy::of(input.policy) as usize;
            self.accesses.hit((who, policy, input.aware));
        }
        self.count(state, input);
        if input.period {
            self.periods
                .hit((UnderWay::of(state) as usize, input.sample));
        }
        let all = ones(self.params.applications);
        let (ucp_mask, rrip_mask) = match source(input) {
            0 => (state.masks.ucp_mask, state.masks.rrip_mask),
            1 => (0, 0),
            _ if input.ucp_mask_given == all => (0, input.rrip_mask_given),
            _ => (input.ucp_mask_given, input.rrip_mask_given),
        };
        self.holding.hit((source(input), rrip_mask != 0));
        if state.masks.start {
            let ratio = state.masks.xsratio > 1;
            self.starts.hit((source(input), ucp_mask != 0, ratio));
        }
        let quota = &state.shares.quota;
        if state.shares.done {
            if let Some(before) = &self.before {
                self.decisions
                    .hit((usize::from(before != quota), input.quota_override));
            }
        }
        self.before = Some(quota.clone());
        self.reads.hit((
            usize::from(input.read_matrix),
            input.read_live,
            input.period,
        ));
    }

    fn restart(&mut self, _: &Params) {
        self.before = None;
    }
}
