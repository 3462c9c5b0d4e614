//! Names of values for the viewer, in files beside the dump.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::file::partial_beside;
use crate::layout::Layout;
use crate::name::identifier;
use crate::scope::ValueNames;

impl ValueNames {
    /// Contents of a GTKWave translate filter file for signals of `width` bits shown in
    /// hexadecimal: one `VALUE NAME` line a value, all digits given. One-bit signals are shown in
    /// binary, which is the same.
    #[must_use]
    pub fn gtkwave(&self, width: u32) -> String {
        let digits = width.div_ceil(4) as usize;
        let lines = self.values.iter().map(|(value, name)| {
            // The name is the rest of the line.
            let name = name.replace(['\n', '\r'], " ");
            format!("{value:0digits$x} {name}\n")
        });
        lines.collect()
    }
}

impl Layout {
    /// Writes a translation file for every signal with named values to `folder`, called
    /// `TYPE.WIDTH.gtkw.txt`; signals of one type and width share it. Returns the path of each
    /// signal and its file, in the order of declaration.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Text`] if two signals use one type name and width for different
    /// values.
    pub fn write_translations(&self, folder: impl AsRef<Path>) -> Result<Vec<(String, PathBuf)>> {
        let mut written: Vec<(PathBuf, String)> = Vec::new();
        let mut files = Vec::new();
        for (signal, width, names) in self.named() {
            let name = format!("{}.{width}.gtkw.txt", identifier(&names.name));
            let path = folder.as_ref().join(name);
            let text = names.gtkwave(width);
            match written.iter().find(|(other, _)| *other == path) {
                Some((_, other)) if *other != text => {
                    return Err(Error::Text {
                        what: format!("value names of {signal}, type"),
                        text: names.name.clone(),
                        expected: "one set of values for a type name and width",
                    });
                }
                Some(_) => {}
                None => {
                    write_whole(&path, &text)?;
                    written.push((path.clone(), text));
                }
            }
            files.push((signal.to_owned(), path));
        }
        Ok(files)
    }
}

fn write_whole(path: &Path, text: &str) -> Result<()> {
    let mut partial = partial_beside(path)?;
    let failed = |action, source| Error::Io {
        action,
        path: path.into(),
        source,
    };
    partial
        .write_all(text.as_bytes())
        .map_err(|source| failed("write", source))?;
    partial
        .persist(path)
        .map_err(|error| failed("rename to", error.error))?;
    Ok(())
}
