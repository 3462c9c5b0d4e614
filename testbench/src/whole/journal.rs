//! What long work has come to so far: a line of JSON each, in a file that can be read at any time.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::Serialize;

use super::{Error, Result};

/// A file of lines that is being added to. Its first line says what they are about.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: fs::File,
}

impl Journal {
    /// Opens the journal of a subject at a place; folders above it are created. One of the same
    /// subject is gone on with, and its lines are returned as far as they can be read: one that was
    /// not written to its end, and what follows it, is dropped. One of another subject is replaced.
    ///
    /// # Errors
    /// [`Error::InTheWay`] if the file there is no journal, [`Error::Io`].
    pub fn open<L: DeserializeOwned>(
        path: &Path,
        subject: &impl Serialize,
    ) -> Result<(Self, Vec<L>)> {
        super::parent(path)?;
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.map_err(Error::io("read", path))?,
        };
        let first = text.lines().next().unwrap_or_default();
        if !text.is_empty() && serde_json::from_str::<serde_json::Value>(first).is_err() {
            return Err(Error::InTheWay {
                path: path.into(),
                what: "it is no record of earlier work".into(),
            });
        }
        let mut kept = json(subject);
        let mut lines = Vec::new();
        if let Some(rest) = text.strip_prefix(&kept) {
            for line in rest.split_inclusive('\n') {
                let Ok(read) = serde_json::from_str(line) else {
                    break;
                };
                if !line.ends_with('\n') {
                    break;
                }
                lines.push(read);
                kept += line;
            }
        }
        // Whoever is interrupted here must not have lost what was there.
        super::File::write_text(path, &kept)?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(Error::io("write", path))?;
        let path = path.into();
        Ok((Self { path, file }, lines))
    }

    /// Adds a line.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn add(&mut self, line: &impl Serialize) -> Result<()> {
        let written = self.file.write_all(json(line).as_bytes());
        written.map_err(Error::io("write", &self.path))
    }
}

/// A line.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and strings") + "\n"
}

#[cfg(test)]
mod tests {
    //! Rationale: hours of work must not be lost, nor another work's lines be taken for its own,
    //! nor a file be replaced that is something else.
    use super::*;

    fn open(path: &Path, subject: &str) -> Result<(Journal, Vec<[u32; 2]>)> {
        Journal::open(path, &subject)
    }

    #[test]
    fn it_goes_on_where_it_was_and_drops_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/lines.jsonl");
        let (mut journal, lines) = open(&path, "a").unwrap();
        assert!(lines.is_empty());
        for line in [[4, 1], [2, 9]] {
            journal.add(&line).unwrap();
        }
        let whole = fs::read_to_string(&path).unwrap();
        for torn in ["[5,", "[5,1]", "{}\n[7,7]\n"] {
            fs::write(&path, whole.clone() + torn).unwrap();
            let (mut journal, lines) = open(&path, "a").unwrap();
            assert_eq!(lines, [[4, 1], [2, 9]]);
            journal.add(&[5, 5]).unwrap();
            assert_eq!(open(&path, "a").unwrap().1, [[4, 1], [2, 9], [5, 5]]);
        }
        assert_eq!(open(&path, "b").unwrap().1.len(), 0);
    }

    #[test]
    fn what_is_no_journal_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter.txt");
        fs::write(&path, "Dear all,\n").unwrap();
        let error = open(&path, "a").unwrap_err().to_string();
        assert!(error.contains("letter.txt is in the way"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "Dear all,\n");
    }
}
