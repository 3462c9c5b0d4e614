//! Generates the pages and tables about the units.
//!
//! What a page holds comes from the netlist, the table of parameter sets, the doc comments of the
//! RTL, the area estimate, the coverage collectors and the table of proofs; nothing is written
//! twice. A generated part of a file that also has hand-written ones stands between markers:
//!
//! ```text
//! <!-- begin: NAME, written by cotenant pages -->
//! <!-- end: NAME -->
//! ```

mod mutation;
mod page;
mod prose;
mod readme;
mod registers;
mod status;
mod wave;

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::registry::UNITS;
use crate::whole::{self, File};

/// Folder of the units' pages, below the root of the repository.
pub const FOLDER: &str = "docs/units";
/// The files with generated tables, below the root.
const README: &str = "README.md";
/// Its table of proofs says what is proven of a unit; written by `scripts/prove --record`.
const PROOFS: &str = "scripts/formal/README.md";

/// Why pages cannot be made or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A unit cannot be built.
    #[error(transparent)]
    Unit(#[from] crate::Error),
    /// A unit's scene does not hold.
    #[error("{problem}")]
    Scene {
        /// What does not.
        problem: String,
    },
    /// A unit's area cannot be estimated.
    #[error("{unit} {set}: {source}")]
    Area {
        /// The unit.
        unit: &'static str,
        /// The parameter set.
        set: &'static str,
        /// What kept it from being estimated.
        source: cotenant_netlist::area::AreaError,
    },
    /// A file has no such pair of markers.
    #[error("{path}: no lines '{begin}' and '{end}', expected what is written between them: put both in, or give --root the repository")]
    Markers {
        /// The file.
        path: PathBuf,
        /// The first marker.
        begin: String,
        /// The second.
        end: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Place(#[from] whole::Error),
}

/// A generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Where it is, below the root.
    pub path: PathBuf,
    /// All of it.
    pub text: String,
}

impl Written {
    /// The line that differs first from the file below `root`, counted from 1; none if it is up
    /// to date.
    ///
    /// # Errors
    /// [`Error::Place`] but for a file that is not there, which differs in its first line.
    pub fn drift(&self, root: &Path) -> Result<Option<usize>, Error> {
        let path = root.join(&self.path);
        let there = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Some(1)),
            Err(error) => return Err(whole::Error::io("read", &path)(error).into()),
        };
        if there == self.text {
            return Ok(None);
        }
        let same = there.lines().zip(self.text.lines());
        Ok(Some(1 + same.take_while(|(a, b)| a == b).count()))
    }

    /// Writes it below `root`, beside the place first, so that no half of it is ever there.
    ///
    /// # Errors
    /// [`Error::Place`].
    pub fn write(&self, root: &Path) -> Result<(), Error> {
        File::write_text(&root.join(&self.path), &self.text)?;
        Ok(())
    }
}

/// All generated files of the repository at `root`, made on all cores; `watch` is told each unit's
/// name before its page is made, which takes seconds for a large one.
///
/// # Errors
/// [`Error`].
pub fn all(root: &Path, watch: &(dyn Fn(&str) + Sync)) -> Result<Vec<Written>, Error> {
    let proofs = read(root, PROOFS)?;
    let pages = UNITS.par_iter().map(|unit| {
        watch(unit.name());
        let played = wave::played(*unit)?;
        let measured = mutation::Table::read(root, unit.name())?;
        let (text, line) = page::page(*unit, &played, &proofs, &measured)?;
        let path = Path::new(FOLDER).join(format!("{}.md", unit.name()));
        Ok(([Written { path, text }, wave::picture(&played)], line))
    });
    let (pages, status): (Vec<_>, Vec<_>) = pages
        .collect::<Result<Vec<_>, Error>>()?
        .into_iter()
        .unzip();
    let mut files: Vec<Written> = pages.into_iter().flatten().collect();
    files.push(Written {
        path: Path::new(FOLDER).join("README.md"),
        text: status::page(&status),
    });
    files.push(Written {
        path: registers::PAGE.into(),
        text: registers::page(&read(root, registers::PAGE)?)?,
    });
    files.push(Written {
        path: README.into(),
        text: between(
            Path::new(README),
            &read(root, README)?,
            "units",
            &readme::table()?,
        )?,
    });
    Ok(files)
}

fn read(root: &Path, path: &str) -> Result<String, Error> {
    let path = root.join(path);
    Ok(std::fs::read_to_string(&path).map_err(whole::Error::io("read", &path))?)
}

/// `text` with what is between the markers of this name replaced.
fn between(path: &Path, text: &str, name: &str, new: &str) -> Result<String, Error> {
    let begin = format!("<!-- begin: {name}, written by cotenant pages -->");
    let end = format!("<!-- end: {name} -->");
    let found = text.split_once(&begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&end)?;
        Some(format!("{before}{begin}\n{new}{end}{after}"))
    });
    found.ok_or_else(|| Error::Markers {
        path: path.into(),
        begin,
        end,
    })
}

#[cfg(test)]
mod tests {
    //! Rationale: a file's own words must survive, and a file without markers be refused, not
    //! overwritten; drift that is not seen makes every page worthless.
    use super::*;

    const FILE: &str =
        "mine\n<!-- begin: units, written by cotenant pages -->\nold\n<!-- end: units -->\nmine, too\n";

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let path = Path::new("FILE.md");
        let new = between(path, FILE, "units", "new\n").unwrap();
        assert_eq!(new, FILE.replace("old", "new"));
        assert_eq!(between(path, &new, "units", "new\n").unwrap(), new);
        let refused = between(path, FILE, "others", "new\n").unwrap_err();
        assert!(refused.to_string().starts_with("FILE.md: no lines"));
    }

    #[test]
    fn drift_is_seen_and_mended() {
        let root = tempfile::tempdir().unwrap();
        let page = Written {
            path: "docs/units/x.md".into(),
            text: "one\ntwo\nthree\n".into(),
        };
        assert_eq!(page.drift(root.path()).unwrap(), Some(1));
        page.write(root.path()).unwrap();
        assert_eq!(page.drift(root.path()).unwrap(), None);
        let file = root.path().join(&page.path);
        for (text, line) in [("one\n2\nthree\n", 2), ("one\ntwo\nthree\nfour\n", 4)] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(page.drift(root.path()).unwrap(), Some(line));
        }
        page.write(root.path()).unwrap();
        assert_eq!(page.drift(root.path()).unwrap(), None);
        // Nothing but the file stays.
        assert_eq!(
            std::fs::read_dir(file.parent().unwrap()).unwrap().count(),
            1
        );
    }
}
