//! Scopes from hierarchical names.

use cotenant_waveforms::{Scope, Signal};

/// Signals by the parts of their names: `matrix.count[3][2]` is `count[3][2]` in the scope
/// `matrix`. `T` says where a signal's value is.
#[derive(Debug)]
pub(crate) struct Tree<T> {
    signals: Vec<(Signal, T)>,
    children: Vec<(String, Tree<T>)>,
}

impl<T> Default for Tree<T> {
    fn default() -> Self {
        Self {
            signals: Vec::new(),
            children: Vec::new(),
        }
    }
}

impl<T: Clone> Tree<T> {
    /// Adds a signal, which has the whole name; its value is at `place`.
    pub fn insert(&mut self, signal: Signal, place: T) {
        let Some((scope, rest)) = signal.name.split_once('.') else {
            self.signals.push((signal, place));
            return;
        };
        let known = self.children.iter().position(|(name, _)| name == scope);
        let at = known.unwrap_or_else(|| {
            self.children.push((scope.into(), Tree::default()));
            self.children.len() - 1
        });
        let mut inner = signal.clone();
        inner.name = rest.into();
        self.children[at].1.insert(inner, place);
    }

    /// The scope, and the signals' places in the order of their declaration. The scopes in it are
    /// folded: a design has many.
    pub fn scope(&self, name: &str, order: &mut Vec<T>) -> Scope {
        let mut scope = Scope::module(name);
        for (signal, place) in &self.signals {
            scope.push_signal(signal.clone());
            order.push(place.clone());
        }
        for (child, tree) in &self.children {
            scope.push_scope(tree.scope(child, order).folded());
        }
        scope
    }
}
