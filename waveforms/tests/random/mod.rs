//! Random hierarchies and runs.

use crate::common::Run;
use cotenant_waveforms::{Layout, Scope, ScopeKind, Signal};
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

pub fn scope() -> impl Strategy<Value = Scope> {
    let leaf = (name(), kind(), prop::collection::vec(signal(), 0..4))
        .prop_map(|(name, kind, signals)| assemble(name, kind, signals, vec![]));
    leaf.prop_recursive(3, 12, 3, |inner| {
        let signals = prop::collection::vec(signal(), 0..4);
        (name(), kind(), signals, prop::collection::vec(inner, 0..3))
            .prop_map(|(name, kind, signals, scopes)| assemble(name, kind, signals, scopes))
    })
}

/// Steps to the next cycle, and the bits that are toggled in it: signal and bit, both modulo.
pub type Steps = Vec<(u64, Vec<(usize, u32)>)>;

pub fn steps() -> impl Strategy<Value = Steps> {
    let step = prop_oneof![6 => Just(1u64), 1 => 2u64..6];
    let toggled = prop::collection::vec((any::<usize>(), any::<u32>()), 0..4);
    prop::collection::vec((step, toggled), 1..24)
}

pub fn run(layout: &Layout, first: u64, steps: &Steps) -> Run {
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

pub fn with_clock(scope: Scope) -> Layout {
    let top = Scope::module("top").signal(Signal::clock("clock"));
    Layout::new(top.scope(scope)).unwrap()
}
