//! `update()` as rust-hdl wants it, from `update()` as it is written.
//!
//! | written | becomes |
//! |---|---|
//! | `self.a` where a value is needed | `self.a.val()`; of a flop `self.a.q.val()` |
//! | `self.r.next = e` of a flop | `self.r.d.next = e` |
//! | `self.a[i]` beyond the field's arrays | `.get_bit(i)`; of packed elements `.get_bits::<W>(i * W)` |
//! | `self.a[i].next = e`, the same | `self.a.next` with bit or element `i` replaced; all start at 0 |
//! | a flop assigned only under conditions | `self.r.d.next = self.r.q.val()` before the first |
//! | clock and reset of what is inside, if not assigned | the unit's own |
//! | `= 0` | `= 0.into()` |
//! | `e.cast::<W>()` | `bit_cast_to::<W>(e)` |
//! | `let w: Bits<W> = e;` and `w` | a Local `w`; `self.w.val()` |
//! | a parameter in an expression | a Constant of its name |
//! | `"STATUS"` in an expression | a Constant, `names.number("STATUS")` of the unit's `names` |
//! | `self.part.next = Part { a: e, b, ..self }` | its inputs; those not listed by their names |
//! | `self.next = Self { a: e, ..self }` | the unit's outputs; those not listed from parts, by their names |
//!
//! What rust-hdl's own text is stays as it is: `.val()`, `.q.val()`, `.d.next`.

use crate::model::{ident_of, text, Kind, Unit, Value};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{parse_quote, parse_quote_spanned, Error, Expr, Result, Stmt};

/// What `update()` adds to the unit.
pub struct Kernel {
    pub body: syn::Block,
    /// `let`s: name, type.
    pub locals: Vec<(Ident, Value)>,
    /// Parameters that expressions name.
    pub constants: Vec<Ident>,
    /// Strings that expressions name, and the constants that stand for them.
    pub strings: Vec<(Ident, syn::LitStr)>,
}

pub fn rewrite(unit: &mut Unit) -> Result<Kernel> {
    let body = unit.update.block.clone();
    let mut rewriter = Rewriter {
        unit,
        loops: vec![],
        locals: BTreeMap::new(),
        order: vec![],
        constants: BTreeSet::new(),
        strings: BTreeMap::new(),
        held: BTreeSet::new(),
        hold: BTreeSet::new(),
        zeroed: BTreeSet::new(),
        places: BTreeMap::new(),
        errors: None,
    };
    rewriter.survey(&body)?;
    let mut out = rewriter.wiring(&body);
    out.extend(rewriter.block(&body, false)?.stmts);
    if let Some(error) = rewriter.errors {
        return Err(error);
    }
    let locals = rewriter
        .order
        .iter()
        .map(|n| (n.clone(), rewriter.locals[&n.to_string()].clone()))
        .collect();
    let constants = rewriter.constants.iter().cloned().collect();
    let strings = rewriter.strings.into_values().collect();
    let span = body.brace_token.span.join();
    let body = syn::Block {
        brace_token: syn::token::Brace(span),
        stmts: out,
    };
    Ok(Kernel {
        body,
        locals,
        constants,
        strings,
    })
}

struct Rewriter<'a> {
    unit: &'a mut Unit,
    loops: Vec<String>,
    locals: BTreeMap<String, Value>,
    order: Vec<Ident>,
    constants: BTreeSet<Ident>,
    strings: BTreeMap<String, (Ident, syn::LitStr)>,
    /// Flops that keep their value unless assigned.
    hold: BTreeSet<String>,
    /// Those places of them that have been told so.
    held: BTreeSet<String>,
    /// Signals that are written bit by bit or element by element and start at zero.
    zeroed: BTreeSet<String>,
    /// Subscripts that flops are assigned with under conditions.
    places: BTreeMap<String, BTreeSet<String>>,
    errors: Option<Error>,
}

/// `self.name[..][..].rest`.
struct Place<'e> {
    name: &'e Ident,
    /// Subscripts directly behind the name, then `.port`, then subscripts of that.
    subscripts: Vec<&'e Expr>,
    rest: Vec<Step<'e>>,
}

enum Step<'e> {
    Member(&'e Ident),
    Subscript,
}

fn place(e: &Expr) -> Option<Place<'_>> {
    match e {
        Expr::Field(f) => {
            let syn::Member::Named(member) = &f.member else {
                return None;
            };
            if matches!(&*f.base, Expr::Path(p) if p.path.is_ident("self")) {
                return Some(Place {
                    name: member,
                    subscripts: vec![],
                    rest: vec![],
                });
            }
            let mut inner = place(&f.base)?;
            inner.rest.push(Step::Member(member));
            Some(inner)
        }
        Expr::Index(i) => {
            let mut inner = place(&i.expr)?;
            if inner.rest.is_empty() {
                inner.subscripts.push(&i.index);
            } else {
                inner.rest.push(Step::Subscript);
            }
            Some(inner)
        }
        Expr::Paren(p) => place(&p.expr),
        _ => None,
    }
}

/// What stands before `.next`.
fn target(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Field(f) if matches!(&f.member, syn::Member::Named(n) if n == "next") => {
            Some(&f.base)
        }
        _ => None,
    }
}

impl Rewriter<'_> {
    fn is_reg(&self, p: &Place) -> bool {
        self.unit.field(p.name).is_some_and(|f| {
            matches!(f.kind, Kind::Reg(_)) && p.subscripts.len() == f.lengths.len()
        }) && p.rest.is_empty()
    }

    /// Finds flops that only conditions assign, and signals that are written in parts.
    fn survey(&mut self, body: &syn::Block) -> Result<()> {
        struct Survey<'a, 'b> {
            rewriter: &'a Rewriter<'b>,
            depth: usize,
            always: BTreeSet<String>,
            sometimes: BTreeSet<String>,
            whole: BTreeSet<String>,
            /// Signals whose first assignment is to a part, in loops that all choose which.
            starts: BTreeSet<String>,
            parts: BTreeMap<String, Vec<(String, Span, bool)>>,
            loops: Vec<String>,
            places: BTreeMap<String, BTreeSet<String>>,
        }
        impl<'ast> Visit<'ast> for Survey<'_, '_> {
            fn visit_expr_if(&mut self, e: &'ast syn::ExprIf) {
                self.depth += 1;
                syn::visit::visit_expr_if(self, e);
                self.depth -= 1;
            }
            fn visit_expr_match(&mut self, e: &'ast syn::ExprMatch) {
                self.depth += 1;
                syn::visit::visit_expr_match(self, e);
                self.depth -= 1;
            }
            fn visit_expr_for_loop(&mut self, e: &'ast syn::ExprForLoop) {
                self.loops.push(text(&e.pat));
                syn::visit::visit_expr_for_loop(self, e);
                self.loops.pop();
            }
            fn visit_expr_assign(&mut self, e: &'ast syn::ExprAssign) {
                let Some(target) = target(&e.left) else {
                    return;
                };
                let Some(p) = place(target) else { return };
                let name = p.name.to_string();
                let explicit = matches!(&p.rest[..], [Step::Member(d)] if *d == "d");
                if self.rewriter.is_reg(&p) || explicit {
                    if self.depth == 0 {
                        self.always.insert(name);
                    } else {
                        self.places.entry(name.clone()).or_default().insert(
                            p.subscripts
                                .iter()
                                .map(|s| text(s))
                                .collect::<Vec<_>>()
                                .join(","),
                        );
                        self.sometimes.insert(name);
                    }
                } else if let Some(f) = self.rewriter.unit.field(p.name) {
                    if matches!(f.kind, Kind::Signal(..)) && p.rest.is_empty() {
                        if p.subscripts.len() == f.lengths.len() {
                            self.whole.insert(name);
                        } else if p.subscripts.len() == f.lengths.len() + 1 {
                            let at = text(p.subscripts.last().expect("one more"));
                            let used: Vec<String> = p.subscripts.iter().map(|s| text(s)).collect();
                            let once = self.loops.iter().all(|l| used.contains(l));
                            if once
                                && !self.whole.contains(&name)
                                && !self.parts.contains_key(&name)
                            {
                                self.starts.insert(name.clone());
                            }
                            self.parts
                                .entry(name)
                                .or_default()
                                .push((at, e.span(), once));
                        }
                    }
                }
            }
        }
        let mut survey = Survey {
            rewriter: self,
            depth: 0,
            always: BTreeSet::new(),
            sometimes: BTreeSet::new(),
            whole: BTreeSet::new(),
            starts: BTreeSet::new(),
            parts: BTreeMap::new(),
            loops: vec![],
            places: BTreeMap::new(),
        };
        survey.visit_block(body);
        let Survey {
            always,
            sometimes,
            whole,
            parts,
            places,
            starts,
            ..
        } = survey;
        self.hold = sometimes.difference(&always).cloned().collect();
        self.places = places;
        for (name, writes) in parts {
            let field = self.unit.fields.iter().find(|f| f.name == name);
            let packed = field.is_some_and(|f| matches!(&f.kind, Kind::Signal(_, Value::Packed(e, _)) if !matches!(**e, Value::Bit)));
            let literals = writes.iter().all(|(at, ..)| at.parse::<usize>().is_ok());
            let distinct: BTreeSet<&String> = writes.iter().map(|(at, ..)| at).collect();
            let repeated = writes.iter().find(|(at, _, once)| {
                !once
                    || !(at.parse::<usize>().is_ok()
                        || at.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
            });
            if let (true, Some((_, span, _))) = (packed, repeated) {
                let what = format!("each element of `{name}` is assigned once: subscripts are the variables of all loops around");
                return Err(Error::new(*span, what));
            }
            if packed && writes.len() > 1 && !(literals && distinct.len() == writes.len()) {
                let what = format!("an element of `{name}` is assigned at one place, so that none is assigned twice");
                return Err(Error::new(writes[1].1, what));
            }
            if packed && whole.contains(&name) {
                let what = format!(
                    "`{name}` is assigned whole elsewhere; elements start at 0 by themselves"
                );
                return Err(Error::new(writes[0].1, what));
            }
            if starts.contains(&name) {
                self.zeroed.insert(name);
            }
        }
        Ok(())
    }

    /// Clock and reset of flops and blocks, unless `update()` assigns them itself.
    fn wiring(&mut self, body: &syn::Block) -> Vec<Stmt> {
        let written = text(body);
        let mut out = vec![];
        let has_reset = self.unit.fields.iter().any(|f| f.name == "reset");
        for f in &self.unit.fields {
            let (clock, reset) = match &f.kind {
                Kind::Reg(_) => (true, true),
                Kind::Ram(..) => (true, false),
                Kind::Block(path, _) => {
                    let clocked = self.unit.is_clocked(path);
                    (clocked, clocked)
                }
                _ => continue,
            };
            let name = &f.name;
            let span = name.span();
            let variables: Vec<Ident> = (0..f.lengths.len())
                .map(|i| format_ident!("at_{}", i))
                .collect();
            let subscripts = quote!(#([#variables])*);
            let mut inside: Vec<Stmt> = vec![];
            for (port, wanted) in [("clock", clock), ("reset", reset && has_reset)] {
                let assigned = regex_like(&written, &name.to_string(), port);
                if wanted && !assigned {
                    let port = Ident::new(port, span);
                    inside.push(parse_quote_spanned!(span=> self.#name #subscripts.#port.next = self.#port.val();));
                }
            }
            if inside.is_empty() {
                continue;
            }
            let mut statements = quote!(#(#inside)*);
            for (variable, length) in variables.iter().zip(&f.lengths).rev() {
                statements = quote_spanned!(span=> for #variable in 0..(#length) { #statements });
            }
            let block: syn::Block = parse_quote!({ #statements });
            out.extend(block.stmts);
        }
        // Lengths may be formulas; they are loop bounds here and need no constants.
        out
    }

    fn block(&mut self, block: &syn::Block, conditional: bool) -> Result<syn::Block> {
        let mut stmts = vec![];
        for statement in &block.stmts {
            self.statement(statement, conditional, &mut stmts)?;
        }
        Ok(syn::Block {
            brace_token: block.brace_token,
            stmts,
        })
    }

    fn statement(
        &mut self,
        statement: &Stmt,
        conditional: bool,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        match statement {
            Stmt::Expr(Expr::Assign(a), semi) if matches!(&*a.right, Expr::Struct(_)) => {
                self.connect(a, semi, out)?;
            }
            Stmt::Expr(e, semi) => {
                if !conditional {
                    self.before(e, out)?;
                }
                match self.statement_expr(e, conditional)? {
                    // One statement that became two.
                    Expr::Block(two) => out.extend(two.block.stmts),
                    e => out.push(Stmt::Expr(e, *semi)),
                }
            }
            Stmt::Macro(m) => out.push(Stmt::Macro(m.clone())),
            Stmt::Local(local) => self.local(local, out)?,
            Stmt::Item(i) => return Err(Error::new(i.span(), "no items in update()")),
        }
        Ok(())
    }

    /// `self.block.next = Block { port: value, own_port_of_this_name };`
    fn connect(
        &mut self,
        a: &syn::ExprAssign,
        semi: &Option<syn::Token![;]>,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let Expr::Struct(inputs) = &*a.right else {
            unreachable!("checked")
        };
        if target(&a.left).is_some_and(|t| text(t) == "self") {
            return self.connect_outputs(inputs, semi, out);
        }
        let block = target(&a.left).and_then(|b| Some((b, place(b)?)));
        let Some((base, p)) = block.filter(|(_, p)| {
            p.rest.is_empty()
                && self
                    .unit
                    .field(p.name)
                    .is_some_and(|f| matches!(f.kind, Kind::Block(..)))
        }) else {
            return Err(Error::new(
                a.left.span(),
                "inputs are those of a block inside",
            ));
        };
        let Some(Kind::Block(path, _)) = self.unit.field(p.name).map(|f| f.kind.clone()) else {
            unreachable!("checked")
        };
        if crate::model::last(&path) != crate::model::last(&inputs.path) {
            return Err(Error::new(
                inputs.path.span(),
                format!("`{}` is a {}", p.name, text(&path)),
            ));
        }
        let mut indexed = base.clone();
        self.subscripts_only(&mut indexed)?;
        for input in &inputs.fields {
            let syn::Member::Named(port) = &input.member else {
                return Err(Error::new(input.span(), "a port's name"));
            };
            let value = match (input.colon_token, ident_of(&input.expr)) {
                // A name alone: a wire, or the unit's own port.
                (None, Some(name)) if !self.locals.contains_key(&name.to_string()) => {
                    let span = name.span();
                    self.assigned(&parse_quote_spanned!(span=> self.#name))?
                }
                _ => self.assigned(&input.expr)?,
            };
            let span = port.span();
            let assign: Expr = parse_quote_spanned!(span=> #indexed.#port.next = #value);
            out.push(Stmt::Expr(assign, *semi));
        }
        let (Some(from), Some(signature)) = (rest(inputs)?, self.unit.signature(&path)) else {
            return Ok(());
        };
        let span = inputs.path.span();
        let listed = |p: &Ident| {
            inputs
                .fields
                .iter()
                .any(|f| text(&f.member) == p.to_string())
        };
        for port in &signature.ports {
            let name = Ident::new(&port.name.to_string(), span);
            if port.direction != "In" || name == "reset" || listed(&name) {
                continue;
            }
            let own = self.unit.field(&name).is_some_and(|f| {
                matches!(&f.kind, Kind::Signal(d, _) if d != "Out") && f.lengths.is_empty()
            });
            let value: Expr = if from.is_none() && (own || self.locals.contains_key(&text(&name))) {
                parse_quote_spanned!(span=> self.#name.val())
            } else {
                match &self.outputs_called(&name, p.name, from)[..] {
                    [part] => parse_quote_spanned!(span=> self.#part.#name.val()),
                    [] if from.is_some() => continue,
                    found => return Err(not_one(found, &name, span)),
                }
            };
            let assign: Expr = parse_quote_spanned!(span=> #indexed.#name.next = #value);
            out.push(Stmt::Expr(assign, *semi));
        }
        Ok(())
    }

    /// `self.next = Self { port: value, ..self.part };`
    fn connect_outputs(
        &mut self,
        outputs: &syn::ExprStruct,
        semi: &Option<syn::Token![;]>,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let name = crate::model::last(&outputs.path);
        if name != "Self" && *name != self.unit.ident {
            let what = format!("outputs are those of `Self`, a {}", self.unit.ident);
            return Err(Error::new(outputs.path.span(), what));
        }
        let mut listed = BTreeSet::new();
        for output in &outputs.fields {
            let syn::Member::Named(port) = &output.member else {
                return Err(Error::new(output.span(), "a port's name"));
            };
            let value = self.assigned(&output.expr)?;
            let span = port.span();
            listed.insert(port.to_string());
            let assign: Expr = parse_quote_spanned!(span=> self.#port.next = #value);
            out.push(Stmt::Expr(assign, *semi));
        }
        let (Some(from), true) = (rest(outputs)?, self.unit.signatures.is_some()) else {
            return Ok(());
        };
        let span = outputs.path.span();
        for port in &self.unit.fields {
            let is_output = matches!(&port.kind, Kind::Signal(d, _) if d == "Out");
            if !is_output || !port.lengths.is_empty() || listed.contains(&port.name.to_string()) {
                continue;
            }
            let name = &port.name;
            match &self.outputs_called(name, name, from)[..] {
                [part] => {
                    out.push(parse_quote_spanned!(span=> self.#name.next = self.#part.#name.val();))
                }
                [] => {}
                found => return Err(not_one(found, name, span)),
            }
        }
        Ok(())
    }

    /// The parts, or only the one that is named, that have an output of this name.
    fn outputs_called(&self, name: &Ident, but: &Ident, from: Option<&Ident>) -> Vec<Ident> {
        let parts = self.unit.parts_with(name, Some(but)).into_iter();
        parts
            .filter(|(part, port)| port.direction == "Out" && from.is_none_or(|f| f == *part))
            .map(|(part, _)| part.clone())
            .collect()
    }

    /// `let w: Bits<W> = e;`
    fn local(&mut self, local: &syn::Local, out: &mut Vec<Stmt>) -> Result<()> {
        let what = "a wire has a name and a type: `let sum: Bits<W> = ..`";
        let syn::Pat::Type(typed) = &local.pat else {
            return Err(Error::new(local.pat.span(), what));
        };
        let syn::Pat::Ident(name) = &*typed.pat else {
            return Err(Error::new(typed.pat.span(), what));
        };
        let ty = &typed.ty;
        let field: syn::ItemStruct = parse_quote!(struct X { x: Local<#ty> });
        let span = ty.span();
        let parsed =
            crate::model::Unit::new(Default::default(), field, self.unit.update.clone(), None)
                .map_err(|_| Error::new(span, "Bit or Bits<N>"))?;
        let Kind::Signal(_, value) = parsed.fields[0].kind.clone() else {
            return Err(Error::new(span, "Bit or Bits<N>"));
        };
        let ident = name.ident.clone();
        if self.unit.field(&ident).is_some() || self.unit.is_parameter(&ident) {
            return Err(Error::new(
                ident.span(),
                "a field or parameter has this name",
            ));
        }
        let width = text(&self.unit.bits(&value));
        match self.locals.get(&ident.to_string()) {
            Some(before) if text(&self.unit.bits(before)) != width => {
                return Err(Error::new(
                    ident.span(),
                    "a wire of this name has another width",
                ));
            }
            Some(_) => {}
            None => {
                self.order.push(ident.clone());
                self.locals.insert(ident.to_string(), value);
            }
        }
        if let Some(init) = &local.init {
            let value = self.assigned(&init.expr)?;
            let span = ident.span();
            out.push(parse_quote_spanned!(span=> self.#ident.next = #value;));
        }
        Ok(())
    }

    /// What has to stand before a statement: flops hold, parts start at zero.
    fn before(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Result<()> {
        self.zero(e, out);
        if matches!(e, Expr::If(_) | Expr::Match(_)) {
            let mut found = vec![];
            collect_assigned(e, &mut vec![], &mut found);
            for (target, loops) in found {
                let Some(p) = place(&target) else { continue };
                let name = p.name.to_string();
                if !self.hold.contains(&name) || !(self.is_reg(&p) || is_d(&p)) {
                    continue;
                }
                if self.places.get(&name).is_some_and(|p| p.len() > 1) {
                    let what = format!("`{name}` is assigned under conditions with several subscripts: say first what it is otherwise");
                    return Err(Error::new(target.span(), what));
                }
                let base = without_d(&target);
                if !self.held.insert(text(&base)) {
                    continue;
                }
                let span = base.span();
                let mut indexed = base.clone();
                self.subscripts_only(&mut indexed)?;
                let mut tokens: TokenStream =
                    quote_spanned!(span=> #indexed.d.next = #indexed.q.val(););
                for l in loops.iter().rev() {
                    let (pat, range) = (&l.pat, &l.expr);
                    tokens = quote_spanned!(span=> for #pat in #range { #tokens });
                }
                let block: syn::Block = parse_quote!({ #tokens });
                out.extend(block.stmts);
            }
        }
        Ok(())
    }

    /// Zeroes what a statement writes in parts, the first time.
    fn zero(&mut self, e: &Expr, out: &mut Vec<Stmt>) {
        let mut found = vec![];
        collect_assigned(e, &mut vec![], &mut found);
        for (target, _) in found {
            let Some(p) = place(&target) else { continue };
            let name = p.name.to_string();
            let Some(field) = self.unit.field(p.name) else {
                continue;
            };
            let depth = field.lengths.len();
            if !p.rest.is_empty() || p.subscripts.len() != depth + 1 || !self.zeroed.contains(&name)
            {
                continue;
            }
            // In the loops that choose the array's element, and in no others.
            let chosen: BTreeSet<String> = p.subscripts[..depth].iter().map(|s| text(s)).collect();
            let around: BTreeSet<String> = self.loops.iter().cloned().collect();
            if chosen != around {
                continue;
            }
            self.zeroed.remove(&name);
            let span = p.name.span();
            let Expr::Index(whole) = peel(&target) else {
                continue;
            };
            let whole = &whole.expr;
            out.push(parse_quote_spanned!(span=> #whole.next = 0.into();));
        }
    }

    fn statement_expr(&mut self, e: &Expr, conditional: bool) -> Result<Expr> {
        Ok(match e {
            Expr::Assign(a) => self.assignment(a)?,
            Expr::If(i) => {
                let mut out = i.clone();
                out.cond = Box::new(self.value(&i.cond)?);
                out.then_branch = self.block(&i.then_branch, true)?;
                if let Some((token, otherwise)) = &i.else_branch {
                    out.else_branch = Some((
                        *token,
                        Box::new(match &**otherwise {
                            Expr::Block(b) => {
                                let mut b = b.clone();
                                b.block = self.block(&b.block, true)?;
                                Expr::Block(b)
                            }
                            other => self.statement_expr(other, true)?,
                        }),
                    ));
                }
                Expr::If(out)
            }
            Expr::Match(m) => {
                let mut out = m.clone();
                out.expr = Box::new(self.value(&m.expr)?);
                for arm in &mut out.arms {
                    if let Some((token, _)) = &arm.guard {
                        return Err(Error::new(
                            token.span,
                            "a guard does not become hardware; put an `if` inside",
                        ));
                    }
                    arm.body = Box::new(match &*arm.body {
                        Expr::Block(b) => {
                            let mut b = b.clone();
                            b.block = self.block(&b.block, true)?;
                            Expr::Block(b)
                        }
                        other => self.statement_expr(other, true)?,
                    });
                }
                Expr::Match(out)
            }
            Expr::ForLoop(l) => {
                let mut out = l.clone();
                let name = match &*l.pat {
                    syn::Pat::Ident(p) => p.ident.to_string(),
                    other => return Err(Error::new(other.span(), "a loop variable")),
                };
                if let Expr::Range(r) = &*l.expr {
                    if let syn::RangeLimits::Closed(c) = &r.limits {
                        return Err(Error::new(
                            c.spans[0],
                            "`0..N`: the range without its end is what becomes hardware",
                        ));
                    }
                }
                self.loops.push(name);
                out.body = self.block(&l.body, conditional)?;
                self.loops.pop();
                Expr::ForLoop(out)
            }
            other => other.clone(),
        })
    }

    fn assignment(&mut self, a: &syn::ExprAssign) -> Result<Expr> {
        let value = self.assigned(&a.right)?;
        // A wire.
        if let Some(name) = ident_of(&a.left).filter(|n| self.locals.contains_key(&n.to_string())) {
            let span = name.span();
            return Ok(parse_quote_spanned!(span=> self.#name.next = #value));
        }
        let Some(base) = target(&a.left) else {
            return Err(Error::new(at(&a.left), "assign to `.next`"));
        };
        let Some(p) = place(base) else {
            return Err(Error::new(base.span(), "assign to a field of self"));
        };
        let span = base.span();
        let Some(field) = self.unit.field(p.name) else {
            return Ok(Expr::Assign(a.clone()));
        };
        let extra = p.subscripts.len() as i64 - field.lengths.len() as i64;
        let kind = field.kind.clone();
        let mut indexed = base.clone();
        match (&kind, extra, p.rest.is_empty()) {
            (Kind::Reg(_), 0, true) => {
                self.subscripts_only(&mut indexed)?;
                let d = Ident::new("d", span);
                Ok(parse_quote_spanned!(span=> #indexed.#d.next = #value))
            }
            (Kind::Signal(_, kind), 1, true) => {
                let Expr::Index(i) = peel(base) else {
                    unreachable!("one subscript more")
                };
                let (mut whole, mut at) = ((*i.expr).clone(), (*i.index).clone());
                self.subscripts_only(&mut whole)?;
                at = self.index(&at)?;
                Ok(match kind {
                    Value::Packed(element, _) if !matches!(**element, Value::Bit) => {
                        let width = self.unit.bits(element);
                        let total = self.unit.bits(kind);
                        let (w, total) = (self.unit.width(&width), self.unit.width(&total));
                        let step = self.index(&width)?;
                        let _ = w;
                        // rust-hdl evaluates a cast's argument where there are no loop variables.
                        let scratch = format_ident!("{}_element", p.name);
                        if !self.locals.contains_key(&scratch.to_string()) {
                            self.order.push(scratch.clone());
                            self.locals.insert(scratch.to_string(), (**element).clone());
                        }
                        parse_quote_spanned!(span=> {
                            self.#scratch.next = #value;
                            #whole.next = #whole.val() | (bit_cast_to::<#total>(self.#scratch.val()) << (#at * #step).to_bits::<16>());
                        })
                    }
                    _ => {
                        parse_quote_spanned!(span=> #whole.next = #whole.val().replace_bit(#at, #value))
                    }
                })
            }
            _ => {
                self.subscripts_only(&mut indexed)?;
                let mut left = a.left.clone();
                if let Expr::Field(f) = &mut *left {
                    f.base = Box::new(indexed);
                }
                Ok(parse_quote_spanned!(span=> #left = #value))
            }
        }
    }

    /// The right side of an assignment.
    fn assigned(&mut self, e: &Expr) -> Result<Expr> {
        if let Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(_),
            ..
        }) = e
        {
            let span = e.span();
            return Ok(parse_quote_spanned!(span=> #e.into()));
        }
        self.value(e)
    }

    /// Rewrites the subscripts of a place, and nothing else of it.
    fn subscripts_only(&mut self, e: &mut Expr) -> Result<()> {
        match e {
            Expr::Field(f) => self.subscripts_only(&mut f.base),
            Expr::Paren(p) => self.subscripts_only(&mut p.expr),
            Expr::Index(i) => {
                i.index = Box::new(self.index(&i.index)?);
                self.subscripts_only(&mut i.expr)
            }
            _ => Ok(()),
        }
    }

    /// A position: loop variables, numbers, parameters, constants.
    fn index(&mut self, e: &Expr) -> Result<Expr> {
        let rewritten = self.value(e)?;
        // A Constant's value as an index.
        Ok(if place(peel(e)).is_some() || is_string(e) {
            let span = e.span();
            parse_quote_spanned!(span=> #rewritten.index())
        } else {
            rewritten
        })
    }

    fn value(&mut self, e: &Expr) -> Result<Expr> {
        if let Some(p) = place(e) {
            return self.read(e, &p);
        }
        let span = e.span();
        Ok(match e {
            Expr::Path(p) => {
                if let Some(name) = p.path.get_ident() {
                    if self.loops.iter().any(|l| name == l) {
                        return Ok(e.clone());
                    }
                    if self.locals.contains_key(&name.to_string()) {
                        return Ok(parse_quote_spanned!(span=> self.#name.val()));
                    }
                    if self.unit.is_parameter(name) {
                        self.constants.insert(name.clone());
                    }
                }
                e.clone()
            }
            Expr::Paren(p) => {
                let inner = self.value(&p.expr)?;
                parse_quote_spanned!(span=> (#inner))
            }
            Expr::Group(g) => self.value(&g.expr)?,
            Expr::Binary(b) => {
                let mut out = b.clone();
                out.left = Box::new(self.value(&b.left)?);
                out.right = Box::new(self.value(&b.right)?);
                Expr::Binary(out)
            }
            Expr::Unary(u) => {
                let mut out = u.clone();
                out.expr = Box::new(self.value(&u.expr)?);
                Expr::Unary(out)
            }
            Expr::Call(c) => {
                let mut out = c.clone();
                for argument in &mut out.args {
                    *argument = self.value(argument)?;
                }
                if let Expr::Path(p) = &mut *out.func {
                    self.turbofish_of_path(&mut p.path);
                }
                Expr::Call(out)
            }
            Expr::MethodCall(m) => self.method(m)?,
            Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) => {
                let name = self.string(text);
                parse_quote_spanned!(span=> self.#name.val())
            }
            Expr::Index(i) => return Err(Error::new(i.span(), "subscripts are of fields")),
            _ => e.clone(),
        })
    }

    /// The constant that stands for a string.
    fn string(&mut self, literal: &syn::LitStr) -> Ident {
        let at = literal.value();
        let plain = at.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let name = format_ident!("at_{}", plain, span = literal.span());
        self.strings.insert(at, (name.clone(), literal.clone()));
        name
    }

    fn method(&mut self, m: &syn::ExprMethodCall) -> Result<Expr> {
        let mut out = m.clone();
        if m.method == "val" && place(&m.receiver).is_some() {
            let mut receiver = (*m.receiver).clone();
            self.subscripts_only(&mut receiver)?;
            out.receiver = Box::new(receiver);
            return Ok(Expr::MethodCall(out));
        }
        out.receiver = Box::new(self.value(&m.receiver)?);
        if let Some(turbofish) = &mut out.turbofish {
            self.turbofish(turbofish);
        }
        let is_position = |i: usize| {
            i == 0
                && ["get_bit", "get_bits", "replace_bit"]
                    .iter()
                    .any(|n| m.method == n)
        };
        for (i, argument) in out.args.iter_mut().enumerate() {
            *argument = if is_position(i)
                && (is_string(argument)
                    || place(peel(argument)).is_some_and(|p| self.is_constant(&p)))
            {
                self.index(argument)?
            } else {
                self.value(argument)?
            };
        }
        if m.method == "cast" {
            let span = m.method.span();
            let (receiver, turbofish) = (peel(&out.receiver), &out.turbofish);
            return Ok(parse_quote_spanned!(span=> bit_cast_to #turbofish(#receiver)));
        }
        Ok(Expr::MethodCall(out))
    }

    fn is_constant(&self, p: &Place) -> bool {
        self.unit
            .field(p.name)
            .is_some_and(|f| matches!(f.kind, Kind::Constant(_)))
    }

    fn turbofish_of_path(&mut self, path: &mut syn::Path) {
        for segment in &mut path.segments {
            if let syn::PathArguments::AngleBracketed(a) = &mut segment.arguments {
                self.turbofish(a);
            }
        }
    }

    /// `{ CNT_W + 1 }` as the parameter of that value.
    fn turbofish(&mut self, a: &mut syn::AngleBracketedGenericArguments) {
        for argument in &mut a.args {
            if let syn::GenericArgument::Const(Expr::Block(b)) = argument {
                if let [Stmt::Expr(e, None)] = &b.block.stmts[..] {
                    let width = self.unit.width(&e.clone());
                    *argument = parse_quote!(#width);
                }
            }
        }
    }

    /// A place where a value is needed.
    fn read(&mut self, e: &Expr, p: &Place) -> Result<Expr> {
        let span = at(e);
        // rustc says it better.
        let Some(field) = self.unit.field(p.name) else {
            return Ok(e.clone());
        };
        let (kind, dims) = (field.kind.clone(), field.lengths.len());
        if p.subscripts.len() < dims {
            return Err(Error::new(
                span,
                format!("`{}` has {dims} subscripts", p.name),
            ));
        }
        let val = Ident::new("val", span);
        let mut indexed = e.clone();
        let value_of = |indexed: Expr| -> Expr {
            match (&kind, p.rest.is_empty()) {
                (Kind::Reg(_), true) => parse_quote_spanned!(span=> #indexed.q.#val()),
                _ => parse_quote_spanned!(span=> #indexed.#val()),
            }
        };
        match p.subscripts.len() - dims {
            0 if !matches!(p.rest.last(), Some(Step::Subscript)) => {
                self.subscripts_only(&mut indexed)?;
                Ok(value_of(indexed))
            }
            0 | 1 => {
                let Expr::Index(i) = peel(e) else {
                    return Err(Error::new(span, "what is behind a subscript?"));
                };
                let mut whole = (*i.expr).clone();
                self.subscripts_only(&mut whole)?;
                let at = self.index(&i.index)?;
                let whole = value_of(whole);
                let value = match &kind {
                    Kind::Signal(_, v) | Kind::Reg(v) | Kind::Constant(v) => Some(v),
                    _ => None,
                };
                Ok(match value {
                    Some(Value::Packed(element, _)) if !matches!(**element, Value::Bit) => {
                        let width = self.unit.bits(element);
                        let w = self.unit.width(&width);
                        let step = self.index(&width)?;
                        parse_quote_spanned!(span=> #whole.get_bits::<#w>(#at * #step))
                    }
                    Some(Value::Bit) => return Err(Error::new(span, "a Bit has no bits")),
                    None if !p.rest.is_empty() => parse_quote_spanned!(span=> #whole.get_bit(#at)),
                    _ => parse_quote_spanned!(span=> #whole.get_bit(#at)),
                })
            }
            _ => Err(Error::new(span, "one subscript too many")),
        }
    }
}

/// Of `..self` nothing, of `..self.part` the part; no `..` at all is none.
fn rest(ports: &syn::ExprStruct) -> Result<Option<Option<&Ident>>> {
    let Some(rest) = &ports.rest else {
        return Ok(None);
    };
    if text(rest) == "self" {
        return Ok(Some(None));
    }
    match place(rest) {
        Some(p) if p.subscripts.is_empty() && p.rest.is_empty() => Ok(Some(Some(p.name))),
        _ => Err(Error::new(rest.span(), "`..self` or `..self.part`")),
    }
}

fn not_one(found: &[Ident], port: &Ident, span: Span) -> Error {
    let names: Vec<String> = found
        .iter()
        .map(|part| format!("self.{part}.{port}"))
        .collect();
    let what = match &names[..] {
        [] => format!("nothing here is called `{port}`: say what is connected"),
        several => format!("`{port}` is one of {}: say which", several.join(", ")),
    };
    Error::new(span, what)
}

/// The span of an expression's last name; of a whole one only its first token's is known.
fn at(e: &Expr) -> Span {
    match e {
        Expr::Field(f) => f.member.span(),
        Expr::Index(i) => i.bracket_token.span.close(),
        Expr::Paren(p) => p.paren_token.span.close(),
        Expr::MethodCall(m) => m.paren_token.span.close(),
        e => e.span(),
    }
}

fn peel(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => peel(&p.expr),
        Expr::Group(g) => peel(&g.expr),
        e => e,
    }
}

fn is_string(e: &Expr) -> bool {
    matches!(e, Expr::Lit(l) if matches!(l.lit, syn::Lit::Str(_)))
}

fn is_d(p: &Place) -> bool {
    matches!(&p.rest[..], [Step::Member(d)] if *d == "d")
}

fn without_d(e: &Expr) -> Expr {
    match e {
        Expr::Field(f) if matches!(&f.member, syn::Member::Named(n) if n == "d") => {
            (*f.base).clone()
        }
        e => e.clone(),
    }
}

/// What stands before `.next` of each assignment, with the loops around it.
fn collect_assigned(
    e: &Expr,
    loops: &mut Vec<syn::ExprForLoop>,
    out: &mut Vec<(Expr, Vec<syn::ExprForLoop>)>,
) {
    let block = |b: &syn::Block, loops: &mut Vec<syn::ExprForLoop>, out: &mut Vec<_>| {
        for s in &b.stmts {
            if let Stmt::Expr(e, _) = s {
                collect_assigned(e, loops, out);
            }
        }
    };
    match e {
        Expr::Assign(a) => {
            if let Some(t) = target(&a.left) {
                out.push((t.clone(), loops.clone()));
            }
        }
        Expr::If(i) => {
            block(&i.then_branch, loops, out);
            if let Some((_, e)) = &i.else_branch {
                collect_assigned(e, loops, out);
            }
        }
        Expr::Block(b) => block(&b.block, loops, out),
        Expr::Match(m) => m
            .arms
            .iter()
            .for_each(|a| collect_assigned(&a.body, loops, out)),
        Expr::ForLoop(l) => {
            loops.push(l.clone());
            block(&l.body, loops, out);
            loops.pop();
        }
        _ => {}
    }
}

/// Whether `self.name[..].port.next =` stands in the text, or a `clock!` names it.
fn regex_like(text: &str, name: &str, port: &str) -> bool {
    let start = format!("self.{name}");
    let assigned = text.match_indices(&start).any(|(at, _)| {
        let mut rest = &text[at + start.len()..];
        while let Some(inner) = rest.strip_prefix('[') {
            match inner.find(']') {
                Some(close) => rest = &inner[close + 1..],
                None => return false,
            }
        }
        rest.strip_prefix('.')
            .is_some_and(|r| r.starts_with(&format!("{port}.next=")))
    });
    let macros = port == "clock"
        && text.match_indices("clock!(self,clock,").any(|(at, found)| {
            let rest = &text[at + found.len()..];
            rest[..rest.find(')').unwrap_or(0)]
                .split(',')
                .any(|n| n == name)
        });
    assigned || macros
}

#[allow(unused)]
fn unused(_: &dyn VisitMut, _: &dyn ToTokens) {}
