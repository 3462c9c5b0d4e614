//! What the words of RAMs hold that have been written since reset.
//!
//! A prover knows nothing of what a RAM holds. It is told by [`Facts::words`], which is proven by
//! induction over the words: at power-up none has been written; one becomes written only by a write to
//! its address; what is written holds what is said, whatever the address; and the word of an address
//! that has not been written is not read as one that has.
//!
//! Words of several RAMs at one address hold something together ([`Words::Row`]) if they are read at the
//! same address in the same cycle, and written at one address only. A write of one of them meets what
//! the others hold there: that is known of the address that was read last ([`Words::Held`], which is
//! proven first, as it follows from what the RAM reads and from what is written in that cycle), and may
//! be anything elsewhere.
//!
//! [`Facts::words`]: crate::verify::facts::Facts::words

use cotenant_netlist::graph::{NodeId, Op};
use cotenant_netlist::{Input, Netlist, Ram};

use super::logic::{over, Moment};
use super::Prover;
use crate::verify::facts::{Term, Terms, Words};

impl Prover<'_> {
    /// What is true of the words that RAMs have read.
    pub(super) fn read(&self, netlist: &mut Netlist) -> Result<Vec<NodeId>, String> {
        let mut all = Vec::new();
        for ram in self.told(netlist) {
            let read = self.ask(netlist, &ram, Moment::Now, Words::Read)?;
            let holds = self.ask(netlist, &ram, Moment::Now, Words::Hold(ram.data.into()))?;
            all.extend(implied(netlist, &read, holds));
        }
        for row in self.rows(netlist) {
            let read = self.ask(netlist, &row[0], Moment::Now, Words::Read)?;
            let held = self.held(netlist, &row)?;
            let holds = self.of_row(netlist, &row, &held)?;
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
        for row in self.rows(netlist) {
            all.extend(self.follows(netlist, &row)?);
            all.extend(self.kept_together(netlist, &row)?);
        }
        Ok(all)
    }

    /// In the next cycle the address read last is the one that is being read, and what is there is what
    /// the RAM reads, or what is being written.
    fn follows(&self, netlist: &mut Netlist, row: &[Ram]) -> Result<Vec<NodeId>, String> {
        let read = self.ask(netlist, &row[0], Moment::Next, Words::Read)?;
        let address = self.one(netlist, &row[0], Moment::Next, Words::Address)?;
        let mut all = Vec::new();
        for ram in row {
            let graph = &mut netlist.graph;
            all.push(graph.eq(address, ram.read_address));
            let word = anything(netlist, format!("what {} reads", ram.name), ram.width);
            let held = self.one(netlist, ram, Moment::Next, Words::Held(word.into()))?;
            let graph = &mut netlist.graph;
            let here = graph.eq(ram.write_address, ram.read_address);
            let here = graph.and(here, ram.write_enable);
            let there = graph.mux(here, ram.write_data, word);
            all.push(graph.eq(held, there));
        }
        Ok(implied(netlist, &read, all))
    }

    /// A write to a word of the row leaves a row that holds what is said.
    fn kept_together(&self, netlist: &mut Netlist, row: &[Ram]) -> Result<Vec<NodeId>, String> {
        let read = self.ask(netlist, &row[0], Moment::Now, Words::Read)?;
        let last = self.one(netlist, &row[0], Moment::Now, Words::Address)?;
        let held = self.held(netlist, row)?;
        let graph = &mut netlist.graph;
        let written = row.iter().fold(last, |address, ram| {
            graph.mux(ram.write_enable, ram.write_address, address)
        });
        let known = graph.eq(written, last);
        let known = [read, vec![known]].concat();
        let known = both(netlist, &known);
        let (mut all, mut words) = (Vec::new(), Vec::new());
        for (ram, held) in row.iter().zip(held) {
            let other = anything(netlist, format!("another word of {}", ram.name), ram.width);
            let graph = &mut netlist.graph;
            let before = graph.mux(known, held, other);
            words.push(graph.mux(ram.write_enable, ram.write_data, before));
            let there = graph.eq(ram.write_address, written);
            all.extend(implied(netlist, &[ram.write_enable], vec![there]));
        }
        let holds = self.of_row(netlist, row, &words)?;
        for ram in row {
            all.extend(implied(netlist, &[ram.write_enable], holds.clone()));
        }
        Ok(all)
    }

    /// RAMs whose words hold something together: one whose words something is known about, and those
    /// that are read with it.
    fn rows(&self, netlist: &mut Netlist) -> Vec<Vec<Ram>> {
        let mut rows = self.told(netlist);
        rows.retain(|ram| {
            let words = netlist.rams.iter();
            let words: Vec<_> = words
                .map(|ram| (ram.name.clone(), ram.data.into()))
                .collect();
            let mut terms = over(netlist, &self.ports, Moment::Now);
            terms.speak_of_words(words);
            (self.words)(&ram.name, Words::Row, &mut terms).is_some()
        });
        let beside = |first: Ram, netlist: &mut Netlist| {
            let mut others = netlist.rams.clone();
            let mut terms = over(netlist, &self.ports, Moment::Now);
            others.retain(|ram| {
                let held = Words::Held(ram.data.into());
                ram.name != first.name
                    && ram.read_address == first.read_address
                    && (self.words)(&ram.name, held, &mut terms).is_some()
            });
            others.insert(0, first);
            others
        };
        rows.into_iter().map(|ram| beside(ram, netlist)).collect()
    }

    /// What is there now, at the address that has been read last.
    fn held(&self, netlist: &mut Netlist, row: &[Ram]) -> Result<Vec<NodeId>, String> {
        let held = |ram: &Ram| {
            let held = Words::Held(ram.data.into());
            self.one(netlist, ram, Moment::Now, held)
        };
        row.iter().map(held).collect()
    }

    /// The one answer to a question that has one.
    fn one(
        &self,
        netlist: &mut Netlist,
        ram: &Ram,
        moment: Moment,
        question: Words,
    ) -> Result<NodeId, String> {
        match self.ask(netlist, ram, moment, question)?[..] {
            [one] => Ok(one),
            _ => Err(format!("nobody says what {} has read and holds", ram.name)),
        }
    }

    /// What is said of a row of these words.
    fn of_row(
        &self,
        netlist: &mut Netlist,
        row: &[Ram],
        words: &[NodeId],
    ) -> Result<Vec<NodeId>, String> {
        let words = row.iter().zip(words);
        let words = words.map(|(ram, &word)| (ram.name.clone(), word.into()));
        let mut terms = over(netlist, &self.ports, Moment::Now);
        terms.speak_of_words(words);
        self.answer(&row[0], Words::Row, &mut terms)
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
        self.answer(ram, question, &mut terms)
    }

    fn answer(
        &self,
        ram: &Ram,
        question: Words,
        terms: &mut Terms<'_>,
    ) -> Result<Vec<NodeId>, String> {
        let answer = (self.words)(&ram.name, question, terms).unwrap_or_default();
        match terms.missing() {
            [] => Ok(answer.into_iter().map(NodeId::from).collect()),
            missing => Err(format!("the netlist has no {}", missing.join(", "))),
        }
    }
}

/// An address that may be any one.
fn any_address(netlist: &mut Netlist, ram: &Ram) -> Term {
    anything(
        netlist,
        format!("an address of {}", ram.name),
        ram.address_width,
    )
    .into()
}

/// A value that may be any one.
fn anything(netlist: &mut Netlist, name: String, width: usize) -> NodeId {
    let input = netlist.inputs.len();
    netlist.inputs.push(Input { name, width });
    netlist.graph.raw(Op::Input(input as u32), width)
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
