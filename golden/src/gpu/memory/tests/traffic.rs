//! Rationale: counts must be consistent and every request answered under random traffic, whichever
//! resource is scarce.

use std::collections::HashMap;

use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;

use super::*;
use crate::llc::cache::{Cache, Reference};

/// Random requests of `sms` SMs to a few lines, so that all of hit, merge, miss, sector miss and
/// write-back happen.
fn traffic(seed: u64, count: usize, sms: u16, kernels: u8, lines: u64, pause: u64) -> Vec<Request> {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut issued = vec![0; usize::from(sms)];
    (0..count)
        .map(|_| {
            let sm = random.random_range(0..sms);
            issued[usize::from(sm)] += random.random_range(0..=pause);
            Request {
                sm,
                kernel: random.random_range(0..kernels),
                op: match random.random_range(0..3) {
                    0 => Op::Write,
                    _ => Op::Read,
                },
                line: random.random_range(0..lines) * 128,
                sectors: random.random_range(1..16),
                mark: 0,
                issued: issued[usize::from(sm)],
            }
        })
        .collect()
}

/// Configurations in which, one after the other, each resource is scarce.
fn configs() -> impl Strategy<Value = (Config, Geometry)> {
    let crossbar = (1u32..20, 1usize..4, prop::sample::select(vec![8u64, 32]));
    let l2 = (1usize..5, 1usize..4, 2usize..5, 1u32..50);
    let dram = (1usize..5, 300u64..3000, 1u64..48, 0u32..50);
    let shape = (0usize..3, 0usize..3, prop::bool::ANY, prop::bool::ANY);
    (crossbar, l2, dram, shape).prop_map(|(crossbar, l2, dram, shape)| {
        let mut config = config();
        (
            config.crossbar.latency,
            config.crossbar.queue,
            config.crossbar.flit,
        ) = crossbar;
        (
            config.l2.mshrs,
            config.l2.mshr_merges,
            config.l2.miss_queue,
            config.l2.hit_latency,
        ) = l2;
        (
            config.dram.queue,
            config.dram.clock_mhz,
            config.dram.bus,
            config.dram.latency,
        ) = dram;
        let (banks, partitions, xor, fetch) = shape;
        config.l2.partitions = 1 << partitions;
        config.l2.index = if xor { Index::Xor } else { Index::Bits };
        if fetch {
            config.l2.write_miss = WriteMiss::Fetch;
        }
        config.sm.count = 4;
        let geometry = Geometry {
            sets: 16,
            banks: 1 << (banks + partitions).min(4),
            ..geometry()
        };
        (config, geometry)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_or_doubled_and_sums_add_up((config, geometry) in configs(), seed: u64) {
        let requests = traffic(seed, 400, 4, 2, 96, 3);
        let mut driver = Driver::new(&config, geometry).with(requests.clone());
        while driver.busy() {
            driver.step();
            driver.memory.check().unwrap();
            prop_assert!(driver.cycle < 1_000_000);
        }
        let mut marks: Vec<_> = driver.log.replies.iter().map(|(_, r)| r.mark).collect();
        marks.sort_unstable();
        prop_assert_eq!(marks, (0..requests.len() as u32).collect::<Vec<_>>());
        for (_, reply) in &driver.log.replies {
            let request = requests[reply.mark as usize];
            let issued = reply.issued;
            prop_assert!(issued >= request.issued);
            prop_assert_eq!(*reply, Request { mark: reply.mark, issued, ..request });
        }
        let bytes: u64 = (0..2).map(|k| driver.memory.stats(k).dram_read_bytes).sum();
        prop_assert!(bytes > 0);
    }

    /// An SM's requests to a line are looked up in the order in which it made them.
    #[test]
    fn requests_to_a_line_keep_their_order((config, geometry) in configs(), seed: u64) {
        // Each SM is a kernel, so that the watcher sees whose request it is.
        let geometry = Geometry { kernels: 4, ..geometry };
        let mut requests = traffic(seed, 300, 4, 1, 8, 2);
        for request in &mut requests {
            request.kernel = request.sm as u8;
        }
        let mut driver = Driver::new(&config, geometry).with(requests.clone());
        driver.drain();
        let mut made = HashMap::<_, Vec<_>>::new();
        for request in &requests {
            let address = config.l2.index.permuted(request.line, &geometry);
            let key = (request.kernel, address);
            made.entry(key).or_default().push((request.op, request.sectors));
        }
        let mut seen = HashMap::<_, Vec<_>>::new();
        for Seen { access, .. } in &driver.log.lookups {
            let key = (access.kernel, access.address);
            seen.entry(key).or_default().push((access.op, access.sectors));
        }
        prop_assert_eq!(made, seen);
    }

    /// What the watcher sees is what the plain golden cache does with the same accesses.
    #[test]
    fn lookups_are_those_of_the_reference((config, geometry) in configs(), seed: u64) {
        let requests = traffic(seed, 400, 4, 2, 96, 3);
        let mut driver = Driver::new(&config, geometry).with(requests);
        driver.drain();
        let mut reference = Reference::new(geometry).unwrap();
        let mut last = (0, 0);
        for seen in &driver.log.lookups {
            prop_assert_eq!(seen.bank, geometry.bank_of(seen.outcome.set as usize));
            prop_assert_eq!(seen.access.cycle, Some(seen.cycle));
            // One lookup per bank and cycle, banks in order.
            prop_assert!(last < (seen.cycle, seen.bank + 1));
            last = (seen.cycle, seen.bank + 1);
            let store = seen.access.op == Op::Write && !seen.outcome.hit;
            let whole = store && config.l2.write_miss == WriteMiss::Fetch;
            let access = Access {
                sectors: if whole { 0b1111 } else { seen.access.sectors },
                ..seen.access
            };
            let (before, outcome) = reference.observe(&access).unwrap();
            prop_assert_eq!((seen.before, seen.outcome), (before, outcome));
        }
        prop_assert_eq!(driver.memory.counts(), reference.counts());
    }

    /// Replies to an SM are as far apart as their flits need, and the data bus moves no more
    /// than its width per cycle.
    #[test]
    fn no_port_or_bus_is_overrun((config, geometry) in configs(), seed: u64) {
        let requests = traffic(seed, 400, 4, 2, 96, 0);
        let mut driver = Driver::new(&config, geometry).with(requests);
        let clock = Clock::new(config.clock_mhz, config.dram.clock_mhz);
        while driver.busy() {
            let cycle = driver.cycle;
            driver.step();
            // Commands up to now have put data on the bus up to t-cl later, and one burst.
            let cycles = clock.dram(cycle) + u64::from(config.dram.t_cl);
            for channel in 0..config.l2.partitions {
                let bytes = driver.memory.channel(channel).bytes;
                prop_assert!(bytes <= (cycles + 1) * config.dram.bus + geometry.line);
            }
        }
        for sm in 0..4 {
            let replies = driver.log.replies.iter().filter(|(_, r)| r.sm == sm);
            let mut last = 0;
            for (cycle, request) in replies {
                let data = match request.op {
                    Op::Read => u64::from(request.sectors.count_ones()) * 32,
                    Op::Write => 0,
                };
                let flits = (config.crossbar.header + data).div_ceil(config.crossbar.flit);
                prop_assert!(last == 0 || *cycle >= last + flits);
                last = *cycle;
            }
        }
        driver.memory.check().unwrap();
    }

    #[test]
    fn jumping_is_stepping((config, geometry) in configs(), seed: u64, pause in 0u64..200) {
        let requests = traffic(seed, 200, 4, 2, 64, pause);
        let mut jumping = Driver::new(&config, geometry).with(requests.clone());
        let mut stepping = Driver::new(&config, geometry).with(requests);
        stepping.every_cycle = true;
        jumping.drain();
        stepping.drain();
        prop_assert_eq!(&jumping.log, &stepping.log);
        for kernel in 0..2 {
            prop_assert_eq!(jumping.memory.stats(kernel), stepping.memory.stats(kernel));
        }
        prop_assert_eq!(jumping.memory.counts(), stepping.memory.counts());
        // Both have nothing more to do.
        prop_assert_eq!(jumping.memory.next_event(jumping.cycle), u64::MAX);
    }
}

#[test]
fn the_same_traffic_has_the_same_result() {
    let run = || {
        let requests = traffic(7, 2000, 2, 2, 64, 2);
        let mut driver = Driver::new(&config(), geometry()).with(requests);
        driver.drain();
        driver.log
    };
    assert_eq!(run(), run());
}

/// A line is at one place of memory, whatever the index function makes of its set.
#[test]
fn no_two_lines_share_a_place_in_memory() {
    let geometry = Geometry {
        sets: 16,
        banks: 8,
        ..geometry()
    };
    for index in [Index::Bits, Index::Xor] {
        let mut places = HashMap::new();
        for line in 0..4096 {
            let address = index.permuted(line * 128, &geometry);
            let bank = geometry.bank_of(geometry.set_of(address));
            let place = (bank % 4, line / 4);
            assert_eq!(places.insert(place, line), None);
        }
    }
}
