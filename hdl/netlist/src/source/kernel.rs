//! Checks the statements of an `update()`.

use super::finding::{Finding, Rule};
use super::scope::{position, Source};
use super::tokens::{has_attribute, last, mentions};
use proc_macro2::Span;
use std::collections::{HashMap, HashSet};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Stmt};

/// Findings of a file.
pub(super) struct Report<'a> {
    pub file: &'a str,
    pub findings: Vec<Finding>,
}

impl Report<'_> {
    pub fn add(&mut self, rule: Rule, span: Span, found: impl Into<String>) {
        let (line, column) = position(span);
        let (file, found) = (self.file.to_string(), found.into());
        self.findings.push(Finding {
            file,
            line,
            column,
            rule,
            found,
        });
    }
}

/// What the kernels of a file use; some rules ask only then.
#[derive(Default)]
pub(super) struct Used {
    pub methods: HashSet<String>,
    pub macros: HashSet<String>,
    /// `.into()` on something else than a literal.
    pub conversions: bool,
}

/// One `update()` below `#[hdl_gen]`.
pub(super) struct Kernel<'a, 'r> {
    pub source: &'a Source,
    pub scope: usize,
    pub report: &'a mut Report<'r>,
    pub used: &'a mut Used,
    /// Fields of Self and whether each is a `Constant`; `None` if its struct
    /// is not in this file.
    pub fields: Option<HashMap<String, bool>>,
    /// Const and type parameters of the impl.
    pub generics: HashSet<String>,
    /// Variables of the loops around.
    pub loops: Vec<String>,
}

/// The source text of a node on one line, shortened.
pub(super) fn text(node: &impl Spanned) -> String {
    let source = node.span().source_text().unwrap_or_default();
    let line = source.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("`{}...`", &line[..end]),
        None => format!("`{line}`"),
    }
}

impl Kernel<'_, '_> {
    pub fn block(&mut self, block: &syn::Block) {
        for statement in &block.stmts {
            match statement {
                Stmt::Expr(e, _) => self.statement(e),
                Stmt::Macro(m) => {
                    self.attributes(&m.attrs);
                    self.macro_call(&m.mac);
                }
                // The macro refuses both.
                Stmt::Local(_) | Stmt::Item(_) => {}
            }
        }
    }

    /// What the macro accepts as a statement; it refuses the rest itself.
    fn statement(&mut self, e: &Expr) {
        match e {
            Expr::Assign(e) => {
                self.target(&e.left);
                self.expr(&e.right);
            }
            Expr::If(e) => {
                self.attributes(&e.attrs);
                self.conditional(e);
            }
            Expr::Match(e) => {
                self.attributes(&e.attrs);
                self.expr(&e.expr);
                self.arms(&e.arms);
            }
            Expr::ForLoop(e) => {
                self.attributes(&e.attrs);
                self.for_loop(e);
            }
            Expr::MethodCall(e) => {
                self.attributes(&e.attrs);
                self.setter(e);
            }
            Expr::Call(e) => {
                self.attributes(&e.attrs);
                self.call(e);
            }
            Expr::Macro(e) => {
                self.attributes(&e.attrs);
                self.macro_call(&e.mac);
            }
            _ => {}
        }
    }

    fn attributes(&mut self, attributes: &[syn::Attribute]) {
        for attribute in attributes {
            let conditional = match &attribute.meta {
                syn::Meta::List(list) => {
                    list.path.is_ident("cfg")
                        || list.path.is_ident("cfg_attr") && mentions(&list.tokens, &["cfg"])
                }
                _ => false,
            };
            if conditional {
                self.report.add(
                    Rule::ConditionalCompilation,
                    attribute.span(),
                    text(attribute),
                );
            }
        }
    }

    fn conditional(&mut self, e: &syn::ExprIf) {
        self.expr(&e.cond);
        self.block(&e.then_branch);
        match e.else_branch.as_ref().map(|(_, e)| &**e) {
            Some(Expr::Block(b)) => self.block(&b.block),
            Some(Expr::If(e)) => self.conditional(e),
            _ => {}
        }
    }

    fn target(&mut self, target: &Expr) {
        // How many fields stand behind `.next`.
        let (mut behind, mut e) = (0, target);
        loop {
            match e {
                Expr::Field(f) if matches!(&f.member, syn::Member::Named(n) if n == "next") => {
                    break;
                }
                Expr::Field(f) => {
                    behind += 1;
                    e = &f.base;
                }
                Expr::Index(i) => e = &i.expr,
                _ => {
                    return self
                        .report
                        .add(Rule::PlainState, target.span(), text(target));
                }
            }
        }
        if behind > 1 {
            self.report
                .add(Rule::NestedField, target.span(), text(target));
        }
        self.path_text(target);
    }

    fn arms(&mut self, arms: &[syn::Arm]) {
        for (i, arm) in arms.iter().enumerate() {
            self.attributes(&arm.attrs);
            self.pattern(&arm.pat);
            if let Some((if_token, guard)) = &arm.guard {
                self.report.add(
                    Rule::MatchGuard,
                    if_token.span,
                    format!("if {}", text(guard)),
                );
            }
            if matches!(arm.pat, Pat::Wild(_)) && i + 1 < arms.len() {
                self.report.add(
                    Rule::WildcardNotLast,
                    arm.pat.span(),
                    "`_` before other arms",
                );
            }
            match &*arm.body {
                Expr::Block(b) => self.block(&b.block),
                e => self.statement(e),
            }
        }
    }

    fn pattern(&mut self, pattern: &Pat) {
        match pattern {
            Pat::Ident(p) if self.is_argument(&p.ident.to_string()) && p.subpat.is_none() => {}
            Pat::Ident(p) => self.report.add(Rule::MatchBinding, p.span(), text(p)),
            Pat::Path(p) => self.named_value(&p.path),
            // Literals and `_` are right, the rest the macro refuses.
            _ => {}
        }
    }

    fn for_loop(&mut self, e: &syn::ExprForLoop) {
        let name = match &*e.pat {
            Pat::Ident(p) => {
                if p.by_ref.is_some() || p.mutability.is_some() || p.subpat.is_some() {
                    self.report.add(Rule::LoopPattern, p.span(), text(p));
                }
                p.ident.to_string()
            }
            // The macro refuses it.
            _ => return,
        };
        if self.fields.as_ref().is_some_and(|f| f.contains_key(&name)) {
            let found = format!("`{name}` is a field, too");
            self.report.add(Rule::ShadowedField, e.pat.span(), found);
        }
        if let Expr::Range(range) = &*e.expr {
            if let syn::RangeLimits::Closed(limits) = &range.limits {
                self.report
                    .add(Rule::InclusiveRange, limits.span(), text(range));
            }
            for bound in [&range.start, &range.end].into_iter().flatten() {
                if !self.is_constant(bound) {
                    self.report.add(Rule::LoopBound, bound.span(), text(bound));
                }
            }
        }
        self.loops.push(name);
        self.block(&e.body);
        self.loops.pop();
    }

    /// Whether a loop bound has one value for good: it neither looks at
    /// `self` nor calls a function of this file that is not `const`.
    fn is_constant(&self, bound: &Expr) -> bool {
        struct Search<'a>(&'a Source, usize, bool);
        impl<'ast> Visit<'ast> for Search<'_> {
            fn visit_path(&mut self, path: &'ast syn::Path) {
                self.2 |= path.is_ident("self");
                visit::visit_path(self, path);
            }
            fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
                if let Expr::Path(p) = &*call.func {
                    let mut declared = self.0.around(self.1).flat_map(|s| &s.functions);
                    self.2 |= last(&p.path).is_some_and(|name| {
                        declared.any(|f| f.sig.ident == *name && f.sig.constness.is_none())
                    });
                }
                visit::visit_expr_call(self, call);
            }
        }
        let mut search = Search(self.source, self.scope, false);
        search.visit_expr(bound);
        !search.2
    }

    fn setter(&mut self, e: &syn::ExprMethodCall) {
        if accessed_field(&e.method.to_string(), "set_value_") {
            self.report.add(
                Rule::ValueAccessor,
                e.method.span(),
                format!("`{}`", e.method),
            );
        }
        self.path_text(&e.receiver);
        if let Some(value) = e.args.first() {
            self.expr(value);
        }
    }

    fn macro_call(&mut self, mac: &syn::Macro) {
        let Some(name) = mac.path.get_ident().map(|i| i.to_string()) else {
            return;
        };
        let arguments = mac.parse_body_with(Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        self.used.macros.insert(name.clone());
        match (name.as_str(), arguments) {
            ("println" | "assert" | "comment", Ok(arguments)) => {
                let mut effects = Effects {
                    source: self.source,
                    found: vec![],
                };
                arguments.iter().for_each(|e| effects.visit_expr(e));
                for (span, found) in effects.found {
                    self.report
                        .add(Rule::MacroEffect, span, format!("{found} in `{name}!`"));
                }
            }
            ("dff_setup" | "clock", Ok(arguments)) => {
                let this = arguments.first();
                if !matches!(this, Some(Expr::Path(p)) if p.path.is_ident("self")) {
                    let found = format!("`{name}!` on {}", this.map_or_else(String::new, text));
                    self.report
                        .add(Rule::MacroLookalike, mac.path.span(), found);
                }
            }
            _ => {}
        }
    }

    /// Whether a name stands for an argument of the macro around.
    pub fn is_argument(&self, name: &str) -> bool {
        self.source
            .around(self.scope)
            .any(|s| s.arguments.contains(name))
    }
}

/// Whether rust-hdl's pattern `(set|get)_value_([a-zA-Z][a-zA-Z0-9_]*)`
/// matches anywhere in a method's name.
pub(super) fn accessed_field(method: &str, accessor: &str) -> bool {
    method
        .match_indices(accessor)
        .any(|(at, _)| method[at + accessor.len()..].starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Finds what a macro that only leaves a comment would do in `update()`.
struct Effects<'a> {
    source: &'a Source,
    found: Vec<(Span, String)>,
}

impl Effects<'_> {
    fn changes_self(&self, method: &syn::Ident) -> bool {
        let scopes = self.source.scopes.iter().flat_map(|s| &s.impls);
        scopes.flat_map(|i| &i.items).any(|item| match item {
            syn::ImplItem::Fn(f) => {
                f.sig.ident == *method
                    && !has_attribute(&f.attrs, "hdl_gen")
                    && f.sig
                        .receiver()
                        .is_some_and(|r| r.reference.is_some() && r.mutability.is_some())
            }
            _ => false,
        })
    }
}

impl<'ast> Visit<'ast> for Effects<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        use syn::BinOp as Op;
        let effect = match e {
            Expr::Assign(_) => Some("an assignment"),
            Expr::Binary(b) => matches!(
                b.op,
                Op::AddAssign(_)
                    | Op::SubAssign(_)
                    | Op::MulAssign(_)
                    | Op::DivAssign(_)
                    | Op::RemAssign(_)
                    | Op::BitXorAssign(_)
                    | Op::BitAndAssign(_)
                    | Op::BitOrAssign(_)
                    | Op::ShlAssign(_)
                    | Op::ShrAssign(_)
            )
            .then_some("an assignment"),
            Expr::Reference(r) if r.mutability.is_some() => Some("a mutable borrow"),
            Expr::Return(_) | Expr::Try(_) | Expr::Break(_) | Expr::Continue(_) => Some("a jump"),
            Expr::MethodCall(m) if self.changes_self(&m.method) => Some("a call that changes self"),
            _ => None,
        };
        if let Some(effect) = effect {
            self.found
                .push((e.span(), format!("{effect}, {},", text(e))));
        }
        visit::visit_expr(self, e);
    }
}
