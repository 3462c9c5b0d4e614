//! Verdicts of a run as they come: a line of JSON each, in a file that can be read at any time.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Class;
use crate::error::{Error, Result};
use crate::verify::fault::Outcome;

/// A decided fault place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// Its number in [`candidates`](cotenant_netlist::fault::candidates).
    pub place: usize,
    /// Microseconds that one core took.
    pub microseconds: u64,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What a journal is about, its first line. The verdicts of another netlist, of other stimulus or
/// of another golden model are none of this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Subject {
    pub unit: String,
    pub set: String,
    /// Its digest.
    pub netlist: String,
    /// See [`stimulus`](super::stimulus).
    pub stimulus: String,
    pub places: usize,
    pub seed: u64,
    pub cycles: u64,
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Verdicts by place.
    pub(super) decided: BTreeMap<usize, Decided>,
}

impl Journal {
    /// Opens the journal of a subject in a folder, which is created. One of the same subject is
    /// gone on with, another is replaced. A line that was not written to its end is dropped, and
    /// `again` those of undecided places.
    pub(super) fn open(folder: &Path, subject: &Subject, again: bool) -> Result<Self> {
        let path = folder.join(format!("{}_{}.jsonl", subject.unit, subject.set));
        let io = Error::io("write", &path);
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        let head = json(subject);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut decided = BTreeMap::new();
        let mut kept = head.clone() + "\n";
        if let Some(rest) = text.strip_prefix(&kept) {
            for line in rest.split_inclusive('\n') {
                let Ok(one) = serde_json::from_str::<Decided>(line) else {
                    break;
                };
                if !line.ends_with('\n') || one.place >= subject.places {
                    break;
                }
                if again && Class::from(&one.outcome) == Class::Undecided {
                    continue;
                }
                decided.insert(one.place, one);
                kept += line;
            }
        }
        fs::write(&path, kept).map_err(&io)?;
        let file = OpenOptions::new().append(true).open(&path).map_err(io)?;
        Ok(Self {
            path,
            file,
            decided,
        })
    }

    /// Adds a verdict.
    pub(super) fn add(&mut self, decided: Decided) -> Result<()> {
        let line = json(&decided) + "\n";
        let written = self.file.write_all(line.as_bytes());
        written.map_err(Error::io("write", &self.path))?;
        self.decided.insert(decided.place, decided);
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Verdicts in the order of the places.
    pub fn decided(&self) -> impl ExactSizeIterator<Item = &Decided> {
        self.decided.values()
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and strings")
}

#[cfg(test)]
mod tests {
    //! Rationale: a run of hours must not be lost, and verdicts of another netlist or
    //! other stimulus not be taken for its own.
    use super::*;

    fn subject(netlist: &str, stimulus: &str) -> Subject {
        Subject {
            unit: "popcnt".into(),
            set: "2".into(),
            netlist: netlist.into(),
            stimulus: stimulus.into(),
            places: 9,
            seed: 1,
            cycles: 100,
        }
    }

    fn caught(place: usize) -> Decided {
        let (cycle, field) = (7, "count".into());
        let outcome = Outcome::Caught { cycle, field };
        Decided {
            place,
            microseconds: 3,
            outcome,
        }
    }

    #[test]
    fn it_goes_on_where_it_was_and_drops_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path(), &subject("a", "x"), false).unwrap();
        for place in [4, 2] {
            journal.add(caught(place)).unwrap();
        }
        let path = journal.path().to_owned();
        drop(journal);
        let whole = fs::read_to_string(&path).unwrap();
        for torn in ["{\"place\":5,\"micro", "{}\n", "{\"place\":99}\n"] {
            fs::write(&path, whole.clone() + torn).unwrap();
            let mut journal = Journal::open(folder.path(), &subject("a", "x"), false).unwrap();
            assert_eq!(journal.decided().len(), 2);
            journal.add(caught(5)).unwrap();
            drop(journal);
            let journal = Journal::open(folder.path(), &subject("a", "x"), false).unwrap();
            let places: Vec<usize> = journal.decided().map(|one| one.place).collect();
            assert_eq!(places, [2, 4, 5]);
        }
        for other in [subject("a", "y"), subject("b", "x")] {
            fs::write(&path, &whole).unwrap();
            let other = Journal::open(folder.path(), &other, false).unwrap();
            assert_eq!(other.decided().len(), 0);
        }
    }
}
