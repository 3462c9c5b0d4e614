//! Proofs that a fault has no effect.
//!
//! Two netlists with the same flops are compared with the flops cut open: from the same state and
//! the same inputs they must have the same outputs and the same next state. Starting from the
//! same state they then always stay equal; bits of flops that nothing is ever read of need not
//! (`observed`). Three claims are tried, each weaker than the one
//! before: for all inputs and states; for legal inputs; for legal inputs in states that satisfy
//! the unit's invariants. The invariants are proven, too, of the netlist without the fault: they
//! hold at power-up, and from one cycle to the next; so is what the words of RAMs hold (`words`). In the last claim a flop that is not compared
//! need be equal only when its value matters. What still is not proven may be so from reset on
//! (`reset`).

mod abc;
mod aiger;
mod before;
mod cone;
mod contents;
mod logic;
mod observed;
mod question;
mod reached;
mod relation;
mod reset;
mod settles;
mod shown;
mod sweep;
mod words;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use cotenant_netlist::blast::Aig;
use cotenant_netlist::fault::Fault;
use cotenant_netlist::graph::{NodeId, Op};
use cotenant_netlist::{Netlist, Output, Reg};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use crate::verify::facts::{Facts, Term, Terms, Words};
use crate::verify::interface::{ParamsOf, Port};
use abc::Answer;
pub(super) use abc::PATIENCE;
use logic::{over, Moment};
use relation::{Relation, UNDIVIDED};
use shown::shown;

pub(super) use cone::{Cones, Failed};
pub(super) use reset::NoProof;

/// For what a fault was proven to change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Proof {
    /// For all inputs and states.
    Everywhere,
    /// For all states and the inputs that the unit's assumptions allow.
    LegalInputs,
    /// For the inputs that the unit's assumptions allow, in the states that they lead to.
    ReachableStates,
    /// For the inputs that the unit's assumptions allow, from reset on, at the outputs: flops may
    /// differ.
    FromReset,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Everywhere => "for all inputs and states",
            Self::LegalInputs => "for all legal inputs",
            Self::ReachableStates => "for all legal inputs in reachable states",
            Self::FromReset => "for all legal inputs from reset on",
        })
    }
}

/// Proves faults of one netlist to change nothing.
pub(super) struct Prover<'a> {
    ports: Vec<Port>,
    netlist: &'a Netlist,
    assumptions: Known,
    protocol: Known,
    invariants: Known,
    words: OfWords,
    working: fn(&str) -> bool,
    matters: Mask,
    matters_alone: Mask,
    /// Whether the invariants hold, once that was checked.
    proven: Option<Result<(), String>>,
    patience: Duration,
    undivided: Duration,
}

/// How long abc may think about all invariants together.
const INVARIANTS: Duration = Duration::from_secs(10);
/// Why something is not known never to happen.
enum Never {
    /// It does where this says.
    Shown(String),
    /// The prover does not say, for this reason.
    Unknown(String),
}

impl fmt::Display for Never {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Shown(text) | Self::Unknown(text)) = self;
        f.write_str(text)
    }
}

/// How the states differ that two designs start in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    Same,
    SameButForWhatDoesNotMatter,
}

/// Formulas of a unit.
type Known = Box<dyn Fn(&mut Terms<'_>) -> Vec<Term>>;
/// What is true of the words of a RAM.
type OfWords = Box<dyn Fn(&str, Words, &mut Terms<'_>) -> Option<Vec<Term>>>;
/// When a flop of a unit matters.
type Mask = Box<dyn Fn(&str, &mut Terms<'_>) -> Option<Term>>;

impl fmt::Debug for Prover<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prover of {}", self.netlist.module().name)
    }
}

impl<'a> Prover<'a> {
    pub fn new<U: Facts>(params: &ParamsOf<U>, netlist: &'a Netlist) -> Self {
        let [one, two, three, four, five, six] = std::array::from_fn(|_| params.clone());
        Self {
            ports: U::inputs(params),
            netlist,
            assumptions: Box::new(move |terms| U::assumptions(&one, terms)),
            protocol: Box::new(move |terms| U::protocol(&six, terms)),
            invariants: Box::new(move |terms| U::invariants(&two, terms)),
            words: Box::new(move |ram, question, terms| U::words(&five, ram, question, terms)),
            working: U::working,
            matters: Box::new(move |flop, terms| U::matters(&three, flop, terms)),
            matters_alone: Box::new(move |flop, terms| U::matters_alone(&four, flop, terms)),
            proven: None,
            patience: abc::PATIENCE,
            undivided: UNDIVIDED,
        }
    }

    /// How long abc may think about one question.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// A proof, or why there is none.
    pub fn prove(&mut self, fault: &Fault) -> Result<Proof, String> {
        let faulty = self
            .netlist
            .with_fault(fault)
            .map_err(|error| error.to_string())?;
        let observed = observed::observed([self.netlist, &faulty]);
        let claims: &[Proof] = match self.starts(&faulty, &observed)? {
            Start::Same => &[
                Proof::Everywhere,
                Proof::LegalInputs,
                Proof::ReachableStates,
            ],
            Start::SameButForWhatDoesNotMatter => &[Proof::ReachableStates],
        };
        let mut why = String::new();
        for &claim in claims {
            match self.try_claim(claim, fault, &faulty, &observed) {
                Ok(()) => return Ok(claim),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    /// Whether both start in the same state.
    fn starts(&self, faulty: &Netlist, observed: &[BigUint]) -> Result<Start, String> {
        let mut start = Start::Same;
        let free = self.free();
        let pairs = self.netlist.regs.iter().zip(&faulty.regs).enumerate();
        let differ = |(flop, (good, bad)): &(usize, (&Reg, &Reg))| {
            (&good.init ^ &bad.init) & &observed[*flop] != BigUint::ZERO
        };
        for (flop, _) in pairs.filter(differ) {
            let mut scratch = self.netlist.clone();
            let ignored = free.contains(&flop) && {
                let matters =
                    self.matters(&mut scratch, Moment::Start, flop, Relation::Together)?;
                matters == scratch.graph.constant(0u8, self.netlist.regs[flop].width)
            };
            if !ignored {
                return Err("it starts in another state".into());
            }
            start = Start::SameButForWhatDoesNotMatter;
        }
        Ok(start)
    }

    /// The flop that a fault is in, if it does not matter all the time while all others are equal.
    fn alone(&self, fault: &Fault) -> Option<usize> {
        let (Fault::LostWrite { reg } | Fault::MissingReset { reg } | Fault::StuckBit { reg, .. }) =
            *fault
        else {
            return None;
        };
        let mut scratch = self.netlist.clone();
        let mut terms = over(&mut scratch, &self.ports, Moment::Now);
        let name = &self.netlist.regs[reg].name;
        (self.matters_alone)(name, &mut terms).map(|_| reg)
    }

    fn try_claim(
        &mut self,
        claim: Proof,
        fault: &Fault,
        faulty: &Netlist,
        observed: &[BigUint],
    ) -> Result<(), String> {
        if claim == Proof::ReachableStates {
            // Without any, the claim is the one before.
            let proven = match &self.proven {
                Some(proven) => proven.clone(),
                None => self.prove_invariants(),
            };
            self.proven = Some(proven.clone());
            proven?;
        }
        if claim == Proof::ReachableStates {
            let together = self.try_together(faulty, observed);
            return together.or_else(|why| match self.alone(fault) {
                Some(flop) => self.try_relation(faulty, observed, &[flop], Relation::Alone),
                None => Err(why),
            });
        }
        let mut question = faulty.clone();
        let mut facts = Vec::new();
        if claim != Proof::Everywhere {
            facts.extend(self.terms(&mut question, Moment::Now, &self.assumptions)?);
        }
        let masks = &BTreeMap::new();
        let differ = differences(
            self.netlist,
            &faulty.roots(),
            observed,
            masks,
            &mut question,
        );
        self.never(&question, &facts, &differ, self.patience)
            .map_err(|at| format!("it may show {claim}: {at}"))
    }

    /// The invariants hold at power-up and, if they hold in a cycle with legal inputs, in the
    /// next one.
    fn prove_invariants(&self) -> Result<(), String> {
        let mut question = self.netlist.clone();
        let mut start = self.terms(&mut question, Moment::Start, &self.invariants)?;
        start.extend(self.unwritten(&mut question)?);
        let violated = named(&mut question, &start, "an invariant");
        let wrong = |when| move |at: Never| format!("an invariant fails {when}: {at}");
        self.never(&question, &[], &violated, abc::PATIENCE)
            .map_err(wrong("at power-up"))?;
        let mut question = self.netlist.clone();
        let mut facts = self.terms(&mut question, Moment::Now, &self.assumptions)?;
        facts.extend(self.known(&mut question)?);
        let mut next = self.terms(&mut question, Moment::Next, &self.invariants)?;
        next.extend(self.kept(&mut question)?);
        let violated = named(&mut question, &next, "an invariant");
        // Together they are one run of abc; one by one each is easier.
        match self.never(&question, &facts, &violated, INVARIANTS) {
            Ok(()) => return Ok(()),
            Err(shown @ Never::Shown(_)) => return Err(wrong("after an edge")(shown)),
            Err(Never::Unknown(_)) => {}
        }
        let parts = next.iter().flat_map(|&all| conjuncts(&question, all));
        let parts: Vec<NodeId> = parts.collect();
        named(&mut question, &parts, "an invariant")
            .chunks(1)
            .try_for_each(|one| {
                self.never(&question, &facts, one, abc::PATIENCE)
                    .map_err(wrong("after an edge"))
            })
    }

    /// The invariants, and what is true of what RAMs have read.
    fn known(&self, netlist: &mut Netlist) -> Result<Vec<NodeId>, String> {
        let mut known = self.terms(netlist, Moment::Now, &self.invariants)?;
        known.extend(self.read(netlist)?);
        Ok(known)
    }

    fn terms(
        &self,
        netlist: &mut Netlist,
        moment: Moment,
        facts: &Known,
    ) -> Result<Vec<NodeId>, String> {
        let mut terms = over(netlist, &self.ports, moment);
        let facts = facts(&mut terms);
        match terms.missing() {
            [] => Ok(facts.into_iter().map(NodeId::from).collect()),
            missing => Err(format!("the netlist has no {}", missing.join(", "))),
        }
    }

    /// Whether none of `bad` can happen while all `facts` hold; else where one may.
    fn never(
        &self,
        netlist: &Netlist,
        facts: &[NodeId],
        bad: &[(String, NodeId)],
        patience: Duration,
    ) -> Result<(), Never> {
        let mut netlist = netlist.clone();
        let graph = &mut netlist.graph;
        let mut violated = graph.constant(0u8, 1);
        for (_, node) in bad {
            violated = graph.or(violated, *node);
        }
        for &fact in facts {
            violated = graph.and(violated, fact);
        }
        // Nothing but the question is to be blasted.
        netlist.outputs = vec![Output {
            name: "violated".into(),
            node: violated,
        }];
        netlist.regs.iter_mut().for_each(|reg| reg.next = reg.q);
        let zero = netlist.graph.constant(0u8, 1);
        for ram in &mut netlist.rams {
            ram.write_enable = zero;
            ram.read_address = netlist.graph.constant(0u8, ram.address_width);
            ram.write_address = ram.read_address;
            ram.write_data = netlist.graph.constant(0u8, ram.width);
        }
        match abc::ask(&Aig::new(&netlist), patience) {
            Answer::Never => Ok(()),
            Answer::For(values) => Err(Never::Shown(shown(&netlist, &values, bad))),
            Answer::Unknown(reason) => Err(Never::Unknown(reason)),
        }
    }
}

/// Outputs, next values and RAM ports that may differ from the `faulty` ones, which stand in the
/// graph of `question`. It was made from `netlist`, so that equal nodes have equal numbers. Where
/// and what a RAM is written matters if it is; of the flops, those bits matter that are `observed`
/// and, where a flop has one, in its mask.
fn differences(
    netlist: &Netlist,
    faulty: &[NodeId],
    observed: &[BigUint],
    masks: &BTreeMap<usize, NodeId>,
    question: &mut Netlist,
) -> Vec<(String, NodeId)> {
    let names = netlist.outputs.iter().map(|output| output.name.clone());
    let names = names.chain(netlist.regs.iter().map(|reg| format!("next {}", reg.name)));
    let ports = [
        "read address",
        "write enable",
        "write address",
        "write data",
    ];
    let rams = netlist.rams.iter();
    let rams = rams.flat_map(|ram| ports.map(|port| format!("{port} of {}", ram.name)));
    let first = netlist.outputs.len() + netlist.regs.len();
    let enable = |root: usize| match (root.checked_sub(first)?, ports.len()) {
        (port, ports) if port % ports < 2 => None,
        (port, ports) => Some(netlist.rams[port / ports].write_enable),
    };
    let pairs = netlist.roots().into_iter().zip(faulty.iter().copied());
    let mut differing = Vec::new();
    for (root, (name, (good, bad))) in names.chain(rams).zip(pairs).enumerate() {
        let flop = root.checked_sub(netlist.outputs.len());
        let mut compared = [good, bad];
        if let Some(bits) = flop.and_then(|flop| observed.get(flop)) {
            let width = question.graph.width(good);
            let mut mask = question.graph.constant(bits.clone(), width);
            if let Some(&own) = flop.and_then(|flop| masks.get(&flop)) {
                mask = question.graph.and(mask, own);
            }
            compared = compared.map(|node| question.graph.and(node, mask));
        }
        let [good, bad] = compared;
        if good != bad {
            let equal = question.graph.eq(good, bad);
            let mut differs = question.graph.not(equal);
            if let Some(enable) = enable(root) {
                differs = question.graph.and(differs, enable);
            }
            differing.push((name, differs));
        }
    }
    differing
}

/// The parts of a conjunction.
fn conjuncts(netlist: &Netlist, all: NodeId) -> Vec<NodeId> {
    let (mut open, mut parts) = (vec![all], Vec::new());
    while let Some(part) = open.pop() {
        match *netlist.graph.op(part) {
            Op::And(a, b) => open.extend([a, b]),
            _ => parts.push(part),
        }
    }
    parts
}

/// The formulas' inverses, under one name.
fn named(netlist: &mut Netlist, formulas: &[NodeId], name: &str) -> Vec<(String, NodeId)> {
    let inverses = formulas
        .iter()
        .map(|&formula| (name.to_owned(), netlist.graph.not(formula)));
    inverses.collect()
}

#[cfg(test)]
mod tests;
