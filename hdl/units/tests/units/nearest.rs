//! Rationale: advice is good if it is what a person would have meant. The three ways to go wrong: a
//! value off, a part missing, a name misspelt.

use cotenant_units::table::nearest;

#[test]
fn a_value_off() {
    assert_eq!(nearest("15x4", ["2x2", "16x4", "16x8"]), "16x4");
    assert_eq!(nearest("48x4", ["16x4", "32x4", "32x8"]), "32x4");
}

#[test]
fn a_part_missing_takes_the_first() {
    assert_eq!(nearest("16x4", ["16x4x21", "16x4x16", "4x4x21"]), "16x4x21");
}

#[test]
fn a_name_misspelt() {
    assert_eq!(
        nearest("tabel-1", ["16x4", "figure-2", "table-1"]),
        "table-1"
    );
    assert_eq!(nearest("lru", ["popcnt", "lru_stack"]), "lru_stack");
    assert_eq!(nearest("gdcu", []), "");
}
