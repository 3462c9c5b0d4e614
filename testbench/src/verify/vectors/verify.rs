//! Reads and verifies vectors.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use cotenant_netlist::vectors::{Column, Reader, Trailer};
use cotenant_units::table::{self, ParameterSet, TableError};
use serde::Serialize;

use super::{Error, Result, WATCH};
use crate::verify::interface::{AnyModel, Form, Interface, Port};
use crate::verify::lockstep::Flow;
use crate::whole;

/// What is wrong with vectors that can be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[non_exhaustive]
pub enum Problem {
    /// The golden model does not give an output that the file expects: the first such.
    Output {
        /// Line, from 1.
        line: u64,
        /// Byte in the line at which the port's value starts, from 1.
        column: usize,
        /// The cycle.
        cycle: u64,
        /// The port, or an element of it.
        port: String,
        /// What the file expects.
        file: u64,
        /// What the golden model gives.
        golden: u64,
    },
    /// What stands above is not what the trailer's hash was made from.
    Hash {
        /// Line of the trailer, from 1.
        line: u64,
        /// Byte in the line at which the hash starts, from 1.
        column: usize,
        /// `stimulus` or `expected`.
        of: &'static str,
        /// The hash in the trailer.
        trailer: String,
        /// The hash of what stands above.
        found: String,
    },
}

/// Vectors that could be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Verified {
    /// The file.
    pub path: PathBuf,
    /// The unit.
    pub unit: &'static str,
    /// Its parameter set.
    pub set: String,
    /// Cycles in the file.
    pub cycles: u64,
    /// Cycles in which the outputs were compared with the golden model's.
    pub compared: u64,
    /// What is wrong; nothing if the vectors are right.
    pub problems: Vec<Problem>,
}

impl Verified {
    /// Nothing is wrong.
    pub fn passed(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether the hashes say that the file is as it was written.
    fn intact(&self) -> bool {
        let hash = |problem: &Problem| matches!(problem, Problem::Hash { .. });
        !self.problems.iter().any(hash)
    }
}

impl fmt::Display for Verified {
    /// `FILE: UNIT SET: N cycles, M compared: ...`, or one line per problem, with the place in
    /// front.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, Self { unit, set, .. }) = (self.path.display(), self);
        let Self {
            cycles, compared, ..
        } = self;
        if self.passed() {
            return write!(
                f,
                "{path}: {unit} {set}: {cycles} cycles, {compared} compared: hashes and golden model agree"
            );
        }
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            match problem {
                Problem::Output {
                    line,
                    column,
                    cycle,
                    port,
                    file,
                    golden,
                } => {
                    let hint = match self.intact() {
                        true => "the hashes are right: another golden model wrote it",
                        false => "the file was changed after it was written",
                    };
                    write!(
                        f,
                        "{path}:{line}:{column}: cycle {cycle}: {port} is {file:#x}, \
                         expected {golden:#x}, which the golden model gives ({hint})"
                    )?;
                }
                Problem::Hash {
                    line,
                    column,
                    of,
                    trailer,
                    found,
                } => {
                    write!(
                        f,
                        "{path}:{line}:{column}: {of}-sha256 is {trailer}, expected {found}, \
                         which is that of the lines above: the file was changed after it was written"
                    )?;
                }
            }
        }
        Ok(())
    }
}

type FileReader = Reader<BufReader<File>>;

/// A header in which the value of the line that starts with `key` is wrong.
fn wrong(path: &Path, reader: &FileReader, key: &str, problem: String) -> Error {
    let (line, column) = reader.place_of(key).unwrap_or((1, 1));
    Error::Header {
        path: path.into(),
        line,
        column,
        problem,
    }
}

/// Vectors of which the header has been read.
pub struct Recorded {
    path: PathBuf,
    reader: FileReader,
    unit: String,
    set: ParameterSet,
}

impl fmt::Debug for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} in {}",
            self.unit,
            self.set.name,
            self.path.display()
        )
    }
}

impl Recorded {
    /// Reads the header.
    ///
    /// # Errors
    /// What keeps it from being read, with file, line and column: [`Error::Format`],
    /// [`Error::Header`] for a unit or parameter set that there is not.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(whole::Error::io("read", path))?;
        let reader = Reader::new(BufReader::new(file)).map_err(|source| Error::Format {
            path: path.into(),
            source,
        })?;
        let fact = |key: &str| match reader.header().get(key) {
            Some(value) => Ok(value.to_owned()),
            None => Err(wrong(path, &reader, "", format!("expected '# {key} ...'"))),
        };
        let (unit, set) = (fact("unit")?, fact("set")?);
        let meant = table::set(&unit, &set).map_err(|error| match error {
            TableError::UnknownUnit { .. } => wrong(path, &reader, "unit", error.to_string()),
            _ => wrong(path, &reader, "set", error.to_string()),
        })?;
        // By its own name: aliases may come to mean something else.
        if meant.name != set {
            let problem = format!("expected the set's own name, {}", meant.name);
            return Err(wrong(path, &reader, "set", problem));
        }
        let set = meant;
        let path = path.into();
        Ok(Self {
            path,
            reader,
            unit,
            set,
        })
    }

    /// The unit that they are of.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    fn parameters(&self) -> Result<()> {
        for (name, value) in &self.set.params {
            let expected = format!("{name} {value}");
            let mut facts = self.reader.header().facts.iter();
            if !facts.any(|(key, value)| key == "parameter" && *value == expected) {
                let key = format!("parameter {name}");
                let problem = format!("expected '# parameter {expected}' of {}", self.set.name);
                return Err(wrong(&self.path, &self.reader, &key, problem));
            }
        }
        Ok(())
    }

    fn ports(&self, kind: &str, ports: &[Port], columns: &[Column]) -> Result<()> {
        let expected = |port: &Port| Column::new(port.name, port.width(), port.elements);
        for (i, port) in ports.iter().enumerate() {
            let port = expected(port);
            let column = columns.get(i);
            if column != Some(&port) {
                let key = column.map_or(String::new(), |found| format!("{kind} {}", found.name));
                let Column {
                    name,
                    width,
                    elements,
                } = port;
                let problem = format!(
                    "expected '# {kind} {name} {width} {elements}' as {kind} {}",
                    i + 1
                );
                return Err(wrong(&self.path, &self.reader, &key, problem));
            }
        }
        match columns.get(ports.len()) {
            None => Ok(()),
            Some(more) => {
                let key = format!("{kind} {}", more.name);
                let problem = format!("expected {} {kind}s, this is one more", ports.len());
                Err(wrong(&self.path, &self.reader, &key, problem))
            }
        }
    }
}

impl Recorded {
    /// Says whether the golden model still gives the outputs that the vectors expect, and whether
    /// the hashes are right. `watch` is told from time to time how many cycles are done.
    ///
    /// # Errors
    /// What keeps them from being read or played, with file, line and column: [`Error::Format`],
    /// [`Error::Header`] for another unit or a port that there is not, [`Error::Assumption`];
    /// [`Error::Interrupted`] if `watch` says so.
    pub fn verify<U: Interface>(self, watch: &mut dyn FnMut(u64) -> Flow) -> Result<Verified> {
        if self.unit != U::NAME {
            let problem = format!("expected '# unit {}'", U::NAME);
            return Err(wrong(&self.path, &self.reader, "unit", problem));
        }
        let params = U::params(&self.set)?;
        self.verify_with(&U::form(&params), &mut *U::any_model(&params)?, watch)
    }

    fn verify_with(
        mut self,
        form: &Form,
        golden: &mut dyn AnyModel,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> Result<Verified> {
        let set = self.set.clone();
        self.parameters()?;
        let header = self.reader.header().clone();
        self.ports("input", &form.inputs, &header.inputs)?;
        self.ports("output", &form.outputs, &header.outputs)?;
        let mut expected = form.output_row();
        let (mut cycle, mut compared, mut difference) = (0, 0, None);
        let format = |source| Error::Format {
            path: self.path.clone(),
            source,
        };
        while self.reader.advance().map_err(format)? {
            if cycle % WATCH == 0 && watch(cycle) == Flow::Stop {
                return Err(Error::Interrupted);
            }
            // After the first difference only the hashes are of interest.
            if difference.is_none() {
                golden.take(self.reader.inputs())?;
                golden.assume().map_err(|violation| Error::Assumption {
                    path: self.path.clone(),
                    line: self.reader.line(),
                    cycle,
                    unit: form.unit,
                    violation: Box::new(violation),
                })?;
                golden.step(&mut expected);
                if cycle >= header.compare_from {
                    compared += 1;
                    difference = self.difference(&form.outputs, &expected, cycle);
                }
            }
            cycle += 1;
        }
        let mut problems: Vec<Problem> = difference.into_iter().collect();
        problems.extend(self.hashes());
        Ok(Verified {
            path: self.path.clone(),
            unit: form.unit,
            set: set.name.into(),
            cycles: cycle,
            compared,
            problems,
        })
    }
}

impl Recorded {
    fn difference(&self, outputs: &[Port], golden: &[u64], cycle: u64) -> Option<Problem> {
        let file = self.reader.outputs();
        let mut at = 0;
        for (i, port) in outputs.iter().enumerate() {
            let range = at..at + port.words();
            at = range.end;
            let (file, golden) = (&file[range.clone()], &golden[range]);
            let element = |words| (0..port.elements).map(move |i| port.element(words, i));
            let mut pairs = (0..).zip(element(file).zip(element(golden)));
            if let Some((element, (file, golden))) = pairs.find(|(_, (a, b))| a != b) {
                return Some(Problem::Output {
                    line: self.reader.line(),
                    column: self.reader.column_of_output(i),
                    cycle,
                    port: port.element_name(element),
                    file,
                    golden,
                });
            }
        }
        None
    }

    fn hashes(&self) -> Vec<Problem> {
        let found = self.reader.found();
        let trailer = self.reader.trailer().cloned().unwrap_or_default();
        // The last two lines.
        let last = self.reader.line();
        let hashes = |trailer: Trailer| {
            [
                (last - 1, "stimulus", trailer.stimulus),
                (last, "expected", trailer.expected),
            ]
        };
        let pairs = hashes(trailer).into_iter().zip(hashes(found));
        let differing = pairs.filter(|(trailer, found)| trailer != found);
        let problem = |((line, of, trailer), (_, _, found)): ((_, &'static str, _), (_, _, _))| {
            Problem::Hash {
                line,
                column: of.len() + "# -sha256 ".len() + 1,
                of,
                trailer,
                found,
            }
        };
        differing.map(problem).collect()
    }
}
