//! Rationale: options change what they are about and nothing else. Whole lines: what is asked for,
//! who hits, and the flits that a reply takes. A fixed order: computed by hand, the last scheduler
//! waits for as long as one before it has something for the load/store unit.

use super::*;
use crate::gpu::config::{Fill, Order, WriteMiss};
use crate::gpu::memory::MemorySystem;
use crate::llc::cache::Geometry;

/// An SM that fills lines so.
fn filling(fill: Fill, steps: &[Instruction]) -> Bench {
    let mut config = config();
    config.l1d.fill = fill;
    let mut bench = Bench::new(&config, &[same(grid(1, 1), steps)]);
    bench.issues(200);
    bench
}

#[test]
fn a_whole_line_is_asked_for_once_and_hits_in_all_sectors() {
    // A sector, another one while it is on its way, another one later, and a store of one.
    let steps = [
        one(Read, 0),
        one(Read, 32),
        Instruction::Wait,
        one(Read, 96),
        one(Write, 256),
    ];
    let asked = |bench: &Bench| -> Vec<_> {
        let taken = bench.port.taken.iter();
        taken
            .map(|request| (request.line, request.sectors))
            .collect()
    };
    let lines = filling(Fill::Lines, &steps);
    assert_eq!(asked(&lines), [(0, 0b1111), (256, 1)]);
    let stats = lines.sm.stats(0);
    assert_eq!((stats.misses, stats.merged, stats.hits), (1, 1, 1));
    assert_eq!(stats.sector_misses, 0);

    let sectors = filling(Fill::Sectors, &steps);
    assert_eq!(asked(&sectors), [(0, 1), (0, 2), (0, 8), (256, 1)]);
    let stats = sectors.sm.stats(0);
    assert_eq!((stats.misses, stats.sector_misses, stats.hits), (3, 2, 0));
}

/// 8 bytes of header and 128 of data are 5 flits of 32 bytes, 40 are 2: 3 cycles more.
#[test]
fn a_reply_has_as_many_flits_as_the_line() {
    let l2 = Geometry {
        sets: 16,
        ways: 2,
        line: 128,
        kernels: 1,
        banks: 2,
    };
    let asked = |fill| filling(fill, &[one(Read, 0)]).port.taken[0];
    // A second time, so that it hits in the L2.
    let latency = |request: Request| {
        let mut memory = MemorySystem::new(&config(), l2).unwrap();
        let mut replied = 0;
        for cycle in 0..2000 {
            memory.tick(cycle, &mut |_| true);
            if memory.reply(0, cycle).is_some() {
                replied = cycle;
            }
            if cycle % 1000 == 0 {
                memory.push(Request {
                    issued: cycle,
                    ..request
                });
            }
        }
        replied - 1000
    };
    let [lines, sectors] = [Fill::Lines, Fill::Sectors].map(|fill| latency(asked(fill)));
    assert_eq!(lines - sectors, 3);
}

/// Two schedulers with a warp of a kernel each that have nothing but loads; what each issues.
fn loads(order: Order) -> [u64; 2] {
    let mut config = config();
    (config.sm.schedulers, config.sm.order) = (2, order);
    config.l1d.mshr_merges = 64;
    let program = same(grid(1, 1), &[one(Read, 0); 40]);
    let mut bench = Bench::new(&config, &[program.clone(), program]);
    bench.issues(20);
    [0, 1].map(|kernel| bench.sm.stats(kernel).memory)
}

#[test]
fn a_fixed_order_starves_the_last_scheduler() {
    let [first, second] = loads(Order::Rotating);
    assert!(first.abs_diff(second) <= 1 && first > 5, "{first} {second}");
    let [first, second] = loads(Order::Fixed);
    assert!(first > 10 && second == 0, "{first} {second}");
}

#[test]
fn options_are_left_out_of_texts_unless_they_are_given() {
    let plain = toml::to_string(&config()).unwrap();
    assert!(
        ["fill", "order", "write-miss"]
            .iter()
            .all(|key| !plain.contains(key)),
        "{plain}"
    );
    let mut other = config();
    (other.l1d.fill, other.sm.order) = (Fill::Lines, Order::Fixed);
    other.l2.write_miss = WriteMiss::Fetch;
    let text = toml::to_string(&other).unwrap();
    for line in [
        "fill = \"lines\"",
        "order = \"fixed\"",
        "write-miss = \"fetch\"",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert_eq!(toml::from_str::<Config>(&text).unwrap(), other);
    let wrong = text.replace("\"fixed\"", "\"random\"");
    let error = toml::from_str::<Config>(&wrong).unwrap_err().to_string();
    assert!(error.contains("`rotating` or `fixed`"), "{error}");
}
