//! Rationale: users compile the exported text with tools that warn, and reason about it with tools
//! that prove. Each unit in each test set, with loops and unrolled, is read by Verilator, Icarus and Yosys without a warning,
//! and Yosys and abc prove it equal to the netlist for all inputs and states (of a unit behind a
//! bus the smaller sets); so are sets that take other branches in widths and codes (no powers of
//! two) and other pipeline depths. Both checks are seen to find something: a warning of each tool,
//! and a fault in the netlist of each unit, whose text is right. That the flat text of a faulty unit
//! is the faulty netlist is tested where it is made, in `hdl/netlist/tests/flat.rs`.
#![allow(missing_docs)]

use std::process::Command;
use std::sync::OnceLock;

use crate::common::faults::{faulty_units, Faulty};
use crate::common::recorded::{self, digest, Recorded};
use crate::common::{distinct_test_sets, test_sets};
use cotenant::export::{
    export_named, lint, lint_testbench, prove, Error, Exported, Options, Vectors,
};
use cotenant::verify::lockstep::Flow;
use cotenant_netlist::equivalence::Verdict;
use cotenant_netlist::fault::find;
use cotenant_units::table;
use tempfile::TempDir;

fn exported(unit: &str, set: &str, options: &Options) -> (TempDir, Exported) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("export");
    let exported = export_named(unit, set, &folder, options, &mut |_| Flow::Continue);
    (
        parent,
        exported.unwrap_or_else(|e| panic!("{unit} {set}: {e}")),
    )
}

/// Sets whose ways, kernels or widths are no powers of two, whose pipeline is not the default's or
/// which are another variant, and which are no test sets; of those that differ in the counter's
/// width only, the narrowest.
fn others(unit: &str) -> Vec<&'static str> {
    let sets = table::sets(unit).unwrap();
    let value = |set: &table::ParameterSet, name: &str| {
        set.params
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, value)| *value)
    };
    let odd = sets.iter().filter(|set| {
        let values = |names: &[&'static str]| -> Vec<usize> {
            names.iter().filter_map(|name| value(set, name)).collect()
        };
        let sizes = values(&[
            "WAYS",
            "KERNELS",
            "APPLICATIONS",
            "CORES",
            "WIDTH",
            "COUNT_W",
        ]);
        let odd = sizes.into_iter().any(|size| !size.is_power_of_two());
        let narrower = sets.iter().any(|other| {
            let others = |(a, b): (&(_, usize), &(_, usize))| match a.0 {
                "CNT_W" => b.1 < a.1,
                _ => a == b,
            };
            let differs = value(other, "CNT_W") != value(set, "CNT_W");
            differs && set.params.iter().zip(&other.params).all(others)
        });
        let variant = values(&["RELEASE", "CAP"]).into_iter().any(|flag| flag > 0);
        let pipeline = value(set, "STAGES").is_some_and(|stages| stages != 1);
        set.aliases.is_empty() && (odd && !narrower || variant || pipeline)
    });
    odd.map(|set| set.name).collect()
}

#[test]
fn most_units_have_such_sets() {
    // Behind a bus some sets of a unit are tested again, most of them test sets.
    let behind = |unit: &&str| unit.ends_with("_apb") || unit.ends_with("_axi");
    let units: Vec<_> = table::units().into_iter().filter(|u| !behind(u)).collect();
    let have = units.iter().filter(|unit| others(unit).len() >= 3).count();
    assert!(2 * have > units.len(), "{have} of {}", units.len());
}

static RECORDED: OnceLock<Recorded> = OnceLock::new();

/// Makes a check of a unit and parameter set, unless it is recorded.
fn check(what: &str, exported: &Exported, check: impl FnOnce()) {
    let (unit, set) = (&exported.manifest.unit, &exported.manifest.set);
    let recorded = RECORDED.get_or_init(|| Recorded::of("verilog_units"));
    let digest = format!("{} {}", exported.netlist.digest(), digest(&exported.folder));
    recorded.check(&format!("{unit} {set} {what}"), &digest, check);
}

#[test]
fn what_is_recorded_is_there() {
    recorded::names_sets("verilog_units");
}

/// Both forms of the text, with what is said of them before the check's name.
const FORMS: [Form; 2] = [("", Options::default), ("unrolled ", unrolled)];
type Form = (&'static str, fn() -> Options);

fn unrolled() -> Options {
    Options::default().unrolled()
}

/// Of each unit the test sets and the others, exported once in each form: no warnings, and proven equal.
#[test]
fn text_is_clean_and_equal_to_its_netlist() {
    for unit in table::units() {
        let odd = others(unit);
        // The largest of them teach nothing that those do not, and take long.
        let proven = [&distinct_test_sets(unit)[..], &odd[..odd.len().min(3)]].concat();
        let sets = test_sets(unit).into_iter().chain(odd);
        for (set, form) in sets.flat_map(|set| FORMS.map(|form| (set, form))) {
            let (name, options) = form;
            let (_parent, exported) = exported(unit, set, &options());
            check(&format!("{name}has no warnings"), &exported, || {
                let warnings = lint(&exported).unwrap();
                assert!(warnings.is_empty(), "{unit} {set}: {}", warnings.join("\n"));
            });
            if proven.contains(&set) {
                check(&format!("{name}equals its netlist"), &exported, || {
                    equals(&exported);
                });
            }
        }
    }
}

fn equals(exported: &Exported) {
    let work = tempfile::tempdir().unwrap();
    let verdict = prove(exported, work.path());
    let (unit, set) = (&exported.manifest.unit, &exported.manifest.set);
    let verdict = verdict.unwrap_or_else(|e| panic!("{unit} {set}: {e}"));
    assert!(
        matches!(verdict, Verdict::Equal { bits } if bits > 0),
        "{unit} {set}: {verdict:?}"
    );
}

#[test]
fn testbenches_are_clean_in_icarus() {
    let options = Options::default().with_testbench(Vectors::default().cycles(10));
    for unit in table::units() {
        for set in test_sets(unit) {
            let (_parent, exported) = exported(unit, set, &options);
            check("has a testbench without warnings", &exported, || {
                let warnings = lint_testbench(&exported).unwrap();
                assert!(warnings.is_empty(), "{unit} {set}: {}", warnings.join("\n"));
            });
        }
    }
}

/// `make lint`, as a user runs it.
fn make_lint(exported: &Exported) -> bool {
    let make = Command::new("make")
        .arg("-C")
        .arg(&exported.folder)
        .arg("lint")
        .output();
    make.expect("make does not start: run scripts/setup")
        .status
        .success()
}

#[test]
fn each_linter_finds_what_is_wrong() {
    let options = unrolled().with_testbench(Vectors::default().cycles(10));
    let (_parent, exported) = exported("gdcu", "small", &options);
    assert!(make_lint(&exported));
    let path = exported.folder.join(format!("{}.v", exported.design.top));
    let good = std::fs::read_to_string(&path).unwrap();
    let broken = |from: &str, to: &str| {
        assert!(good.contains(from), "{good}");
        std::fs::write(&path, good.replacen(from, to, 1)).unwrap();
        assert!(!make_lint(&exported), "{from}");
        lint(&exported).unwrap().join("\n")
    };
    // A wire that nobody reads; a port that gets too few bits; a wire that nobody drives.
    let unread = broken(
        "  wire [3:0] incs;\n",
        "  wire [3:0] incs;\n  wire extra = reset;\n",
    );
    assert!(
        unread.contains("verilator: ") && unread.contains("UNUSED"),
        "{unread}"
    );
    let narrow = broken(".inc(incs)", ".inc(incs[2:0])");
    assert!(
        narrow.contains("iverilog: ") && narrow.contains("expects 4 bits"),
        "{narrow}"
    );
    let undriven = broken("  assign read_count = matrix_read_count;\n", "");
    assert!(undriven.contains("yosys: "), "{undriven}");
    let latch = broken(
        "  wire [3:0] incs;\n",
        "  wire [3:0] incs;\n  reg kept;\n  always @* if (reset) kept = incs[0];\n",
    );
    assert!(
        latch.contains("yosys: ") && latch.contains("dlatch"),
        "{latch}"
    );
}

#[test]
fn text_of_a_right_unit_is_not_the_faulty_netlist() {
    for Faulty {
        unit, set, fault, ..
    } in faulty_units()
    {
        let (_parent, mut exported) = exported(unit, set, &Options::default());
        let place = find(&exported.netlist, fault).unwrap();
        exported.netlist = exported.netlist.with_fault(&place).unwrap();
        check("is not its netlist with a fault", &exported, || {
            let work = tempfile::tempdir().unwrap();
            let verdict = prove(&exported, work.path()).unwrap_or_else(|e| panic!("{unit}: {e}"));
            assert!(
                matches!(verdict, Verdict::Different { .. }),
                "{unit} {fault}: {verdict:?}"
            );
        });
    }
}

/// A change of the text of a module with RAMs: `from` becomes `to`. What is tested is how the text
/// of a RAM is read and what of it is compared; faults of the netlist do not reach there.
#[derive(Debug)]
struct Change {
    module: &'static str,
    from: &'static str,
    to: &'static str,
}

const fn in_tags(from: &'static str, to: &'static str) -> Change {
    let module = "llc_tags";
    Change { module, from, to }
}

const fn in_directory(from: &'static str, to: &'static str) -> Change {
    let module = "llc_directory";
    Change { module, from, to }
}

/// What is said of the smallest monitor after a change.
fn judged(change: &Change) -> Result<Verdict, Error> {
    let (_parent, exported) = exported("llc_monitor", "small", &unrolled());
    let own = exported.manifest.sources.iter();
    let own: Vec<_> = own.filter(|name| name.starts_with(change.module)).collect();
    let [file] = &own[..] else {
        panic!("{change:?}: {own:?}")
    };
    let path = exported.folder.join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(change.from), "{change:?}:\n{text}");
    std::fs::write(&path, text.replacen(change.from, change.to, 1)).unwrap();
    let work = tempfile::tempdir().unwrap();
    prove(&exported, work.path())
}

#[test]
fn what_is_written_to_a_ram_is_compared() {
    let refuted = [
        // Enable: seldom, always, that of another RAM, not for all bits.
        in_tags("if (write_ways[0])", "if (write_ways[0] & reset)"),
        in_directory("if (updates)", "if (1'b1)"),
        in_tags("if (write_ways[0])", "if (write_ways[1])"),
        in_tags(
            "[write_set] <= write_tag",
            "[write_set][34:0] <= write_tag[34:0]",
        ),
        // Address to write and to read, data.
        in_tags("[write_set] <= write_tag", "[compare_set] <= write_tag"),
        in_tags("<= way_0[request_set]", "<= way_0[compare_set]"),
        in_tags("[write_set] <= write_tag", "[write_set] <= compare_tag"),
        in_directory("<= write_word;", "<= write_word ^ 5'd1;"),
    ];
    for change in &refuted {
        let verdict = judged(change);
        assert!(
            matches!(verdict, Ok(Verdict::Different { .. })),
            "{change:?}: {verdict:?}"
        );
    }
    // While nothing is written, address and data may be anything.
    let harmless = [
        in_tags(
            "[write_set] <= write_tag",
            "[write_ways[0] ? write_set : compare_set] <= write_tag",
        ),
        in_tags(
            "[write_set] <= write_tag",
            "[write_set] <= write_tag & {36{write_ways[0]}}",
        ),
    ];
    for change in &harmless {
        let verdict = judged(change);
        assert!(
            matches!(verdict, Ok(Verdict::Equal { .. })),
            "{change:?}: {verdict:?}"
        );
    }
}

#[test]
fn a_flop_of_the_verilog_alone_is_refused_where_it_is_used() {
    const RAM: &str = "reg [35:0] way_0 [0:15];
  always @(posedge clock) begin
    way_0_read_data <= way_0[request_set];
    if (write_ways[0]) begin";
    let unused = RAM.replacen(
        "reg",
        "reg after;\n  always @(posedge clock) after <= reset;\n  reg",
        1,
    );
    let used = unused.replace("write_ways[0]", "write_ways[0] & after");
    let judge = |to: &str| judged(&in_tags(RAM, to.to_string().leak()));
    let verdict = judge(&unused);
    assert!(matches!(verdict, Ok(Verdict::Equal { .. })), "{verdict:?}");
    let error = judge(&used).unwrap_err().to_string();
    assert!(error.contains("after' is not in the netlist"), "{error}");
}
