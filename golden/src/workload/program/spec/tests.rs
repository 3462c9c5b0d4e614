//! Rationale: people write these tables by hand. Each loop with nothing but its name, each key with
//! a value other than its default seen in the kernel, and what is said of wrong keys and values.
use super::super::{enumerate, Grid, Instruction, Place};
use super::*;

const XAVIER: Geometry = Geometry {
    sets: 256,
    ways: 16,
    line: 128,
    kernels: 4,
    banks: 4,
};

fn build(text: &str) -> Arc<dyn Program> {
    let spec: Spec = toml::from_str(text).unwrap();
    spec.build(1 << 40, &XAVIER).unwrap()
}

/// Bytes from the first to the last that a kernel may touch.
fn span(program: &dyn Program) -> u64 {
    program.extent().end - program.extent().start
}

/// What is said of a table that is no kernel.
fn refused(text: &str) -> String {
    match toml::from_str::<Spec>(text) {
        Err(error) => error.message().to_owned(),
        Ok(spec) => spec.build(0, &XAVIER).unwrap_err().to_string(),
    }
}

#[test]
fn a_name_is_enough() {
    for name in Spec::NAMES {
        let text = format!("loop = \"{name}\"");
        if name == "trace" {
            assert_eq!(refused(&text), "missing field `file`");
            continue;
        }
        let spec: Spec = toml::from_str(&text).unwrap();
        assert_eq!(spec.name(), name);
        let program = spec.build(1 << 40, &XAVIER).unwrap();
        assert!(program.extent().start == 1 << 40, "{name}");
        let written = toml::to_string(&spec).unwrap();
        assert_eq!(toml::from_str::<Spec>(&written).unwrap(), spec, "{written}");
    }
}

#[test]
fn names_that_are_none() {
    let unknown = refused("loop = \"vmb\"");
    let names = Spec::NAMES.join(", ");
    let expected = format!("loop is \"vmb\" (did you mean \"vma\"?), expected one of {names}");
    assert_eq!(unknown, expected);
    assert!(refused("").starts_with("loop is missing, expected one of vma, "));
    assert!(refused("loop = 3").starts_with("loop is 3, expected one of vma, "));
}

#[test]
fn footprints_are_of_the_cache() {
    // 512 KB; all arrays are multiples of 256 bytes.
    assert_eq!(span(&*build("loop = 'vma'\nfootprint = '25 %'")), 128 << 10);
    assert_eq!(
        span(&*build("loop = 'dadd'\nfootprint = '96 KiB'")),
        96 << 10
    );
    assert_eq!(span(&*build("loop = 'ddiv'\nsize = 64")), 3 * 512);
    // 3 matrices of 144 x 144 floats, as many as fit.
    assert_eq!(
        span(&*build("loop = 'mm'\nfootprint = '50 %'")),
        3 * 144 * 144 * 4
    );
    let text = "loop = 'mt'\nsize = 64\nelement = 'double'\ntile = 32";
    assert_eq!(span(&*build(text)), 2 * 64 * 64 * 8);
    assert_eq!(span(&*build("loop = 'agg1'\nfootprint = '200 %'")), 1 << 20);
    // 8 sets of 16 KB: 16 lines per set, one in each 32 KB; a 32nd of 256 sets.
    let text = "loop = 'agg2'\nsets = 8\nfootprint = '16 KiB'";
    assert_eq!(span(&*build(text)), 15 * (32 << 10) + 8 * 128);
    let text = format!("{text}\nindex = 'xor'");
    assert_eq!(span(&*build(&text)), 15 * 256 * (32 << 10) + 8 * 128);
}

#[test]
fn keys_reach_the_kernel() {
    let text =
        "loop = 'lmul'\nelement = 'float'\nthreads = 64\nblocks = 3\ncompute = 7\nsize = 1000";
    let lmul = build(text);
    assert_eq!((lmul.grid().blocks, lmul.grid().threads), (3, 64));
    let compute = |count, latency| Instruction::Compute { count, latency };
    assert_eq!(enumerate::warp(&*lmul, 0, 0)[4], compute(7, 4));

    let text = "loop = 'agg1'\nchains = 2\nlanes = 8\norder = 'sequential'\ncompute = 0\nseed = 9";
    let steps = enumerate::warp(&*build(text), 0, 1);
    let Instruction::Memory(first) = steps[0] else {
        panic!("{:?}", steps[0]);
    };
    assert_eq!(
        (first.lanes, first.addresses.lane(0)),
        (0xff, (1 << 40) + (1 << 20))
    );
    assert_eq!(steps[1], Instruction::Wait);
    assert_eq!(steps.len(), 2 * 8192);
    let at = |seed| {
        let agg1 = build(&format!("loop = 'agg1'\nseed = {seed}"));
        let place = Place {
            block: 0,
            warp: 0,
            step: 0,
            lap: 0,
        };
        agg1.instruction(&place)
    };
    assert_ne!(at(1), at(2));
}

#[test]
fn a_benchmark_and_what_is_changed_of_it() {
    let ks = build("loop = 'synthetic'\nlike = 'ks'\nblocks = 5\nlength = 3");
    let grid = Grid {
        blocks: 5,
        threads: 256,
        registers: 12,
        shared_memory: 0,
    };
    assert_eq!(ks.grid(), grid);
    let steps = enumerate::warp(&*ks, 0, 0);
    assert_eq!(steps.len(), 9);
    assert_eq!(
        steps[0],
        Instruction::Compute {
            count: 3,
            latency: 4
        }
    );
    let text = "loop = 'synthetic'\nlike = 'bp'\ncompute = 1\nrequests = 2\nthreads = 64\nregisters = 20\n\
        shared-memory = 512\nreuse = { stores = 1000, in-flight = 2 }";
    let own = build(text);
    let grid = Grid {
        blocks: 256,
        threads: 64,
        registers: 20,
        shared_memory: 512,
    };
    assert_eq!(own.grid(), grid);
    let steps = enumerate::warp(&*own, 3, 1);
    assert_eq!(steps[4], Instruction::Wait);
    let store = matches!(steps[3], Instruction::Memory(m) if m.op == crate::workload::Op::Write);
    assert!(store, "{:?}", steps[3]);
}

#[test]
fn what_is_refused() {
    for (text, expected) in [
        ("loop = 'agg1'\nchains = 'x'", "chains: invalid type: string \"x\", expected u64"),
        ("loop = 'synthetic'\nreuse = { stores = -1 }", "reuse.stores: invalid value: integer `-1`, expected u32"),
        ("loop = 'vma'\nsets = 3", "unknown field `sets`, expected one of `footprint`, `size`, `element`, `threads`, `blocks`, `compute`"),
        ("loop = 'vma'\nfootprint = '25'", "\"25\" is no size, expected a part of the cache as \"25 %\", or bytes"),
        ("loop = 'vma'\nfootprint = '12 B'", "footprint is 12, expected 512 to"),
        ("loop = 'vma'\nfootprint = '12 KiB'\nsize = 3", "size and footprint are both given, expected one of them"),
        ("loop = 'vma'\nelement = 'int'", "unknown variant `int`, expected one of `float`, `double`, `long`"),
        ("loop = 'mm'\nsize = 60", "size is 60, expected a multiple of the tile of a thread block, which is 16"),
        ("loop = 'mm'\ntile = 0", "tile is 0, expected one of 1, 8, 16, 32"),
        ("loop = 'mt'\nfootprint = '1 KiB'", "footprint is 1024, expected 2048 to"),
        ("loop = 'agg1'\norder = 'up'", "unknown variant `up`, expected `sequential` or `random`"),
        ("loop = 'agg1'\nfootprint = '100 B'", "footprint is 100, expected 128 to"),
        ("loop = 'agg1'\nchains = 0", "chains is 0, expected 1 to"),
        ("loop = 'agg2'\nsets = 257", "sets is 257, expected 1 to 256"),
        ("loop = 'agg2'\nfootprint = '1 KiB'", "footprint is 1024, expected 2048 to"),
        ("loop = 'synthetic'\nlike = 'k'", "like is \"k\" (did you mean \"ks\"?), expected one of cp, hs, dc"),
        ("loop = 'synthetic'\nlike = 'kmeans'", "like is \"kmeans\", expected one of cp, hs, dc"),
        ("loop = 'synthetic'\nrequests = 0", "requests is 0, expected 1 to 32"),
        ("loop = 'trace'\nfile = '/no/such.traceg'", "/no/such.traceg: cannot be opened: "),
    ] {
        let message = refused(text);
        assert!(message.contains(expected), "{text}\n{message}");
    }
}
