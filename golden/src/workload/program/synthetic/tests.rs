//! Rationale: ratios are what these kernels are made for. A warp's steps by hand; requests counted
//! line by line over a block; sets and streams touched as the parameters say; all draws the same
//! each time; what is refused.
use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::super::enumerate;
use super::*;

fn params() -> Params {
    Params {
        grid: Grid {
            blocks: 2,
            threads: 64,
            registers: 12,
            shared_memory: 0,
        },
        compute: 3,
        latency: 4,
        requests: 4,
        length: 5,
        reuse: Reuse::default(),
        line: 128,
        seed: 1,
        base: 0x1000,
    }
}

/// Lines of a memory instruction, from the base, in order.
fn lines(params: &Params, memory: &Memory) -> Vec<u64> {
    let mut lines: Vec<u64> = memory.touched().collect();
    lines
        .iter_mut()
        .for_each(|a| *a = (*a - params.base) / params.line);
    lines.dedup();
    lines
}

#[test]
fn a_stream_by_hand() {
    let params = Params {
        reuse: Reuse {
            touches: 2,
            in_flight: 2,
            ..Reuse::default()
        },
        ..params()
    };
    let synthetic = Synthetic::new(params).unwrap();
    // 4 warps of 3 trips of 4 lines.
    assert_eq!(synthetic.extent(), 0x1000..0x1000 + 48 * 128);
    let steps = enumerate::warp(&synthetic, 1, 1);
    let kinds: String = steps
        .iter()
        .map(|step| match step {
            Instruction::Compute {
                count: 3,
                latency: 4,
            } => 'c',
            Instruction::Memory(_) => 'm',
            Instruction::Wait => 'w',
            _ => '?',
        })
        .collect();
    assert_eq!(kinds, "cmcmwcmcmwcm");
    let touched = steps.iter().filter_map(|step| match step {
        Instruction::Memory(memory) => Some(lines(&params, memory)),
        _ => None,
    });
    // Each four lines in two instructions in turn; the last trip is cut short.
    let first = 3 * 12u64;
    let trip = |n: u64| (first + 4 * n..first + 4 * n + 4).collect::<Vec<u64>>();
    let expected = [trip(0), trip(0), trip(1), trip(1), trip(2)];
    assert_eq!(touched.collect::<Vec<_>>(), expected);
}

#[test]
fn windows_and_rows_by_hand() {
    let params = Params {
        length: 10,
        requests: 2,
        reuse: Reuse {
            touches: 2,
            window: 3,
            rows: true,
            ..Reuse::default()
        },
        ..params()
    };
    let synthetic = Synthetic::new(params).unwrap();
    // Two windows of 3 in each of 4 warps: 24 lines per row, rows 32 apart.
    assert_eq!(synthetic.extent().end, 0x1000 + 64 * 128);
    let touched: Vec<Vec<u64>> = enumerate::memory(&synthetic)
        .iter()
        .filter(|(block, warp, _)| (*block, *warp) == (0, 1))
        .map(|(_, _, memory)| lines(&params, memory))
        .collect();
    let expected = [6, 7, 8, 6, 7, 8, 9, 10, 11, 9].map(|at| vec![at, 32 + at]);
    assert_eq!(touched, expected);
}

#[test]
fn shares_are_kept_on_the_whole() {
    let params = Params {
        length: 2000,
        reuse: Reuse {
            warp: Set {
                share: 100,
                lines: 8,
            },
            block: Set {
                share: 250,
                lines: 16,
            },
            stores: 200,
            ..Reuse::default()
        },
        ..params()
    };
    let synthetic = Synthetic::new(params).unwrap();
    let mut counts = BTreeMap::new();
    let mut stores = BTreeSet::new();
    let touched = enumerate::memory(&synthetic);
    for (block, warp, memory) in &touched {
        for line in lines(&params, memory) {
            let place = match (memory.op, line) {
                (Op::Write, line) => {
                    assert!(line >= synthetic.stores && stores.insert(line));
                    'w'
                }
                (_, line) if line < synthetic.blocks => {
                    assert_eq!(line / 8, block * 2 + u64::from(*warp));
                    'o'
                }
                (_, line) if line < synthetic.streams => {
                    assert_eq!((line - synthetic.blocks) / 16, *block);
                    'b'
                }
                _ => 's',
            };
            *counts.entry(place).or_insert(0u64) += 1;
        }
    }
    // 8000 instructions of 4 requests. Drawn evenly, each count is within 5 standard deviations
    // of sqrt(n p (1 - p)); stores are drawn by instruction.
    let all = counts.values().sum::<u64>() as f64;
    assert_eq!(all, 32_000.0);
    let near = |count: u64, of: f64, share: f64, weight: f64| {
        let deviation = (of / weight * share * (1.0 - share)).sqrt() * weight;
        (count as f64 - of * share).abs() < 5.0 * deviation
    };
    assert!(near(counts[&'w'], all, 0.2, 4.0), "{counts:?}");
    let loads = all - counts[&'w'] as f64;
    for (place, share) in [('o', 0.1), ('b', 0.25), ('s', 0.65)] {
        assert!(near(counts[&place], loads, share, 1.0), "{counts:?}");
    }
}

#[test]
fn what_is_refused() {
    let refused = |change: fn(&mut Params)| {
        let mut params = params();
        change(&mut params);
        Synthetic::new(params).unwrap_err().to_string()
    };
    assert_eq!(
        refused(|p| p.requests = 33),
        "requests is 33, expected 1 to 32"
    );
    assert_eq!(
        refused(|p| p.reuse.warp = Set { share: 1, lines: 3 }),
        "reuse.warp.lines is 3, expected 4 to 1048576"
    );
    let shares = refused(|p| {
        p.reuse.warp = Set {
            share: 600,
            lines: 4,
        };
        p.reuse.block = Set {
            share: 401,
            lines: 4,
        };
    });
    assert_eq!(shares, "reuse.block.share is 401, expected 0 to 400");
    let many = refused(|p| {
        p.grid.blocks = 1 << 30;
        p.length = 1 << 32;
    });
    assert!(
        many.starts_with("lines in all is 18446744073709551615"),
        "{many}"
    );
    assert_eq!(
        refused(|p| p.length = 0),
        "length is 0, expected 1 to 4294967296"
    );
}

proptest! {
    #[test]
    fn a_memory_instruction_has_as_many_requests_as_it_should(
        requests in 1u32..=32,
        length in 1u64..20,
        in_flight in 1u32..4,
        (touches, window, rows) in (1u32..4, 1u32..4, any::<bool>()),
        (own, shared) in (0u32..=1000).prop_flat_map(|own| (Just(own), 0..=1000 - own)),
        stores in 0u32..=1000,
        seed: u64,
    ) {
        let set = |share| Set { share, lines: requests + 1 };
        let reuse = Reuse { warp: set(own), block: set(shared), touches, window, rows, stores, in_flight };
        let params = Params { requests, length, reuse, seed, ..params() };
        let synthetic = Synthetic::new(params).unwrap();
        let touched = enumerate::memory(&synthetic);
        prop_assert_eq!(touched.len() as u64, 4 * length);
        for (_, _, memory) in &touched {
            let distinct: BTreeSet<u64> = lines(&params, memory).into_iter().collect();
            prop_assert_eq!(distinct.len(), requests as usize);
        }
    }
}
