//! A folder that appears whole or not at all.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::error::{Error, Result};
use super::manifest::Manifest;

/// File that says which files of a folder are an export's.
pub(super) const MANIFEST: &str = "export.json";
/// Where the Makefile puts what it makes; goes with the export.
pub(super) const BUILD: &str = "build";

/// A folder being filled, beside the place where it will be.
pub(super) struct Folder {
    place: PathBuf,
    beside: TempDir,
}

impl Folder {
    /// Starts one that will be at `place`, whose parents are created.
    ///
    /// # Errors
    /// [`Error::InTheWay`] if something is there that is no export, [`Error::Io`].
    pub fn new(place: &Path) -> Result<Self> {
        replaceable(place)?;
        let name = place.file_name().ok_or_else(|| Error::InTheWay {
            path: place.into(),
            what: "it is no name for a new folder",
        })?;
        let parent = match place.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        std::fs::create_dir_all(parent).map_err(Error::io("create", parent))?;
        let prefix = format!(".{}.", name.to_string_lossy());
        let beside = tempfile::Builder::new()
            .prefix(&prefix)
            .suffix(".part")
            .tempdir_in(parent);
        Ok(Self {
            place: place.into(),
            beside: beside.map_err(Error::io("create a folder in", parent))?,
        })
    }

    /// Where to put the files.
    pub fn path(&self) -> &Path {
        self.beside.path()
    }

    /// Puts it in its place, instead of the export that may be there.
    ///
    /// # Errors
    /// [`Error::InTheWay`], [`Error::Io`]; then what was there still is.
    pub fn finish(self) -> Result<PathBuf> {
        let Self { place, beside } = self;
        // Temporary folders are their owner's alone; an export is for all.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let parent = beside.path().parent().unwrap_or(Path::new("."));
            let mode = std::fs::metadata(parent)
                .map_err(Error::io("read", parent))?
                .permissions()
                .mode();
            let mode = std::fs::Permissions::from_mode(mode & 0o777 | 0o700);
            std::fs::set_permissions(beside.path(), mode)
                .map_err(Error::io("make readable", beside.path()))?;
        }
        // Someone may have come in between.
        let old = replaceable(&place)?.then(|| beside.path().with_extension("old"));
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

/// Whether there is a folder at `place`, which then may be replaced: an export, or empty.
///
/// # Errors
/// [`Error::InTheWay`] if something is there that is worth keeping.
fn replaceable(place: &Path) -> Result<bool> {
    let in_the_way = |path: &Path, what| {
        Err(Error::InTheWay {
            path: path.into(),
            what,
        })
    };
    match std::fs::symlink_metadata(place) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(Error::io("read", place)(error)),
        Ok(found) if !found.is_dir() => return in_the_way(place, "it is no folder"),
        Ok(_) => {}
    }
    let entries = std::fs::read_dir(place).map_err(Error::io("read", place))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let names: Vec<String> = names
        .collect::<std::io::Result<_>>()
        .map_err(Error::io("read", place))?;
    if names.is_empty() {
        return Ok(true);
    }
    let text = std::fs::read_to_string(place.join(MANIFEST)).unwrap_or_default();
    let Ok(manifest) = serde_json::from_str::<Manifest>(&text) else {
        return in_the_way(place, "a folder that is not empty and no earlier export");
    };
    let ours = |name: &String| name == BUILD || manifest.files.contains(name);
    match names.iter().find(|name| !ours(name)) {
        Some(name) => in_the_way(&place.join(name), "no export wrote it"),
        None => Ok(true),
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: what may be lost is somebody's work. A folder is replaced if all in it is known
    //! to be an export's; in each other case (a file, a foreign folder, a foreign file in an
    //! export, a broken manifest) it must stay as it was; and nothing half-written may be seen.
    use super::*;

    fn manifest(files: &[&str]) -> String {
        let files: Vec<String> = files.iter().map(|f| format!("{f:?}")).collect();
        format!(
            r#"{{"schema":1,"unit":"u","set":"1","aliases":[],"parameters":{{}},"top":"u",
               "netlist":"0","ports":[],"sources":[],"files":[{}],"vectors":null}}"#,
            files.join(",")
        )
    }

    fn make(place: &Path, files: &[&str]) -> Result<PathBuf> {
        let folder = Folder::new(place)?;
        for name in files {
            std::fs::write(folder.path().join(name), "new").unwrap();
        }
        std::fs::write(
            folder.path().join(MANIFEST),
            manifest(&[files, &[MANIFEST]].concat()),
        )
        .unwrap();
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
    fn an_export_is_replaced_whole() {
        let parent = tempfile::tempdir().unwrap();
        let place = parent.path().join("x");
        make(&place, &["a.v", "b.v"]).unwrap();
        std::fs::create_dir(place.join(BUILD)).unwrap();
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
        std::fs::write(place.join(MANIFEST), "{}").unwrap();
        refused("no earlier export");
        std::fs::write(place.join(MANIFEST), manifest(&[MANIFEST])).unwrap();
        refused("thesis.tex");
        assert!(place.join("thesis.tex").exists());
    }

    #[test]
    fn a_folder_given_up_leaves_nothing() {
        let parent = tempfile::tempdir().unwrap();
        let place = parent.path().join("x");
        make(&place, &["a.v"]).unwrap();
        drop(Folder::new(&place).unwrap());
        assert!(place.join("a.v").exists());
        alone(parent.path());
    }

    #[test]
    fn no_name_for_a_folder() {
        assert!(Folder::new(Path::new("/")).is_err());
        assert!(Folder::new(Path::new("..")).is_err());
    }
}
