//! Rationale: a trace that runs must do what the trace says, access for access, and wait where the
//! recorded machine had to. A warp by hand, with each kind of instruction; vectorAdd as CUDA
//! compiles it; everything that the access reader sees seen here too, for random address modes and
//! lanes; addresses moved together and apart; faults of the header.
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::enumerate;
use super::*;
use crate::workload::trace::{Options, Reader};

const HEADER: &str = "-kernel name = k\n-grid dim = (BLOCKS,1,1)\n-block dim = (THREADS,1,1)\n\
    -shmem = 64\n-nregs = 12\n-shmem base_addr = 0x00007f0000000000\n\
    -local mem base_addr = 0x00007f0002000000\n-accelsim tracer version = 5\n";

/// A trace of blocks of warps of lines.
fn trace(blocks: &[&[&[&str]]], threads: u32) -> String {
    let mut text = HEADER.replace("BLOCKS", &blocks.len().to_string());
    text = text.replace("THREADS", &threads.to_string());
    for (number, warps) in blocks.iter().enumerate() {
        text += &format!("#BEGIN_TB\nthread block = {number},0,0\n");
        for (warp, lines) in warps.iter().enumerate() {
            text += &format!(
                "warp = {warp}\ninsts = {}\n{}\n",
                lines.len(),
                lines.join("\n")
            );
        }
        text += "#END_TB\n";
    }
    text
}

fn recorded(text: &str, base: u64) -> Recorded {
    let bytes = std::io::Cursor::new(text.as_bytes().to_vec());
    let recording = Recording::read("k.traceg", bytes).unwrap();
    Recorded::new(Arc::new(recording), base).unwrap()
}

fn error(text: &str) -> String {
    let bytes = std::io::Cursor::new(text.as_bytes().to_vec());
    Recording::read("k.traceg", bytes).unwrap_err().to_string()
}

/// A warp's steps in letters: arithmetic with its count, load, store, wait, barrier.
fn letters(kernel: &Recorded, block: u64, warp: u32) -> String {
    let letter = |instruction| match instruction {
        Instruction::Compute { count, latency: 4 } => format!("{count}"),
        Instruction::Compute { count, latency } => format!("{count}*{latency}"),
        Instruction::Memory(memory) if memory.op == Op::Read => "L".into(),
        Instruction::Memory(_) => "S".into(),
        Instruction::Wait => "w".into(),
        Instruction::Barrier => "|".into(),
        Instruction::Exit => "x".into(),
    };
    let steps: Vec<String> = enumerate::warp(kernel, block, warp)
        .into_iter()
        .map(letter)
        .collect();
    steps.join(" ")
}

/// CUDA's vectorAdd, a warp of it.
fn vector_add(a: u64, lanes: &str) -> Vec<String> {
    let lines = [
        "0000 M 1 R1 MOV 0 0 0 ",
        "0010 M 1 R6 S2R 0 0 0 ",
        "0020 M 1 R3 S2R 0 0 0 ",
        "0030 M 1 R6 IMAD 2 R6 R3 0 0 ",
        "0040 M 0 ISETP.GE.AND 1 R6 0 0 ",
        "0050 0 0 EXIT 0 0 0 ",
        "0080 M 1 R4 IMAD.WIDE 2 R6 R7 0 0 ",
        "0090 M 1 R2 IMAD.WIDE 2 R6 R7 0 0 ",
        "00a0 M 1 R4 LDG.E 1 R4 4 1 A 4 0 ",
        "00b0 M 1 R3 LDG.E 1 R2 4 1 B 4 0 ",
        "00c0 M 1 R6 IMAD.WIDE 2 R6 R7 0 0 ",
        "00d0 M 1 R0 FADD 2 R4 R3 0 0 ",
        "00e0 M 1 R9 FADD 2 R255 R0 0 0 ",
        "00f0 M 0 STG.E 2 R6 R9 4 1 C 4 0 ",
        "0100 M 0 EXIT 0 0 0 ",
    ];
    let address = |n: u64| format!("0x{:x}", a + n * 0x1000);
    let fill = |line: &str| {
        let line = line.replace(" M ", &format!(" {lanes} "));
        let line = line.replace(" A ", &format!(" {} ", address(0)));
        let line = line.replace(" B ", &format!(" {} ", address(1)));
        line.replace(" C ", &format!(" {} ", address(2)))
    };
    lines.into_iter().map(fill).collect()
}

#[test]
fn vector_add_by_hand() {
    let warps: Vec<Vec<String>> = [
        (0x7f10_0040_0000, "ffffffff"),
        (0x7f10_0040_0080, "0000ffff"),
    ]
    .map(|(a, lanes)| vector_add(a, lanes))
    .into();
    let warps: Vec<Vec<&str>> = warps
        .iter()
        .map(|w| w.iter().map(String::as_str).collect())
        .collect();
    let warps: Vec<&[&str]> = warps.iter().map(Vec::as_slice).collect();
    let kernel = recorded(&trace(&[&warps], 48), 1 << 40);
    let expected = Grid {
        blocks: 1,
        threads: 64,
        registers: 12,
        shared_memory: 64,
    };
    assert_eq!(kernel.grid(), expected);
    // The exit with no lanes is an instruction, the last one is not.
    let steps = "3 1*5 2 2*5 L L 1*5 w 2 S";
    assert_eq!([letters(&kernel, 0, 0), letters(&kernel, 0, 1)], [steps; 2]);
    let touched = enumerate::memory(&kernel);
    let last = touched.last().unwrap().2;
    assert_eq!((last.op, last.bytes, last.lanes), (Op::Write, 4, 0xffff));
    assert_eq!(last.addresses.lane(0), (1 << 40) + 0x2080);
    assert_eq!(kernel.extent(), 1 << 40..(1 << 40) + 0x20c0);
}

#[test]
fn each_kind_of_instruction() {
    let lines = [
        // Wide: R4 to R7. Its last register is read.
        "0000 1 1 R4 LDG.E.128 1 R2 16 1 0x100 0 0 ",
        "0010 1 1 R8 DADD 2 R10 R12 0 0 ",
        "0020 1 1 R9 MOV 1 R7 0 0 ",
        // Overwritten before it is there.
        "0030 1 1 R4 LDG.E 1 R2 4 1 0x100 0 0 ",
        "0040 1 1 R4 MOV 1 R2 0 0 ",
        // The zero register is not loaded.
        "0050 1 1 R255 LDG.E 1 R2 4 1 0x100 0 0 ",
        "0060 1 1 R3 MOV 1 R255 0 0 ",
        // Neither shared memory nor a generic address of it is global.
        "0070 1 1 R4 LDS.U.32 1 R2 4 1 0x0 4 0 ",
        "0080 1 1 R4 LD.E 1 R2 4 1 0x7f0000000010 0 0 ",
        "0090 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 ",
        "00a0 ffffffff 0 BAR.ARV 0 0 0 ",
        // Copies are waited for at their barrier.
        "00b0 1 0 LDGSTS.E.128 2 R2 R4 16 1 0x80 0 0 ",
        "00c0 1 0 DEPBAR.LE 0 0 0 ",
        "00d0 1 1 R0 ATOMG.E.ADD 1 R2 4 1 0x80 0 0 ",
        "00e0 1 1 R0 MOV 1 R0 0 0 ",
        "00f0 0 0 EXIT 0 0 0 ",
        "0100 1 0 NOP 0 0 0 ",
    ];
    let kernel = recorded(&trace(&[&[&lines]], 32), 0);
    let expected = "L 1*8 w 1 L w 1 L 1 1*19 1 | 1 L w 1 S 3";
    assert_eq!(letters(&kernel, 0, 0), expected);
}

#[test]
fn a_warp_that_is_left_out_ends_at_once() {
    let exit: &[&str] = &["0000 1 0 EXIT 0 0 0 "];
    let text = trace(&[&[exit, exit], &[exit]], 64);
    let kernel = recorded(&text, 0);
    assert_eq!(kernel.grid().blocks, 2);
    assert_eq!(letters(&kernel, 1, 1), "");
    assert_eq!(kernel.extent(), 0..0);
}

#[test]
fn gaps_are_closed_and_pages_kept() {
    let lines = [
        // Far apart, in one instruction, and backwards.
        "0000 7 0 LDG.E 0 4 0 0x7fb0fc430e00 0x10000000080 0x7fb0fc230e00 0 ",
        // Over the end of a page.
        "0000 3 0 LDG.E.64 0 8 1 0x100001ffff8 8 0 ",
    ];
    let kernel = recorded(&trace(&[&[&lines]], 32), 0x4000);
    let touched: Vec<Vec<u64>> = enumerate::memory(&kernel)
        .iter()
        .map(|(_, _, memory)| memory.touched().map(|a| a - 0x4000).collect())
        .collect();
    // Pages of 0x200000: 0x10000000000, 0x10000200000, 0x7fb0fc200000, 0x7fb0fc400000.
    assert_eq!(touched[0], [0x63_0e00, 0x80, 0x43_0e00]);
    assert_eq!(touched[1], [0x1f_fff8, 0x20_0000]);
    assert_eq!(kernel.extent(), 0x4080..0x4000 + 0x63_0e04);
}

#[test]
fn a_lane_over_the_end_of_a_page_keeps_its_bytes_together() {
    let lines = [
        "0000 1 0 LDG.E.128 0 16 1 0x1ffff8 0 0 ",
        "0000 1 0 LDG.E 0 4 1 0x800000 0 0 ",
    ];
    let kernel = recorded(&trace(&[&[&lines]], 32), 0);
    // The page that only the load's end touches has a number of its own.
    assert_eq!(kernel.extent(), 0x1f_fff8..0x40_0004);
}

#[test]
fn faults_of_the_header() {
    let exit: &[&str] = &["0000 1 0 EXIT 0 0 0 "];
    let good = trace(&[&[exit], &[exit]], 32);
    for (from, to, expected) in [
        (
            "-grid dim = (2,1,1)\n",
            "",
            "k.traceg:8:1: found \"#BEGIN_TB\", expected `-grid dim =` before it",
        ),
        (
            "-block dim = (32,1,1)\n",
            "",
            "expected `-block dim =` before it; put",
        ),
        ("-nregs = 12\n", "", "expected `-nregs =` before it"),
        ("-shmem = 64\n", "", "expected `-shmem =` before it"),
        (
            "(32,1,1)",
            "(32,x)",
            "found \"(32,x)\", expected threads of a block, (x,y,z), 1 to 1024",
        ),
        (
            "(32,1,1)",
            "(32,33,1)",
            "expected threads of a block, (x,y,z), 1 to 1024",
        ),
        (
            "(2,1,1)",
            "(1,1,1)",
            "expected no more than 1 blocks, as `-grid dim =` says",
        ),
        (
            "(2,1,1)",
            "(3,1,1)",
            "found the end, expected 1 more thread blocks, as `-grid dim =` says",
        ),
        (
            "warp = 0",
            "warp = 1",
            "found \"1\", expected a warp from 0 to 0",
        ),
        (
            "warp = 0\ninsts = 1\n",
            "warp = 0\ninsts = 1\n0 1 0 NOP 0 0 0\nwarp = 0\ninsts = 1\n",
            "a warp that the block has not had",
        ),
        (
            "0000 1 0 EXIT",
            "0000 1 0 LDG.E.64 0 12 1 0x0 0 0 \n",
            "insts",
        ),
        (
            "0000 1 0 EXIT 0 0 0 ",
            "0000 1 1 R1 LDG.E 0 12 1 0x0 0 0 ",
            "found \"12\", expected 1, 2, 4, 8 or 16 bytes per lane",
        ),
    ] {
        assert!(good.contains(from), "{from}");
        let message = error(&good.replacen(from, to, 1));
        assert!(message.contains(expected), "{message}");
    }
    assert!(error("-accelsim tracer version = 5\n").contains("expected 1 more thread blocks"));
}

/// Sectors of each line of each access, in lanes' order, as the access reader reports them.
fn coalesced(kernel: &Recorded) -> Vec<(Op, u64, u32)> {
    let mut all = vec![];
    for (_, _, memory) in enumerate::memory(kernel) {
        let (mut order, mut sectors) = (vec![], BTreeMap::new());
        for address in memory.touched() {
            for byte in [address, address + u64::from(memory.bytes) - 1] {
                let line = byte / 128;
                if !order.contains(&line) {
                    order.push(line);
                }
                *sectors.entry(line).or_insert(0) |= 1u32 << (byte % 128 / 32);
            }
        }
        all.extend(order.iter().map(|line| (memory.op, *line, sectors[line])));
    }
    all
}

proptest! {
    #[test]
    fn it_touches_what_the_access_reader_sees(
        instructions in prop::collection::vec(
            (any::<u32>(), 0usize..3, 0u64..PAGE / 16, 0u64..64, prop::sample::select(vec![1u64, 2, 4, 8, 16]), any::<bool>()),
            1..20,
        ),
        first in 0u64..4,
    ) {
        // The first page is touched, so that addresses stay what they are.
        let mut lines = vec![format!("0 1 0 LDG.E 0 4 1 0x{:x} 0 0", first * PAGE)];
        for (lanes, mode, at, stride, bytes, store) in instructions {
            let (opcode, bits) = (if store { "STG.E" } else { "LDG.E" }, bytes * 8);
            let lanes = match mode {
                // Neighbouring lanes only.
                1 => u32::MAX >> (lanes % 32) << (lanes / 32 % 4) | 8,
                _ => lanes.max(1),
            };
            let lanes = if mode == 1 && !contiguous(lanes) { u32::MAX } else { lanes };
            let address = |n: u64| first * PAGE + at / 2 * bytes + n * n % 7 * stride * bytes;
            let count = u64::from(lanes.count_ones());
            let addresses = match mode {
                0 => (0..count).map(|n| format!("0x{:x} ", address(n))).collect(),
                1 => format!("0x{:x} {} ", address(0), stride * bytes),
                _ => {
                    let deltas = (1..count).map(|n| address(n) as i64 - address(n - 1) as i64);
                    let deltas: String = deltas.map(|d| format!("{d} ")).collect();
                    format!("0x{:x} {deltas}", address(0))
                }
            };
            let modifier = if bits < 32 { format!("U{bits}") } else { bits.to_string() };
            lines.push(format!("0 {lanes:x} 0 {opcode}.{modifier} 0 {bytes} {mode} {addresses}0"));
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let text = trace(&[&[&lines]], 32);
        let bytes = std::io::Cursor::new(text.clone().into_bytes());
        let options = Options { line: 128, kernels: 1 };
        let reader = Reader::new("k.traceg", bytes, None, None, options).unwrap();
        let expected: Vec<(Op, u64, u32)> = reader
            .map(|access| access.map(|a| (a.op, a.address / 128, a.sectors)).unwrap())
            .collect();
        prop_assert_eq!(coalesced(&recorded(&text, first * PAGE)), expected);
    }
}

fn contiguous(lanes: u32) -> bool {
    let run = lanes >> lanes.trailing_zeros();
    run & run.wrapping_add(1) == 0
}
