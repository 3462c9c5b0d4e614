//! A core's own cache: LRU, without a latency.

use super::config;

/// The tags of a cache.
#[derive(Debug, Clone)]
pub(super) struct Private {
    ways: usize,
    sets: u64,
    /// Lines by set, most recently used first; `NONE` where there is none.
    lines: Vec<u64>,
}

const NONE: u64 = u64::MAX;

impl Private {
    pub(super) fn new(config: &config::Private, line: u64) -> Self {
        let sets = config.sets(line);
        Self {
            ways: config.ways,
            sets,
            lines: vec![NONE; sets as usize * config.ways],
        }
    }

    /// Whether a line hits; it is the most recently used one from now on.
    pub(super) fn access(&mut self, line: u64) -> bool {
        let set = (line & (self.sets - 1)) as usize;
        let set = &mut self.lines[set * self.ways..][..self.ways];
        let found = set.iter().position(|&it| it == line);
        let position = found.unwrap_or(set.len() - 1);
        set.copy_within(..position, 1);
        set[0] = line;
        found.is_some()
    }
}
