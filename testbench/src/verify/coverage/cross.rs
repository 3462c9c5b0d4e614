//! A cross: every combination of some properties of a cycle is a bin.

use std::fmt;

use serde::Serialize;

/// A property of a cycle and the values it is sorted into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// Name of the property.
    pub name: &'static str,
    /// Names of its values.
    pub bins: Vec<String>,
}

impl Axis {
    /// A property with these values.
    pub fn new<B: Into<String>>(name: &'static str, bins: impl IntoIterator<Item = B>) -> Self {
        Self {
            name,
            bins: bins.into_iter().map(Into::into).collect(),
        }
    }

    /// Yes or no.
    pub fn flag(name: &'static str) -> Self {
        Self::new(name, ["no", "yes"])
    }

    /// A property with the values 0 to `count` - 1.
    pub fn numbers(name: &'static str, count: usize) -> Self {
        Self::new(name, (0..count).map(|value| value.to_string()))
    }
}

/// What a cycle is on an axis: a number, or a flag as 0 and 1.
pub trait Index: Copy {
    /// As a number.
    fn index(self) -> usize;
}

impl Index for usize {
    #[inline]
    fn index(self) -> usize {
        self
    }
}

macro_rules! index {
    ($($from:ty),*) => {$(
        impl Index for $from {
            #[inline]
            fn index(self) -> usize {
                usize::from(self)
            }
        }
    )*};
}
index!(bool, u8);

/// Literals.
impl Index for i32 {
    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

/// What a cycle is on each axis: an [`Index`], a tuple of them, or an array.
pub trait Indices {
    /// As numbers.
    fn indices(self) -> impl AsRef<[usize]>;
}

impl<I: Index> Indices for I {
    #[inline]
    fn indices(self) -> impl AsRef<[usize]> {
        [self.index()]
    }
}

impl<I: Index, const N: usize> Indices for [I; N] {
    #[inline]
    fn indices(self) -> impl AsRef<[usize]> {
        self.map(Index::index)
    }
}

macro_rules! indices {
    ($($name:ident)*) => {
        impl<$($name: Index),*> Indices for ($($name,)*) {
            #[inline]
            #[allow(non_snake_case)]
            fn indices(self) -> impl AsRef<[usize]> {
                let ($($name,)*) = self;
                [$($name.index()),*]
            }
        }
    };
}
indices!(A B);
indices!(A B C);
indices!(A B C D);
indices!(A B C D E);

/// A bin that no legal stimulus can hit, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bin {
    Legal,
    Illegal(u32),
}

/// How often each combination of values has been seen.
#[derive(Debug, Clone)]
pub struct Cross {
    name: &'static str,
    axes: Vec<Axis>,
    bins: Vec<Bin>,
    hits: Vec<u64>,
    reasons: Vec<&'static str>,
}

impl Cross {
    /// No combination seen, all of them legal.
    pub fn new(name: &'static str, axes: impl IntoIterator<Item = Axis>) -> Self {
        let axes: Vec<Axis> = axes.into_iter().collect();
        let bins = axes.iter().map(|axis| axis.bins.len()).product();
        Self {
            name,
            axes,
            bins: vec![Bin::Legal; bins],
            hits: vec![0; bins],
            reasons: Vec::new(),
        }
    }

    /// A cross of no property; [`by`](Self::by) and the three below it add them, before anything is
    /// excluded.
    pub fn named(name: &'static str) -> Self {
        Self::new(name, [])
    }

    /// Of one property more.
    #[must_use]
    pub fn by(mut self, axis: Axis) -> Self {
        debug_assert!(self.reasons.is_empty(), "{}: excluded before", self.name);
        self.axes.push(axis);
        Self::new(self.name, self.axes)
    }

    /// See [`Axis::new`].
    #[must_use]
    pub fn axis<B: Into<String>>(
        self,
        name: &'static str,
        bins: impl IntoIterator<Item = B>,
    ) -> Self {
        self.by(Axis::new(name, bins))
    }

    /// See [`Axis::numbers`].
    #[must_use]
    pub fn numbers(self, name: &'static str, count: usize) -> Self {
        self.by(Axis::numbers(name, count))
    }

    /// See [`Axis::flag`].
    #[must_use]
    pub fn flag(self, name: &'static str) -> Self {
        self.by(Axis::flag(name))
    }

    /// Excludes the combinations for which `illegal` holds, given the index on each axis.
    #[must_use]
    pub fn without(mut self, reason: &'static str, illegal: impl Fn(&[usize]) -> bool) -> Self {
        let number = self.reasons.len() as u32;
        self.reasons.push(reason);
        for bin in 0..self.bins.len() {
            let at = self.indices(bin);
            if self.bins[bin] == Bin::Legal && illegal(&at) {
                self.bins[bin] = Bin::Illegal(number);
            }
        }
        self
    }

    /// Counts a cycle, by its index on each axis.
    #[inline]
    pub fn hit(&mut self, at: impl Indices) {
        let at = at.indices();
        let at = at.as_ref();
        debug_assert_eq!(at.len(), self.axes.len());
        let mut bin = 0;
        for (axis, &index) in self.axes.iter().zip(at) {
            debug_assert!(
                index < axis.bins.len(),
                "{}.{}: {index}",
                self.name,
                axis.name
            );
            bin = bin * axis.bins.len() + index;
        }
        self.hits[bin] += 1;
    }

    /// Legal bins hit.
    pub fn hit_bins(&self) -> usize {
        let bins = self.bins.iter().zip(&self.hits);
        bins.filter(|(bin, hits)| **bin == Bin::Legal && **hits > 0)
            .count()
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    fn indices(&self, mut bin: usize) -> Vec<usize> {
        let mut at = vec![0; self.axes.len()];
        for (axis, index) in self.axes.iter().zip(&mut at).rev() {
            *index = bin % axis.bins.len();
            bin /= axis.bins.len();
        }
        at
    }

    /// `position 3, owner other`.
    fn describe(&self, bin: usize) -> String {
        let at = self.indices(bin);
        let values = self.axes.iter().zip(at);
        let named: Vec<String> = values
            .map(|(axis, index)| format!("{} {}", axis.name, axis.bins[index]))
            .collect();
        named.join(", ")
    }

    /// Adds what another collector of the same cross has seen.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.hits.iter_mut().zip(&other.hits) {
            *mine += theirs;
        }
    }

    /// What has been seen, and what not.
    pub fn report(&self) -> CrossReport {
        let bins = || self.bins.iter().zip(&self.hits).enumerate();
        let legal = || bins().filter(|(_, (bin, _))| **bin == Bin::Legal);
        let holes = legal().filter(|(_, (_, hits))| **hits == 0);
        let mut excluded: Vec<Excluded> = Vec::new();
        for (number, reason) in (0..).zip(&self.reasons) {
            let bins = self.bins.iter().filter(|bin| **bin == Bin::Illegal(number));
            excluded.push(Excluded {
                reason,
                bins: bins.count(),
            });
        }
        let wrong = bins().filter(|(_, (bin, hits))| **bin != Bin::Legal && **hits > 0);
        CrossReport {
            name: self.name,
            axes: self.axes.iter().map(|axis| axis.name).collect(),
            hit: self.hit_bins(),
            total: legal().count(),
            holes: holes.map(|(bin, _)| self.describe(bin)).collect(),
            excluded,
            hit_though_excluded: wrong.map(|(bin, _)| self.describe(bin)).collect(),
        }
    }
}

/// Bins left out for a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Excluded {
    /// Why no legal stimulus can hit them.
    pub reason: &'static str,
    /// How many they are.
    pub bins: usize,
}

/// Coverage of a cross.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CrossReport {
    /// Its name.
    pub name: &'static str,
    /// The properties crossed.
    pub axes: Vec<&'static str>,
    /// Legal bins hit.
    pub hit: usize,
    /// Legal bins.
    pub total: usize,
    /// Legal bins that were not hit.
    pub holes: Vec<String>,
    /// Bins left out.
    pub excluded: Vec<Excluded>,
    /// Excluded bins that were hit all the same: a reason is wrong.
    pub hit_though_excluded: Vec<String>,
}

/// Holes named in a text; the rest are counted.
const SHOWN: usize = 20;

impl fmt::Display for CrossReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = self.axes.join(" x ");
        write!(
            f,
            "{}: {} of {} bins ({axes})",
            self.name, self.hit, self.total
        )?;
        for excluded in self.excluded.iter().filter(|excluded| excluded.bins > 0) {
            write!(
                f,
                "\n  {} more excluded: {}",
                excluded.bins, excluded.reason
            )?;
        }
        for hole in self.holes.iter().take(SHOWN) {
            write!(f, "\n  hole: {hole}")?;
        }
        if self.holes.len() > SHOWN {
            write!(f, "\n  and {} more holes", self.holes.len() - SHOWN)?;
        }
        for wrong in &self.hit_though_excluded {
            write!(f, "\n  hit though excluded: {wrong}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: holes and exclusions are named by undoing the index arithmetic, so a hit on one
    //! known combination must make exactly that hole vanish.
    use super::*;

    fn cross() -> Cross {
        let sides = Axis::new("side", ["left", "right", "none"]);
        Cross::new("test", [Axis::numbers("way", 2), sides])
            .without("way 1 has no side", |at| at[0] == 1 && at[1] < 2)
    }

    #[test]
    fn a_hit_closes_its_own_hole() {
        let mut cross = cross();
        let before = cross.report();
        assert_eq!((before.hit, before.total), (0, 4));
        assert_eq!(before.excluded[0].bins, 2);
        cross.hit((0, 1));
        let after = cross.report();
        assert_eq!((after.hit, after.total), (1, 4));
        let closed: Vec<&String> = before
            .holes
            .iter()
            .filter(|hole| !after.holes.contains(hole))
            .collect();
        assert_eq!(closed, ["way 0, side right"]);
    }

    #[test]
    fn an_excluded_bin_that_is_hit_is_told() {
        let mut cross = cross();
        cross.hit((1, 0));
        let report = cross.report();
        assert_eq!(report.hit, 0);
        assert_eq!(report.hit_though_excluded, ["way 1, side left"]);
    }

    #[test]
    fn collectors_add_up() {
        let (mut one, mut two) = (cross(), cross());
        one.hit((0, 0));
        two.hit((0, 2));
        one.add(&two);
        assert_eq!(one.report().hit, 2);
    }
}
