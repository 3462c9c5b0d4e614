//! Rationale: each consistency check of the memory system's counts must find the error it is there
//! for.

use super::*;

/// In the middle of some traffic, with something in every queue.
fn running() -> MemorySystem {
    running_on(&config())
}

fn running_on(config: &Config) -> MemorySystem {
    let requests = (0..40u64).map(|n| Request {
        sm: (n % 2) as u16,
        kernel: (n / 2 % 2) as u8,
        ..request(if n % 3 == 0 { Op::Write } else { Op::Read }, n * 7 % 16, 3)
    });
    let mut driver = Driver::new(config, geometry()).with(requests);
    driver.run_to(130);
    assert!(driver.memory.in_flight() > 10);
    driver.memory.check().unwrap();
    driver.memory
}

/// What [`MemorySystem::check`] says after something was broken.
fn broken(memory: impl Fn() -> MemorySystem, change: impl Fn(&mut MemorySystem)) -> String {
    let mut memory = memory();
    change(&mut memory);
    memory.check().unwrap_err().to_string()
}

#[test]
fn every_count_is_held_against_another() {
    type Count = fn(&mut Stats) -> &mut u64;
    let counts: [(Count, &str); 15] = [
        (|s| &mut s.reads, "kernel 0: accesses"),
        (|s| &mut s.writes, "kernel 0: accesses"),
        (|s| &mut s.accesses, "kernel 0: accesses"),
        (|s| &mut s.hits, "kernel 0: hits + merged + misses"),
        (|s| &mut s.merged, "kernel 0: hits + merged + misses"),
        (|s| &mut s.misses, "kernel 0: hits + merged + misses"),
        (|s| &mut s.sector_misses, "memory: sector misses"),
        (|s| &mut s.fetches, "kernel 0: DRAM reads"),
        (|s| &mut s.write_backs, "kernel 0: DRAM writes"),
        (|s| &mut s.dram_reads, "kernel 0: DRAM reads"),
        (|s| &mut s.row_hits, "kernel 0: row hits + misses"),
        (|s| &mut s.replies, "kernel 0: replies"),
        (|s| &mut s.request_flits, "memory: request flits"),
        (|s| &mut s.reply_flits, "memory: reply flits"),
        (
            |s| &mut s.dram_read_bytes,
            "memory: bytes of all data buses",
        ),
    ];
    for (count, expected) in counts {
        let message = broken(running, |memory| *count(&mut memory.stats[0]) += 1);
        assert!(message.starts_with(expected), "{message}");
    }
    // A row hit taken for a miss adds up by itself, but not with the activations.
    let message = broken(running, |memory| {
        memory.stats[0].row_hits += 1;
        memory.stats[0].row_misses -= 1;
    });
    assert!(message.starts_with("memory: activations"), "{message}");
    // A hit taken for a miss adds up by itself, but not with the cache.
    let message = broken(running, |memory| {
        memory.stats[0].hits += 1;
        memory.stats[0].misses -= 1;
    });
    assert!(
        message.starts_with("kernel 0: hits + merged is"),
        "{message}"
    );
}

#[test]
fn a_request_lost_anywhere_is_missed() {
    // A store is looked up at 11 and its reply is at the port at 111, with the crossbar at 112.
    let store_at = |cycle| {
        move || {
            let mut driver = Driver::new(&config(), geometry()).with([write(0, 1)]);
            driver.run_to(cycle);
            driver.memory
        }
    };
    let drop_answer = |memory: &mut MemorySystem| {
        memory.partitions[0].answers.pop_front().unwrap();
    };
    assert!(broken(store_at(50), drop_answer).contains("replies is"));
    let drop_arrived = |memory: &mut MemorySystem| {
        memory.arrived[0].pop_front().unwrap();
    };
    assert!(broken(store_at(112), drop_arrived).contains("replies is"));
    let drop_queued = |memory: &mut MemorySystem| {
        memory.l2.drop_queued(0);
    };
    assert!(broken(store_at(3), drop_queued).contains("accesses is"));
    // A load is looked up at 10, and its fetch leaves the miss queue at 11.
    let load = || {
        let mut driver = Driver::new(&config(), geometry()).with([read(0, 1)]);
        driver.run_to(10);
        driver.memory
    };
    let drop_fetch = |memory: &mut MemorySystem| {
        memory.l2.next_miss(0).unwrap();
    };
    assert!(broken(load, drop_fetch).contains("DRAM reads is"));
}

#[test]
fn a_place_that_is_not_given_back_is_missed() {
    let message = broken(running, |memory| memory.requests.release(0));
    assert!(
        message.starts_with("partition 0: places taken"),
        "{message}"
    );
    let message = broken(running, |memory| memory.pushed += 1);
    assert!(message.starts_with("memory: in flight"), "{message}");
}

#[test]
fn a_fetch_of_a_store_is_in_flight() {
    let fetching = || {
        let mut config = config();
        config.l2.write_miss = WriteMiss::Fetch;
        running_on(&config)
    };
    let message = broken(fetching, |memory| memory.stats[0].store_fetches += 1);
    assert!(message.starts_with("memory: in flight"), "{message}");
    let message = broken(fetching, |memory| memory.stats[0].fetches += 1);
    assert!(message.starts_with("kernel 0: DRAM reads"), "{message}");
}

#[test]
fn what_is_left_when_nothing_is_in_flight_is_missed() {
    let empty = || {
        let mut driver = Driver::new(&config(), geometry()).with([read(0, 1), write(1, 1)]);
        driver.drain();
        driver.memory
    };
    let message = broken(empty, |memory| memory.l2.leak_mshr());
    let expected = "memory: MSHRs in use is 1, expected none, as nothing is in flight, which is 0";
    assert_eq!(message, expected);
    let message = broken(empty, |memory| memory.l2.leave_pending());
    assert!(
        message.starts_with("memory: lines with sectors pending"),
        "{message}"
    );
}
