//! Random hierarchies and runs read back as they were written, and what is missing is noticed.
//!
//! State space: trees up to four levels deep, names out of characters that readers stumble over, widths on
//! both sides of each limb boundary, arrays; runs in which few bits change a cycle (so that
//! suppressing and writing both happen), with gaps and windows.

mod common;

use common::{dump, shows, Run, Wave};
use cotenant_waveforms::{Gap, Layout, Options, Scope, ScopeKind, Signal, Window};
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z][a-z0-9_]{0,6}",
        1 => "[a-z$.:\\[\\]() #\\\\-]{1,5}",
        1 => prop::sample::select(vec!["$end", "end", "x[1]", "x(1)", "x", "b1 !", "#0", "7"])
            .prop_map(String::from),
    ]
}

fn signal() -> impl Strategy<Value = Signal> {
    let width = prop::sample::select(vec![1, 1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200]);
    let shape = prop_oneof![3 => Just(vec![]), 1 => prop::collection::vec(1usize..4, 1..3)];
    (name(), width, any::<bool>(), shape).prop_map(|(name, width, reg, shape)| {
        let signal = if reg {
            Signal::reg(name, width)
        } else {
            Signal::wire(name, width)
        };
        signal.array(shape)
    })
}

/// A scope whose names are made distinct, as [`Layout::new`] wants them.
fn assemble(name: String, kind: ScopeKind, signals: Vec<Signal>, scopes: Vec<Scope>) -> Scope {
    let mut names = std::collections::HashSet::new();
    let mut scope = Scope::new(name, kind);
    for signal in signals
        .into_iter()
        .filter(|signal| names.insert(signal.name.clone()))
    {
        scope.push_signal(signal);
    }
    for child in scopes {
        if names.insert(child.name.clone()) {
            scope.push_scope(child);
        }
    }
    scope
}

fn kind() -> impl Strategy<Value = ScopeKind> {
    use ScopeKind::{Begin, Fork, Function, Module, Task};
    prop::sample::select(vec![Module, Task, Function, Begin, Fork])
}

fn scope() -> impl Strategy<Value = Scope> {
    let leaf = (name(), kind(), prop::collection::vec(signal(), 0..4))
        .prop_map(|(name, kind, signals)| assemble(name, kind, signals, vec![]));
    leaf.prop_recursive(3, 12, 3, |inner| {
        let signals = prop::collection::vec(signal(), 0..4);
        (name(), kind(), signals, prop::collection::vec(inner, 0..3))
            .prop_map(|(name, kind, signals, scopes)| assemble(name, kind, signals, scopes))
    })
}

/// Steps to the next cycle, and the bits that are toggled in it: signal and bit, both modulo.
type Steps = Vec<(u64, Vec<(usize, u32)>)>;

fn steps() -> impl Strategy<Value = Steps> {
    let step = prop_oneof![6 => Just(1u64), 1 => 2u64..6];
    let toggled = prop::collection::vec((any::<usize>(), any::<u32>()), 0..4);
    prop::collection::vec((step, toggled), 1..24)
}

fn run(layout: &Layout, first: u64, steps: &Steps) -> Run {
    let widths: Vec<u32> = layout.signals().map(|(_, _, width)| width).collect();
    let mut values: Vec<Vec<u64>> = widths
        .iter()
        .map(|width| vec![0; width.div_ceil(64) as usize])
        .collect();
    let mut cycle = first;
    let mut run = Run::new();
    for (step, toggled) in steps {
        for (signal, bit) in toggled.iter().filter(|_| !widths.is_empty()) {
            let signal = signal % widths.len();
            let bit = bit % widths[signal];
            values[signal][bit as usize / 64] ^= 1 << (bit % 64);
        }
        run.push((cycle, values.clone()));
        cycle += step;
    }
    run
}

fn with_clock(scope: Scope) -> Layout {
    let top = Scope::module("top").signal(Signal::clock("clock"));
    Layout::new(top.scope(scope)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn what_is_written_reads_back(
        scope in scope(),
        steps in steps(),
        first in 0u64..50,
        window in prop::option::of((0u64..60, 1u64..30)),
        hold in any::<bool>(),
        half in 1u64..6,
    ) {
        let layout = with_clock(scope);
        let gap = if hold { Gap::Hold } else { Gap::Unknown };
        let window = window.map_or(Window::ALL, |(from, len)| Window { from, to: from + len });
        let options = Options::new().gap(gap).window(window).period(2 * half);
        let run = run(&layout, first, &steps);
        let wave = Wave::read(&dump(&layout, &options, &run)).unwrap();
        prop_assert_eq!(shows(&wave, &layout, &options, Some("top.clock"), &run), Ok(()));
    }

    /// No line of the body repeats the value that its identifier already has.
    #[test]
    fn nothing_is_written_twice(scope in scope(), steps in steps()) {
        let layout = with_clock(scope);
        let text = dump(&layout, &Options::new(), &run(&layout, 0, &steps));
        let mut parser = vcd::Parser::new(&text[..]);
        parser.parse_header().unwrap();
        let mut shown = std::collections::HashMap::new();
        for command in parser {
            let (code, digits) = match command.unwrap() {
                vcd::Command::ChangeScalar(code, value) => (code, value.to_string()),
                vcd::Command::ChangeVector(code, value) => (code, value.to_string()),
                _ => continue,
            };
            prop_assert_ne!(shown.insert(code, digits.clone()), Some(digits));
        }
    }

    /// A change that is wrongly suppressed, any one of them, does not pass for the run.
    #[test]
    fn a_missing_change_is_caught(scope in scope(), steps in steps(), pick in any::<usize>()) {
        let layout = with_clock(scope);
        let options = Options::new();
        let run = run(&layout, 0, &steps);
        let text = String::from_utf8(dump(&layout, &options, &run)).unwrap();
        let (header, body) = text.split_once("$enddefinitions $end\n").unwrap();
        let lines: Vec<&str> = body.lines().collect();
        let is_change = |line: &str| !line.starts_with(['#', '$']);
        let changes: Vec<usize> = (0..lines.len()).filter(|at| is_change(lines[*at])).collect();
        let missing = changes[pick % changes.len()];
        let kept = lines.iter().enumerate().filter(|(at, _)| *at != missing);
        let kept: String = kept.map(|(_, line)| format!("{line}\n")).collect();
        let broken = format!("{header}$enddefinitions $end\n{kept}");
        let wave = Wave::read(broken.as_bytes()).unwrap();
        let found = shows(&wave, &layout, &options, Some("top.clock"), &run);
        prop_assert!(found.is_err(), "line {} not missed", lines[missing]);
    }
}
