//! Formulas and their evaluation.

use super::signal::{Input, Register};
use crate::model::Field;

/// A number.
#[derive(Debug)]
pub enum Value<I, S> {
    /// This one.
    Number(u64),
    /// What a port carries.
    Input(Input<I>),
    /// What a register holds.
    Register(Register<S>),
    /// The sum, which does not wrap.
    Sum(Box<[Value<I, S>; 2]>),
    /// How many of them hold.
    Ones(Vec<Fact<I, S>>),
}

/// What holds or does not.
#[derive(Debug)]
pub enum Fact<I, S> {
    /// The value is not 0.
    High(Value<I, S>),
    /// The two values are related so.
    Compare(Relation, Box<[Value<I, S>; 2]>),
    /// It does not hold.
    Not(Box<Fact<I, S>>),
    /// They all hold.
    All(Vec<Fact<I, S>>),
    /// At least one holds.
    Any(Vec<Fact<I, S>>),
    /// If the first holds the second does.
    Implies(Box<[Fact<I, S>; 2]>),
    /// A fact that an output port shows in every cycle.
    Shown(Box<Fact<I, S>>, Field),
    /// A fact whose violation is told in words of its own.
    Told(Box<Fact<I, S>>, Told<I>),
}

/// How two values are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// They are equal.
    Equal,
    /// The first is less.
    Below,
    /// The first is not greater.
    AtMost,
}

/// How the violation of a fact is told.
#[derive(Debug)]
pub enum Told<I> {
    /// The port is high while the state is such as these words say.
    NotNow(Field, &'static str),
    /// The port names a way or position without a valid line.
    HitOnInvalid(Input<I>),
}

impl Relation {
    /// Whether two numbers are related so.
    pub fn holds(self, a: u64, b: u64) -> bool {
        match self {
            Self::Equal => a == b,
            Self::Below => a < b,
            Self::AtMost => a <= b,
        }
    }
}

impl<I, S> Value<I, S> {
    /// The number.
    pub fn read(&self, input: &I, state: &S) -> u64 {
        match self {
            Self::Number(number) => *number,
            Self::Input(port) => port.read(input),
            Self::Register(register) => register.read(state),
            Self::Sum(values) => {
                let [a, b] = &**values;
                a.read(input, state).saturating_add(b.read(input, state))
            }
            Self::Ones(facts) => {
                let held = facts.iter().filter(|fact| fact.holds(input, state));
                held.count() as u64
            }
        }
    }

    fn compared(self, relation: Relation, other: impl Into<Self>) -> Fact<I, S> {
        Fact::Compare(relation, Box::new([self, other.into()]))
    }

    /// It is this.
    pub fn is(self, other: impl Into<Self>) -> Fact<I, S> {
        self.compared(Relation::Equal, other)
    }

    /// It is less than this.
    pub fn below(self, bound: impl Into<Self>) -> Fact<I, S> {
        self.compared(Relation::Below, bound)
    }

    /// It is not more than this.
    pub fn at_most(self, bound: impl Into<Self>) -> Fact<I, S> {
        self.compared(Relation::AtMost, bound)
    }

    /// It is not less than this.
    pub fn at_least(self, bound: impl Into<Self>) -> Fact<I, S> {
        bound.into().compared(Relation::AtMost, self)
    }

    /// The sum with this.
    #[must_use]
    pub fn plus(self, other: impl Into<Self>) -> Self {
        Self::Sum(Box::new([self, other.into()]))
    }

    /// A port that is high only while a fact holds; `otherwise` says what is so when it does not.
    ///
    /// # Panics
    /// It is no input port.
    pub fn only_while(self, fact: impl Into<Fact<I, S>>, otherwise: &'static str) -> Fact<I, S> {
        let told = Told::NotNow(self.port().field, otherwise);
        Fact::Told(Box::new(self.implies(fact)), told)
    }

    /// The ports that it depends on, in their order.
    pub fn inputs(&self) -> Vec<&Input<I>> {
        match self {
            Self::Number(_) | Self::Register(_) => Vec::new(),
            Self::Input(port) => vec![port],
            Self::Sum(values) => values.iter().flat_map(Self::inputs).collect(),
            Self::Ones(facts) => facts.iter().flat_map(Fact::inputs).collect(),
        }
    }

    fn hidden(&self) -> Vec<&Register<S>> {
        match self {
            Self::Number(_) | Self::Input(_) => Vec::new(),
            Self::Register(register) => match register.shown {
                Some(_) => Vec::new(),
                None => vec![register],
            },
            Self::Sum(values) => values.iter().flat_map(Self::hidden).collect(),
            Self::Ones(facts) => facts.iter().flat_map(Fact::hidden).collect(),
        }
    }

    fn port(&self) -> &Input<I> {
        match self {
            Self::Input(port) => port,
            _ => panic!("only an input port can be to blame"),
        }
    }
}

impl<I, S> Fact<I, S> {
    /// Whether it holds.
    pub fn holds(&self, input: &I, state: &S) -> bool {
        match self {
            Self::High(value) => value.read(input, state) != 0,
            Self::Compare(relation, values) => {
                let [a, b] = &**values;
                relation.holds(a.read(input, state), b.read(input, state))
            }
            Self::Not(fact) => !fact.holds(input, state),
            Self::All(facts) => facts.iter().all(|fact| fact.holds(input, state)),
            Self::Any(facts) => facts.iter().any(|fact| fact.holds(input, state)),
            Self::Implies(facts) => {
                let [premise, conclusion] = &**facts;
                !premise.holds(input, state) || conclusion.holds(input, state)
            }
            Self::Shown(fact, _) | Self::Told(fact, _) => fact.holds(input, state),
        }
    }

    /// The ports that it speaks of, in their order.
    pub fn inputs(&self) -> Vec<&Input<I>> {
        match self {
            Self::High(value) => value.inputs(),
            Self::Compare(_, values) => values.iter().flat_map(Value::inputs).collect(),
            Self::Not(fact) | Self::Shown(fact, _) | Self::Told(fact, _) => fact.inputs(),
            Self::All(facts) | Self::Any(facts) => facts.iter().flat_map(Self::inputs).collect(),
            Self::Implies(facts) => facts.iter().flat_map(Self::inputs).collect(),
        }
    }

    /// The registers that it speaks of and that no output port shows.
    pub fn hidden(&self) -> Vec<&Register<S>> {
        match self {
            Self::High(value) => value.hidden(),
            Self::Compare(_, values) => values.iter().flat_map(Value::hidden).collect(),
            Self::Shown(..) => Vec::new(),
            Self::Not(fact) | Self::Told(fact, _) => fact.hidden(),
            Self::All(facts) | Self::Any(facts) => facts.iter().flat_map(Self::hidden).collect(),
            Self::Implies(facts) => facts.iter().flat_map(Self::hidden).collect(),
        }
    }

    /// The same, shown by an output port.
    #[must_use]
    pub fn shown(self, output: impl Into<Field>) -> Self {
        Self::Shown(Box::new(self), output.into())
    }
}

/// What facts and values of one bit are combined with.
pub trait Logic<I, S>: Into<Fact<I, S>> {
    /// Both hold.
    fn and(self, other: impl Into<Fact<I, S>>) -> Fact<I, S> {
        Fact::All(vec![self.into(), other.into()])
    }

    /// One of them holds, or both do.
    fn or(self, other: impl Into<Fact<I, S>>) -> Fact<I, S> {
        Fact::Any(vec![self.into(), other.into()])
    }

    /// It does not hold.
    fn not(self) -> Fact<I, S> {
        Fact::Not(Box::new(self.into()))
    }

    /// If it holds the other one does, too.
    fn implies(self, conclusion: impl Into<Fact<I, S>>) -> Fact<I, S> {
        Fact::Implies(Box::new([self.into(), conclusion.into()]))
    }
}

impl<I, S, T: Into<Fact<I, S>>> Logic<I, S> for T {}

impl<I, S> From<Value<I, S>> for Fact<I, S> {
    fn from(value: Value<I, S>) -> Self {
        Self::High(value)
    }
}

impl<I, S> From<u64> for Value<I, S> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl<I, S> From<usize> for Value<I, S> {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

/// All of them hold.
pub fn all<I, S>(facts: impl IntoIterator<Item = Fact<I, S>>) -> Fact<I, S> {
    Fact::All(facts.into_iter().collect())
}

/// At least one of them holds.
pub fn any<I, S>(facts: impl IntoIterator<Item = Fact<I, S>>) -> Fact<I, S> {
    Fact::Any(facts.into_iter().collect())
}

/// It holds of each of these numbers.
pub fn each<I, S>(
    numbers: impl IntoIterator<Item = usize>,
    fact: impl FnMut(usize) -> Fact<I, S>,
) -> Fact<I, S> {
    all(numbers.into_iter().map(fact))
}

/// How many of them hold.
pub fn ones<I, S>(facts: impl IntoIterator<Item = impl Into<Fact<I, S>>>) -> Value<I, S> {
    Value::Ones(facts.into_iter().map(Into::into).collect())
}

/// The line is valid, whose way or position `named_by` carries.
pub fn valid_line<I, S>(line: impl Into<Fact<I, S>>, named_by: Value<I, S>) -> Fact<I, S> {
    let told = Told::HitOnInvalid(named_by.port().clone());
    Fact::Told(Box::new(line.into()), told)
}
