use super::*;

#[test]
fn all_that_is_allowed() {
    let text = "0 1000\n  1 0x1080 the rest, whatever\r\n\n2 FFFFFFFFFFFFFFFF\n";
    assert_eq!(
        brief(&read("a.din", text)),
        [
            (0, Op::Read, 0x1000, 1),
            (0, Op::Write, 0x1080, 1),
            (0, Op::Read, u64::MAX, 8)
        ]
    );
    let kernel = reader("a.din", b"0 0", Some(3))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .kernel;
    assert_eq!(kernel, 3);
}

// Dinero's format has accesses of unknown type, which are accesses, and cache flushes, which are not.
#[test]
fn an_unknown_type_is_a_read_and_a_flush_is_counted() {
    let flushes = |text: &'static str| {
        let mut trace = Trace::new(vec![
            reader("a.din", text.as_bytes(), None).unwrap(),
            reader("b.csv", b"0,W,0x80", None).unwrap(),
            reader("c.din", b"4 0", None).unwrap(),
        ]);
        let accesses: Vec<Access> = trace.by_ref().map(Result::unwrap).collect();
        (brief(&accesses), trace.skipped())
    };
    let write = (0, Op::Write, 0x80, 1);
    let read = (0, Op::Read, 0x1000, 1);
    assert_eq!(flushes("3 1000"), (vec![read, write], 1));
    assert_eq!(
        flushes("4 0\n4\n3 1000\n4 ff rest\n"),
        (vec![read, write], 4)
    );
    // Also those before an error.
    let mut trace = Trace::new(vec![reader("a.din", b"4 0\n5 0\n", None).unwrap()]);
    assert!(trace.by_ref().next().unwrap().is_err());
    assert_eq!(trace.skipped(), 1);
}

#[test]
fn faults_are_located_and_explained() {
    for (text, start) in [
        (
            "0 10\n5 10",
            "a.din:2:1: found \"5\", expected a code from 0 to 4; write 0",
        ),
        (
            "3 xyz",
            "a.din:1:3: found \"xyz\", expected a hexadecimal address",
        ),
        ("r 10", "a.din:1:1: found \"r\""),
        (
            "0",
            "a.din:1:2: found the end, expected a hexadecimal address",
        ),
        (
            "0 xyz",
            "a.din:1:3: found \"xyz\", expected a hexadecimal address",
        ),
        (
            "0 10000000000000000",
            "a.din:1:3: found \"10000000000000000\"",
        ),
    ] {
        let message = message("a.din", text);
        assert!(message.starts_with(start), "{message}");
    }
}
