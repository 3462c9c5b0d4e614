//! Rationale: `mem_issue` decides what is in flight, and what is in flight decides what it counts.
//! Open-loop stimulus would show the unit numbers that no LSU gives it. So the loop must be there:
//! other limits and other grants lead to other requests; a world that is kept from the grants
//! leaves coverage open; and a limit that sticks in the netlist, which the stimulus follows the
//! model past, is seen.

use cotenant::unit::sm::mem_issue::stimulus::Transaction;
use cotenant::unit::sm::smil::Limit;
use cotenant::unit::sm::MemIssue;
use cotenant::verify::coverage::{measure, CoverageReport};
use cotenant::verify::interface::{InOf, Interface, ParamsOf};
use cotenant::verify::lockstep::{check_in, Check, Flow, Lockstep};
use cotenant::verify::stimulus::{stream, Drive, Mix, Profile, Source, Stream};
use cotenant_golden::sm::mem_issue::{In, Limiter, MemIssue as Model, Params, Priority};
use cotenant_golden::Model as _;
use cotenant_netlist::fault::Fault;
use cotenant_netlist::sim::Engine;
use cotenant_units::table;

use crate::common::{CYCLES, SEED};

const RUN: usize = 60_000;

/// What an LSU answers to a model.
#[derive(Debug, Default, PartialEq, Eq)]
struct Answers {
    requests: u64,
    failures: u64,
    completions: u64,
    /// The most instructions of a kernel in flight.
    peak: u64,
    /// Whose the requests are, as they come.
    order: Vec<u8>,
}

/// The same wishes put to a model; each may be changed by `also` on its way.
fn answers(params: &Params, also: impl Fn(usize, &mut Transaction)) -> Answers {
    // Drawn for one and the same unit, whatever it is put to.
    let wishes = stream::<MemIssue>(&Params::paper(params.kernels), Profile::Misses, SEED);
    let mut model = Model::new(params.clone()).unwrap();
    let mut world = MemIssue::world(params);
    let mut input = MemIssue::idle(params);
    let mut answers = Answers::default();
    for (cycle, mut wish) in wishes.take(RUN).enumerate() {
        also(cycle, &mut wish);
        MemIssue::resolve(params, &model, &mut world, &wish, &mut input);
        answers.count(&input);
        let out = model.step(&input);
        answers.peak = answers
            .peak
            .max(out.in_flight.iter().copied().max().unwrap());
    }
    answers
}

impl Answers {
    fn count(&mut self, input: &In) {
        self.requests += u64::from(input.request_valid);
        self.failures += u64::from(input.fail_valid);
        self.completions += u64::from(input.complete.count_ones());
        if input.request_valid {
            self.order.push(input.lsu_kid);
        }
    }
}

fn nothing(_: usize, _: &mut Transaction) {}

#[test]
fn limits_change_what_comes_next() {
    let smil = Params {
        limiter: Limiter::Smil,
        ..Params::paper(2)
    };
    let set = |limit| {
        move |cycle: usize, wish: &mut Transaction| {
            wish.set = (cycle < 2).then_some((cycle as u8, limit));
        }
    };
    let free = answers(&smil, set(Limit::Lifted(0)));
    let few = answers(&smil, set(Limit::To(1)));
    assert!(
        few.peak <= 1 && free.peak > 20,
        "{} {}",
        few.peak,
        free.peak
    );
    // Fewer instructions in flight are fewer misses, for which there are MSHRs.
    assert!(free.failures > 1000, "{}", free.failures);
    assert!(
        few.failures < free.failures / 4,
        "{} {}",
        few.failures,
        free.failures
    );
    // The limits that the failures make do the same.
    let milg = answers(&Params::paper(2), nothing);
    assert!(
        milg.failures < free.failures,
        "{} {}",
        milg.failures,
        free.failures
    );
    assert_ne!(milg.order, free.order);
}

#[test]
fn grants_change_what_comes_next() {
    let of = |priority| {
        let params = Params {
            priority,
            ..Params::paper(2)
        };
        answers(&params, nothing)
    };
    let (rbmi, qbmi) = (of(Priority::Rbmi), of(Priority::Qbmi));
    assert_ne!(rbmi.order, qbmi.order);
    assert!(rbmi.completions > 100 && qbmi.completions > 100);
}

#[test]
fn what_is_issued_comes_back() {
    // All wishes end halfway.
    let run = answers(&Params::paper(3), |cycle, wish| {
        if cycle > RUN / 2 {
            wish.want = 0;
        }
    });
    let all = answers(&Params::paper(3), nothing);
    assert!(run.completions > 100 && run.completions < all.completions);
}

/// A stream whose world is forgotten in every cycle.
struct Cut(Stream<MemIssue>);

impl Source<MemIssue> for Cut {
    fn input(
        &mut self,
        params: &ParamsOf<MemIssue>,
        model: &Model,
        input: &mut InOf<MemIssue>,
    ) -> bool {
        let mut world = MemIssue::world(params);
        MemIssue::resolve(params, model, &mut world, self.0.advance(), input);
        true
    }
}

#[test]
fn a_loop_that_is_cut_leaves_coverage_open() {
    let set = table::set("mem_issue", "table-1").unwrap();
    let params = MemIssue::params(&set).unwrap();
    let stimulus = || stream::<MemIssue>(&params, Mix::default(), SEED);
    let of = |report: &CoverageReport, name: &str| {
        let cross = report.crosses.iter().find(|cross| cross.name == name);
        cross.map(|cross| (cross.hit, cross.total)).unwrap()
    };
    let report = measure::<MemIssue>(&params, stimulus(), CYCLES / 10).unwrap();
    assert_eq!(of(&report, "requests"), (6, 6), "{report}");
    let report = measure::<MemIssue>(&params, Cut(stimulus()), CYCLES / 10).unwrap();
    assert_eq!(of(&report, "requests"), (0, 6), "{report}");
    assert!(!report.closed());
}

#[test]
fn a_limit_that_sticks_is_caught() {
    let set = table::set("mem_issue", "table-1").unwrap();
    let netlist = MemIssue::netlist(&set).unwrap();
    for kernel in 0..2 {
        let name = format!("milg[{kernel}].limit_register");
        let reg = netlist.regs.iter().position(|reg| reg.name == name);
        let stuck = Fault::LostWrite { reg: reg.unwrap() };
        let faulty = netlist.with_fault(&stuck).unwrap();
        let lockstep = Lockstep::<MemIssue>::with_netlist(&set, &faulty, Engine::default());
        let options = Check::new(100_000, SEED);
        let report = check_in(&mut lockstep.unwrap(), &options, &mut |_| Flow::Continue).unwrap();
        let found = report.mismatch.expect("not found");
        assert!(found.field.contains("limit"), "{found:?}");
    }
}

#[test]
fn a_world_fits_a_model_that_it_did_not_lead_to() {
    let params = Params::paper(3);
    let mut stimulus = stream::<MemIssue>(&params, Mix::default(), SEED);
    let mut input = MemIssue::idle(&params);
    let mut random = cotenant::verify::stimulus::Random::new(SEED);
    let mut drained = false;
    for _ in 0..20 {
        // The stream goes on with another model.
        let mut model = MemIssue::far(&params, &mut random).unwrap();
        for _ in 0..500 {
            assert!(stimulus.input(&params, &model, &mut input));
            assert_eq!(model.assume(&input), Ok(()), "{input:?}");
            let before = model.state().milg[0].in_flight;
            model.step(&input);
            drained |= before > 0 && model.state().milg[0].in_flight == 0;
        }
    }
    assert!(drained, "what the LSU does not know must complete, too");
}
