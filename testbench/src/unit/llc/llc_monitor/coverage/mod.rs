//! Functional coverage of `llc_monitor`: accesses by position, owner and lines; requests after each
//! other in a set; tags that have just come and gone; who evicts whom; what is on its way as a
//! period ends, as a sweep begins and as the requester table changes; reads; the counters' limit.

mod crosses;
mod served;

use std::collections::VecDeque;

use cotenant_golden::llc::llc_monitor::{Bank, In, LlcMonitor as Model, Params, State, QUEUE};

use crate::unit::llc::shared::limit_bin;
use crate::unit::llc::LlcMonitor;
use crate::unit::prelude::*;
use served::{due, Kind, Served};

collector! {
    /// Sorts requests, periods, sweeps and reads.
    pub struct Collector {
        crosses {
            accesses, successions, tags, evictions, periods, ports, sweeps,
            requesters, table, reads, read_periods, limits, sampled
        }
        params: Params,
        positions: Positions,
        banks: Vec<Past>,
        /// Snapshots in the cycles before, the youngest in the lowest bit.
        snapshots: u32,
    }
}

/// What a bank did.
#[derive(Debug, Clone)]
struct Past {
    /// One, two, three and four cycles before.
    served: [Served; 4],
    /// Accesses that have not reached the counters, the youngest first; one entry per stage.
    in_flight: VecDeque<Option<usize>>,
}

impl Cover for LlcMonitor {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let past = Past {
            served: Default::default(),
            in_flight: vec![None; params.stages].into(),
        };
        Collector {
            positions: Positions::new(params.ways),
            accesses: crosses::accesses(params),
            successions: crosses::successions(params),
            tags: crosses::tags(params),
            evictions: crosses::evictions(params),
            periods: crosses::periods(params),
            ports: crosses::ports(params),
            sweeps: crosses::sweeps(params),
            requesters: crosses::requesters(params),
            table: crosses::table(params),
            reads: crosses::reads(params),
            read_periods: crosses::read_periods(params),
            limits: crosses::limits(params),
            sampled: crosses::sampled(params),
            banks: vec![past; params.banks],
            snapshots: 0,
            params: params.clone(),
        }
    }
}

impl Collector {
    /// What a bank's UPDATE does.
    fn update(&mut self, number: usize, bank: &Bank) {
        let served = Served::of(bank);
        let past = &mut self.banks[number];
        let before = past.served;
        let [one, two, three, _] = before;
        past.served = [served, one, two, three];
        let request = match served.kind {
            Kind::Hit => 0,
            Kind::Miss => 1,
            Kind::Invalidation => 2,
            Kind::Nothing | Kind::Clear => {
                past.in_flight.push_front(None);
                return;
            }
        };
        let (set, tag) = (served.set, due(bank).tag);
        self.successions
            .hit((request, one.after(set), two.after(set)));
        if served.kind == Kind::Invalidation {
            past.in_flight.push_front(None);
            return;
        }
        let outcome = request + usize::from(served.gone.is_some());
        past.in_flight.push_front(Some(outcome));
        let recent = crosses::recent(&self.params);
        let mut before = (1..).zip(&before[..recent]);
        let event = before.find_map(|(ago, served)| served.did_to(set, tag, ago, recent));
        self.tags.hit((request, event.unwrap_or(0)));
        let lines = bank.sets[set as usize].stack.valid.count_ones() as usize;
        self.accesses.hit((
            self.positions.class(served.position),
            match served.owner {
                None => 0,
                Some(owner) if owner == due(bank).kid => 1,
                Some(_) => 2,
            },
            match lines {
                0 => 0,
                _ if lines < self.params.ways => 1,
                _ => 2,
            },
        ));
        if let (Some(owner), Some(_)) = (served.owner, served.gone) {
            self.evictions.hit((owner, due(bank).kid));
        }
    }

    /// An access that reaches the counters, and when snapshots were.
    fn counted(&mut self, number: usize) {
        let Some(outcome) = self.banks[number].in_flight.pop_back().flatten() else {
            return;
        };
        // As requested, in the stages, and as counted.
        let stages = crosses::stages(&self.params).len();
        let on_the_way = (0..=stages).rev().map(|left| self.params.stages + left);
        let mut none = true;
        for (phase, ago) in (1..).zip(on_the_way.chain([0])) {
            if self.snapshots >> ago & 1 == 1 {
                self.periods.hit((outcome, phase));
                none = false;
            }
        }
        if none {
            self.periods.hit((outcome, 0));
        }
    }

    /// Increments that reach a bank's counters. Without stages they pass unseen.
    fn increments(&mut self, bank: &Bank) {
        let most = u64::MAX >> (64 - self.params.cnt_w);
        let limits = &mut self.limits;
        let mut hit = |matrix, count: u64, events: u64| {
            limits.hit((matrix, limit_bin(count, events, most)));
        };
        if let Some(due) = bank.gdcu.in_flight.due().filter(|due| due.valid) {
            let lines = due.demotions.iter().zip(&bank.gdcu.count);
            for (&lines, row) in lines.filter(|(&lines, _)| lines > 0) {
                hit(0, row[usize::from(due.kid)], lines.into());
            }
        }
        if let Some(due) = bank.plob.in_flight.due().filter(|due| due.valid) {
            let row = &bank.plob.count[due.victim.trailing_zeros() as usize];
            hit(1, row[usize::from(due.kid)], 1);
        }
        if let Some(due) = bank.accesses.in_flight.due().filter(|due| due.valid) {
            let row = &bank.accesses.matrix.count[usize::from(!due.hit)];
            hit(2, row[usize::from(due.kid)], 1);
        }
        let evicted = bank.sce.as_ref();
        if let Some((sce, due)) =
            evicted.and_then(|sce| Some((sce, sce.in_flight.due()?.as_ref()?)))
        {
            let lines = due.lines.iter().zip(&sce.matrix.count);
            for (&lines, row) in lines.filter(|(&lines, _)| lines > 0) {
                hit(3, row[usize::from(due.victim)], lines.into());
            }
        }
        let missed = bank.sampler.as_ref();
        if let Some((all, due)) = missed.and_then(|all| Some((all, all.in_flight.due()?.as_ref()?)))
        {
            let parts = due.parts.iter().zip(&all.shares.count);
            for (&part, row) in parts.filter(|(&part, _)| part > 0) {
                hit(
                    3 + self.params.sce,
                    row[usize::from(due.victim)],
                    part.into(),
                );
            }
        }
    }

    /// What the sampled sets of a bank make of the access that it takes; without a snapshot, where
    /// that takes their counters.
    fn sample(&mut self, number: usize, model: &Model, input: &In) {
        let state = model.state();
        let Some(all) = &state.banks[number].sampler else {
            return;
        };
        let bit = |mask: u64| mask >> number & 1 == 1;
        let heard = !input.flush && !state.sweeping && !bit(input.invalidate_valid);
        if !heard || !bit(input.access_valid) {
            return;
        }
        let requester = usize::from(input.access_requester[number]);
        let kid = state.kid_of[requester.min(self.params.requesters)];
        let sampled = model
            .sampled()
            .contains(&(input.request_set[number] as usize));
        let becomes = match (all.started || all.shadow.sweep.is_none(), sampled) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => {
                let free = all.shadow.lookup.is_none();
                2 + usize::from(free || all.queue.len() < QUEUE)
            }
        };
        self.sampled.hit((becomes, kid));
        if becomes >= 2 && !input.snapshot {
            let count = all.events.count[usize::from(becomes == 2)][0];
            let most = u64::MAX >> (64 - self.params.cnt_w);
            self.limits
                .hit((4 + self.params.sce, limit_bin(count, 1, most)));
        }
    }

    /// What the ports carry.
    fn ask(&mut self, state: &State, input: &In) {
        let heard = match () {
            () if input.flush => 2,
            () if state.sweeping => 1,
            () => 0,
        };
        let last = self.params.requesters;
        let entry = |code: usize| code.min(last);
        let asked = entry(input.map_requester.into());
        self.table.hit((asked, state.kid_of[asked]));
        let written = input.map_valid.then_some(asked);
        for bank in 0..self.params.banks {
            let bit = |mask: u64| usize::from(mask >> bank & 1 == 1);
            let (access, invalidate) = (bit(input.access_valid), bit(input.invalidate_valid));
            self.ports.hit((bank, access, invalidate, heard));
            if access == 1 && invalidate == 0 && heard == 0 {
                let requester = entry(input.access_requester[bank].into());
                let class = match written {
                    None => 0,
                    Some(written) if written == requester => 1,
                    Some(_) => 2,
                };
                self.requesters.hit((requester, class));
            }
        }
    }

    /// A flush or reset.
    fn sweep(&mut self, event: usize, state: &State) {
        let sweep = match state.sweep_set as usize {
            _ if !state.sweeping => 0,
            0 => 1,
            set if set + 1 == self.params.sets => 3,
            _ => 2,
        };
        for bank in &state.banks {
            let update = due(bank);
            let does = match () {
                () if update.access => 1,
                () if update.invalidate => 2,
                () if update.clear => 3,
                () => 0,
            };
            self.sweeps.hit((event, sweep, does));
        }
    }
}

impl Collect<LlcMonitor> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        let state = model.state();
        if input.reset {
            self.sweep(1, state);
            self.restart(&self.params.clone());
            return;
        }
        if input.flush {
            self.sweep(0, state);
        }
        self.snapshots = self.snapshots << 1 | u32::from(input.snapshot);
        self.ask(state, input);
        for (number, bank) in state.banks.iter().enumerate() {
            self.update(number, bank);
            self.counted(number);
            Self::sample(self, number, model, input);
            if !input.snapshot {
                self.increments(bank);
            }
        }
        let (matrix, live) = (input.read_matrix, input.read_live);
        let (victim, aggressor) = (
            usize::from(input.read_victim),
            usize::from(input.read_aggressor),
        );
        if victim < self.params.kernels && aggressor < self.params.kernels {
            self.reads.hit((matrix, victim, aggressor, live));
        }
        let [this, before] = [0, 1].map(|ago| (self.snapshots >> ago & 1) as usize);
        self.read_periods.hit((matrix, before + 2 * this, live));
    }

    fn restart(&mut self, _: &Params) {
        for past in &mut self.banks {
            past.served = Default::default();
            past.in_flight.iter_mut().for_each(|access| *access = None);
        }
        self.snapshots = 0;
    }
}
