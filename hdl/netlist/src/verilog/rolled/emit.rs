//! Prints items and statements with loops.

use super::family::{Family, Member};
use super::home::{Home, Homes};
use super::node::{For, Kind, Node};
use super::part::{self, Affine, Names, Part, Variable};
use crate::verilog::layout::Layout;
use crate::verilog::module::{declared, Place};
use crate::verilog::names::Scope;
use crate::verilog::print::{comment, range, COLUMNS};
use std::collections::HashMap;

/// Names of loop variables, by depth: those of items and those of statements.
const GENVARS: [&str; 4] = ["i", "j", "k", "l"];
const INTEGERS: [&str; 4] = ["n", "m", "p", "q"];

/// By depth, whether a loop is in a branch of a block.
fn in_branches(segments: &[(Vec<Part>, Vec<Node>)]) -> [bool; INTEGERS.len()] {
    fn look(nodes: &[Node], depth: usize, branch: bool, found: &mut [bool]) {
        for node in nodes {
            match &node.kind {
                Kind::Line(_) => {}
                Kind::Group(nodes) => look(nodes, depth, branch, found),
                Kind::Block(segments) => {
                    for (_, body) in segments {
                        look(body, depth, true, found);
                    }
                }
                Kind::For(one) => {
                    if let Some(found) = found.get_mut(depth) {
                        *found |= branch;
                    }
                    look(&one.body, depth + 1, branch, found);
                }
            }
        }
    }
    let mut found = [false; INTEGERS.len()];
    for (_, body) in segments {
        look(body, 0, false, &mut found);
    }
    found
}

/// Prints.
pub(super) struct Emitter<'a> {
    families: &'a [Family],
    homes: &'a Homes,
    layout: &'a Layout,
    scope: &'a mut Scope,
    genvars: Vec<String>,
    integers: Vec<String>,
    /// Variables in use, and what they are called.
    called: HashMap<Variable, String>,
    /// Loops around, and where they are.
    around: Vec<Around>,
    path: Vec<usize>,
    places: Places,
}

/// Scopes of what is declared in loops.
#[derive(Clone, Default)]
pub(super) struct Places {
    inside: HashMap<(usize, Vec<i64>), String>,
}

impl Names for Emitter<'_> {
    fn variable(&self, variable: Variable) -> String {
        self.called.get(&variable).cloned().unwrap_or_default()
    }

    fn element(&self, family: usize, index: &[Affine]) -> String {
        let name = || self.homes.names[family].clone();
        let constant = index.iter().all(Affine::is_constant);
        match &self.homes.homes[family] {
            Home::Array => {
                let index = index.iter().map(|a| a.text(&|v| self.variable(v)));
                let index: Vec<String> = index.map(|text| format!("[{text}]")).collect();
                name() + &index.concat()
            }
            Home::Loops(_) if !constant || self.families[family].of_nets() => name(),
            _ => {
                let at: Vec<i64> = index.iter().map(|a| a.base).collect();
                scalar(self.families, self.homes, family, &at)
            }
        }
    }
}

fn scalar(families: &[Family], homes: &Homes, family: usize, index: &[i64]) -> String {
    let mut members = families[family].members.iter();
    let member: Option<Member> = members.find(|(at, _)| at == index).map(|(_, m)| *m);
    member
        .and_then(|m| homes.scalars.get(&m).cloned())
        .unwrap_or_default()
}

impl<'a> Emitter<'a> {
    pub fn new(
        families: &'a [Family],
        homes: &'a Homes,
        layout: &'a Layout,
        scope: &'a mut Scope,
    ) -> Emitter<'a> {
        Emitter {
            families,
            homes,
            layout,
            scope,
            genvars: vec![],
            integers: vec![],
            called: HashMap::new(),
            around: vec![],
            path: vec![],
            places: Places::default(),
        }
    }

    /// The items of the module.
    pub fn module(&mut self, nodes: &[Node]) -> Vec<String> {
        let mut out = vec![];
        self.items(2, nodes, &mut out);
        out
    }

    /// The declaration of the variables of loops over items.
    pub fn genvars(&self) -> Option<String> {
        (!self.genvars.is_empty()).then(|| format!("  genvar {};", self.genvars.join(", ")))
    }

    pub fn places(&self) -> Places {
        self.places.clone()
    }

    /// A name, or what is marked.
    pub fn plain(&self, text: &str) -> String {
        part::text(&part::parts(text), self)
    }

    fn items(&mut self, indent: usize, nodes: &[Node], out: &mut Vec<String>) {
        let mut before = None;
        for (at, node) in nodes.iter().enumerate() {
            self.path.push(at);
            let assigns = matches!(&node.kind, Kind::Line(parts)
                if matches!(parts.first(), Some(Part::Text(t)) if t.starts_with("assign ")));
            let starts = indent > 2 && before.is_none();
            if !starts && (before != Some(true) || !assigns || !node.comments.is_empty()) {
                out.push(String::new());
            }
            before = Some(assigns);
            self.item(indent, node, out);
            self.path.pop();
        }
    }

    fn item(&mut self, indent: usize, node: &Node, out: &mut Vec<String>) {
        node.comments.iter().for_each(|c| comment(indent, c, out));
        match &node.kind {
            Kind::Line(parts) => self.line(indent, parts, out),
            Kind::Group(nodes) => nodes.iter().for_each(|n| self.item(indent, n, out)),
            Kind::For(one) => self.generate(indent, one, out),
            Kind::Block(segments) => {
                let depth = node_depth(node);
                if depth == 0 {
                    return self.segments(indent, segments, 0, out);
                }
                // Variables are the block's own, and a block with its own variables has a name.
                let mut segments = segments.clone();
                let name = self.label(node, "loop");
                if let Some((head, _)) = segments.first_mut() {
                    head.push(Part::Text(format!(" : {name}")));
                }
                let mut lines = vec![];
                self.segments(indent, &segments, 0, &mut lines);
                let pad = " ".repeat(indent + 2);
                let mut first = vec![format!(
                    "{pad}integer {};",
                    self.integers[..depth].join(", ")
                )];
                if lines[0].contains("always @*") {
                    // One that some branch does not assign would be a latch.
                    let branches = in_branches(&segments);
                    let some = self.integers[..depth].iter().zip(branches);
                    let some = some.filter(|(_, in_branch)| *in_branch);
                    first.extend(some.map(|(name, _)| format!("{pad}{name} = 0;")));
                }
                lines.splice(1..1, first);
                out.append(&mut lines);
            }
        }
    }

    fn segments(
        &mut self,
        indent: usize,
        segments: &[(Vec<Part>, Vec<Node>)],
        depth: usize,
        out: &mut Vec<String>,
    ) {
        for (head, body) in segments {
            self.line(indent, head, out);
            self.statements(indent + 2, body, depth, out);
        }
    }

    fn statements(&mut self, indent: usize, nodes: &[Node], depth: usize, out: &mut Vec<String>) {
        for node in nodes {
            node.comments.iter().for_each(|c| comment(indent, c, out));
            match &node.kind {
                Kind::Line(parts) => self.line(indent, parts, out),
                Kind::Group(nodes) => self.statements(indent, nodes, depth, out),
                Kind::Block(segments) => self.segments(indent, segments, depth, out),
                Kind::For(one) => {
                    let name = pick(&mut self.integers, &INTEGERS, depth, self.scope);
                    self.called.insert(one.variable, name.clone());
                    out.push(format!("{}{} begin", " ".repeat(indent), head(one, &name)));
                    self.statements(indent + 2, &one.body, depth + 1, out);
                    out.push(format!("{}end", " ".repeat(indent)));
                }
            }
        }
    }

    fn generate(&mut self, indent: usize, one: &For, out: &mut Vec<String>) {
        let name = pick(&mut self.genvars, &GENVARS, self.around.len(), self.scope);
        self.called.insert(one.variable, name.clone());
        let label = self.label(&one.body[0], "each");
        let pad = " ".repeat(indent);
        out.push(format!("{pad}{} begin : {label}", head(one, &name)));
        self.around.push((one.variable, one.low, one.count, label));
        let mut declared_here = false;
        for (at, family) in self.families.iter().enumerate() {
            let Home::Loops(bodies) = &self.homes.homes[at] else {
                continue;
            };
            let Some((_, index)) = bodies.iter().find(|(path, _)| *path == self.path) else {
                continue;
            };
            let name = &self.homes.names[at];
            match family.members[0].1 {
                Member::Net(id) => {
                    let width = range(self.layout.nets[id.index()].width);
                    out.push(format!(
                        "{pad}  {}{width} {name};",
                        declared(self.layout, id)
                    ));
                    declared_here = true;
                }
                Member::Ram(_) | Member::Instance(_) => {
                    each(&self.around, &mut |values, scope| {
                        let at_values = index.iter().map(|a| a.at(values).base);
                        let place = format!("{scope}.{name}");
                        self.places.inside.insert((at, at_values.collect()), place);
                    });
                }
            }
        }
        let start = out.len();
        self.items(indent + 2, &one.body, out);
        if declared_here && self.starts_with_block(&one.body[0]) {
            out.insert(start, String::new());
        }
        self.around.pop();
        out.push(format!("{pad}end"));
    }

    fn starts_with_block(&self, node: &Node) -> bool {
        matches!(node.kind, Kind::Block(_))
    }

    /// A name for a block, after what it assigns.
    fn label(&mut self, node: &Node, what: &str) -> String {
        let mut first = None;
        node.each_line(&mut |parts| {
            let of = |part: &Part| match part {
                Part::Element(family, _) => Some(self.homes.names[*family].clone()),
                Part::Text(text) => {
                    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                    words
                        .find(|w| {
                            let skipped = [
                                "assign", "always", "initial", "begin", "posedge", "if", "end",
                            ];
                            !w.is_empty()
                                && !skipped.contains(w)
                                && w.starts_with(|c: char| c.is_ascii_alphabetic())
                        })
                        .map(str::to_owned)
                }
                _ => None,
            };
            if first.is_none() {
                // An instance is called by its name, not its module's.
                let instance = matches!(parts, [.., Part::Element(..), Part::Text(t)] if t == " (");
                let named = if instance {
                    &parts[parts.len() - 2..]
                } else {
                    parts
                };
                first = named.iter().find_map(of).filter(|name| !name.is_empty());
            }
        });
        let mut clocked = false;
        node.each_line(&mut |parts| {
            clocked |=
                matches!(parts.first(), Some(Part::Text(t)) if t.starts_with("always @(pos"));
        });
        let name = match (clocked, what) {
            (true, "loop") => "register".into(),
            _ => first.unwrap_or_default(),
        };
        let wanted = match what {
            "each" => format!("each_{name}"),
            _ => format!("{name}_{what}"),
        };
        self.scope.claim(wanted.trim_matches('_'))
    }

    fn line(&self, indent: usize, parts: &[Part], out: &mut Vec<String>) {
        let text = part::text(parts, self);
        let pad = " ".repeat(indent);
        if pad.len() + text.len() <= COLUMNS || text.starts_with("//") {
            return out.push(pad + &text);
        }
        let mut line = pad.clone();
        for word in text.split(' ') {
            if line.len() + 1 + word.len() > COLUMNS && line.trim() != "" {
                out.push(std::mem::replace(&mut line, format!("{pad}    {word}")));
            } else {
                if line.trim() != "" {
                    line.push(' ');
                }
                line.push_str(word);
            }
        }
        out.push(line);
    }
}

/// A loop: variable, first value, iterations, and label.
type Around = (Variable, i64, i64, String);
/// Values of loop variables.
type Values = [(Variable, i64)];

/// Calls `f` for each iteration of nested loops: values, and scope.
fn each(around: &[Around], f: &mut dyn FnMut(&Values, &str)) {
    let mut all: Vec<(Vec<(Variable, i64)>, String)> = vec![(vec![], String::new())];
    for (variable, low, count, label) in around {
        let mut next = vec![];
        for (values, scope) in &all {
            for value in *low..*low + *count {
                let mut values = values.clone();
                values.push((*variable, value));
                let dot = if scope.is_empty() { "" } else { "." };
                next.push((values, format!("{scope}{dot}{label}[{value}]")));
            }
        }
        all = next;
    }
    all.iter().for_each(|(values, scope)| f(values, scope));
}

impl Places {
    /// Where what a text names is: a name, or an element that it marks.
    pub fn of(&self, text: &str, families: &[Family], homes: &Homes) -> Place {
        let parts = part::parts(text);
        let [Part::Element(family, index)] = &parts[..] else {
            return text.to_owned().into();
        };
        let at: Vec<i64> = index.iter().map(|a| a.base).collect();
        if let Some(place) = self.inside.get(&(*family, at.clone())) {
            return place.clone().into();
        }
        match homes.homes[*family] {
            Home::Array => {
                let index: Vec<String> = at.iter().map(|i| format!("[{i}]")).collect();
                let name = &homes.names[*family];
                Place {
                    path: name.clone() + &index.concat(),
                    flat: format!("{name}[{}]", families[*family].flat(&at)),
                }
            }
            _ => scalar(families, homes, *family, &at).into(),
        }
    }
}

/// The name of a variable at a depth.
fn pick(names: &mut Vec<String>, wanted: &[&str], depth: usize, scope: &mut Scope) -> String {
    while names.len() <= depth {
        let next = wanted[names.len() % wanted.len()];
        names.push(scope.claim(next));
    }
    names[depth].clone()
}

fn head(one: &For, name: &str) -> String {
    format!(
        "for ({name} = {}; {name} < {}; {name} = {name} + 1)",
        one.low,
        one.low + one.count
    )
}

/// How deep loops in a statement are nested.
fn node_depth(node: &Node) -> usize {
    let deepest = |nodes: &[Node]| nodes.iter().map(node_depth).max().unwrap_or(0);
    match &node.kind {
        Kind::Line(_) => 0,
        Kind::Group(nodes) => deepest(nodes),
        Kind::Block(segments) => segments.iter().map(|s| deepest(&s.1)).max().unwrap_or(0),
        Kind::For(one) => 1 + deepest(&one.body),
    }
}
