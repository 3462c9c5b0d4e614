//! Rationale: everything else is made from the description, so what it says of itself is checked
//! here: no address or bit belongs to two, each address leads back to its register, the addresses
//! are those that drivers in the field rely on, and contradictions are found.

use cotenant_registers::{
    llc_monitor, llc_registers, managed_llc, mem_issue, Access, Reset, ISSUE_REGISTERS,
    MANAGED_REGISTERS, MAX_KERNELS,
};

use crate::{issue_params, llc_params, managed_params, maps};

#[test]
fn no_description_contradicts_itself() {
    for map in maps() {
        assert_eq!(map.check(), Ok(()), "{:?}", map.parameters);
    }
    for params in llc_params() {
        let map = llc_monitor(&params).unwrap();
        let decoded = llc_registers(params.sce, params.sampled);
        assert_eq!(map.decoded, decoded, "{params:?}");
        assert_eq!(map.registers.len(), llc_registers(1, 2), "{params:?}");
    }
    for params in issue_params() {
        let map = mem_issue(&params).unwrap();
        assert_eq!(map.registers.len(), ISSUE_REGISTERS);
    }
    for params in managed_params() {
        let map = managed_llc(&params).unwrap();
        assert_eq!(map.registers.len(), MANAGED_REGISTERS);
    }
    let parameters = (1..=MAX_KERNELS).flat_map(|kernels| {
        [1, 4, 255].map(|requesters| cotenant_registers::LlcParams {
            kernels,
            requesters,
            ..llc_params()[0]
        })
    });
    for params in parameters {
        assert_eq!(llc_monitor(&params).unwrap().check(), Ok(()), "{params:?}");
    }
}

#[test]
fn every_address_leads_to_the_one_register_there_and_no_other_address_does() {
    for map in maps() {
        let mut mapped = 0;
        for register in &map.registers {
            for row in 0..register.rows {
                for column in 0..register.columns {
                    mapped += 1;
                    let place = map.at(register.address(row, column)).expect("mapped");
                    let found = (place.register.name, place.row, place.column);
                    assert_eq!(found, (register.name, row, column));
                }
            }
        }
        let all = (0..1 << map.width).filter(|address| map.at(*address).is_some());
        assert_eq!(all.count(), mapped, "{:?}", map.parameters);
    }
}

#[test]
fn addresses_and_values_are_those_of_version_1() {
    let llc = llc_monitor(&llc_params()[3]).unwrap();
    let at = |name: &str, row, column| llc.find(name).unwrap().address(row, column);
    assert_eq!(at("ID", 0, 0), 0);
    assert_eq!(at("STATUS", 0, 0), 0x18);
    assert_eq!(at("OVERFLOW_ACCESS", 0, 0), 0x34);
    assert_eq!(at("EVICTION_OVER", 2, 0), 0xC8);
    assert_eq!(at("EVICTION_MASK", 3, 0), 0x14C);
    assert_eq!(at("MAP", 4, 0), 0x410);
    assert_eq!(at("GDC", 1, 2), 0x848);
    assert_eq!(at("MISSES_LIVE", 3, 0), 0x204C);
    assert_eq!(at("EVICTION_LIMIT", 3, 3), 0x2CCC);
    let reset = |name: &str, row| llc.find(name).unwrap().reset(row);
    assert_eq!(reset("ID", 0), u32::from_be_bytes(*b"COTN"));
    assert_eq!(reset("VERSION", 0), 0x0001_0000);
    assert_eq!(reset("UNIT", 0), 1);
    assert_eq!(reset("GEOMETRY", 0), 0x0404_0410);
    // 21-bit counters of four banks.
    assert_eq!(reset("WIDTHS", 0), 0x1715_2406);
    assert_eq!(reset("DEMOTION_LIMIT", 0), u32::MAX);
    let kids: Vec<u32> = (0..5).map(|row| reset("MAP", row)).collect();
    assert_eq!(kids, [0, 1, 2, 3, 3]);

    // Version 1.1.
    let sampled = llc_monitor(&llc_params()[7]).unwrap();
    let at = |name: &str, row, column| sampled.find(name).unwrap().address(row, column);
    assert_eq!(at("ATTRIBUTION", 0, 0), 0x38);
    assert_eq!(at("SAMPLED_DROPPED", 0, 0), 0x1084);
    assert_eq!(at("SAMPLED_SHARED_LIVE", 0, 0), 0x2088);
    assert_eq!(at("SCE", 1, 2), 0x3048);
    assert_eq!(at("SCE_LIVE", 3, 3), 0x34CC);
    assert_eq!(at("SHARES", 2, 0), 0x3880);
    assert_eq!(at("SHARES_LIVE", 0, 1), 0x3C04);
    let reset = |name: &str| sampled.find(name).unwrap().reset(0);
    assert_eq!(reset("VERSION"), 0x0001_0001);
    assert_eq!(reset("ATTRIBUTION"), 64 << 8 | 1);

    // Version 1.2.
    let whole = llc_monitor(&llc_params()[8]).unwrap();
    let reset = |name: &str| whole.find(name).unwrap().reset(0);
    assert_eq!(reset("VERSION"), 0x0001_0002);
    assert_eq!(reset("ATTRIBUTION"), 16 << 8 | 2);

    let issue = mem_issue(&issue_params()[0]).unwrap();
    let at = |name: &str, row| issue.find(name).unwrap().address(row, 0);
    assert_eq!(at("QUOTA", 1), 0xC4);
    assert_eq!(at("SET_LIMIT", 1), 0x144);
    assert_eq!(issue.find("GEOMETRY").unwrap().reset(0), 0x202);
    assert_eq!(issue.find("SET_LIMIT").unwrap().reset(0), 0x8000_007F);

    let managed = managed_llc(&managed_params()[1]).unwrap();
    let at = |name: &str, row, column| managed.find(name).unwrap().address(row, column);
    assert_eq!(at("POLICY", 0, 0), 0x24);
    assert_eq!(at("QUOTA_GIVEN", 2, 0), 0x48);
    assert_eq!(at("PSEL", 1, 0), 0xC4);
    assert_eq!(at("IRQ_ENABLE", 0, 0), 0x11C);
    assert_eq!(at("MISSES_LIVE", 2, 0), 0x208);
    assert_eq!(at("EVICTIONS", 1, 2), 0x448);
    assert_eq!(at("EVICTIONS_LIVE", 2, 0), 0x880);
    let reset = |name: &str, row| managed.find(name).unwrap().reset(row);
    assert_eq!(reset("UNIT", 0), 3);
    assert_eq!(reset("GEOMETRY", 0), 0x0507_0305);
    assert_eq!(reset("STREAM_ACCESSES", 0), 1);
    assert_eq!(reset("PSEL", 2), 0x200);
    assert_eq!([0, 1, 2].map(|row| reset("QUOTA", row)), [2, 2, 1]);
}

#[test]
fn what_a_set_does_not_have_is_not_mapped_or_not_written() {
    for params in llc_params() {
        let map = llc_monitor(&params).unwrap();
        let there = |address| map.at(address).is_some();
        let [sce, sampled] = [params.sce > 0, params.sampled > 0];
        assert_eq!(there(0x38), sce || sampled, "{params:?}");
        assert_eq!([there(0x3000), there(0x3400)], [sce; 2], "{params:?}");
        assert_eq!([there(0x3800), there(0x1080)], [sampled; 2], "{params:?}");
    }
    for params in issue_params() {
        let map = mem_issue(&params).unwrap();
        assert_eq!(map.at(0x100).is_some(), params.quota_w > 32, "{params:?}");
        let limit = map.find("SET_LIMIT").unwrap();
        assert_eq!(limit.is_written(), params.limiter == 0, "{params:?}");
    }
}

#[test]
fn parameters_without_room_are_refused() {
    let refused = |edit: fn(&mut cotenant_registers::LlcParams)| {
        let mut params = llc_params()[4];
        edit(&mut params);
        llc_monitor(&params).unwrap_err().parameter
    };
    assert_eq!(refused(|p| p.kernels = 17), "KERNELS");
    assert_eq!(refused(|p| p.kernels = 0), "KERNELS");
    assert_eq!(refused(|p| p.requesters = 256), "REQUESTERS");
    assert_eq!(refused(|p| p.cnt_w = 27), "TOTAL_W");
    assert_eq!(refused(|p| p.sets = 0), "SETS");
    let mut params = issue_params()[0];
    params.limit_w = 8;
    let error = mem_issue(&params).unwrap_err().to_string();
    assert_eq!(
        error,
        "mem_issue: LIMIT_W is 8, expected 1 to 7: take another parameter set, or the unit without a bus"
    );
}

#[test]
fn contradictions_are_found() {
    let good = llc_monitor(&llc_params()[3]).unwrap();
    let problem = |edit: fn(&mut cotenant_registers::Map)| {
        let mut map = good.clone();
        edit(&mut map);
        let found = map.check().unwrap_err();
        (found.register, found.problem)
    };
    let (register, text) = problem(|map| map.registers[1].offset = 0);
    assert_eq!(register, "VERSION");
    assert!(text.contains("below the end"), "{text}");
    let (_, text) = problem(|map| map.registers[2].name = "ID");
    assert!(text.contains("two registers"), "{text}");
    let (_, text) = problem(|map| map.registers[map.decoded - 1].offset = 0x3E00);
    assert!(text.contains("space"), "{text}");
    let (_, text) = problem(|map| map.registers[map.decoded - 1].offset = 0x2E00);
    assert!(text.contains("multiple"), "{text}");
    let (_, text) = problem(|map| map.registers[map.decoded - 1].columns = 17);
    assert!(text.contains("do not fit"), "{text}");
    let (register, text) = problem(|map| map.decoded -= 1);
    assert_eq!(register, "EVICTION_LIMIT");
    assert!(text.contains("not decoded"), "{text}");
    let (register, text) = problem(|map| map.registers[map.decoded + 1].offset = 0x30);
    assert_eq!(register, "SAMPLED_TAKEN");
    assert!(text.contains("below the end"), "{text}");
    let (register, text) = problem(|map| map.registers[1].fields[1].lsb = 15);
    assert_eq!(register, "VERSION");
    assert!(text.contains("another's"), "{text}");
    let (_, text) = problem(|map| map.registers[3].fields[0].reset = Reset::Same(256));
    assert!(text.contains("too large"), "{text}");
}

#[test]
fn registers_are_written_where_a_field_is() {
    let map = llc_monitor(&llc_params()[0]).unwrap();
    let written = map
        .registers
        .iter()
        .filter(|register| register.is_written());
    let names: Vec<&str> = written.map(|register| register.name).collect();
    assert_eq!(
        names,
        [
            "CONTROL",
            "PERIOD",
            "IRQ_STATUS",
            "IRQ_ENABLE",
            "DEMOTION_OVER",
            "EVICTION_OVER",
            "DEMOTION_MASK",
            "EVICTION_MASK",
            "MAP",
            "DEMOTION_LIMIT",
            "EVICTION_LIMIT"
        ]
    );
    let status = map.find("IRQ_STATUS").unwrap();
    assert_eq!(status.field("EVICTION").unwrap().access, Access::ReadOnly);
    assert_eq!(status.field("PERIOD").unwrap().mask(), 4);
}
