//! Verdicts of a run as they come: a line of JSON each, in a file that can be read at any time.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::stage::Stage;
use super::{Class, Settings};
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

/// A place that a stage has left open, so that a run that goes on need not do the stage again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Left {
    pub place: usize,
    /// The stage.
    pub after: Stage,
    /// Why there is no proof so far.
    pub reason: Option<String>,
    /// [`Settings::first`] of the run.
    first: u64,
    /// [`Settings::patience`] of the run in milliseconds.
    patience: u64,
}

impl Left {
    pub fn new(place: usize, after: Stage, reason: Option<String>, settings: &Settings) -> Self {
        let (first, patience) = (settings.first, settings.patience.as_millis() as u64);
        Self {
            place,
            after,
            reason,
            first,
            patience,
        }
    }

    /// It was a run with these settings, of which fault simulation does not ask for patience, and the
    /// place is not to be looked at again.
    fn holds(&self, settings: &Settings) -> bool {
        let now = Self::new(self.place, self.after, None, settings);
        let same_patience = self.after == Stage::Glance || self.patience == now.patience;
        !settings.again && self.first == now.first && same_patience
    }
}

/// A line after the first one.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Entry {
    Decided(Decided),
    Left(Left),
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
    /// The last stage that has left a place open.
    pub(super) left: BTreeMap<usize, Left>,
}

impl Journal {
    /// Opens the journal of a subject in a folder, which is created. One of the same subject is
    /// gone on with, another is replaced. A line that was not written to its end is dropped, those of
    /// undecided places if they are to be decided [again](Settings::again), and what was left open
    /// with other settings.
    pub(super) fn open(folder: &Path, subject: &Subject, settings: &Settings) -> Result<Self> {
        let path = folder.join(format!("{}_{}.jsonl", subject.unit, subject.set));
        let io = Error::io("write", &path);
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        let head = json(subject);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let (mut decided, mut left) = (BTreeMap::new(), BTreeMap::new());
        let mut kept = head.clone() + "\n";
        if let Some(rest) = text.strip_prefix(&kept) {
            for line in rest.split_inclusive('\n') {
                let Ok(entry) = serde_json::from_str::<Entry>(line) else {
                    break;
                };
                let (Entry::Decided(Decided { place, .. }) | Entry::Left(Left { place, .. })) =
                    entry;
                if !line.ends_with('\n') || place >= subject.places {
                    break;
                }
                match entry {
                    Entry::Decided(one)
                        if settings.again && Class::from(&one.outcome) == Class::Undecided =>
                    {
                        continue;
                    }
                    Entry::Decided(one) => _ = decided.insert(place, one),
                    Entry::Left(one) if one.holds(settings) => _ = left.insert(place, one),
                    Entry::Left(_) => continue,
                }
                kept += line;
            }
        }
        fs::write(&path, kept).map_err(&io)?;
        let file = OpenOptions::new().append(true).open(&path).map_err(io)?;
        Ok(Self {
            path,
            file,
            decided,
            left,
        })
    }

    /// Adds a verdict.
    pub(super) fn add(&mut self, decided: Decided) -> Result<()> {
        self.write(&decided)?;
        self.decided.insert(decided.place, decided);
        Ok(())
    }

    /// Adds that a stage has left a place open.
    pub(super) fn leave(&mut self, left: Left) -> Result<()> {
        self.write(&left)?;
        self.left.insert(left.place, left);
        Ok(())
    }

    fn write(&mut self, entry: &impl Serialize) -> Result<()> {
        let line = json(entry) + "\n";
        let written = self.file.write_all(line.as_bytes());
        written.map_err(Error::io("write", &self.path))
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

    #[test]
    fn what_a_stage_has_left_open_is_kept_for_the_same_settings() {
        let folder = tempfile::tempdir().unwrap();
        let same = Settings::default();
        let open = |settings: &Settings| {
            Journal::open(folder.path(), &subject("a", "x"), settings).unwrap()
        };
        let left = |place, after| Left::new(place, after, Some("why".into()), &same);
        let written = [
            left(4, Stage::Glance),
            left(4, Stage::Prover),
            left(7, Stage::Cones),
        ];
        let mut others = vec![same.clone(); 3];
        others[0].first += 1;
        others[1].patience *= 2;
        others[2].again = true;
        for (other, still) in others.iter().zip([0, 1, 0]) {
            let mut journal = open(&same);
            for one in &written {
                journal.leave(one.clone()).unwrap();
            }
            journal.add(caught(2)).unwrap();
            drop(journal);
            let journal = open(&same);
            let kept: Vec<&Left> = journal.left.values().collect();
            assert_eq!(kept, [&written[1], &written[2]]);
            drop(journal);
            let journal = open(other);
            let kept: Vec<&Left> = journal.left.values().collect();
            assert_eq!(kept, written[..still].iter().collect::<Vec<_>>());
            assert_eq!(journal.decided.len(), 1);
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
        let mut journal =
            Journal::open(folder.path(), &subject("a", "x"), &Settings::default()).unwrap();
        for place in [4, 2] {
            journal.add(caught(place)).unwrap();
        }
        let path = journal.path().to_owned();
        drop(journal);
        let whole = fs::read_to_string(&path).unwrap();
        for torn in ["{\"place\":5,\"micro", "{}\n", "{\"place\":99}\n"] {
            fs::write(&path, whole.clone() + torn).unwrap();
            let mut journal =
                Journal::open(folder.path(), &subject("a", "x"), &Settings::default()).unwrap();
            assert_eq!(journal.decided().len(), 2);
            journal.add(caught(5)).unwrap();
            drop(journal);
            let journal =
                Journal::open(folder.path(), &subject("a", "x"), &Settings::default()).unwrap();
            let places: Vec<usize> = journal.decided().map(|one| one.place).collect();
            assert_eq!(places, [2, 4, 5]);
        }
        for other in [subject("a", "y"), subject("b", "x")] {
            fs::write(&path, &whole).unwrap();
            let other = Journal::open(folder.path(), &other, &Settings::default()).unwrap();
            assert_eq!(other.decided().len(), 0);
        }
    }
}
