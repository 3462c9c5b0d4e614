//! Against a list of requests that are done one after the other.

use std::collections::VecDeque;

use cotenant_golden::llc::llc_monitor::{Done, In, LlcMonitor, Params, Set};
use cotenant_golden::llc::lru_stack::{self, LruStack};
use cotenant_golden::Model;
use proptest::prelude::*;

use super::{add_periods, done, run, zeros, Counts};

/// A request whose turn has come.
#[derive(Debug, Clone, Copy)]
enum Request {
    Access { set: usize, tag: u64, kid: u8 },
    Invalidate { set: usize, way: u8 },
    Clear { set: usize },
}

/// A bank without a clock: stacks, tags by way, and what is to be counted.
struct Sequential {
    stacks: Vec<LruStack>,
    tags: Vec<Vec<u64>>,
}

impl Sequential {
    fn new(params: &Params) -> Self {
        let &Params {
            ways,
            kernels,
            sets,
            ..
        } = params;
        let stack = LruStack::new(lru_stack::Params { ways, kernels }).unwrap();
        Self {
            stacks: vec![stack; sets],
            tags: vec![vec![0; ways]; sets],
        }
    }

    fn take(&mut self, request: Request, counts: &mut Counts) -> Done {
        match request {
            Request::Clear { set } => {
                self.stacks[set].reset();
                self.tags[set].fill(0);
                Done::default()
            }
            Request::Invalidate { set, way } => {
                self.stacks[set].step(&lru_stack::In {
                    invalidate_valid: true,
                    invalidate_way: way,
                    ..lru_stack::In::default()
                });
                Done::default()
            }
            Request::Access { set, tag, kid } => {
                let before = self.stacks[set].state().clone();
                let valid = |position: &usize| before.valid >> position & 1 == 1;
                let tags = &mut self.tags[set];
                let tag_at = |position: usize| tags[usize::from(before.way[position])];
                let hit = (0..tags.len())
                    .filter(valid)
                    .find(|&position| tag_at(position) == tag);
                let position = hit.unwrap_or(tags.len() - 1);
                let (way, owner) = (before.way[position], before.owner[position]);
                self.stacks[set].step(&lru_stack::In {
                    access_valid: true,
                    access_hit: hit.is_some(),
                    access_way: way,
                    access_kid: kid,
                    ..lru_stack::In::default()
                });
                tags[usize::from(way)] = tag;
                let [gdc, ike, accesses] = counts;
                let aggressor = usize::from(kid);
                for position in (0..hit.unwrap_or(tags.len())).filter(valid) {
                    gdc[usize::from(before.owner[position])][aggressor] += 1;
                }
                let evict = hit.is_none() && valid(&position);
                if evict {
                    ike[usize::from(owner)][aggressor] += 1;
                }
                accesses[usize::from(hit.is_none())][aggressor] += 1;
                Done {
                    valid: true,
                    hit: hit.is_some(),
                    way,
                    evict,
                    owner: if hit.is_some() || evict { owner } else { 0 },
                }
            }
        }
    }

    /// Whether the monitor's memories hold the same.
    fn is(&self, set: usize, held: &Set) -> bool {
        let stack = self.stacks[set].state();
        (&stack.way, &stack.owner, stack.valid)
            == (&held.stack.way, &held.stack.owner, held.stack.valid)
            && self.tags[set] == held.tag
    }
}

/// What `input` asks of each bank, if the requester table is `table`.
fn asked(params: &Params, table: &[u8], sweep: Option<usize>, input: &In) -> Vec<Option<Request>> {
    let of_bank = |bank: usize| {
        let set = input.request_set[bank] as usize;
        let requester = usize::from(input.access_requester[bank]);
        match sweep {
            _ if input.flush => None,
            Some(set) => Some(Request::Clear { set }),
            None if input.invalidate_valid >> bank & 1 == 1 => Some(Request::Invalidate {
                set,
                way: input.invalidate_way[bank],
            }),
            None if input.access_valid >> bank & 1 == 1 => Some(Request::Access {
                set,
                tag: input.access_tag[bank],
                kid: table[requester.min(params.requesters)],
            }),
            None => None,
        }
    };
    (0..params.banks).map(of_bank).collect()
}

proptest! {
    #[test]
    fn requests_are_done_one_after_the_other((params, inputs) in run()) {
        let Params { kernels, sets, banks, stages, requesters, .. } = params;
        let latency = params.request_latency();
        let reset_table: Vec<_> = (0..requesters)
            .map(|requester| requester.min(kernels - 1) as u8)
            .chain([kernels as u8 - 1])
            .collect();
        let mut table = reset_table.clone();
        let mut sweep = Some(0);
        // The requests on their way, the oldest first.
        let mut coming = VecDeque::from(vec![vec![None; banks]; latency]);
        let mut sequential: Vec<_> = (0..banks).map(|_| Sequential::new(&params)).collect();
        let mut swept = vec![vec![false; sets]; banks];
        let mut expected_done = vec![Done::default(); banks];
        let mut counts = zeros(kernels);
        let mut periods = zeros(kernels);
        let mut snapshots = 0u8;

        let mut monitor = LlcMonitor::new(params.clone()).unwrap();
        let idle = In::idle(&params);
        let drain = std::iter::repeat_n(&idle, latency + 1 + stages);
        // The first sweep is not shorter than the rest of a run: let some runs get through it.
        let through = std::iter::repeat_n(&idle, sets - 1);
        for input in through.chain(&inputs).chain(drain) {
            prop_assert!(monitor.assume(input).is_ok());
            let before = monitor.state().clone();
            let out = monitor.step(input);
            prop_assert_eq!(out.ready, sweep.is_none());
            prop_assert_eq!(out.sequence_number, snapshots);
            for (bank, expected) in expected_done.iter().enumerate() {
                prop_assert_eq!(&done(&out, bank), expected);
            }

            // The requests whose turn it is change the sets, also at the edge of a reset.
            coming.push_back(asked(&params, &table, sweep, input));
            let turn = coming.pop_front().unwrap();
            let mut written = Vec::new();
            for (bank, request) in turn.into_iter().enumerate() {
                expected_done[bank] = Done::default();
                if let Some(request) = request {
                    expected_done[bank] = sequential[bank].take(request, &mut counts);
                    let (Request::Access { set, .. }
                    | Request::Invalidate { set, .. }
                    | Request::Clear { set }) = request;
                    swept[bank][set] = true;
                    written.push((bank, set));
                }
            }
            prop_assert_eq!(monitor.written().collect::<Vec<_>>(), &written[..]);
            for bank in 0..banks {
                for (set, swept) in swept[bank].iter().enumerate() {
                    let held = &monitor.state().banks[bank].sets[set];
                    if !written.contains(&(bank, set)) {
                        prop_assert_eq!(held, &before.banks[bank].sets[set]);
                    }
                    prop_assert!(!swept || sequential[bank].is(set, held));
                }
            }

            if input.reset {
                coming.iter_mut().for_each(|requests| requests.fill(None));
                expected_done.fill(Done::default());
                (table, sweep, snapshots) = (reset_table.clone(), Some(0), 0);
                (counts, periods) = (zeros(kernels), zeros(kernels));
                continue;
            }
            if input.snapshot {
                add_periods(&mut periods, monitor.state(), true);
                snapshots = snapshots.wrapping_add(1);
            }
            if input.map_valid {
                table[usize::from(input.map_requester).min(requesters)] = input.map_kid;
            }
            sweep = match sweep {
                _ if input.flush => Some(0),
                Some(set) if set + 1 < sets => Some(set + 1),
                _ => None,
            };
        }
        add_periods(&mut periods, monitor.state(), false);
        prop_assert_eq!(periods, counts);
    }
}
