use super::*;

#[test]
fn all_that_is_allowed() {
    let text = "\u{feff}# recorded by hand\r\n\
                kernel,op,address,cycle\r\n\
                \n\
                0,R,0x1000\n\
                0,R,0x1000,,0xc\n\
                \t3 , w , 4224 , 17 # a store\n\
                1,R,0XffFFffffFFFFffff,\n\
                2,W,18446744073709551615";
    let accesses = read("a.csv", text);
    assert_eq!(
        brief(&accesses),
        [
            (0, Op::Read, 0x1000, 1),
            (0, Op::Read, 0x1000, 12),
            (3, Op::Write, 4224, 1),
            (1, Op::Read, u64::MAX, 8),
            (2, Op::Write, u64::MAX, 8)
        ]
    );
    let cycles: Vec<_> = accesses.iter().map(|access| access.cycle).collect();
    assert_eq!(cycles, [None, None, Some(17), None, None]);
}

#[test]
fn a_header_is_the_first_line_only() {
    assert_eq!(read("a.csv", "kid,rw,addr\n1,R,0\n").len(), 1);
    assert!(message("a.csv", "1,R,0\nkernel,op,address\n").starts_with("a.csv:2:8: found \"op\""));
    assert!(message("a.csv", "R,R,0\n").starts_with("a.csv:1:1: found \"R\", expected a kernel"));
}

#[test]
fn faults_are_located_and_explained() {
    assert_eq!(
        error("x/a.csv", "0,R,1\n1,R,2\n\n4,R,3\n"),
        (
            2,
            "x/a.csv:4:1: found \"4\", expected a kernel from 0 to 3; raise the number of \
             kernels or correct the line"
                .into()
        )
    );
    for (text, start) in [
        (
            "x,R,1,2",
            "a.csv:1:1: found \"x\", expected a kernel from 0 to 3; begin the line",
        ),
        ("1,Q,1", "a.csv:1:3: found \"Q\", expected the op R or W"),
        (
            "1,R, 1G",
            "a.csv:1:6: found \"1G\", expected an address below 2^64",
        ),
        ("1,R,0x", "a.csv:1:5: found \"0x\", expected an address"),
        (
            "1,R,18446744073709551616",
            "a.csv:1:5: found \"18446744073709551616\"",
        ),
        ("1,R,-1", "a.csv:1:5: found \"-1\", expected an address"),
        ("1,R,", "a.csv:1:5: found the end, expected an address"),
        ("1,R,1,x", "a.csv:1:7: found \"x\", expected a cycle"),
        (
            "1,R,1,1,1,1",
            "a.csv:1:11: found \"1\", expected kernel,op,address",
        ),
        (
            "1,R,1,1,0",
            "a.csv:1:9: found \"0\", expected a mask of sectors from 1 to 0xf",
        ),
        (
            "1,R,1,,0x10",
            "a.csv:1:8: found \"0x10\", expected a mask of sectors from 1 to 0xf",
        ),
        (
            "1,R",
            "a.csv:1:1: found \"1,R\", expected kernel,op,address",
        ),
        (
            "1 R 5",
            "a.csv:1:1: found \"1 R 5\", expected kernel,op,address",
        ),
    ] {
        let message = message("a.csv", text);
        assert!(message.starts_with(start), "{message}");
        assert!(message.contains("; "), "says what to do: {message}");
    }
}

#[test]
fn a_source_assigned_to_a_kernel_is_that_kernels() {
    let accesses: Vec<_> = reader("a.csv", b"9,R,1\n", Some(2))
        .unwrap()
        .map(|a| a.unwrap().kernel)
        .collect();
    assert_eq!(accesses, [2]);
}
