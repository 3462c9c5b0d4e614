//! Conditions, matches and state machines.

use crate::support::{Flop, I, L, O};
use cotenant_netlist::hdl::*;

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum State {
    Idle,
    Load,
    Run,
    Drain,
    Done,
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum Sign {
    Less,
    Equal,
    Greater,
}

block!(Branches { a: I<Bits<4>>, b: I<Bits<4>>, c: I<Bit>; o: O<Bits<4>>, p: O<Bits<4>> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = 0.into();
    if self.a.val() == 3 {
        self.o.next = 1.into();
    } else if self.a.val() > 9 {
        if self.c.val() {
            self.o.next = self.b.val();
        }
    } else if self.c.val() {
        self.o.next = self.a.val() + self.b.val();
    } else {
        self.o.next = 15.into();
    }
    if !self.c.val() {
        self.p.next = self.o.val();
    } else {
        self.p.next = !self.o.val();
    }
});
block!(Matching { a: I<Bits<4>>, b: I<Bits<2>>, c: I<Bit>; o: O<Bits<4>>, p: O<Bits<4>>, q: O<Bits<4>>, r: O<Bits<4>>, sign: L<Sign>, s: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    match self.a.val().index() {
        0 => self.o.next = 5.into(),
        7 => { self.o.next = self.a.val() + 1; }
        0xf => self.o.next = 1.into(),
        _ => self.o.next = self.a.val(),
    }
    self.p.next = 0.into();
    match self.b.val().index() {
        1 => {}
        2 => {
            match self.c.val() {
                true => self.p.next = 3.into(),
                false => self.p.next = 4.into(),
            }
        }
        _ => { if self.c.val() { self.p.next = 9.into(); } }
    }
    match self.c.val() {
        false => self.q.next = 6.into(),
        true => self.q.next = self.p.val(),
    }
    if self.a.val() < 5 {
        self.sign.next = Sign::Less;
    } else if self.a.val() == 5 {
        self.sign.next = Sign::Equal;
    } else {
        self.sign.next = Sign::Greater;
    }
    match self.sign.val() {
        Sign::Greater => self.r.next = 1.into(),
        Sign::Less => self.r.next = 2.into(),
        Sign::Equal => self.r.next = 3.into(),
    }
    self.s.next = self.sign.val() == Sign::Equal;
});
block!(Machine { clock: I<Clock>, reset: I<Bit>, go: I<Bit>, n: I<Bits<3>>; state: Flop<State>, count: Flop<Bits<3>>, busy: O<Bit>, code: O<Bits<3>> }
#[hdl_gen] fn update(&mut self) {
    clock!(self, clock, state, count);
    self.state.reset.next = self.reset.val();
    self.count.reset.next = self.reset.val();
    self.state.d.next = self.state.q.val();
    self.count.d.next = self.count.q.val();
    self.busy.next = true;
    match self.state.q.val() {
        State::Idle => {
            self.busy.next = false;
            if self.go.val() {
                self.state.d.next = State::Load;
            }
        }
        State::Load => {
            self.count.d.next = self.n.val();
            self.state.d.next = State::Run;
        }
        State::Run => {
            if self.count.q.val() == 0 {
                self.state.d.next = State::Drain;
            } else {
                self.count.d.next = self.count.q.val() - 1;
            }
        }
        State::Drain => self.state.d.next = State::Done,
        _ => { self.state.d.next = State::Idle; }
    }
    self.code.next = self.state.q.val().into();
});

#[test]
fn control() {
    everywhere!(Branches, Matching, Machine);
}
