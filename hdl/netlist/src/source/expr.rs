//! Checks the expressions of an `update()`.

use super::finding::Rule;
use super::kernel::{accessed_field, text, Kernel};
use super::tokens::last;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, UnOp};

impl Kernel<'_, '_> {
    /// What the macro accepts as a value; it refuses the rest itself.
    pub fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Path(p) => self.named_value(&p.path),
            Expr::Field(_) | Expr::Index(_) => self.path_text(e),
            Expr::Paren(p) => self.expr(&p.expr),
            Expr::Unary(u) => {
                if matches!(u.op, UnOp::Not(_)) && self.is_index(&u.expr) {
                    self.report.add(Rule::IndexArithmetic, u.span(), text(u));
                }
                self.expr(&u.expr);
            }
            Expr::Binary(b) => self.binary(b),
            Expr::Call(c) => self.call(c),
            Expr::MethodCall(m) => self.method(m),
            Expr::Lit(l) => self.literal(&l.lit),
            _ => {}
        }
    }

    fn literal(&mut self, literal: &Lit) {
        let Lit::Int(int) = literal else { return };
        let large = int.base10_parse::<i32>().is_err();
        if int.suffix().is_empty() && large {
            self.report
                .add(Rule::OverflowingLiteral, int.span(), format!("`{int}`"));
        }
    }

    fn binary(&mut self, b: &syn::ExprBinary) {
        let widening = matches!(
            b.op,
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Shl(_)
        );
        let shifts = matches!(b.op, BinOp::Shl(_));
        if widening && (self.is_index(&b.left) || !shifts && self.is_index(&b.right)) {
            self.report.add(Rule::IndexArithmetic, b.span(), text(b));
        }
        if self.is_integer(&b.left) && self.is_integer(&b.right) {
            if let Some(sum) = [&b.left, &b.right].into_iter().find(|e| wraps(e)) {
                self.report.add(Rule::LostWidth, sum.span(), text(b));
            }
        }
        self.expr(&b.left);
        self.expr(&b.right);
    }

    /// `.index()` of anything but a `Constant`, whose value is known.
    fn is_index(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_index(&p.expr),
            Expr::MethodCall(m) if m.method == "index" => !self.is_constant_field(&m.receiver),
            _ => false,
        }
    }

    fn is_constant_field(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_constant_field(&p.expr),
            Expr::MethodCall(m) if m.method == "val" => self.is_constant_field(&m.receiver),
            Expr::Index(i) => self.is_constant_field(&i.expr),
            Expr::Field(f) => match (&f.member, &*f.base, &self.fields) {
                (syn::Member::Named(name), Expr::Path(p), Some(fields)) => {
                    p.path.is_ident("self") && fields.get(&name.to_string()) == Some(&true)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Made of literals and loop variables only: without a width in the AST.
    fn is_integer(&self, e: &Expr) -> bool {
        match e {
            Expr::Lit(_) => true,
            Expr::Path(p) => p
                .path
                .get_ident()
                .is_some_and(|i| self.loops.iter().any(|l| i == l)),
            Expr::Paren(p) => self.is_integer(&p.expr),
            Expr::MethodCall(m) => self.is_integer(&m.receiver),
            Expr::Binary(b) => self.is_integer(&b.left) && self.is_integer(&b.right),
            _ => false,
        }
    }

    /// A path where a value is wanted.
    pub fn named_value(&mut self, path: &syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let Some(first) = names.first() else { return };
        if names.iter().any(|n| self.is_argument(n)) {
            return;
        }
        let found = match names.as_slice() {
            [name] if self.loops.contains(name) => return,
            // A Constant of the parameter's name, as `#[unit]` makes them.
            [name]
                if self
                    .fields
                    .as_ref()
                    .is_some_and(|f| f.get(name) == Some(&true)) =>
            {
                return
            }
            [name] if self.generics.contains(name) => format!("const generic `{name}` as a value"),
            [name] if self.declares_constant(name) => format!("constant `{name}` as a value"),
            [name] => format!("`{name}` as a value"),
            [prefix, name] => {
                let type_like = prefix.starts_with(|c: char| c.is_uppercase()) && prefix != "Self";
                if !type_like || self.generics.contains(prefix) {
                    format!("constant `{prefix}::{name}` as a value")
                } else if self.is_renamed(prefix) {
                    format!("`{prefix}` is another name of its enum")
                } else {
                    return;
                }
            }
            _ => format!(
                "`{}`, a value that is not named by its enum alone",
                names.join("::")
            ),
        };
        // `self` alone is no value that the macro accepts.
        if first != "self" {
            self.report.add(Rule::UnknownName, path.span(), found);
        }
    }

    fn declares_constant(&self, name: &str) -> bool {
        self.source
            .around(self.scope)
            .any(|s| s.constants.contains(name))
    }

    fn is_renamed(&self, name: &str) -> bool {
        self.source.enumeration(name).is_none()
            && self
                .source
                .around(self.scope)
                .any(|s| s.renamed.contains(name) || s.aliases.iter().any(|a| a.ident == name))
    }

    /// Fields and subscripts: the macro keeps their text, without `self.`.
    pub fn path_text(&mut self, e: &Expr) {
        match e {
            Expr::Field(f) => {
                self.field(f);
                self.path_text(&f.base);
            }
            Expr::Index(i) => {
                self.subscript(&i.index);
                self.path_text(&i.expr);
            }
            // `.val().field` of a struct.
            Expr::MethodCall(m) => self.method(m),
            Expr::Paren(p) => self.path_text(&p.expr),
            _ => {}
        }
    }

    fn field(&mut self, f: &syn::ExprField) {
        let syn::Member::Named(name) = &f.member else {
            return;
        };
        match &*f.base {
            Expr::Path(p) if p.path.is_ident("self") && name.to_string().starts_with('_') => {
                let found = format!("`self.{name}`, which rust-hdl does not walk");
                self.report.add(Rule::UnknownName, f.span(), found);
            }
            Expr::Field(inner) => {
                self.self_suffix(&inner.member);
                if matches!(&*inner.base, Expr::MethodCall(m) if m.method == "val") {
                    self.report.add(Rule::NestedField, f.span(), text(f));
                }
            }
            _ => {}
        }
    }

    /// `self.` inside the text of `self.myself.x`.
    fn self_suffix(&mut self, member: &syn::Member) {
        match member {
            syn::Member::Named(name) if name.to_string().ends_with("self") => {
                self.report
                    .add(Rule::SelfSuffix, name.span(), format!("field `{name}`"));
            }
            _ => {}
        }
    }

    /// An array index: kept as text, for the elaborator to evaluate.
    fn subscript(&mut self, e: &Expr) {
        match e {
            Expr::Path(p) => self.named_value(&p.path),
            Expr::Paren(p) => self.subscript(&p.expr),
            Expr::Binary(b) => {
                self.subscript(&b.left);
                self.subscript(&b.right);
            }
            Expr::Cast(c) => {
                let found = format!("{}, which loses its spaces,", text(c));
                self.report.add(Rule::UnknownName, c.span(), found);
            }
            Expr::MethodCall(m) => {
                if let Expr::Field(f) = &*m.receiver {
                    self.self_suffix(&f.member);
                }
                self.subscript(&m.receiver);
            }
            Expr::Field(f) => {
                self.field(f);
                self.subscript(&f.base);
            }
            Expr::Index(_) => self.path_text(e),
            _ => {}
        }
    }

    fn method(&mut self, m: &syn::ExprMethodCall) {
        let name = m.method.to_string();
        self.used.methods.insert(name.clone());
        if accessed_field(&name, "get_value_") {
            self.report
                .add(Rule::ValueAccessor, m.method.span(), format!("`{name}`"));
        }
        let taken = match name.as_str() {
            "get_bit" | "get_bits" => 1,
            "replace_bit" => 2,
            "val" | "into" | "index" | "to_bits" | "all" | "any" | "xor" | "to_signed_bits" => 0,
            _ => return self.expr(&m.receiver),
        };
        if m.args.len() > taken {
            let found = format!("`{name}` with {} arguments", m.args.len());
            self.report
                .add(Rule::MethodLookalike, m.method.span(), found);
        }
        if name == "to_signed_bits" {
            self.report.add(Rule::Signed, m.method.span(), text(m));
        }
        self.used.conversions |= name == "into" && !matches!(&*m.receiver, Expr::Lit(_));
        self.expr(&m.receiver);
        m.args.iter().take(taken).for_each(|e| self.expr(e));
    }

    pub fn call(&mut self, c: &syn::ExprCall) {
        let Expr::Path(function) = &*c.func else {
            return;
        };
        let path = &function.path;
        let Some(first) = path.segments.first().map(|s| s.ident.to_string()) else {
            return;
        };
        let prefixed = |prefixes: &[&str]| prefixes.iter().any(|p| first.starts_with(p));
        if path.leading_colon.is_some() || function.qself.is_some() {
            self.link(c, path);
        } else if prefixed(&["bit_cast", "bits", "Bits"]) {
            let ours = path.segments.len() == 1 && first == "bit_cast_to";
            if c.args.len() != 1 || !(ours || self.is_plain_cast(path)) {
                self.report.add(Rule::HiddenCast, c.span(), text(c));
            }
            c.args.iter().take(1).for_each(|e| self.expr(e));
        } else if prefixed(&["unsigned_cast", "signed_bit_cast", "signed_cast"]) {
            self.report.add(Rule::Signed, c.span(), text(c));
            c.args.iter().take(1).for_each(|e| self.expr(e));
        } else {
            self.link(c, path);
        }
    }

    /// Whether a function is rust-hdl's own cast, as far as this file tells.
    fn is_plain_cast(&self, path: &syn::Path) -> bool {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        // The module `bits` of rust-hdl.
        let names = match names.as_slice() {
            [module, rest @ ..] if module == "bits" && !rest.is_empty() => rest,
            all => all,
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match names.as_slice() {
            ["bit_cast" | "bits"] => !self.redefines(names[0]),
            ["Bits", "from"] => !self.redefines("Bits"),
            [alias, "from"] => self
                .source
                .around(self.scope)
                .flat_map(|s| &s.aliases)
                .any(|a| {
                    let syn::Type::Path(t) = &*a.ty else {
                        return false;
                    };
                    a.ident == *alias && last(&t.path).is_some_and(|i| i == "Bits")
                }),
            _ => false,
        }
    }

    fn redefines(&self, name: &str) -> bool {
        let is = |ident: &Ident| ident == name;
        self.source.around(self.scope).any(|s| {
            s.functions.iter().any(|f| is(&f.sig.ident))
                || s.structs.iter().any(|s| is(&s.ident))
                || s.enums.iter().any(|e| is(&e.ident))
                || s.aliases.iter().any(|a| is(&a.ident))
                || s.renamed.contains(name)
        })
    }

    /// Any other call: the macro takes it for a connection of interfaces if
    /// its text has `::join` or `::link` anywhere, and refuses it otherwise.
    fn link(&mut self, c: &syn::ExprCall, path: &syn::Path) {
        let taken_for = match (mentions_segment(c, "join"), mentions_segment(c, "link")) {
            (true, _) => "join",
            (_, true) => "link",
            _ => return,
        };
        if last(path).is_none_or(|i| i != taken_for) || c.args.len() != 2 {
            self.report.add(Rule::LinkLookalike, c.span(), text(c));
        }
        c.args.iter().take(2).for_each(|e| {
            if let Expr::Reference(r) = e {
                self.path_text(&r.expr);
            }
        });
    }
}

/// Whether some path in the call goes on with a name that starts so.
fn mentions_segment(c: &syn::ExprCall, start: &str) -> bool {
    struct Search<'a>(&'a str, bool);
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            let skipped = usize::from(path.leading_colon.is_none());
            let mut names = path
                .segments
                .iter()
                .skip(skipped)
                .map(|s| s.ident.to_string());
            self.1 |= names.any(|n| n.starts_with(self.0));
            visit::visit_path(self, path);
        }
    }
    let mut search = Search(start, false);
    search.visit_expr_call(c);
    search.1
}

/// A sum, difference, product or left shift of a value that has a width in
/// Rust but none in the AST.
fn wraps(e: &Expr) -> bool {
    fn sized(e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => sized(&p.expr),
            Expr::MethodCall(m) => m.method == "to_bits" || m.method == "into",
            Expr::Binary(b) => sized(&b.left) || sized(&b.right),
            _ => false,
        }
    }
    match e {
        Expr::Paren(p) => wraps(&p.expr),
        Expr::Binary(b) => {
            let op = matches!(
                b.op,
                BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Shl(_)
            );
            op && (sized(&b.left) || sized(&b.right))
        }
        _ => false,
    }
}
