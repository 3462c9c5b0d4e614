//! The golden models' rules as logic over a unit.
//!
//! A register is found where lockstep finds it: by its [`Probe`].

use cotenant_golden::rules::{Fact, Register, Relation, Rule, Value};
use cotenant_golden::Model;

use super::{Term, Terms};
use crate::verify::interface::{InOf, Interface, ParamsOf, Probe, StateOf};

/// What the inputs of a unit must be. Rules about ports that there are not are left
/// out: the surrounding unit ensures them.
pub fn assumptions<U: Interface>(params: &ParamsOf<U>, terms: &mut Terms<'_>) -> Vec<Term> {
    let rules = U::Model::rules(params).legal;
    let mut reader = Reader::<U> { params, terms };
    let known = |rule: &&Rule<_, _>| {
        let mut ports = rule.fact.inputs().into_iter();
        ports.all(|port| reader.terms.has_port(port.field.name))
    };
    let rules: Vec<&Rule<_, _>> = rules.iter().filter(known).collect();
    rules.iter().map(|rule| reader.fact(&rule.fact)).collect()
}

/// What the golden model says of the registers of a unit.
pub fn invariants<U: Interface>(params: &ParamsOf<U>, terms: &mut Terms<'_>) -> Vec<Term> {
    let rules = U::Model::rules(params).invariants;
    let mut reader = Reader::<U> { params, terms };
    rules.iter().map(|rule| reader.fact(&rule.fact)).collect()
}

struct Reader<'a, 't, U: Interface> {
    params: &'a ParamsOf<U>,
    terms: &'a mut Terms<'t>,
}

impl<U: Interface> Reader<'_, '_, U> {
    fn fact(&mut self, fact: &Fact<InOf<U>, StateOf<U>>) -> Term {
        match fact {
            Fact::High(value) => {
                let value = self.value(value);
                let zero = self.terms.is(value, 0);
                self.terms.not(zero)
            }
            Fact::Compare(relation, values) => {
                let [a, b] = [&values[0], &values[1]].map(|value| self.value(value));
                match relation {
                    Relation::Equal => self.terms.same(a, b),
                    Relation::Below => self.terms.lower(a, b),
                    Relation::AtMost => {
                        let greater = self.terms.lower(b, a);
                        self.terms.not(greater)
                    }
                }
            }
            Fact::Not(fact) => {
                let fact = self.fact(fact);
                self.terms.not(fact)
            }
            Fact::All(facts) => {
                let facts: Vec<Term> = facts.iter().map(|fact| self.fact(fact)).collect();
                self.terms.all(facts)
            }
            Fact::Any(facts) => {
                let facts: Vec<Term> = facts.iter().map(|fact| self.fact(fact)).collect();
                self.terms.any(facts)
            }
            Fact::Implies(facts) => {
                let [premise, conclusion] = [&facts[0], &facts[1]].map(|fact| self.fact(fact));
                self.terms.implies(premise, conclusion)
            }
            Fact::Shown(fact, _) | Fact::Told(fact, _) => self.fact(fact),
        }
    }

    fn value(&mut self, value: &Value<InOf<U>, StateOf<U>>) -> Term {
        match value {
            Value::Number(number) => self.terms.number(*number),
            Value::Input(port) => match port.field.index {
                None => self.terms.port(port.field.name),
                Some(index) => self.terms.element(port.field.name, index),
            },
            Value::Register(register) => self.register(register),
            Value::Sum(values) => {
                let [a, b] = [&values[0], &values[1]].map(|value| self.value(value));
                self.terms.sum([a, b])
            }
            Value::Ones(facts) => {
                let facts: Vec<Term> = facts.iter().map(|fact| self.fact(fact)).collect();
                self.terms.sum(facts)
            }
        }
    }

    fn register(&mut self, register: &Register<StateOf<U>>) -> Term {
        let terms = &mut *self.terms;
        let value = match U::probe(self.params, register.name, &register.at) {
            Probe::Value(name) => terms.flop(&name),
            Probe::Limited {
                flop: name,
                passed,
                bit,
            } => {
                let (value, passed) = (terms.flop(&name), terms.flop(&passed));
                let passed = terms.bit(passed, bit);
                terms.limited(value, passed)
            }
            Probe::Late { flop, newer, flags } => {
                let (value, newer) = (terms.flop(&flop), terms.flop(&newer));
                let flags: Vec<Term> = flags.iter().map(|flag| terms.flop(flag)).collect();
                let late = terms.any(flags);
                terms.either(late, newer, value)
            }
        };
        match register.bit {
            Some(bit) => terms.bit(value, bit),
            None => value,
        }
    }
}
