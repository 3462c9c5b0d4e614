//! `mem_issue_apb` and `mem_issue_axi`: the SM's inputs as for
//! [`mem_issue`](crate::unit::sm::mem_issue::stimulus), and software.

use cotenant_golden::bus::mem_issue::{In, MemIssueBus as Model};
use cotenant_golden::sm::mem_issue::{self as issue, Params};
use cotenant_golden::Model as _;
use serde::{Deserialize, Serialize};

use crate::unit::bus::stimulus::transfer::Transaction as Transfers;
use crate::unit::bus::stimulus::Master;
use crate::unit::bus::MemIssueBus;
use crate::unit::sm::mem_issue::stimulus as sm;
use crate::unit::sm::MemIssue;
use crate::verify::stimulus::{Drive, Knobs, Pace, Profile, Random};

/// A cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// What the SM asks. Limits that would be set on the unit's own ports are not looked at.
    pub sm: sm::Transaction,
    /// What software asks.
    pub bus: Transfers,
}

/// Software, and the LSU.
#[derive(Debug, Clone)]
pub struct World<M> {
    master: M,
    lsu: sm::World,
}

impl<B: Master> Drive for MemIssueBus<B> {
    type Transaction = Transaction;
    type World = World<B::Master>;
    const PROFILES: &'static [Profile] = MemIssue::PROFILES;
    const FAR_STARTS: u64 = MemIssue::FAR_STARTS;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(params: &Params) -> Self::World {
        World {
            master: B::Master::default(),
            lsu: MemIssue::world(params),
        }
    }

    fn idle(_: &Params) -> In<B::In> {
        In::default()
    }

    fn nothing(params: &Params) -> Transaction {
        Transaction {
            sm: MemIssue::nothing(params),
            bus: Transfers::NOTHING,
        }
    }

    fn resolve(
        params: &Params,
        model: &Model<B>,
        world: &mut Self::World,
        transaction: &Transaction,
        input: &mut In<B::In>,
    ) {
        let state = model.state();
        let World { master, lsu } = world;
        let mut ports = issue::In::default();
        sm::resolve(params, &state.issue, lsu, &transaction.sm, &mut ports);
        let wanted = transaction.bus.transfer;
        let wanted = wanted.filter(|transfer| B::has_room(master, transfer.write));
        let map = model.registers().map();
        let asked = wanted.map(|transfer| transfer.resolve(map, params.kernels));
        let answer = state.registers.access.answer();
        let bus = B::drive(master, &state.bus, answer, asked, &transaction.bus);
        *input = In::new(&ports, bus);
        if ports.reset {
            *master = B::Master::default();
        }
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        MemIssue::draw(params, knobs, pace, random, &mut transaction.sm);
        transaction.bus = Transfers::draw(knobs, random);
    }

    fn far_cycles(params: &Params) -> (u64, u64) {
        MemIssue::far_cycles(params)
    }

    /// That of the unit without a bus, with registers after reset.
    fn far(params: &Params, random: &mut Random) -> Option<Model<B>> {
        let mut model = Model::<B>::new(params.clone()).ok()?;
        model.load(MemIssue::far(params, random)?.state());
        Some(model)
    }
}
