//! The signals shown, as a tree of groups.

use crate::layout::{Declaration, Layout, Variable};
use crate::look::{Colour, Radix};
use crate::scope::Kind;

/// Equal signals in a row that make an array, and a group of its own.
const ARRAY: usize = 3;

/// A group of signals: a scope, a group in it, or an array.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub name: String,
    pub folded: bool,
    pub rows: Vec<Row>,
}

#[derive(Debug)]
pub(super) enum Row {
    Group(Group),
    Trace(Trace),
}

/// A signal.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    /// Dots between names.
    pub path: String,
    pub width: u32,
    pub kind: Kind,
    pub radix: Radix,
    pub colour: Option<Colour>,
    /// File of named values.
    pub names: Option<String>,
    /// Width and digits of its elements, if it is packed of some.
    pub elements: Option<(u32, Radix)>,
}

impl Trace {
    /// What is behind the last dot.
    pub fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default()
    }
}

/// The outermost scope.
pub(super) fn of(layout: &Layout) -> Group {
    let mut open: Vec<Scope> = Vec::new();
    for declaration in &layout.inner().declarations {
        match declaration {
            Declaration::Open {
                name,
                colour,
                folded,
                ..
            } => {
                let above = open.last();
                open.push(Scope {
                    path: above.map_or(name.clone(), |scope| format!("{}.{name}", scope.path)),
                    colour: colour.or(above.and_then(|scope| scope.colour)),
                    name: name.clone(),
                    folded: *folded,
                    variables: Vec::new(),
                    scopes: Vec::new(),
                });
            }
            Declaration::Variable(variable) => {
                if let Some(scope) = open.last_mut() {
                    let trace = scope.trace(layout, variable);
                    let group = variable.look.group.clone();
                    scope.variables.push((group, variable.look.folded, trace));
                }
            }
            Declaration::Close => {
                if let Some(scope) = open.pop() {
                    let group = scope.into_group();
                    match open.last_mut() {
                        Some(above) => above.scopes.push(group),
                        None => return group,
                    }
                }
            }
        }
    }
    Group::default()
}

/// A scope that is being read.
struct Scope {
    path: String,
    name: String,
    colour: Option<Colour>,
    folded: bool,
    /// Group, whether it is folded, signal.
    variables: Vec<(Option<String>, bool, Trace)>,
    scopes: Vec<Group>,
}

impl Scope {
    fn trace(&self, layout: &Layout, variable: &Variable) -> Trace {
        let Variable {
            kind, width, look, ..
        } = variable;
        let default = Radix::default_of(*kind, *width);
        let named = variable.values.map(|index| &layout.inner().named[index]);
        Trace {
            path: format!("{}.{}", self.path, variable.name),
            width: *width,
            kind: *kind,
            // The files of names are made for the viewer's own choice.
            radix: match named {
                Some(_) => default,
                None => look.radix.unwrap_or(default),
            },
            colour: look.colour.or(self.colour),
            names: named.map(|named| named.names.gtkwave_file(*kind, *width)),
            elements: look.elements,
        }
    }

    /// Signals without a group, then the groups in the order of their first signals, then scopes.
    fn into_group(self) -> Group {
        let mut groups: Vec<(Option<String>, bool, Vec<Trace>)> = vec![(None, false, Vec::new())];
        for (group, folded, trace) in self.variables {
            match groups.iter_mut().find(|(name, ..)| *name == group) {
                Some((.., traces)) => traces.push(trace),
                None => groups.push((group, folded, vec![trace])),
            }
        }
        let mut rows = Vec::new();
        for (name, folded, traces) in groups {
            let traces = arrays(traces);
            match name {
                None => rows.extend(traces),
                Some(name) => rows.push(Row::Group(Group {
                    name,
                    folded,
                    rows: traces,
                })),
            }
        }
        rows.extend(self.scopes.into_iter().map(Row::Group));
        Group {
            name: self.name,
            folded: self.folded,
            rows,
        }
    }
}

/// What is before the subscripts.
fn stem(path: &str) -> Option<&str> {
    let name = path.rfind('.').map_or(0, |dot| dot + 1);
    let at = path[name..].find('(')? + name;
    Some(&path[..at])
}

/// Puts the elements of an array into a folded group.
fn arrays(traces: Vec<Trace>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut rest = traces.into_iter().peekable();
    while let Some(trace) = rest.next() {
        let mut array = vec![trace];
        while let Some(next) = rest.next_if(|next| {
            let of = stem(&next.path);
            of.is_some() && of == stem(&array[0].path)
        }) {
            array.push(next);
        }
        if array.len() < ARRAY {
            rows.extend(array.into_iter().map(Row::Trace));
            continue;
        }
        let stem = stem(&array[0].path).unwrap_or_default();
        let name = stem.rsplit('.').next().unwrap_or_default();
        rows.push(Row::Group(Group {
            name: format!("{name} ({})", array.len()),
            folded: true,
            rows: array.into_iter().map(Row::Trace).collect(),
        }));
    }
    rows
}

impl Group {
    /// All signals, in order.
    pub fn traces(&self) -> Vec<&Trace> {
        let rows = self.rows.iter();
        rows.flat_map(|row| match row {
            Row::Trace(trace) => vec![trace],
            Row::Group(group) => group.traces(),
        })
        .collect()
    }
}
