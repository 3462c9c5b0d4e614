//! Rationale: a list is what a warp does, in its order; an index expression is what its lanes touch.
//! Both by hand, with lanes that take no part and indices beyond the ends; then what stands for
//! data, and what is refused.

use super::super::enumerate;
use super::Step::{Barrier, Compute, Load, Shared, Store, Wait};
use super::*;

const NUMBERS: Numbers = Numbers {
    latency: 7,
    spread: 8,
};

/// Blocks of 8 by 5 threads: 40, in two warps.
fn source() -> Source {
    Source {
        block: [8, 5, 1],
        grid: [3, 2],
        arrays: vec![
            Array {
                bytes: 4,
                elements: 100,
            },
            Array {
                bytes: 8,
                elements: 1000,
            },
        ],
        head: vec![Compute(3), Load(1, |t| Some(t.tx + 10 * t.ty))],
        body: vec![
            Wait,
            Shared(2),
            Store(0, |t| (t.tx == 7).then_some(t.trip - 1)),
        ],
        trips: 2,
        tail: vec![Barrier, Load(0, |t| (t.ty > 3).then_some(t.trip))],
    }
}

fn listed(source: Source) -> Result<Listed, ParamError> {
    Listed::new(source, NUMBERS, [12, 34], 5, 0x1000)
}

#[test]
fn a_warp_runs_head_body_and_tail() {
    let kernel = listed(source()).unwrap();
    let grid = kernel.grid();
    assert_eq!((grid.blocks, grid.threads), (6, 64));
    assert_eq!((grid.registers, grid.shared_memory), (12, 34));
    let kinds = |warp| -> String {
        let steps = enumerate::warp(&kernel, 0, warp);
        let kind = |step: &Instruction| match step {
            Instruction::Compute { count, latency: 7 } => count.to_string(),
            Instruction::Compute { .. } => "?".into(),
            Instruction::Memory(memory) if memory.op == Op::Read => "l".into(),
            Instruction::Memory(_) => "s".into(),
            Instruction::Wait => "w".into(),
            Instruction::Barrier => "b".into(),
            Instruction::Exit => "x".into(),
        };
        steps.iter().map(kind).collect()
    };
    // Nobody of the first warp has ty above 3: a branch.
    assert!(kinds(0).starts_with("3lw2sw2sb1"), "{}", kinds(0));
    assert!(kinds(1).starts_with("3lw2sw2sbl"), "{}", kinds(1));
    let mix = kernel.mix();
    assert_eq!((mix.compute, mix.shared, mix.global), (3, 4, 4));
    assert_eq!(mix.compute_per_memory(), 3.0 / 8.0);
}

#[test]
fn lanes_touch_what_the_index_says() {
    let kernel = listed(source()).unwrap();
    // 400 bytes are 512 with their alignment.
    assert_eq!(kernel.extent(), 0x1000..0x1000 + 512 + 8192);
    let memory = |warp, step| {
        let place = Place {
            block: 4,
            warp,
            step,
            lap: 0,
        };
        match kernel.instruction(&place) {
            Instruction::Memory(memory) => memory,
            other => panic!("{other:?}"),
        }
    };
    let first = memory(0, 1);
    assert_eq!((first.lanes, first.bytes), (u32::MAX, 8));
    assert_eq!(first.addresses.lane(9), 0x1200 + 8 * 11);
    // The second warp has 8 threads, the last row.
    let second = memory(1, 1);
    assert_eq!(second.lanes, 0xff);
    assert_eq!(second.addresses.lane(2), 0x1200 + 8 * 42);
    // The column 7; -1 is the last of the 100.
    let store = memory(0, 4);
    assert_eq!(store.lanes, 0x8080_8080);
    assert_eq!(store.addresses.lane(31), 0x1000 + 4 * 99);
    assert_eq!(memory(0, 7).addresses.lane(31), 0x1000);
}

#[test]
fn a_stride_is_known_as_one() {
    let kernel = listed(Source {
        block: [64, 1, 1],
        head: vec![Load(1, |t| Some(3 * t.tx))],
        ..source()
    });
    let place = Place {
        block: 0,
        warp: 1,
        step: 0,
        lap: 0,
    };
    let Instruction::Memory(memory) = kernel.unwrap().instruction(&place) else {
        panic!("a load");
    };
    let strided = Addresses::Strided {
        base: 0x1200 + 8 * 96,
        stride: 24,
    };
    assert_eq!(memory.addresses, strided);
}

#[test]
fn data_are_the_same_each_time_and_near_by() {
    let thread = |id, seed| Thread {
        tx: 0,
        ty: 0,
        tz: 0,
        bx: 0,
        by: 0,
        trip: 1,
        spread: 8,
        id,
        seed,
    };
    let far: Vec<i64> = (0..300)
        .map(|id| thread(id, 1).near(2, id, 3) - id)
        .collect();
    let again: Vec<i64> = (0..300)
        .map(|id| thread(id, 1).near(2, id, 3) - id)
        .collect();
    assert_eq!(far, again);
    assert!(far
        .chunks(3)
        .all(|group| group.iter().all(|far| *far == group[0])));
    for place in -4..4 {
        assert!(far.contains(&place), "{place}");
    }
    assert!(far.iter().all(|far| (-4..4).contains(far)));
    let other: Vec<i64> = (0..300)
        .map(|id| thread(id, 2).near(2, id, 3) - id)
        .collect();
    assert_ne!(far, other);
}

#[test]
fn what_is_refused() {
    let message = |source| listed(source).unwrap_err().to_string();
    let long = Source {
        block: [32, 8, 5],
        ..source()
    };
    assert_eq!(message(long), "threads is 1280, expected 1 to 1024");
    let unknown = Source {
        tail: vec![Load(2, |_| Some(0))],
        ..source()
    };
    assert_eq!(message(unknown), "array is 2, expected 0 to 1");
    let empty = Source {
        head: vec![Compute(0)],
        ..source()
    };
    assert!(message(empty).starts_with("instructions of a step is 0"));
    let numbers = Numbers {
        latency: 0,
        ..NUMBERS
    };
    let slow = Listed::new(source(), numbers, [1, 0], 0, 0).unwrap_err();
    assert_eq!(slow.to_string(), "latency is 0, expected 1 to 1024");
}
