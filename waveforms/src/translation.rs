//! Value names for viewers, in files beside the dump.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::file::partial_beside;
use crate::layout::Layout;
use crate::look::Radix;
use crate::name::identifier;
use crate::scope::{Kind, ValueNames};

impl Radix {
    fn file_name(self) -> &'static str {
        match self {
            Radix::Binary => "bin",
            Radix::Decimal | Radix::Signed => "dec",
            Radix::Hexadecimal | Radix::Text => "hex",
        }
    }

    fn digits(self, value: u64, width: u32) -> String {
        let width = width as usize;
        match self {
            Radix::Binary => format!("{value:0width$b}"),
            Radix::Hexadecimal | Radix::Text => {
                format!("{value:0digits$x}", digits = width.div_ceil(4))
            }
            Radix::Decimal => value.to_string(),
            Radix::Signed => {
                let sign = 64 - width.clamp(1, 64);
                format!("{}", (value << sign) as i64 >> sign)
            }
        }
    }
}

impl ValueNames {
    /// Contents of a GTKWave translate filter file for signals of this kind and width: one `VALUE
    /// NAME` line per value. GTKWave looks up what it shows, so the values are in its default
    /// format: signed decimal for integers and parameters, else binary up to 3 bits and hexadecimal
    /// above, with all digits.
    #[must_use]
    pub fn gtkwave(&self, kind: Kind, width: u32) -> String {
        let radix = Radix::default_of(kind, width);
        let lines = self.values.iter().map(|(value, name)| {
            // The name is the rest of the line.
            let name = name.replace(['\n', '\r'], " ");
            format!("{} {name}\n", radix.digits(*value, width))
        });
        lines.collect()
    }

    /// Name of that file: signals of one type, width and radix share it.
    pub(crate) fn gtkwave_file(&self, kind: Kind, width: u32) -> String {
        let radix = Radix::default_of(kind, width).file_name();
        format!("{}.{radix}{width}.txt", identifier(&self.name))
    }
}

impl Layout {
    /// Writes a translation file for every signal with named values to `folder`, called
    /// `TYPE.RADIXWIDTH.txt` (`Outcome.bin3.txt`); signals of one type, width and radix share it.
    /// Returns the path of each signal and its file, in the order of declaration.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Text`] if two signals use one type name and width for different
    /// values.
    pub fn write_translations(&self, folder: impl AsRef<Path>) -> Result<Vec<(String, PathBuf)>> {
        let mut written: Vec<(PathBuf, String)> = Vec::new();
        let mut files = Vec::new();
        for (signal, kind, width, names) in self.named() {
            let path = folder.as_ref().join(names.gtkwave_file(kind, width));
            let text = names.gtkwave(kind, width);
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

/// Writes a file that appears only when it is whole.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<()> {
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
