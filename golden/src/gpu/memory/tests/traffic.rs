use std::collections::HashMap;

use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;

use super::*;

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
    let shape = (0usize..3, 0usize..3, prop::bool::ANY);
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
        let (banks, partitions, xor) = shape;
        config.l2.partitions = 1 << partitions;
        config.l2.index = if xor { Index::Xor } else { Index::Bits };
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
        // Kernel 0 alone, so that the watcher's view names the SM: one SM.
        let requests = traffic(seed, 300, 1, 1, 8, 2);
        let mut driver = Driver::new(&config, geometry).with(requests.clone());
        driver.drain();
        let mut made = HashMap::<u64, Vec<u64>>::new();
        for request in &requests {
            let address = config.l2.index.permuted(request.line, &geometry);
            made.entry(address).or_default().push(0);
        }
        let mut seen = HashMap::<u64, Vec<u64>>::new();
        for (_, _, address, ..) in &driver.log.lookups {
            seen.entry(*address).or_default().push(0);
        }
        prop_assert_eq!(made, seen);
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
