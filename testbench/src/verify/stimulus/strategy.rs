//! Proptest strategies made from the stimulus, whose transactions shrink.
//!
//! A run is the beginning of a [`stream`] of a random seed. It shrinks by what it is, not by how it
//! was drawn: since any transaction is legal, transactions are left out, and what a transaction
//! says is replaced, part by part, by what one in which nothing happens says; numbers come nearer.

use std::ops::Range;

use proptest::arbitrary::any;
use proptest::collection::SizeRange;
use proptest::strategy::{BoxedStrategy, NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::Value;

use super::{stream, Drive, Profile};
use crate::verify::interface::ParamsOf;

/// Runs of transactions for property-based tests, drawn as a [`stream`] of this profile is.
///
/// Shrinking shortens the run, then makes each transaction more like
/// [`nothing`](Drive::nothing).
pub fn strategy<U: Drive>(
    params: &ParamsOf<U>,
    profile: Profile,
    cycles: impl Into<SizeRange>,
) -> BoxedStrategy<Vec<U::Transaction>> {
    let cycles = cycles.into();
    let runs = Runs::<U> {
        params: params.clone(),
        profile,
        cycles: cycles.start()..cycles.end_excl(),
    };
    runs.boxed()
}

/// See [`strategy`].
#[derive(Debug)]
struct Runs<U: Drive> {
    params: ParamsOf<U>,
    profile: Profile,
    cycles: Range<usize>,
}

impl<U: Drive> Strategy for Runs<U> {
    type Tree = Shrinking<U::Transaction>;
    type Value = Vec<U::Transaction>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let drawn = (self.cycles.clone(), any::<u64>()).new_tree(runner)?;
        let (cycles, seed) = drawn.current();
        let transactions = stream::<U>(&self.params, self.profile, seed);
        Ok(Shrinking {
            fewest: self.cycles.start,
            run: transactions.take(cycles).collect(),
            nothing: U::nothing(&self.params),
            before: None,
            next: Next::Leave(cycles, 0),
        })
    }
}

/// What is tried next.
#[derive(Debug)]
enum Next {
    /// To leave out so many transactions from this one on.
    Leave(usize, usize),
    /// To say less in this transaction: one of these.
    Say(usize, std::vec::IntoIter<Value>),
    /// Nothing.
    Done,
}

/// A run that fails, and the simpler one that is tried.
#[derive(Debug)]
struct Shrinking<T> {
    fewest: usize,
    nothing: T,
    run: Vec<T>,
    /// The part of the run that was taken away for the present trial: where it was, what it was,
    /// and how many transactions stand there now.
    before: Option<(usize, Vec<T>, usize)>,
    next: Next,
}

impl<T: cotenant_golden::model::Plain> Shrinking<T> {
    /// Makes a simpler run of the one that failed last.
    fn attempt(&mut self) -> bool {
        loop {
            match &mut self.next {
                Next::Leave(0, _) => self.next = self.say(0),
                Next::Leave(some, at) if *at >= self.run.len() => {
                    self.next = Next::Leave(*some / 2, 0);
                }
                Next::Leave(some, at) => {
                    let (at, spare) = (*at, self.run.len().saturating_sub(self.fewest));
                    let some = (*some).min(spare).min(self.run.len() - at);
                    if some > 0 {
                        let left = self.run.splice(at..at + some, []).collect();
                        self.before = Some((at, left, 0));
                        return true;
                    }
                    self.next = Next::Leave(0, 0);
                }
                Next::Say(at, simpler) => {
                    let at = *at;
                    let simpler = simpler.find_map(|value| serde_json::from_value(value).ok());
                    match simpler {
                        Some(simpler) => {
                            let was = std::mem::replace(&mut self.run[at], simpler);
                            self.before = Some((at, vec![was], 1));
                            return true;
                        }
                        None => self.next = self.say(at + 1),
                    }
                }
                Next::Done => return false,
            }
        }
    }

    fn say(&self, at: usize) -> Next {
        let Some(transaction) = self.run.get(at) else {
            return Next::Done;
        };
        let value = |transaction: &T| serde_json::to_value(transaction).unwrap_or_default();
        let simpler = simpler(&value(transaction), Some(&value(&self.nothing)));
        Next::Say(at, simpler.into_iter())
    }
}

impl<T: cotenant_golden::model::Plain> ValueTree for Shrinking<T> {
    type Value = Vec<T>;

    fn current(&self) -> Vec<T> {
        self.run.clone()
    }

    /// The simpler run fails, too: from here on it is the one to be made simpler.
    fn simplify(&mut self) -> bool {
        let tried = self.before.take().is_some();
        match self.next {
            Next::Say(at, _) if tried => self.next = self.say(at),
            _ => {}
        }
        self.attempt()
    }

    /// The simpler run does not fail: back to the one before, and to what is tried next.
    fn complicate(&mut self) -> bool {
        let Some((at, was, now)) = self.before.take() else {
            return false;
        };
        if let Next::Leave(_, from) = &mut self.next {
            *from += was.len();
        }
        self.run.splice(at..at + now, was);
        self.attempt()
    }
}

/// Values that differ from this one in one place, where they are nearer to `nothing`; those that
/// take the largest step come first.
fn simpler(value: &Value, nothing: Option<&Value>) -> Vec<Value> {
    if nothing == Some(value) {
        return Vec::new();
    }
    let mut all: Vec<Value> = nothing.cloned().into_iter().collect();
    match value {
        Value::Bool(true) if nothing.is_none() => all.push(false.into()),
        Value::Number(number) => {
            let nothing = nothing.and_then(Value::as_i64).unwrap_or(0);
            match (number.as_i64(), number.as_u64()) {
                (Some(number), _) => all.extend(nearer(number, nothing).map(Value::from)),
                (None, Some(number)) => {
                    all.extend([number >> 1, number & number >> 1].map(Value::from))
                }
                (None, None) => {}
            }
        }
        Value::Array(elements) => {
            for (i, element) in elements.iter().enumerate() {
                for element in simpler(element, nothing.and_then(|nothing| nothing.get(i))) {
                    let mut elements = elements.clone();
                    elements[i] = element;
                    all.push(elements.into());
                }
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                for field in simpler(field, nothing.and_then(|nothing| nothing.get(name))) {
                    let mut fields = fields.clone();
                    fields[name] = field;
                    all.push(fields.into());
                }
            }
        }
        _ => {}
    }
    all
}

/// Numbers between this one and another: that, half way, and one step.
fn nearer(number: i64, to: i64) -> impl Iterator<Item = i64> {
    let (half, step) = (to + (number - to) / 2, number - (number - to).signum());
    let mut all = vec![to, half, step];
    all.dedup();
    all.into_iter().filter(move |nearer| *nearer != number)
}

#[cfg(test)]
mod tests {
    //! Rationale: a shrunk run must fail as the first one did, be one that no step makes simpler,
    //! and keep to the fewest cycles asked for. What fails is given here, so that the smallest run
    //! is known.
    use super::*;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Act {
        Rest { way: u8 },
        Go { far: i8, bits: u64 },
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Transaction {
        reset: bool,
        act: Act,
        lanes: Vec<(u8, bool)>,
    }

    const REST: Act = Act::Rest { way: 0 };

    fn shrunk(
        run: Vec<Transaction>,
        fewest: usize,
        fails: impl Fn(&[Transaction]) -> bool,
    ) -> Vec<Transaction> {
        let nothing = Transaction {
            reset: false,
            act: REST,
            lanes: vec![(0, false); 2],
        };
        let next = Next::Leave(run.len(), 0);
        let mut tree = Shrinking {
            fewest,
            nothing,
            run,
            before: None,
            next,
        };
        assert!(fails(&tree.current()));
        let mut going = tree.simplify();
        while going {
            going = match fails(&tree.current()) {
                true => tree.simplify(),
                false => tree.complicate(),
            };
        }
        tree.current()
    }

    fn busy(cycle: usize) -> Transaction {
        Transaction {
            reset: cycle % 2 == 0,
            act: match cycle % 3 {
                0 => Act::Rest { way: 7 },
                _ => Act::Go {
                    far: -(cycle as i8),
                    bits: u64::MAX - cycle as u64,
                },
            },
            lanes: vec![(cycle as u8, true), (200, true)],
        }
    }

    #[test]
    fn what_matters_is_left() {
        let far = |t: &Transaction| matches!(t.act, Act::Go { far: ..=-5, .. });
        let lane = |t: &Transaction| t.lanes[1].0 > 41;
        let fails = |run: &[Transaction]| {
            let first = run.iter().position(far);
            first.is_some_and(|first| run[first + 1..].iter().any(lane))
        };
        let run = shrunk((0..60).map(busy).collect(), 1, fails);
        let quiet = |act, lane| Transaction {
            reset: false,
            act,
            lanes: vec![(0, false), (lane, false)],
        };
        let go = Act::Go { far: -5, bits: 0 };
        assert_eq!(run, [quiet(go, 0), quiet(REST, 42)]);
    }

    #[test]
    fn the_fewest_cycles_are_kept() {
        let run = shrunk((0..60).map(busy).collect(), 12, |_| true);
        assert_eq!(run.len(), 12);
        assert!(run.iter().all(|t| !t.reset && t.act == REST));
    }
}
