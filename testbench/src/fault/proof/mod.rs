//! Proof that a fault changes nothing.
//!
//! Two netlists with the same flops are compared with the flops cut open: from the same state and
//! the same inputs they must have the same outputs and the same next state. Starting from the
//! same state they then stay together for ever. Three claims are tried, each weaker than the one
//! before: for all inputs and states; for legal inputs; for legal inputs in states that satisfy
//! the unit's invariants. The invariants are proven, too, of the netlist without the fault: they
//! hold at power-up, and from one cycle to the next.

mod abc;
mod aiger;
mod llc;
mod terms;

use std::collections::BTreeMap;
use std::fmt;

use cotenant_netlist::blast::{Aig, Leaf};
use cotenant_netlist::fault::Fault;
use cotenant_netlist::graph::NodeId;
use cotenant_netlist::sim::{Engine, Sim, SimError};
use cotenant_netlist::{Netlist, Output};
use serde::Serialize;

use crate::unit::{Interface, ParamsOf, Port};
use abc::Answer;
use terms::Moment;

pub use terms::Terms;

/// What a proof may take for granted about a unit, as logic over its ports and flops.
pub trait Facts: Interface {
    /// What the golden model's `assume` demands of the inputs of a cycle.
    fn assumptions(params: &ParamsOf<Self>, terms: &mut Terms<'_>) -> Vec<NodeId>;

    /// What holds in every state that legal inputs lead to. A wrong or useless invariant makes
    /// proofs fail, it cannot make one succeed.
    fn invariants(_params: &ParamsOf<Self>, _terms: &mut Terms<'_>) -> Vec<NodeId> {
        Vec::new()
    }
}

/// For what a fault was proven to change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Proof {
    /// For all inputs and states.
    Everywhere,
    /// For all states and the inputs that the unit's assumptions allow.
    LegalInputs,
    /// For the inputs that the unit's assumptions allow, in the states that they lead to.
    ReachableStates,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Everywhere => "for all inputs and states",
            Self::LegalInputs => "for all legal inputs",
            Self::ReachableStates => "for all legal inputs in reachable states",
        })
    }
}

/// Proves faults of one netlist to change nothing.
#[derive(Debug)]
pub(super) struct Prover<'a, U: Interface> {
    params: &'a ParamsOf<U>,
    ports: Vec<Port>,
    netlist: &'a Netlist,
    assumptions: Formulas<U>,
    invariants: Formulas<U>,
    /// Whether the invariants hold, once somebody has asked.
    proven: Option<Result<(), String>>,
}

type Formulas<U> = fn(&ParamsOf<U>, &mut Terms<'_>) -> Vec<NodeId>;

impl<'a, U: Facts> Prover<'a, U> {
    pub fn new(params: &'a ParamsOf<U>, netlist: &'a Netlist) -> Self {
        Self {
            params,
            ports: U::inputs(params),
            netlist,
            assumptions: U::assumptions,
            invariants: U::invariants,
            proven: None,
        }
    }

    /// A proof, or why there is none.
    pub fn prove(&mut self, fault: &Fault) -> Result<Proof, String> {
        let faulty = self
            .netlist
            .with_fault(fault)
            .map_err(|error| error.to_string())?;
        let starts = |netlist: &Netlist| -> Vec<_> {
            netlist.regs.iter().map(|reg| reg.init.clone()).collect()
        };
        if starts(self.netlist) != starts(&faulty) {
            return Err("it starts in another state".into());
        }
        let mut why = String::new();
        for claim in [
            Proof::Everywhere,
            Proof::LegalInputs,
            Proof::ReachableStates,
        ] {
            match self.try_claim(claim, &faulty) {
                Ok(()) => return Ok(claim),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    fn try_claim(&mut self, claim: Proof, faulty: &Netlist) -> Result<(), String> {
        if claim == Proof::ReachableStates {
            // Without any, the claim is the one before.
            let proven = match &self.proven {
                Some(proven) => proven.clone(),
                None => self.prove_invariants(),
            };
            self.proven = Some(proven.clone());
            proven?;
        }
        let mut question = faulty.clone();
        let mut facts = Vec::new();
        if claim != Proof::Everywhere {
            facts.extend(self.terms(&mut question, Moment::Now, self.assumptions)?);
        }
        if claim == Proof::ReachableStates {
            facts.extend(self.terms(&mut question, Moment::Now, self.invariants)?);
        }
        let differ = differences(self.netlist, &mut question);
        self.never(question, facts, differ)
            .map_err(|at| format!("it may show {claim}: {at}"))
    }

    /// The invariants hold at power-up and, if they hold in a cycle with legal inputs, in the
    /// next one.
    fn prove_invariants(&self) -> Result<(), String> {
        let mut question = self.netlist.clone();
        let start = self.terms(&mut question, Moment::Start, self.invariants)?;
        let violated = named(&mut question, &start, "an invariant");
        let wrong = |when| move |at| format!("an invariant fails {when}: {at}");
        self.never(question, Vec::new(), violated)
            .map_err(wrong("at power-up"))?;
        let mut question = self.netlist.clone();
        let mut facts = self.terms(&mut question, Moment::Now, self.assumptions)?;
        facts.extend(self.terms(&mut question, Moment::Now, self.invariants)?);
        let next = self.terms(&mut question, Moment::Next, self.invariants)?;
        let violated = named(&mut question, &next, "an invariant");
        self.never(question, facts, violated)
            .map_err(wrong("after an edge"))
    }

    fn terms(
        &self,
        netlist: &mut Netlist,
        moment: Moment,
        facts: Formulas<U>,
    ) -> Result<Vec<NodeId>, String> {
        let mut terms = Terms::new(netlist, &self.ports, moment);
        let facts = facts(self.params, &mut terms);
        match terms.missing() {
            [] => Ok(facts),
            missing => Err(format!("the netlist has no {}", missing.join(", "))),
        }
    }

    /// Whether none of `bad` can happen while all `facts` hold; else where one may.
    fn never(
        &self,
        mut netlist: Netlist,
        facts: Vec<NodeId>,
        bad: Vec<(String, NodeId)>,
    ) -> Result<(), String> {
        let graph = &mut netlist.graph;
        let mut violated = graph.constant(0u8, 1);
        for (_, node) in &bad {
            violated = graph.or(violated, *node);
        }
        for fact in facts {
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
        match abc::ask(&Aig::new(&netlist)) {
            Answer::Never => Ok(()),
            Answer::For(values) => Err(shown(&netlist, &values, &bad)),
            Answer::Unknown(reason) => Err(reason),
        }
    }
}

/// Outputs, next values and RAM ports of the two that may differ; `faulty` was made from
/// `netlist`, so that equal nodes have equal numbers.
fn differences(netlist: &Netlist, faulty: &mut Netlist) -> Vec<(String, NodeId)> {
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
    let pairs = netlist.roots().into_iter().zip(faulty.roots());
    let mut differing = Vec::new();
    for (name, (good, bad)) in names.chain(rams).zip(pairs) {
        if good != bad {
            let equal = faulty.graph.eq(good, bad);
            differing.push((name, faulty.graph.not(equal)));
        }
    }
    differing
}

/// The formulas' inverses, under one name.
fn named(netlist: &mut Netlist, formulas: &[NodeId], name: &str) -> Vec<(String, NodeId)> {
    let inverses = formulas
        .iter()
        .map(|&formula| (name.to_owned(), netlist.graph.not(formula)));
    inverses.collect()
}

/// Where a counterexample shows, and its ports and flops that are not zero.
fn shown(netlist: &Netlist, values: &[(Leaf, bool)], bad: &[(String, NodeId)]) -> String {
    let mut words: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for &(leaf, _) in values.iter().filter(|(_, value)| *value) {
        let (name, bit) = match leaf {
            Leaf::Input(i, bit) => (&netlist.inputs[i].name, bit),
            Leaf::Reg(i, bit) => (&netlist.regs[i].name, bit),
            Leaf::RamData(i, bit) => (&netlist.rams[i].name, bit),
        };
        let word = words.entry(name).or_default();
        if word.len() <= bit / 64 {
            word.resize(bit / 64 + 1, 0);
        }
        word[bit / 64] |= 1 << (bit % 64);
    }
    let places = places(netlist, &words, bad).unwrap_or_default();
    let hex = |word: &[u64]| -> String {
        let (high, rest) = word.split_last().unwrap_or((&0, &[]));
        let rest = rest.iter().rev().map(|word| format!("{word:016x}"));
        format!("{high:#x}") + &rest.collect::<String>()
    };
    let at: Vec<String> = words
        .iter()
        .map(|(name, word)| format!("{name} {}", hex(word)))
        .collect();
    let at = if at.is_empty() {
        "all zero".into()
    } else {
        at.join(", ")
    };
    format!("in {} at {at}", places.join(", "))
}

/// The names of those that are set at these values.
fn places<'a>(
    netlist: &Netlist,
    words: &BTreeMap<&str, Vec<u64>>,
    bad: &'a [(String, NodeId)],
) -> Result<Vec<&'a str>, SimError> {
    let mut netlist = netlist.clone();
    let outputs = bad.iter().enumerate().map(|(i, (_, node))| Output {
        name: i.to_string(),
        node: *node,
    });
    netlist.outputs = outputs.collect();
    let mut sim = Sim::with_engine(&netlist, Engine::Interpreter)?;
    let layout = sim.layout();
    let leaves = layout.inputs().chain(layout.registers());
    let leaves: Vec<_> = leaves.map(|(name, slot)| (words.get(name), slot)).collect();
    for (word, slot) in leaves {
        sim.set_words(slot, word.map_or(&[], |word| word));
    }
    sim.eval();
    let mut places = Vec::new();
    for (i, (name, _)) in bad.iter().enumerate() {
        if sim.output(&i.to_string())? == 1 && !places.contains(&name.as_str()) {
            places.push(name.as_str());
        }
    }
    Ok(places)
}

#[cfg(test)]
mod tests;
