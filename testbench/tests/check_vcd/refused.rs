//! Maps, dumps and arguments that are wrong, and declarations of every kind that are right.

use super::{blocks, check, dump, example, mapped, shell};

#[test]
fn a_wrong_map_is_answered() {
    for (from, to, said) in [
        ("dut.clk", "dut.clock", "map.toml: clock.signal: the dump has no signal 'my_stack_tb.dut.clock'; the nearest is 'my_stack_tb.dut.clk'"),
        ("\"my_stack_tb.dut.req[3]\"", "\"req[3]\"", "map.toml: ports.access_valid: the dump has no signal 'req[3]'; the nearest is 'my_stack_tb.req'"),
        ("dut.clk\"", "dut.inv\"", "map.toml: clock.signal: my_stack_tb.dut.inv has 2 bits, expected 1"),
        ("dut.req[1]\"", "dut.req[2:1]\"", "map.toml: ports.access_way: my_stack_tb.dut.req[2:1] has 2 bits, expected 1"),
        ("\"my_stack_tb.dut.slot_0[0]\", ", "", "map.toml: ports.stack_way: my_stack_tb.dut.slot_1[0] has 1 bits, expected 2 (2 x 1, element 0"),
        ("dut.req[3]", "dut.req[4]", "map.toml: ports.access_valid: 'my_stack_tb.dut.req[4]': expected bits of my_stack_tb.dut.req[3:0]"),
        ("dut.req[3]", "dut.req[0:3]", "expected bits of my_stack_tb.dut.req[3:0]"),
        ("dut.req[3]", "dut.req[x]", "expected NAME[BIT] or NAME[MSB:LSB]"),
        ("flush = { constant = 0 }\n", "", "map.toml: ports.flush: missing: expected the signal of this 1 bit port, or { constant = 0 }"),
        ("hit_pos = { ignore = true }\n", "", "map.toml: ports.hit_pos: missing: expected the signal of this 2 bit port, or { ignore = true }"),
        ("flush", "flash", "map.toml: ports.flash: lru_stack has no such port; the nearest is 'flush'"),
        ("{ constant = 0 }", "{ ignore = true }", "ports.flush: an input cannot be ignored"),
        ("{ constant = 0 }", "{ constant = 2 }", "ports.flush: expected a constant of 1 bits"),
        ("{ ignore = true }", "{ constant = 2 }", "ports.hit_pos: expected \"SIGNAL\""),
        ("{ ignore = true }", "{ ignore = false }", "ports.hit_pos: expected \"SIGNAL\""),
        ("{ constant = 0 }", "[1]", "ports.flush[0]: expected the name of a signal"),
        ("{ constant = 0 }", "[]", "ports.flush: expected \"SIGNAL\""),
        ("[ports]", "[ports]\nreset = \"a\"", "ports.reset: expected the reset in [reset]"),
        ("[reset]\nsignal = \"my_stack_tb.dut.rst_n\"\nactive = \"low\"\n", "", "map.toml: reset: expected [reset] with signal and active"),
        ("\"low\"", "\"lo\"", "unknown variant `lo`, expected `high` or `low`"),
        ("\"rising\"", "\"up\"", "unknown variant `up`, expected `rising` or `falling`"),
        ("edge", "egde", "unknown field `egde`, expected `signal` or `edge`"),
        ("[clock]", "[clock", "map.toml: TOML parse error at line 5"),
        ("unit = \"lru_stack\"", "unit = \"gdcu\"", "map.toml: unit: the map is for gdcu, expected lru_stack"),
        ("2x2", "4x4", "map.toml: set: the map is for 4x4, expected 2x2"),
    ] {
        let (code, out, err) = mapped(from, to);
        assert_eq!((code, &out[..]), (2, ""), "{from} -> {to}: {out}");
        assert!(err.contains(said), "{from} -> {to}: {err}");
    }
    let mut all = blocks("toml")[0].to_owned();
    for port in [
        "stack_way",
        "stack_owner",
        "stack_valid",
        "victim_way",
        "victim_owner",
        "victim_valid",
    ] {
        let start = all.find(&format!("\n{port} = ")).unwrap();
        let end = start + 1 + all[start + 1..].find('\n').unwrap_or(all.len() - start - 1);
        all.replace_range(start..end, &format!("\n{port} = {{ ignore = true }}"));
    }
    let (code, _, err) = mapped(blocks("toml")[0], &all);
    assert_eq!(code, 2);
    assert!(err.contains("ports: all outputs are ignored"), "{err}");
    // Right, but not what it is: the other edge, the other level.
    for (from, to) in [("rising", "falling"), ("\"low\"", "\"high\"")] {
        assert_ne!(mapped(from, to).0, 0, "{to}");
    }
}

#[test]
fn what_is_no_dump_is_an_error_and_no_panic() {
    let good = String::from_utf8(dump().to_vec()).unwrap();
    let body = good.find("$enddefinitions").unwrap();
    let cases = [
        String::new(),
        "hello\n".into(),
        good[..body].into(),
        good.replace("$var reg 4", "$var reg four"),
        good.replacen("\nb", "\nbq", 40),
        good.replace("\nb1", "\nb111111111111"),
        good.replacen("\n#1", "\n#x", 3),
        good.replace("\n1", "\nq"),
    ];
    for (i, text) in cases.iter().enumerate() {
        let work = example();
        std::fs::write(work.path().join("my_stack.vcd"), text).unwrap();
        let (code, out, err) = check(work.path());
        assert_eq!(code, 2, "case {i}: {out}{err}");
        assert!(
            !err.contains("panicked") && err.contains("my_stack.vcd"),
            "case {i}: {err}"
        );
    }
    let (code, _, err) = check(example().path());
    assert_eq!(code, 2);
    assert!(err.contains("cannot read my_stack.vcd"), "{err}");
}

#[test]
fn arguments_and_json() {
    let work = example();
    std::fs::write(work.path().join("my_stack.vcd"), dump()).unwrap();
    let dump = "--vcd my_stack.vcd --map map.toml";
    let (code, out, _) = shell(
        work.path(),
        &format!("cotenant check lru_stack --config small {dump} --json"),
    );
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &json["passed"], &json["skipped"]),
        (0, &true.into(), &3.into())
    );
    assert_eq!(
        (&json["cycles"], &json["compared"]),
        (&1003.into(), &1000.into())
    );
    for (arguments, said) in [
        (
            format!("--config all {dump}"),
            "a dump belongs to one parameter set",
        ),
        ("--vcd my_stack.vcd".into(), "--map"),
        ("--map map.toml".into(), "--vcd"),
        (format!("{dump} --cycles 3"), "cannot be used with"),
        ("--map-template --json".into(), "cannot be used with"),
        (
            format!("--config 16x4 {dump}"),
            "the map is for 2x2, expected 16x4",
        ),
        (
            "--config small --vcd my_stack.vcd --map no.toml".into(),
            "cannot read no.toml",
        ),
    ] {
        let (code, out, err) = shell(
            work.path(),
            &format!("cotenant check lru_stack {arguments}"),
        );
        assert_eq!((code, &out[..]), (2, ""), "{arguments}");
        assert!(err.contains(said), "{arguments}: {err}");
    }
}

/// Bits one by one, ascending ranges, several bits of a list at a time, a unit without a reset.
#[test]
fn signals_of_any_declaration() {
    let work = tempfile::tempdir().unwrap();
    let vcd = "\
$timescale 10 ns $end
$scope module t $end
$var wire 1 ! clk $end
$var wire 4 \" d [0:3] $end
$var wire 1 # c [2] $end
$var wire 1 $ c [1] $end
$var wire 1 % c [0] $end
$var real 64 & r $end
$var wire 1 ' twice $end
$var wire 1 ( twice $end
$upscope $end
$enddefinitions $end
#0
0!
b0111 \"
0#
1$
1%
#5
1!
#10
0!
b1000 \"
0$
#15
1!
";
    let map = |data: &str, count: &str| {
        let clock = "[clock]\nsignal = \"t.clk\"\n";
        let map = format!("{clock}[ports]\ndata = {data}\ncount = {count}\n");
        std::fs::write(work.path().join("m"), map).unwrap();
        std::fs::write(work.path().join("v"), vcd).unwrap();
        shell(
            work.path(),
            "cotenant check popcnt --config figure-2 --vcd v --map m",
        )
    };
    let bits = r#"["t.c[0]", "t.c[1]", "t.c[2]"]"#;
    for data in [
        r#""t.d""#,
        r#""t.d[0:3]""#,
        r#"["t.d[3]", "t.d[2]", "t.d[1]", "t.d[0]"]"#,
        r#"["t.d[2:3]", "t.d[0:1]"]"#,
    ] {
        let (code, out, err) = map(data, bits);
        assert_eq!((code, &err[..]), (0, ""), "{data}: {out}");
        assert_eq!(out, "popcnt 4: v: no mismatch\n  2 cycles compared\n");
    }
    assert_eq!(
        map(r#""t.d""#, r#""t.c""#).0,
        0,
        "the reader puts them together"
    );
    let (code, out, _) = map(r#"["t.d[0]", "t.d[0]", "t.d[1]", "t.d[1]"]"#, bits);
    assert_eq!(code, 1);
    assert!(
        out.contains("cycle 0 at #5 (50 ns): count (t.c[0], t.c[1], t.c[2]): dut 0x3, golden 0x2"),
        "{out}"
    );
    for (data, count, said) in [
        (r#""t.d[3:0]""#, bits, "expected bits of t.d[0:3]"),
        (
            r#""t.d""#,
            r#""t.twice""#,
            "'t.twice' is several signals in the dump",
        ),
        (r#""t.r""#, bits, "'t.r' is no signal of bits"),
    ] {
        let (code, _, err) = map(data, count);
        assert_eq!(code, 2, "{data}");
        assert!(err.contains(said), "{data}: {err}");
    }
}
