//! Periods: snapshots by software and by the timer.

use super::*;

#[test]
fn a_snapshot_is_taken_in_the_cycle_of_the_answer() {
    let mut bench = Bench::ready();
    let sequence = |bench: &Bench| bench.model.state().monitor.banks[0].gdcu.sequence_number;
    bench.transfer(write(0x01c, 1, 15));
    assert_eq!(sequence(&bench), 1);
    assert_eq!(bench.read(0x018), 1 | 1 << 8);
    assert_eq!(bench.read(0x024), 0, "the timer has taken none");
}

#[test]
fn periodic_snapshots_come_so_many_cycles_after_the_answer() {
    for period in [1, 2, 3, 10] {
        let mut bench = Bench::ready();
        bench.write(0x020, period);
        let written = bench.cycles - 1;
        let mut before = 0;
        for _ in 0..40 {
            let now = bench.cycles;
            bench.idle(1);
            let after = bench.model.state().monitor.banks[0].gdcu.sequence_number;
            let due = (now - written) % u64::from(period) == 0;
            assert_eq!(after != before, due, "{period}: {} later", now - written);
            before = after;
        }
        assert_eq!(bench.read(0x024), 0b100);
        assert_eq!(bench.read(0x020), period);
        bench.write(0x020, 0);
        let stopped = bench.model.state().monitor.banks[0].gdcu.sequence_number;
        bench.write(0x024, 0b100);
        assert_eq!(bench.read(0x024), 0);
        let last = bench.model.state().monitor.banks[0].gdcu.sequence_number;
        assert_eq!(stopped, last, "it is stopped");
    }
}
