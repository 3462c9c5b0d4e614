//! Single units beside the replayed cache: one `lru_stack` per set, one `gdcu` per
//! bank, for geometries that an `llc_monitor` cannot have.
//!
//! The stacks tell the GDCUs hit position, owners and valid bits, as in
//! figure 1 of the GDC paper, and are compared with the golden cache at every
//! access. The counters are read as software would: one snapshot per period,
//! then the read port, one pair per cycle. Their sums must be the golden
//! cache's matrix. A bank's cycle is an access to it; traces have no timing.

use super::{Findings, PERIOD};
use crate::error::{Error, Result};
use crate::experiments::replay::pair::Pair;
use crate::unit::llc::{Gdcu, LruStack};
use crate::verify::dut::Difference;
use cotenant_golden::llc::cache::{Geometry, Outcome, Stack};
use cotenant_golden::llc::{gdcu, lru_stack};
use cotenant_golden::Model;
use cotenant_netlist::sim::{Engine, State};
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;

/// All instances of the units.
pub(in crate::experiments::replay) struct Units {
    geometry: Geometry,
    /// The code and the scratch state of all stacks.
    pub stack: Pair<LruStack>,
    stacks: Vec<(State, lru_stack::LruStack)>,
    pub banks: Vec<Bank>,
    stack_in: lru_stack::In,
}

/// A bank's GDCU and what software has read from it.
pub(in crate::experiments::replay) struct Bank {
    pub pair: Pair<Gdcu>,
    input: gdcu::In,
    /// Accesses since the last snapshot.
    since: u64,
    /// Pairs whose address is still to be given to the read port.
    to_read: std::vec::IntoIter<(u8, u8)>,
    /// The pair whose count comes out in the next cycle.
    coming: Option<(u8, u8)>,
    totals: Vec<Vec<u64>>,
}

impl Units {
    /// Units for a geometry: an `lru_stack` and a `gdcu` with their parameter sets.
    ///
    /// # Errors
    /// [`Error::Interface`] if ports or registers are not the golden models'.
    pub fn new(
        geometry: &Geometry,
        (stack_set, stack): (&ParameterSet, &Netlist),
        (gdcu_set, gdcu): (&ParameterSet, &Netlist),
        engine: Engine,
    ) -> Result<Self> {
        let stack = Pair::<LruStack>::new(stack_set, stack, engine)?;
        let stacks = vec![(stack.state(), stack.model.clone()); geometry.sets];
        let banks = (0..geometry.banks)
            .map(|_| Bank::new(Pair::new(gdcu_set, gdcu, engine)?, geometry.kernels))
            .collect::<Result<_>>()?;
        let stack_in = lru_stack::In {
            access_valid: true,
            ..Default::default()
        };
        Ok(Units {
            geometry: *geometry,
            stack,
            stacks,
            banks,
            stack_in,
        })
    }

    /// One access: the set's stack and its bank's counters, one cycle each.
    ///
    /// # Errors
    /// [`Error::Simulate`] if a state cannot be put back.
    pub fn access(
        &mut self,
        number: u64,
        kernel: u8,
        before: &Stack,
        outcome: &Outcome,
        found: &mut Findings,
    ) -> Result<()> {
        let set = outcome.set as usize;
        let bank = self.geometry.bank_of(set);
        let failed = |source| Error::Simulate {
            unit: "lru_stack",
            source,
        };
        let (state, model) = &mut self.stacks[set];
        self.stack.dut.sim_mut().restore(state).map_err(failed)?;
        std::mem::swap(&mut self.stack.model, model);
        self.stack.pack_state();
        self.stack_in.access_hit = outcome.hit;
        self.stack_in.access_way = outcome.way;
        self.stack_in.access_kid = kernel;
        let (out, difference) = self.stack.step(&self.stack_in);
        self.stack.dut.sim().save_into(state).map_err(failed)?;
        std::mem::swap(&mut self.stack.model, model);
        found.cycle();
        let difference = difference.or_else(|| against_cache(&out, before, outcome));
        found.note(difference, number, || format!("lru_stack of set {set}"));

        let difference = self.banks[bank].access(kernel, &out);
        found.cycle();
        found.note(difference, number, || format!("gdcu of bank {bank}"));
        Ok(())
    }

    /// Reads out what is left and compares the sums with the golden cache's.
    pub fn finish(&mut self, number: u64, gdc: &[Vec<u64>], found: &mut Findings) {
        for bank in 0..self.banks.len() {
            while found.mismatch.is_none() && self.banks[bank].pending() {
                let difference = self.banks[bank].bubble();
                found.cycle();
                found.note(difference, number, || format!("gdcu of bank {bank}"));
            }
        }
        for (victim, row) in gdc.iter().enumerate() {
            for (aggressor, &golden) in row.iter().enumerate() {
                let sum = self.banks.iter().map(|b| b.totals[victim][aggressor]).sum();
                let difference = (sum != golden).then(|| Difference {
                    field: format!("sum of all snapshots of count[{victim}][{aggressor}]"),
                    dut: sum,
                    golden,
                });
                found.note(difference, number, || "gdcu of all banks".into());
            }
        }
    }
}

/// The stack's outputs, which netlist and model share, against the cache.
fn against_cache(out: &lru_stack::Out, before: &Stack, outcome: &Outcome) -> Option<Difference> {
    let differ = |field: String, dut: u64, golden: u64| {
        (dut != golden).then(|| Difference {
            field: format!("{field} beside the cache"),
            dut,
            golden,
        })
    };
    let element = |name: &str, stack: &[u8], cache: &[u8]| {
        let mut both = stack.iter().zip(cache).enumerate();
        both.find(|(_, (a, b))| a != b)
            .and_then(|(i, (&a, &b))| differ(format!("{name}[{i}]"), a.into(), b.into()))
    };
    let victim = || {
        let way = differ(
            "victim_way".into(),
            out.victim_way.into(),
            outcome.way.into(),
        );
        way.filter(|_| !outcome.hit)
    };
    differ("hit_pos".into(), out.hit_pos.into(), outcome.hit_pos.into())
        .or_else(|| element("stack_way", &out.stack_way, &before.way))
        .or_else(|| differ("stack_valid".into(), out.stack_valid, before.valid))
        .or_else(|| {
            let valid = before.valid.count_ones() as usize;
            element(
                "stack_owner",
                &out.stack_owner[..valid],
                &before.owner[..valid],
            )
        })
        .or_else(|| {
            differ(
                "victim_valid".into(),
                out.victim_valid.into(),
                outcome.victim_valid.into(),
            )
        })
        .or_else(victim)
}

impl Bank {
    fn new(pair: Pair<Gdcu>, kernels: usize) -> Result<Self> {
        Ok(Bank {
            pair,
            input: gdcu::In::default(),
            since: 0,
            to_read: vec![].into_iter(),
            coming: None,
            totals: vec![vec![0; kernels]; kernels],
        })
    }

    /// Accesses after which a counter could be full, and less.
    fn period(&self) -> u64 {
        let params = &self.pair.params;
        let largest = u64::MAX >> (64 - params.cnt_w);
        // Accesses in flight at the snapshot count in the next period.
        (largest / params.ways as u64)
            .saturating_sub(params.stages as u64)
            .clamp(1, PERIOD)
    }

    fn access(&mut self, kernel: u8, stack: &lru_stack::Out) -> Option<Difference> {
        self.input.access_valid = true;
        self.input.access_pos = stack.hit_pos;
        self.input.access_kid = kernel;
        self.input.stack_owner.clear();
        self.input.stack_owner.extend_from_slice(&stack.stack_owner);
        self.input.stack_valid = stack.stack_valid;
        // A snapshot may not overtake the reading of the one before.
        let reading = self.to_read.len() > 0 || self.coming.is_some();
        self.input.snapshot = self.since >= self.period() && !reading;
        self.since += 1;
        self.cycle()
    }

    /// Whether counts are still to be collected.
    fn pending(&self) -> bool {
        self.since > 0 || self.to_read.len() > 0 || self.coming.is_some()
    }

    /// A cycle without an access, to drain the pipeline and read out.
    fn bubble(&mut self) -> Option<Difference> {
        let drained = !self
            .pair
            .model
            .state()
            .in_flight
            .iter()
            .any(|access| access.valid);
        let reading = self.to_read.len() > 0 || self.coming.is_some();
        self.input.access_valid = false;
        self.input.snapshot = drained && !reading && self.since > 0;
        self.cycle()
    }

    fn cycle(&mut self) -> Option<Difference> {
        let address = self.to_read.next();
        (self.input.read_victim, self.input.read_aggressor) = address.unwrap_or_default();
        let (out, difference) = self.pair.step(&self.input);
        if let Some((victim, aggressor)) = std::mem::replace(&mut self.coming, address) {
            self.totals[usize::from(victim)][usize::from(aggressor)] += out.read_count;
        }
        if self.input.snapshot {
            let kernels = self.totals.len() as u8;
            let pairs = (0..kernels).flat_map(|v| (0..kernels).map(move |a| (v, a)));
            self.to_read = pairs.collect::<Vec<_>>().into_iter();
            self.since = u64::from(self.input.access_valid);
        }
        difference
    }
}
