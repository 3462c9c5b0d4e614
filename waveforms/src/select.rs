//! Choosing the signals that are written, by patterns over their paths.

use std::fmt;
use std::str::FromStr;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::error::{Error, Result};
use crate::layout::{Declaration, Layout};
use crate::name::identifier;

/// How many names an error proposes.
const PROPOSED: usize = 3;

/// A pattern over paths: dots between names, `*` and `?` within a name, `**` for any scopes,
/// `{a,b}` for either.
///
/// It may leave out the outer scopes: `victim_way` is the signal of this name in whatever scope,
/// `dut.victim_way` that in `dut`. If it names a scope, all in it is meant, if an array, all its
/// elements. Brackets and parentheses are the same: `count[2][*]`.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    matcher: GlobSet,
}

impl Pattern {
    fn matches(&self, path: &str) -> bool {
        self.matcher.is_match(path.replace('.', "/"))
    }

    /// How near a path is, as far as it has names: greater is nearer.
    fn nearness(&self, path: &str) -> f64 {
        let names = self.text.split('.').count();
        let all: Vec<&str> = path.split('.').collect();
        let tail = all[all.len().saturating_sub(names)..].join(".");
        strsim::jaro_winkler(&self.text, &tail)
    }
}

impl FromStr for Pattern {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let problem = |problem: String| Error::Pattern {
            pattern: text.into(),
            problem,
        };
        if text.split('.').any(str::is_empty) {
            return Err(problem(
                "expected names with a dot between, as dut.victim_*".into(),
            ));
        }
        let path = text.replace('.', "/").replace('[', "(").replace(']', ")");
        let mut set = GlobSetBuilder::new();
        // The signal or scope, an array of them, and what is in scopes.
        for end in ["", "/**", "(*", "(*/**"] {
            let glob = format!("**/{path}{end}");
            let glob = GlobBuilder::new(&glob).literal_separator(true).build();
            set.add(glob.map_err(|error| problem(error.kind().to_string()))?);
        }
        let matcher = set.build();
        Ok(Pattern {
            text: text.into(),
            matcher: matcher.map_err(|error| problem(error.to_string()))?,
        })
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl Layout {
    /// The same layout, of which only the signals that match any of the patterns are written, and
    /// the pinned ones. No pattern: all.
    ///
    /// Samples are filled as before, with all signals.
    ///
    /// ```
    /// use cotenant_waveforms::{Layout, Scope, Signal};
    /// let side = |name: &str| {
    ///     Scope::module(name)
    ///         .signal(Signal::wire("hit", 1))
    ///         .signal(Signal::wire("victim_way", 4))
    /// };
    /// let top = Scope::module("top").signal(Signal::clock("clock"));
    /// let layout = Layout::new(top.scope(side("dut")).scope(side("golden")))?;
    /// let ways = layout.select(&["*_way".parse()?])?;
    /// let written: Vec<&str> = ways.written_paths().collect();
    /// assert_eq!(written, ["top.dut.victim_way", "top.golden.victim_way"]);
    /// let error = layout.select(&["dutt".parse()?]).unwrap_err().to_string();
    /// assert!(error.starts_with("no signal or scope matches 'dutt'; the nearest are top.dut"));
    /// # Ok::<(), cotenant_waveforms::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoMatch`] for a pattern that matches nothing, with the nearest names.
    pub fn select(&self, patterns: &[Pattern]) -> Result<Layout> {
        if patterns.is_empty() {
            return Ok(self.clone());
        }
        let mut inner = self.inner().clone();
        let mut used = vec![false; patterns.len()];
        let mut matched = |path: &str| {
            let mut any = false;
            for (pattern, used) in patterns.iter().zip(&mut used) {
                let matches = pattern.matches(path);
                *used |= matches;
                any |= matches;
            }
            any
        };
        let mut scopes: Vec<String> = Vec::new();
        let mut known = Vec::new();
        // What a scope holds is known when it is closed.
        let mut kept: Vec<Vec<Declaration>> = vec![Vec::new()];
        let mut written = vec![false; self.len()];
        for declaration in &self.inner().declarations {
            match declaration {
                Declaration::Open { name, .. } => {
                    let path = match scopes.last() {
                        Some(parent) => format!("{parent}.{name}"),
                        None => name.clone(),
                    };
                    known.push(path.clone());
                    scopes.push(path);
                    kept.push(vec![declaration.clone()]);
                }
                Declaration::Close => {
                    scopes.pop();
                    let scope = kept.pop().unwrap_or_default();
                    // The outermost stays, or there would be no file.
                    if scope.len() > 1 || scopes.is_empty() {
                        if let Some(parent) = kept.last_mut() {
                            parent.extend(scope);
                            parent.push(Declaration::Close);
                        }
                    }
                }
                Declaration::Variable(variable) => {
                    let scope = scopes.last().map_or("", String::as_str);
                    let path = format!("{scope}.{}", variable.name);
                    let top_clock = variable.signal.is_none() && scopes.len() == 1;
                    if !(matched(&path) || variable.look.pinned || top_clock) {
                        continue;
                    }
                    if let Some(signal) = variable.signal {
                        written[signal as usize] = true;
                    }
                    if let Some(scope) = kept.last_mut() {
                        scope.push(declaration.clone());
                    }
                }
            }
        }
        if let Some((pattern, _)) = patterns.iter().zip(&used).find(|(_, used)| !**used) {
            known.extend(self.inner().paths.iter().cloned());
            return Err(Error::NoMatch {
                pattern: pattern.to_string(),
                nearest: nearest(pattern, known),
            });
        }
        inner.declarations = kept.pop().unwrap_or_default();
        inner
            .written
            .retain(|&(signal, _)| written[signal as usize]);
        inner.has_clock = inner
            .declarations
            .iter()
            .any(|d| matches!(d, Declaration::Variable(v) if v.signal.is_none()));
        Ok(Layout::of(inner))
    }

    /// Paths of the signals that are written; all, unless some were selected.
    pub fn written_paths(&self) -> impl Iterator<Item = &str> + '_ {
        let written = self.written().iter();
        written.map(|&(signal, _)| self.inner().paths[signal as usize].as_str())
    }
}

/// The nearest of all names, scopes before signals that are as near.
fn nearest(pattern: &Pattern, mut known: Vec<String>) -> Vec<String> {
    let written = Pattern {
        text: pattern
            .text
            .split('.')
            .map(identifier)
            .collect::<Vec<_>>()
            .join("."),
        matcher: pattern.matcher.clone(),
    };
    known.sort_by(|a, b| written.nearness(b).total_cmp(&written.nearness(a)));
    known.truncate(PROPOSED);
    known
}
