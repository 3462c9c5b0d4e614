//! What `update()` assigns, known before it is rewritten: which flops only conditions assign, which
//! signals are written in parts, which clocks are wired by hand.

use super::place::{place, target, Place};
use crate::formula::text;
use crate::unit::{Kind, Unit};
use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Error, Result};

/// What `update()` assigns.
#[derive(Default)]
pub struct Survey {
    /// Flops that keep their value unless assigned.
    pub hold: BTreeSet<String>,
    /// Subscripts that flops are assigned with under conditions.
    pub places: BTreeMap<String, BTreeSet<String>>,
    /// Signals that are written bit by bit or element by element and start at zero.
    pub zeroed: BTreeSet<String>,
    /// Ports of what is inside that are assigned: `name.port`.
    pub driven: BTreeSet<String>,
}

/// An assignment to a bit or element.
struct Part {
    subscript: String,
    span: Span,
    /// The loops around choose another one in each turn.
    once: bool,
}

struct Visitor<'a> {
    unit: &'a Unit,
    out: Survey,
    /// How many conditions are around.
    conditions: usize,
    loops: Vec<String>,
    /// Flops that are assigned under no condition.
    always: BTreeSet<String>,
    /// Signals that are assigned whole.
    whole: BTreeSet<String>,
    parts: BTreeMap<String, Vec<Part>>,
}

impl Survey {
    pub fn of(unit: &Unit, body: &syn::Block) -> Result<Survey> {
        let mut visitor = Visitor {
            unit,
            out: Survey::default(),
            conditions: 0,
            loops: vec![],
            always: BTreeSet::new(),
            whole: BTreeSet::new(),
            parts: BTreeMap::new(),
        };
        visitor.visit_block(body);
        for (name, parts) in &visitor.parts {
            visitor.check_elements(name, parts)?;
        }
        let Visitor {
            mut out, always, ..
        } = visitor;
        out.hold = out
            .places
            .keys()
            .filter(|r| !always.contains(*r))
            .cloned()
            .collect();
        Ok(out)
    }
}

impl<'ast> Visit<'ast> for Visitor<'_> {
    fn visit_expr_if(&mut self, e: &'ast syn::ExprIf) {
        self.conditions += 1;
        visit::visit_expr_if(self, e);
        self.conditions -= 1;
    }

    fn visit_expr_match(&mut self, e: &'ast syn::ExprMatch) {
        self.conditions += 1;
        visit::visit_expr_match(self, e);
        self.conditions -= 1;
    }

    fn visit_expr_for_loop(&mut self, e: &'ast syn::ExprForLoop) {
        self.loops.push(text(&e.pat));
        visit::visit_expr_for_loop(self, e);
        self.loops.pop();
    }

    fn visit_expr_assign(&mut self, e: &'ast syn::ExprAssign) {
        let place = target(&e.left).and_then(place);
        if let Some(p) = place {
            self.assignment(&p, e.span());
        }
    }

    /// `clock!(self, clock, flop, part)`.
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if mac.path.is_ident("clock") {
            let names = mac.tokens.to_string();
            let names = names
                .split(',')
                .skip(2)
                .map(|n| format!("{}.clock", n.trim()));
            self.out.driven.extend(names);
        }
    }
}

impl Visitor<'_> {
    fn assignment(&mut self, p: &Place, span: Span) {
        let name = p.name.to_string();
        if let [super::place::Step::Member(port)] = p.rest[..] {
            self.out.driven.insert(format!("{name}.{port}"));
        }
        let subscripts: Vec<String> = p.subscripts.iter().map(text).collect();
        if is_flop(self.unit, p) || p.is_d() {
            if self.conditions == 0 {
                self.always.insert(name);
            } else {
                let places = self.out.places.entry(name).or_default();
                places.insert(subscripts.join(","));
            }
            return;
        }
        let Some(field) = self.unit.field(p.name) else {
            return;
        };
        if !matches!(field.kind, Kind::Signal(..)) || !p.rest.is_empty() {
            return;
        }
        if subscripts.len() == field.lengths.len() {
            self.whole.insert(name);
        } else if subscripts.len() == field.lengths.len() + 1 {
            let once = self.loops.iter().all(|l| subscripts.contains(l));
            // Whose first assignment is to a part, in loops that all choose which.
            if once && !self.whole.contains(&name) && !self.parts.contains_key(&name) {
                self.out.zeroed.insert(name.clone());
            }
            let subscript = subscripts.last().cloned().unwrap_or_default();
            let parts = self.parts.entry(name).or_default();
            parts.push(Part {
                subscript,
                span,
                once,
            });
        }
    }

    /// That no element of a packed signal is assigned twice: an element is put in by an OR with
    /// what is there.
    fn check_elements(&self, name: &str, parts: &[Part]) -> Result<()> {
        let field = self.unit.fields.iter().find(|f| f.name == name);
        let packed = |kind: &Kind| matches!(kind, Kind::Signal(_, v) if v.element().is_some());
        if !field.is_some_and(|f| packed(&f.kind)) {
            return Ok(());
        }
        let is_number = |s: &str| s.parse::<usize>().is_ok();
        let is_name = |s: &str| s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let once = |p: &&Part| p.once && is_name(&p.subscript);
        if let Some(repeated) = parts.iter().find(|p| !once(p)) {
            let what = format!(
                "each element of `{name}` is assigned once: \
                 subscripts are the variables of all loops around"
            );
            return Err(Error::new(repeated.span, what));
        }
        let distinct: BTreeSet<&String> = parts.iter().map(|p| &p.subscript).collect();
        let numbers = parts.iter().all(|p| is_number(&p.subscript));
        if let ([_, second, ..], false) = (parts, numbers && distinct.len() == parts.len()) {
            let what = format!(
                "an element of `{name}` is assigned at one place, so that none is assigned twice"
            );
            return Err(Error::new(second.span, what));
        }
        if self.whole.contains(name) {
            let what =
                format!("`{name}` is assigned whole elsewhere; elements start at 0 by themselves");
            return Err(Error::new(parts[0].span, what));
        }
        Ok(())
    }
}

/// Whether a place is one flop, with nothing behind it.
pub fn is_flop(unit: &Unit, p: &Place) -> bool {
    let field = unit.field(p.name);
    let flop = field
        .is_some_and(|f| matches!(f.kind, Kind::Reg(_)) && p.subscripts.len() == f.lengths.len());
    flop && p.rest.is_empty()
}
