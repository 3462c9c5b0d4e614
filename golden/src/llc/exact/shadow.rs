//! The shadow stack: for each set the last lines of every kernel, beyond those the cache holds.

/// Whose line was accessed, before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// The kernel's own.
    Own,
    /// Another kernel's.
    OfAnother,
    /// Never seen, or with as many of its user's own lines above it as there are ways.
    Nowhere,
}

/// For each set and kernel its last lines in LRU order, at most as many as the set has ways, each
/// with the time of its last use: the lines of another kernel above one are those used later.
///
/// The true cache holds the lines of the latest uses, so all of its lines are here.
#[derive(Debug, Clone)]
pub(super) struct Shadow {
    kernels: usize,
    ways: usize,
    /// By set, kernel and place; empty places are a kernel's last, and of time 0.
    tags: Vec<u64>,
    times: Vec<u64>,
    /// Accesses to all sets.
    now: u64,
}

impl Shadow {
    /// Without lines; memory is taken as sets are used.
    pub fn new(kernels: usize, sets: usize, ways: usize) -> Self {
        Self {
            kernels,
            ways,
            tags: vec![0; sets * kernels * ways],
            times: vec![0; sets * kernels * ways],
            now: 0,
        }
    }

    /// An access of a kernel; `above` becomes the lines of each kernel that were above the one
    /// found.
    #[inline]
    pub fn access(&mut self, kernel: usize, set: usize, tag: u64, above: &mut [u8]) -> Found {
        let Self { kernels, ways, .. } = *self;
        let all = set * kernels * ways..(set + 1) * kernels * ways;
        let (tags, times) = (&mut self.tags[all.clone()], &mut self.times[all]);
        self.now += 1;
        let place = |of: usize| {
            let lines = of * ways..(of + 1) * ways;
            let place = tags[lines.clone()].iter().position(|&its| its == tag)?;
            // Empty places are the last, and have a tag too.
            (times[lines][place] > 0).then_some(place)
        };
        let own = place(kernel);
        let holder = match own {
            Some(place) => Some((kernel, place)),
            None => {
                let mut others = (0..kernels).filter(|&of| of != kernel);
                others.find_map(|of| Some((of, place(of)?)))
            }
        };
        if let Some((of, place)) = holder {
            let used = times[of * ways + place];
            for (above, times) in above.iter_mut().zip(times.chunks(ways)) {
                *above = times.iter().take_while(|&&time| time > used).count() as u8;
            }
            if of != kernel {
                // It is the other's no longer.
                for lines in [&mut *tags, &mut *times] {
                    let lines = &mut lines[of * ways..][..ways];
                    lines.copy_within(place + 1.., place);
                    lines[ways - 1] = 0;
                }
            }
        }
        let from = own.unwrap_or(ways - 1);
        for (lines, first) in [(tags, tag), (times, self.now)] {
            let lines = &mut lines[kernel * ways..][..ways];
            lines.copy_within(..from, 1);
            lines[0] = first;
        }
        match holder {
            None => Found::Nowhere,
            Some((of, _)) if of == kernel => Found::Own,
            Some(_) => Found::OfAnother,
        }
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: lines of all kernels above one, a line that leaves above its own kernel's, a line
    //! that changes hands, and tag 0, which empty places have too.
    use super::*;

    #[test]
    fn by_hand() {
        let mut shadow = Shadow::new(2, 2, 2);
        let mut above = [9; 2];
        let mut access = |kernel, tag| {
            let found = shadow.access(kernel, 1, tag, &mut above);
            (found, above)
        };
        assert_eq!(access(0, 0).0, Found::Nowhere, "an empty place is no line");
        assert_eq!(access(0, 0), (Found::Own, [0, 0]));
        for tag in [5, 6, 5] {
            access(1, tag);
        }
        assert_eq!(access(0, 1).0, Found::Nowhere);
        assert_eq!(access(0, 0), (Found::Own, [1, 2]));
        // Kernel 1's lines 5 and 6 are below kernel 0's two.
        assert_eq!(access(1, 6), (Found::Own, [2, 1]));
        // A third line: the other of the two leaves.
        assert_eq!(access(1, 7).0, Found::Nowhere);
        assert_eq!(access(1, 5).0, Found::Nowhere);
        // Line 7 changes hands; then kernel 1 has one.
        assert_eq!(access(0, 7), (Found::OfAnother, [0, 1]));
        assert_eq!(access(1, 5), (Found::Own, [1, 0]));
        assert_eq!(access(0, 0), (Found::Own, [1, 1]));
        assert_eq!(access(0, 1).0, Found::Nowhere);
    }
}
