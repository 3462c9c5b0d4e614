//! Error text of a broken rule: the port, its value and the value expected.

use super::{Fact, Relation, Rule, Told, Value};
use crate::model::{Field, Violation};

/// What is told of a rule that these inputs break in this state.
pub(super) fn violation<I, S>(rule: &Rule<I, S>, input: &I, state: &S) -> Violation {
    let reader = Reader { input, state };
    reader.of_fact(&rule.fact, None).unwrap_or_else(|| {
        let ports = rule.fact.inputs();
        let port = ports.first();
        Violation::Rule {
            field: port.map_or(Field::from(rule.name), |port| port.field),
            value: port.map_or(0, |port| port.read(input)),
            rule: rule.text,
        }
    })
}

struct Reader<'a, I, S> {
    input: &'a I,
    state: &'a S,
}

impl<I, S> Reader<'_, I, S> {
    /// What is told of a fact that does not hold, if it says enough by itself. `told` is how the
    /// fact around it is told.
    fn of_fact(&self, fact: &Fact<I, S>, told: Option<&Told<I>>) -> Option<Violation> {
        match fact {
            Fact::Told(fact, how) => self.of_fact(fact, Some(how)),
            Fact::All(facts) => {
                let broken = facts
                    .iter()
                    .find(|fact| !fact.holds(self.input, self.state));
                self.of_fact(broken?, told)
            }
            Fact::Implies(facts) => self.of_fact(&facts[1], told),
            Fact::Compare(relation, values) => {
                let [a, b] = &**values;
                self.of_bound(*relation, a, b).or_else(|| self.told(told))
            }
            Fact::Not(fact) => exclusive(fact).or_else(|| self.told(told)),
            Fact::High(_) | Fact::Any(_) | Fact::Shown(..) => self.told(told),
        }
    }

    /// A port beyond a bound.
    fn of_bound(&self, relation: Relation, a: &Value<I, S>, b: &Value<I, S>) -> Option<Violation> {
        let number = |value: &Value<I, S>| match value {
            Value::Number(number) => Some(*number),
            _ => None,
        };
        Some(match (relation, a, b) {
            (Relation::Below, Value::Input(port), bound) => Violation::TooLarge {
                field: port.field,
                value: port.read(self.input),
                max: number(bound)? - 1,
            },
            (Relation::AtMost, Value::Input(port), bound) => Violation::TooLarge {
                field: port.field,
                value: port.read(self.input),
                max: number(bound)?,
            },
            (Relation::AtMost, bound, Value::Input(port)) => Violation::TooSmall {
                field: port.field,
                value: port.read(self.input),
                min: number(bound)?,
            },
            _ => return None,
        })
    }

    fn told(&self, told: Option<&Told<I>>) -> Option<Violation> {
        Some(match told? {
            Told::NotNow(field, state) => Violation::NotNow {
                field: *field,
                state,
            },
            Told::HitOnInvalid(port) => Violation::HitOnInvalid {
                field: port.field,
                value: port.read(self.input),
            },
        })
    }
}

/// Two ports of which at most one may be high.
fn exclusive<I, S>(both: &Fact<I, S>) -> Option<Violation> {
    match both {
        Fact::All(facts) => match &facts[..] {
            [Fact::High(Value::Input(one)), Fact::High(Value::Input(other))] => {
                Some(Violation::Exclusive {
                    field: one.field,
                    other: other.field.name,
                })
            }
            _ => None,
        },
        _ => None,
    }
}
