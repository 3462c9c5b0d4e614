//! An `llc_monitor` beside the replayed cache.
//!
//! Each bank takes one access per cycle, those of different banks together. What
//! becomes of each is compared with the golden cache, four cycles later. The
//! counters are read as software would: one snapshot per period, then the read
//! port, one counter per cycle, while accesses go on. Their sums must be the
//! golden cache's matrices, hits and misses. Traces have no timing: a cycle
//! without an access comes only at the start, while the sets are cleared, and
//! at the end.

use super::{Findings, PERIOD};
use crate::error::{Error, Result};
use crate::experiments::replay::pair::Pair;
use crate::unit::llc::LlcMonitor;
use crate::verify::dut::Difference;
use cotenant_golden::llc::cache::{Counts, Geometry, Outcome, Stack};
use cotenant_golden::llc::llc_monitor::{In, Matrix, Out};
use cotenant_golden::workload::Access;
use cotenant_golden::Model;
use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;
use std::collections::{HashMap, VecDeque};

/// Cycles from a request to its report.
const REPORT: usize = 4;
/// Cycles from an address to its count.
const READ: usize = 2;
/// Low bits of a tag that are kept when it does not fit, at most.
const KEPT: usize = 24;

/// The monitor and what software has read from it.
pub(in crate::experiments::replay) struct Monitor {
    geometry: Geometry,
    pub pair: Pair<LlcMonitor>,
    /// Of the coming cycle.
    input: In,
    together: bool,
    /// What the accesses of the coming cycle, and of the last ones, have to become; by bank.
    expected: VecDeque<Vec<Option<Expected>>>,
    /// Accesses since the last snapshot, or cycles if `timed`.
    since: u64,
    period: u64,
    /// The accesses have cycles, and periods are counted in them.
    timed: bool,
    /// Counters whose address is still to be given to the read port.
    to_read: VecDeque<Address>,
    /// Those that come out in the next cycles.
    coming: VecDeque<Option<Address>>,
    totals: HashMap<(u8, u8, u8), u64>,
    tags: Tags,
}

/// A counter: matrix, row, column.
type Address = (Matrix, u8, u8);

/// What an access does.
#[derive(Debug, Clone, Copy)]
struct Expected {
    number: u64,
    hit: bool,
    way: u8,
    evicts: bool,
    /// Owner of the line hit or evicted.
    owner: u8,
}

impl Monitor {
    /// A monitor whose sets have been cleared.
    ///
    /// # Errors
    /// [`Error::Interface`] if ports or registers are not the golden model's.
    pub fn new(
        geometry: &Geometry,
        set: &ParameterSet,
        netlist: &Netlist,
        engine: Engine,
        together: bool,
        found: &mut Findings,
    ) -> Result<Self> {
        let pair = Pair::<LlcMonitor>::new(set, netlist, engine)?;
        let params = &pair.params;
        let largest = u64::MAX >> (64 - params.cnt_w);
        // Accesses in flight at the snapshot count in the next period.
        let late = (params.banks * (REPORT + params.stages)) as u64;
        let banks = params.banks;
        let mut monitor = Monitor {
            geometry: *geometry,
            input: In::idle(params),
            together,
            expected: VecDeque::from(vec![vec![None; banks]; REPORT + 1]),
            since: 0,
            period: (largest / params.ways as u64)
                .saturating_sub(late)
                .clamp(1, PERIOD),
            timed: false,
            to_read: VecDeque::new(),
            coming: VecDeque::from(vec![None; READ]),
            totals: HashMap::new(),
            tags: Tags::new(params.tag_w),
            pair,
        };
        while monitor.pair.model.state().sweeping && found.mismatch.is_none() {
            monitor.cycle(0, found);
        }
        Ok(monitor)
    }

    /// From now on a cycle passes when [`advance`](Monitor::advance) says so, and a period takes
    /// `period` cycles, or as many as the counters have room for.
    pub fn timed(&mut self, period: u64) {
        let params = &self.pair.params;
        let largest = u64::MAX >> (64 - params.cnt_w);
        // A bank counts one access per cycle, which demotes a set's lines at most.
        self.period = period.clamp(1, (largest / params.ways as u64).max(1));
        self.timed = true;
        self.together = true;
        self.since = 0;
    }

    /// Cycles between two snapshots of a timed run.
    pub fn period(&self) -> u64 {
        self.period
    }

    /// Ends the present cycle; the accesses that come belong to the next.
    pub fn advance(&mut self, number: u64, found: &mut Findings) {
        self.since += 1;
        self.cycle(number, found);
    }

    /// One access.
    ///
    /// # Errors
    /// [`Error::Tags`].
    pub fn access(
        &mut self,
        number: u64,
        access: &Access,
        before: &Stack,
        outcome: &Outcome,
        found: &mut Findings,
    ) -> Result<()> {
        let set = outcome.set as usize;
        let bank = self.geometry.bank_of(set);
        if self.input.access_valid >> bank & 1 == 1 {
            self.cycle(number, found);
        }
        self.input.access_valid |= 1 << bank;
        self.input.request_set[bank] = self.geometry.set_in_bank(set) as u32;
        self.input.access_tag[bank] = self.tags.of(self.geometry.tag_of(access.address))?;
        self.input.access_requester[bank] = access.kernel.into();
        let evicts = !outcome.hit && outcome.victim_valid;
        let owner = match outcome.hit {
            true => before.owner[usize::from(outcome.hit_pos)],
            false if evicts => outcome.victim_owner,
            false => 0,
        };
        self.expected[0][bank] = Some(Expected {
            number,
            hit: outcome.hit,
            way: outcome.way,
            evicts,
            owner,
        });
        self.since += u64::from(!self.timed);
        if !self.together {
            self.cycle(number, found);
        }
        Ok(())
    }

    /// Drains the pipeline, reads out what is left and compares sums and sets.
    pub fn finish(&mut self, number: u64, counts: &Counts, found: &mut Findings) {
        for _ in 0..REPORT + self.pair.params.stages + 1 {
            self.cycle(number, found);
        }
        while self.reading() && found.mismatch.is_none() {
            self.cycle(number, found);
        }
        // Whatever was in flight at the last snapshot is in the counters now.
        self.since = self.period;
        self.cycle(number, found);
        while self.reading() && found.mismatch.is_none() {
            self.cycle(number, found);
        }
        let difference = self.pair.memory_difference();
        found.note(difference, number, name);
        let cell = |kid: usize, misses: bool| {
            let kernel = &counts.kernels[kid];
            match misses {
                true => kernel.misses,
                false => kernel.hits,
            }
        };
        for (matrix, row, column) in addresses(self.geometry.kernels) {
            let (v, a) = (usize::from(row), usize::from(column));
            let golden = match matrix {
                Matrix::Gdc => counts.gdc[v][a],
                Matrix::Ike => counts.ike[v][a],
                // Others than those of `addresses` are not read.
                _ => cell(a, row == 1),
            };
            let key = (matrix.code(), row, column);
            let dut = self.totals.get(&key).copied().unwrap_or_default();
            let difference = (dut != golden).then(|| Difference {
                field: format!("sum of all snapshots of {matrix:?}[{row}][{column}]"),
                dut,
                golden,
            });
            found.note(difference, number, name);
        }
    }

    /// Counters are still to be collected.
    fn reading(&self) -> bool {
        !self.to_read.is_empty() || self.coming.iter().any(Option::is_some)
    }

    /// One cycle; `number` is the access that is under way.
    fn cycle(&mut self, number: u64, found: &mut Findings) {
        // A snapshot may not overtake the reading of the one before.
        self.input.snapshot = self.since >= self.period && !self.reading();
        let address = self.to_read.pop_front();
        let (matrix, row, column) = address.unwrap_or((Matrix::Gdc, 0, 0));
        self.input.read_matrix = matrix.code();
        self.input.read_victim = row;
        self.input.read_aggressor = column;
        let (out, difference) = self.pair.step(&self.input);
        found.cycle();
        found.note(difference, number, name);
        if let Some((number, difference)) = against_cache(&out, &self.expected[REPORT]) {
            found.note(Some(difference), number, name);
        }
        if let Some((matrix, row, column)) = self.coming.pop_front().flatten() {
            *self.totals.entry((matrix.code(), row, column)).or_default() += out.read_count;
        }
        self.coming.push_back(address);
        let accesses = out.overflow_access & 3;
        let saturated = out.overflow_gdc | out.overflow_ike | accesses;
        let difference = (saturated != 0).then(|| Difference {
            field: "overflow, in a period too short for it".into(),
            dut: saturated,
            golden: 0,
        });
        found.note(difference, number, name);
        if self.input.snapshot {
            self.to_read.extend(addresses(self.geometry.kernels));
            self.since = match self.timed {
                true => 0,
                false => self.input.access_valid.count_ones().into(),
            };
        }
        self.input.access_valid = 0;
        self.expected.rotate_right(1);
        self.expected[0].fill(None);
    }
}

fn name() -> String {
    "llc_monitor".into()
}

/// All counters: both matrices, then hits and misses.
fn addresses(kernels: usize) -> impl Iterator<Item = Address> {
    let kernels = kernels as u8;
    let rows = [
        (Matrix::Gdc, kernels),
        (Matrix::Ike, kernels),
        (Matrix::Accesses, 2),
    ];
    rows.into_iter().flat_map(move |(matrix, rows)| {
        (0..rows).flat_map(move |row| (0..kernels).map(move |column| (matrix, row, column)))
    })
}

/// What the monitor reports of each bank, which netlist and model share, against the cache.
fn against_cache(out: &Out, expected: &[Option<Expected>]) -> Option<(u64, Difference)> {
    expected.iter().enumerate().find_map(|(bank, expected)| {
        let bit = |mask: u64| mask >> bank & 1;
        let reported = [
            ("done_valid", bit(out.done_valid)),
            ("done_hit", bit(out.done_hit)),
            ("done_way", out.done_way[bank].into()),
            ("done_evict", bit(out.done_evict)),
            ("done_owner", out.done_owner[bank].into()),
        ];
        let done: [u64; 5] = expected.as_ref().map_or([0; 5], |e| {
            [
                1,
                e.hit.into(),
                e.way.into(),
                e.evicts.into(),
                e.owner.into(),
            ]
        });
        let mut both = reported.into_iter().zip(done);
        both.find(|((_, dut), golden)| dut != golden)
            .map(|((port, dut), golden)| {
                let field = format!("{port}[{bank}] beside the cache");
                let number = expected.as_ref().map_or(0, |e| e.number);
                (number, Difference { field, dut, golden })
            })
    })
}

/// Tags as the hardware has room for them.
///
/// A tag that is too wide keeps its low bits; those above are numbered in the order in which they
/// come. Whether two tags are equal, and nothing else matters, stays as it is.
struct Tags {
    width: usize,
    kept: usize,
    regions: HashMap<u64, u64>,
}

impl Tags {
    fn new(width: usize) -> Self {
        Tags {
            width,
            kept: KEPT.min((width - 1) / 2),
            regions: HashMap::new(),
        }
    }

    fn of(&mut self, tag: u64) -> Result<u64> {
        // The top bit tells the two kinds apart.
        let marked = 1u64 << (self.width - 1);
        if tag < marked {
            return Ok(tag);
        }
        let room = marked >> self.kept;
        let number = self.regions.len() as u64;
        let region = *self.regions.entry(tag >> self.kept).or_insert(number);
        if region >= room {
            return Err(Error::Tags {
                width: self.width,
                regions: room,
            });
        }
        Ok(marked | region << self.kept | tag & ((1 << self.kept) - 1))
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: two tags are equal after the renumbering if and only if they were before, they
    //! fit, and running out of room is an error, not a wrong hit.
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn wide_tags_fit_and_stay_apart() {
        let mut tags = Tags::new(36);
        let wide = [
            0,
            5,
            (1 << 35) - 1,
            1 << 35,
            1 << 36,
            (1 << 36) + 5,
            5 << 40,
            u64::MAX >> 13,
        ];
        let seen: HashSet<u64> = wide.iter().map(|&tag| tags.of(tag).unwrap()).collect();
        assert_eq!(seen.len(), wide.len());
        assert!(seen.iter().all(|&tag| tag < 1 << 36));
        assert_eq!(tags.of(5).unwrap(), 5);
        assert_eq!(tags.of(1 << 36).unwrap(), tags.of(1 << 36).unwrap());
    }

    #[test]
    fn too_many_regions_are_refused() {
        let mut tags = Tags::new(36);
        // 36 bits: the mark, 18 of the region, 17 kept.
        for region in 0..1 << 18 {
            tags.of(1 << 40 | region << tags.kept).unwrap();
        }
        let error = tags.of(1 << 41).unwrap_err();
        assert!(error.to_string().contains("262144"), "{error}");
    }
}
