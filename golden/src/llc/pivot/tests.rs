//! Rationale: the shift register by hand, and that its period is the longest; that every order is
//! as likely as it can be with keys of seven bits, counted over all draws there are for up to three
//! co-runners; who is charged by hand, and the axioms for all small games in all orders, against the
//! index of [`exact`](crate::llc::exact). That what is charged over many misses comes to that index
//! is a test of its own, `golden/tests/pivot.rs`.
use super::*;
use crate::llc::exact::shapley_shubik;

/// The remainder of a polynomial over GF(2), squared, modulo x^31 + x^28 + 1 or another one.
fn squared(a: u64, modulus: u64) -> u64 {
    let terms = (0..31).filter(|n| a >> n & 1 == 1);
    let mut square: u64 = terms.map(|n| 1 << (2 * n)).sum();
    for n in (31..62).rev() {
        if square >> n & 1 == 1 {
            square ^= modulus << (n - 31);
        }
    }
    square
}

/// Whether x to the power of 2^31 is x again, but not 1: 2^31 - 1 is a prime, so then no lower power
/// of x is 1, and a register with these taps comes back to a state after 2^31 - 1 steps only.
fn longest_period(modulus: u64) -> bool {
    (0..31).fold(2, |power, _| squared(power, modulus)) == 2
}

#[test]
fn the_period_is_the_longest() {
    assert!(longest_period(1 << 31 | 1 << 28 | 1));
    // Other taps, of which it is known that they do not do.
    assert!(!longest_period(1 << 31 | 1 << 27 | 1));
    assert!(!longest_period(1 << 31 | 1 << 30 | 1));
}

#[test]
fn the_taps_are_those_of_the_polynomial() {
    let mut lfsr = SEED;
    let bits: Vec<bool> = (0..1000).map(|_| shift(&mut lfsr)).collect();
    // What leaves first is what the register held, the highest bit first.
    for (n, &bit) in bits[..31].iter().enumerate() {
        assert_eq!(bit, SEED >> (30 - n) & 1 == 1);
    }
    // Times x^31 + x^28 + 1 the sequence is zero, x being a step back.
    for n in 31..bits.len() {
        assert_eq!(bits[n], bits[n - 28] ^ bits[n - 31], "{n}");
    }
}

#[test]
fn draws_by_hand() {
    assert_eq!([2, 4, 5, 16].map(key_bits), [7, 7, 8, 8]);
    // The seed is 0100101 0100010 1111101 0010010 001 from the highest bit on, and so are keys, read
    // from the lowest bit on: 82, 34, 95, 36, and a mask of two bits, 0.
    let mut lfsr = SEED;
    let kids = [0, 1, 2, 3];
    let expected: Vec<(u8, u8)> = [82, 34, 95, 36].into_iter().zip(kids).collect();
    assert_eq!(keys(&mut lfsr, 4), expected);
    assert_eq!(lfsr, 0x47b5_280c);
    lfsr = SEED;
    assert_eq!(order(&mut lfsr, 4), [1, 3, 0, 2]);
    assert_eq!(order(&mut lfsr, 4), [2, 1, 3, 0]);
    // Two kernels: keys 82 and 34, and a mask of one bit, 1.
    lfsr = SEED;
    assert_eq!(keys(&mut lfsr, 2), [(82, 1), (34, 0)]);
    assert_eq!(lfsr, 0x7a48_8f6a);
}

/// Of a key of four kernels.
const KEY_BITS: usize = 7;

/// Of all draws there are of the keys of three co-runners and the mask, how many give each order.
fn orders_of_three() -> [u32; 6] {
    let mut draws = [0; 6];
    for n in 0..1u32 << (3 * KEY_BITS + 2) {
        // Kernels 1, 2 and 3 beside kernel 0.
        let key = |kernel: u32| (n >> (7 * (kernel - 1)) & 0x7f, kernel ^ n >> 21);
        let before = |a, b| u32::from(key(a) < key(b));
        let first_two = before(1, 2) << 2 | before(1, 3) << 1 | before(2, 3);
        // 1 before 2 before 3, 1 3 2, 3 1 2, 2 1 3, 2 3 1, 3 2 1; others contradict themselves.
        let order = [0b111, 0b110, 0b100, 0b011, 0b001, 0b000];
        draws[order.iter().position(|&o| o == first_two).unwrap()] += 1;
    }
    draws
}

#[test]
fn orders_are_as_likely_as_keys_of_seven_bits_allow() {
    // All draws but those of three equal keys divide by six.
    let equal = 1u32 << (KEY_BITS + 2);
    let others = (1 << (3 * KEY_BITS + 2)) - equal;
    for (n, draws) in orders_of_three().into_iter().enumerate() {
        let beyond = draws.checked_sub(others / 6).expect("too few");
        assert!(beyond <= equal / 2, "order {n}: {beyond} too many");
    }
    assert_eq!(others % 6, 0);
}

#[test]
fn the_order_sorts_by_key_and_then_by_masked_kid() {
    // Masks change which of two equal keys is first; draws of four kernels until all were seen.
    let mut lfsr = SEED;
    let mut ties = [[0; 2]; 2];
    for _ in 0..20_000 {
        let mut copy = lfsr;
        let keys = keys(&mut copy, 4);
        let order = order(&mut lfsr, 4);
        assert_eq!(lfsr, copy);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3]);
        for pair in order.windows(2) {
            let [a, b] = [keys[pair[0]], keys[pair[1]]];
            assert!(a.0 < b.0 || a.0 == b.0 && a.1 < b.1);
            if a.0 == b.0 {
                let neighbours = usize::from(pair[0] / 2 == pair[1] / 2);
                ties[neighbours][usize::from(pair[0] < pair[1])] += 1;
            }
        }
    }
    assert!(
        ties.as_flattened().iter().all(|&seen| seen > 50),
        "{ties:?}"
    );
}

#[test]
fn pivots_by_hand() {
    let first = |above: &[u8], order: &[usize]| pivot(4, 0, above, order);
    assert_eq!(first(&[1, 2, 1, 3], &[0, 1, 2, 3]), Some((2, 1)));
    assert_eq!(first(&[1, 2, 1, 3], &[3, 0, 2, 1]), Some((3, 0)));
    assert_eq!(first(&[1, 1, 1, 1], &[2, 3, 1, 0]), Some((1, 2)));
    assert_eq!(first(&[1, 1, 1, 0], &[2, 3, 1, 0]), None);
    // The victim is another.
    assert_eq!(pivot(4, 2, &[1, 3, 1, 3], &[0, 2, 1, 3]), Some((1, 1)));
}

/// Every order of so many.
fn all_orders(kernels: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![vec![]];
    for kernel in 0..kernels {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, kernel);
                order
            })
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

/// Whom a game with these ways and lines charges in an order.
type Charge<'a> = &'a dyn Fn(usize, &[u8], &[usize]) -> Option<usize>;

/// The first axiom that a way to charge breaks in a game, over all orders; kernel 0 is the victim.
fn broken(charge: Charge, ways: u8, above: &[u8]) -> Option<&'static str> {
    let orders = all_orders(above.len());
    let mut charged = vec![0; above.len()];
    for order in &orders {
        match charge(ways.into(), above, order) {
            Some(kernel) => charged[kernel] += 1,
            None if kind(ways.into(), 0, true, above) == Kind::Contention => {
                return Some("efficiency")
            }
            None => {}
        }
    }
    if charged[0] > 0 {
        return Some("the victim is charged");
    }
    for (a, &lines) in above.iter().enumerate().skip(1) {
        if lines == 0 && charged[a] > 0 {
            return Some("null player");
        }
        for (b, &others) in above.iter().enumerate().skip(1) {
            if lines == others && charged[a] != charged[b] {
                return Some("symmetry");
            }
        }
    }
    let mut index = vec![0; above.len() - 1];
    shapley_shubik(&above[1..], ways - above[0], &mut index);
    // The victim may be anywhere in an order of all kernels.
    let index = index.iter().map(|&part| part * above.len() as u64);
    (!index.eq(charged[1..].iter().copied())).then_some("index")
}

#[test]
fn all_orders_of_all_small_games_have_the_exact_index() {
    let right = |ways: usize, above: &[u8], order: &[usize]| {
        pivot(ways, 0, above, order).map(|(kernel, _)| kernel)
    };
    let last = |ways: usize, above: &[u8], order: &[usize]| {
        right(ways, above, order).and(order.iter().rfind(|&&kernel| kernel > 0).copied())
    };
    let by_kid = |ways: usize, above: &[u8], order: &[usize]| {
        let mut order = order.to_vec();
        order.sort_unstable();
        right(ways, above, &order)
    };
    let early = |ways: usize, above: &[u8], order: &[usize]| right(ways - 1, above, order);
    let victim =
        |ways: usize, above: &[u8], order: &[usize]| right(ways, above, order).and(Some(0));
    let nobody = |_: usize, _: &[u8], _: &[usize]| None;
    let mut games = 0;
    let mut refuted = std::collections::BTreeSet::new();
    for kernels in 2..=4usize {
        for ways in 2..=4u8 {
            let codes = usize::from(ways) + 1;
            for game in 0..codes.pow(kernels as u32) {
                let above: Vec<u8> = (0..kernels)
                    .map(|kernel| (game / codes.pow(kernel as u32) % codes) as u8)
                    .collect();
                if above[0] + 1 >= ways {
                    continue;
                }
                assert_eq!(broken(&right, ways, &above), None, "{above:?} of {ways}");
                refuted.extend(broken(&last, ways, &above).map(|axiom| ("last", axiom)));
                refuted.extend(broken(&by_kid, ways, &above).map(|axiom| ("by KID", axiom)));
                refuted.extend(broken(&early, ways, &above).map(|axiom| ("early", axiom)));
                refuted.extend(broken(&victim, ways, &above).map(|axiom| ("victim", axiom)));
                refuted.extend(broken(&nobody, ways, &above).map(|axiom| ("nobody", axiom)));
                games += 1;
            }
        }
    }
    assert!(games > 500, "{games}");
    for mistake in [
        ("last", "null player"),
        ("by KID", "symmetry"),
        ("early", "index"),
        ("victim", "the victim is charged"),
        ("nobody", "efficiency"),
    ] {
        assert!(refuted.contains(&mistake), "{mistake:?}: {refuted:?}");
    }
}

#[test]
fn kinds_of_accesses() {
    assert_eq!(kind(4, 1, false, &[0, 0]), Kind::Own, "first use");
    assert_eq!(kind(4, 1, true, &[0, 4]), Kind::Own, "alone it misses, too");
    assert_eq!(kind(4, 1, true, &[4, 3]), Kind::Contention);
    assert_eq!(kind(4, 1, true, &[1, 2]), Kind::Hit);
}

#[test]
fn an_order_is_drawn_at_a_contention_miss_only() {
    let params = Params {
        ways: 4,
        kernels: 3,
    };
    let mut model = Pivot::new(params).unwrap();
    let access = |access_kid, access_again, above: [u8; 3]| In {
        reset: false,
        access_valid: true,
        access_kid,
        access_again,
        above: above.into(),
    };
    let hit = access(0, true, [1, 1, 1]);
    let contention = access(0, true, [1, 3, 3]);
    let outs = |out: Out| (out.miss, out.contention, out.charged, out.charged_kid);
    assert_eq!(outs(model.step(&hit)), (false, false, 0, 0));
    let own = access(2, false, [0, 4, 0]);
    assert_eq!(outs(model.step(&own)), (true, false, 0b100, 2));
    let none = In {
        access_valid: false,
        ..contention.clone()
    };
    assert_eq!(outs(model.step(&none)), (false, false, 0, 0));
    assert_eq!(model.state().lfsr, SEED);
    // Either is enough, so the first is charged: keys 82, 34, 95, then what follows.
    assert_eq!(outs(model.step(&contention)), (true, true, 0b010, 1));
    let mut lfsr = SEED;
    assert_eq!(order(&mut lfsr, 3), [1, 0, 2]);
    assert_eq!(model.state().lfsr, lfsr);
    // A reset in the same cycle does not change what is put out.
    let next = order(&mut lfsr, 3);
    let first = next.iter().find(|&&kernel| kernel > 0).unwrap();
    let out = model.step(&In {
        reset: true,
        ..contention
    });
    assert_eq!(usize::from(out.charged_kid), *first);
    assert_eq!(model.state().lfsr, SEED);
}

#[test]
fn illegal_parameters_and_inputs_are_named() {
    for (ways, kernels) in [(0, 2), (65, 2), (4, 1), (4, 17)] {
        assert!(Pivot::new(Params { ways, kernels }).is_err());
    }
    let pivot = Pivot::new(Params {
        ways: 5,
        kernels: 3,
    })
    .unwrap();
    let input = In {
        reset: false,
        access_valid: true,
        access_kid: 2,
        access_again: true,
        above: vec![5, 0, 5],
    };
    assert!(pivot.assume(&input).is_ok());
    let at_fault = |input: In| pivot.assume(&input).unwrap_err().field().to_string();
    let unknown = In {
        access_kid: 3,
        ..input.clone()
    };
    assert_eq!(at_fault(unknown), "access_kid");
    let too_many = In {
        above: vec![5, 6, 0],
        ..input
    };
    assert_eq!(at_fault(too_many), "above[1]");
}
