use super::*;

/// A trace of one warp with these instruction lines.
fn trace(version: u32, lineinfo: bool, instructions: &[&str]) -> String {
    format!(
        "-kernel name = _Z1kPf\n-kernel id = 1\n-grid dim = (1,1,1)\n\
         -shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0002000000\n\
         -accelsim tracer version = {version}\n-enable lineinfo = {}\n\n\
         #traces format = PC mask dest_num [reg_dests] opcode ...\n\n\
         #BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = {}\n{}\n\n#END_TB\n",
        u8::from(lineinfo),
        instructions.len(),
        instructions.join("\n")
    )
}

fn accesses(instructions: &[&str]) -> Vec<(u8, Op, u64, u32)> {
    brief(&read("k.traceg", &trace(5, false, instructions)))
}

#[test]
fn the_three_address_modes() {
    let list = "0000 0000000f 1 R4 LDG.E 1 R4 4 0 0x100 0x180 0x104 0x1a0 0 ";
    assert_eq!(
        accesses(&[list]),
        [(0, Op::Read, 0x100, 0b0001), (0, Op::Read, 0x180, 0b0011)]
    );
    let stride = "00a0 ffffffff 1 R4 LDG.E 1 R4 4 1 0x7fb0fc430e00 4 0 ";
    assert_eq!(
        accesses(&[stride]),
        [(0, Op::Read, 0x7fb0_fc43_0e00, 0b1111)]
    );
    let back = "00a0 00000003 0 STG.E 2 R4 R5 4 1 0x200 -128 0 ";
    assert_eq!(
        accesses(&[back]),
        [(0, Op::Write, 0x200, 1), (0, Op::Write, 0x180, 1)]
    );
    let delta = "1020 80000005 1 R24 LDG.E.128.SYS 1 R44 16 2 0x1000 16 -4096 0 ";
    assert_eq!(
        accesses(&[delta]),
        [(0, Op::Read, 0x1000, 1), (0, Op::Read, 0x10, 1)]
    );
}

#[test]
fn versions_3_to_5_with_and_without_what_they_add() {
    let version_3 = trace(3, false, &["0000 1 1 R4 LDG.E.SYS 1 R4 4 1 0x100 0 "]);
    let lineinfo = trace(4, true, &["17 0000 1 1 R4 LDG.E 1 R4 4 1 0x100 0 0 "]);
    for text in [version_3, lineinfo] {
        assert_eq!(brief(&read("k.traceg", &text)), [(0, Op::Read, 0x100, 1)]);
    }
    for version in ["2", "6", "x", ""] {
        let text = trace(5, false, &[]).replace("version = 5", &format!("version = {version}"));
        let message = message("k.traceg", &text);
        assert!(
            message.contains("expected a tracer version 3, 4 or 5"),
            "{message}"
        );
    }
    let without = trace(5, false, &[]).replace("-accelsim tracer version = 5\n", "");
    let message = message("k.traceg", &without);
    assert!(
        message.starts_with("k.traceg:10:1: found \"#BEGIN_TB\""),
        "{message}"
    );
}

#[test]
fn straddling_touches_both_lines() {
    let straddling = "0000 1 1 R4 LDG.E.64 1 R4 8 1 0x17c 0 0 ";
    assert_eq!(
        accesses(&[straddling]),
        [(0, Op::Read, 0x17c, 0b1000), (0, Op::Read, 0x180, 1)]
    );
}

#[test]
fn the_width_is_the_opcodes_or_else_the_traces() {
    assert_eq!(accesses(&["0000 1 1 R4 LDG.E 1 R4 8 1 0x17c 0 0"]).len(), 2);
    assert_eq!(
        accesses(&["0000 1 1 R4 LDG.E.U8 1 R4 8 1 0x17f 0 0"]).len(),
        1
    );
}

#[test]
fn memory_other_than_global_is_passed_over() {
    let other = [
        "0000 ffffffff 1 R1 MOV 0 0 0 ",
        "0010 ffffffff 1 R1 LDS.U.32 1 R2 4 1 0x0 4 0 ",
        "0020 ffffffff 0 STL 2 R2 R3 4 1 0xfffc00 4 0 ",
        "0030 00000000 1 R1 LDG.E 1 R2 4 1 0x0 0 0 ",
        // Generic addresses in the windows of shared and of local memory.
        "0040 00000001 1 R1 LD.E 1 R2 4 1 0x7f0000000010 0 0 ",
        "0050 00000001 0 ST.E 1 R2 4 1 0x7f0002ffffff 0 0 ",
    ];
    assert_eq!(accesses(&other), []);
    let global = [
        "0040 00000003 1 R1 LD.E 1 R2 4 0 0x7f0000000010 0x7f0001000000 0 ",
        "0050 00000001 0 RED.E.ADD 1 R2 4 1 0x80 0 0 ",
        "0060 00000001 1 R0 ATOMG.E.ADD 1 R2 4 1 0x80 0 0 ",
        "0070 00000001 0 LDGSTS.E.128 2 R2 R4 16 1 0x80 0 0 ",
    ];
    assert_eq!(
        accesses(&global),
        [
            (0, Op::Read, 0x7f00_0100_0000, 1),
            (0, Op::Write, 0x80, 1),
            (0, Op::Write, 0x80, 1),
            (0, Op::Read, 0x80, 1)
        ]
    );
}

#[test]
fn blocks_and_warps_in_the_files_order() {
    let block = |n: u32| {
        format!(
            "#BEGIN_TB\nthread block = {n},0,0\ncluster rank = 0\n\nwarp = 1\ninsts = 0\n\n\
             warp = 0\ninsts = 1\n0000 1 1 R4 LDG.E 1 R4 4 1 0x{n}00 0 0 \n#END_TB\n"
        )
    };
    let text = format!("-accelsim tracer version = 5\n{}{}", block(2), block(1));
    assert_eq!(
        brief(&read("k.traceg", &text)),
        [(0, Op::Read, 0x200, 1), (0, Op::Read, 0x100, 1)]
    );
}

#[test]
fn faults_are_located_and_explained() {
    for (line, start) in [
        ("zz", "found \"zz\", expected a program counter"),
        (
            "0000 1ffffffff 0 LDG",
            "found \"1ffffffff\", expected a mask",
        ),
        (
            "0000 1 x LDG",
            "found \"x\", expected a number of destination registers",
        ),
        ("0000 1 2 R1 7 LDG", "found \"7\", expected a register"),
        ("0000 1 0 7", "found \"7\", expected an opcode"),
        (
            "0000 1 0 LDG.E",
            "found the end, expected a number of source registers",
        ),
        (
            "0000 1 0 LDG.E 0 0",
            "found \"0\", expected the bytes a lane accesses, 1 to 128",
        ),
        (
            "0000 1 0 LDG.E 0 4 3 0x0",
            "found \"3\", expected an address mode",
        ),
        (
            "0000 3 0 LDG.E 0 4 0 0x0",
            "found the end, expected an address",
        ),
        (
            "0000 1 0 LDG.E 0 4 1 0x0",
            "found the end, expected a stride",
        ),
        (
            "0000 5 0 LDG.E 0 4 1 0x0 4",
            "found \"1\", expected address mode 0 or 2",
        ),
        (
            "0000 7 0 LDG.E 0 4 2 0x0 4",
            "found the end, expected the address difference",
        ),
        (
            "0000 1 0 LDG.E 0 4 2 0x0 4 4",
            "found \"4\", expected the end of the line: 1 lanes",
        ),
        (
            "0000 1 0 UTMALDG.2D 0 4 3 1",
            "found \"UTMALDG.2D\", expected no bulk copies",
        ),
    ] {
        let message = message("k.traceg", &trace(5, false, &[line]));
        assert!(message.starts_with("k.traceg:17:"), "{message}");
        assert!(message.contains(start), "{message}");
    }
}

#[test]
fn faults_in_the_structure() {
    let good = trace(5, false, &["0000 1 1 R4 LDG.E 1 R4 4 1 0x100 0 0"]);
    for (from, to, expected) in [
        (
            "insts = 1",
            "insts = 2",
            "expected 1 more instructions, as `insts =` says",
        ),
        (
            "insts = 1",
            "insts = 0",
            "the warp has all instructions that `insts =` says",
        ),
        (
            "insts = 1",
            "insts = x",
            "found \"x\", expected a number of instructions",
        ),
        (
            "insts = 1\n",
            "",
            "expected `warp =` and `insts =` before it",
        ),
        ("warp = 0\n", "", "expected `warp =` before it"),
        (
            "#BEGIN_TB\n",
            "",
            "expected #BEGIN_TB before it; process raw `.trace` files",
        ),
        (
            "#END_TB",
            "",
            "k.traceg:20:1: found the end, expected #END_TB",
        ),
        (
            "#END_TB",
            "#BEGIN_TB",
            "expected #END_TB of the thread block before",
        ),
        (
            "#END_TB",
            "#END_TB\n#END_TB",
            "expected #BEGIN_TB before it",
        ),
        (
            "lineinfo = 0",
            "lineinfo = 2",
            "found \"2\", expected 0 or 1",
        ),
        ("0x00007f00", "0xg", "expected a hexadecimal address"),
    ] {
        assert!(good.contains(from));
        let message = message("k.traceg", &good.replacen(from, to, 1));
        assert!(message.contains(expected), "{message}");
    }
    assert!(message("k.traceg", "").contains("found the end, expected `-accelsim tracer"));
}
