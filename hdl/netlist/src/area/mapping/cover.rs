//! Covering gates with look-up tables.
//!
//! Source: Mishchenko, Cho, Chatterjee, Brayton, *Combinational and
//! sequential mapping with priority cuts* (ICCAD 2007): a pass for depth, then
//! passes for area that keep the depth, first by area flow, then by the exact
//! area that a choice adds.

use super::cuts::{Cut, KEPT};
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
    /// By variable: the cuts to build others from, the chosen one first.
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
        used.map(|&v| (v, self.cuts[v][0].leaves().collect()))
    }

    fn is_gate(&self, variable: usize) -> bool {
        matches!(self.network.kinds[variable], Kind::And(..))
    }

    fn pass(&mut self, goal: Goal) {
        for at in 0..self.order.len() {
            let variable = self.order[at];
            self.choose(variable, goal);
        }
        self.refer();
        self.require();
    }

    /// New cuts of a gate, the best first.
    fn choose(&mut self, variable: usize, goal: Goal) {
        let Kind::And(a, b) = self.network.kinds[variable] else {
            return;
        };
        let limit = self.architecture.function_inputs();
        let exact = goal == Goal::Exact && self.references[variable] > 0;
        let previous = (goal != Goal::Depth).then(|| self.cuts[variable][0]);
        if exact {
            self.release(variable);
        }
        let mut found: Vec<Cut> = previous.into_iter().collect();
        for x in self.with_trivial(a.variable()) {
            for y in self.with_trivial(b.variable()) {
                if let Some(cut) = x.union(&y, limit) {
                    if !found.iter().any(|known| known.within(&cut)) {
                        found.retain(|known| !cut.within(known));
                        found.push(cut);
                    }
                }
            }
        }
        for cut in &mut found {
            let leaves = cut.leaves().map(|leaf| self.arrival[leaf]);
            cut.arrival = 1 + leaves.max().unwrap_or(0);
            cut.flow = match goal {
                Goal::Exact => self.exact(cut),
                _ => {
                    let shared = cut.leaves().map(|leaf| self.flow[leaf]).sum::<f32>();
                    self.architecture.weight(cut.len()) + shared
                }
            };
        }
        let required = match goal {
            Goal::Depth => u32::MAX,
            _ => self.required[variable],
        };
        // Of two that cost the same the one that needs fewer other tables: what nobody needs any
        // more is gone in the end.
        let tables = |cut: &Cut| cut.leaves().filter(|&leaf| self.is_gate(leaf)).count();
        found.sort_by(|x, y| {
            let late = |cut: &Cut| cut.arrival > required;
            let area = x.flow.total_cmp(&y.flow);
            let depth = x.arrival.cmp(&y.arrival);
            let size = x.len().cmp(&y.len());
            match goal {
                Goal::Depth => depth.then(area).then(size),
                Goal::Flow => late(x).cmp(&late(y)).then(area).then(depth).then(size),
                Goal::Exact => {
                    let tables = tables(x).cmp(&tables(y));
                    let costs = late(x).cmp(&late(y)).then(area);
                    costs.then(tables).then(depth).then(size)
                }
            }
        });
        found.truncate(KEPT);
        let best = found[0];
        self.arrival[variable] = best.arrival;
        if goal != Goal::Exact {
            self.flow[variable] = best.flow / self.expected[variable].max(1.0);
        }
        self.cuts[variable] = found;
        if exact {
            self.hold(variable);
        }
    }

    fn with_trivial(&self, variable: usize) -> Vec<Cut> {
        let mut cuts = vec![Cut::trivial(variable)];
        if self.is_gate(variable) {
            cuts.extend(&self.cuts[variable]);
        }
        cuts
    }

    /// Area that this cut would add to the cover.
    fn exact(&mut self, cut: &Cut) -> f32 {
        let area = self.hold_cut(cut);
        self.release_cut(cut);
        area
    }

    fn hold(&mut self, variable: usize) -> f32 {
        let cut = self.cuts[variable][0];
        self.hold_cut(&cut)
    }

    fn release(&mut self, variable: usize) -> f32 {
        let cut = self.cuts[variable][0];
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
                for leaf in self.cuts[variable][0].leaves() {
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
                for leaf in self.cuts[variable][0].leaves() {
                    self.required[leaf] = self.required[leaf].min(time);
                }
            }
        }
    }
}
