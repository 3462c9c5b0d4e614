//! Rationale: the latency of a single request in an idle memory system, checked against
//! hand-computed cycles.

use super::*;

/// One reply of an idle memory system to a request pushed in cycle 5000, after what came before.
fn alone(config: &Config, before: &[Request], request: Request) -> u64 {
    let issued = 5000;
    let late = Request { issued, ..request };
    let cycles = reply_cycles(config, before.iter().copied().chain([late]));
    cycles[before.len()] - issued
}

// A request of one flit is looked up 10 cycles later. A reply of one sector has two flits, of four
// sectors five: header and data, 40 and 136 bytes, in flits of 32.

#[test]
fn a_hit_takes_the_way_there_the_lookup_and_the_way_back() {
    let warm = [read(0, 15)];
    assert_eq!(alone(&config(), &warm, read(0, 1)), 10 + 100 + 10 + 1);
    assert_eq!(alone(&config(), &warm, read(0, 15)), 10 + 100 + 10 + 4);
}

#[test]
fn a_store_carries_its_data_on_the_way_there() {
    // Hit or miss: it fetches nothing.
    for before in [&[read(0, 1)][..], &[]] {
        assert_eq!(alone(&config(), before, write(0, 1)), 10 + 1 + 100 + 10);
        assert_eq!(alone(&config(), before, write(0, 15)), 10 + 4 + 100 + 10);
    }
}

#[test]
fn a_miss_waits_for_memory() {
    // Looked up at 10, at the channel at 11. Activate, read 7 later, data 11 later, for 32 bytes
    // on a bus of 16: two cycles. Then the way of 1000 to the L2.
    let closed = 11 + 7 + 11 + 2 + 1000;
    assert_eq!(alone(&config(), &[], read(0, 1)), closed + 10 + 1);
    // Channel 0 has the even lines, two per row, rows in turn in two banks: line 2 is in line 0's
    // row, line 4 in the other bank, line 8 in another row of line 0's bank.
    let open = [read(0, 1)];
    let row_hit = 11 + 11 + 2 + 1000;
    assert_eq!(alone(&config(), &open, read(2, 1)), row_hit + 10 + 1);
    assert_eq!(alone(&config(), &open, read(4, 1)), closed + 10 + 1);
    let conflict = 11 + 5 + 7 + 11 + 2 + 1000;
    assert_eq!(alone(&config(), &open, read(8, 1)), conflict + 10 + 1);
    // Four sectors: eight cycles on the bus, five flits.
    assert_eq!(alone(&config(), &[], read(0, 15)), closed + 6 + 10 + 4);
}

#[test]
fn a_row_stays_open_for_its_least_time() {
    // Line 0 is activated at 11; line 8, at the channel at 12, needs its bank.
    let requests = [read(0, 1), read(8, 1)];
    let second = |t_ras| {
        let mut config = config();
        config.dram.t_ras = t_ras;
        reply_cycles(&config, requests)[1]
    };
    // Precharge at 11 + 30, activate, read, data, back.
    assert_eq!(second(30), 41 + 5 + 7 + 11 + 2 + 1000 + 11);
    // With next to none, when line 0's burst is over: read at 18, two cycles.
    assert_eq!(second(1), 20 + 5 + 7 + 11 + 2 + 1000 + 11);
}

#[test]
fn memory_has_its_own_clock() {
    // Half the clock: cycle 6 is the first after the GPU's cycle 11; what ends with 26 is there
    // at the GPU's 52.
    let mut half = config();
    half.dram.clock_mhz = 500;
    let end = 6 + 7 + 11 + 2;
    assert_eq!(alone(&half, &[], read(0, 1)), 2 * end + 1000 + 11);
    // Three times: cycles 31 to 33 belong to the GPU's 11.
    let mut triple = config();
    triple.dram.clock_mhz = 3000;
    let end: u64 = 31 + 7 + 11 + 2;
    // 5000 is no multiple of three cycles of memory's off: 15031 is the first of 5011.
    assert_eq!(alone(&triple, &[], read(0, 1)), end.div_ceil(3) + 1000 + 11);
}

#[test]
fn a_request_that_merges_is_answered_with_the_fill() {
    let cycles = reply_cycles(&config(), [read(0, 1), read(0, 1)]);
    // Both replies are ready at once; the second has two flits more to wait.
    assert_eq!(cycles, [1042, 1044]);
}

#[test]
fn a_fill_answers_nobody_before_the_hit_latency_is_over() {
    let mut near = config();
    near.dram.latency = 0;
    // The fill is there at 31, but a lookup at 10 is answered at 110 at the earliest.
    assert_eq!(alone(&near, &[], read(0, 1)), 10 + 100 + 11);
}
