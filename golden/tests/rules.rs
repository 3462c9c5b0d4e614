//! Rationale: rules about inputs are what a unit's surroundings have to keep, so they must see at
//! its ports what the rules speak of. Rules about states must hold in each state that legal inputs
//! lead to: random inputs of all units, in sizes that reach every corner soon, and ones that are no
//! powers of two. That a rule can break is shown by the rules' own tests.

use cotenant_golden::llc::attribution::Mode;
use cotenant_golden::llc::{
    counter_matrix, demotion, gdcu, kid_demux, llc_monitor, lru_stack, plob, popcnt,
};
use cotenant_golden::ports::{Port, Ports};
use cotenant_golden::sm::mem_issue::{self, Limiter, Priority};
use cotenant_golden::sm::milg::{self, Release};
use cotenant_golden::sm::{qbmi, quota_unit, rbmi, request_ratio, smil};
use cotenant_golden::Model;
use rand::{Rng, SeedableRng};
use serde_json::Value;

const CYCLES: usize = 20_000;

/// An input with a random value in each port, often 0.
fn drawn<M: Model>(ports: &[Port], random: &mut impl Rng) -> M::In
where
    M::In: Default,
{
    let mut fields = serde_json::to_value(M::In::default()).unwrap();
    for port in ports {
        let (wide, whole) = (u64::MAX >> (64 - port.element_width), port.width().min(64));
        let mut value = |most: u64| random.random_range(0..=most) & random.random::<u64>();
        let field = &mut fields[port.name];
        *field = match field {
            Value::Bool(_) => (value(1) == 1).into(),
            Value::Array(_) => (0..port.elements).map(|_| value(wide)).collect(),
            _ => value(u64::MAX >> (64 - whole)).into(),
        };
    }
    // Nothing gets far that is reset all the time.
    if fields.get("reset").is_some() {
        fields["reset"] = random.random_ratio(1, 500).into();
    }
    serde_json::from_value(fields).unwrap()
}

fn keeps<M: Model>(params: M::Params)
where
    M::In: Default + Ports<M::Params>,
{
    let rules = M::rules(&params);
    for rule in &rules.legal {
        let hidden = rule.fact.hidden();
        assert!(hidden.is_empty(), "{params:?}: {}: {hidden:?}", rule.name);
    }
    for rule in &rules.invariants {
        assert!(rule.fact.inputs().is_empty(), "{}", rule.name);
    }
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    let ports = M::In::ports(&params);
    let mut model = M::new(params.clone()).unwrap();
    let (mut legal, mut illegal) = (0, 0);
    for cycle in 0..CYCLES {
        let input = drawn::<M>(&ports, &mut random);
        match model.assume(&input) {
            Ok(()) => {
                legal += 1;
                model.step(&input);
            }
            Err(_) => illegal += 1,
        }
        let broken = rules.broken_invariant(&input, model.state());
        let broken = broken.map(|rule| rule.name);
        assert_eq!(
            broken,
            None,
            "{params:?}, cycle {cycle}: {:?}",
            model.state()
        );
    }
    assert!(legal > CYCLES / 100, "{params:?}: {legal} legal inputs");
    assert!(illegal > 0 || rules.legal.is_empty(), "{params:?}");
}

#[test]
fn the_shared_caches_units_keep_their_rules() {
    keeps::<popcnt::Popcnt>(popcnt::Params { width: 3 });
    keeps::<kid_demux::KidDemux>(kid_demux::Params { kernels: 3 });
    keeps::<demotion::Demotion>(demotion::Params { ways: 4 });
    for (ways, kernels) in [(3, 3), (4, 3)] {
        keeps::<lru_stack::LruStack>(lru_stack::Params { ways, kernels });
    }
    for stages in 0..=2 {
        keeps::<gdcu::Gdcu>(gdcu::Params {
            ways: 3,
            kernels: 3,
            cnt_w: 4,
            stages,
        });
        keeps::<plob::Plob>(plob::Params {
            kernels: 3,
            cnt_w: 2,
            stages,
        });
    }
    keeps::<counter_matrix::CounterMatrix>(counter_matrix::Params {
        kernels: 3,
        inc_w: 2,
        cnt_w: 4,
    });
    keeps::<llc_monitor::LlcMonitor>(llc_monitor::Params {
        ways: 3,
        kernels: 3,
        sets: 4,
        banks: 2,
        tag_w: 3,
        cnt_w: 4,
        stages: 1,
        requesters: 3,
        sce: 0,
        sampled: 0,
        mode: Mode::Sixths,
        ram_stages: 0,
    });
}

#[test]
fn the_cores_units_keep_their_rules() {
    for release in Release::ALL {
        for (count_w, fail_w, interval_w) in [(1, 4, 1), (2, 4, 2), (3, 6, 3)] {
            keeps::<milg::Milg>(milg::Params {
                count_w,
                fail_w,
                interval_w,
                release,
            });
        }
    }
    keeps::<smil::Smil>(smil::Params {
        count_w: 3,
        limit_w: 2,
    });
    keeps::<request_ratio::RequestRatio>(request_ratio::Params { interval_w: 2 });
    keeps::<rbmi::Rbmi>(rbmi::Params { kernels: 3 });
    keeps::<quota_unit::QuotaUnit>(quota_unit::Params {
        kernels: 2,
        ratio_max: 3,
    });
    for (cap, lag) in [(false, 0), (true, 2)] {
        keeps::<qbmi::Qbmi>(qbmi::Params {
            kernels: 3,
            interval_w: 2,
            cap,
            lag,
        });
    }
    for limiter in [Limiter::Milg, Limiter::Smil] {
        for priority in [Priority::Rbmi, Priority::Qbmi] {
            keeps::<mem_issue::MemIssue>(mem_issue::Params {
                limiter,
                priority,
                count_w: 2,
                fail_w: 4,
                interval_w: 2,
                limit_w: 2,
                ..mem_issue::Params::paper(3)
            });
        }
    }
}
