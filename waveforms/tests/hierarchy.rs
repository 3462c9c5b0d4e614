//! What is declared reads back with the same names, kinds and widths.
//!
//! Branches: each scope and variable kind; widths around one limb; plain signals and arrays of one
//! and more dimensions, one-bit ones apart (wellen joins one-bit `x[0]`, `x[1]` to a vector);
//! names that are fine, need replacing, or collide once replaced; several clocks.

use crate::common::{self, dump, Wave};
use cotenant_waveforms::{Error, Kind, Layout, Options, Scope, ScopeKind, Signal};
use wellen::{ScopeType, VarType};

fn read(top: Scope) -> (Layout, Wave) {
    let layout = Layout::new(top).unwrap();
    let zeros = layout.signals().map(|_| vec![0]).collect();
    let text = dump(&layout, &Options::new(), &vec![(0, zeros)]);
    (layout, Wave::read(&text).unwrap())
}

#[test]
fn scopes_keep_kind_and_nesting() {
    let kinds = [
        (ScopeKind::Module, ScopeType::Module),
        (ScopeKind::Task, ScopeType::Task),
        (ScopeKind::Function, ScopeType::Function),
        (ScopeKind::Begin, ScopeType::Begin),
        (ScopeKind::Fork, ScopeType::Fork),
    ];
    let mut top = Scope::module("top");
    for (kind, _) in kinds {
        let inner = Scope::module("inner").signal(Signal::wire("x", 3));
        top.push_scope(Scope::new(format!("{kind:?}"), kind).scope(inner));
    }
    let (_, wave) = read(top);
    let hierarchy = wave.wave.hierarchy();
    for (kind, expected) in kinds {
        let name = format!("{kind:?}");
        let scope = hierarchy.lookup_scope(&["top", &name]).unwrap();
        assert_eq!(hierarchy[scope].scope_type(), expected);
        assert_eq!(wave.variable(&format!("top.{name}.inner.x")).unwrap().1, 3);
    }
}

#[test]
fn variables_keep_kind_and_width() {
    let kinds = [
        (Kind::Wire, VarType::Wire, 5),
        (Kind::Reg, VarType::Reg, 200),
        (Kind::Integer, VarType::Integer, 32),
        (Kind::Parameter, VarType::Parameter, 8),
        (Kind::Time, VarType::Time, 64),
    ];
    let signals = kinds.map(|(kind, _, width)| Signal::new(format!("{kind:?}"), width, kind));
    let (_, wave) = read(Scope::module("top").signals(signals));
    let hierarchy = wave.wave.hierarchy();
    for (kind, expected, width) in kinds {
        let found = hierarchy
            .lookup_var(&["top"], &*format!("{kind:?}"))
            .unwrap();
        assert_eq!(hierarchy[found].var_type(), expected);
        assert_eq!(hierarchy[found].length(hierarchy), Some(width));
    }
}

#[test]
fn array_elements_are_distinct_signals() {
    let top = Scope::module("top")
        .signal(Signal::wire("valid", 1).array([3]))
        .signal(Signal::reg("order", 4).array([2]))
        .signal(Signal::reg("count", 70).array([2, 3]));
    let (layout, wave) = read(top);
    let paths: Vec<&str> = layout.signals().map(|(_, path, _)| path).collect();
    assert_eq!(
        paths[..5],
        [
            "top.valid(0)",
            "top.valid(1)",
            "top.valid(2)",
            "top.order(0)",
            "top.order(1)"
        ]
    );
    assert_eq!(
        paths[5..8],
        ["top.count(0)(0)", "top.count(0)(1)", "top.count(0)(2)"]
    );
    let mut signals: Vec<_> = paths
        .iter()
        .map(|path| wave.variable(path).unwrap().0)
        .collect();
    signals.dedup();
    assert_eq!(signals.len(), 3 + 2 + 6);
    assert_eq!(wave.wave.hierarchy().all_vars().count(), signals.len());
    let elements: Vec<_> = layout.array("top.count").unwrap().collect();
    assert_eq!(layout.path(elements[4]), Some("top.count(1)(1)"));
    assert_eq!(layout.find("top.count[1][1]").unwrap(), elements[4]);
    assert!(matches!(
        layout.find("top.count"),
        Err(Error::NoSignal { .. })
    ));
}

/// Why array elements are not called `valid[0]`: wellen makes one vector of the one-bit ones. If
/// this fails one day, brackets may have become possible.
#[test]
fn brackets_would_be_joined() {
    let text =
        "$scope module top $end\n$var wire 1 ! valid[0] $end\n$var wire 1 \" valid[1] $end\n\
                $upscope $end\n$enddefinitions $end\n#0\n1!\n0\"\n#10\n";
    let wave = Wave::read(text.as_bytes()).unwrap();
    assert_eq!(wave.wave.hierarchy().all_vars().count(), 1);
}

#[test]
fn names_are_made_readable_and_stay_distinct() {
    let cases = [
        ("plain", "plain"),
        ("order[3]", "order(3)"),
        ("m[1][2]", "m(1)(2)"),
        ("bits[7:0]", "bits(7_0)"),
        ("row$0$q", "row$0$q"),
        ("a.b", "a_b"),
        ("a b", "a_b_1"),
        ("a_b_1", "a_b_1_1"),
        ("x$end", "x_end"),
        ("$end", "_end"),
        ("$$end", "__end"),
        ("\u{fc}ber", "_ber"),
        ("\n", "_"),
        ("end", "end"),
        ("wire", "wire"),
        ("7", "7"),
    ];
    let signals = cases.map(|(name, _)| Signal::wire(name, 2));
    let scopes = Scope::module("child[0]").signal(Signal::wire("x", 1));
    let (layout, wave) = read(Scope::module("my top").signals(signals).scope(scopes));
    for ((_, path, _), (raw, written)) in layout.signals().zip(cases) {
        assert_eq!(path, format!("my_top.{written}"), "{raw:?}");
        assert!(wave.variable(path).is_ok(), "{path}");
    }
    assert!(wave.variable("my_top.child(0).x").is_ok());
}

/// An element must not take the name of a signal beside it.
#[test]
fn array_elements_and_signals_stay_distinct() {
    let top = Scope::module("top")
        .signal(Signal::wire("x(1)", 2))
        .signal(Signal::wire("x", 3).array([2]))
        .scope(Scope::module("x[0]"));
    let (layout, wave) = read(top);
    let paths: Vec<&str> = layout.signals().map(|(_, path, _)| path).collect();
    assert_eq!(paths, ["top.x(1)", "top.x(0)", "top.x(1)_1"]);
    assert_eq!(wave.variable("top.x(1)_1").unwrap().1, 3);
    assert!(wave
        .wave
        .hierarchy()
        .lookup_scope(&["top", "x(0)_1"])
        .is_some());
}

#[test]
fn clocks_share_one_signal() {
    let child = Scope::module("dut")
        .signal(Signal::clock("clock"))
        .signal(Signal::wire("x", 1));
    let top = Scope::module("top")
        .signal(Signal::clock("clk"))
        .scope(child);
    let (layout, wave) = read(top);
    assert_eq!(layout.len(), 1);
    let (clk, clock) = (
        wave.variable("top.clk").unwrap(),
        wave.variable("top.dut.clock").unwrap(),
    );
    assert_eq!(clk, clock);
    assert_eq!(
        [0, 4, 5, 9].map(|time| wave.digits(clk.0, time)),
        ["1", "1", "0", "0"]
    );
}

/// More signals than one- and two-character identifiers: 94 + 94 * 94 = 8930.
#[test]
fn many_signals_keep_their_identifiers() {
    let top = Scope::module("top").signal(Signal::wire("x", 14).array([9_000]));
    let layout = Layout::new(top).unwrap();
    let values = (0..9_000).map(|value| vec![value]).collect();
    let text = dump(&layout, &Options::new(), &vec![(0, values)]);
    let wave = Wave::read(&text).unwrap();
    for value in [0, 1, 93, 94, 95, 8_928, 8_929, 8_930, 8_999] {
        assert_eq!(
            wave.at(&format!("top.x({value})"), 0),
            common::binary(14, &[value])
        );
    }
}

#[test]
fn what_no_file_can_hold_is_refused() {
    let refused = |top: Scope| Layout::new(top).unwrap_err().to_string();
    let one = |signal: Signal| refused(Scope::module("top").signal(signal));
    assert_eq!(
        refused(Scope::module("")),
        "name in scope top \"\": expected at least one character"
    );
    assert!(one(Signal::wire("", 1)).contains("name in scope top"));
    assert!(one(Signal::wire("x", 0)).contains("signal `top.x` has width 0"));
    assert!(one(Signal::wire("x", u32::MAX)).contains("2^20"));
    assert!(one(Signal::new("x", 31, Kind::Integer)).contains("32 bits for integer"));
    assert!(one(Signal::new("x", 32, Kind::Time)).contains("64 for time"));
    assert!(one(Signal::wire("x", 1).array([0])).contains("shape [0]"));
    assert!(one(Signal::wire("x", 1).array([usize::MAX, 2])).contains("2^20 elements"));
    assert!(one(Signal::clock("x").array([2])).contains("generated clock"));
    assert!(one(Signal::wire("x", 2).named("T", [(4, "Far")])).contains("names the value 4"));
    let twice = Scope::module("top")
        .signal(Signal::wire("x", 1))
        .scope(Scope::module("x"));
    assert_eq!(
        refused(twice),
        "scope `top` declares `x` twice; names must be unique in a scope"
    );
}
