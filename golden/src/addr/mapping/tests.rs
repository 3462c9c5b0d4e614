//! Rationale: the shipped table is compared with the paper's figure 6, typed a second time and as
//! XOR of single bits; every kind of fault is made in a text that was right, and has to be named
//! with its line; random tables go to text and back, and their inverses undo them.
use proptest::prelude::*;

use super::*;
use crate::addr::gf2::parity;

/// Four banks in two modules, as the documentation of the module has it.
const SMALL: &str = r#"name = "small"
title = "Two modules"
width = 20
line = 128
sector = 32
page = 4096
modules = 2
banks = 4
sets = 8
bijective = ["bank", "set"]

[functions]
module = [[12, 15]]
bank = [
    [12, 15],
    [13, 16],
]
set = [[12, 15], [7, 14], [8]]
row = [[15], [16], [17], [18], [19]]
column = [[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [14]]
"#;

fn error(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from}");
    let broken = SMALL.replacen(from, to, 1);
    Mapping::from_toml(&broken).unwrap_err().to_string()
}

#[test]
fn small_by_hand() {
    let small = Mapping::from_toml(SMALL).unwrap();
    // Of 0x17085 bits 7, 12, 13, 14 and 16 are set, and 0 and 2 of the byte within the line.
    let place = small.map(0x1_7085);
    let expected = Location {
        module: 1,
        bank: 0b01,
        row: Some(0b00010),
        column: Some(0x1085),
        set: 0b001,
        tag: place.tag,
        offset: 5,
        colour: 1,
    };
    assert_eq!(place, expected);
    assert_eq!(small.bank_address(0b01, 0b00010, 0x1085), Some(0x1_7085));
    assert_eq!(small.line_address(1, place.tag, 5), Some(0x1_7085));
    // From the top; with them 7, 8 and 12 follow from the set.
    let tag: Vec<u32> = small
        .functions(Field::Tag)
        .iter()
        .map(|it| it.ilog2())
        .collect();
    assert_eq!(tag, [9, 10, 11, 13, 14, 15, 16, 17, 18, 19]);
    assert_eq!(small.line_address(8, 0, 0), None, "there are 8 sets");
    assert_eq!(small.bank_address(0, 32, 0), None, "there are 32 rows");
}

/// Figure 6 once more, as the spec lists it: module, then sets 3 to 9, then banks 3 to 6.
const FIGURE_6: [&[u32]; 14] = [
    &[10, 12, 16, 20, 23, 26, 29, 30],
    &[11, 12, 13, 15, 17, 20, 21, 23, 25, 26, 30],
    &[12, 13, 18, 19, 22, 25, 26, 27, 30, 31],
    &[7, 8, 16, 17, 23, 26, 31],
    &[8, 10, 12, 16, 17, 21, 24, 25, 26, 27],
    &[9, 10, 18, 25, 29, 30, 31],
    &[13, 14, 20, 23, 28, 29, 30],
    &[14, 15, 17, 20, 21, 23, 24, 28, 31],
    &[15, 16, 19, 20, 23, 24, 25, 26, 28, 29, 30, 32],
    &[16, 17, 18, 19, 21, 22, 23, 25, 27, 28, 30],
    &[13, 15, 20, 24, 26, 29, 32],
    &[15, 16, 21, 22, 23, 25, 26, 28, 29],
    &[16, 19, 23, 27, 30],
    &[17, 20, 22, 23, 24, 27, 28, 29, 31],
];

#[test]
fn gtx1080_is_figure_6() {
    let gtx = Mapping::named("gtx1080").unwrap();
    let [m0, m1, m2, sets @ .., b3, b4, b5, b6] = FIGURE_6;
    let lists = |parts: &[&[u32]]| parts.iter().map(|it| it.to_vec()).collect::<Lists>();
    let table = gtx.table();
    assert_eq!(table.module, Some(lists(&[m0, m1, m2])));
    assert_eq!(table.bank, lists(&[m0, m1, m2, b3, b4, b5, b6]));
    assert_eq!(table.set, lists(&[&[m0, m1, m2][..], &sets].concat()));
    assert_eq!((table.modules, table.banks, table.sets), (8, 128, 1024));
    // Section IV-D: the module is what both have in common, and no more.
    let (bank, set) = (gtx.functions(Field::Bank), gtx.functions(Field::Set));
    let module = gtx.functions(Field::Module);
    assert!(gf2::same_span(&gf2::intersection(bank, set), module));
    // Section IV-E: third bit of the module, pages of 4 KB; larger pages have no colour.
    assert_eq!(gtx.colours(4096), [module[2]]);
    assert_eq!(gtx.colours(65536), [0; 0]);
    assert_eq!(gtx.colours(2 << 20), [0; 0]);
    assert_eq!(gtx.colours(1024).len(), 3);
    // Appendix B: rows of 2 KB; the tag of the table is the one that would be there without it.
    assert_eq!(gtx.functions(Field::Column).len(), 11);
    let mut without = table.clone();
    without.tag = None;
    let without = Mapping::new(without).unwrap();
    assert_eq!(without.functions(Field::Tag), gtx.functions(Field::Tag));
}

#[test]
fn v100_has_32_modules_and_8_colours() {
    let v100 = Mapping::named("v100").unwrap();
    let [module, bank, set] = [Field::Module, Field::Bank, Field::Set].map(|it| v100.functions(it));
    assert_eq!((module.len(), bank.len(), set.len()), (5, 9, 10));
    assert!(gf2::same_span(&gf2::intersection(bank, set), module));
    assert!(module.iter().all(|it| !bank.contains(it)));
    // Section IV-E: "8 memory colors are possible from 32 memory modules".
    assert_eq!(v100.colours(4096).len(), 3);
    assert!(Mapping::new(v100.table().clone())
        .unwrap()
        .map(1 << 33)
        .row
        .is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn gtx1080_is_a_bijection(address in 0u64..1 << 33) {
        let gtx = Mapping::named("gtx1080").unwrap();
        let place = gtx.map(address);
        let at = |list: &[u32]| list.iter().fold(0, |sum, bit| sum ^ address >> bit & 1);
        for (bit, list) in FIGURE_6[..10].iter().enumerate() {
            prop_assert_eq!(place.set >> bit & 1, at(list));
        }
        prop_assert_eq!(place.module, place.set & 7);
        prop_assert_eq!(place.module, place.bank & 7);
        prop_assert_eq!(place.colour, place.module >> 2);
        let (row, column) = (place.row.unwrap(), place.column.unwrap());
        prop_assert_eq!(gtx.bank_address(place.bank, row, column), Some(address));
        prop_assert_eq!(gtx.line_address(place.set, place.tag, place.offset), Some(address));
    }

    #[test]
    fn tables_go_to_text_and_back(
        module in 0u64..8, banks in proptest::collection::vec(1u64..1 << 20, 2),
        sets in proptest::collection::vec(1u64..1 << 20, 4), title in ".{0,12}", claimed: bool
    ) {
        let lists = |functions: &[u64]| -> Lists {
            let bits = |it: &u64| (0..32).filter(|bit| it >> bit & 1 == 1).collect();
            functions.iter().map(bits).collect()
        };
        let first = 1 << 9 | module << 15;
        let high = |it: &u64| it << 7 & 0xf_ff80 | 1 << 8;
        let bank: Vec<u64> = [first].into_iter().chain(banks.iter().map(high)).collect();
        let set: Vec<u64> = [first].into_iter().chain(sets.iter().map(high)).collect();
        let table = Table {
            name: "drawn".into(), title, width: 20, line: 128, sector: 64, page: 2048,
            modules: 2, banks: 8, sets: 32, bijective: vec![Claim::Set; claimed.into()],
            module: Some(lists(&[first])), bank: lists(&bank), set: lists(&set),
            row: None, column: None, tag: None,
        };
        let independent = gf2::rank(&bank) == 3 && gf2::rank(&set) == 5;
        let mapping = Mapping::new(table);
        prop_assert_eq!(mapping.is_ok(), independent);
        if let Ok(mapping) = mapping {
            prop_assert_eq!(&Mapping::from_toml(&mapping.to_toml()).unwrap(), &mapping);
            for address in [0, 1, 0xf_ffff, banks[0]] {
                let place = mapping.map(address);
                prop_assert_eq!(place.bank & 1, parity(first, address));
                prop_assert_eq!(mapping.line_address(place.set, place.tag, place.offset), Some(address));
            }
        }
    }
}

#[test]
fn every_mapping_has_its_name_and_goes_to_text_and_back() {
    for name in names() {
        let mapping = Mapping::named(name).unwrap();
        assert_eq!(mapping.table().name, name);
        assert_eq!(Mapping::from_toml(&mapping.to_toml()).unwrap(), mapping);
    }
}

#[test]
fn what_is_left_out_is_found() {
    let without = SMALL.replace("module = [[12, 15]]\n", "");
    let (small, without) = (SMALL, without.as_str());
    let [small, without] = [small, without].map(|text| Mapping::from_toml(text).unwrap());
    assert_eq!(
        small.functions(Field::Module),
        without.functions(Field::Module)
    );
}

#[test]
fn faults_are_named_with_line_and_what_is_expected() {
    for (from, to, message) in [
        ("[13, 16]", "[13, 20]", "line 16: functions.bank[1] is bit 20, expected 5 to 19, a sector being in one bank"),
        ("[13, 16]", "[13, 16, 13]", "line 16: functions.bank[1] is bit 13 twice, expected each bit once"),
        ("[7, 14]", "[6, 14]", "line 18: functions.set[1] is bit 6, expected 7 to 19, a line being in one set"),
        ("[7, 14]", "[]", "line 18: functions.set[1] is empty, expected one address bit or more"),
        ("[13, 16],", "[15, 12],", "line 16: functions.bank[1] is equal to function 0, expected functions that are linearly independent"),
        ("[7, 14], [8]", "[8], [8, 15, 12]", "line 18: functions.set[2] is the XOR of functions 0, 1, expected functions that are"),
        ("banks = 4", "banks = 8", "line 14: functions.bank is 2 functions, expected 3, as banks is 8"),
        ("banks = 4", "banks = 5", "line 8: banks is 5, expected a power of two from 1 to 65536"),
        ("width = 20", "width = 65", "line 3: width is 65, expected 1 to 64"),
        ("sector = 32", "sector = 256", "line 5: sector is 256, expected a power of two from 1 to 128"),
        ("page = 4096", "page = 64", "line 6: page is 64, expected a power of two from 128 to"),
        ("modules = 2", "modules = 16", "line 7: modules is 16, expected a power of two from 1 to 4"),
        ("module = [[12, 15]]", "module = [[13, 16]]", "line 13: functions.module[0] is different for 0x0 and 0x2000, which are in one set, expected a sum of functions of the set"),
        ("[17], [18], [19]", "[17], [18]", "line 10: bijective is said of \"bank\", but addresses 0x0 and 0x80000 are equal in column, bank and row, expected 20 independent functions; there are 19 (13 of column, 2 of bank, 4 of row)"),
        ("[17], [18], [19]", "[17], [18], [12]", "line 10: bijective is said of \"bank\", but addresses 0x0 and 0x80000"),
        ("[18], [19]", "[18], [19], [7]", "line 10: bijective is said of \"bank\", which has more functions than address bits"),
        ("\"bank\", \"set\"", "\"bank\", \"bank\"", "line 10: bijective is 2 claims"),
        ("\"set\"]", "\"sets\"]", "line 10: bijective: no such claim: `sets`, expected `bank` or `set`"),
        ("bank = [\n", "bnak = [\n", "line 14: unknown field `bnak` (did you mean \"bank\"?), expected one of `module`, `bank`"),
        ("sector = 32", "sectors = 32", "line 5: unknown field `sectors` (did you mean \"sector\"?)"),
        ("[13, 16]", "[13, -16]", "expected a whole number, 0 or more"),
        ("[13, 16]", "13", "line 16: "),
        ("width = 20", "width = \"20\"", "line 3: width: invalid type: string \"20\", expected a whole number, 0 or more"),
        ("sets = 8\n", "", "missing field `sets`"),
        ("title =", "title", "line 2: "),
    ] {
        let error = error(from, to);
        assert!(error.contains(message), "{error}\n{message}");
    }
}

#[test]
fn colliding_addresses_do_collide() {
    let broken = SMALL.replace("[17], [18], [19]", "[17], [18], [12]");
    let error = Mapping::from_toml(&broken).unwrap_err().to_string();
    let other = error.split("0x0 and 0x").nth(1).unwrap();
    let other = u64::from_str_radix(other.split(' ').next().unwrap(), 16).unwrap();
    let unclaimed = broken.replace("\"bank\", \"set\"", "\"set\"");
    let mapping = Mapping::from_toml(&unclaimed).unwrap();
    let [a, b] = [0, other].map(|it| mapping.map(it));
    assert!(other > 0 && (a.bank, a.row, a.column) == (b.bank, b.row, b.column));
    assert_eq!(mapping.bank_address(0, 0, 0), None);
}

#[test]
fn too_little_in_common_is_no_module() {
    let apart = SMALL.replace("set = [[12, 15]", "set = [[12]");
    let apart = apart.replace("module = [[12, 15]]\n", "");
    let error = Mapping::from_toml(&apart).unwrap_err().to_string();
    let expected = "line 12: functions.module is left out, and banks and sets have 0 functions in \
                    common, expected 1";
    assert_eq!(error, expected);
}

#[test]
fn files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let error = Mapping::read(&path).unwrap_err().to_string();
    assert!(error.starts_with(&path.display().to_string()), "{error}");
    std::fs::write(&path, SMALL.replace("[13, 16]", "[13, 99]")).unwrap();
    let error = Mapping::read(&path).unwrap_err().to_string();
    assert!(
        error.contains("mine.toml: line 16: functions.bank[1] is bit 99"),
        "{error}"
    );
    std::fs::write(&path, SMALL).unwrap();
    assert_eq!(
        Mapping::read(&path).unwrap(),
        Mapping::from_toml(SMALL).unwrap()
    );
    let error = Mapping::named("gtx108").unwrap_err().to_string();
    assert_eq!(
        error,
        "no mapping \"gtx108\" (did you mean \"gtx1080\"?), expected one of: gtx1080, v100"
    );
}
