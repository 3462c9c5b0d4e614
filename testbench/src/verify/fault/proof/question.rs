//! A question for a solver in this process: whether bits of two designs can differ.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use batsat::{lbool, Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Var};
use cotenant_netlist::blast::{Lit as Bit, RamPort, Root};
use cotenant_netlist::fault::{Beside, Changed, Pair};

/// Conflicts of the solver per second of patience, and after how many it gives a question up in any
/// case: a minute or two. Time would be less of them on a busy machine.
const PER_SECOND: u64 = 2500;
const MOST: u64 = 300_000;
/// How many times its patience a question takes at most: in the largest designs conflicts are so slow
/// that their number bounds nothing.
const SLACK: u32 = 4;

/// After how many conflicts the solver gives up that may think for so long.
fn conflicts(patience: Duration) -> u64 {
    patience.as_secs().saturating_mul(PER_SECOND).min(MOST)
}

/// Counts the conflicts of a question, and stops the solver when they are too many or take too long.
#[derive(Debug)]
struct Conflicts {
    count: u64,
    most: u64,
    start: Instant,
    longest: Duration,
}

impl Callbacks for Conflicts {
    fn on_start(&mut self) {
        self.count = 0;
        self.start = Instant::now();
    }

    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        self.count += u64::from(kind == ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        self.count > self.most || self.start.elapsed() > self.longest
    }
}

/// Whether a bit can differ.
pub(super) struct Question<'b> {
    beside: &'b Beside<'b>,
    solver: Solver<Conflicts>,
    variables: HashMap<usize, Var>,
    /// Leaves of what was put in.
    leaves: BTreeSet<usize>,
    /// Of bits that are looked at: the values of the last counterexample.
    model: HashMap<usize, bool>,
}

impl std::fmt::Debug for Question<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Question of {} variables", self.variables.len())
    }
}

impl<'b> Question<'b> {
    pub(super) fn new(beside: &'b Beside<'b>, patience: Duration) -> Self {
        let limits = Conflicts {
            count: 0,
            most: conflicts(patience),
            start: Instant::now(),
            longest: patience.saturating_mul(SLACK),
        };
        Self {
            beside,
            solver: Solver::new(SolverOpts::default(), limits),
            variables: HashMap::new(),
            leaves: BTreeSet::new(),
            model: HashMap::new(),
        }
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.solver.add_clause_reuse(&mut lits.to_vec());
    }

    /// A bit of the logic, with the gates that it is made of.
    fn lit(&mut self, bit: Bit) -> Lit {
        let aig = self.beside.aig();
        let gates = 1 + aig.leaves.len();
        let mut open = vec![(bit.variable(), false)];
        while let Some((variable, done)) = open.pop() {
            if done {
                let own = self.variables[&variable];
                let [a, b] = aig.gates[variable - gates].map(|operand| self.known(operand));
                let own = Lit::new(own, true);
                self.clause(&[!own, a]);
                self.clause(&[!own, b]);
                self.clause(&[own, !a, !b]);
                continue;
            }
            if self.variables.contains_key(&variable) {
                continue;
            }
            let own = self.solver.new_var_default();
            self.variables.insert(variable, own);
            if variable == 0 {
                self.clause(&[Lit::new(own, false)]);
            } else if variable < gates {
                self.leaves.insert(variable);
            } else {
                open.push((variable, true));
                let operands = aig.gates[variable - gates];
                open.extend(operands.map(|operand| (operand.variable(), false)));
            }
        }
        self.known(bit)
    }

    fn known(&self, bit: Bit) -> Lit {
        Lit::new(self.variables[&bit.variable()], !bit.is_inverted())
    }

    /// Two bits are equal if a third one is set.
    pub(super) fn equal_if(&mut self, a: Bit, b: Bit, mask: Bit) {
        let [a, b, mask] = [a, b, mask].map(|bit| self.lit(bit));
        self.clause(&[!mask, !a, b]);
        self.clause(&[!mask, a, !b]);
    }

    /// Each of these nodes that the fault does not reach is equal in both designs if the flops are that it
    /// depends on: if all bits of their masks are set. It adds nothing to what is known, but the solver does not find it by itself
    /// where a multiplier is in between.
    pub(super) fn equal_where_flops_are(&mut self, nodes: &[Changed], masks: &[(usize, &[Bit])]) {
        let mut conditions: HashMap<&BTreeSet<usize>, Lit> = HashMap::new();
        for node in nodes {
            let Some(flops) = &node.flops else {
                continue;
            };
            let known = |bit: &Bit| self.variables.contains_key(&bit.variable());
            let bits = node.good.iter().zip(&node.bad);
            let bits: Vec<(Bit, Bit)> = bits
                .filter(|(good, bad)| good != bad && known(good) && known(bad))
                .map(|(&good, &bad)| (good, bad))
                .collect();
            if bits.is_empty() {
                continue;
            }
            let condition = match conditions.get(flops) {
                Some(condition) => *condition,
                None => {
                    let of = |flop| masks.iter().find(|(other, _)| *other == flop);
                    let all: Option<Vec<_>> = flops.iter().map(|&flop| of(flop)).collect();
                    let Some(all) = all else { continue };
                    let all = all.into_iter().flat_map(|(_, bits)| bits.iter());
                    let condition = Lit::new(self.solver.new_var_default(), true);
                    let mut clause: Vec<Lit> = all.map(|&bit| !self.lit(bit)).collect();
                    clause.push(condition);
                    self.clause(&clause);
                    conditions.insert(flops, condition);
                    condition
                }
            };
            for (good, bad) in bits {
                let [good, bad] = [good, bad].map(|bit| self.lit(bit));
                self.clause(&[!condition, !good, bad]);
                self.clause(&[!condition, good, !bad]);
            }
        }
    }

    /// Whether two bits differ; it may be false where they do.
    fn differing(&mut self, good: Bit, bad: Bit) -> Lit {
        let [good, bad] = [good, bad].map(|bit| self.lit(bit));
        let differs = Lit::new(self.solver.new_var_default(), true);
        self.clause(&[!differs, good, bad]);
        self.clause(&[!differs, !good, !bad]);
        differs
    }

    /// The bits of one of these pairs differ.
    pub(super) fn some_differ(&mut self, bits: &[[Bit; 2]]) {
        let bits = bits.iter();
        let any: Vec<Lit> = bits.map(|&[good, bad]| self.differing(good, bad)).collect();
        self.clause(&any);
    }

    /// All of these facts hold.
    pub(super) fn suppose(&mut self, facts: &[(Bit, BTreeSet<usize>)]) {
        for (fact, _) in facts {
            let fact = self.lit(*fact);
            self.clause(&[fact]);
        }
    }

    /// Two bits are equal.
    pub(super) fn equal(&mut self, a: Bit, b: Bit) {
        let [a, b] = [a, b].map(|bit| self.lit(bit));
        self.clause(&[!a, b]);
        self.clause(&[a, !b]);
    }

    /// Whether two bits cannot differ where something is that is asked for, within so many conflicts; none
    /// if the solver does not say. Nothing is added to what is known.
    pub(super) fn never_differ(&mut self, [good, bad]: [Bit; 2], most: u64) -> Option<bool> {
        let [good, bad] = [good, bad].map(|bit| self.lit(bit));
        // One value after the other, so that most follows without a search.
        for both in [[good, !bad], [!good, bad]] {
            let usual = std::mem::replace(&mut self.solver.cb_mut().most, most);
            let answer = self.solver.solve_limited(&both);
            self.solver.cb_mut().most = usual;
            if answer == lbool::TRUE {
                self.remember();
                return Some(false);
            } else if answer != lbool::FALSE {
                return None;
            }
        }
        Some(true)
    }

    /// One of these pairs differs: where and what a RAM is written if it is, flops in the masks.
    pub(super) fn differ(&mut self, pairs: &[Pair], masks: &[(usize, &[Bit])]) {
        let mut any = Vec::new();
        for pair in pairs {
            let differs = self.differing(pair.good, pair.bad);
            let mask = match pair.root {
                Root::Ram(ram, RamPort::WriteAddress | RamPort::WriteData, _) => {
                    Some(self.beside.write_enable(ram))
                }
                Root::Next(flop, bit) => {
                    let found = masks.iter().find(|(other, _)| *other == flop);
                    found.map(|(_, mask)| mask[bit % mask.len()])
                }
                _ => None,
            };
            if let Some(mask) = mask {
                let mask = self.lit(mask);
                self.clause(&[!differs, mask]);
            }
            any.push(differs);
        }
        self.clause(&any);
    }

    /// Whether nothing can differ if these facts hold, too; none if the solver does not say. Facts
    /// about what the question is about go first.
    pub(super) fn decide(&mut self, facts: Option<&Vec<(Bit, BTreeSet<usize>)>>) -> Option<bool> {
        let all = facts.map_or(&[][..], |facts| facts);
        let about =
            |question: &Self, fact: &(Bit, BTreeSet<usize>)| !fact.1.is_disjoint(&question.leaves);
        let (near, far): (Vec<_>, Vec<_>) = all.iter().partition(|fact| about(self, fact));
        for (facts, last) in [(near, far.is_empty()), (far, true)] {
            for (fact, _) in facts {
                let fact = self.lit(*fact);
                self.clause(&[fact]);
            }
            let answer = self.solver.solve_limited(&[]);
            if answer == lbool::FALSE {
                return Some(true);
            } else if answer != lbool::TRUE {
                return None;
            }
            self.remember();
            if last {
                break;
            }
        }
        Some(false)
    }

    fn remember(&mut self) {
        let values = self.variables.iter();
        let values =
            values.map(|(&variable, &own)| (variable, self.solver.value_var(own) == lbool::TRUE));
        self.model = values.collect();
    }

    /// Whether a pair does in the last counterexample.
    pub(super) fn differs(&self, pair: &Pair) -> bool {
        let value = |bit: Bit| {
            self.model
                .get(&bit.variable())
                .map(|value| value ^ bit.is_inverted())
        };
        value(pair.good) != value(pair.bad)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: a question that nobody ends holds up all places behind it.
    use super::*;

    #[test]
    fn too_many_conflicts_or_too_much_time_end_a_question() {
        let limits = |count, most, longest| Conflicts {
            count,
            most,
            start: Instant::now(),
            longest,
        };
        assert!(!limits(10, 10, Duration::MAX).stop());
        assert!(limits(11, 10, Duration::MAX).stop());
        assert!(limits(0, 10, Duration::ZERO).stop());
    }
}
