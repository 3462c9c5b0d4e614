//! Reads mappings; every error names line and key.

use std::ops::Range;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::{names, Claim, Fault, Field, Lists, Mapping, Table};
use crate::workload::scenario::meant;

/// Why there is no such mapping.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MappingError {
    /// No mapping has this name.
    #[error("no mapping \"{name}\"{}, expected one of: {}", meant(name, names()), names().collect::<Vec<_>>().join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is wrong.
    #[error("{}: {source}", path.display())]
    In {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Box<MappingError>,
    },
    /// A value cannot be.
    #[error("line {line}: {fault}")]
    Fault {
        /// Line in the file, from 1.
        line: usize,
        /// What is wrong.
        fault: Fault,
    },
    /// The text is no TOML, or has keys or types that a mapping has not.
    #[error("line {line}: {message}")]
    Toml {
        /// Line in the file, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

/// What serde calls things, and what people do.
const WORDS: [(&str, &str); 6] = [
    ("expected u64", "expected a whole number, 0 or more"),
    ("expected u32", "expected a whole number, 0 or more"),
    ("expected a string", "expected text in quotes"),
    (
        "expected a sequence",
        "expected a list; functions are lists of lists of address bits",
    ),
    ("expected struct Functions", "expected a [functions] table"),
    ("unknown variant", "no such claim:"),
];

/// The lists of a field, with where each function is.
type Placed = Spanned<Vec<Spanned<Vec<u32>>>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Spanned<String>,
    title: Spanned<String>,
    width: Spanned<u32>,
    line: Spanned<u64>,
    sector: Spanned<u64>,
    page: Spanned<u64>,
    modules: Spanned<u64>,
    banks: Spanned<u64>,
    sets: Spanned<u64>,
    bijective: Option<Spanned<Vec<Claim>>>,
    functions: Spanned<Functions>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Functions {
    module: Option<Placed>,
    bank: Placed,
    set: Placed,
    row: Option<Placed>,
    column: Option<Placed>,
    tag: Option<Placed>,
}

impl Functions {
    fn placed(&self, field: Field) -> Option<&Placed> {
        match field {
            Field::Module => self.module.as_ref(),
            Field::Bank => Some(&self.bank),
            Field::Set => Some(&self.set),
            Field::Row => self.row.as_ref(),
            Field::Column => self.column.as_ref(),
            Field::Tag => self.tag.as_ref(),
        }
    }

    fn lists(&self, field: Field) -> Option<Lists> {
        let placed = self.placed(field)?;
        let lists = placed.get_ref().iter();
        Some(lists.map(|bits| bits.get_ref().clone()).collect())
    }
}

impl File {
    fn table(&self) -> Table {
        let lists = |field| self.functions.get_ref().lists(field);
        Table {
            name: self.name.get_ref().clone(),
            title: self.title.get_ref().clone(),
            width: *self.width.get_ref(),
            line: *self.line.get_ref(),
            sector: *self.sector.get_ref(),
            page: *self.page.get_ref(),
            modules: *self.modules.get_ref(),
            banks: *self.banks.get_ref(),
            sets: *self.sets.get_ref(),
            bijective: self.claims(),
            module: lists(Field::Module),
            bank: lists(Field::Bank).unwrap_or_default(),
            set: lists(Field::Set).unwrap_or_default(),
            row: lists(Field::Row),
            column: lists(Field::Column),
            tag: lists(Field::Tag),
        }
    }

    fn claims(&self) -> Vec<Claim> {
        let claims = self.bijective.as_ref().map(Spanned::get_ref);
        claims.cloned().unwrap_or_default()
    }

    /// Where a fault is.
    fn span(&self, fault: &Fault) -> Range<usize> {
        let functions = &self.functions;
        match fault.key.as_str() {
            "width" => self.width.span(),
            "line" => self.line.span(),
            "sector" => self.sector.span(),
            "page" => self.page.span(),
            "modules" => self.modules.span(),
            "banks" => self.banks.span(),
            "sets" => self.sets.span(),
            "bijective" => self.bijective.as_ref().map_or(0..0, Spanned::span),
            key => {
                let mut fields = Field::ALL.into_iter();
                let field = fields.find(|field| field.key() == key);
                let placed = field.and_then(|field| functions.get_ref().placed(field));
                let function = |placed: &Placed| {
                    let list = placed.get_ref().get(fault.function?);
                    list.map(Spanned::span)
                };
                let whole = placed.map_or(functions.span(), Spanned::span);
                placed.and_then(function).unwrap_or(whole)
            }
        }
    }
}

/// The line of a place in a text.
fn line(text: &str, span: Range<usize>) -> usize {
    let before = text.get(..span.start).unwrap_or_default();
    1 + before.matches('\n').count()
}

/// What serde says, in words of a mapping.
fn words(message: &str) -> String {
    let mut message = message.trim().replace('\n', "; ");
    for (theirs, ours) in WORDS {
        message = message.replace(theirs, ours);
    }
    // `unknown field `x`, expected one of `y`, `z``
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if let (true, [wrong, known @ ..]) = (message.starts_with("unknown field"), &names[..]) {
        let hint = meant(wrong, known.iter().copied());
        return message.replacen(&format!("`{wrong}`"), &format!("`{wrong}`{hint}"), 1);
    }
    message
}

/// What stands before the `=` of a line, with a colon.
fn key(text: &str, line: usize) -> String {
    let found = text.lines().nth(line - 1).and_then(|it| it.split_once('='));
    found.map_or(String::new(), |(key, _)| format!("{}: ", key.trim()))
}

pub(super) fn read(text: &str) -> Result<Mapping, MappingError> {
    let file: File = toml::from_str(text).map_err(|error| {
        let line = line(text, error.span().unwrap_or(0..0));
        let message = words(error.message());
        let key = match message.starts_with("unknown field") {
            true => String::new(),
            false => key(text, line),
        };
        MappingError::Toml {
            line,
            message: key + &message,
        }
    })?;
    let claims = file.claims();
    if claims.len() == 2 && claims[0] == claims[1] || claims.len() > 2 {
        let found = format!("{} claims", claims.len());
        let fault = Fault::new(
            "bijective",
            found,
            "each of \"bank\" and \"set\" once at most",
        );
        let line = line(text, file.span(&fault));
        return Err(MappingError::Fault { line, fault });
    }
    Mapping::new(file.table()).map_err(|fault| MappingError::Fault {
        line: line(text, file.span(&fault)),
        fault,
    })
}
