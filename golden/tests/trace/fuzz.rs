use std::io::Read;

use cotenant_golden::workload::program::recorded::{Recorded, Recording};
use cotenant_golden::workload::program::{Instruction, Place, Program};
use proptest::prelude::*;

use super::*;

/// Reads all there is; errors are fine.
fn survive(name: &str, bytes: &[u8], format: Option<Format>, line: u64) {
    let options = Options { line, kernels: 4 };
    let input = std::io::Cursor::new(bytes.to_vec());
    if let Ok(recording) = Recording::read(name, input.clone()) {
        run(recording);
    }
    if let Ok(reader) = Reader::new(name, input, None, format, options) {
        let mut errors = 0;
        for item in reader {
            match item {
                Ok(access) => {
                    assert!(usize::from(access.kernel) < 4);
                    assert!(access.sectors != 0);
                    let sectors = (line / 32).max(1);
                    assert!(sectors == 32 || access.sectors >> sectors == 0);
                }
                Err(error) => {
                    errors += 1;
                    assert!(error.to_string().len() < 1000, "{error}");
                }
            }
        }
        assert!(errors <= 1);
    }
}

/// Goes through all warps of a recording, within its extent.
fn run(recording: Recording) {
    let kernel = Recorded::new(recording.into(), 1 << 40).unwrap();
    let (grid, extent) = (kernel.grid(), kernel.extent());
    for block in 0..grid.blocks {
        for warp in 0..grid.warps() {
            let place = |step| Place {
                block,
                warp,
                step,
                lap: 0,
            };
            let steps = (0..).map(|step| kernel.instruction(&place(step)));
            for step in steps.take_while(|step| *step != Instruction::Exit) {
                if let Instruction::Memory(memory) = step {
                    assert!(memory.touched().all(|address| extent.contains(&address)));
                }
            }
        }
    }
}

/// Good traces to be damaged.
const GOOD: [&str; 3] = [
    "kernel,op,address,cycle\n0,R,0x1000,1\n3,W,4096,2\n# end\n",
    "0 1000 x\n1 0xdeadbeef\n2 0\n",
    "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 9\n\
     -shmem base_addr = 0x7f0000\n-accelsim tracer version = 5\n-enable lineinfo = 0\n#BEGIN_TB\n\
     thread block = 0,0,0\nwarp = 0\ninsts = 3\n0000 f 1 R4 LDG.E 1 R4 4 0 0x100 0x180 0x104 0x1a0 0\n\
     0010 ffffffff 1 R4 LD.E.64 1 R4 8 1 0xfffffffffffffff8 4 0\n\
     0020 80000005 0 STG.E.128 1 R44 16 2 0x1000 16 -4096 0\n#END_TB\n",
];

proptest! {
    #[test]
    fn random_bytes_never_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        format in prop::sample::select(vec![None, Some(Format::Csv), Some(Format::Din), Some(Format::Traceg)]),
        magic in prop::sample::select(vec![&b""[..], b"\x1f\x8b", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18"]),
    ) {
        survive("a", &[magic, &bytes].concat(), format, 128);
    }

    #[test]
    fn damaged_traces_never_panic(
        which in 0..GOOD.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"\0\n \t,=-#xX0123456789abfRW.\xff".to_vec()), 0..3u8), 1..8),
        line in prop::sample::select(vec![1u64, 16, 32, 128, 1024]),
    ) {
        let mut bytes = GOOD[which].as_bytes().to_vec();
        for (at, byte, kind) in edits {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => {}
            }
        }
        survive("a", &bytes, Some(Format::ALL[which]), line);
    }

    #[test]
    fn truncated_gzip_never_panics(which in 0..GOOD.len(), keep in any::<prop::sample::Index>()) {
        let mut whole = Vec::new();
        flate2::read::GzEncoder::new(GOOD[which].as_bytes(), flate2::Compression::fast())
            .read_to_end(&mut whole)
            .unwrap();
        survive("a", &whole[..keep.index(whole.len() + 1)], Some(Format::ALL[which]), 128);
    }

    #[test]
    fn csv_reads_what_was_written(
        records in prop::collection::vec((0u8..4, any::<bool>(), any::<u64>(), any::<bool>(), any::<Option<u64>>()), 0..50)
    ) {
        let mut text = String::new();
        let mut expected = Vec::new();
        for (kernel, store, address, hex, cycle) in records {
            let op = if store { Op::Write } else { Op::Read };
            let written = if hex { format!("{address:#x}") } else { address.to_string() };
            let cycle_text = cycle.map(|cycle| format!(",{cycle}")).unwrap_or_default();
            text += &format!("{kernel},{},{written}{cycle_text}\n", if store { 'W' } else { 'R' });
            expected.push(Access { cycle, ..Access::at(kernel, op, address, 128) });
        }
        prop_assert_eq!(read("a.csv", &text), expected);
    }

    /// Each address mode says the same.
    #[test]
    fn address_modes_agree(lanes in 1usize..=32, shift in 0usize..32, base in 0u64..1 << 48, stride in -300i64..300) {
        let lanes = lanes.min(32 - shift);
        let mask = (u32::MAX >> (32 - lanes)) << shift;
        let addresses: Vec<_> =
            (0..lanes as i64).map(|n| base.wrapping_add_signed(n * stride)).collect();
        let list: Vec<_> = addresses.iter().map(|address| format!("{address:#018x}")).collect();
        let deltas = vec![stride.to_string(); lanes - 1].join(" ");
        let reads = [
            format!("0 {}", list.join(" ")),
            format!("1 {base:#x} {stride}"),
            format!("2 {base:#x} {deltas}"),
        ]
        .map(|mode| {
            read("k.traceg", &format!(
                "-accelsim tracer version = 5\n#BEGIN_TB\nwarp = 0\ninsts = 1\n\
                 0000 {mask:08x} 1 R4 LDG.E.64 1 R4 8 {mode} 0\n#END_TB\n"
            ))
        });
        prop_assert_eq!(&reads[0], &reads[1]);
        prop_assert_eq!(&reads[0], &reads[2]);
        let touched: std::collections::BTreeSet<_> =
            addresses.iter().flat_map(|a| [a / 128, (a + 7) / 128]).collect();
        prop_assert_eq!(reads[0].len(), touched.len(), "one access a distinct line");
    }
}
