//! apb4, axi4_lite.
//!
//! Rationale: a bridge must neither lose nor double a transfer, nor answer unasked, in any order of
//! the channels and with any waiting on either side; each order has a case. The register file is
//! played by the test, since what it answers must come back unchanged.

use crate::bench::{Bench, Seen};
use cotenant_units::bus::{Apb4, Axi4Lite};

#[test]
fn apb_selects_in_the_access_phase_only() {
    let mut bench = Bench::new::<Apb4>();
    for (psel, penable) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let seen = bench.cycle(&[
            ("psel", psel),
            ("penable", penable),
            ("pwrite", 1),
            ("paddr", 0x1234),
            ("pwdata", 0xABCD),
            ("pstrb", 5),
        ]);
        assert_eq!(seen.get("select"), u64::from(psel == 1 && penable == 1));
        let passed = ["write", "address", "write_data", "strobe"].map(|port| seen.get(port));
        assert_eq!(passed, [1, 0x1234, 0xABCD, 5]);
        assert_eq!(seen.get("pready"), 0);
    }
    let done = [("psel", 1), ("penable", 1), ("done", 1)];
    let seen = bench.cycle(&[&done[..], &[("read_data", 7)]].concat());
    assert_eq!(
        (seen.get("pready"), seen.get("prdata"), seen.get("pslverr")),
        (1, 7, 0)
    );
    let seen = bench.cycle(&[&done[..], &[("error", 1)]].concat());
    assert_eq!((seen.get("pready"), seen.get("pslverr")), (1, 1));
    assert_eq!(
        bench.cycle(&[("error", 1)]).get("pslverr"),
        0,
        "not without done"
    );
}

fn selected(seen: &Seen) -> Option<(bool, u64)> {
    (seen.get("select") == 1).then(|| (seen.get("write") == 1, seen.get("address")))
}

const AW: [(&str, u128); 2] = [("awvalid", 1), ("awaddr", 0x20)];
const W: [(&str, u128); 3] = [("wvalid", 1), ("wdata", 99), ("wstrb", 3)];
const AR: [(&str, u128); 2] = [("arvalid", 1), ("araddr", 0x30)];

#[test]
fn axi_takes_address_and_data_in_any_order() {
    let orders: [&[&[(&str, u128)]]; 3] = [
        &[&AW, &[], &W],
        &[&W, &AW],
        &[&[AW[0], AW[1], W[0], W[1], W[2]]],
    ];
    for order in orders {
        let mut bench = Bench::new::<Axi4Lite>();
        for inputs in order {
            let seen = bench.cycle(inputs);
            assert_eq!(selected(&seen), None, "not before both are there");
        }
        // Held until done, and no more is taken.
        for _ in 0..3 {
            let seen = bench.cycle(&AW);
            assert_eq!(selected(&seen), Some((true, 0x20)));
            assert_eq!((seen.get("write_data"), seen.get("strobe")), (99, 3));
            let ready = ["awready", "wready", "arready"].map(|port| seen.get(port));
            assert_eq!(ready, [0, 0, 1]);
        }
        let seen = bench.cycle(&[("done", 1), ("error", 1), ("read_data", 5)]);
        assert_eq!(seen.get("bvalid"), 0);
        // The response stays until it is taken.
        for (bready, expected) in [(0, [1, 2, 0]), (1, [1, 2, 0]), (0, [0, 0, 0])] {
            let seen = bench.cycle(&[("bready", bready)]);
            assert_eq!(
                ["bvalid", "bresp", "rvalid"].map(|port| seen.get(port)),
                expected
            );
            assert_eq!(selected(&seen), None, "once only");
        }
    }
}

#[test]
fn axi_reads_and_holds_the_response() {
    let mut bench = Bench::new::<Axi4Lite>();
    assert_eq!(bench.cycle(&AR).get("arready"), 1);
    assert_eq!(selected(&bench.cycle(&[])), Some((false, 0x30)));
    bench.cycle(&[("done", 1), ("read_data", 0xFFFF_FFFF)]);
    // The next read is taken and waits until the response has gone.
    for inputs in [&AR[..], &[], &[("rready", 1)]] {
        let seen = bench.cycle(inputs);
        assert_eq!(
            ["rvalid", "rdata", "rresp"].map(|port| seen.get(port)),
            [1, 0xFFFF_FFFF, 0]
        );
        assert_eq!(selected(&seen), None);
    }
    let seen = bench.cycle(&[("done", 1), ("error", 1)]);
    assert_eq!(selected(&seen), Some((false, 0x30)));
    assert_eq!(["rvalid", "rdata"].map(|port| seen.get(port)), [0, 0]);
    let seen = bench.cycle(&[]);
    assert_eq!(
        ["rvalid", "rdata", "rresp"].map(|port| seen.get(port)),
        [1, 0, 2]
    );
}

#[test]
fn axi_reads_and_writes_in_turns() {
    let mut bench = Bench::new::<Axi4Lite>();
    let all = [&AW[..], &W, &AR, &[("bready", 1), ("rready", 1)]].concat();
    bench.cycle(&all);
    let mut kinds = vec![];
    for _ in 0..5 {
        kinds.push(selected(&bench.cycle(&all)).expect("both wait").0);
        bench.cycle(&[&all[..], &[("done", 1)]].concat());
        // The channel that was served takes the next one while the other goes.
    }
    assert_eq!(kinds, [false, true, false, true, false]);
    // A write that waits alone goes at once, also after a write.
    let mut bench = Bench::new::<Axi4Lite>();
    for _ in 0..2 {
        bench.cycle(&[&AW[..], &W].concat());
        assert_eq!(selected(&bench.cycle(&[])), Some((true, 0x20)));
        bench.cycle(&[("done", 1)]);
        bench.cycle(&[("bready", 1)]);
    }
}

#[test]
fn axi_forgets_with_reset() {
    let mut bench = Bench::new::<Axi4Lite>();
    bench.cycle(&[&AW[..], &W, &AR].concat());
    bench.cycle(&[("done", 1), ("read_data", 1)]);
    assert_eq!(bench.cycle(&[("reset", 1)]).get("rvalid"), 1);
    for _ in 0..3 {
        let seen = bench.cycle(&[]);
        let valid = ["rvalid", "rdata", "bvalid", "select"].map(|port| seen.get(port));
        assert_eq!(valid, [0; 4]);
        let ready = ["awready", "wready", "arready"].map(|port| seen.get(port));
        assert_eq!(ready, [1; 3]);
    }
}
