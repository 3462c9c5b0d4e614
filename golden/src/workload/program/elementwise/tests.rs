//! Rationale: a stream that is off by one array or line makes every share wrong and looks right.
//! First steps by hand, for one element per thread and for a grid-stride loop; each element exactly
//! once per lap, for sizes that do and do not fill warps, blocks and strides; what is refused.
use proptest::prelude::*;

use super::super::enumerate;
use super::*;

const BASE: u64 = 0x10000;

fn params(operation: Operation, element: Element, elements: u64) -> Params {
    Params {
        operation,
        element,
        elements,
        threads: 64,
        blocks: None,
        times: 1,
        base: BASE,
    }
}

fn access(op: Op, base: u64, bytes: u32, lanes: u32) -> Instruction {
    Instruction::Memory(Memory {
        op,
        bytes,
        lanes,
        addresses: Addresses::Strided {
            base,
            stride: bytes.into(),
        },
    })
}

fn compute(count: u32, latency: u32) -> Instruction {
    Instruction::Compute { count, latency }
}

#[test]
fn vma_by_hand() {
    // 4 arrays of 128 floats, 512 bytes each; 2 blocks of 2 warps.
    let vma = params(Operation::MultiplyAdd, Element::Float, 128);
    let vma = Elementwise::new(vma).unwrap();
    assert_eq!((vma.grid().blocks, vma.grid().threads), (2, 64));
    assert_eq!(vma.extent(), BASE..BASE + 2048);
    // The fourth warp: elements 96 to 127.
    let expected = [
        compute(10, 4),
        access(Op::Read, BASE + 0x180, 4, u32::MAX),
        access(Op::Read, BASE + 0x380, 4, u32::MAX),
        access(Op::Read, BASE + 0x580, 4, u32::MAX),
        Instruction::Wait,
        compute(1, 5),
        access(Op::Write, BASE + 0x780, 4, u32::MAX),
    ];
    assert_eq!(enumerate::warp(&vma, 1, 1), expected);
}

#[test]
fn a_grid_stride_loop_by_hand() {
    // 70 doubles: 3 warps of elements for 2 warps; arrays of 560 bytes, 768 apart.
    let quotient = Params {
        blocks: Some(1),
        times: 3,
        ..params(Operation::Divide, Element::Double, 70)
    };
    let quotient = Elementwise::new(quotient).unwrap();
    assert_eq!(quotient.extent(), BASE..BASE + 2 * 768 + 560);
    let trip = |first: u64, lanes| {
        let read = |array: u64| access(Op::Read, BASE + array * 768 + first * 8, 8, lanes);
        vec![
            read(0),
            read(1),
            Instruction::Wait,
            compute(3, 330),
            access(Op::Write, BASE + 2 * 768 + first * 8, 8, lanes),
        ]
    };
    let mut expected = vec![compute(10, 4)];
    expected.extend(trip(0, u32::MAX));
    // 3 addresses, sum, comparison, branch; then the last 6 elements.
    expected.push(compute(6, 4));
    expected.extend(trip(64, 0x3f));
    assert_eq!(enumerate::warp(&quotient, 0, 0), expected);
    let mut expected = vec![compute(10, 4)];
    expected.extend(trip(32, u32::MAX));
    assert_eq!(enumerate::warp(&quotient, 0, 1), expected);
}

#[test]
fn warps_without_elements_end() {
    let sum = Params {
        threads: 256,
        ..params(Operation::Add, Element::Long, 33)
    };
    let sum = Elementwise::new(sum).unwrap();
    let lengths: Vec<usize> = (0..8)
        .map(|warp| enumerate::warp(&sum, 0, warp).len())
        .collect();
    assert_eq!(lengths, [6, 6, 1, 1, 1, 1, 1, 1]);
    assert_eq!(enumerate::warp(&sum, 0, 1)[4], compute(2, 4));
}

#[test]
fn footprints_hold_whole_warps() {
    // A quarter of 512 KB in 4 arrays of floats.
    let of = Params::elements_of;
    assert_eq!(of(Operation::MultiplyAdd, Element::Float, 128 << 10), 8192);
    assert_eq!(of(Operation::Add, Element::Double, 3 * 256 + 255), 32);
    assert_eq!(of(Operation::Add, Element::Double, 3 * 256 - 1), 0);
}

#[test]
fn what_is_refused() {
    let refused = |change: fn(&mut Params)| {
        let mut params = params(Operation::Add, Element::Float, 64);
        change(&mut params);
        Elementwise::new(params).unwrap_err().to_string()
    };
    assert_eq!(
        refused(|p| p.elements = 0),
        "elements is 0, expected 1 to 34359738368"
    );
    assert_eq!(
        refused(|p| p.threads = 48),
        "threads is 48, expected a multiple of a warp, which is 32"
    );
    assert_eq!(
        refused(|p| p.threads = 2048),
        "threads is 2048, expected 32 to 1024"
    );
    assert_eq!(
        refused(|p| p.blocks = Some(0)),
        "blocks is 0, expected 1 to 2147483647"
    );
    assert_eq!(
        refused(|p| p.times = 0),
        "compute is 0, expected 1 to 1048576"
    );
    assert_eq!(
        refused(|p| p.base = 128),
        "base is 128, expected a multiple of the alignment of arrays, which is 256"
    );
}

proptest! {
    #[test]
    fn every_element_once_a_lap(
        elements in 1u64..700,
        warps in 1u32..5,
        blocks in prop::option::of(1u64..5),
        (operation, element) in prop::sample::select(vec![
            (Operation::MultiplyAdd, Element::Float),
            (Operation::Add, Element::Double),
            (Operation::Multiply, Element::Long),
        ]),
    ) {
        let kernel = Params { threads: 32 * warps, blocks, ..params(operation, element, elements) };
        let kernel = Elementwise::new(kernel).unwrap();
        let touched = enumerate::memory(&kernel);
        let bytes = u64::from(element.bytes());
        for array in 0..=u64::from(operation.inputs()) {
            let base = BASE + array * kernel.pitch;
            let written = array == u64::from(operation.inputs());
            for (op, expected) in [(Op::Read, !written), (Op::Write, written)] {
                let times = enumerate::times(&touched, op, base, bytes, elements);
                prop_assert!(times.iter().all(|times| *times == u64::from(expected)));
            }
        }
    }
}
