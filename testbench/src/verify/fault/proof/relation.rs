//! Two designs that start in the same state but for flops that do not matter then, and end so.

use std::collections::BTreeMap;
use std::time::Duration;

use cotenant_netlist::graph::{ones, NodeId, Op};
use cotenant_netlist::{Netlist, Reg};
use num_bigint::BigUint;

use super::logic::{over, Moment};
use super::{differences, reached, Never, Proof, Prover};

/// How long abc may think about a question that can be divided into cases.
pub(super) const UNDIVIDED: Duration = Duration::from_secs(10);

/// Which flops may differ between the two designs.
#[derive(Debug, Clone, Copy)]
pub(super) enum Relation {
    /// All that do not matter, at once.
    Together,
    /// One of them, while all others are equal.
    Alone,
}

/// A case: flops that matter at the same times, and whether they do.
type Case<'a> = Vec<(&'a Vec<usize>, bool)>;

impl Prover<'_> {
    /// Both are in the same state, but for what does not matter. Only flops that the fault can change
    /// may differ: at first those that it changes at once, then also those that depend on them. The
    /// fewer there are, the simpler is the question.
    pub(super) fn try_together(
        &self,
        faulty: &Netlist,
        observed: &[BigUint],
    ) -> Result<(), String> {
        let candidates = self.free();
        let mut free = Vec::new();
        let mut tried = None;
        loop {
            let mut more = reached::reached(self.netlist, faulty, &free);
            more.retain(|flop| candidates.contains(flop) && !free.contains(flop));
            match tried {
                Some(failed) if more.is_empty() => return failed,
                _ => free.extend(more),
            }
            free.sort_unstable();
            match self.try_relation(faulty, observed, &free, Relation::Together) {
                Ok(()) => return Ok(()),
                failed => tried = Some(failed),
            }
        }
    }

    /// [`Proof::ReachableStates`]: both are in the same state, but for those of the flops `free`
    /// that do not matter, and so they are after the edge.
    ///
    /// What abc does not decide soon is divided into cases: that some flops matter, which are then the
    /// same ones, and that they do not. Else it has to find out that a multiplier gives the same for
    /// the same factors.
    pub(super) fn try_relation(
        &self,
        faulty: &Netlist,
        observed: &[BigUint],
        free: &[usize],
        relation: Relation,
    ) -> Result<(), String> {
        let together = self.together(free, relation)?;
        let mut open = vec![Vec::new()];
        while let Some(case) = open.pop() {
            let divisible = case.len() < together.len();
            let patience = match divisible {
                true => self.undivided.min(self.patience),
                false => self.patience,
            };
            let matter: Case = together.iter().zip(case.iter().copied()).collect();
            match self.try_case(faulty, observed, (free, relation), &matter, patience)? {
                Ok(()) => {}
                Err(Never::Unknown(_)) if divisible => {
                    open.extend([false, true].map(|matters| [&case[..], &[matters]].concat()));
                }
                Err(at) => {
                    return Err(format!("it may show {}: {at}", Proof::ReachableStates));
                }
            }
        }
        Ok(())
    }

    /// Of the flops `free` those that matter at the same times, with all their bits; the most bits
    /// first.
    fn together(&self, free: &[usize], relation: Relation) -> Result<Vec<Vec<usize>>, String> {
        let mut scratch = self.netlist.clone();
        let mut groups: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
        for &flop in free {
            let when = self.when(&mut scratch, Moment::Now, flop, relation)?;
            if scratch.graph.width(when) == 1 {
                groups.entry(when).or_default().push(flop);
            }
        }
        let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
        let bits = |flops: &Vec<usize>| -> usize {
            flops
                .iter()
                .map(|&flop| self.netlist.regs[flop].width)
                .sum()
        };
        groups.sort_by_key(|flops| std::cmp::Reverse(bits(flops)));
        Ok(groups)
    }

    /// [`Self::try_relation`] in one case.
    fn try_case(
        &self,
        faulty: &Netlist,
        observed: &[BigUint],
        (free, relation): (&[usize], Relation),
        case: &Case<'_>,
        patience: Duration,
    ) -> Result<Result<(), Never>, String> {
        let all_of = |matters: bool| {
            let those = case.iter().filter(move |(_, matter)| *matter == matters);
            those.flat_map(|(flops, _)| flops.iter().copied())
        };
        let (matter, idle): (Vec<usize>, Vec<usize>) =
            (all_of(true).collect(), all_of(false).collect());
        let other: Vec<usize> = free
            .iter()
            .copied()
            .filter(|flop| !matter.contains(flop))
            .collect();
        let shadow = |flop: usize| {
            self.netlist.regs.len() + other.iter().take_while(|f| **f != flop).count()
        };
        let faulty = faulty.rewritten(|graph, old, new| match *graph.op(old) {
            Op::Reg(flop) if other.contains(&(flop as usize)) => {
                let width = graph.width(old);
                graph.raw(Op::Reg(shadow(flop as usize) as u32), width)
            }
            _ => new,
        });
        // The design without the fault, and beside it what the other one makes of the same state.
        let mut question = self.netlist.clone();
        question.graph = faulty.graph.clone();
        for &flop in &other {
            let Reg {
                name, width, init, ..
            } = self.netlist.regs[flop].clone();
            let q = question.graph.raw(Op::Reg(shadow(flop) as u32), width);
            let reset = question.graph.constant(0u8, 1);
            let name = format!("{name} with the fault");
            question.regs.push(Reg {
                name,
                width,
                init,
                q,
                d: q,
                reset,
                next: q,
            });
        }
        let mut facts = self.terms(&mut question, Moment::Now, &self.assumptions)?;
        facts.extend(self.known(&mut question)?);
        let mut next = BTreeMap::new();
        for &flop in free {
            let later = self.matters(&mut question, Moment::Next, flop, relation)?;
            next.insert(flop, later);
            let now = self.matters(&mut question, Moment::Now, flop, relation)?;
            let Reg { width, q, .. } = self.netlist.regs[flop];
            let fact = if matter.contains(&flop) {
                let all = question.graph.constant(ones(width), width);
                question.graph.eq(now, all)
            } else if idle.contains(&flop) {
                let none = question.graph.constant(0u8, width);
                question.graph.eq(now, none)
            } else {
                let other = question.graph.raw(Op::Reg(shadow(flop) as u32), width);
                let masked = [q, other].map(|value| question.graph.and(value, now));
                question.graph.eq(masked[0], masked[1])
            };
            facts.push(fact);
        }
        let differ = differences(
            self.netlist,
            &faulty.roots(),
            observed,
            &next,
            &mut question,
        );
        Ok(self.never(&question, &facts, &differ, patience))
    }

    /// The flops whose values do not matter all the time.
    pub(super) fn free(&self) -> Vec<usize> {
        let mut free = Vec::new();
        let mut scratch = self.netlist.clone();
        for (index, flop) in self.netlist.regs.iter().enumerate() {
            let mut terms = over(&mut scratch, &self.ports, Moment::Now);
            let working = (self.working)(&flop.name);
            if working && (self.matters)(&flop.name, &mut terms).is_some() {
                free.push(index);
            }
        }
        free
    }

    /// The bits of a flop that matter, as a word of its width.
    pub(super) fn matters(
        &self,
        netlist: &mut Netlist,
        moment: Moment,
        flop: usize,
        relation: Relation,
    ) -> Result<NodeId, String> {
        let matters = self.when(netlist, moment, flop, relation)?;
        let width = self.netlist.regs[flop].width;
        Ok(match netlist.graph.width(matters) {
            1 => netlist.graph.cat(vec![matters; width]),
            _ => matters,
        })
    }

    /// When a flop matters: one bit, or one for each of its bits.
    fn when(
        &self,
        netlist: &mut Netlist,
        moment: Moment,
        flop: usize,
        relation: Relation,
    ) -> Result<NodeId, String> {
        let mut terms = over(netlist, &self.ports, moment);
        let matters = match relation {
            Relation::Together => &self.matters,
            Relation::Alone => &self.matters_alone,
        };
        let matters = matters(&self.netlist.regs[flop].name, &mut terms);
        let matters = matters.unwrap_or_else(|| terms.constant(true));
        if let missing @ [_, ..] = terms.missing() {
            return Err(format!("the netlist has no {}", missing.join(", ")));
        }
        Ok(matters.into())
    }
}
