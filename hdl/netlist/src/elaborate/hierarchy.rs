//! Walks a rust-hdl block and records its signals, constants and instances, and its AST.

use crate::hdl::clog2;
use crate::hdl::{Atom, AtomKind, Block, Probe, TypeDescriptor, TypeKind, Verilog};
use num_bigint::BigUint;
use std::rc::Rc;

/// An enum's value: its name as the AST spells it, width and encoding.
pub(super) type Variant = (String, usize, BigUint);

/// A signal or constant of a block.
pub(super) struct Field {
    /// Canonical name: array elements and interface members joined by `$`.
    pub name: String,
    pub kind: AtomKind,
    pub width: usize,
    pub clock: bool,
    pub signed: bool,
    /// Value as rust-hdl prints it; meaningful for constants.
    pub literal: String,
    /// Enum values that the type brings into scope.
    pub variants: Vec<Variant>,
    /// Value names, if the type itself is an enum.
    pub variant_names: Option<Rc<Vec<String>>>,
}

/// A block with its fields and children.
pub(super) struct Instance {
    pub name: String,
    pub fields: Vec<Field>,
    pub hdl: Verilog,
    pub children: Vec<Instance>,
}

/// Visits the whole hierarchy below `block`.
pub(super) fn walk(block: &dyn Block, name: &str) -> Option<Instance> {
    let mut walker = Walker::default();
    block.accept(name, &mut walker);
    walker.top
}

/// A description as if its block had been walked.
pub(super) fn described(d: &crate::describe::Description) -> Instance {
    let field = |f: &crate::describe::Field| Field {
        name: f.name.clone(),
        kind: f.kind,
        width: f.width,
        clock: f.clock,
        signed: false,
        literal: format!("{}'h{:x}", f.width, f.value),
        variants: vec![],
        variant_names: None,
    };
    Instance {
        name: d.name.clone(),
        fields: d.fields.iter().map(field).collect(),
        hdl: d.hdl.clone(),
        children: d.children.iter().map(described).collect(),
    }
}

/// The first difference.
pub(super) fn same(a: &Instance, b: &Instance, path: &str) -> Result<(), String> {
    let path = format!("{path}/{}", a.name);
    let show = |f: &Field| {
        let value = match f.kind {
            AtomKind::Constant => f.literal.as_str(),
            _ => "",
        };
        format!("{} {:?} {} {} {value}", f.name, f.kind, f.width, f.clock)
    };
    let list = |i: &Instance| -> Vec<String> {
        let fields = i.fields.iter().map(show);
        fields
            .chain(i.children.iter().map(|c| c.name.clone()))
            .collect()
    };
    for (x, y) in list(a).into_iter().zip(list(b)) {
        if x != y {
            return Err(format!("{path}: {x} / {y}"));
        }
    }
    if list(a).len() != list(b).len() {
        return Err(format!("{path}: {:?} / {:?}", list(a), list(b)));
    }
    // How rust-hdl spells a comment depends on the compiler.
    let plain = |hdl: &Verilog| {
        let text = format!("{hdl:?}");
        let mut parts = text.split("Comment(\"");
        let first = parts.next().unwrap_or_default().to_string();
        parts.fold(first, |all, part| {
            all + part.split_once("\"), ").map_or("", |p| p.1)
        })
    };
    let (x, y) = (plain(&a.hdl), plain(&b.hdl));
    if x != y {
        let at = x.bytes().zip(y.bytes()).take_while(|(a, b)| a == b).count();
        let from = at.saturating_sub(200);
        let cut = |t: &str| t.chars().skip(from).take(400).collect::<String>();
        return Err(format!("{path}: hdl\n{}\n{}", cut(&x), cut(&y)));
    }
    a.children
        .iter()
        .zip(&b.children)
        .try_for_each(|(a, b)| same(a, b, &path))
}

/// `count$3$q` as a person writes it: `count[3].q`.
pub(super) fn readable(canonical: &str) -> String {
    let mut out = String::new();
    for (i, part) in canonical.split('$').enumerate() {
        if i > 0 && part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty() {
            out.push_str(&format!("[{part}]"));
        } else {
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(part);
        }
    }
    out
}

#[derive(Default)]
struct Walker {
    open: Vec<Instance>,
    interfaces: Vec<String>,
    top: Option<Instance>,
}

impl Probe for Walker {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.open.push(Instance {
            name: name.into(),
            fields: vec![],
            hdl: node.hdl(),
            children: vec![],
        });
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.interfaces.push(name.into());
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.interfaces.pop();
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let Some(instance) = self.open.last_mut() else {
            return;
        };
        let mut path = self.interfaces.clone();
        path.push(name.into());
        let descriptor = atom.descriptor();
        let mut variants = vec![];
        collect_variants(&descriptor, &mut variants);
        let variant_names = match &descriptor.kind {
            TypeKind::Enum(names) => Some(Rc::new(
                names
                    .iter()
                    .map(|n| n.rsplit("::").next().unwrap_or(n).to_string())
                    .collect(),
            )),
            _ => None,
        };
        instance.fields.push(Field {
            name: path.join("$"),
            kind: atom.kind(),
            width: atom.bits(),
            clock: descriptor.name == "clock",
            signed: has_signed(&descriptor),
            literal: format!("{:x}", atom.verilog()),
            variants,
            variant_names,
        });
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        let Some(done) = self.open.pop() else { return };
        match self.open.last_mut() {
            Some(parent) => parent.children.push(done),
            None => self.top = Some(done),
        }
    }
}

fn collect_variants(descriptor: &TypeDescriptor, out: &mut Vec<Variant>) {
    match &descriptor.kind {
        TypeKind::Enum(names) => {
            let width = clog2(names.len());
            out.extend(
                names
                    .iter()
                    .enumerate()
                    .map(|(i, n)| (n.replace("::", "$"), width, i.into())),
            );
        }
        TypeKind::Composite(fields) => {
            fields.iter().for_each(|f| collect_variants(&f.kind, out));
        }
        _ => {}
    }
}

fn has_signed(descriptor: &TypeDescriptor) -> bool {
    match &descriptor.kind {
        TypeKind::Signed(_) => true,
        TypeKind::Composite(fields) => fields.iter().any(|f| has_signed(&f.kind)),
        _ => false,
    }
}
