//! Rationale: allocator and mapping agree on colours; a page is taken by one owner at a time and
//! no page is lost, in any order of calls. Page sizes with one colour and with several take other
//! branches, and so does the end of a list.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::addr::mapping::Field;

fn mapping(name: &str) -> Mapping {
    Mapping::named(name).unwrap()
}

#[test]
fn colours_are_those_of_section_iv_e() {
    for (name, page, colours) in [
        ("gtx1080", 4 << 10, 2),
        ("gtx1080", 64 << 10, 1),
        ("gtx1080", 2 << 20, 1),
        ("v100", 4 << 10, 8),
    ] {
        let pages = Allocator::new(&mapping(name), page, 0..1 << 24).unwrap();
        assert_eq!(pages.colours(), colours, "{name} {page}");
        let each = (1 << 24) / page / colours;
        assert!((0..colours).all(|colour| pages.available(colour) == each));
    }
}

/// "All the addresses within a 4 KB page will either lie on M0-M3 or on M4-M7".
#[test]
fn colours_share_no_module() {
    for (name, modules) in [("gtx1080", 4), ("v100", 4)] {
        let mapping = mapping(name);
        let mut pages = Allocator::new(&mapping, 4096, 0..1 << 24).unwrap();
        let mut seen = BTreeSet::new();
        for colour in 0..pages.colours() {
            let taken = pages.allocate_in_turn(&[colour], 100).unwrap();
            let bytes = taken
                .iter()
                .flat_map(|page| (*page..page + 4096).step_by(32));
            let of: BTreeSet<u64> = bytes.map(|it| mapping.map(it).module).collect();
            assert_eq!(of.len(), modules, "{name}");
            assert!(seen.is_disjoint(&of), "{name}");
            seen.extend(of);
        }
        assert_eq!(seen.len(), 1 << mapping.functions(Field::Module).len());
    }
}

#[test]
fn errors_say_what_is_expected() {
    let gtx = mapping("gtx1080");
    let new = |page, range| {
        Allocator::new(&gtx, page, range)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert!(new(4095, 0..4096).starts_with("page is 4095, expected a power of two from 128"));
    assert!(new(64, 0..4096).starts_with("page is 64, "));
    assert!(new(4096, 0..4097).contains("expected whole pages of 4096 bytes"));
    assert!(new(4096, 4096..4096).contains("memory from 0x1000 to 0x1000"));
    assert!(new(4096, 0..1 << 34).contains("within 0x0 to 0x200000000"));
    let mut pages = Allocator::new(&gtx, 4096, 0..16 << 12).unwrap();
    let error = pages.allocate(2).unwrap_err().to_string();
    assert_eq!(error, "colour is 2, expected one below 2");
    let before = pages.free.clone();
    let error = pages.allocate_in_turn(&[0, 1], 18).unwrap_err().to_string();
    assert_eq!(
        error,
        "colour 0 has 8 free pages of 4096 bytes, expected 9 or more"
    );
    assert_eq!(pages.free, before);
    assert!(pages.allocate_in_turn(&[], 1).is_err());
    assert_eq!(pages.allocate_in_turn(&[1], 8).unwrap().len(), 8);
    let error = pages.allocate(1).unwrap_err().to_string();
    assert_eq!(
        error,
        "colour 1 has 0 free pages of 4096 bytes, expected 1 or more"
    );
    let page = pages.allocate(0).unwrap();
    for wrong in [page + 1, 1 << 20, pages.free[0][0]] {
        assert_eq!(
            pages.free(wrong),
            Err(ColourError::NotAllocated { address: wrong })
        );
    }
    assert!(pages.free(page).is_ok() && pages.free(page).is_err());
}

proptest! {
    #[test]
    fn a_page_has_one_owner(
        four in any::<bool>(),
        start in 0u64..64,
        count in 1u64..64,
        calls in proptest::collection::vec((any::<bool>(), 0u64..8, any::<prop::sample::Index>()), 1..200),
    ) {
        let mapping = mapping(if four { "gtx1080" } else { "v100" });
        let range = start << 12..(start + count) << 12;
        let mut pages = Allocator::new(&mapping, 4096, range.clone()).unwrap();
        let colours = pages.colours();
        let mut owned: Vec<u64> = vec![];
        for (take, colour, which) in calls {
            let colour = colour % colours;
            if take {
                let left = pages.available(colour);
                match pages.allocate(colour) {
                    Ok(page) => {
                        prop_assert!(range.contains(&page) && page % 4096 == 0);
                        prop_assert_eq!(mapping.map(page).colour, colour);
                        prop_assert!(!owned.contains(&page));
                        owned.push(page);
                    }
                    Err(error) => {
                        prop_assert_eq!(left, 0);
                        let is = matches!(error, ColourError::Exhausted { .. });
                        prop_assert!(is);
                    }
                }
            } else if !owned.is_empty() {
                let page = owned.swap_remove(which.index(owned.len()));
                prop_assert!(pages.free(page).is_ok());
                // What came back last goes out next.
                let colour = pages.colour_of(page);
                prop_assert_eq!(pages.allocate(colour), Ok(page));
                prop_assert!(pages.free(page).is_ok());
            }
            let free: u64 = (0..colours).map(|colour| pages.available(colour)).sum();
            prop_assert_eq!(free + owned.len() as u64, count);
        }
    }
}
