//! What is kept of a run: a small file per unit, with a hash over it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use cotenant_netlist::fault::{Described, Fault};
use cotenant_netlist::Netlist;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::journal::{Decided, Journal, Subject};
use super::Class;
use crate::error::{Error, Result};
use crate::verify::fault::Outcome;
use crate::whole::File;

/// Where the records are, below the root of the repository.
pub const FOLDER: &str = "testbench/tests/recorded/mutation";

/// A fault place that is neither caught nor proven, and what is known about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// The fault, as [`Described`] words it.
    pub fault: String,
    /// Why there is no proof; of a missed one how it shows.
    pub why: String,
}

/// All fault places of a parameter set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Measured {
    /// The parameter set.
    pub set: String,
    /// Digest of the netlist.
    pub netlist: String,
    /// Digest of stimulus and golden model, [`stimulus`](super::stimulus).
    #[serde(default)]
    pub stimulus: String,
    /// Seed of the stimulus.
    pub seed: u64,
    /// Cycles that a fault was run for, at most.
    pub cycles: u64,
    /// Number of places.
    pub places: usize,
    /// Number of those caught in lockstep.
    pub caught: usize,
    /// The latest cycle in which one was.
    pub last_caught: u64,
    /// Number of those proven to change nothing.
    pub equivalent: usize,
    /// Those that stimulus missed, with inputs that show each.
    pub missed: Vec<Open>,
    /// Those neither caught nor proven.
    pub undecided: Vec<Open>,
    /// Seconds that one core would have taken.
    pub core_seconds: u64,
    /// A letter per place, [`Class::letter`], behind how many times it follows.
    pub verdicts: String,
}

impl Measured {
    /// What a journal says; `before`, of the same netlist and stimulus, of the places that it lacks.
    pub(super) fn of(
        subject: &Subject,
        netlist: &Netlist,
        faults: &[Fault],
        journal: &Journal,
        before: Option<&Self>,
    ) -> Self {
        let mut classes = before.map_or_else(Vec::new, Self::classes);
        classes.resize(faults.len(), Class::Undecided);
        let [mut core_seconds, mut last_caught] =
            before.map_or([0; 2], |before| [before.core_seconds, before.last_caught]);
        let microseconds: u64 = journal.decided().map(|one| one.microseconds).sum();
        core_seconds += microseconds.div_ceil(1_000_000);
        let mut why: BTreeMap<String, String> = before
            .into_iter()
            .flat_map(|before| before.missed.iter().chain(&before.undecided))
            .map(|open| (open.fault.clone(), open.why.clone()))
            .collect();
        let name = |place: usize| Described(netlist, &faults[place]).to_string();
        for Decided { place, outcome, .. } in journal.decided() {
            classes[*place] = outcome.into();
            match outcome {
                Outcome::Missed { output, inputs } => {
                    let inputs = inputs.join("; ");
                    why.insert(name(*place), format!("{output} differs after: {inputs}"));
                }
                Outcome::Survived { reason } => {
                    why.insert(name(*place), reason.clone());
                }
                Outcome::Caught { cycle, .. } => last_caught = last_caught.max(*cycle),
                Outcome::Equivalent { .. } => {}
            }
        }
        let count = |class| classes.iter().filter(|one| **one == class).count();
        let open = |class| {
            let places = (0..faults.len()).filter(|&place| classes[place] == class);
            let open = places.map(|place| {
                let fault = name(place);
                let why = why.get(&fault).cloned().unwrap_or_default();
                Open { fault, why }
            });
            open.collect()
        };
        Self {
            set: subject.set.clone(),
            netlist: subject.netlist.clone(),
            stimulus: subject.stimulus.clone(),
            seed: subject.seed,
            cycles: before.map_or(0, |before| before.cycles).max(subject.cycles),
            places: faults.len(),
            caught: count(Class::Caught),
            last_caught,
            equivalent: count(Class::Equivalent) + count(Class::FromReset),
            missed: open(Class::Missed),
            undecided: open(Class::Undecided),
            core_seconds,
            verdicts: lengths(&classes),
        }
    }

    /// The class of each place, in the order of
    /// [`candidates`](cotenant_netlist::fault::candidates).
    pub fn classes(&self) -> Vec<Class> {
        let mut classes = Vec::new();
        let mut times = 0;
        for letter in self.verdicts.chars() {
            match letter.to_digit(10) {
                Some(digit) => times = 10 * times + digit as usize,
                None => {
                    let class = Class::ALL.into_iter().find(|c| c.letter() == letter);
                    classes.extend(class.into_iter().flat_map(|c| vec![c; times.max(1)]));
                    times = 0;
                }
            }
        }
        classes
    }

    /// Puts in other verdicts; of those that are open it does not know why.
    #[cfg(test)]
    pub(super) fn set_classes(&mut self, classes: &[Class]) {
        let count = |class| classes.iter().filter(|one| **one == class).count();
        self.verdicts = lengths(classes);
        self.caught = count(Class::Caught);
        self.equivalent = count(Class::Equivalent) + count(Class::FromReset);
        for (open, class) in [
            (&mut self.missed, Class::Missed),
            (&mut self.undecided, Class::Undecided),
        ] {
            let unknown = Open {
                fault: String::new(),
                why: String::new(),
            };
            open.resize(count(class), unknown);
        }
    }

    /// What is wrong with it, given today's netlist, its number of fault places and today's
    /// [`stimulus`](super::stimulus).
    pub fn problems(&self, netlist: &str, places: usize, stimulus: &str) -> Vec<String> {
        let classes = self.classes();
        let count = |class| classes.iter().filter(|one| **one == class).count();
        let counts = [
            self.caught,
            self.equivalent,
            self.missed.len(),
            self.undecided.len(),
        ];
        let mut problems = Vec::new();
        if self.netlist != netlist {
            let recorded = &self.netlist;
            problems.push(format!("the netlist is {netlist}, recorded is {recorded}"));
        } else if self.places != places {
            let recorded = self.places;
            problems.push(format!("{places} fault places, recorded are {recorded}"));
        }
        if self.stimulus != stimulus {
            let recorded = &self.stimulus;
            problems.push(format!(
                "stimulus and golden model are {stimulus}, recorded are {recorded}"
            ));
        }
        let found = [
            count(Class::Caught),
            count(Class::Equivalent) + count(Class::FromReset),
            count(Class::Missed),
            count(Class::Undecided),
        ];
        if found != counts || classes.len() != self.places {
            problems.push("the numbers are not those of the verdicts".into());
        }
        problems
    }
}

/// The classes as letters, each behind how many times it follows.
fn lengths(classes: &[Class]) -> String {
    let same = classes.chunk_by(|a, b| a == b);
    same.map(|run| format!("{}{}", run.len(), run[0].letter()))
        .collect()
}

/// What is known of a unit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Record {
    /// The unit.
    pub unit: String,
    /// Parameter sets by name.
    pub sets: Vec<Measured>,
    /// SHA-256 of the others.
    pub hash: String,
}

impl Record {
    fn path(folder: &Path, unit: &str) -> PathBuf {
        folder.join(format!("{unit}.json"))
    }

    /// That of a unit in a folder; one without sets if there is none.
    ///
    /// # Errors
    /// [`Error::Io`]; of a file that is no record, too.
    pub fn read(folder: &Path, unit: &str) -> Result<Self> {
        let path = Self::path(folder, unit);
        let unit = unit.into();
        match read_json(&path)? {
            Some(record) => Ok(record),
            None => Ok(Self {
                unit,
                ..Self::default()
            }),
        }
    }

    /// Writes it to a folder.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, folder: &Path) -> Result<()> {
        let path = Self::path(folder, &self.unit);
        let text = serde_json::to_string_pretty(self).expect("numbers and strings") + "\n";
        let other = |error: crate::whole::Error| std::io::Error::other(error.to_string());
        let written = File::write_text(&path, &text).map_err(other);
        written.map_err(Error::io("write", &path))
    }

    /// The record of a parameter set.
    pub fn set(&self, name: &str) -> Option<&Measured> {
        self.sets.iter().find(|set| set.set == name)
    }

    /// Puts in a parameter set, instead of what was known about it.
    pub fn put(&mut self, measured: Measured) {
        self.sets.retain(|set| set.set != measured.set);
        self.sets.push(measured);
        self.sets
            .sort_by(|a, b| (a.places, &a.set).cmp(&(b.places, &b.set)));
        self.hash = self.content_hash();
    }

    /// The hash that [`hash`](Self::hash) must be.
    pub fn content_hash(&self) -> String {
        let content = serde_json::to_string(&(&self.unit, &self.sets));
        let hash = Sha256::digest(content.expect("numbers and strings"));
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Parameter sets that no run has been made of, and why: `not-measured.json`, the only place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotMeasured(pub BTreeMap<String, BTreeMap<String, String>>);

impl NotMeasured {
    /// Those listed in a folder.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn read(folder: &Path) -> Result<Self> {
        Ok(read_json(&folder.join("not-measured.json"))?.unwrap_or_default())
    }

    /// Why a parameter set is not measured, if it is listed.
    pub fn why(&self, unit: &str, set: &str) -> Option<&str> {
        self.0.get(unit)?.get(set).map(String::as_str)
    }
}

fn read_json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Option<T>> {
    let read = match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        other => other,
    };
    let parsed = read.and_then(|text| serde_json::from_str(&text).map_err(Into::into));
    parsed.map(Some).map_err(Error::io("read", path))
}

#[cfg(test)]
mod tests {
    //! Rationale: a record that was edited, or that is about another netlist, must not pass.
    use super::*;

    fn measured() -> Measured {
        let open = |fault: &str| {
            let [fault, why] = [fault, "x"].map(Into::into);
            Open { fault, why }
        };
        Measured {
            set: "2".into(),
            netlist: "abc".into(),
            stimulus: "def".into(),
            seed: 0x9e37,
            cycles: 100,
            places: 8,
            caught: 5,
            last_caught: 9,
            equivalent: 1,
            missed: vec![open("a")],
            undecided: vec![open("b")],
            core_seconds: 1,
            verdicts: "3c1r1m2c1u".into(),
        }
    }

    #[test]
    fn letters_are_read_as_they_are_written() {
        let measured = measured();
        assert_eq!(lengths(&measured.classes()), measured.verdicts);
        assert_eq!(measured.classes().len(), 8);
        assert_eq!(measured.problems("abc", 8, "def"), [""; 0]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let one = measured();
        assert!(one.problems("abd", 8, "def")[0].contains("recorded is abc"));
        assert!(one.problems("abc", 9, "def")[0].contains("9 fault places"));
        assert!(one.problems("abc", 8, "deg")[0].contains("recorded are def"));
        for wrong in ["3c1e1m2c1c", "8c", "3c1e1m2c", "3c1r1m2c1x"] {
            let verdicts = wrong.into();
            let changed = Measured {
                verdicts,
                ..measured()
            };
            assert!(!changed.problems("abc", 8, "def").is_empty(), "{wrong}");
        }
    }

    #[test]
    fn an_edited_record_has_another_hash() {
        let folder = tempfile::tempdir().unwrap();
        let mut record = Record::read(folder.path(), "popcnt").unwrap();
        record.put(measured());
        record.put(measured());
        record.write(folder.path()).unwrap();
        let mut read = Record::read(folder.path(), "popcnt").unwrap();
        assert_eq!(read, record);
        assert_eq!((read.sets.len(), &read.hash), (1, &read.content_hash()));
        read.sets[0].undecided.clear();
        assert_ne!(read.hash, read.content_hash());
    }
}
