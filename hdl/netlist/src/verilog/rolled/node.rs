//! Statements as a tree of lines.

use super::part::{parts, Affine, Part, Variable};

/// A statement or an item of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub comments: Vec<String>,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Line(Vec<Part>),
    /// Lines with what is indented below each: `if`, `else`, `end`.
    Block(Vec<(Vec<Part>, Vec<Node>)>),
    /// What belongs together.
    Group(Vec<Node>),
    For(For),
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct For {
    pub variable: Variable,
    pub low: i64,
    pub count: i64,
    pub body: Vec<Node>,
}

/// A number of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Int(Affine),
    Sized(usize, Affine),
    Ones(usize, Affine),
    OneHot(usize, Affine),
    /// A position in a family, which says best where a loop starts.
    Index(Affine),
}

impl Slot {
    pub fn value(&self) -> &Affine {
        match self {
            Slot::Int(a) | Slot::Sized(_, a) | Slot::Ones(_, a) | Slot::OneHot(_, a) => a,
            Slot::Index(a) => a,
        }
    }
}

impl Node {
    pub fn new(kind: Kind) -> Node {
        Node {
            comments: vec![],
            kind,
        }
    }

    /// Lines without comments and without what a loop adds.
    pub fn lines(&self) -> usize {
        let all = |nodes: &[Node]| nodes.iter().map(Node::lines).sum::<usize>();
        match &self.kind {
            Kind::Line(_) => 1,
            Kind::Block(segments) => segments.iter().map(|(_, body)| 1 + all(body)).sum(),
            Kind::Group(nodes) => all(nodes),
            Kind::For(For { body, .. }) => 2 + all(body),
        }
    }

    /// Calls `f` for each list of parts.
    pub fn each_line(&self, f: &mut dyn FnMut(&[Part])) {
        match &self.kind {
            Kind::Line(parts) => f(parts),
            Kind::Block(segments) => segments.iter().for_each(|(head, body)| {
                f(head);
                body.iter().for_each(|n| n.each_line(f));
            }),
            Kind::Group(body) | Kind::For(For { body, .. }) => {
                body.iter().for_each(|n| n.each_line(f));
            }
        }
    }

    pub fn each_line_mut(&mut self, f: &mut dyn FnMut(&mut Vec<Part>)) {
        match &mut self.kind {
            Kind::Line(parts) => f(parts),
            Kind::Block(segments) => segments.iter_mut().for_each(|(head, body)| {
                f(head);
                body.iter_mut().for_each(|n| n.each_line_mut(f));
            }),
            Kind::Group(body) | Kind::For(For { body, .. }) => {
                body.iter_mut().for_each(|n| n.each_line_mut(f));
            }
        }
    }

    /// The statement with numbers left out.
    pub fn shape(&self) -> String {
        let mut out = String::new();
        self.write_shape(&mut out);
        out
    }

    fn write_shape(&self, out: &mut String) {
        let line = |parts: &[Part], out: &mut String| {
            for part in parts {
                match part {
                    Part::Text(text) => out.push_str(text),
                    Part::Int(_) => out.push('#'),
                    Part::Sized(width, _) => out.push_str(&format!("{width}'#")),
                    Part::Ones(width, _) => out.push_str(&format!("{width}'ones#")),
                    Part::OneHot(width, _) => out.push_str(&format!("{width}'hot#")),
                    Part::Range(_, width) => out.push_str(&format!("[#+:{width}]")),
                    Part::Element(family, _) => out.push_str(&format!("\u{1}{family}")),
                }
            }
            out.push('\n');
        };
        let all = |nodes: &[Node], out: &mut String| {
            out.push_str("{\n");
            nodes.iter().for_each(|n| n.write_shape(out));
            out.push_str("}\n");
        };
        match &self.kind {
            Kind::Line(parts) => line(parts, out),
            Kind::Block(segments) => segments.iter().for_each(|(head, body)| {
                line(head, out);
                all(body, out);
            }),
            Kind::Group(nodes) => all(nodes, out),
            Kind::For(For {
                low, count, body, ..
            }) => {
                out.push_str(&format!("for {low} {count}"));
                all(body, out);
            }
        }
    }

    /// The numbers that the shape leaves out, in its order.
    pub fn slots(&self) -> Vec<Slot> {
        let mut out = vec![];
        self.each_line(&mut |parts| {
            for part in parts {
                match part {
                    Part::Text(_) => {}
                    Part::Int(a) | Part::Range(a, _) => out.push(Slot::Int(a.clone())),
                    Part::Sized(w, a) => out.push(Slot::Sized(*w, a.clone())),
                    Part::Ones(w, a) => out.push(Slot::Ones(*w, a.clone())),
                    Part::OneHot(w, a) => out.push(Slot::OneHot(*w, a.clone())),
                    Part::Element(_, index) => {
                        out.extend(index.iter().cloned().map(Slot::Index));
                    }
                }
            }
        });
        out
    }

    /// The statement with other numbers.
    pub fn with(&self, slots: &mut dyn Iterator<Item = Slot>) -> Node {
        let mut out = self.clone();
        out.each_line_mut(&mut |parts| {
            for part in parts {
                let mut next = || slots.next().expect("as many as the statement has");
                match part {
                    Part::Text(_) => {}
                    Part::Int(a) | Part::Range(a, _) => *a = next().value().clone(),
                    Part::Sized(..) | Part::Ones(..) | Part::OneHot(..) => {
                        *part = match next() {
                            Slot::Ones(w, a) => Part::Ones(w, a),
                            Slot::OneHot(w, a) => Part::OneHot(w, a),
                            Slot::Sized(w, a) => Part::Sized(w, a),
                            Slot::Int(a) | Slot::Index(a) => Part::Int(a),
                        };
                    }
                    Part::Element(_, index) => {
                        index.iter_mut().for_each(|a| *a = next().value().clone());
                    }
                }
            }
        });
        out
    }

    /// With another loop variable in place of one.
    pub fn renamed(&self, from: Variable, to: Variable) -> Node {
        let mut slots = self.slots().into_iter().map(|slot| match slot {
            Slot::Int(a) => Slot::Int(a.renamed(from, to)),
            Slot::Sized(w, a) => Slot::Sized(w, a.renamed(from, to)),
            Slot::Ones(w, a) => Slot::Ones(w, a.renamed(from, to)),
            Slot::OneHot(w, a) => Slot::OneHot(w, a.renamed(from, to)),
            Slot::Index(a) => Slot::Index(a.renamed(from, to)),
        });
        self.with(&mut slots)
    }
}

/// Reads lines, which are indented by two for each level.
pub(super) fn read(lines: &[String]) -> Vec<Node> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut out: Vec<Node> = vec![];
    let mut comments = vec![];
    let mut at = 0;
    while at < lines.len() {
        let line = &lines[at];
        let words = line.trim_start();
        at += 1;
        if let Some(text) = words.strip_prefix("// ") {
            comments.push(text.into());
            continue;
        }
        if words.is_empty() {
            continue;
        }
        let below = lines[at..]
            .iter()
            .take_while(|l| depth(l) > depth(line) || l.trim().is_empty())
            .count();
        let body = read(&lines[at..at + below]);
        at += below;
        let head = parts(words);
        let goes_on = words.starts_with("end") || words.starts_with(')');
        match out.last_mut() {
            Some(Node {
                kind: Kind::Block(segments),
                ..
            }) if goes_on => segments.push((head, body)),
            _ => out.push(Node {
                comments: std::mem::take(&mut comments),
                kind: match body.is_empty() {
                    true => Kind::Line(head),
                    false => Kind::Block(vec![(head, body)]),
                },
            }),
        }
    }
    // What is said at the end.
    let said = |text: String| Node::new(Kind::Line(vec![Part::Text(format!("// {text}"))]));
    out.extend(comments.into_iter().map(said));
    out
}
