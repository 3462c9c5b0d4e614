//! What long work has come to so far: a line of JSON each, in a file that can be read at any time and
//! that several processes may add to.
//!
//! Whoever reads or adds holds the file's lock. Who works on something holds a claim, the lock of a
//! file of its own.

use std::fs;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::lock::locked;
use super::{Error, Result};

/// A file of lines that is being added to. Its first line says what they are about.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    subject: String,
    /// How long it was when this process last had it.
    seen: u64,
}

/// What nobody else works on while it is held.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    _held: fs::File,
}

impl Journal {
    /// The folder of claims, beside a journal.
    pub const CLAIMS: &str = "claims";

    /// Opens the journal of a subject, a line of JSON, at a place; folders above it are created.
    /// Returns its other lines. One that was not written to its end is cut off.
    ///
    /// # Errors
    /// [`Error::InTheWay`] if the file there is no journal, [`Error::Foreign`] if it is one of another
    /// subject, [`Error::Io`].
    pub fn open(path: &Path, subject: &str) -> Result<(Self, Vec<String>)> {
        let mut journal = Self {
            path: path.into(),
            subject: subject.into(),
            seen: 0,
        };
        let lines = journal.news()?;
        Ok((journal, lines))
    }

    /// The lines of a file as a journal of this subject has them. Nothing is written.
    ///
    /// # Errors
    /// [`Error::NoRecord`] if it is none, otherwise as those of [`open`](Self::open).
    pub fn read(path: &Path, subject: &str) -> Result<Vec<String>> {
        let bytes = fs::read(path).map_err(Error::io("read", path))?;
        match lines(path, &bytes, subject) {
            Err(Error::InTheWay { path, .. }) => Err(Error::NoRecord { path }),
            read => Ok(read?.1),
        }
    }

    /// All lines, if somebody else has added any since the last call; none if not.
    ///
    /// # Errors
    /// As those of [`open`](Self::open).
    pub fn news(&mut self) -> Result<Vec<String>> {
        Ok(self.locked()?.1)
    }

    /// Adds a line, and returns [`news`](Self::news).
    ///
    /// # Errors
    /// As those of [`open`](Self::open).
    pub fn add(&mut self, line: &str) -> Result<Vec<String>> {
        let (mut file, news) = self.locked()?;
        self.write(&mut file, line)?;
        Ok(news)
    }

    /// Replaces all lines by what is made of [`news`](Self::news).
    ///
    /// # Errors
    /// As those of [`open`](Self::open); then it is as it was.
    pub fn replace(&mut self, make: impl FnOnce(Vec<String>) -> Vec<String>) -> Result<()> {
        // Held until the new one is in its place.
        let (_held, news) = self.locked()?;
        let mut text = self.subject.clone() + "\n";
        for line in make(news) {
            text += &(line + "\n");
        }
        super::File::write_text(&self.path, &text)?;
        self.seen = text.len() as u64;
        Ok(())
    }

    /// Claims some work until it is [done](Claim::done), or given up with the claim or the process.
    /// None if somebody else has claimed it. Who was there before may have come to its end: see
    /// [`news`](Self::news) first.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn claim(&self, work: &str) -> Result<Option<Claim>> {
        let name: String = Sha256::digest(work)[..10]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let path = self.path.with_file_name(Self::CLAIMS).join(name);
        let held = locked(&path, false)?;
        Ok(held.map(|_held| Claim { path, _held }))
    }

    /// The file, and [`news`](Self::news).
    fn locked(&mut self) -> Result<(fs::File, Vec<String>)> {
        let file = locked(&self.path, true)?;
        let mut file = file.expect("who waits gets it");
        let io = |action| Error::io(action, &self.path);
        let length = file.metadata().map_err(io("read"))?.len();
        if length > 0 && length == self.seen {
            return Ok((file, vec![]));
        }
        let mut bytes = vec![];
        file.rewind().map_err(io("read"))?;
        file.read_to_end(&mut bytes).map_err(io("read"))?;
        // Also one of which not even the first line was written to its end.
        let new = self.subject.as_bytes().starts_with(&bytes);
        let (whole, lines) = match new {
            true => (0, vec![]),
            false => lines(&self.path, &bytes, &self.subject)?,
        };
        file.set_len(whole).map_err(io("write"))?;
        self.seen = whole;
        if new {
            let subject = self.subject.clone();
            self.write(&mut file, &subject)?;
        }
        Ok((file, lines))
    }

    fn write(&mut self, file: &mut fs::File, line: &str) -> Result<()> {
        let line = format!("{line}\n");
        let written = file.write_all(line.as_bytes());
        written.map_err(Error::io("write", &self.path))?;
        self.seen += line.len() as u64;
        Ok(())
    }
}

impl Claim {
    /// What it was about is done, and in the journal.
    pub fn done(self) {
        // If it stays there, it does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// How much of a file was written to its end, and its lines behind the first, without those that
/// are no JSON.
fn lines(path: &Path, bytes: &[u8], subject: &str) -> Result<(u64, Vec<String>)> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n');
    let whole = whole.map_or(0, |at| at + 1);
    let text = String::from_utf8_lossy(&bytes[..whole]);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    if first != subject {
        let path = path.into();
        return Err(match serde_json::from_str(first) {
            Ok(Value::Object(there)) => Error::Foreign {
                path,
                what: difference(&there, subject),
            },
            _ => Error::InTheWay {
                path,
                what: "it is no record of earlier work".into(),
            },
        });
    }
    let read = |line: &&str| serde_json::from_str::<Value>(line).is_ok();
    Ok((whole as u64, lines.filter(read).map(Into::into).collect()))
}

/// What two subjects differ in, in words.
fn difference(there: &serde_json::Map<String, Value>, here: &str) -> String {
    let here: serde_json::Map<String, Value> = serde_json::from_str(here).unwrap_or_default();
    let mut keys: Vec<&String> = here.keys().chain(there.keys()).collect();
    keys.sort();
    keys.dedup();
    keys.retain(|key| there.get(*key) != here.get(*key));
    let differs = |key: &String| match (there.get(key), here.get(key)) {
        // A hash says nothing to a reader.
        (Some(there), Some(here)) if key != "decides" && short(there) && short(here) => {
            format!("{key}: {there} there, {here} here")
        }
        _ => format!("{key} differs"),
    };
    fn short(value: &Value) -> bool {
        matches!(value, Value::Number(_) | Value::String(_))
    }
    match keys.is_empty() {
        true => "the form of its first line".into(),
        false => keys.into_iter().map(differs).collect::<Vec<_>>().join("; "),
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: hours of work must not be lost, nor done twice, nor another work's lines be taken
    //! for its own, nor a file be replaced that is something else.
    use super::*;

    const A: &str = r#"{"seed":1,"platform":{"ways":1}}"#;

    #[test]
    fn it_goes_on_where_it_was_and_drops_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/lines.jsonl");
        let (mut journal, lines) = Journal::open(&path, A).unwrap();
        assert!(lines.is_empty());
        for line in ["[4]", "[2]"] {
            assert!(journal.add(line).unwrap().is_empty());
        }
        let whole = fs::read_to_string(&path).unwrap();
        assert_eq!(whole, format!("{A}\n[4]\n[2]\n"));
        // Torn in a line, behind it, and in a character.
        for torn in [&b"[5,"[..], b"[5]", b"\"\xc3"] {
            fs::write(&path, [whole.as_bytes(), torn].concat()).unwrap();
            let (mut journal, lines) = Journal::open(&path, A).unwrap();
            assert_eq!(lines, ["[4]", "[2]"]);
            journal.add("[6]").unwrap();
            assert_eq!(Journal::read(&path, A).unwrap(), ["[4]", "[2]", "[6]"]);
        }
        // Other lines are whole.
        fs::write(&path, whole + "[5,\n[7]\n").unwrap();
        assert_eq!(Journal::open(&path, A).unwrap().1, ["[4]", "[2]", "[7]"]);
        // Torn in the first line.
        fs::write(&path, &A[..9]).unwrap();
        assert!(Journal::open(&path, A).unwrap().1.is_empty());
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{A}\n"));
    }

    #[test]
    fn two_add_to_it_and_one_puts_it_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl");
        let open = || Journal::open(&path, A).unwrap().0;
        let (mut one, mut other) = (open(), open());
        assert!(one.add("[2]").unwrap().is_empty());
        assert_eq!(other.add("[1]").unwrap(), ["[2]"]);
        assert!(other.news().unwrap().is_empty());
        assert_eq!(one.news().unwrap(), ["[2]", "[1]"]);
        // Torn by a third one, which was killed.
        let torn = fs::read_to_string(&path).unwrap() + "[3";
        fs::write(&path, torn).unwrap();
        other.add("[4]").unwrap();
        let sorted = |mut lines: Vec<String>| {
            lines.sort();
            lines
        };
        one.replace(sorted).unwrap();
        other.add("[5]").unwrap();
        assert_eq!(one.news().unwrap(), ["[1]", "[2]", "[4]", "[5]"]);
    }

    #[test]
    fn work_is_claimed_once_until_it_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl");
        let open = || Journal::open(&path, A).unwrap().0;
        let (one, other) = (open(), open());
        let claim = one.claim("a").unwrap().unwrap();
        assert!(other.claim("a").unwrap().is_none());
        assert!(other.claim("b").unwrap().is_some());
        drop(claim);
        other.claim("a").unwrap().unwrap().done();
        assert!(one.claim("a").unwrap().is_some());
    }

    #[test]
    fn what_is_of_other_work_or_no_journal_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter.txt");
        let b = A.replace('1', "2");
        let (in_the_way, none) = ("letter.txt is in the way", "letter.txt is no record");
        let (seed, platform) = ("seed: 1 there, 2 here", "platform differs");
        for (text, opened, read) in [
            ("Dear all,\n", in_the_way, none),
            ("Dear", in_the_way, none),
            (&(A.to_owned() + "\n"), seed, seed),
            ("{\"seed\":2}\n", platform, platform),
        ] {
            fs::write(&path, text).unwrap();
            for (error, said) in [
                (Journal::open(&path, &b).map(|_| ()).unwrap_err(), opened),
                (Journal::read(&path, &b).map(|_| ()).unwrap_err(), read),
            ] {
                assert!(error.to_string().contains(said), "{error}");
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
