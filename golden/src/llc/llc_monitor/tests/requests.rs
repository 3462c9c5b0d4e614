//! Accesses and invalidations on their way, alone and close together.
use super::*;

#[test]
fn each_outcome_alone() {
    let mut bench = Bench::ready();
    assert_eq!(bench.alone(&access(0, 2, 5)), missed(1), "an invalid way");
    assert_eq!(bench.alone(&access(0, 2, 6)), missed(0));
    assert_eq!(bench.set(2), (&[0, 1][..], &[0, 0][..], 0b11, &[6, 5][..]));
    assert_eq!(bench.alone(&access(1, 2, 5)), hit(1, 0), "LRU hit");
    assert_eq!(bench.alone(&access(0, 2, 5)), hit(1, 1), "MRU hit");
    assert_eq!(bench.alone(&access(1, 2, 7)), evicted(0, 0));
    assert_eq!(bench.alone(&access(1, 2, 8)), evicted(1, 0));
    assert_eq!(bench.set(2), (&[1, 0][..], &[1, 1][..], 0b11, &[7, 8][..]));
    assert_eq!(bench.set(1), EMPTY, "another set");
    assert_eq!(bench.alone(&invalidate(2, 1)), Done::default());
    assert_eq!(bench.set(2), (&[0, 1][..], &[1, 1][..], 0b01, &[7, 8][..]));
    // The invalid way still has the tag, which is no hit; nobody owned the line.
    assert_eq!(bench.alone(&access(0, 2, 8)), missed(1));
}

#[test]
fn a_request_cycle_by_cycle() {
    let mut bench = Bench::ready();
    let request = Request {
        access: true,
        set: 2,
        tag: 5,
        kid: 1,
        ..Request::default()
    };
    bench.step(&access(1, 2, 5));
    assert_eq!(bench.bank().compare, request, "t + 1");
    bench.idle(1);
    assert_eq!(bench.bank().lookup, request, "t + 2");
    assert_eq!(bench.bank().compare, Request::default());
    bench.idle(1);
    assert_eq!(bench.bank().update, request, "t + 3");
    assert_eq!(bench.bank().lookup, Request::default());
    assert_eq!(bench.set(2), EMPTY);
    assert!(!bench.bank().accesses.in_flight[0].valid);
    bench.idle(1);
    assert_eq!(bench.bank().done, missed(1), "t + 4");
    assert_eq!(bench.set(2).2, 0b01);
    let counted = InFlight {
        valid: true,
        kid: 1,
        hit: false,
    };
    assert_eq!(bench.bank().accesses.in_flight, [counted]);
    assert_eq!(bench.bank().accesses.matrix.count[1], [0, 0]);
    bench.idle(1);
    assert_eq!(
        bench.bank().accesses.matrix.count[1],
        [0, 1],
        "t + 4 + stages"
    );
    assert_eq!(bench.bank().done, Done::default());
}

#[test]
fn a_bubble_keeps_what_the_ports_carry() {
    let mut bench = Bench::ready();
    bench.step(&In {
        access_valid: 0,
        invalidate_way: vec![1],
        ..access(1, 3, 0x77)
    });
    let bubble = Request {
        set: 3,
        tag: 0x77,
        kid: 1,
        way: 1,
        ..Request::default()
    };
    assert_eq!(bench.bank().compare, bubble);
    bench.idle(1);
    assert_eq!(bench.bank().lookup, bubble);
    bench.idle(1);
    assert_eq!(bench.bank().update, bubble);
    assert_eq!((bench.bank().hits, bench.bank().victim), (0, 0));
    bench.idle(1);
    let bank = bench.bank();
    assert_eq!(bank.stale, 0);
    let kid_alone = InFlight {
        kid: 1,
        ..InFlight::default()
    };
    assert_eq!(bank.accesses.in_flight, [kid_alone]);
    assert_eq!(
        (bank.gdcu.in_flight[0].kid, bank.plob.in_flight[0].kid),
        (1, 1)
    );
    assert_eq!(bench.set(3), EMPTY);
}

#[test]
fn back_to_back_to_one_set_as_if_one_after_the_other() {
    let mut bench = Bench::ready();
    let stream = [
        (access(0, 1, 5), missed(1)),
        (access(1, 1, 5), hit(1, 0)),
        (access(0, 1, 6), missed(0)),
        (access(1, 1, 7), evicted(1, 1)),
        (access(1, 1, 6), hit(0, 0)),
        (access(1, 1, 5), evicted(1, 1)),
        (invalidate(1, 0), Done::default()),
        (access(0, 1, 6), missed(0)),
        (invalidate(1, 1), Done::default()),
        (invalidate(1, 0), Done::default()),
        (access(0, 1, 6), missed(0)),
    ];
    let mut done = Vec::new();
    for (input, _) in &stream {
        bench.step(input);
        done.push(bench.bank().done);
    }
    for _ in 0..3 {
        bench.idle(1);
        done.push(bench.bank().done);
    }
    // The first answer is in the registers after the fourth edge.
    let expected: Vec<_> = stream.iter().map(|(_, done)| *done).collect();
    assert_eq!(done[3..], expected);
    assert_eq!(bench.set(1), (&[0, 1][..], &[0, 1][..], 0b01, &[6, 5][..]));
}

#[test]
fn hits_and_forwarding_by_hand() {
    let mut bench = Bench::ready();
    // Both ways have tag 0, but no line is valid: A misses, and B hits what A brings.
    bench.step(&access(0, 1, 0));
    bench.step(&access(1, 1, 0));
    bench.step(&access(1, 1, 4));
    let bank = bench.bank();
    assert_eq!((bank.hits, bank.victim), (0, 0b10));
    assert_eq!((bank.unwritten, bank.early, bank.late), (0b11, 0, 0));
    assert!(bank.again && bank.same_tag && !bank.forward);
    // A in UPDATE writes the set that B in LOOKUP, C in COMPARE and D at the port name.
    bench.step(&access(0, 1, 0));
    let bank = bench.bank();
    assert!(bank.forward && bank.again && !bank.same_tag);
    assert_eq!((bank.hits, bank.victim), (0b10, 0b01));
    assert_eq!((bank.stale, bank.written_tag), (0b10, 0));
    assert_eq!((bank.late, bank.late_tag), (0b10, false), "C: no");
    assert_eq!((bank.unwritten, bank.early), (0, 0));
    assert_eq!((&bank.found.way[..], bank.found.valid), (&[1, 0][..], 0b01));
    assert_eq!(bank.written_victim, 0b01);
    // B hits: its set's replacement bits are written, no tags. D's tag is the one that A wrote as
    // D's were read.
    bench.step(&In {
        access_valid: 0,
        ..access(0, 1, 4)
    });
    let bank = bench.bank();
    assert!(bank.forward && bank.again && !bank.same_tag);
    assert_eq!((bank.stale, bank.hits, bank.victim), (0, 0, 0b01));
    assert_eq!((bank.late, bank.early, bank.early_tag), (0, 0b10, true));
    assert_eq!(bank.unwritten, 0b01, "the invalid way, too");
    // C fills way 0; D hits way 1. A bubble names the set and C's tag.
    bench.step(&access(1, 1, 4));
    let bank = bench.bank();
    assert_eq!((bank.hits, bank.victim), (0b10, 0b10));
    assert_eq!((bank.stale, bank.late), (0b01, 0b01));
    assert!(!bank.late_tag && !bank.early_tag, "a bubble has no tag");
    assert_eq!(bank.unwritten, 0);
    // What C wrote as E's tags were read is E's tag.
    bench.step(&access(0, 2, 3));
    let bank = bench.bank();
    assert_eq!((bank.stale, bank.hits, bank.victim), (0, 0, 0));
    assert_eq!((bank.late, bank.early, bank.early_tag), (0, 0b01, true));
    assert_eq!(
        (&bank.written.way[..], &bank.written.owner[..]),
        (&[1, 0][..], &[0, 1][..])
    );
    assert_eq!((bank.written.valid, bank.written_victim), (0b11, 0b01));
    // The bubble writes nothing, whatever set it names; what was written last stays.
    bench.idle(1);
    let bank = bench.bank();
    assert!(!bank.forward);
    assert_eq!((bank.hits, bank.victim), (0b01, 0b01), "E");
    assert_eq!(&bank.written.owner[..], [0, 1]);
    assert_eq!(bench.0.written().count(), 0);
    // Nor does a bubble in UPDATE, though LOOKUP, COMPARE and the port name its set.
    bench.idle(3);
    for _ in 0..4 {
        bench.step(&In {
            access_valid: 0,
            ..access(0, 1, 3)
        });
    }
    let bank = bench.bank();
    let sets = [bank.update, bank.lookup, bank.compare].map(|request| request.set);
    assert_eq!(sets, [1, 1, 1]);
    assert!(!bank.forward && !bank.again && !bank.same_tag);
    assert_eq!((bank.stale, bank.late, bank.early), (0, 0, 0));
}

#[test]
fn tags_that_come_and_go_before_they_are_looked_up() {
    let mut bench = Bench::ready();
    bench.alone(&access(0, 1, 1));
    // With the invalidation both misses fill way 0. The last access reads its tag as 2 comes, and 3
    // replaces that right before it.
    for input in [
        access(0, 1, 2),
        invalidate(1, 0),
        access(0, 1, 3),
        access(0, 1, 2),
    ] {
        bench.step(&input);
    }
    bench.idle(1);
    let bank = bench.bank();
    assert_eq!((bank.unwritten, bank.early, bank.late), (0, 0b01, 0));
    assert!(bank.early_tag && bank.again && !bank.same_tag);
    bench.idle(1);
    assert_eq!((bench.bank().hits, bench.bank().victim), (0, 0b10));
    // Tags 2 and 4 fill one way, and 3 the other in between.
    bench.idle(4);
    for tag in [2, 3, 4, 2] {
        bench.step(&access(0, 2, tag));
    }
    bench.idle(1);
    let bank = bench.bank();
    assert_eq!((bank.unwritten, bank.early, bank.late), (0, 0b10, 0b01));
    assert!(bank.early_tag && !bank.late_tag && bank.again);
    bench.idle(1);
    assert_eq!((bench.bank().hits, bench.bank().victim), (0, 0b01));
    // A tag that comes as it is compared is hit, another one in its way is not.
    bench.idle(4);
    for tag in [5, 6, 5] {
        bench.step(&access(0, 3, tag));
    }
    bench.idle(1);
    let bank = bench.bank();
    assert_eq!((bank.unwritten, bank.early, bank.late), (0, 0, 0b10));
    assert!(bank.late_tag && !bank.early_tag);
    bench.idle(1);
    assert_eq!((bench.bank().hits, bench.bank().victim), (0b10, 0b10));
}

#[test]
fn an_invalidation_goes_before_an_access() {
    let mut bench = Bench::ready();
    bench.alone(&access(1, 0, 5));
    bench.alone(&access(0, 0, 6));
    let both = In {
        invalidate_valid: 1,
        invalidate_way: vec![0],
        ..access(1, 0, 5)
    };
    bench.step(&both);
    let invalidation = Request {
        invalidate: true,
        tag: 5,
        kid: 1,
        ..Request::default()
    };
    assert_eq!(bench.bank().compare, invalidation);
    bench.idle(2);
    assert_eq!((bench.bank().update, bench.bank().hits), (invalidation, 0));
    bench.idle(1);
    assert_eq!(bench.done(), Done::default());
    assert_eq!(bench.set(0), (&[1, 0][..], &[1, 0][..], 0b01, &[6, 5][..]));
    assert_eq!(
        bench.bank().accesses.matrix.count,
        [[0, 0], [1, 1]],
        "the access is dropped"
    );
    assert_eq!(bench.bank().stale, 0);
}

#[test]
fn banks_take_their_own_requests() {
    let params = Params { banks: 2, ..PARAMS };
    let mut monitor = LlcMonitor::new(params.clone()).unwrap();
    let idle = In::idle(&params);
    for _ in 0..params.sets {
        monitor.step(&idle);
    }
    let both = In {
        access_valid: 0b11,
        invalidate_valid: 0b01,
        request_set: vec![1, 2],
        access_tag: vec![3, 4],
        access_requester: vec![0, 1],
        ..idle.clone()
    };
    monitor.step(&both);
    monitor.step(&In {
        invalidate_valid: 0,
        ..both
    });
    monitor.step(&idle);
    monitor.step(&idle);
    assert_eq!(monitor.written().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    let out = monitor.step(&idle);
    assert_eq!((out.done_valid, out.done_hit, out.done_evict), (0b10, 0, 0));
    assert_eq!(
        (&out.done_way[..], &out.done_owner[..]),
        (&[0, 1][..], &[0, 0][..])
    );
    let out = monitor.step(&idle);
    assert_eq!(
        (out.done_valid, out.done_hit, out.done_evict),
        (0b11, 0b10, 0)
    );
    // Way 1 of bank 0's set was the LRU one, and moved there by the invalidation of way 0.
    assert_eq!(
        (&out.done_way[..], &out.done_owner[..]),
        (&[0, 1][..], &[0, 1][..])
    );
}

#[test]
fn the_requester_table_and_its_entry_for_the_others() {
    let mut bench = Bench::ready();
    let map = |map_requester, map_kid| In {
        map_valid: true,
        map_requester,
        map_kid,
        ..idle()
    };
    let kid_of = |bench: &mut Bench, requester| {
        // Looked up on the write port, too, in the same cycle.
        let told = bench.step(&In {
            map_requester: requester,
            ..access(requester, 0, 1)
        });
        let kid = bench.bank().compare.kid;
        assert_eq!(told.mapped_kid, kid);
        kid
    };
    assert_eq!([0, 1, 2, 3].map(|r| kid_of(&mut bench, r)), [0, 1, 1, 1]);
    // An access in the cycle of the write still runs under the old entry.
    bench.step(&In {
        map_valid: true,
        map_requester: 1,
        map_kid: 0,
        ..access(1, 0, 1)
    });
    assert_eq!(bench.bank().compare.kid, 1);
    assert_eq!([0, 1, 2, 3].map(|r| kid_of(&mut bench, r)), [0, 0, 1, 1]);
    // Every code without an entry of its own is the same one.
    bench.step(&map(3, 0));
    assert_eq!([0, 1, 2, 3].map(|r| kid_of(&mut bench, r)), [0, 0, 0, 0]);
    bench.step(&map(2, 1));
    bench.step(&In {
        map_valid: false,
        ..map(0, 1)
    });
    assert_eq!(bench.0.state().kid_of, [0, 0, 1]);
    // Also during a sweep.
    bench.step(&flush());
    bench.step(&map(0, 1));
    assert_eq!(bench.0.state().kid_of, [1, 0, 1]);
}
