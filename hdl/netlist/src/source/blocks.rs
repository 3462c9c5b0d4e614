//! Checks the items around `update()`: impls, fields and macros.

use super::finding::Rule;
use super::kernel::{text, Kernel, Report, Used};
use super::scope::{Loose, Scope, Source};
use super::tokens::{derives, has_attribute, last};
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Methods of rust-hdl that the macro knows by name.
const KNOWN_METHODS: [&str; 11] = [
    "val",
    "into",
    "index",
    "to_bits",
    "all",
    "any",
    "xor",
    "get_bit",
    "get_bits",
    "replace_bit",
    "to_signed_bits",
];

/// Traits behind the operators that the macro knows.
const OPERATORS: [&str; 12] = [
    "Add",
    "Sub",
    "Mul",
    "BitAnd",
    "BitOr",
    "BitXor",
    "Shl",
    "Shr",
    "Not",
    "Neg",
    "PartialEq",
    "PartialOrd",
];

/// Attributes that leave a function as it is.
const INERT: [&str; 14] = [
    "doc",
    "allow",
    "warn",
    "deny",
    "forbid",
    "expect",
    "inline",
    "cold",
    "must_use",
    "deprecated",
    "cfg",
    "cfg_attr",
    "track_caller",
    "automatically_derived",
];

/// Checks a whole file.
pub(super) fn check(source: &Source, report: &mut Report) {
    for unreadable in &source.unreadable {
        report.add(Rule::Unreadable, unreadable.span, &unreadable.message);
    }
    for refused in &source.refused {
        report.add(Rule::RefusedUnit, refused.span(), refused.to_string());
    }
    let mut used = Used::default();
    for (at, scope) in source.scopes.iter().enumerate() {
        for item in &scope.impls {
            kernels(source, at, item, report, &mut used);
        }
    }
    for Loose { scope, function } in &source.loose {
        below_hdl_gen(&function.attrs, report);
        let (report, used) = (&mut *report, &mut used);
        let (fields, generics) = (None, HashSet::new());
        let scope = *scope;
        run(
            Kernel {
                source,
                scope,
                report,
                used,
                fields,
                generics,
                loops: vec![],
            },
            &function.block,
        );
    }
    let types = Types::of(source);
    for scope in &source.scopes {
        scope.structs.iter().for_each(|s| hidden_fields(s, report));
        for item in &scope.impls {
            beside_update(item, report);
            lookalikes(item, &types, &used, report);
        }
        macros(scope, &used, report);
    }
}

fn run(mut kernel: Kernel, body: &syn::Block) {
    signed_types(body, &mut kernel);
    kernel.block(body);
}

/// Turbofishes with signed types.
fn signed_types(body: &syn::Block, kernel: &mut Kernel) {
    struct Search<'a, 'b, 'c>(&'a mut Kernel<'b, 'c>);
    impl<'ast> Visit<'ast> for Search<'_, '_, '_> {
        fn visit_type(&mut self, ty: &'ast syn::Type) {
            if is_signed(ty) {
                self.0.report.add(Rule::Signed, ty.span(), text(ty));
            } else {
                visit::visit_type(self, ty);
            }
        }
    }
    Search(kernel).visit_block(body);
}

fn is_signed(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(t) if last(&t.path).is_some_and(|i| i == "Signed"))
}

/// Name of the type that an impl is for.
fn self_name(item: &syn::ItemImpl) -> Option<String> {
    type_name(&item.self_ty)
}

fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(t) => last(&t.path).map(|i| i.to_string()),
        syn::Type::Reference(r) => type_name(&r.elem),
        syn::Type::Paren(p) => type_name(&p.elem),
        _ => None,
    }
}

/// Last name of the trait that an impl implements.
fn trait_name(item: &syn::ItemImpl) -> Option<String> {
    let (_, path, _) = item.trait_.as_ref()?;
    last(path).map(|i| i.to_string())
}

fn functions(item: &syn::ItemImpl) -> impl Iterator<Item = &syn::ImplItemFn> {
    item.items.iter().filter_map(|i| match i {
        syn::ImplItem::Fn(f) => Some(f),
        _ => None,
    })
}

/// Checks each function below `#[hdl_gen]` of an impl.
fn kernels(
    source: &Source,
    scope: usize,
    item: &syn::ItemImpl,
    report: &mut Report,
    used: &mut Used,
) {
    for function in functions(item).filter(|f| has_attribute(&f.attrs, "hdl_gen")) {
        below_hdl_gen(&function.attrs, report);
        if trait_name(item).as_deref() != Some("Logic") || function.sig.ident != "update" {
            let found = format!("#[hdl_gen] on `{}`", function.sig.ident);
            report.add(Rule::OutsideLogic, function.sig.ident.span(), found);
        }
        let structure = self_name(item).and_then(|name| source.structure(scope, &name));
        let fields = structure.map(fields_of);
        for field in structure.iter().flat_map(|s| &s.fields) {
            signed_field(field, report);
        }
        let parameters = item.generics.params.iter().filter_map(|p| match p {
            syn::GenericParam::Const(p) => Some(p.ident.to_string()),
            syn::GenericParam::Type(p) => Some(p.ident.to_string()),
            syn::GenericParam::Lifetime(_) => None,
        });
        let generics = parameters.collect();
        let (report, used) = (&mut *report, &mut *used);
        run(
            Kernel {
                source,
                scope,
                report,
                used,
                fields,
                generics,
                loops: vec![],
            },
            &function.block,
        );
    }
}

/// Names of the fields and whether each is a `Constant`, or an array of them.
fn fields_of(structure: &syn::ItemStruct) -> HashMap<String, bool> {
    fn constant(ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Array(a) => constant(&a.elem),
            other => type_name(other).as_deref() == Some("Constant"),
        }
    }
    let named = |f: &syn::Field| Some((f.ident.as_ref()?.to_string(), constant(&f.ty)));
    structure.fields.iter().filter_map(named).collect()
}

fn signed_field(field: &syn::Field, report: &mut Report) {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_type(&mut self, ty: &'ast syn::Type) {
            self.0 |= is_signed(ty);
            visit::visit_type(self, ty);
        }
    }
    let mut search = Search(false);
    search.visit_type(&field.ty);
    if search.0 {
        report.add(Rule::Signed, field.ty.span(), text(&field.ty));
    }
}

/// Fields that rust-hdl's derive macros leave out although they look like
/// hardware. Plain data of a block is rightly left out.
fn hidden_fields(structure: &syn::ItemStruct, report: &mut Report) {
    let derived = |name: &str| derives(&structure.attrs, name);
    let (block, value) = (
        derived("LogicBlock"),
        derived("LogicStruct") || derived("LogicInterface"),
    );
    for field in &structure.fields {
        let Some(name) = field
            .ident
            .as_ref()
            .filter(|n| n.to_string().starts_with('_'))
        else {
            continue;
        };
        let signal = type_name(&field.ty).as_deref() == Some("Signal");
        if value || block && signal {
            report.add(Rule::HiddenField, name.span(), format!("field `{name}`"));
        }
    }
}

/// Attributes between `#[hdl_gen]` and the function.
fn below_hdl_gen(attributes: &[syn::Attribute], report: &mut Report) {
    let below = attributes
        .iter()
        .skip_while(|a| last(a.path()).is_none_or(|i| i != "hdl_gen"));
    for attribute in below.skip(1) {
        let first = attribute
            .path()
            .segments
            .first()
            .map(|s| s.ident.to_string());
        let tool = matches!(first.as_deref(), Some("rustfmt" | "clippy" | "diagnostic"));
        if !tool && !INERT.iter().any(|name| attribute.path().is_ident(name)) {
            report.add(Rule::ForeignAttribute, attribute.span(), text(attribute));
        }
    }
}

/// Types of this file that become hardware.
struct Types {
    /// With an `update()`.
    blocks: HashSet<String>,
    /// What signals carry, and interfaces.
    values: HashSet<String>,
}

impl Types {
    fn of(source: &Source) -> Types {
        let mut types = Types {
            blocks: HashSet::new(),
            values: HashSet::new(),
        };
        let mut sort = |attributes: &[syn::Attribute], name: &syn::Ident| {
            if derives(attributes, "LogicBlock") {
                types.blocks.insert(name.to_string());
            } else if ["LogicState", "LogicStruct", "LogicInterface"]
                .iter()
                .any(|t| derives(attributes, t))
            {
                types.values.insert(name.to_string());
            }
        };
        for scope in &source.scopes {
            scope.structs.iter().for_each(|s| sort(&s.attrs, &s.ident));
            scope.enums.iter().for_each(|e| sort(&e.attrs, &e.ident));
        }
        for item in source.scopes.iter().flat_map(|s| &s.impls) {
            let Some(name) = self_name(item) else {
                continue;
            };
            if functions(item).any(|f| has_attribute(&f.attrs, "hdl_gen")) {
                types.blocks.insert(name);
            } else if trait_name(item).as_deref() == Some("Synth") {
                types.values.insert(name);
            }
        }
        types
    }
}

/// Hand-written halves of a block.
fn beside_update(item: &syn::ItemImpl, report: &mut Report) {
    if trait_name(item).as_deref() != Some("Logic") {
        return;
    }
    let named = |name: &str| functions(item).find(|f| f.sig.ident == name);
    let Some(update) = named("update").filter(|f| !has_attribute(&f.attrs, "hdl_gen")) else {
        return;
    };
    let does_something = !update.block.stmts.is_empty();
    match named("hdl") {
        None if does_something => {
            let found = "update() without `#[hdl_gen]`";
            report.add(Rule::MissingHdlGen, update.sig.ident.span(), found);
        }
        Some(hdl) if calls_primitive(&hdl.block) || delegates(update, hdl) => {}
        Some(hdl) if does_something || combinatorial(hdl) => {
            report.add(Rule::HandWrittenHdl, hdl.sig.ident.span(), "hdl() by hand");
        }
        _ => {}
    }
}

/// Statements made by hand, which the elaborator would believe.
fn combinatorial(hdl: &syn::ImplItemFn) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            self.0 |= last(path).is_some_and(|i| i == "Combinatorial");
            visit::visit_path(self, path);
        }
    }
    let mut search = Search(false);
    search.visit_block(&hdl.block);
    search.0
}

/// Whether a body is a call of `primitive::reg` or `primitive::ram`.
fn calls_primitive(body: &syn::Block) -> bool {
    match body.stmts.as_slice() {
        [syn::Stmt::Expr(syn::Expr::Call(call), None)] => match &*call.func {
            syn::Expr::Path(p) => last(&p.path).is_some_and(|i| i == "reg" || i == "ram"),
            _ => false,
        },
        _ => false,
    }
}

/// Whether both do nothing but call the same block's method: a wrapper.
fn delegates(update: &syn::ImplItemFn, hdl: &syn::ImplItemFn) -> bool {
    fn receiver<'a>(f: &'a syn::ImplItemFn, method: &str) -> Option<&'a syn::Expr> {
        match f.block.stmts.as_slice() {
            [syn::Stmt::Expr(syn::Expr::MethodCall(m), _)] if m.method == method => {
                Some(&m.receiver)
            }
            _ => None,
        }
    }
    receiver(update, "update").is_some_and(|block| receiver(hdl, "hdl") == Some(block))
}

/// Impls that change what something in `update()` means.
fn lookalikes(item: &syn::ItemImpl, types: &Types, used: &Used, report: &mut Report) {
    let Some(name) = self_name(item) else { return };
    let is_value = types.values.contains(&name);
    let Some((_, path, _)) = &item.trait_ else {
        if types.blocks.contains(&name) {
            shadows(item, report);
        } else if is_value {
            known_methods(item, used, report);
        }
        return;
    };
    let Some(implemented) = last(path).map(|i| i.to_string()) else {
        return;
    };
    let argument = trait_argument(path);
    let with_value = is_value || argument.as_ref().is_some_and(|a| types.values.contains(a));
    let with_bits = [Some(name.as_str()), argument.as_deref()].contains(&Some("Bits"));
    let rule = match implemented.as_str() {
        "Block" if types.blocks.contains(&name) => Rule::HandWrittenBlock,
        "Synth" => Rule::HandWrittenSynth,
        "From" | "Into" if used.conversions && (with_value || with_bits) => Rule::Conversion,
        operator if OPERATORS.contains(&operator) && with_value => Rule::OperatorOverload,
        // Its `index` takes an argument, which is a finding where it is used.
        "Index" | "From" | "Into" => return,
        _ => {
            let generic = item.generics.type_params().any(|p| p.ident == name);
            let foreign = [
                "Bits", "Signal", "bool", "usize", "u8", "u16", "u32", "u64", "u128",
            ];
            if is_value || generic || foreign.contains(&name.as_str()) {
                known_methods(item, used, report);
            }
            return;
        }
    };
    report.add(
        rule,
        path.span(),
        format!("an impl of {} for `{name}`", text(path)),
    );
}

fn trait_argument(path: &syn::Path) -> Option<String> {
    match &path.segments.last()?.arguments {
        syn::PathArguments::AngleBracketed(a) => a.args.iter().find_map(|a| match a {
            syn::GenericArgument::Type(t) => type_name(t),
            _ => None,
        }),
        _ => None,
    }
}

/// Inherent methods that rust-hdl's derived code calls instead of the trait's.
fn shadows(item: &syn::ItemImpl, report: &mut Report) {
    let called = [
        "update",
        "update_all",
        "connect",
        "connect_all",
        "has_changed",
    ];
    for function in functions(item).filter(|f| f.sig.receiver().is_some()) {
        let name = &function.sig.ident;
        if called.iter().any(|c| name == c) && !has_attribute(&function.attrs, "hdl_gen") {
            report.add(
                Rule::InherentShadow,
                name.span(),
                format!("inherent `{name}`"),
            );
        }
    }
}

fn known_methods(item: &syn::ItemImpl, used: &Used, report: &mut Report) {
    // Rust prefers rust-hdl's own `&self` methods to a trait's, but not to
    // those that take `self`.
    let has_own = matches!(self_name(item).as_deref(), Some("Bits" | "Signal"));
    for function in functions(item) {
        let Some(receiver) = function.sig.receiver() else {
            continue;
        };
        if has_own && receiver.reference.is_some() {
            continue;
        }
        let name = function.sig.ident.to_string();
        if KNOWN_METHODS.contains(&name.as_str()) && used.methods.contains(&name) {
            let found = format!("a method `{name}` of this file");
            report.add(Rule::MethodLookalike, function.sig.ident.span(), found);
        }
    }
}

/// Macros that the kernels call and rust-hdl only knows by name.
fn macros(scope: &Scope, used: &Used, report: &mut Report) {
    for (name, body) in &scope.macros {
        let expands = super::tokens::groups(body)
            .iter()
            .skip(1)
            .step_by(2)
            .any(|b| !b.is_empty());
        if ["println", "assert", "comment"].contains(&name.as_str())
            && used.macros.contains(name)
            && expands
        {
            let span = body.clone().into_iter().next().map(|t| t.span());
            let span = span.unwrap_or_else(proc_macro2::Span::call_site);
            report.add(
                Rule::MacroLookalike,
                span,
                format!("`{name}!` of this file"),
            );
        }
    }
}
