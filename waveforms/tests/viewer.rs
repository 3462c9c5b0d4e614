//! What viewers are told to show.
//!
//! Rationale: GTKWave leaves out, without a word, a signal that it does not find. So every name in
//! a save file is looked up in the wave; a renamed signal, another width and a group that is not
//! closed must be noticed. Random hierarchies have the names that viewers stumble over.

use crate::common::{dump, Run, Wave};
use crate::gtkw::Save;
use crate::random;
use cotenant_waveforms::viewer::{gtkwave, surfer, write_beside, View};
use cotenant_waveforms::{Colour, Kind, Layout, Options, Radix, Ring, Scope, Signal};
use proptest::prelude::*;
use std::fs;

/// Two sides of a design, a counter that is a matrix, a state that has names.
fn layout() -> Layout {
    let side = |name: &str| {
        let matrix = Scope::module("matrix")
            .signal(Signal::reg("count", 21).array([2, 2]).radix(Radix::Decimal));
        Scope::module(name)
            .signal(Signal::wire("valid", 1).group("inputs").folded())
            .signal(Signal::wire("tag", 36).group("inputs"))
            .signal(
                Signal::wire("order", 8)
                    .radix(Radix::Binary)
                    .group("outputs"),
            )
            .signal(Signal::reg("state", 2).named("State", [(0, "Idle"), (1, "Fill")]))
            .signal(Signal::wire("late", 1).group("inputs"))
            .scope(matrix.folded())
    };
    let top = Scope::module("top")
        .signal(Signal::clock("clock"))
        .signal(Signal::wire("mismatch", 1).colour(Colour::Red).pinned())
        .signal(Signal::new("ways", 32, Kind::Parameter))
        .scope(side("dut").colour(Colour::Green))
        .scope(side("golden").colour(Colour::Yellow));
    Layout::new(top).unwrap()
}

fn run(layout: &Layout, cycles: std::ops::Range<u64>) -> Run {
    let zeros = vec![vec![0]; layout.len()];
    cycles.map(|cycle| (cycle, zeros.clone())).collect()
}

fn view(cycles: std::ops::Range<u64>) -> View {
    View::new(&Options::new().comment("seed 7"), cycles)
}

#[test]
fn signals_have_groups_digits_colours_and_names() {
    let layout = layout();
    let text = gtkwave("w.vcd", &layout, &view(0..10));
    let save = Save::parse(&text).unwrap();
    assert!(text.starts_with("[*] seed 7\n"), "{text}");
    let shown = |path: &str| {
        let trace = save.trace(path);
        let groups: Vec<String> = trace
            .groups
            .iter()
            .map(|(name, folded)| format!("{name}{}", if *folded { "+" } else { "" }))
            .collect();
        (groups.join("/"), trace.flags, trace.colour)
    };
    assert_eq!(shown("top.clock"), (String::new(), 0x28, 0));
    assert_eq!(shown("top.mismatch"), (String::new(), 0x28, 1));
    assert_eq!(shown("top.dut.valid"), ("dut/inputs+".into(), 0x28, 4));
    assert_eq!(shown("top.dut.tag"), ("dut/inputs+".into(), 0x22, 4));
    assert_eq!(shown("top.dut.late"), ("dut/inputs+".into(), 0x28, 4));
    assert_eq!(
        shown("top.golden.order"),
        ("golden/outputs".into(), 0x28, 3)
    );
    assert_eq!(shown("top.golden.state"), ("golden".into(), 0x2028, 3));
    let names = save.trace("top.golden.state").names.as_deref();
    assert_eq!(names, Some("State.bin2.txt"));
    let count = shown("top.dut.matrix.count(1)(0)");
    assert_eq!(count, ("dut/matrix+/count (4)+".into(), 0x24, 4));
    assert_eq!(
        save.traces.len(),
        layout.len() + 1,
        "each once, and the clock"
    );
}

#[test]
fn signed_and_unsigned_decimals_differ() {
    let top = Scope::module("top")
        .signal(Signal::integer("number"))
        .signal(Signal::new("size", 32, Kind::Parameter).radix(Radix::Decimal))
        .signal(Signal::wire("offset", 5).radix(Radix::Signed));
    let text = gtkwave("w.vcd", &Layout::new(top).unwrap(), &view(0..1));
    let save = Save::parse(&text).unwrap();
    let flags: Vec<u32> = save.traces.iter().map(|trace| trace.flags).collect();
    assert_eq!(flags, [0x424, 0x24, 0x424]);
}

/// A packed signal is shown whole, and its elements below it; characters are text.
#[test]
fn packed_signals_are_shown_by_element() {
    let top = Scope::module("top").colour(Colour::Green).scope(
        Scope::module("dut")
            .signal(Signal::wire("way", 6).elements(2, Radix::Decimal))
            .signal(Signal::wire("odd", 7).elements(2, Radix::Decimal))
            .signal(Signal::wire("one", 2).elements(2, Radix::Decimal))
            .signal(Signal::reg("step", 40).radix(Radix::Text)),
    );
    let layout = Layout::new(top).unwrap();
    let text = gtkwave("w.vcd", &layout, &view(0..3));
    let save = Save::parse(&text).unwrap();
    // What is no number of whole elements, or a single one, has none.
    let elements: Vec<(&str, &[u32], u32, u32)> = save
        .elements
        .iter()
        .map(|it| (&it.name[..], &it.bits[..], it.flags, it.colour))
        .collect();
    assert_eq!(
        elements,
        [
            ("way[0]", &[1, 0][..], 0x24, 4),
            ("way[1]", &[3, 2], 0x24, 4),
            ("way[2]", &[5, 4], 0x24, 4)
        ]
    );
    assert!(text.contains("\n-way (3)\n"), "{text}");
    assert_eq!(save.trace("top.dut.way").width, Some(6));
    assert_eq!(save.trace("top.dut.step").flags, 0x820);
    let wave = Wave::read(&dump(&layout, &Options::new(), &run(&layout, 0..3))).unwrap();
    assert!(save.missing(&wave.wave).is_empty());
    let broken = Save::parse(&text.replace("(0)top.dut.way[5:0]", "(0)top.dut.ways[5:0]"));
    assert!(broken.is_err(), "bits of two signals");
    let broken = Save::parse(&text.replace(")top.dut.way[", ")top.dut.ways[")).unwrap();
    assert_eq!(broken.missing(&wave.wave), ["top.dut.ways"; 3]);
}

#[test]
fn the_mark_and_what_differs_come_first() {
    let layout = layout();
    let first = ["top.dut.order", "top.nothing", "top.golden.order"];
    let view = view(1000..1400).mark(1200).first(first);
    let save = Save::parse(&gtkwave("w.vcd", &layout, &view)).unwrap();
    assert_eq!((save.marker, save.start), (12_000, 11_760));
    // 32 cycles of 10 units on 950 pixels; a frame of 200 has 2^-zoom units.
    let units = 2f64.powf(-save.zoom);
    assert!((units / 200.0 * 950.0 - 320.0).abs() < 0.01, "{units}");
    let paths: Vec<&str> = save
        .traces
        .iter()
        .map(|trace| trace.path.as_str())
        .collect();
    assert_eq!(
        paths[..5],
        [
            "top.clock",
            "top.mismatch",
            "top.ways",
            "top.dut.order",
            "top.golden.order"
        ]
    );
    // Near the ends as many cycles are shown; a short wave is shown whole.
    for (cycles, mark, start) in [
        (0..400, Some(3), 0),
        (0..400, Some(399), 3680),
        (7..20, Some(19), 70),
        (0..400, None, 0),
    ] {
        let mut view = View::new(&Options::new(), cycles);
        view.marked = mark;
        let save = Save::parse(&gtkwave("w.vcd", &layout, &view)).unwrap();
        assert_eq!(save.start, start);
        assert_eq!(save.marker, mark.map_or(-1, |cycle| cycle as i64 * 10));
    }
}

#[test]
fn a_name_that_the_wave_does_not_have_is_caught() {
    let layout = layout();
    let wave = Wave::read(&dump(&layout, &Options::new(), &run(&layout, 0..3))).unwrap();
    let text = gtkwave("w.vcd", &layout, &view(0..3));
    assert!(Save::parse(&text).unwrap().missing(&wave.wave).is_empty());
    for (of, to, missing) in [
        ("top.dut.tag[35:0]", "top.dut.tags[35:0]", "top.dut.tags"),
        ("top.dut.tag[35:0]", "top.dut.tag[34:0]", "top.dut.tag"),
        ("top.golden.valid", "top.gold.valid", "top.gold.valid"),
        ("top.ways", "top.ways[31:0]", "top.ways"),
    ] {
        let broken = Save::parse(&text.replace(of, to)).unwrap();
        assert_eq!(broken.missing(&wave.wave), [missing]);
    }
    let open = text.replacen("@1000200", "@200", 1);
    assert!(Save::parse(&open).is_err(), "a group stays open");
}

#[test]
fn files_are_beside_the_wave_and_can_be_moved() {
    let folder = tempfile::tempdir().unwrap();
    let layout = layout();
    let mut ring = Ring::new(&layout, 5).unwrap();
    for cycle in 0..20 {
        ring.push_with(cycle, |out| out.put_all(vec![0u8; layout.len()]))
            .unwrap();
    }
    let cycles = ring.cycles().unwrap();
    assert_eq!(cycles, 15..20);
    for extension in ["vcd", "fst"] {
        let path = folder.path().join(format!("run.{extension}"));
        let options = Options::new().format(cotenant_waveforms::Format::of(&path));
        let path = ring.write(path, &options).unwrap();
        let files = write_beside(&path, &layout, &View::new(&options, cycles.clone())).unwrap();
        let names = ["State.bin2.txt", "run.gtkw", "run.sucl"];
        assert_eq!(files, names.map(|name| folder.path().join(name)));
        let save = Save::parse(&fs::read_to_string(&files[1]).unwrap()).unwrap();
        assert_eq!(save.dump, format!("run.{extension}"));
        assert_eq!(save.save, "run.gtkw");
        assert!(save.missing(&Wave::open(&path).wave).is_empty());
        let here = folder.path().to_str().unwrap();
        for file in &files {
            let text = fs::read_to_string(file).unwrap();
            assert!(!text.contains(here), "{text}");
        }
    }
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        5,
        "nothing partial left"
    );
    let nowhere = write_beside("/".as_ref(), &layout, &view(0..1)).unwrap_err();
    assert!(
        nowhere.to_string().contains("the name of a file"),
        "{nowhere}"
    );
}

// Surfer's words are those of its manual; which of them are used is fixed here, so that a change
// is looked up there.
#[test]
fn surfers_commands() {
    let view = view(0..400)
        .mark(30)
        .first(["top.dut.order", "top.golden.order"]);
    let text = surfer("w.vcd", &layout(), &view);
    let commands: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(
        commands,
        [
            "load_file w.vcd",
            "variable_add top.clock",
            "item_focus a",
            "variable_add top.mismatch",
            "item_focus b",
            "item_set_color Red",
            "variable_add top.ways",
            "item_focus c",
            "item_set_format Signed",
            "variable_add top.dut.order",
            "item_focus d",
            "item_set_color Green",
            "item_set_format Binary",
            "variable_add top.golden.order",
            "item_focus e",
            "item_set_color Yellow",
            "item_set_format Binary",
            "item_unfocus",
            "scope_add_as_group_recursive top.dut",
            "scope_add_as_group_recursive top.golden",
            "cursor_set 300",
        ]
    );
    assert!(text.contains("not tried in Surfer itself"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_name_is_in_the_wave(scope in random::scope()) {
        let layout = random::with_clock(scope);
        let wave = Wave::read(&dump(&layout, &Options::new(), &run(&layout, 0..1))).unwrap();
        let save = Save::parse(&gtkwave("w.vcd", &layout, &view(0..1))).unwrap();
        prop_assert_eq!(save.missing(&wave.wave), Vec::<String>::new());
        prop_assert_eq!(save.traces.len(), layout.len() + 1);
    }
}
