//! Collects the declarations of a file by module, those in macro bodies included.

use super::read::{parse_tokens, Unreadable};
use super::tokens;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::{self, Visit};

/// The items of a module, a function body or a macro body.
#[derive(Default)]
pub(super) struct Scope {
    parent: Option<usize>,
    pub structs: Vec<syn::ItemStruct>,
    pub enums: Vec<syn::ItemEnum>,
    pub impls: Vec<syn::ItemImpl>,
    /// Free functions.
    pub functions: Vec<syn::ItemFn>,
    pub aliases: Vec<syn::ItemType>,
    /// Names of constants and statics.
    pub constants: HashSet<String>,
    /// New names of `use a::B as C`.
    pub renamed: HashSet<String>,
    /// Names and bodies of `macro_rules!`.
    pub macros: Vec<(String, TokenStream)>,
    /// Names that stand for macro arguments.
    pub arguments: HashSet<String>,
}

/// A function below `#[hdl_gen]` whose surroundings are unknown.
pub(super) struct Loose {
    pub scope: usize,
    pub function: syn::ItemFn,
}

/// A whole file.
pub(super) struct Source {
    /// Inner attributes and comments of the file.
    pub attributes: Vec<syn::Attribute>,
    pub scopes: Vec<Scope>,
    pub loose: Vec<Loose>,
    pub unreadable: Vec<Unreadable>,
    /// What `#[unit]` refuses.
    pub refused: Vec<syn::Error>,
    wanted: &'static [&'static str],
}

impl Source {
    /// Reads a file; macro bodies and arguments only if one of the words
    /// `wanted` stands in them.
    pub fn read(text: &str, wanted: &'static [&'static str]) -> Source {
        let mut source = Source {
            attributes: vec![],
            scopes: vec![Scope::default()],
            loose: vec![],
            unreadable: vec![],
            refused: vec![],
            wanted,
        };
        match super::read::parse(text) {
            Ok(file) => {
                source.items(0, &file.items);
                source.attributes = file.attrs;
            }
            Err(why) => source.unreadable.push(why),
        }
        source
    }

    /// The scope and those around it, innermost first.
    pub fn around(&self, scope: usize) -> impl Iterator<Item = &Scope> {
        std::iter::successors(Some(scope), |&s| self.scopes[s].parent).map(|s| &self.scopes[s])
    }

    /// A struct by name: around `scope`, else the only one in the file.
    pub fn structure(&self, scope: usize, name: &str) -> Option<&syn::ItemStruct> {
        let named = |s: &&syn::ItemStruct| s.ident == name;
        self.around(scope)
            .flat_map(|s| &s.structs)
            .find(named)
            .or_else(|| {
                let mut all = self.scopes.iter().flat_map(|s| &s.structs).filter(named);
                all.next().filter(|_| all.next().is_none())
            })
    }

    /// An enum by name, anywhere in the file.
    pub fn enumeration(&self, name: &str) -> Option<&syn::ItemEnum> {
        self.scopes
            .iter()
            .flat_map(|s| &s.enums)
            .find(|e| e.ident == name)
    }

    fn open(&mut self, parent: usize) -> usize {
        self.scopes.push(Scope {
            parent: Some(parent),
            ..Scope::default()
        });
        self.scopes.len() - 1
    }

    fn items(&mut self, scope: usize, items: &[syn::Item]) {
        for item in items {
            self.item(scope, item);
        }
    }

    /// What `#[unit]` makes of a module, without the parameters of its parts.
    fn unit(&mut self, scope: usize, item: &syn::Item) -> bool {
        let syn::Item::Mod(module) = item else {
            return false;
        };
        let is_unit = |a: &syn::Attribute| tokens::last(a.path()).is_some_and(|n| n == "unit");
        let Some(at) = module.attrs.iter().position(is_unit) else {
            return false;
        };
        let mut module = module.clone();
        let arguments = match module.attrs.remove(at).meta {
            syn::Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        };
        let expanded = cotenant_unit_syntax::plain(arguments, module.into_token_stream());
        match expanded.and_then(syn::parse2::<syn::File>) {
            Ok(file) => self.items(scope, &file.items),
            Err(refused) => self.refused.extend(refused),
        }
        true
    }

    fn item(&mut self, scope: usize, item: &syn::Item) {
        if self.unit(scope, item) {
            return;
        }
        let here = &mut self.scopes[scope];
        match item {
            syn::Item::Mod(module) => {
                if let Some((_, items)) = &module.content {
                    let inner = self.open(scope);
                    self.items(inner, items);
                }
            }
            syn::Item::Struct(s) => here.structs.push(s.clone()),
            syn::Item::Enum(e) => here.enums.push(e.clone()),
            syn::Item::Type(t) => here.aliases.push(t.clone()),
            syn::Item::Const(c) => drop(here.constants.insert(c.ident.to_string())),
            syn::Item::Static(c) => drop(here.constants.insert(c.ident.to_string())),
            syn::Item::Use(u) => renames(&u.tree, &mut here.renamed),
            syn::Item::Impl(i) => here.impls.push(i.clone()),
            syn::Item::Fn(f) => {
                if tokens::has_attribute(&f.attrs, "hdl_gen") {
                    self.loose.push(Loose {
                        scope,
                        function: f.clone(),
                    });
                } else {
                    here.functions.push(f.clone());
                }
            }
            syn::Item::Macro(m) => {
                if let Some(name) = m
                    .ident
                    .as_ref()
                    .filter(|_| m.mac.path.is_ident("macro_rules"))
                {
                    here.macros.push((name.to_string(), m.mac.tokens.clone()));
                }
            }
            _ => {}
        }
        let mut nested = Nested {
            source: self,
            scope,
        };
        match item {
            syn::Item::Mod(_) => {}
            other => visit::visit_item(&mut nested, other),
        }
    }

    /// Items in the body or the arguments of a macro.
    fn tokens(&mut self, scope: usize, stream: &TokenStream) {
        if !tokens::mentions(stream, self.wanted) {
            return;
        }
        let (plain, arguments) = tokens::substitute(stream.clone());
        let inner = self.open(scope);
        self.scopes[inner].arguments = arguments;
        if let Ok(file) = parse_tokens(plain.clone()) {
            return self.items(inner, &file.items);
        }
        let functions = tokens::functions_with_hdl_gen(&plain);
        for group in tokens::groups(&plain) {
            // The bodies of those functions are read just below.
            if functions.is_empty() || !tokens::mentions(&group, &["hdl_gen"]) {
                self.tokens(inner, &group);
            }
        }
        for (span, function) in functions {
            match function.map(parse_tokens) {
                Some(Ok(file)) => self.items(inner, &file.items),
                _ => {
                    let message = "#[hdl_gen] on what is no function before the macro is expanded";
                    self.unreadable.push(Unreadable {
                        span,
                        message: message.into(),
                    });
                }
            }
        }
    }
}

fn renames(tree: &syn::UseTree, out: &mut HashSet<String>) {
    match tree {
        syn::UseTree::Path(p) => renames(&p.tree, out),
        syn::UseTree::Group(g) => g.items.iter().for_each(|t| renames(t, out)),
        syn::UseTree::Rename(r) => drop(out.insert(r.rename.to_string())),
        _ => {}
    }
}

/// Finds items in function bodies, and macros anywhere.
struct Nested<'a> {
    source: &'a mut Source,
    scope: usize,
}

impl<'ast> Visit<'ast> for Nested<'_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let outer = self.scope;
        if block.stmts.iter().any(|s| matches!(s, syn::Stmt::Item(_))) {
            self.scope = self.source.open(outer);
        }
        visit::visit_block(self, block);
        self.scope = outer;
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        self.source.item(self.scope, item);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.source.tokens(self.scope, &mac.tokens);
    }
}

/// Line and column, from 1.
pub(super) fn position(span: Span) -> (usize, usize) {
    let start = span.start();
    (start.line.max(1), start.column + 1)
}
