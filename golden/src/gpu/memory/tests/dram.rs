//! Rationale: latencies and the order of service of a DRAM channel, checked against hand-computed
//! cycles.

use proptest::prelude::*;

use super::super::dram::{Channel, Clock, Purpose, Served, Transfer};
use super::*;

/// 32 bytes of a line of the channel: two lines per row, rows in turn in two banks.
fn transfer(line: u64) -> Transfer {
    Transfer {
        line,
        sectors: 1,
        bytes: 32,
        bank: 0,
        kernel: 0,
        purpose: Purpose::Fetch { mshr: 0 },
    }
}

/// Lines served with the cycle in which their data is over, and whether their row was open.
fn served(timing: &Dram, arrivals: &[(u64, u64)]) -> Vec<(u64, u64, bool)> {
    let mut channel = Channel::new(timing, 128);
    let mut log = vec![];
    let mut done = |served: Served| log.push((served.transfer.line, served.end, served.row_hit));
    for &(cycle, line) in arrivals {
        channel.run_to(cycle - 1, &mut done);
        channel.push(transfer(line), cycle);
    }
    channel.run_to(100_000, &mut done);
    assert_eq!(channel.next(), u64::MAX);
    log
}

#[test]
fn row_hits_go_first_then_age() {
    // Lines 0 and 1 are row 0 of bank 0; 4 is its row 1; 2 is row 0 of bank 1.
    let arrivals = [(1, 0), (1, 4), (1, 1), (1, 2)];
    let expected = [
        // Activated at 1, read at 8, data from 19 to 21.
        (0, 21, false),
        // Younger than 4, but its row is open; the bus is free for a read at 10.
        (1, 23, true),
        // Its bank was activated at 2, in the shadow.
        (2, 25, false),
        // Precharged at 31, 30 after the activation; activated at 36, read at 43.
        (4, 56, false),
    ];
    assert_eq!(served(&config().dram, &arrivals), expected);
}

#[test]
fn a_row_hit_goes_before_an_older_request_that_needs_a_row() {
    // At 10 the bus is free for line 1, and line 2's bank can be activated.
    let expected = [
        (0, 21, false),
        (1, 23, true),
        // Activated at 11, read at 18.
        (2, 31, false),
    ];
    let arrivals = [(1, 0), (10, 2), (10, 1)];
    assert_eq!(served(&config().dram, &arrivals), expected);
}

#[test]
fn of_two_banks_the_older_request_goes_first() {
    // Both banks are closed; then both rows are open and both reads possible.
    for (first, second) in [(0, 2), (2, 0)] {
        let order = served(&config().dram, &[(1, first), (1, second)]);
        // Activated at 1 and 2, read at 8 and, as soon as the bus is free, at 10.
        assert_eq!(order, [(first, 21, false), (second, 23, false)]);
    }
}

#[test]
fn a_row_with_requests_is_not_closed_for_an_older_one() {
    // Line 1 comes while line 4 waits for the row's least time; so does one after the other of
    // its row: as in the literature nothing bounds that.
    let mut arrivals = vec![(1, 0), (2, 4)];
    arrivals.extend((1..20).map(|n| (2 * n, 1)));
    let order: Vec<u64> = served(&config().dram, &arrivals)
        .into_iter()
        .map(|(line, ..)| line)
        .collect();
    assert_eq!(order.iter().position(|line| *line == 4), Some(20));
}

#[test]
fn commands_are_one_a_cycle() {
    // Four banks at once: activations at 1, 2, 3, 4.
    let timing = Dram {
        banks: 4,
        bus: 1 << 10,
        ..config().dram
    };
    let ends: Vec<u64> = served(&timing, &[(1, 0), (1, 2), (1, 4), (1, 6)])
        .into_iter()
        .map(|(_, end, _)| end)
        .collect();
    // Read 7 later each, and with a wide bus data is over 12 after that.
    assert_eq!(ends, [20, 21, 22, 23]);
}

#[test]
fn the_bus_loses_no_part_of_a_cycle() {
    // 32 bytes on a bus of 12: 300 bursts of an open row take 800 cycles, not 900.
    let timing = Dram {
        bus: 12,
        row: 1 << 15,
        queue: 1000,
        ..config().dram
    };
    let arrivals: Vec<_> = (0..300).map(|n| (1, n % 256)).collect();
    let log = served(&timing, &arrivals);
    // Activated at 1, read at 8, data from 19 on.
    assert_eq!(log[0], (0, 22, false));
    assert_eq!(log[299].1, 19 + 800);
}

proptest! {
    /// A line that is written back and fetched again comes as it was written: whatever goes
    /// first, requests to a row stay in their order, and all are served.
    #[test]
    fn requests_to_a_row_keep_their_order(
        arrivals in prop::collection::vec((0u64..30, 0u64..24), 1..60),
        banks in prop::sample::select(vec![1, 2, 4]),
    ) {
        let timing = Dram { banks, ..config().dram };
        let mut channel = Channel::new(&timing, 128);
        let mut order = vec![];
        let mut done = |served: Served| order.push(served.transfer);
        let mut cycle = 1;
        for (number, (pause, line)) in (0u16..).zip(&arrivals) {
            cycle += pause;
            channel.run_to(cycle - 1, &mut done);
            channel.push(Transfer { bank: number, ..transfer(*line) }, cycle);
        }
        channel.run_to(cycle + 100_000, &mut done);
        prop_assert_eq!(order.len(), arrivals.len());
        // Two lines per row; sorting is stable.
        order.sort_by_key(|transfer| transfer.line / 2);
        for pair in order.windows(2) {
            let same_row = pair[0].line / 2 == pair[1].line / 2;
            prop_assert!(!same_row || pair[0].bank < pair[1].bank);
        }
        let stats = channel.stats();
        prop_assert_eq!(stats.reads, arrivals.len() as u64);
        prop_assert_eq!(stats.bytes, 32 * stats.reads);
        // Each bank leaves one row open at most.
        let open = stats.activations - stats.precharges;
        prop_assert!(open <= banks as u64 && open >= 1);
    }
}

#[test]
fn clocks_keep_their_ratio_exactly() {
    let clock = Clock::new(1400, 924);
    assert_eq!(clock.dram(1400 * 1_000_000), 924 * 1_000_000);
    let mut last = 0;
    for cycle in 0..10_000 {
        let dram = clock.dram(cycle);
        assert_eq!(dram, cycle * 33 / 50);
        // Each of memory's cycles belongs to the GPU's cycle that goes past it.
        for each in last + 1..=dram {
            assert_eq!(clock.gpu(each), cycle);
        }
        last = dram;
    }
    assert_eq!(clock.gpu(u64::MAX), u64::MAX);
}
