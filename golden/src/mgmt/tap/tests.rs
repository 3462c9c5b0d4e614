//! Rationale: the masks for all cases of what they follow from, as sections 3.3, 3.4 and 5.3 list
//! them; the detector at both thresholds; what is counted and when the masks change. Then together
//! with the units that give the ratio and take the masks.
use super::*;
use crate::mgmt::{ucp, xsratio};
use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};

fn params(applications: usize) -> Params {
    Params {
        applications,
        cnt_w: 21,
        xs_w: 10,
    }
}

fn idle(applications: usize) -> In {
    In {
        accesses: ByApplication::from_fn(applications, |_| 0),
        stream_accesses: 100,
        stream_rate: 192,
        detect: true,
        ..In::default()
    }
}

/// A model in whose last period each application made so many accesses and misses.
fn after(applications: &[(u64, u64)]) -> Tap {
    let count = applications.len();
    let mut model = Tap::new(params(count)).unwrap();
    for (application, &(_, misses)) in applications.iter().enumerate() {
        model.preset(application, misses);
    }
    model.step(&In {
        period: true,
        accesses: ByApplication::from_fn(count, |i| applications[i].0),
        ..idle(count)
    });
    model
}

/// The masks for applications of the GPU that caching does not help, and the ratio.
fn decided(model: &mut Tap, gpu: u64, insensitive: u64, xsratio: u64) -> Out {
    let applications = model.params().applications;
    let input = In {
        gpu,
        insensitive,
        xsratio,
        xsratio_done: true,
        ..idle(applications)
    };
    model.assume(&input).unwrap();
    assert!(!model.step(&input).start);
    let out = model.step(&idle(applications));
    assert!(out.start);
    assert!(!model.step(&idle(applications)).start);
    out
}

const STREAMS: (u64, u64) = (100, 75);
const REUSES: (u64, u64) = (100, 74);
const ABSENT: (u64, u64) = (0, 0);

/// "The CSC sets the UCP-Mask register when caching is not effective; otherwise the value of the
/// UCP-Mask remains 0"; "RRIP-Mask = caching does not help, or XSRATIO > 1".
#[test]
fn masks_without_streaming() {
    for insensitive in [0, 1] {
        for xsratio in [1, 2, 11, 1023] {
            let mut model = after(&[REUSES, (100, 100)]);
            let out = decided(&mut model, 0b10, insensitive << 1, xsratio);
            assert_eq!(out.ucp_mask, insensitive << 1);
            let masked = insensitive == 1 || xsratio > 1;
            assert_eq!(out.rrip_mask, u64::from(masked) << 1);
            assert_eq!(out.ratio, [1, xsratio]);
        }
    }
}

/// "One way under TAP-UCP; RRIP-Mask reset under TAP-RRIP. ASSUMPTION: when all CPU applications
/// stream."
#[test]
fn masks_with_streaming() {
    const GPU: (u64, u64) = (1000, 1000);
    for (cpus, ucp_mask, rrip_mask) in [
        ([STREAMS, REUSES], 0b011, 0b001),
        ([REUSES, STREAMS], 0b101, 0b001),
        ([REUSES, REUSES], 0b001, 0b001),
        ([STREAMS, STREAMS], 0b110, 0b000),
        ([STREAMS, ABSENT], 0b010, 0b000),
        ([ABSENT, ABSENT], 0b001, 0b001),
    ] {
        let mut model = after(&[GPU, cpus[0], cpus[1]]);
        let out = decided(&mut model, 0b001, 0b111, 11);
        assert_eq!(
            (out.ucp_mask, out.rrip_mask),
            (ucp_mask, rrip_mask),
            "{cpus:?}"
        );
        assert_eq!(out.ratio, [11, 1, 1]);
    }
    // Nobody is left who may get more than one way.
    let mut model = after(&[STREAMS, STREAMS]);
    assert_eq!(decided(&mut model, 0, 0, 1).ucp_mask, 0);
    let mut model = after(&[GPU, GPU]);
    assert_eq!(decided(&mut model, 0b11, 0b11, 1).ucp_mask, 0);
    assert_eq!(decided(&mut model, 0b11, 0b10, 1).ucp_mask, 0b10);
}

/// "Detector: miss rate and access frequency over the period."
#[test]
fn an_application_streams_that_misses_often_in_many_accesses() {
    for (accesses, misses, streams) in [
        (100, 75, true),
        (100, 74, false),
        (99, 99, false),
        (101, 75, false),
        (101, 76, true),
        (1 << 20, 3 << 18, true),
        (1 << 20, (3 << 18) - 1, false),
    ] {
        let mut model = after(&[(accesses, misses), (0, 0)]);
        let out = model.step(&idle(2));
        assert_eq!(out.streaming, u64::from(streams), "{misses} of {accesses}");
        assert_eq!(
            streams,
            accesses >= 100 && misses as f64 / accesses as f64 >= 0.75
        );
    }
    // Basic TAP does not look.
    let mut model = Tap::new(params(2)).unwrap();
    model.preset(0, 100);
    model.step(&In {
        period: true,
        detect: false,
        accesses: ByApplication::copied(&[100, 0]),
        ..idle(2)
    });
    assert_eq!(model.step(&idle(2)).streaming, 0);
}

proptest! {
    /// Misses are counted, not hits, and those in the cycle in which a period ends are the next one's.
    #[test]
    fn no_miss_is_lost_between_periods(
        cycles in prop::collection::vec((any::<bool>(), any::<bool>(), 0..3_u8, 0..8_u8), 1..200),
    ) {
        let mut model = Tap::new(params(3)).unwrap();
        let (mut closed, mut all) = ([0; 3], [0; 3]);
        for (access_valid, access_hit, access_app, ends) in cycles {
            let missed = u64::from(access_valid && !access_hit);
            let period = ends == 0;
            if period {
                for (closed, misses) in closed.iter_mut().zip(&model.state().misses) {
                    *closed += misses;
                }
            }
            model.step(&In { access_valid, access_hit, access_app, period, ..idle(3) });
            if period {
                prop_assert_eq!(model.state().misses.iter().sum::<u64>(), missed);
            }
            all[usize::from(access_app)] += missed;
        }
        for application in 0..3 {
            prop_assert_eq!(closed[application] + model.state().misses[application], all[application]);
        }
    }

    /// "Gets one way only when UCP-Mask is 1": with `ucp`, whatever the monitors have counted, a masked
    /// application of the GPU never gets a second way, and neither does a streaming one.
    #[test]
    fn a_masked_application_never_gets_a_second_way(
        applications in prop::collection::vec((0..300_u64, 0..300_u64), 2..6),
        gpu in 0..64_u64,
        insensitive in any::<u64>(),
        xsratio in 1..1024_u64,
        counters in prop::collection::vec(0..1000_u64, 6 * 16),
    ) {
        let count = applications.len();
        let all = limit(count);
        let mut model = after(&applications);
        let out = decided(&mut model, gpu & all, insensitive & all, xsratio);
        prop_assert!(out.ucp_mask != all);
        let mut ucp = ucp::Ucp::new(ucp::Params { ways: 16, applications: count, cnt_w: 21, xs_w: 10 }).unwrap();
        let mut start = ucp::In {
            start: true,
            ucp_mask: out.ucp_mask,
            xsratio: out.ratio,
            read_count: ByApplication::from_fn(count, |_| 0),
            ..ucp::In::default()
        };
        prop_assert!(ucp.assume(&start).is_ok());
        loop {
            let asked = usize::from(ucp.step(&start).read_position);
            start.start = false;
            start.read_count = ByApplication::from_fn(count, |i| counters[i * 16 + asked % 16]);
            if ucp.state().done {
                break;
            }
        }
        for (application, &quota) in ucp.state().quota.iter().enumerate() {
            prop_assert!(out.ucp_mask >> application & 1 == 0 || quota == 1);
        }
    }
}

/// With `xsratio`: its counters are those that the detector looks at, and its ratio is the GPU's.
#[test]
fn beside_the_ratio() {
    let mut counts = xsratio::Xsratio::new(xsratio::Params {
        applications: 2,
        xs_w: 10,
        cnt_w: 21,
        t_xs: 10,
    })
    .unwrap();
    let mut model = Tap::new(params(2)).unwrap();
    let mut cycle = |app: Option<u8>, period: bool| {
        let counted = counts.step(&xsratio::In {
            access_valid: app.is_some(),
            access_app: app.unwrap_or(0),
            period,
            gpu: 0b10,
            ..xsratio::In::default()
        });
        model.step(&In {
            access_valid: app.is_some(),
            access_app: app.unwrap_or(0),
            period,
            accesses: counted.accesses,
            stream_accesses: 2,
            gpu: 0b10,
            xsratio: counted.xsratio,
            xsratio_done: counted.done,
            ..idle(2)
        })
    };
    // Who is of the GPU is known from the first period on.
    cycle(None, true);
    cycle(Some(0), false);
    for _ in 0..12 {
        cycle(Some(1), false);
    }
    cycle(None, true);
    let outs: Vec<Out> = (0..24).map(|_| cycle(None, false)).collect();
    assert_eq!(outs.iter().filter(|out| out.start).count(), 1);
    let out = outs.iter().find(|out| out.start).unwrap();
    assert_eq!((out.ratio[1], out.rrip_mask), (12, 0b10));
    // The application of the CPU made too few accesses to stream.
    assert_eq!((out.streaming, out.ucp_mask), (0b10, 0));
}

#[test]
fn a_reset_forgets_all() {
    let mut model = after(&[STREAMS, REUSES]);
    decided(&mut model, 0b10, 0b10, 7);
    model.step(&In {
        reset: true,
        ..idle(2)
    });
    let out = model.step(&idle(2));
    assert_eq!((out.ucp_mask, out.rrip_mask, out.streaming), (0, 0, 0));
    assert_eq!(out.ratio, [1, 1]);
    assert_eq!(model.state(), Tap::new(params(2)).unwrap().state());
}
