//! Covering gates with look-up tables.
//!
//! Source: Mishchenko, Cho, Chatterjee, Brayton, *Combinational and
//! sequential mapping with priority cuts* (ICCAD 2007): a pass for depth, then
//! passes for area that keep the depth, first by area flow, then by the exact
//! area that a choice adds.

use super::cuts::{Cut, Cuts, KEPT};
use crate::area::architecture::Architecture;
use crate::area::network::{Kind, Network};

/// Passes by area flow and by exact area.
const FLOW_PASSES: usize = 2;
const EXACT_PASSES: usize = 3;

/// What a pass prefers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Depth,
    Flow,
    Exact,
}

/// A choice of cuts that covers all that is needed.
pub(super) struct Cover<'a> {
    network: &'a Network,
    architecture: Architecture,
    /// Gates that matter, operands first.
    order: Vec<usize>,
    roots: Vec<usize>,
    /// By variable, to build others from: the trivial cut, then those of a gate, the chosen one
    /// first.
    cuts: Vec<Vec<Cut>>,
    arrival: Vec<u32>,
    flow: Vec<f32>,
    required: Vec<u32>,
    /// Users of a signal in the cover.
    references: Vec<u32>,
    /// The same, smoothed over the passes.
    expected: Vec<f32>,
}

impl<'a> Cover<'a> {
    /// The best cover found.
    pub fn new(network: &'a Network, architecture: Architecture) -> Self {
        let size = network.kinds.len();
        let roots: Vec<usize> = network.sinks.iter().map(|s| s.1.variable()).collect();
        let mut live = vec![false; size];
        roots.iter().for_each(|&root| live[root] = true);
        let mut expected = vec![0.0; size];
        roots.iter().for_each(|&root| expected[root] += 1.0);
        for variable in (0..size).rev() {
            if let (true, Kind::And(a, b)) = (live[variable], network.kinds[variable]) {
                for operand in [a.variable(), b.variable()] {
                    live[operand] = true;
                    expected[operand] += 1.0;
                }
            }
        }
        let gate = |&v: &usize| live[v] && matches!(network.kinds[v], Kind::And(..));
        let mut cover = Cover {
            network,
            architecture,
            order: (0..size).filter(gate).collect(),
            roots,
            cuts: (0..size).map(|v| vec![Cut::trivial(v)]).collect(),
            arrival: vec![0; size],
            flow: vec![0.0; size],
            required: vec![u32::MAX; size],
            references: vec![0; size],
            expected,
        };
        cover.pass(Goal::Depth);
        for _ in 0..FLOW_PASSES {
            cover.pass(Goal::Flow);
        }
        for _ in 0..EXACT_PASSES {
            cover.pass(Goal::Exact);
        }
        cover
    }

    /// Gates that are outputs of look-up tables, with their inputs.
    pub fn chosen(&self) -> impl Iterator<Item = (usize, Vec<usize>)> + '_ {
        let used = self.order.iter().filter(|&&v| self.references[v] > 0);
        used.map(|&v| (v, self.best(v).leaves().collect()))
    }

    fn is_gate(&self, variable: usize) -> bool {
        matches!(self.network.kinds[variable], Kind::And(..))
    }

    fn pass(&mut self, goal: Goal) {
        let mut found = Cuts::default();
        for at in 0..self.order.len() {
            let variable = self.order[at];
            self.choose(variable, goal, &mut found);
        }
        self.refer();
        self.require();
    }

    /// The cut that a gate's LUT computes.
    fn best(&self, variable: usize) -> &Cut {
        &self.cuts[variable][1]
    }

    /// New cuts of a gate, the best first.
    fn choose(&mut self, variable: usize, goal: Goal, found: &mut Cuts) {
        let Kind::And(a, b) = self.network.kinds[variable] else {
            return;
        };
        let limit = self.architecture.function_inputs();
        let exact = goal == Goal::Exact && self.references[variable] > 0;
        if exact {
            self.release(variable);
        }
        found.clear();
        if goal != Goal::Depth {
            found.add(*self.best(variable));
        }
        for x in &self.cuts[a.variable()] {
            for y in &self.cuts[b.variable()] {
                if let Some(cut) = x.union(y, limit) {
                    found.add(cut);
                }
            }
        }
        let found = found.all();
        for cut in &mut *found {
            let leaves = cut.leaves().map(|leaf| self.arrival[leaf]);
            cut.arrival = 1 + leaves.max().unwrap_or(0);
            cut.tables = cut.leaves().filter(|&leaf| self.is_gate(leaf)).count() as u8;
            cut.flow = match goal {
                Goal::Exact => self.exact(cut),
                _ => {
                    let shared = cut.leaves().map(|leaf| self.flow[leaf]).sum::<f32>();
                    self.architecture.weight(cut.len()) + shared
                }
            };
        }
        let required = self.required[variable];
        found.sort_by_key(|cut| {
            let late = u32::from(cut.arrival > required);
            // No area is negative: their bits are in the order of the numbers.
            let area = cut.flow.to_bits();
            let size = cut.len() as u32;
            match goal {
                Goal::Depth => [cut.arrival, area, size, 0, 0],
                Goal::Flow => [late, area, cut.arrival, size, 0],
                // Of two that cost the same the one that needs fewer other tables: what nobody
                // needs any more is gone in the end.
                Goal::Exact => [late, area, cut.tables.into(), cut.arrival, size],
            }
        });
        let best = found[0];
        self.arrival[variable] = best.arrival;
        if goal != Goal::Exact {
            self.flow[variable] = best.flow / self.expected[variable].max(1.0);
        }
        let kept = &found[..found.len().min(KEPT)];
        self.cuts[variable].truncate(1);
        self.cuts[variable].extend(kept);
        if exact {
            self.hold(variable);
        }
    }

    /// Area that this cut would add to the cover.
    fn exact(&mut self, cut: &Cut) -> f32 {
        let area = self.hold_cut(cut);
        self.release_cut(cut);
        area
    }

    fn hold(&mut self, variable: usize) -> f32 {
        let cut = *self.best(variable);
        self.hold_cut(&cut)
    }

    fn release(&mut self, variable: usize) -> f32 {
        let cut = *self.best(variable);
        self.release_cut(&cut)
    }

    fn hold_cut(&mut self, cut: &Cut) -> f32 {
        let mut area = self.architecture.weight(cut.len());
        for leaf in cut.leaves() {
            self.references[leaf] += 1;
            if self.references[leaf] == 1 && self.is_gate(leaf) {
                area += self.hold(leaf);
            }
        }
        area
    }

    fn release_cut(&mut self, cut: &Cut) -> f32 {
        let mut area = self.architecture.weight(cut.len());
        for leaf in cut.leaves() {
            self.references[leaf] -= 1;
            if self.references[leaf] == 0 && self.is_gate(leaf) {
                area += self.release(leaf);
            }
        }
        area
    }

    /// Counts users from the roots.
    fn refer(&mut self) {
        self.references.fill(0);
        for &root in &self.roots {
            self.references[root] += 1;
        }
        for &variable in self.order.iter().rev() {
            if self.references[variable] > 0 {
                let best = *self.best(variable);
                for leaf in best.leaves() {
                    self.references[leaf] += 1;
                }
            }
        }
        for (expected, &references) in self.expected.iter_mut().zip(&self.references) {
            *expected = (*expected + 2.0 * references as f32) / 3.0;
        }
    }

    /// When each signal has to be there so that the deepest stays as it is.
    fn require(&mut self) {
        let deepest = self.roots.iter().map(|&root| self.arrival[root]).max();
        self.required.fill(u32::MAX);
        for &root in &self.roots {
            self.required[root] = deepest.unwrap_or(0);
        }
        for &variable in self.order.iter().rev() {
            if self.references[variable] > 0 {
                let time = self.required[variable] - 1;
                let best = *self.best(variable);
                for leaf in best.leaves() {
                    self.required[leaf] = self.required[leaf].min(time);
                }
            }
        }
    }
}
