//! Plays a scene: netlist and golden model in lockstep, its statements checked against the netlist.

use std::fmt;
use std::path::Path;

use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;
use serde::Serialize;

use super::scene::{Format, Group, Scene};
use super::trace::{Signal, Trace};
use super::Teach;
use crate::error::{Error, Result};
use crate::verify::interface::{Interface, Packer};
use crate::verify::lockstep::{Lockstep, Mismatch, RECORDED};

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
    let wrong = |problem: String| Error::Scene {
        unit: U::NAME,
        set: set.name.into(),
        problem,
    };
    if scene.length() > RECORDED {
        let problem = format!("{} cycles, expected up to {RECORDED}", scene.length());
        return Err(wrong(problem));
    }
    // Of so few cycles most would go to compiling.
    let lockstep = Lockstep::<U>::with_netlist(set, netlist, Engine::Interpreter)?;
    let mut lockstep = lockstep.check_assumptions(true);
    let mut trace = Trace::default();
    for name in scene.signals() {
        let signal = Signal::find::<U>(lockstep.params(), lockstep.dut().sim().layout(), name);
        let missing = || {
            wrong(format!(
                "neither port, register nor signal is called {name}"
            ))
        };
        trace.follow(name, signal.ok_or_else(missing)?);
    }
    if let Some(model) = scene.start.clone() {
        lockstep.load(model);
    }
    let mut mismatch = lockstep.compare();
    // A netlist that stops in the middle of each cycle, where values are to be seen.
    let mut seen = lockstep.dut().clone();
    let mut observer = seen.sim().observer();
    let ports = U::inputs(lockstep.params());
    let mut words = vec![0; ports.iter().map(|port| port.words()).sum()];
    for input in scene.steps.iter().flat_map(|step| &step.cycles) {
        // The whole scene is played, so that a wave shows what comes of a difference.
        let differs = lockstep.step(input)?;
        mismatch = mismatch.or(differs);
        U::pack_in(lockstep.params(), input, &mut Packer::new(&mut words));
        seen.drive(&words);
        seen.sim_mut().eval();
        trace.take(seen.sim(), &mut observer);
        seen.sim_mut().step();
    }
    let about = netlist.module().about.as_ref();
    let mut played = Played {
        unit: U::NAME,
        set: set.name.into(),
        title: scene.title.clone(),
        source: about.map_or(String::new(), |about| about.source.clone()),
        steps: Vec::new(),
        mismatch,
        groups: scene.groups.clone(),
        sequential: !U::state(lockstep.params()).is_empty(),
        trace,
    };
    played.steps = told(&played, &scene).map_err(wrong)?;
    if let Some(path) = wave {
        let found = played.mismatch.as_ref();
        let path = lockstep.write_recorded(path, found, &played.comments())?;
        if let Some(mismatch) = &mut played.mismatch {
            mismatch.wave = path;
        }
    }
    Ok(played)
}

/// The steps with their cycles and what was seen in them.
fn told<U: Interface>(played: &Played, scene: &Scene<U>) -> std::result::Result<Vec<Told>, String> {
    let all = scene.length();
    let mut first = 0;
    let mut steps = Vec::new();
    for step in &scene.steps {
        if step.cycles.is_empty() {
            return Err(format!("no cycle in the step '{}'", step.caption));
        }
        let last = first + step.cycles.len() as u64 - 1;
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
