//! The mutation table of a unit: what became of every fault place.

mod alike;

use std::fmt::Write;
use std::iter::Sum;
use std::path::Path;

use cotenant_units::table;

use crate::verify::fault::mutation::{Measured, NotMeasured, Record, FOLDER};

/// Totals of what is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Summary {
    /// Parameter sets.
    pub sets: usize,
    /// Fault places in them.
    pub places: usize,
    /// Those that are neither caught nor proven to change nothing.
    pub open: usize,
    /// Time of one core that they took.
    pub core_seconds: u64,
}

impl Sum for Summary {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            sets: sum.sets + one.sets,
            places: sum.places + one.places,
            open: sum.open + one.open,
            core_seconds: sum.core_seconds + one.core_seconds,
        })
    }
}

/// What is recorded about a unit.
pub(super) struct Table {
    record: Record,
    /// Why the other parameter sets are not measured.
    others: NotMeasured,
}

impl Table {
    /// That in the repository at `root`.
    pub(super) fn read(root: &Path, unit: &str) -> Result<Self, crate::Error> {
        let folder = root.join(FOLDER);
        Ok(Self {
            record: Record::read(&folder, unit)?,
            others: NotMeasured::read(&folder)?,
        })
    }

    /// A section of the unit's page.
    pub(super) fn text(&self) -> Result<String, crate::Error> {
        let unit = &self.record.unit;
        let mut out = format!(
            "\nA fault at every place of the netlist ([mutation table](../verification.md#mutation-table)); \
             `scripts/mutate {unit}` measures it:\n\n\
             | parameter set | fault places | caught by stimulus | proven equivalent | missed | undecided | core seconds |\n\
             |---|---|---|---|---|---|---|\n"
        );
        for set in table::test_sets(unit)? {
            let set = set.name;
            // Writing to a string cannot fail.
            let _ = match self.record.set(set) {
                Some(one) => writeln!(out, "{}", line(one)),
                None => {
                    let why = self.others.why(unit, set).unwrap_or("no record");
                    writeln!(out, "| `{set}` | not measured: {why} | | | | | |")
                }
            };
        }
        for one in &self.record.sets {
            let open = [("Missed", &one.missed), ("Undecided", &one.undecided)];
            for (kind, open) in open.iter().filter(|(_, open)| !open.is_empty()) {
                let _ = writeln!(out, "\n{kind} in `{}`:\n", one.set);
                for line in alike::lines(open.iter().map(|open| open.fault.as_str())) {
                    let _ = writeln!(out, "- {line}");
                }
            }
        }
        Ok(out)
    }

    /// The totals of the unit.
    pub(super) fn summary(&self) -> Summary {
        let of = |one: &Measured| Summary {
            sets: 1,
            places: one.places,
            open: one.missed.len() + one.undecided.len(),
            core_seconds: one.core_seconds,
        };
        self.record.sets.iter().map(of).sum()
    }
}

fn line(one: &Measured) -> String {
    format!(
        "| `{}` | {} | {} | {} | {} | {} | {} |",
        one.set,
        one.places,
        one.caught,
        one.equivalent,
        one.missed.len(),
        one.undecided.len(),
        one.core_seconds
    )
}

#[cfg(test)]
mod tests {
    //! Rationale: an open fault that the page does not name is as good as hidden.
    use super::*;
    use crate::verify::fault::mutation::Open;

    #[test]
    fn open_faults_are_named_and_so_is_what_is_not_measured() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut table = Table::read(&root, "popcnt").unwrap();
        let sound = table.summary();
        assert!(sound.sets > 1 && sound.places > sound.sets && sound.open == 0);
        let text = table.text().unwrap();
        assert!(
            !text.contains("not measured") && !text.contains("Undecided in"),
            "{text}"
        );
        let mut one = table.record.sets.remove(0);
        let fault = "lost write: x".into();
        let why = "abc found nothing".into();
        one.undecided.push(Open { fault, why });
        table.record.sets = vec![one];
        let open = table.summary();
        assert_eq!((open.sets, open.open), (1, 1));
        let text = table.text().unwrap();
        assert!(
            text.contains("- `lost write: x`") && text.contains("not measured: no record"),
            "{text}"
        );
    }
}
