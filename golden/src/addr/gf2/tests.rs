//! Rationale: each operation is compared with its definition, by enumeration where 8 bits are
//! enough to see every case (dependent rows, zero rows, equal rows, no rows), and by algebraic
//! laws at 64 bits, where shifts by the width could go wrong.
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// All sums of rows.
fn sums(rows: &[u64]) -> Vec<u64> {
    let mut sums = vec![0];
    for row in rows {
        let more: Vec<u64> = sums.iter().map(|sum| sum ^ row).collect();
        sums.extend(more);
    }
    sums.sort_unstable();
    sums.dedup();
    sums
}

#[test]
fn nothing_spans_nothing() {
    assert_eq!(rank(&[]), 0);
    assert_eq!(rank(&[0, 0]), 0);
    assert_eq!(kernel(&[], 0b101), [0b001, 0b100]);
    assert_eq!(kernel(&[], u64::MAX).len(), 64);
    assert_eq!(intersection(&[], &[1]), [0; 0]);
    assert_eq!(inverse(&[]), Some(vec![]));
    assert_eq!(collision(&[1], 1), None);
    assert_eq!(collision(&[1], 3), Some(2));
}

#[test]
fn inverse_wants_a_square() {
    assert_eq!(inverse(&[0b01, 0b01]), None);
    assert_eq!(inverse(&[0b10, 0b100]), None, "a bit beyond two");
    assert_eq!(inverse(&[0b11, 0b10]), Some(vec![0b11, 0b10]));
}

#[test]
fn dependent_rows_are_named() {
    assert_eq!(dependency(&[1, 2, 4]), None);
    assert_eq!(dependency(&[5, 0]), Some(0b10));
    assert_eq!(dependency(&[3, 8, 5, 6]), Some(0b1101));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn small_spaces_are_as_enumerated(a in vec(0u64..256, 0..7), b in vec(0u64..256, 0..7), mask in 0u64..256) {
        let all = sums(&a);
        prop_assert_eq!(1 << rank(&a), all.len());
        prop_assert_eq!(sums(&reduced(&a)), all.clone());
        prop_assert_eq!(same_span(&a, &b), all == sums(&b));
        let dependent = dependency(&a);
        prop_assert_eq!(dependent.is_some(), rank(&a) < a.len());
        let named = a.iter().enumerate().filter(|(place, _)| dependent.unwrap_or(0) >> place & 1 == 1);
        prop_assert_eq!(named.fold(0, |sum, (_, row)| sum ^ row), 0);
        let spanned = span(&a);
        for vector in 0..256 {
            prop_assert_eq!(spanned.contains(vector), all.contains(&vector));
        }
        let both: Vec<u64> = all.iter().copied().filter(|x| sums(&b).contains(x)).collect();
        prop_assert_eq!(sums(&intersection(&a, &b)), both);
        let zero = |x: &u64| x & !mask == 0 && a.iter().all(|row| parity(*row, *x) == 0);
        let zeros: Vec<u64> = (0..256).filter(zero).collect();
        prop_assert_eq!(sums(&kernel(&a, mask)), zeros);
    }

    #[test]
    fn reduced_form_is_reduced(rows in vec(any::<u64>(), 0..70)) {
        let form = reduced(&rows);
        for (place, row) in form.iter().enumerate() {
            let leading = 1 << row.ilog2();
            let has = form.iter().filter(|other| *other & leading != 0).count();
            prop_assert_eq!(has, 1);
            prop_assert!(form[place + 1..].iter().all(|other| other < row));
        }
        prop_assert_eq!(reduced(&form), form);
    }

    #[test]
    fn wide_kernels_are_complete(rows in vec(any::<u64>(), 0..70), mask in any::<u64>()) {
        let zeros = kernel(&rows, mask);
        let masked: Vec<u64> = rows.iter().map(|row| row & mask).collect();
        prop_assert_eq!(rank(&zeros), zeros.len());
        prop_assert_eq!(zeros.len() + rank(&masked), mask.count_ones() as usize);
        for vector in &zeros {
            prop_assert_eq!(vector & !mask, 0);
            prop_assert_eq!(rows.iter().map(|row| parity(*row, *vector)).sum::<u64>(), 0);
        }
        // The functions come back from the differences.
        prop_assert!(same_span(&kernel(&zeros, mask), &masked));
    }

    #[test]
    fn tables_say_the_same(functions in vec(any::<u64>(), 0..=64), narrow in 0u32..64, address: u64) {
        let functions: Vec<u64> = functions.iter().map(|it| it >> narrow).collect();
        prop_assert_eq!(Tables::new(&functions).apply(address), apply(&functions, address));
    }

    #[test]
    fn inverses_undo(size in 1usize..=64, seed in vec(any::<u64>(), 64)) {
        let mask = u64::MAX >> (64 - size);
        let rows: Vec<u64> = seed[..size].iter().map(|row| row & mask).collect();
        let undo = inverse(&rows);
        prop_assert_eq!(undo.is_some(), rank(&rows) == size);
        for address in seed {
            if let Some(undo) = &undo {
                let address = address & mask;
                prop_assert_eq!(apply(undo, apply(&rows, address)), address);
                prop_assert_eq!(apply(&rows, apply(undo, address)), address);
            }
        }
    }
}
