//! Rationale: each of the monitor's own parts by hand, cycle by cycle: the sweep and what
//! interrupts it, a request from the cycle in which it comes in to the counters, requests that meet
//! in one set, the requester table, the read port. What stacks and counters do is tested with the
//! units they are, and long runs against the replay model in `tests/llc_monitor.rs`. Two ways and
//! two kernels are enough for hits at MRU and LRU, evictions and both kinds of owners.
use super::*;
use crate::llc::attribution::Mode;

const PARAMS: Params = Params {
    ways: 2,
    kernels: 2,
    sets: 4,
    banks: 1,
    tag_w: 8,
    cnt_w: 4,
    stages: 1,
    requesters: 2,
    sce: 0,
    sampled: 0,
    mode: Mode::Sixths,
    ram_stages: 0,
};

fn idle() -> In {
    In::idle(&PARAMS)
}

fn reset() -> In {
    In {
        reset: true,
        ..idle()
    }
}

fn flush() -> In {
    In {
        flush: true,
        ..idle()
    }
}

fn snapshot() -> In {
    In {
        snapshot: true,
        ..idle()
    }
}

/// Requester `requester` accesses the line `tag` of `set`.
fn access(requester: u16, set: u32, tag: u64) -> In {
    In {
        access_valid: 1,
        request_set: vec![set],
        access_tag: vec![tag],
        access_requester: vec![requester],
        ..idle()
    }
}

fn invalidate(set: u32, way: u8) -> In {
    In {
        invalidate_valid: 1,
        request_set: vec![set],
        invalidate_way: vec![way],
        ..idle()
    }
}

/// A monitor with one bank, seen as such.
struct Bench(LlcMonitor);

impl Bench {
    /// Sets not yet cleared.
    fn power_up() -> Self {
        Self(LlcMonitor::new(PARAMS).unwrap())
    }

    /// Swept, with nothing in the pipelines.
    fn ready() -> Self {
        let mut bench = Self::power_up();
        bench.idle(PARAMS.sets + 4);
        assert!(!bench.0.state().sweeping);
        bench
    }

    fn step(&mut self, input: &In) -> Out {
        self.0.assume(input).unwrap();
        self.0.step(input)
    }

    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.step(&idle());
        }
    }

    fn bank(&self) -> &Bank {
        &self.0.state().banks[0]
    }

    /// Ways, owners and valid positions of a set, MRU to LRU, and its tags by way.
    fn set(&self, set: usize) -> (&[u8], &[u8], u64, &[u64]) {
        let Set { stack, tag } = &self.bank().sets[set];
        (&stack.way, &stack.owner, stack.valid, tag)
    }

    /// Steps, and returns what was done by the request that came in four cycles ago.
    fn done(&mut self) -> Done {
        self.told(&idle())
    }

    /// Steps, and returns what the outputs tell of the request done last.
    fn told(&mut self, input: &In) -> Done {
        let out = self.step(input);
        Done {
            valid: out.done_valid == 1,
            hit: out.done_hit == 1,
            way: out.done_way[0],
            evict: out.done_evict == 1,
            owner: out.done_owner[0],
        }
    }

    /// One request alone, to its end.
    fn alone(&mut self, input: &In) -> Done {
        self.step(input);
        self.idle(3);
        self.done()
    }

    /// What the read port answers.
    fn read(&mut self, read_matrix: u8, read_victim: u8, read_aggressor: u8) -> u64 {
        self.step(&In {
            read_matrix,
            read_victim,
            read_aggressor,
            ..idle()
        });
        self.step(&idle());
        self.step(&idle()).read_count
    }
}

const EMPTY: (&[u8], &[u8], u64, &[u64]) = (&[0, 1], &[0, 0], 0, &[0, 0]);
const POWER_UP: (&[u8], &[u8], u64, &[u64]) = (&[0, 0], &[0, 0], 0, &[0, 0]);

fn missed(way: u8) -> Done {
    Done {
        valid: true,
        way,
        ..Done::default()
    }
}

fn evicted(way: u8, owner: u8) -> Done {
    Done {
        evict: true,
        owner,
        ..missed(way)
    }
}

fn hit(way: u8, owner: u8) -> Done {
    Done {
        hit: true,
        owner,
        ..missed(way)
    }
}

mod counting;
mod requests;
mod sweep;

#[test]
fn the_reset_state() {
    let monitor = LlcMonitor::new(Params {
        ways: 3,
        kernels: 3,
        requesters: 5,
        sce: 0,
        sampled: 0,
        mode: Mode::Sixths,
        ram_stages: 0,
        banks: 2,
        ..PARAMS
    })
    .unwrap();
    let state = monitor.state();
    assert_eq!(state.kid_of, [0, 1, 2, 2, 2, 2]);
    assert!(state.sweeping && state.sweep_set == 0);
    for bank in &state.banks {
        assert_eq!(bank.sets[3].stack.way, [0, 0, 0], "memory: power-up");
        assert_eq!(bank.accesses.matrix.count, [[0; 3]; 2]);
    }
    // With fewer requesters than kernels the others still run the last one.
    let params = Params {
        kernels: 4,
        ..PARAMS
    };
    let monitor = LlcMonitor::new(params).unwrap();
    assert_eq!(monitor.state().kid_of, [0, 1, 3]);
}

#[test]
fn illegal_parameters_are_named() {
    type Change = fn(&mut Params);
    let cases: [(Change, &str); 15] = [
        (|p| p.ways = 0, "ways is 0"),
        (|p| p.ways = 65, "ways is 65"),
        (|p| p.kernels = 0, "kernels is 0"),
        (|p| p.kernels = 65, "kernels is 65"),
        (|p| p.sets = 1, "sets is 1"),
        (|p| p.sets = 6, "sets is 6, expected a power of two"),
        (|p| p.banks = 0, "banks is 0"),
        (|p| p.banks = 3, "banks is 3, expected a power of two"),
        (
            |p| (p.banks, p.sets, p.ways) = (64, 1 << 20, 2),
            "banks * sets * ways",
        ),
        (|p| p.tag_w = 0, "tag_w is 0"),
        (|p| p.tag_w = 65, "tag_w is 65"),
        (|p| p.cnt_w = 1, "cnt_w is 1, expected 2 to 64"),
        (
            |p| (p.banks, p.cnt_w) = (4, 63),
            "cnt_w is 63, expected 2 to 62",
        ),
        (|p| p.stages = 3, "stages is 3"),
        (|p| p.requesters = 0, "requesters is 0"),
    ];
    for (change, message) in cases {
        let mut params = PARAMS;
        change(&mut params);
        let error = LlcMonitor::new(params).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn illegal_inputs_are_named() {
    // Three ways, kernels and, with that for the others, codes of requesters in use.
    let params = Params {
        ways: 3,
        kernels: 3,
        banks: 2,
        ..PARAMS
    };
    let monitor = LlcMonitor::new(params.clone()).unwrap();
    type Change = fn(&mut In);
    let legal: [Change; 5] = [
        |_| {},
        |i| i.access_requester[1] = 3,
        |i| i.map_requester = 3,
        |i| (i.invalidate_way[1], i.map_kid) = (3, 3),
        |i| (i.read_matrix, i.read_victim, i.read_aggressor) = (3, 3, 3),
    ];
    for change in legal {
        let mut input = In::idle(&params);
        change(&mut input);
        assert_eq!(monitor.assume(&input), Ok(()));
    }
    let illegal: [(Change, &str); 18] = [
        (|i| i.access_valid = 4, "access_valid"),
        (|i| i.invalidate_valid = 4, "invalidate_valid"),
        (|i| i.request_set[1] = 4, "request_set[1]"),
        (|i| i.request_set.push(0), "request_set"),
        (|i| i.access_tag[0] = 256, "access_tag[0]"),
        (|i| i.access_tag.clear(), "access_tag"),
        (|i| i.access_requester[1] = 4, "access_requester[1]"),
        (|i| i.access_requester.clear(), "access_requester"),
        (|i| i.invalidate_way[0] = 4, "invalidate_way[0]"),
        (|i| i.invalidate_way.push(0), "invalidate_way"),
        (
            |i| (i.invalidate_valid, i.invalidate_way[1]) = (2, 3),
            "invalidate_way[1]",
        ),
        (|i| i.map_requester = 4, "map_requester"),
        (|i| i.map_kid = 4, "map_kid"),
        (|i| (i.map_valid, i.map_kid) = (true, 3), "map_kid"),
        (|i| i.read_matrix = 4, "read_matrix"),
        (|i| i.read_victim = 4, "read_victim"),
        (|i| i.read_aggressor = 4, "read_aggressor"),
        (|i| i.access_valid = 1 << 63, "access_valid"),
    ];
    for (change, field) in illegal {
        let mut input = In::idle(&params);
        change(&mut input);
        let at_fault = monitor.assume(&input).unwrap_err().field();
        assert_eq!(at_fault.to_string(), field);
    }
}
