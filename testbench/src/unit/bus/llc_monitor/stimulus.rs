//! `llc_monitor_apb` and `llc_monitor_axi`: the cache's requests as for
//! [`llc_monitor`](crate::unit::llc::llc_monitor::stimulus), and software.

use cotenant_golden::bus::llc_monitor::{In, LlcMonitorBus as Model};
use cotenant_golden::llc::llc_monitor::{self as monitor, Matrix, Params};
use cotenant_golden::Model as _;
use serde::{Deserialize, Serialize};

use crate::unit::bus::stimulus::transfer::Transaction as Transfers;
use crate::unit::bus::stimulus::Master;
use crate::unit::bus::LlcMonitorBus;
use crate::unit::llc::llc_monitor::stimulus as cache;
use crate::unit::llc::shared::{near_limit, DISTANCE};
use crate::unit::llc::LlcMonitor;
use crate::verify::stimulus::{stream, Drive, Knobs, Pace, Profile, Random, Source};

/// A cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// What the cache asks. What software would do on ports of the monitor's own is not looked at.
    pub cache: cache::Transaction,
    /// What software asks.
    pub bus: Transfers,
}

/// Software, and the ports of the cache.
#[derive(Debug, Clone)]
pub struct World<M> {
    master: M,
    ports: monitor::In,
}

/// Cycles after a sweep in which the sets of a far state fill.
const FILL: usize = 256;

impl<B: Master> Drive for LlcMonitorBus<B> {
    type Transaction = Transaction;
    type World = World<B::Master>;
    const PROFILES: &'static [Profile] = LlcMonitor::PROFILES;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(params: &Params) -> Self::World {
        World {
            master: B::Master::default(),
            ports: monitor::In::idle(params),
        }
    }

    fn idle(params: &Params) -> In<B::In> {
        In::idle(params)
    }

    fn nothing(params: &Params) -> Transaction {
        Transaction {
            cache: LlcMonitor::nothing(params),
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
        let World { master, ports } = world;
        cache::resolve(params, &state.monitor, &transaction.cache, ports);
        input.set_cache(ports);
        let wanted = transaction.bus.transfer;
        let wanted = wanted.filter(|transfer| B::has_room(master, transfer.write));
        let map = model.registers().map();
        let asked = wanted.map(|transfer| transfer.resolve(map, params.kernels));
        let answer = state.registers.access.answer();
        input.bus = B::drive(master, &state.bus, answer, asked, &transaction.bus);
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
        LlcMonitor::draw(params, knobs, pace, random, &mut transaction.cache);
        transaction.bus = Transfers::draw(knobs, random);
    }

    /// Swept and partly filled sets, registers that have been written, and counters near their
    /// limit; no transfer is on its way.
    fn far(params: &Params, random: &mut Random) -> Option<Model<B>> {
        let mut model = Model::<B>::new(params.clone()).ok()?;
        let mut input = Self::idle(params);
        let mut misses = stream::<Self>(params, Profile::Misses, random.bits());
        for _ in 0..params.sets + FILL {
            misses.input(params, &model, &mut input);
            model.step(&input);
        }
        for bank in 0..params.banks {
            for matrix in Matrix::ALL {
                let rows = if matrix == Matrix::Accesses {
                    2
                } else {
                    params.kernels
                };
                let preset = |row, kernel, count| model.preset(bank, matrix, row, kernel, count);
                let shape = (rows, params.kernels);
                near_limit(shape, params.cnt_w, DISTANCE, random, preset);
            }
        }
        model.quiet();
        Some(model)
    }
}
