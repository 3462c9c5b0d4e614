//! Rationale: by hand two accesses of two banks, counted as section III says, with the delay by
//! `stages` and the answer two cycles after a read. Then the whole against the monitor that has a
//! directory: told what that one's directory finds, both count the same.
use super::*;
use crate::llc::attribution::Mode;
use crate::llc::llc_monitor::{self, LlcMonitor};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn params(stages: usize) -> Params {
    Params {
        ways: 4,
        kernels: 3,
        banks: 2,
        cnt_w: 8,
        stages,
        requesters: 2,
    }
}

fn counters(stages: usize) -> LlcCounters {
    LlcCounters::new(params(stages)).unwrap()
}

fn idle() -> In {
    In::idle(&params(0))
}

/// Bank 1: requester 1 misses, all four lines are demoted, and a line of kernel 2 is replaced.
fn miss() -> In {
    In {
        access_valid: 0b10,
        access_requester: vec![0, 1],
        demoted: vec![0, 0, 0, 0, 1, 1, 1, 1],
        line_owner: vec![0, 0, 0, 0, 2, 0, 2, 1],
        victim_valid: 0b10,
        victim_owner: vec![0, 2],
        ..idle()
    }
}

fn count(model: &LlcCounters, bank: usize, victim: usize, aggressor: usize) -> u64 {
    model.state().bank[bank].gdcu.count[victim][aggressor]
}

#[test]
fn an_access_counts_the_lines_that_it_demotes_and_the_one_that_it_evicts() {
    for stages in 0..=2 {
        let mut model = counters(stages);
        model.step(&miss());
        for _ in 0..stages {
            assert_eq!(count(&model, 1, 2, 1), 0, "{stages} stages");
            model.step(&idle());
        }
        let bank = &model.state().bank[1];
        assert_eq!(bank.gdcu.count, [[0, 1, 0], [0, 1, 0], [0, 2, 0]]);
        assert_eq!(bank.plob.count, [[0, 0, 0], [0, 0, 0], [0, 1, 0]]);
        assert_eq!(bank.accesses.count, [[0, 0, 0], [0, 1, 0]]);
        let other = &model.state().bank[0];
        assert_eq!(other.gdcu.count, [[0; 3]; 3]);
        assert_eq!(other.accesses.count, [[0; 3]; 2]);
    }
}

#[test]
fn a_hit_evicts_nothing() {
    let mut model = counters(0);
    model.step(&In {
        access_hit: 0b10,
        ..miss()
    });
    let bank = &model.state().bank[1];
    assert_eq!(bank.plob.count, [[0; 3]; 3]);
    assert_eq!(bank.accesses.count, [[0, 1, 0], [0, 0, 0]]);
}

#[test]
fn a_read_sums_the_banks_and_is_answered_two_cycles_later() {
    let mut model = counters(0);
    let mut both = miss();
    both.access_valid = 0b11;
    both.access_requester = vec![1, 1];
    both.demoted[0] = 1;
    both.line_owner[0] = 2;
    model.step(&both);
    let read = In {
        read_victim: 2,
        read_aggressor: 1,
        read_live: true,
        ..idle()
    };
    assert_eq!(model.step(&read).read_count, 0);
    assert_eq!(model.step(&idle()).read_count, 0);
    assert_eq!(model.step(&idle()).read_count, 2 + 1);
    // A snapshot moves it to the last period's.
    model.step(&In {
        snapshot: true,
        ..idle()
    });
    model.step(&In {
        read_live: false,
        ..read
    });
    model.step(&idle());
    let out = model.step(&idle());
    assert_eq!((out.read_count, out.sequence_number), (3, 1));
}

#[test]
fn the_table_says_which_kernel_a_requester_runs() {
    let mut model = counters(0);
    let out = model.step(&In {
        access_requester: vec![1, 3],
        map_requester: 3,
        map_valid: true,
        map_kid: 0,
        ..idle()
    });
    // Requester 1 runs kernel 1, all others the last one, until the table is written.
    assert_eq!((&out.access_kid[..], out.mapped_kid), (&[1, 2][..], 2));
    let out = model.step(&In {
        access_requester: vec![2, 3],
        ..idle()
    });
    assert_eq!(out.access_kid[..], [0, 0]);
}

#[test]
fn told_what_a_directory_finds_it_counts_what_the_monitor_counts() {
    let monitor = llc_monitor::Params {
        ways: 4,
        kernels: 3,
        sets: 2,
        banks: 2,
        tag_w: 4,
        cnt_w: 8,
        stages: 1,
        requesters: 2,
        sce: 0,
        sampled: 0,
        mode: Mode::Sixths,
        ram_stages: 0,
    };
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let mut whole = LlcMonitor::new(monitor.clone()).unwrap();
    let mut part = counters(1);
    let mut asked = llc_monitor::In::idle(&monitor);
    for cycle in 0..4_000 {
        asked.access_valid = random.random_range(0..4);
        asked.snapshot = cycle % 1_500 == 1_499;
        for bank in 0..2 {
            asked.request_set[bank] = random.random_range(0..2);
            asked.access_tag[bank] = random.random_range(0..7);
            asked.access_requester[bank] = random.random_range(0..4);
        }
        // What the monitor's directory is about to find in this cycle.
        let mut told = In {
            snapshot: asked.snapshot,
            ..idle()
        };
        for (bank, state) in whole.state().banks.iter().enumerate() {
            let due = state.in_flight.due_or_default();
            if !due.access {
                continue;
            }
            let set = &state.sets[due.set as usize];
            let stack = &set.stack;
            let valid = |position: usize| stack.valid >> position & 1 == 1;
            let holds = |position: &usize| {
                valid(*position) && set.tag[usize::from(stack.way[*position])] == due.tag
            };
            let hit = (0..4).find(holds);
            told.access_valid |= 1 << bank;
            told.access_hit |= u64::from(hit.is_some()) << bank;
            told.victim_valid |= u64::from(valid(3)) << bank;
            told.victim_owner[bank] = stack.owner[3];
            // A requester that runs the kernel for which the access was looked up.
            told.access_requester[bank] = u16::from(due.kid);
            for position in (0..hit.unwrap_or(4)).filter(|&position| valid(position)) {
                told.demoted[bank * 4 + position] = 1;
                told.line_owner[bank * 4 + position] = stack.owner[position];
            }
        }
        whole.step(&asked);
        part.step(&told);
        for (whole, part) in whole.state().banks.iter().zip(&part.state().bank) {
            assert_eq!(whole.gdcu.count, part.gdcu.count, "cycle {cycle}");
            assert_eq!(whole.plob.count, part.plob.count, "cycle {cycle}");
            let accesses = &whole.accesses.matrix;
            assert_eq!(accesses.count, part.accesses.count, "cycle {cycle}");
            assert_eq!(whole.gdcu.shadow, part.gdcu.shadow, "cycle {cycle}");
        }
    }
    let evictions = &part.state().bank[0].plob;
    let all = evictions.count.iter().chain(&evictions.shadow).flatten();
    assert!(all.sum::<u64>() > 100, "{evictions:?}");
}
