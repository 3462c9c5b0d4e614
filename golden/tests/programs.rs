//! Programs on a machine.
//!
//! Rationale: a program is made of places, a machine of cycles; between them stand thread blocks,
//! schedulers and the coalescer. What a machine has counted at the end must be what the places say:
//! each instruction issued once, each line of each access requested once, each block once. And a
//! trace that runs twice at a time is two kernels that share nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use cotenant_golden::gpu::machine::{Launch, Machine};
use cotenant_golden::gpu::Gpu;
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::presets::Preset;
use cotenant_golden::workload::program::recorded::{Recorded, Recording};
use cotenant_golden::workload::program::table2::BENCHMARKS;
use cotenant_golden::workload::program::{Instruction, Place, Program, Spec};
use cotenant_golden::workload::Op;

/// Cycles within which all of these must have ended.
const END: u64 = 20_000_000;

/// What a program does in a lap.
#[derive(Debug, Default, PartialEq, Eq)]
struct Work {
    compute: u64,
    memory: u64,
    loads: u64,
    stores: u64,
    blocks: u64,
}

/// As its places say.
fn by_place(program: &dyn Program, line: u64) -> Work {
    let grid = program.grid();
    let mut work = Work {
        blocks: grid.blocks,
        ..Work::default()
    };
    for warp in 0..grid.blocks * u64::from(grid.warps()) {
        for step in 0.. {
            let place = Place {
                block: warp / u64::from(grid.warps()),
                warp: (warp % u64::from(grid.warps())) as u32,
                step,
                lap: 0,
            };
            match program.instruction(&place) {
                Instruction::Exit => break,
                Instruction::Compute { count, .. } => work.compute += u64::from(count),
                Instruction::Memory(memory) => {
                    let lines: BTreeSet<u64> = memory.touched().map(|a| a / line).collect();
                    work.memory += 1;
                    match memory.op {
                        Op::Read => work.loads += lines.len() as u64,
                        Op::Write => work.stores += lines.len() as u64,
                    }
                }
                Instruction::Wait | Instruction::Barrier => {}
            }
        }
    }
    work
}

/// A machine on which each program has run to its end, on all SMs.
fn run(preset: &Preset, programs: &[Arc<dyn Program>]) -> Machine {
    let launches = programs.iter().zip(0..).map(|(program, kernel)| Launch {
        program: Arc::clone(program),
        kernel,
        sms: u64::MAX,
        blocks_per_sm: None,
        start: 0,
        restart: false,
    });
    let mut machine = Machine::new(&preset.machine, preset.llc, launches.collect()).unwrap();
    while !machine.is_finished() && machine.cycle() < END {
        machine.run_to(machine.cycle() + 10_000, &mut |_| true);
    }
    machine.drain(&mut |_| true);
    assert!(machine.is_finished(), "after {} cycles", machine.cycle());
    machine.check().unwrap();
    machine
}

/// As a machine has counted.
fn counted(machine: &Machine, kernel: usize) -> Work {
    let stats = machine.stats(kernel).sm;
    Work {
        compute: stats.compute,
        memory: stats.memory,
        loads: stats.loads,
        stores: stats.stores,
        blocks: stats.blocks_ended,
    }
}

fn small(line: u64) -> Vec<(String, Arc<dyn Program>)> {
    let geometry = Geometry {
        line,
        ..Preset::named("xavier").unwrap().llc
    };
    let texts = [
        "loop = 'vma'\nfootprint = '5 %'",
        "loop = 'vma'\nsize = 1000\nblocks = 2\nthreads = 128",
        "loop = 'ladd'\nfootprint = '3 %'",
        "loop = 'ddiv'\nsize = 100\ncompute = 2",
        "loop = 'mm'\nsize = 64",
        "loop = 'mm'\nsize = 32\ntile = 1\nelement = 'double'",
        "loop = 'mt'\nsize = 64\ntile = 32",
        "loop = 'mt'\nsize = 64\ntile = 1",
        "loop = 'mmt'\nsize = 64\ntile = 8",
        "loop = 'mmt'\nsize = 32\ntile = 1",
        "loop = 'agg1'\nfootprint = '10 %'\nchains = 40",
        "loop = 'agg2'\nfootprint = '16 KiB'\nsets = 4\nlanes = 32",
    ];
    let texts = texts.map(str::to_owned).into_iter();
    let like = |name| format!("loop = 'synthetic'\nlike = '{name}'\nblocks = 9\nlength = 5");
    let texts = texts.chain(BENCHMARKS.iter().map(|benchmark| like(benchmark.name)));
    let build = |text: String| {
        let spec: Spec = toml::from_str(&text).unwrap();
        (text, spec.build(1 << 40, &geometry).unwrap())
    };
    texts.map(build).collect()
}

#[test]
fn a_machine_does_what_the_places_say() {
    for name in ["xavier", "maxwell"] {
        let preset = Preset::named(name).unwrap();
        for (text, program) in small(preset.llc.line) {
            let machine = run(&preset, &[Arc::clone(&program)]);
            let expected = by_place(&*program, preset.llc.line);
            assert_eq!(counted(&machine, 0), expected, "{name}: {text}");
        }
    }
}

/// Each warp loads 128 bytes, adds, and stores them 64 KB further on.
fn trace(blocks: u64) -> String {
    let mut text = format!(
        "-grid dim = ({blocks},1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 12\n\
         -accelsim tracer version = 5\n"
    );
    for block in 0..blocks {
        text += "#BEGIN_TB\nthread block = 0,0,0\n";
        for warp in 0..2 {
            let load = 0x7fb0_fc40_0000u64 + (2 * block + warp) * 128;
            let store = load + 0x1_0000;
            text += &format!(
                "warp = {warp}\ninsts = 4\n0 ffffffff 1 R4 LDG.E 1 R2 4 1 0x{load:x} 4 0\n\
                 0 ffffffff 1 R5 FADD 2 R4 R4 0 0\n\
                 0 ffffffff 0 STG.E 2 R6 R5 4 1 0x{store:x} 4 0\n0 ffffffff 0 EXIT 0 0 0\n"
            );
        }
        text += "#END_TB\n";
    }
    text
}

#[test]
fn a_trace_beside_itself() {
    let preset = Preset::named("xavier").unwrap();
    let text = std::io::Cursor::new(trace(30));
    let recording = Arc::new(Recording::read("k.traceg", text).unwrap());
    let own = |base| -> Arc<dyn Program> {
        Arc::new(Recorded::new(Arc::clone(&recording), base).unwrap())
    };
    let programs = [own(1 << 40), own(2 << 40), own(3 << 40)];
    let machine = run(&preset, &programs);
    let expected = Work {
        compute: 60,
        memory: 120,
        loads: 60,
        stores: 60,
        blocks: 30,
    };
    for kernel in 0..3 {
        assert_eq!(counted(&machine, kernel), expected);
        // Each line once, and nobody else's.
        let stats = machine.stats(kernel).sm;
        assert_eq!((stats.hits, stats.merged, stats.misses), (0, 0, 60));
    }
    assert_eq!(machine.counts().misses, 3 * 120);
}
