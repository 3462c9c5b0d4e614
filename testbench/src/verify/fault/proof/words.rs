//! What the words of RAMs hold that have been written since reset.
//!
//! A prover knows nothing of what a RAM holds. It is told by [`Facts::words`], which is proven by
//! induction over the words: at power-up none has been written; one becomes written only by a write to
//! its address; what is written holds what is said, whatever the address; and the word of an address
//! that has not been written is not read as one that has.
//!
//! [`Facts::words`]: crate::verify::facts::Facts::words

use cotenant_netlist::graph::{NodeId, Op};
use cotenant_netlist::{Input, Netlist, Ram};

use super::logic::{over, Moment};
use super::Prover;
use crate::verify::facts::{Term, Words};

impl Prover<'_> {
    /// What is true of the words that RAMs have read.
    pub(super) fn read(&self, netlist: &mut Netlist) -> Result<Vec<NodeId>, String> {
        let mut all = Vec::new();
        for ram in self.told(netlist) {
            let read = self.ask(netlist, &ram, Moment::Now, Words::Read)?;
            let holds = self.ask(netlist, &ram, Moment::Now, Words::Hold(ram.data.into()))?;
            all.extend(implied(netlist, &read, holds));
        }
        Ok(all)
    }

    /// What has to be true at power-up, so that it is: no word has been written, and none read.
    pub(super) fn unwritten(&self, netlist: &mut Netlist) -> Result<Vec<NodeId>, String> {
        let mut all = Vec::new();
        for ram in self.told(netlist) {
            let address = any_address(netlist, &ram);
            for question in [Words::Read, Words::Written(address)] {
                let true_now = self.ask(netlist, &ram, Moment::Start, question)?;
                let true_now = both(netlist, &true_now);
                all.push(netlist.graph.not(true_now));
            }
        }
        Ok(all)
    }

    /// What has to be true in every cycle, so that it is in the next one.
    pub(super) fn kept(&self, netlist: &mut Netlist) -> Result<Vec<NodeId>, String> {
        let mut all = Vec::new();
        for ram in self.told(netlist) {
            let holds = Words::Hold(ram.write_data.into());
            let holds = self.ask(netlist, &ram, Moment::Now, holds)?;
            all.extend(implied(netlist, &[ram.write_enable], holds));

            let read = self.ask(netlist, &ram, Moment::Next, Words::Read)?;
            let written = Words::Written(ram.read_address.into());
            let written = self.ask(netlist, &ram, Moment::Now, written)?;
            all.extend(implied(netlist, &read, written));

            let address = any_address(netlist, &ram);
            let written = Words::Written(address);
            let before = self.ask(netlist, &ram, Moment::Now, written)?;
            let after = self.ask(netlist, &ram, Moment::Next, written)?;
            let before = both(netlist, &before);
            let graph = &mut netlist.graph;
            let here = graph.eq(ram.write_address, address.into());
            let here = graph.and(here, ram.write_enable);
            let known = graph.or(before, here);
            all.extend(implied(netlist, &after, vec![known]));
        }
        Ok(all)
    }

    /// The RAMs whose words something is known about.
    fn told(&self, netlist: &mut Netlist) -> Vec<Ram> {
        let mut rams = netlist.rams.clone();
        let mut terms = over(netlist, &self.ports, Moment::Now);
        rams.retain(|ram| (self.words)(&ram.name, Words::Read, &mut terms).is_some());
        rams
    }

    fn ask(
        &self,
        netlist: &mut Netlist,
        ram: &Ram,
        moment: Moment,
        question: Words,
    ) -> Result<Vec<NodeId>, String> {
        let mut terms = over(netlist, &self.ports, moment);
        let answer = (self.words)(&ram.name, question, &mut terms).unwrap_or_default();
        match terms.missing() {
            [] => Ok(answer.into_iter().map(NodeId::from).collect()),
            missing => Err(format!("the netlist has no {}", missing.join(", "))),
        }
    }
}

/// An address that may be any one.
fn any_address(netlist: &mut Netlist, ram: &Ram) -> Term {
    let (input, width) = (netlist.inputs.len(), ram.address_width);
    let name = format!("an address of {}", ram.name);
    netlist.inputs.push(Input { name, width });
    netlist.graph.raw(Op::Input(input as u32), width).into()
}

fn both(netlist: &mut Netlist, all: &[NodeId]) -> NodeId {
    let graph = &mut netlist.graph;
    let yes = graph.constant(1u8, 1);
    all.iter().fold(yes, |all, &one| graph.and(all, one))
}

/// Each of these, if all of the others hold.
fn implied(netlist: &mut Netlist, if_: &[NodeId], then: Vec<NodeId>) -> Vec<NodeId> {
    let if_ = both(netlist, if_);
    let graph = &mut netlist.graph;
    let not = graph.not(if_);
    then.into_iter().map(|one| graph.or(not, one)).collect()
}
