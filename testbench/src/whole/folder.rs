//! Atomic writing of a folder.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tempfile::TempDir;

use super::{beside, Error, File, Result};

/// A kind of folder, which lists what is in it, so that nothing else is ever replaced.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// What it is called: `export`.
    pub name: &'static str,
    /// The JSON file in it whose `files` lists all files and folders in it.
    pub list: &'static str,
    /// Further names that go with it: what its users make in it.
    pub also: &'static [&'static str],
    /// What grows in it while the work goes on: a folder with nothing else is of this kind.
    pub grows: &'static [&'static str],
}

/// The part of a list that matters here.
#[derive(Deserialize)]
struct List {
    files: Vec<String>,
}

/// A folder being filled, beside the place where it will be. Dropped before
/// [`finish`](Folder::finish), it is gone.
#[derive(Debug)]
pub struct Folder {
    place: PathBuf,
    kind: Kind,
    beside: TempDir,
}

impl Folder {
    /// Starts one that will be at `place`; folders above it are created.
    ///
    /// # Errors
    /// [`Error::InTheWay`] if something is there that is not of this kind, [`Error::Io`].
    pub fn new(place: &Path, kind: Kind) -> Result<Self> {
        kind.replaceable(place)?;
        if place.file_name().is_none() {
            return Err(in_the_way(place, "it is no name for a new folder"));
        }
        Ok(Self {
            place: place.into(),
            kind,
            beside: beside(place, 0o777, |builder, parent| builder.tempdir_in(parent))?,
        })
    }

    /// Where to put the files.
    pub fn path(&self) -> &Path {
        self.beside.path()
    }

    /// Writes a file.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, file: &str, text: &str) -> Result<()> {
        File::write_text(&self.path().join(file), text)
    }

    /// What its list has to list: names in it, and the list itself; sorted.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn files(&self) -> Result<Vec<String>> {
        let mut names = names(self.path())?;
        names.push(self.kind.list.into());
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Puts it in its place, instead of the one of its kind that may be there.
    ///
    /// # Errors
    /// [`Error::InTheWay`], [`Error::Io`]; then what was there still is.
    pub fn finish(self) -> Result<PathBuf> {
        let Self {
            place,
            kind,
            beside,
        } = self;
        // Someone may have come in between.
        let old = kind
            .replaceable(&place)?
            .then(|| beside.path().with_extension("old"));
        if let Some(old) = &old {
            std::fs::rename(&place, old).map_err(Error::io("move away", &place))?;
        }
        if let Err(source) = std::fs::rename(beside.path(), &place) {
            if let Some(old) = &old {
                std::fs::rename(old, &place).map_err(Error::io("move back", old))?;
            }
            return Err(Error::io("create", &place)(source));
        }
        // It is elsewhere now.
        let _ = beside.keep();
        if let Some(old) = old {
            std::fs::remove_dir_all(&old).map_err(Error::io("remove", &old))?;
        }
        Ok(place)
    }
}

impl Kind {
    /// Whether there is a folder at `place`, which then may be replaced: one of this kind, or an
    /// empty one.
    ///
    /// # Errors
    /// [`Error::InTheWay`] if something is there that is worth keeping.
    fn replaceable(&self, place: &Path) -> Result<bool> {
        match std::fs::symlink_metadata(place) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(Error::io("read", place)(error)),
            Ok(found) if !found.is_dir() => return Err(in_the_way(place, "it is no folder")),
            Ok(_) => {}
        }
        let names = names(place)?;
        // Also one with nothing in it.
        if names.iter().all(|name| self.grows.contains(&name.as_str())) {
            return Ok(true);
        }
        let name = self.name;
        let text = std::fs::read_to_string(place.join(self.list)).unwrap_or_default();
        let Ok(list) = serde_json::from_str::<List>(&text) else {
            let what = format!("a folder that is not empty and no earlier {name}");
            return Err(in_the_way(place, what));
        };
        let ours = |name: &String| {
            let also = self.also.iter().chain(self.grows);
            list.files.contains(name) || also.into_iter().any(|also| also == name)
        };
        match names.iter().find(|name| !ours(name)) {
            Some(foreign) => {
                let what = format!("no {name} wrote it");
                Err(in_the_way(&place.join(foreign), what))
            }
            None => Ok(true),
        }
    }
}

fn in_the_way(path: &Path, what: impl Into<String>) -> Error {
    Error::InTheWay {
        path: path.into(),
        what: what.into(),
    }
}

/// Names of what is in a folder.
fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(folder).map_err(Error::io("read", folder))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    names
        .collect::<std::io::Result<_>>()
        .map_err(Error::io("read", folder))
}

#[cfg(test)]
mod tests {
    //! Rationale: what may be lost is somebody's work. A folder is replaced if all in it is known
    //! to be of its kind; in each other case (a file, a foreign folder, a foreign file in a known
    //! one, a broken list) it must stay as it was; and nothing half-written may be seen.
    use super::*;

    const KIND: Kind = Kind {
        name: "export",
        list: "list.json",
        also: &["build"],
        grows: &["so-far"],
    };

    fn make(place: &Path, files: &[&str]) -> Result<PathBuf> {
        let folder = Folder::new(place, KIND)?;
        for name in files {
            folder.write(name, "new")?;
        }
        let list = serde_json::json!({ "files": folder.files()? });
        folder.write(KIND.list, &list.to_string())?;
        assert!(
            !place.join("a.v").exists()
                || std::fs::read_to_string(place.join("a.v")).unwrap() == "new"
        );
        folder.finish()
    }

    fn alone(parent: &Path) {
        let left = std::fs::read_dir(parent).unwrap().count();
        assert_eq!(left, 1, "something was left beside");
    }

    #[test]
    fn what_grows_in_it_is_replaced_only_if_nothing_else_is_there() {
        let parent = tempfile::tempdir().unwrap();
        let place = parent.path().join("x");
        std::fs::create_dir(&place).unwrap();
        std::fs::write(place.join("so-far"), "").unwrap();
        std::fs::write(place.join("letter"), "").unwrap();
        assert!(make(&place, &["a.v"]).is_err());
        assert!(place.join("so-far").exists() && place.join("letter").exists());
        std::fs::remove_file(place.join("letter")).unwrap();
        make(&place, &["a.v"]).unwrap();
        assert!(place.join("a.v").exists() && !place.join("so-far").exists());
    }

    #[test]
    fn one_of_its_kind_is_replaced_whole() {
        let parent = tempfile::tempdir().unwrap();
        let place = parent.path().join("x");
        make(&place, &["a.v", "b.v"]).unwrap();
        std::fs::create_dir(place.join("build")).unwrap();
        make(&place, &["c.v"]).unwrap();
        assert!(place.join("c.v").exists() && !place.join("a.v").exists());
        alone(parent.path());
    }

    #[test]
    fn parents_are_created_and_an_empty_folder_is_used() {
        let parent = tempfile::tempdir().unwrap();
        let place = parent.path().join("deep/er/x");
        std::fs::create_dir_all(&place).unwrap();
        make(&place, &["a.v"]).unwrap();
        make(&parent.path().join("deep/new/x"), &["a.v"]).unwrap();
    }

    #[test]
    fn what_is_not_ours_stays() {
        let parent = tempfile::tempdir().unwrap();
        let place = parent.path().join("x");
        let refused = |what: &str| {
            let error = make(&place, &["a.v"]).unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
            alone(parent.path());
        };
        std::fs::write(&place, "a file").unwrap();
        refused("no folder");
        std::fs::remove_file(&place).unwrap();
        std::fs::create_dir(&place).unwrap();
        std::fs::write(place.join("thesis.tex"), "").unwrap();
        refused("no earlier export");
        std::fs::write(place.join(KIND.list), "{}").unwrap();
        refused("no earlier export");
        std::fs::write(place.join(KIND.list), r#"{"files":["list.json"]}"#).unwrap();
        refused("thesis.tex is in the way (no export wrote it)");
        assert!(place.join("thesis.tex").exists());
    }

    #[test]
    fn a_folder_given_up_leaves_nothing() {
        let parent = tempfile::tempdir().unwrap();
        let place = parent.path().join("x");
        make(&place, &["a.v"]).unwrap();
        drop(Folder::new(&place, KIND).unwrap());
        assert!(place.join("a.v").exists());
        alone(parent.path());
    }

    #[test]
    fn no_name_for_a_folder() {
        assert!(Folder::new(Path::new("/"), KIND).is_err());
        assert!(Folder::new(Path::new(".."), KIND).is_err());
    }

    // A report is for others to read, too.
    #[cfg(unix)]
    #[test]
    fn others_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let place = make(&parent.path().join("x"), &["a.v"]).unwrap();
        let made = std::fs::DirBuilder::new();
        made.create(parent.path().join("y")).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&place), mode(&parent.path().join("y")));
        std::fs::write(parent.path().join("z"), "").unwrap();
        assert_eq!(mode(&place.join("a.v")), mode(&parent.path().join("z")));
    }
}
