//! Rationale: an address takes another branch at every register's and row's end, and a bad one must
//! be an error and not a hang, so all 16384 are read and written, with all bytes and with some, and
//! compared with the description. On the netlist, since `update()` would take minutes.

use cotenant_netlist::sim::Sim;
use cotenant_registers::Map;
use cotenant_units::{bus, table};

/// A unit behind APB4 in simulation.
struct Apb(Sim);

impl Apb {
    /// Answer: error, data.
    fn access(&mut self, address: u32, write: Option<(u32, u32)>) -> (bool, u32) {
        let (data, strobe) = write.unwrap_or_default();
        for (port, value) in [
            ("psel", 1),
            ("penable", 1),
            ("paddr", address),
            ("pwrite", u32::from(write.is_some())),
            ("pwdata", data),
            ("pstrb", strobe),
        ] {
            self.0.set_input(port, value.into()).unwrap();
        }
        for _ in 0..4 {
            self.0.eval();
            let early = ["pready", "pslverr", "prdata"].map(|port| self.0.output(port).unwrap());
            assert_eq!(early, [0; 3], "{address:#x}");
            self.0.step();
        }
        self.0.eval();
        assert_eq!(self.0.output("pready"), Ok(1), "{address:#x}");
        let answer = (
            self.0.output("pslverr") == Ok(1),
            self.0.output("prdata").unwrap() as u32,
        );
        self.0.step();
        answer
    }
}

/// Writes that change nothing: bits that no field has, or that are set already.
fn harmless(map: &Map, address: u32) -> u32 {
    match map
        .at(address)
        .map(|place| (place.register.name, place.row))
    {
        Some(("CONTROL" | "PERIOD", _)) => 0,
        Some(("DEMOTION_LIMIT" | "EVICTION_LIMIT", _)) => u32::MAX,
        Some(("SET_LIMIT", _)) => 1 << 31,
        // Cores are never none: two that are not sampled before the period ends.
        Some(("CORES" | "STREAM_ACCESSES", _)) => 1,
        // Its reset value.
        Some(("MAP", row)) => map.find("MAP").map_or(0, |map| map.reset(row)),
        _ => 0xFFFF_0000,
    }
}

#[test]
fn every_address_answers_as_described() {
    for (unit, set) in [
        ("llc_monitor_apb", "2x2x16x1"),
        ("llc_monitor_apb", "4x4x64x1"),
        ("mem_issue_apb", "2-smil-rbmi"),
        ("mem_issue_apb", "3-milg-qbmi"),
        ("managed_llc_apb", "small"),
        ("managed_llc_apb", "three"),
    ] {
        let parameters = table::set(unit, set).unwrap();
        let map = bus::registers(unit, &parameters).unwrap().unwrap();
        let mut apb = Apb(Sim::new(&table::netlist(unit, &parameters).unwrap().unwrap()).unwrap());
        (0..300).for_each(|_| apb.0.step());
        let (mut mapped, mut written) = (0, 0);
        for address in 0..1 << map.width {
            let place = map.at(address);
            let (error, data) = apb.access(address, None);
            assert_eq!(error, place.is_none(), "{unit} {set}: read {address:#x}");
            if error {
                assert_eq!(data, 0, "{unit} {set}: read {address:#x}");
            }
            if let Some(place) = place {
                mapped += 1;
                let named: u32 = place.register.fields.iter().map(|f| f.mask()).sum();
                assert_eq!(data & !named, 0, "{unit} {set}: read {address:#x}");
                // Nothing has been counted, and STATUS says that it is ready.
                let expected = place.register.reset(place.row);
                let expected = match place.register.name {
                    "STATUS" if !unit.starts_with("mem_issue") => 1,
                    _ => expected,
                };
                assert_eq!(data, expected, "{unit} {set}: read {address:#x}");
            }
            let writable = place.is_some_and(|place| place.register.is_written());
            let value = harmless(&map, address);
            let (error, data) = apb.access(address, Some((value, 0b1111)));
            assert_eq!(
                (error, data),
                (!writable, 0),
                "{unit} {set}: write {address:#x}"
            );
            written += u32::from(writable);
            let strobe = address % 15;
            let narrow = apb.access(address, Some((value, strobe)));
            assert_eq!(
                narrow,
                (true, 0),
                "{unit} {set}: write {address:#x}, {strobe:#b}"
            );
        }
        assert!(mapped > written && written > 0, "{unit} {set}");
    }
}

#[test]
fn another_sets_description_is_found_out() {
    let unit = "llc_monitor_apb";
    let small = table::set(unit, "2x2x16x1").unwrap();
    let mut apb = Apb(Sim::new(&table::netlist(unit, &small).unwrap().unwrap()).unwrap());
    (0..300).for_each(|_| apb.0.step());
    let other = table::set(unit, "4x4x64x1").unwrap();
    let map = bus::registers(unit, &other).unwrap().unwrap();
    let own = bus::registers(unit, &small).unwrap().unwrap();
    let words = || (0..1 << map.width).filter(|address| address % 4 == 0);
    let mapped = |map: &Map| words().filter(|address| map.at(*address).is_some()).count();
    let mut found = 0;
    for address in words() {
        found += usize::from(apb.access(address, None).0 == map.at(address).is_some());
    }
    assert_eq!(found, mapped(&map) - mapped(&own));
}
