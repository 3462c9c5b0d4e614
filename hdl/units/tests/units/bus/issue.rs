//! issue_registers.
//!
//! Rationale: a snapshot must be of one cycle, whatever changes while it is read; quotas above 32
//! bits come in two words; a limit that SMIL cannot hold is refused, and with MILG every one is.

use super::file::{write, File};
use crate::bench::{pack, Seen};
use cotenant_units::bus::{IssueRegisters, MemIssueApb};
use cotenant_units::sm;

/// Three kernels, limits of two of five bits, 7-bit counts.
fn smil(beside: impl FnMut(&Seen) -> Vec<(&'static str, u128)> + 'static) -> File {
    File::new::<IssueRegisters!(3, 0, 1, 12, 0, 0, 0, 7, 10, 5)>(beside)
}

fn still(count: u64) -> Vec<(&'static str, u128)> {
    let quota_w = sm::credit_width(3, 10);
    vec![
        ("active", 0b101),
        ("allow", 0b011),
        ("unlimited", 0b110),
        ("in_flight", pack(&[count, 2, 3], 7)),
        ("limit", pack(&[9, 127, 127], 7)),
        ("quota", pack(&[1, 300, 2000], quota_w)),
    ]
}

#[test]
fn a_snapshot_is_of_one_cycle() {
    let mut count = 0;
    let mut file = smil(move |_| {
        count += 1;
        still(count % 128)
    });
    let all = [
        0x20, 0x24, 0x28, 0x40, 0x44, 0x48, 0x80, 0x84, 0x88, 0xC0, 0xC4, 0xC8,
    ];
    let read = |file: &mut File| all.map(|address| file.read(address));
    assert_eq!(read(&mut file), [0; 12], "none was taken");
    for sequence in 1..=2 {
        file.write(0x01C, 1);
        let seen = read(&mut file);
        // A transfer takes five cycles and the write counts at its last: after twelve reads, and
        // then after 25 more.
        let taken = 64 + 130 * (sequence - 1);
        assert_eq!(
            seen,
            [5, 3, 6, taken % 128, 2, 3, 9, 127, 127, 1, 300, 2000]
        );
        assert_eq!(read(&mut file), seen, "nothing changes until the next one");
        assert_eq!(file.read(0x018), sequence << 8);
    }
    file.write(0x01C, 0);
    assert_eq!(file.read(0x018), 2 << 8);
}

#[test]
fn limits_are_set_or_refused() {
    let mut file = smil(|_| still(1));
    // In force now, without a snapshot.
    file.idle(1);
    assert_eq!(file.read(0x140), 9);
    assert_eq!(file.read(0x144), 0x8000_007F);
    for (value, set) in [
        (1, Some((1, 0))),
        (31, Some((31, 0))),
        (0x7FFF_001F & 0xFFFF, Some((31, 0))),
        (0, None),
        (32, None),
        (0xFFFF, None),
        (0x8000_0000, Some((0, 1))),
        (0x8000_0400, Some((0, 1))),
    ] {
        let (answer, seen) = file.transfer(&write(0x148, value));
        assert_eq!(answer.error, set.is_none(), "{value:#x}");
        assert_eq!(
            seen.get("set_valid"),
            u64::from(set.is_some()),
            "{value:#x}"
        );
        let Some((limit, unlimited)) = set else {
            continue;
        };
        let port = ["set_kid", "set_limit", "set_unlimited"].map(|port| seen.get(port));
        assert_eq!(port, [2, limit, unlimited], "{value:#x}");
        assert_eq!(file.cycle(&[]).get("set_valid"), 0);
    }
    let mut milg = File::new::<IssueRegisters!(3, 1, 1, 12, 0, 0, 0, 7, 10, 5)>(|_| still(1));
    milg.idle(1);
    assert_eq!(milg.read(0x140), 9);
    assert!(milg.write(0x140, 1));
}

#[test]
fn wide_quotas_are_two_words() {
    let quota_w = sm::credit_width(8, 10);
    assert!(quota_w > 32 && quota_w <= 64);
    let largest = (1u64 << quota_w) - 1;
    // The fourth of eight kernels; the packed value has more bits than the bench gives.
    let quota = u128::from(largest - 5) << (2 * quota_w);
    let mut file = File::new::<IssueRegisters!(8, 1, 1, 12, 0, 0, 0, 7, 10, 5)>(move |_| {
        vec![("quota", quota)]
    });
    file.idle(1);
    file.write(0x01C, 1);
    assert_eq!(file.read(0x0C8), (largest - 5) as u32);
    assert_eq!(file.read(0x108), ((largest - 5) >> 32) as u32);
    assert_eq!((file.read(0x0CC), file.read(0x10C)), (0, 0));
    let mut narrow = smil(|_| vec![]);
    assert!(narrow.transfer(&[("address", 0x100)]).0.error);
}

#[test]
fn a_limit_written_over_apb_holds_the_kernel_back() {
    let mut bench = crate::bench::Bench::new::<MemIssueApb!(2, 0, 0, 12, 0, 0, 0, 7, 10, 5)>();
    bench.cycle(&[("launch", 0b11)]);
    let apb = [("psel", 1), ("penable", 1), ("pwrite", 1), ("pstrb", 15)];
    let limit = [&apb[..], &[("paddr", 0x144), ("pwdata", 2)]].concat();
    let ready: Vec<u64> = (0..5).map(|_| bench.cycle(&limit).get("pready")).collect();
    assert_eq!(ready, [0, 0, 0, 0, 1]);
    let turns = (0..6).map(|_| {
        let seen = bench.cycle(&[("want", 0b11), ("lsu_ready", 1)]);
        seen.get("grant_kid")
    });
    assert_eq!(turns.collect::<Vec<_>>(), [0, 1, 0, 1, 0, 0]);
}
