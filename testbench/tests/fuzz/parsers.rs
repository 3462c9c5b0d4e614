//! Every parser, on arbitrary bytes and on damaged files.

use std::fmt::Display;
use std::io::Cursor;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cotenant::registry::UNITS;
use cotenant::unit::llc::Popcnt;
use cotenant::verify::dump::{self, Map};
use cotenant::verify::fault::mutation::{NotMeasured, Record};
use cotenant::verify::lockstep::Flow;
use cotenant::verify::vectors::{self, Recorded, Vectors};
use cotenant_golden::presets::{self, Preset};
use cotenant_golden::workload::program::recorded::Recording;
use cotenant_golden::workload::program::Spec;
use cotenant_golden::workload::scenario::{self, Scenario};
use cotenant_golden::workload::trace::{Format, Options, Reader};
use cotenant_netlist::fault;
use cotenant_units::table;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::damage::damaged;
use super::runs;

/// No input of a few hundred bytes may take longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A parser: takes the bytes, and says what is wrong with them.
type Parser = fn(&[u8], &Path) -> Result<(), String>;

/// A parser under its name in `corpus`, what its messages must contain one of, and good texts.
struct Target {
    name: &'static str,
    parse: Parser,
    /// A message without any of these does not say where.
    places: &'static [&'static str],
    good: fn() -> Vec<Vec<u8>>,
}

fn said(error: impl Display) -> String {
    error.to_string()
}

/// What a reader of a trace makes of it, by content or as a format.
fn trace(bytes: &[u8], format: Option<Format>) -> Result<(), String> {
    for line in [32, 128] {
        let options = Options { line, kernels: 4 };
        let input = Cursor::new(bytes.to_vec());
        let reader = Reader::new("fuzzed", input, None, format, options).map_err(said)?;
        for access in reader {
            assert!(usize::from(access.map_err(said)?.kernel) < 4);
        }
    }
    Ok(())
}

/// The text, if it is one: what takes a text is given a text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn file(bytes: &[u8], folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn lines(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

const MAP: &str =
    "[clock]\nsignal = \"t.clock\"\n[sample]\nbefore = 0\n[ports]\ndata = \"t.data\"\n\
                   count = \"t.count\"\n";
const VCD: &str = "$date x $end\n$version y $end\n$timescale 1ns $end\n$scope module t $end\n\
    $var wire 1 ! clock $end\n$var wire 2 # data [1:0] $end\n$var reg 2 % count [1:0] $end\n\
    $upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n0!\nb0 #\nb0 %\n$end\n#5\n1!\n#10\n0!\nb11 #\n\
    b10 %\n#15\n1!\n#20\n0!\nbx #\n#25\n1!\n";

fn compare(map: &str, vcd: &[u8], folder: &Path) -> Result<(), String> {
    let map = Map::parse(Path::new("fuzzed.toml"), map).map_err(said)?;
    let path = file(vcd, folder, "fuzzed.vcd");
    let set = table::set("popcnt", "2").unwrap();
    let watch = &mut |_| Flow::Continue;
    dump::check::<Popcnt>(&set, &map, &path, &dump::Options::default(), watch)
        .map(drop)
        .map_err(said)
}

const TARGETS: [Target; 14] = [
    Target {
        name: "csv",
        parse: |bytes, _| trace(bytes, Some(Format::Csv)),
        places: &["fuzzed:"],
        good: || lines(&["kernel,op,address,cycle\n0,R,0x1000,1\n3,W,4096,2\n# end\n"]),
    },
    Target {
        name: "din",
        parse: |bytes, _| trace(bytes, Some(Format::Din)),
        places: &["fuzzed:"],
        good: || lines(&["0 1000 x\n1 0xdeadbeef\n2 0\n3 7f\n4 0\n"]),
    },
    Target {
        name: "traceg",
        parse: |bytes, _| {
            trace(bytes, Some(Format::Traceg))?;
            let input = Cursor::new(bytes.to_vec());
            Recording::read("fuzzed", input).map(drop).map_err(said)
        },
        places: &["fuzzed:"],
        good: || {
            lines(&[
                "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 9\n\
                -shmem base_addr = 0x7f0000\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\
                #BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n\
                0000 f 1 R4 LDG.E 1 R4 4 0 0x100 0x180 0x104 0x1a0 0\n\
                0010 ffffffff 1 R4 LD.E.64 1 R4 8 1 0xfffffffffffffff8 4 0\n\
                0020 80000005 0 STG.E.128 1 R44 16 2 0x1000 16 -4096 0\n#END_TB\n",
            ])
        },
    },
    Target {
        name: "trace-by-content",
        parse: |bytes, _| trace(bytes, None),
        places: &["fuzzed:"],
        good: || {
            let gzip = flate2_of(b"0,R,0x1000\n1,W,0\n");
            [
                lines(&["0,R,1\n", "0 1000\n", "-accelsim tracer version = 4\n"]),
                vec![gzip],
            ]
            .concat()
        },
    },
    Target {
        name: "trace-source",
        parse: |bytes, _| {
            let source = text(bytes).parse::<cotenant_golden::workload::trace::Source>();
            source.map(drop).map_err(said)
        },
        places: &["\""],
        good: || lines(&["2=agg1.din", "a.csv", "./1=a"]),
    },
    Target {
        name: "scenario",
        parse: |bytes, _| {
            let scenario = Scenario::from_toml(&text(bytes)).map_err(said)?;
            scenario.gpu().map(drop).map_err(said)
        },
        places: &["line ", "kernel"],
        good: || {
            scenario::names()
                .map(|name| Scenario::text(name).unwrap().into())
                .collect()
        },
    },
    Target {
        name: "preset",
        parse: |bytes, _| Preset::from_toml(&text(bytes)).map(drop).map_err(said),
        places: &["line ", "preset", ": "],
        good: || {
            presets::names()
                .map(|name| Preset::text(name).unwrap().into())
                .collect()
        },
    },
    Target {
        name: "program",
        parse: |bytes, _| {
            let spec: Spec = toml::from_str(&text(bytes)).map_err(said)?;
            let scenario = Scenario::named("six-kernels").unwrap();
            spec.build(1 << 40, &scenario.geometry)
                .map(drop)
                .map_err(said)
        },
        places: &["line ", "is ", "expected"],
        good: || lines(&["loop = 'agg1'\nfootprint = '400 %'\nchains = 8\n"]),
    },
    Target {
        name: "parameter-set",
        parse: |bytes, _| {
            let named = text(bytes);
            for unit in UNITS {
                if let Err(error) = table::set(unit.name(), &named) {
                    // Of a register file's parameter, the parameter is named.
                    let error = said(error);
                    assert!(
                        error.contains(unit.name()) || error.contains('='),
                        "{error}"
                    );
                }
            }
            Ok(())
        },
        places: &[],
        good: || {
            let names = [
                "16x4x21",
                "table-1",
                "WAYS=4,KERNELS=2",
                "2-milg-qbmi",
                "4x4x64x1",
                "WIDTH=3",
            ];
            lines(&names)
        },
    },
    Target {
        name: "fault",
        parse: |bytes, _| {
            let netlist = cotenant::registry::find("rbmi").unwrap();
            let netlist = netlist.netlist(&table::set("rbmi", "2").unwrap()).unwrap();
            fault::find(&netlist, &text(bytes)).map(drop).map_err(said)
        },
        places: &["no fault '"],
        good: || {
            lines(&[
                "stuck bit: bit 0 of selected at 1",
                "lost write: selected",
                "off by one: Add in x, node 17",
            ])
        },
    },
    Target {
        name: "vectors",
        parse: |bytes, folder| {
            let recorded = Recorded::open(&file(bytes, folder, "fuzzed.vec")).map_err(said)?;
            // A header may well be another unit's.
            match recorded.unit() == "popcnt" {
                true => recorded
                    .verify::<Popcnt>(&mut |_| Flow::Continue)
                    .map(drop)
                    .map_err(said),
                false => Ok(()),
            }
        },
        places: &["fuzzed.vec"],
        good: || {
            let mut text = Vec::new();
            let set = table::set("popcnt", "2").unwrap();
            let vectors = Vectors::default().cycles(12);
            vectors::write::<Popcnt>(&set, &vectors, &mut text, &mut |_| Flow::Continue).unwrap();
            vec![text]
        },
    },
    Target {
        name: "dump-map",
        parse: |bytes, folder| compare(&text(bytes), VCD.as_bytes(), folder),
        places: &["fuzzed."],
        good: || {
            let set = table::set("popcnt", "2").unwrap();
            let template = dump::template::<Popcnt>(&set, dump::TOP).unwrap();
            vec![MAP.into(), template.into()]
        },
    },
    Target {
        name: "vcd",
        parse: |bytes, folder| compare(MAP, bytes, folder),
        places: &["fuzzed."],
        good: || lines(&[VCD]),
    },
    Target {
        name: "mutation-record",
        parse: |bytes, folder| {
            file(bytes, folder, "popcnt.json");
            file(bytes, folder, "not-measured.json");
            NotMeasured::read(folder).map_err(said)?;
            let record = Record::read(folder, "popcnt").map_err(said)?;
            let problems = record.sets.iter().flat_map(|set| set.problems("", 1, ""));
            problems.for_each(drop);
            Ok(())
        },
        places: &[".json"],
        good: || {
            let records = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recorded/mutation/");
            let read = |name: &str| std::fs::read(Path::new(records).join(name)).unwrap();
            vec![
                read("popcnt.json"),
                b"{\"llc_monitor\": {\"a\": \"too large\"}}".to_vec(),
            ]
        },
    },
];

/// As a compressed file.
fn flate2_of(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut to = std::process::Command::new("gzip");
    to.arg("-cn")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped());
    let mut gzip = to.spawn().expect("gzip starts");
    gzip.stdin.take().unwrap().write_all(bytes).unwrap();
    gzip.wait_with_output().unwrap().stdout
}

/// What is wrong with how a parser takes the bytes.
fn problem(target: &Target, bytes: &[u8], folder: &Path) -> Option<String> {
    let start = Instant::now();
    let taken = catch_unwind(AssertUnwindSafe(|| (target.parse)(bytes, folder)));
    let elapsed = start.elapsed();
    match taken {
        Err(_) => Some("it panics".into()),
        _ if elapsed > PATIENCE => Some(format!("it takes {elapsed:?}")),
        Ok(Ok(())) => None,
        Ok(Err(message)) => {
            let says_where = target.places.is_empty()
                || target.places.iter().any(|place| message.contains(place));
            match says_where {
                true => {
                    (message.len() > 4000).then(|| format!("{} bytes of message", message.len()))
                }
                false => Some(format!("the message names no place: {message}")),
            }
        }
    }
}

fn fuzz(name: &str, few: u32) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let good = (target.good)();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fuzz/corpus")
        .join(name);
    let found = std::fs::read_dir(corpus).into_iter().flatten();
    for entry in found {
        let path = entry.unwrap().path();
        let problem = problem(target, &std::fs::read(&path).unwrap(), folder.path());
        assert_eq!(problem, None, "{name}: {}", path.display());
    }
    let result = TestRunner::new(runs(few)).run(&damaged(good), |bytes| {
        let problem = problem(target, &bytes, folder.path());
        let shown = || bytes.escape_ascii().to_string();
        prop_assert!(
            problem.is_none(),
            "{}: {} at {}",
            name,
            problem.unwrap(),
            shown()
        );
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

macro_rules! fuzzed {
    ($($test:ident: $name:literal, $few:literal;)*) => {
        $(
            #[test]
            fn $test() {
                fuzz($name, $few);
            }
        )*

        #[test]
        fn all_parsers_are_fuzzed() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$($name),*]);
        }
    };
}

fuzzed! {
    csv_traces: "csv", 300;
    din_traces: "din", 300;
    accel_sim_traces: "traceg", 300;
    traces_of_unknown_format: "trace-by-content", 300;
    sources_of_traces: "trace-source", 300;
    scenarios: "scenario", 100;
    presets_of_platforms: "preset", 100;
    programs_of_kernels: "program", 200;
    names_of_parameter_sets: "parameter-set", 100;
    names_of_faults: "fault", 100;
    recorded_vectors: "vectors", 100;
    maps_of_dumps: "dump-map", 100;
    value_change_dumps: "vcd", 100;
    mutation_records: "mutation-record", 100;
}

/// A parser that panics, one that is slow and one that does not say where are each found.
#[test]
fn a_bad_parser_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let of = |parse: Parser| {
        let target = Target {
            name: "bad",
            parse,
            places: &["line "],
            good: || lines(&["1 2"]),
        };
        let strategy = damaged((target.good)());
        TestRunner::new(runs(200)).run(&strategy, |bytes| {
            let problem = problem(&target, &bytes, folder.path());
            prop_assert!(problem.is_none(), "{}", problem.unwrap());
            Ok(())
        })
    };
    let number = |bytes: &[u8]| {
        let word = text(bytes);
        word.split(' ').next().unwrap_or_default().parse::<u64>()
    };
    let panics = of(|bytes, _| match text(bytes).split(' ').next() {
        Some("18446744073709551615") => panic!("too large"),
        _ => Ok(()),
    });
    // The largest number is among what is tried, if not in each short run.
    drop(panics);
    assert!(number(b"7 1").is_ok());
    let always = of(|bytes, _| match bytes.contains(&b'9') {
        true => panic!("nine"),
        false => Ok(()),
    });
    assert!(always.unwrap_err().to_string().contains("it panics"));
    let nowhere = of(|bytes, _| match bytes.is_empty() {
        true => Ok(()),
        false => Err("no".into()),
    });
    assert!(nowhere.unwrap_err().to_string().contains("names no place"));
}
