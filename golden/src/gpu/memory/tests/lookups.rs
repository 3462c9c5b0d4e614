//! Rationale: each outcome of an L2 lookup (hit, merge, miss, sector miss, stall) must be counted
//! as such.

use super::*;

/// The statistics of kernels 0 and 1 after some requests, each so long after the one before that
/// all is quiet, or `apart` cycles.
fn after(config: &Config, apart: u64, requests: &[Request]) -> (Stats, Stats) {
    let requests = (0..).zip(requests).map(|(n, request)| Request {
        issued: n * apart,
        ..*request
    });
    let mut driver = Driver::new(config, geometry()).with(requests);
    driver.drain();
    (*driver.memory.stats(0), *driver.memory.stats(1))
}

const QUIET: u64 = 5000;

// Lines 0, 4, 8 share set 0 of bank 0; there are two ways.

#[test]
fn only_dirty_sectors_are_written_back() {
    let requests = [write(0, 0b0011), read(0, 0b1000), read(4, 1), read(8, 1)];
    let (stats, _) = after(&config(), QUIET, &requests);
    assert_eq!((stats.write_backs, stats.dram_writes), (1, 1));
    assert_eq!(stats.dram_write_bytes, 64);
    // A sector each of lines 0, 4 and 8: the store fetched none.
    assert_eq!((stats.fetches, stats.dram_read_bytes), (3, 96));
    assert_eq!((stats.misses, stats.hits, stats.sector_misses), (3, 1, 1));
}

/// The same, but a store that misses fetches the line.
fn fetching() -> Config {
    let mut config = config();
    config.l2.write_miss = WriteMiss::Fetch;
    config
}

#[test]
fn a_store_that_misses_fetches_the_whole_line_if_the_l2_does() {
    let requests = [write(0, 0b0011), read(0, 0b1000), read(4, 1), read(8, 1)];
    let (stats, _) = after(&fetching(), QUIET, &requests);
    // All four sectors of line 0, also those that are stored; then the load hits.
    assert_eq!((stats.fetches, stats.dram_read_bytes), (3, 128 + 32 + 32));
    assert_eq!((stats.misses, stats.hits, stats.sector_misses), (3, 1, 0));
    // What goes back is what was stored.
    assert_eq!((stats.write_backs, stats.dram_write_bytes), (1, 64));
    // A store that hits fetches nothing, and a whole line is fetched nevertheless.
    let (stats, _) = after(&fetching(), QUIET, &[read(0, 1), write(0, 2), write(4, 15)]);
    assert_eq!((stats.fetches, stats.dram_read_bytes), (2, 32 + 128));
    // The store is answered at once; a load of the rest waits for its fetch, one of what was
    // stored does not.
    let requests = [write(0, 1), read(0, 2), read(0, 1)];
    let mut driver = Driver::new(&fetching(), geometry()).with(requests);
    let order: Vec<_> = driver.drain().replies.iter().map(|(_, r)| r.mark).collect();
    assert_eq!(order, [0, 2, 1]);
    let stats = driver.memory.stats(0);
    assert_eq!((stats.misses, stats.hits, stats.merged), (1, 1, 1));
    assert_eq!(stats.fetches, 1);
}

#[test]
fn a_clean_line_is_not_written_back() {
    let requests = [read(0, 15), read(4, 1), read(8, 1)];
    let (stats, _) = after(&config(), QUIET, &requests);
    assert_eq!((stats.write_backs, stats.dram_writes), (0, 0));
}

#[test]
fn who_stored_last_pays_for_the_write_back() {
    let other = |request| Request {
        kernel: 1,
        ..request
    };
    let requests = [
        write(0, 1),
        other(write(0, 2)),
        read(0, 3),
        read(4, 1),
        read(8, 1),
    ];
    let (first, second) = after(&config(), QUIET, &requests);
    assert_eq!((first.write_backs, second.write_backs), (0, 1));
    assert_eq!((first.dram_writes, second.dram_write_bytes), (0, 64));
}

#[test]
fn what_was_written_back_is_fetched_again() {
    let requests = [write(0, 1), read(4, 1), read(8, 1), read(0, 1)];
    let (stats, _) = after(&config(), QUIET, &requests);
    assert_eq!((stats.misses, stats.fetches, stats.write_backs), (4, 3, 1));
}

#[test]
fn loads_of_sectors_on_their_way_merge() {
    let (stats, _) = after(&config(), 1, &[read(0, 3), read(0, 1), read(0, 2)]);
    assert_eq!((stats.misses, stats.merged, stats.hits), (1, 2, 0));
    assert_eq!((stats.fetches, stats.dram_read_bytes), (1, 64));
}

#[test]
fn a_load_that_lacks_a_sector_fetches_it_alone() {
    for apart in [1, QUIET] {
        let (stats, _) = after(&config(), apart, &[read(0, 1), read(0, 3)]);
        assert_eq!((stats.misses, stats.hits, stats.sector_misses), (1, 1, 1));
        assert_eq!((stats.fetches, stats.dram_read_bytes), (2, 64));
    }
}

#[test]
fn a_store_to_a_sector_on_its_way_is_there_at_once() {
    let requests = [read(0, 1), write(0, 1), read(0, 1)];
    let mut driver = Driver::new(&config(), geometry()).with(requests);
    let order: Vec<_> = driver.drain().replies.iter().map(|(_, r)| r.mark).collect();
    assert_eq!(order, [1, 2, 0]);
    let stats = driver.memory.stats(0);
    assert_eq!((stats.misses, stats.hits, stats.merged), (1, 2, 0));
    // The fill did not undo the store: it is dirty and goes back.
    let (stats, _) = after(&config(), 1, &[read(0, 1), write(0, 1)]);
    assert_eq!(stats.write_backs, 0);
    let late = |request| Request {
        issued: QUIET,
        ..request
    };
    let evict = [read(4, 1), read(8, 1)].map(late);
    let mut driver =
        Driver::new(&config(), geometry()).with([read(0, 1), write(0, 1)].into_iter().chain(evict));
    driver.drain();
    assert_eq!(driver.memory.stats(0).dram_write_bytes, 32);
}

#[test]
fn a_line_evicted_on_its_way_answers_and_is_not_stored() {
    // Line 0 is evicted by line 8 long before its fill; then it is asked for twice: the first
    // time its old fill is still on its way, but it is fetched anew.
    let requests = [read(0, 1), read(4, 1), read(8, 1), read(0, 1)];
    let (stats, _) = after(&config(), 1, &requests);
    assert_eq!((stats.misses, stats.fetches, stats.replies), (4, 4, 4));
    let requests = [read(0, 1), read(4, 1), read(8, 1)];
    let late = [read(8, 1), read(4, 1), read(0, 1)].map(|request| Request {
        issued: QUIET,
        ..request
    });
    let mut driver = Driver::new(&config(), geometry()).with(requests.into_iter().chain(late));
    driver.drain();
    let stats = driver.memory.stats(0);
    // 8 and 4 are there, 0 is not.
    assert_eq!((stats.hits, stats.misses), (2, 4));
}

/// Waits of the second of two requests that reach bank 0 one after the other.
fn waits(change: impl Fn(&mut Config), requests: &[Request]) -> Waits {
    let mut config = config();
    change(&mut config);
    after(&config, 1, requests).0.waits
}

// The first request is looked up at 10 and filled at 1031 (`latency`); the second could be looked
// up at 11, and is once the first one's fill is there.

#[test]
fn without_an_mshr_a_request_waits() {
    let found = waits(|config| config.l2.mshrs = 1, &[read(0, 1), read(2, 1)]);
    let expected = Waits {
        mshr: 1031 - 11,
        ..Waits::default()
    };
    assert_eq!(found, expected);
    // A store needs none unless it fetches.
    let stores = |write_miss| {
        let change = |config: &mut Config| {
            config.l2.mshrs = 1;
            config.l2.write_miss = write_miss;
        };
        waits(change, &[read(0, 1), write(2, 1)])
    };
    assert_eq!(stores(WriteMiss::Validate), Waits::default());
    // It comes a cycle later, with a flit of data.
    let later = Waits {
        mshr: expected.mshr - 1,
        ..expected
    };
    assert_eq!(stores(WriteMiss::Fetch), later);
}

#[test]
fn without_a_place_to_merge_a_request_waits() {
    for second in [read(0, 1), read(0, 2)] {
        let found = waits(|config| config.l2.mshr_merges = 1, &[read(0, 1), second]);
        let expected = Waits {
            merge: 1031 - 11,
            ..Waits::default()
        };
        assert_eq!(found, expected);
    }
}

#[test]
fn without_entries_of_the_miss_queue_a_request_waits() {
    // A channel that holds one request keeps the others in the queue of two: lines 0 and 2 hit
    // the row that line 0 opens, 4 and 6 are in the other bank.
    let narrow = |config: &mut Config| {
        config.dram.queue = 1;
        config.l2.miss_queue = 2;
    };
    let reads = [read(0, 1), read(2, 1), read(4, 1), read(6, 1)];
    let found = waits(narrow, &reads);
    // Line 0 enters the channel at 11 and is read at 18. 2 and 4, looked up at 11 and 12, wait in
    // the queue; 6 could be looked up at 13. At 19 line 2 enters the channel.
    let expected = Waits {
        miss_queue: 19 - 13,
        ..Waits::default()
    };
    assert_eq!(found, expected);
    // A miss that writes back needs two entries: with line 0 dirty and one entry taken by line
    // 2, line 8 waits for it, a load of line 10 does not.
    let room = |second| {
        let requests = [write(0, 1), write(4, 1), read(2, 1), read(6, 1), second];
        waits(narrow, &requests).miss_queue
    };
    assert!(room(read(8, 1)) > room(read(10, 1)));
}

#[test]
fn with_replies_piled_up_a_bank_waits() {
    // Whole lines: five flits per reply, one lookup per cycle. In the pipeline of 100 and at the
    // port with its four places there are 104; then each waits for five cycles.
    let warm = read(0, 15);
    let late = (0..400).map(|_| Request {
        issued: QUIET,
        ..warm
    });
    let mut driver = Driver::new(&config(), geometry()).with([warm].into_iter().chain(late));
    driver.drain();
    let stats = driver.memory.stats(0);
    let cycles: Vec<_> = driver.log.lookups.iter().map(|seen| seen.cycle).collect();
    let gaps: Vec<_> = cycles
        .windows(2)
        .skip(1)
        .map(|pair| pair[1] - pair[0])
        .collect();
    // The first reply leaves 101 cycles after its lookup, the second five later: when 105 are
    // looked up, 104 are there.
    let full = gaps.iter().position(|gap| *gap > 1).unwrap();
    assert_eq!(full, 104);
    assert!(gaps[full + 1..].iter().all(|gap| *gap == 5), "{gaps:?}");
    let reply = gaps.iter().map(|gap| gap - 1).sum();
    let expected = Waits {
        reply,
        ..Waits::default()
    };
    assert_eq!(stats.waits, expected);
}

#[test]
fn whoever_has_seen_enough_sees_the_cycle_out() {
    // Lines 0 and 1 are in two banks and are looked up in the same cycle, from two SMs.
    let mut memory = MemorySystem::new(&config(), geometry()).unwrap();
    memory.tick(0, &mut |_| true);
    memory.push(read(0, 1));
    memory.push(Request {
        sm: 1,
        ..read(1, 1)
    });
    let mut seen = vec![];
    for cycle in 1..10 {
        assert!(memory.tick(cycle, &mut |_| false), "nothing was looked up");
    }
    let go_on = memory.tick(10, &mut |reached| {
        seen.push(reached.bank);
        reached.bank != 0
    });
    assert_eq!((go_on, seen), (false, vec![0, 1]));
}

#[test]
fn impossible_memory_is_refused() {
    let mut none = config();
    none.l2.partitions = 4;
    let error = MemorySystem::new(&none, geometry())
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "llc.banks is 2, expected a multiple of l2.partitions, which is 4"
    );
}
