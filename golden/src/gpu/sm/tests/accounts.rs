//! Rationale: each consistency check of an SM's counts must find a count that is off by one.

use super::*;

/// An SM in the middle of its work: loads in flight, a store refused, a block that has ended.
fn busy() -> Bench {
    let steps = [
        one(Read, 0),
        one(Read, 4),
        one(Write, 0),
        Instruction::Wait,
        one(Read, 1024),
    ];
    let mut bench = bench(&steps);
    bench.cycles(50, |_| 0);
    assert!(bench.sm.add_block(0, 1, 0, 50));
    bench.cycles(5, |_| 0);
    bench
}

#[test]
fn wrong_counts_are_found() {
    type Break = fn(&mut Sm);
    let breaks: [(Break, &str); 12] = [
        (|sm| sm.stats[0].loads += 1, "loads are"),
        (|sm| sm.stats[0].hits += 1, "loads are"),
        (|sm| sm.stats[0].completed += 1, "memory instructions are"),
        (|sm| sm.stats[0].stores += 1, "misses and stores are"),
        (|sm| sm.stats[0].sent += 1, "misses and stores are"),
        (|sm| sm.stats[0].blocks_ended += 1, "blocks started are"),
        (|sm| sm.stats[0].compute += 1, "issue slots used are"),
        (|sm| sm.slots.idle -= 1, "issue slots are"),
        (
            |sm| sm.blocks.get_mut(0).in_flight += 1,
            "loads and stores of blocks are",
        ),
        (|sm| sm.stats[0].replies += 1, "requests without reply are"),
        (|sm| sm.lsu.lose_response(), "responses to come are"),
        (|sm| sm.lsu.lose_sector(), "sectors pending are"),
    ];
    assert_eq!(busy().sm.check(), Ok(()));
    for (break_it, message) in breaks {
        let mut bench = busy();
        break_it(&mut bench.sm);
        let (_, sum) = bench.sm.check().unwrap_err();
        assert!(sum.to_string().starts_with(message), "{sum}");
    }
}

/// Sums over kernels and fields are those of each.
#[test]
fn stats_add_up_field_by_field() {
    let stats = *busy().sm.stats(0);
    let mut twice = stats;
    twice += &stats;
    assert_eq!((twice.loads, twice.sent), (2 * stats.loads, 2 * stats.sent));
    assert_eq!(twice.failures.total(), 2 * stats.failures.total());
    assert!(stats.loads > 0 && stats.failures.total() > 0);
}
