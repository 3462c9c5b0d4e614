//! Plays a scene: netlist and golden model in lockstep, its statements checked against the netlist.

use std::fmt;
use std::path::Path;

use cotenant_netlist::sim::{Engine, Observer};
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;
use serde::Serialize;

use super::scene::{Format, Group, Part, Scene, Story};
use super::trace::{Signal, Trace};
use super::Teach;
use crate::error::{Error, Result};
use crate::verify::dut::Dut;
use crate::verify::interface::Interface;
use crate::verify::lockstep::{Bench, Captions, Lockstep, Mismatch, RECORDED};

/// A scene with what came of it.
#[derive(Debug, Clone, Serialize)]
pub struct Played {
    /// The unit.
    pub unit: &'static str,
    /// The parameter set.
    pub set: String,
    /// What is shown.
    pub title: String,
    /// The part of the paper that the unit is from.
    pub source: String,
    /// What happens, in order.
    pub steps: Vec<Told>,
    /// The first difference between netlist and golden model, if there was one.
    pub mismatch: Option<Mismatch>,
    #[serde(skip)]
    pub(super) groups: Vec<Group>,
    #[serde(skip)]
    pub(super) sequential: bool,
    #[serde(skip)]
    pub(super) trace: Trace,
}

/// A step of a scene.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Told {
    /// What happens.
    pub caption: String,
    /// Its first cycle.
    pub first: u64,
    /// Its last cycle.
    pub last: u64,
    /// What is to be seen.
    pub facts: Vec<Seen>,
    #[serde(skip)]
    pub(super) folded: bool,
}

/// A fact of a scene, and what the netlist says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// The cycle.
    pub cycle: u64,
    /// The signal.
    pub signal: String,
    /// Its value in the netlist, one number per element.
    pub value: Vec<u64>,
    /// Its value by hand.
    pub expected: Vec<u64>,
    /// The value as it is written.
    pub text: String,
}

impl Played {
    /// Netlist and golden model agree, and all facts hold.
    pub fn passed(&self) -> bool {
        self.mismatch.is_none() && self.wrong().next().is_none()
    }

    /// The facts that do not hold.
    pub fn wrong(&self) -> impl Iterator<Item = Wrong<'_>> {
        let facts = self.steps.iter().flat_map(|step| &step.facts);
        let wrong = facts.filter(|fact| fact.value != fact.expected);
        wrong.map(|fact| Wrong { played: self, fact })
    }

    /// Cycles in all.
    pub fn cycles(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.last + 1)
    }

    /// How a signal is written: as its row is.
    pub(super) fn format(&self, signal: &str) -> Format {
        let mut rows = self.groups.iter().flat_map(|group| &group.rows);
        let found = rows.find(|row| row.signal == signal);
        found.map_or(Format::Plain, |row| row.format)
    }
}

/// A fact that does not hold.
#[derive(Debug)]
pub struct Wrong<'a> {
    played: &'a Played,
    fact: &'a Seen,
}

impl fmt::Display for Wrong<'_> {
    /// `gdcu 4x4x21: cycle 5: count[0][3] is 2, by hand 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Seen {
            cycle,
            signal,
            text,
            expected,
            ..
        } = self.fact;
        let Played {
            unit, set, trace, ..
        } = self.played;
        let by_hand = trace.text(signal, self.played.format(signal), expected);
        write!(
            f,
            "{unit} {set}: cycle {cycle}: {signal} is {text}, by hand {by_hand}"
        )
    }
}

/// Plays a unit's scene in a set that it is told in, and writes a waveform of it if there is a
/// place for one.
///
/// # Errors
/// Whatever keeps it from being built, run or written; [`Error::Scene`] if the scene itself is
/// wrong, [`Error::Assumption`] if its inputs break an assumption of the unit.
pub fn play<U: Teach>(set: &ParameterSet, wave: Option<&Path>) -> Result<Played> {
    let scene = U::scene(&U::params(set)?);
    play_scene::<U>(set, &U::netlist(set)?, scene, wave)
}

/// [`play`] of a scene or netlist of one's own.
///
/// # Errors
/// As [`play`].
pub fn play_scene<U: Interface>(
    set: &ParameterSet,
    netlist: &Netlist,
    scene: Scene<U>,
    wave: Option<&Path>,
) -> Result<Played> {
    let Scene {
        start,
        inputs,
        story,
    } = scene;
    // Of so few cycles most would go to compiling.
    let lockstep = Lockstep::<U>::with_netlist(set, netlist, Engine::Interpreter)?;
    let mut lockstep = lockstep.check_assumptions(true);
    if let Some(model) = start {
        lockstep.load(model);
    }
    let mut stage = Stage::new(set, &story, lockstep.bench())?;
    let mut mismatch = lockstep.compare();
    for input in &inputs {
        // The whole scene is played, so that a wave shows what comes of a difference.
        let differs = lockstep.step(input)?;
        mismatch = mismatch.or(differs);
        stage.take(lockstep.bench().last_input());
    }
    stage.played(story, (netlist, mismatch), lockstep.bench(), wave)
}

/// What watches a scene.
struct Stage<'a> {
    set: &'a ParameterSet,
    trace: Trace,
    /// A netlist that stops in the middle of each cycle, where values are to be seen.
    seen: Dut,
    observer: Observer,
}

impl<'a> Stage<'a> {
    /// At the beginning of a scene.
    fn new(set: &'a ParameterSet, story: &Story, bench: &Bench) -> Result<Self> {
        let seen = bench.dut().clone();
        let unit = seen.form().unit;
        if story.length() > RECORDED {
            let problem = format!("{} cycles, expected up to {RECORDED}", story.length());
            return Err(wrong(unit, set, problem));
        }
        let mut trace = Trace::default();
        for name in signals(story) {
            let signal = Signal::find(seen.form(), seen.sim().layout(), name);
            let missing = || format!("neither port, register nor signal is called {name}");
            trace.follow(name, signal.ok_or_else(|| wrong(unit, set, missing()))?);
        }
        Ok(Self {
            set,
            trace,
            observer: seen.sim().observer(),
            seen,
        })
    }

    /// Sees a cycle with these inputs, packed.
    fn take(&mut self, inputs: &[u64]) {
        self.seen.drive(inputs);
        self.seen.sim_mut().eval();
        self.trace.take(self.seen.sim(), &mut self.observer);
        self.seen.sim_mut().step();
    }

    /// What came of the scene.
    fn played(
        self,
        story: Story,
        (netlist, mismatch): (&Netlist, Option<Mismatch>),
        bench: &Bench,
        wave: Option<&Path>,
    ) -> Result<Played> {
        let form = self.seen.form();
        let about = netlist.module().about.as_ref();
        let mut played = Played {
            unit: form.unit,
            set: self.set.name.into(),
            title: story.title,
            source: about.map_or(String::new(), |about| about.source.clone()),
            steps: Vec::new(),
            mismatch,
            groups: story.groups,
            sequential: !form.state.is_empty(),
            trace: self.trace,
        };
        let steps = told(&played, &story.steps);
        played.steps = steps.map_err(|problem| wrong(form.unit, self.set, problem))?;
        if let Some(path) = wave {
            let found = played.mismatch.as_ref();
            let steps = played.steps.iter();
            let steps = Captions::new(steps.map(|step| (step.last, &step.caption[..])));
            let path = bench.write_recorded(path, found, &played.comments(), steps)?;
            if let Some(mismatch) = &mut played.mismatch {
                mismatch.wave = path;
            }
        }
        Ok(played)
    }
}

fn wrong(unit: &'static str, set: &ParameterSet, problem: String) -> Error {
    Error::Scene {
        unit,
        set: set.name.into(),
        problem,
    }
}

/// The steps with their cycles and what was seen in them.
fn told(played: &Played, parts: &[Part]) -> std::result::Result<Vec<Told>, String> {
    let all: u64 = parts.iter().map(|part| part.length).sum();
    let mut first = 0;
    let mut steps = Vec::new();
    for step in parts {
        if step.length == 0 {
            return Err(format!("no cycle in the step '{}'", step.caption));
        }
        let last = first + step.length - 1;
        let mut facts = Vec::new();
        for fact in &step.facts {
            let cycle = last + fact.after;
            if cycle >= all {
                let signal = &fact.signal;
                return Err(format!(
                    "{signal} in cycle {cycle}, after the last, {}",
                    all - 1
                ));
            }
            let value = played.trace.value(&fact.signal, cycle).to_vec();
            let format = played.format(&fact.signal);
            facts.push(Seen {
                cycle,
                signal: fact.signal.clone(),
                text: played.trace.text(&fact.signal, format, &value),
                value,
                expected: fact.value.clone(),
            });
        }
        steps.push(Told {
            caption: step.caption.clone(),
            first,
            last,
            facts,
            folded: step.folded,
        });
        first = last + 1;
    }
    Ok(steps)
}

/// All signals that a scene's rows and facts name.
fn signals(story: &Story) -> impl Iterator<Item = &str> {
    let rows = story.groups.iter().flat_map(|group| &group.rows);
    let shown = rows.flat_map(|row| [Some(&row.signal), row.when.as_ref()]);
    let facts = story.steps.iter().flat_map(|step| &step.facts);
    shown
        .flatten()
        .chain(facts.map(|fact| &fact.signal))
        .map(String::as_str)
}
