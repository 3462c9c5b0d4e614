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

#[test]
fn faults_are_located_and_explained() {
    for (text, start) in [
        (
            "0 10\n5 10",
            "a.din:2:1: found \"5\", expected a code 0, 1 or 2; write 0",
        ),
        (
            "4 0",
            "a.din:1:1: found \"4\", expected a code 0, 1 or 2; remove",
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
