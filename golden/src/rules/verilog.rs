//! Rules as Verilog expressions, for assumptions of proofs and for assertions.

use super::{Fact, Input, Register, Relation, Rule, Rules, Value};
use crate::model::Field;
use crate::ports::Port;

/// A rule as an expression of one bit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// The rule's name.
    pub name: &'static str,
    /// The rule as a sentence.
    pub text: &'static str,
    /// The rule as Verilog-2005.
    pub verilog: String,
}

/// The rules about inputs, over the ports of a module, each called as `name` says. Where a rule
/// speaks of a register, the output port stands that shows it. Rules about ports that the module
/// does not have are left out: the surrounding unit ensures them.
pub fn legal<I, S>(
    rules: &Rules<I, S>,
    ports: &[Port],
    name: impl Fn(&str) -> String,
) -> Vec<Expression> {
    let there = |rule: &&Rule<I, S>| {
        let mut inputs = rule.fact.inputs().into_iter();
        inputs.all(|input| ports.iter().any(|port| port.name == input.field.name))
    };
    let printer = Printer { ports, name };
    let printed = rules.legal.iter().filter(there).map(|rule| Expression {
        name: rule.name,
        text: rule.text,
        verilog: printer.fact(&rule.fact),
    });
    printed.collect()
}

struct Printer<'a, N> {
    ports: &'a [Port],
    name: N,
}

impl<N: Fn(&str) -> String> Printer<'_, N> {
    fn fact<I, S>(&self, fact: &Fact<I, S>) -> String {
        match fact {
            Fact::High(value) => format!("({} != 0)", self.value(value)),
            Fact::Compare(relation, values) => {
                let operator = match relation {
                    Relation::Equal => "==",
                    Relation::Below => "<",
                    Relation::AtMost => "<=",
                };
                let [a, b] = &**values;
                format!("({} {operator} {})", self.value(a), self.value(b))
            }
            Fact::Not(fact) => format!("!{}", self.fact(fact)),
            Fact::All(facts) => self.joined(facts, " && ", "1'b1"),
            Fact::Any(facts) => self.joined(facts, " || ", "1'b0"),
            Fact::Implies(facts) => {
                let [premise, conclusion] = &**facts;
                format!("(!{} || {})", self.fact(premise), self.fact(conclusion))
            }
            Fact::Shown(_, output) => format!("({} != 0)", self.port(*output)),
            Fact::Told(fact, _) => self.fact(fact),
        }
    }

    fn joined<I, S>(&self, facts: &[Fact<I, S>], operator: &str, none: &str) -> String {
        let facts: Vec<String> = facts.iter().map(|fact| self.fact(fact)).collect();
        match &facts[..] {
            [] => none.into(),
            [one] => one.clone(),
            several => format!("({})", several.join(operator)),
        }
    }

    fn value<I, S>(&self, value: &Value<I, S>) -> String {
        match value {
            Value::Number(number) => match number >> 31 {
                0 => number.to_string(),
                _ => format!("64'd{number}"),
            },
            Value::Input(Input { field, .. }) => self.port(*field),
            Value::Register(Register {
                name, at, shown, ..
            }) => match shown {
                Some(output) => self.port(*output),
                None => format!("{name} at {at:?}"),
            },
            // The operands are as wide as the widest, in which no sum wraps.
            Value::Sum(values) => {
                let [a, b] = &**values;
                format!("(65'd0 + {} + {})", self.value(a), self.value(b))
            }
            Value::Ones(facts) => {
                let facts: Vec<String> = facts.iter().map(|fact| self.fact(fact)).collect();
                format!("(7'd0 + {})", facts.join(" + "))
            }
        }
    }

    /// A port, or an element of one. What inputs are legal must be seen at the ports, so that
    /// each register of a rule about inputs is shown by one.
    fn port(&self, Field { name, index }: Field) -> String {
        let port = self.ports.iter().find(|port| port.name == name);
        let name = (self.name)(name);
        match (index, port) {
            (Some(element), Some(port)) if port.elements > 1 || port.element_width > 1 => {
                let low = element * port.element_width;
                match port.element_width {
                    1 => format!("{name}[{low}]"),
                    width => format!("{name}[{}:{low}]", low + width - 1),
                }
            }
            _ => name,
        }
    }
}
