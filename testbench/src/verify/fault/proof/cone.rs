//! The same proofs for many faults of one netlist: only the logic that a fault changes and what it is
//! computed from goes to a solver in this process (batsat, after MiniSat by Eén and Sörensson).
//!
//! The claims are those of the module above. What the solver refutes is shown by a state and inputs;
//! what it does not say within its conflicts is left to abc.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use cotenant_netlist::blast::{Lit as Bit, Root};
use cotenant_netlist::fault::{Beside, Fault, Pair};
use cotenant_netlist::graph::NodeId;
use cotenant_netlist::Netlist;
use num_bigint::BigUint;

use super::logic::{over, Moment};
use super::observed::observed;
use super::question::Question;
use super::relation::Relation;
use super::{sweep, Proof, Prover};

/// How long the solver thinks about all that a fault changes before it looks at the fault alone.
const GLANCE: Duration = Duration::from_secs(1);

/// A flop that need not be equal all the time: when it matters, now and after the edge.
#[derive(Debug, Clone, Copy)]
struct Free {
    flop: usize,
    now: NodeId,
    next: NodeId,
    /// It does not matter at power-up.
    ignored: bool,
}

/// What proofs of a unit take for granted, as formulas beside its netlist.
#[derive(Debug)]
pub(in crate::verify::fault) struct Formulas {
    netlist: Netlist,
    legal: Vec<NodeId>,
    invariants: Vec<NodeId>,
    together: Vec<Free>,
    alone: Vec<Free>,
}

/// Why there is no proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::verify::fault) enum Failed {
    /// A state and inputs that satisfy all that is known show the fault.
    Shown(String),
    /// The solver takes too long, or the question is none for it.
    Unknown,
}

impl Prover<'_> {
    /// The formulas of all proofs.
    ///
    /// # Errors
    /// Names in a formula that the netlist does not have.
    pub fn formulas(&self) -> Result<Formulas, String> {
        let mut netlist = self.netlist.clone();
        let legal = self.terms(&mut netlist, Moment::Now, &self.assumptions)?;
        let invariants = self.known(&mut netlist)?;
        let mut flops = |flop: usize, relation| {
            let now = self.matters(&mut netlist, Moment::Now, flop, relation)?;
            let next = self.matters(&mut netlist, Moment::Next, flop, relation)?;
            let start = self.matters(&mut netlist, Moment::Start, flop, relation)?;
            let ignored = netlist.graph.value(start) == Some(&BigUint::ZERO);
            Ok::<_, String>(Free {
                flop,
                now,
                next,
                ignored,
            })
        };
        let together = self.free().into_iter();
        let together = together.map(|flop| flops(flop, Relation::Together));
        let together = together.collect::<Result<_, _>>()?;
        let mut scratch = self.netlist.clone();
        let mut terms = over(&mut scratch, &self.ports, Moment::Now);
        let names = self.netlist.regs.iter().enumerate();
        let alone = names.filter(|(_, reg)| (self.matters_alone)(&reg.name, &mut terms).is_some());
        let alone: Vec<usize> = alone.map(|(flop, _)| flop).collect();
        let alone = alone.into_iter();
        let alone = alone.map(|flop| flops(flop, Relation::Alone));
        Ok(Formulas {
            legal,
            invariants,
            together,
            alone: alone.collect::<Result<_, _>>()?,
            netlist,
        })
    }

    /// Whether the invariants hold, which is looked at once.
    pub(super) fn holds(&mut self) -> bool {
        if self.proven.is_none() {
            self.proven = Some(self.prove_invariants());
        }
        matches!(self.proven, Some(Ok(())))
    }
}

/// Proves faults of a unit.
#[derive(Debug)]
pub(in crate::verify::fault) struct Cones<'a> {
    formulas: &'a Formulas,
    beside: Beside<'a>,
    /// Bits of flops that can show in some faulty design, and those that do in the sound one.
    observed: Vec<Vec<bool>>,
    surely: Vec<BigUint>,
    /// Leaves that each legal formula and each invariant depends on.
    supports: [Vec<(Bit, BTreeSet<usize>)>; 2],
}

impl<'a> Cones<'a> {
    pub fn new(formulas: &'a Formulas) -> Self {
        let netlist = &formulas.netlist;
        let free = formulas.together.iter().chain(&formulas.alone);
        let masks = free.clone().flat_map(|free| [free.now, free.next]);
        let facts = [&formulas.legal, &formulas.invariants];
        let nodes: Vec<NodeId> = facts.into_iter().flatten().copied().chain(masks).collect();
        let free: BTreeSet<usize> = free.map(|free| free.flop).collect();
        let free: Vec<usize> = free.into_iter().collect();
        let beside = Beside::new(netlist, &nodes, &free);
        let support = |node: &NodeId| {
            let bit = beside.bits(*node)[0];
            (bit, leaves(&beside, &[bit]))
        };
        Self {
            observed: beside.observed(),
            surely: observed([netlist, netlist]),
            supports: facts.map(|facts| facts.iter().map(support).collect()),
            beside,
            formulas,
        }
    }

    /// A proof, or why there is none.
    pub fn prove(&mut self, fault: &Fault, prover: &mut Prover<'_>) -> Result<Proof, Failed> {
        let netlist = &self.formulas.netlist;
        let mut same_start = true;
        if let Fault::StuckBit { reg, bit, value } = *fault {
            if netlist.regs[reg].init.bit(bit as u64) != value && self.observed[reg][bit] {
                let ignored = |free: &Vec<Free>| {
                    let mut free = free.iter();
                    free.any(|free| free.flop == reg && free.ignored)
                };
                if !ignored(&self.formulas.together) {
                    if ignored(&self.formulas.alone) && prover.holds() {
                        return self
                            .alone(reg, fault, prover)
                            .unwrap_or(Err(Failed::Unknown));
                    }
                    return Err(match self.surely[reg].bit(bit as u64) {
                        true => Failed::Shown("it starts in another state".into()),
                        false => Failed::Unknown,
                    });
                }
                same_start = false;
            }
        }
        let pairs = self.pairs(fault, &[])?;
        if pairs.is_empty() && same_start {
            return Ok(Proof::Everywhere);
        }
        let mut failed = Failed::Unknown;
        if same_start {
            // What takes long may be simple where the fault is.
            let mut claimed = self.claimed(&pairs, prover, prover.patience.min(GLANCE));
            if claimed.is_none() {
                if let Some(claim) = self.unexcited(fault, prover) {
                    return Ok(claim);
                }
                if prover.patience > GLANCE {
                    let pairs = self.pairs(fault, &[])?;
                    let swept = prover
                        .holds()
                        .then(|| self.swept(&pairs, &[], prover.patience));
                    claimed = match swept {
                        Some(Ok(())) => Some(Ok(Proof::ReachableStates)),
                        Some(Err(Failed::Shown(text))) => Some(Err(Failed::Shown(text))),
                        _ => self.claimed(&pairs, prover, prover.patience),
                    };
                }
            }
            match claimed {
                Some(Ok(claim)) => return Ok(claim),
                Some(Err(shown)) => failed = shown,
                None => return Err(Failed::Unknown),
            }
        }
        if !prover.holds() {
            return Err(Failed::Unknown);
        }
        // Flops that do not matter may differ: first those that the fault changes, then also those
        // that depend on them.
        let mut free: Vec<Free> = Vec::new();
        loop {
            let flops: Vec<usize> = free.iter().map(|free| free.flop).collect();
            let pairs = self.pairs(fault, &flops)?;
            let more = self.formulas.together.iter().filter(|candidate| {
                let changed = |pair: &Pair| matches!(pair.root, Root::Next(flop, _) if flop == candidate.flop);
                let starts = matches!(*fault, Fault::StuckBit { reg, .. } if reg == candidate.flop);
                !flops.contains(&candidate.flop) && (starts || pairs.iter().any(changed))
            });
            let more: Vec<Free> = more.copied().collect();
            if more.is_empty() {
                break;
            }
            free.extend(more);
            failed = match self.related(fault, &free, prover.patience)? {
                Ok(()) => return Ok(Proof::ReachableStates),
                Err(failed) => failed,
            };
            // With more flops that may differ the question is no easier.
            if matches!(failed, Failed::Unknown) {
                break;
            }
        }
        let (Fault::LostWrite { reg } | Fault::MissingReset { reg } | Fault::StuckBit { reg, .. }) =
            *fault
        else {
            return Err(failed);
        };
        match (self.alone(reg, fault, prover), failed) {
            (Some(Ok(proof)), _) => Ok(proof),
            (Some(Err(alone)), Failed::Shown(_)) => Err(alone),
            (_, failed) => Err(failed),
        }
    }

    /// Of a fault in a flop that does not matter all the time while all others are equal.
    fn alone(
        &mut self,
        reg: usize,
        fault: &Fault,
        prover: &Prover<'_>,
    ) -> Option<Result<Proof, Failed>> {
        let mut alone = self.formulas.alone.iter();
        let alone = alone.find(|free| free.flop == reg).copied()?;
        Some(match self.related(fault, &[alone], prover.patience) {
            Ok(Ok(())) => Ok(Proof::ReachableStates),
            Ok(Err(failed)) | Err(failed) => Err(failed),
        })
    }

    /// The first claim that holds of these pairs, from the same state, or what shows that none does;
    /// none if the solver does not say.
    fn claimed(
        &self,
        pairs: &[Pair],
        prover: &mut Prover<'_>,
        patience: Duration,
    ) -> Option<Result<Proof, Failed>> {
        let mut question = Question::new(&self.beside, patience);
        question.differ(pairs, &[]);
        for claim in [
            Proof::Everywhere,
            Proof::LegalInputs,
            Proof::ReachableStates,
        ] {
            if claim == Proof::ReachableStates && !prover.holds() {
                return None;
            }
            let facts = match claim {
                Proof::Everywhere => None,
                Proof::LegalInputs => Some(&self.supports[0]),
                _ => Some(&self.supports[1]),
            };
            if facts.is_some_and(Vec::is_empty) {
                continue;
            }
            if question.decide(facts)? {
                return Some(Ok(claim));
            }
        }
        Some(Err(self.shown(&question, pairs)))
    }

    /// Why a fault changes nothing where it is, so that nobody need look at what reads it: for which
    /// inputs and states the bits of its node are those of the sound design.
    fn unexcited(&mut self, fault: &Fault, prover: &mut Prover<'_>) -> Option<Proof> {
        let site = self.beside.site(fault);
        if site.is_empty() {
            return None;
        }
        let mut question = Question::new(&self.beside, prover.patience);
        question.some_differ(&site);
        if question.decide(Some(&self.supports[0]))? {
            return Some(Proof::LegalInputs);
        }
        let known = prover.holds() && question.decide(Some(&self.supports[1]))?;
        known.then_some(Proof::ReachableStates)
    }

    /// The bits that differ where it can show; those that nothing is ever read of need not be equal.
    fn pairs(&mut self, fault: &Fault, free: &[usize]) -> Result<Vec<Pair>, Failed> {
        let mut pairs = self
            .beside
            .fault(fault, free)
            .map_err(|_| Failed::Unknown)?;
        let observed = &self.observed;
        pairs.retain(|pair| match pair.root {
            Root::Next(flop, bit) => observed[flop][bit],
            _ => true,
        });
        Ok(pairs)
    }

    /// Both in the same state, but for flops that do not matter, and so after the edge.
    fn related(
        &mut self,
        fault: &Fault,
        free: &[Free],
        patience: Duration,
    ) -> Result<Result<(), Failed>, Failed> {
        let flops: Vec<usize> = free.iter().map(|free| free.flop).collect();
        let pairs = self.pairs(fault, &flops)?;
        let (mut question, now) = self.beside_each_other(free, patience.min(GLANCE));
        question.differ(&pairs, &self.masks(free));
        question.equal_where_flops_are(self.beside.changed(), &now);
        for facts in &self.supports {
            match question.decide(Some(facts)) {
                Some(true) => return Ok(Ok(())),
                Some(false) => {}
                None if patience > GLANCE => return Ok(self.swept(&pairs, free, patience)),
                None => return Ok(Err(Failed::Unknown)),
            }
        }
        Ok(Err(self.shown(&question, &pairs)))
    }

    /// Whether none of these pairs can differ in states that satisfy all that is known, in which these
    /// flops are equal when they matter: node by node from the fault to the roots.
    fn swept(&self, pairs: &[Pair], free: &[Free], patience: Duration) -> Result<(), Failed> {
        let (mut question, now) = self.beside_each_other(free, patience);
        question.differ(pairs, &self.masks(free));
        question.equal_where_flops_are(self.beside.changed(), &now);
        for facts in &self.supports {
            question.suppose(facts);
        }
        if sweep::sweep(&mut question, &self.beside, Instant::now() + patience) {
            return Err(self.shown(&question, pairs));
        }
        match question.decide(None) {
            Some(true) => Ok(()),
            Some(false) => Err(self.shown(&question, pairs)),
            None => Err(Failed::Unknown),
        }
    }

    /// A question about states in which these flops are equal when they matter, and when that is.
    fn beside_each_other(
        &self,
        free: &[Free],
        patience: Duration,
    ) -> (Question<'_>, Vec<(usize, &[Bit])>) {
        let netlist = &self.formulas.netlist;
        let mut question = Question::new(&self.beside, patience);
        for free in free {
            let own = self.beside.bits(netlist.regs[free.flop].q);
            let other = self.beside.shadow(free.flop).unwrap_or(own);
            let masks = self.beside.bits(free.now);
            for ((&own, &other), mask) in own.iter().zip(other).zip(masks.iter().cycle()) {
                question.equal_if(own, other, *mask);
            }
        }
        let now = free.iter();
        let now = now.map(|free| (free.flop, self.beside.bits(free.now)));
        (question, now.collect())
    }

    /// When these flops matter after the edge.
    fn masks(&self, free: &[Free]) -> Vec<(usize, &[Bit])> {
        let next = free.iter();
        next.map(|free| (free.flop, self.beside.bits(free.next)))
            .collect()
    }

    /// What the last answer shows. Where only bits differ that the sound design never reads, abc is
    /// asked, which looks more closely.
    fn shown(&self, question: &Question<'_>, pairs: &[Pair]) -> Failed {
        let netlist = &self.formulas.netlist;
        let mut names = Vec::new();
        let mut surely = false;
        for pair in pairs.iter().filter(|pair| question.differs(pair)) {
            let name = match pair.root {
                Root::Output(output, _) => netlist.outputs[output].name.clone(),
                Root::Next(flop, _) => format!("next {}", netlist.regs[flop].name),
                Root::Ram(ram, ..) => format!("a port of {}", netlist.rams[ram].name),
            };
            surely |= match pair.root {
                Root::Next(flop, bit) => self.surely[flop].bit(bit as u64),
                _ => true,
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let claim = Proof::ReachableStates;
        match surely {
            true => Failed::Shown(format!("it may show {claim}: in {}", names.join(", "))),
            false => Failed::Unknown,
        }
    }
}

/// The leaves that bits depend on, by variable.
fn leaves(beside: &Beside<'_>, bits: &[Bit]) -> BTreeSet<usize> {
    let aig = beside.aig();
    let gates = 1 + aig.leaves.len();
    let mut seen = BTreeSet::new();
    let mut open: Vec<usize> = bits.iter().map(|bit| bit.variable()).collect();
    while let Some(variable) = open.pop() {
        if seen.insert(variable) && variable >= gates {
            open.extend(aig.gates[variable - gates].map(|bit| bit.variable()));
        }
    }
    seen.retain(|variable| (1..gates).contains(variable));
    seen
}

#[cfg(test)]
mod tests;
