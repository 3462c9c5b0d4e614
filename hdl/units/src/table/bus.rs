//! The units behind a bus; parameters and aliases are those of the unit without one.

use super::line::{Line, Sets};
use super::{llc, managed, sm};
use cotenant_netlist::describe::Definition;

pub(crate) const fn monitor(definition: &'static Definition) -> Line {
    let sets = Sets::Numbers(|| {
        let banks = [
            [16, 4, 64, 4, 1],
            [4, 4, 64, 1, 1],
            [16, 8, 64, 2, 1],
            [2, 2, 16, 1, 1],
        ];
        let sampled = llc::sampling([2, 2, 16, 1, 1], [1, 4, 0]);
        banks
            .map(llc::monitor)
            .into_iter()
            .chain([sampled])
            .collect()
    });
    let line = Line::new(definition, llc::MONITOR_ALIASES, sets);
    line.usual(llc::MONITOR_USUAL).behind_bus()
}

/// Of the counters without a directory.
pub(crate) const fn counters(definition: &'static Definition) -> Line {
    let sets = Sets::Numbers(|| {
        let banks = [[16, 4, 4], [4, 4, 1], [16, 8, 2], [2, 2, 1]];
        let narrow = vec![6, 3, 2, 8, 1, 5];
        let usual = banks.map(|[ways, kernels, banks]| llc::counters([ways, kernels, banks, 1]));
        usual.into_iter().chain([narrow]).collect()
    });
    let line = Line::new(definition, llc::BANK_ALIASES, sets);
    line.usual(llc::BANK_USUAL).behind_bus()
}

pub(crate) const fn issue(definition: &'static Definition) -> Line {
    let sets = Sets::Named(|| {
        let platform = |unit| sm::issue(unit, [12, 0, 0, 0]);
        let others = [[2, 1, 1], [2, 0, 0], [3, 1, 1], [8, 1, 1]].map(platform);
        [sm::small_issue(0)].into_iter().chain(others).collect()
    });
    let line = Line::new(definition, sm::ISSUE_ALIASES, sets);
    line.usual(sm::ISSUE_USUAL).behind_bus()
}

/// Of `managed_llc`.
pub(crate) const fn managed(definition: &'static Definition) -> Line {
    let line = Line::new(definition, managed::ALIASES, Sets::Numbers(managed::sets));
    line.usual(managed::USUAL).behind_bus()
}
