//! Rationale: each path of the memory system must limit the rate of replies to its bandwidth.

use super::*;

/// Cycles between replies of SM 0, after the first few.
fn gaps(driver: &Driver) -> Vec<u64> {
    let of_sm = |(cycle, request): &(u64, Request)| (request.sm == 0).then_some(*cycle);
    let cycles: Vec<_> = driver.log.replies.iter().filter_map(of_sm).collect();
    let gaps = cycles.windows(2).map(|pair| pair[1] - pair[0]);
    gaps.skip(cycles.len() / 2).collect()
}

/// Many requests to lines that are there, from cycle 5000 on.
fn warm_then(requests: impl IntoIterator<Item = Request>) -> Driver {
    let warm = (0..4).map(|line| read(line, 15));
    let late = requests.into_iter().map(|request| Request {
        issued: 5000,
        ..request
    });
    let mut driver = Driver::new(&config(), geometry()).with(warm.chain(late));
    driver.drain();
    driver
}

#[test]
fn an_sm_takes_a_flit_a_cycle() {
    // Loads of whole lines of both partitions: five flits each.
    let driver = warm_then((0..400).map(|n| read(n % 4, 15)));
    assert!(gaps(&driver).iter().all(|gap| *gap == 5));
}

#[test]
fn an_sm_sends_a_flit_a_cycle() {
    // Stores of whole lines: five flits there, one back.
    let driver = warm_then((0..400).map(|n| write(n % 4, 15)));
    assert!(gaps(&driver).iter().all(|gap| *gap == 5));
    // Loads of a sector from both partitions: one there, two back; the way back is the bound.
    let driver = warm_then((0..400).map(|n| read(n % 4, 1)));
    assert!(gaps(&driver).iter().all(|gap| *gap == 2));
}

#[test]
fn a_partition_passes_a_flit_a_cycle_each_way() {
    // Two SMs load from one partition: they take turns, and each gets half.
    let both = (0..800).map(|n| Request {
        sm: n % 2,
        ..read(u64::from(n / 2 % 2) * 2, 1)
    });
    let driver = warm_then(both);
    assert!(gaps(&driver).iter().all(|gap| *gap == 4));
    // Stores of a sector to one partition: two flits there from each SM.
    let both = (0..800).map(|n| Request {
        sm: n % 2,
        ..write(u64::from(n / 2 % 2) * 2, 1)
    });
    let driver = warm_then(both);
    assert!(gaps(&driver).iter().all(|gap| *gap == 4));
}

#[test]
fn a_bank_looks_up_once_a_cycle() {
    // Flits so wide that ports pass one request and one reply per cycle; both SMs want bank 0.
    let mut wide = config();
    wide.crossbar.flit = 256;
    wide.l2.partitions = 1;
    let both = (0..400).map(|n| Request {
        sm: n % 2,
        ..write(0, 15)
    });
    let mut driver = Driver::new(&wide, geometry()).with(both);
    driver.drain();
    let cycles: Vec<_> = driver.log.lookups.iter().map(|seen| seen.cycle).collect();
    // The partition's port, too, passes one per cycle: no cycle without a lookup from 10 on.
    assert_eq!(cycles, (10..410).collect::<Vec<_>>());
}

#[test]
fn memory_moves_its_bus_and_no_more() {
    // Two SMs read lines in order: a row has two lines, and the other bank is opened meanwhile.
    // t-ras is short enough for that; the L2 is wide enough to keep the channels' queues full.
    let mut config = config();
    config.dram.t_ras = 16;
    config.dram.row = 1 << 12;
    config.dram.latency = 10;
    (config.l2.mshrs, config.l2.miss_queue) = (64, 16);
    config.crossbar.queue = 64;
    let geometry = Geometry {
        sets: 64,
        ..geometry()
    };
    let reads = (0..4000).map(|n| Request {
        sm: (n % 2) as u16,
        ..read(n, 15)
    });
    let mut driver = Driver::new(&config, geometry).with(reads);
    driver.run_to(1000);
    let bytes = |driver: &Driver| driver.memory.channel(0).bytes;
    let before = bytes(&driver);
    driver.run_to(3000);
    // 128 bytes each 8 cycles; a burst may be counted on either side.
    let moved = bytes(&driver) - before;
    assert!(
        (2000 * 16 - 128..=2000 * 16 + 128).contains(&moved),
        "{moved}"
    );
    driver.drain();
}

#[test]
fn a_partition_that_is_held_back_holds_back_the_sms() {
    // One MSHR per bank and misses only: the queue of 4, the way of 10 and two ports of 2 fill up.
    let mut narrow = config();
    narrow.l2.mshrs = 1;
    let reads = (0..100).map(|n| Request {
        sm: (n % 2) as u16,
        ..read(n * 4, 1)
    });
    let mut driver = Driver::new(&narrow, geometry()).with(reads);
    driver.run_to(500);
    // All to bank 0; one is looked up and on its way from memory.
    assert_eq!(driver.memory.in_flight(), 1 + 4 + 10 + 2 + 2);
    assert!(!driver.memory.accepts(0) && !driver.memory.accepts(1));
    driver.drain();
}
