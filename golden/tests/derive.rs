//! Rationale: a model's ports and registers are written once, at its structs. Small structs with
//! one field of each shape show what comes of it: names, widths, order, packing across a word's
//! edge, and that what does not fit is told with port, value and width. That a mistake is told at
//! its place is tested in the derive's own crate.

use cotenant_golden::ports::{
    Bound, Formula, Packer, Parameter, Parameters, Port, Ports, Registers, Unpacker,
};
use cotenant_golden::ParamError;

#[derive(Debug, PartialEq, Clone, Copy)]
enum Policy {
    Keep,
    Drop,
}

impl TryFrom<usize> for Policy {
    type Error = ParamError;

    fn try_from(code: usize) -> Result<Self, ParamError> {
        match code {
            0 => Ok(Self::Keep),
            1 => Ok(Self::Drop),
            _ => Err(ParamError::OutOfRange {
                name: "policy",
                value: code as u64,
                min: 0,
                max: 1,
            }),
        }
    }
}

#[derive(Debug, PartialEq, Parameters)]
struct Params {
    // It depends on a parameter below, which is checked first.
    #[range(p.ways..=2 * p.ways)]
    lines: usize,
    #[range(1..=8)]
    ways: usize,
    #[range(2..=40)]
    width: u64,
    policy: Policy,
    cap: bool,
}

const PARAMS: Params = Params {
    lines: 5,
    ways: 3,
    width: 40,
    policy: Policy::Drop,
    cap: true,
};

#[test]
fn parameters_come_by_name() {
    let value = |name| match name {
        "LINES" => Ok(5),
        "WAYS" => Ok(3),
        "WIDTH" => Ok(40),
        "POLICY" => Ok(1),
        "CAP" => Ok(7),
        other => Err(other.to_owned()),
    };
    let refused = |error: ParamError| error.to_string();
    assert_eq!(Params::named(value, refused), Ok(PARAMS));
    let other_policy = |name| match name {
        "POLICY" => Ok(2),
        name => value(name),
    };
    let error = Params::named(other_policy, refused).unwrap_err();
    assert_eq!(error, "policy is 2, expected 0 to 1");
    let missing = |name| match name {
        "WAYS" => Err("there is no WAYS".to_owned()),
        name => value(name),
    };
    assert_eq!(
        Params::named(missing, refused).unwrap_err(),
        "there is no WAYS"
    );
}

#[test]
fn ranges_are_checked_and_those_that_depend_on_others_last() {
    assert_eq!(PARAMS.check_ranges(), Ok(()));
    for (lines, ways, message) in [
        (7, 3, "lines is 7, expected 3 to 6"),
        (2, 3, "lines is 2, expected 3 to 6"),
        (100, 9, "ways is 9, expected 1 to 8"),
    ] {
        let params = Params {
            lines,
            ways,
            ..PARAMS
        };
        assert_eq!(params.check_ranges().unwrap_err().to_string(), message);
    }
}

#[test]
fn parameters_are_described() {
    let parameter = |name, range| Parameter { name, range };
    let values = |least, most| Some((Bound::Value(least), Bound::Value(most)));
    let lines = (Bound::Formula("WAYS"), Bound::Formula("2 * WAYS"));
    let described = [
        parameter("LINES", Some(lines)),
        parameter("WAYS", values(1, 8)),
        parameter("WIDTH", values(2, 40)),
        parameter("POLICY", values(0, 1)),
        parameter("CAP", values(0, 1)),
    ];
    assert_eq!(Params::described(), described);
}

#[derive(Debug, Clone, PartialEq, Ports)]
struct Answer {
    #[port(2)]
    code: u8,
}

#[derive(Debug, Clone, PartialEq, Ports)]
#[ports(_)]
struct Flag {
    raised: bool,
}

#[derive(Debug, Clone, PartialEq, Ports)]
struct Link<F> {
    reset: bool,
    #[port([p.width as usize; p.ways])]
    packed: Vec<u64>,
    #[port([1; p.lines])]
    mask: u8,
    #[port(nested)]
    answer: Answer,
    #[port(nested)]
    flag: F,
}

fn link() -> Link<Flag> {
    Link {
        reset: true,
        packed: vec![1, (1 << 40) - 1, 0x12_3456_789a],
        mask: 0b1_0110,
        answer: Answer { code: 3 },
        flag: Flag { raised: true },
    }
}

#[test]
fn ports_have_the_fields_names_and_order() {
    let expected = [
        Port::value("reset", 1),
        Port::packed("packed", 3, 40),
        Port::packed("mask", 5, 1),
        Port::value("code", 2),
        Port::value("raised", 1),
    ];
    assert_eq!(Link::<Flag>::ports(&PARAMS), expected);
}

#[test]
fn each_port_is_packed_from_a_new_word() {
    let mut words = [0; 6];
    let mut packer = Packer::new(&mut words);
    link().pack(&PARAMS, &mut packer);
    assert_eq!(packer.written(), 6);
    let packed = Port::packed("packed", 3, 40);
    let values = [0, 1, 2].map(|i| packed.element(&words[1..], i));
    assert_eq!(values[..], link().packed[..]);
    assert_eq!((words[0], &words[3..]), (1, &[0b1_0110, 3, 1][..]));
}

#[test]
fn ports_have_the_widths_of_their_formulas() {
    let expected = [
        Formula::of("reset", "1", "1"),
        Formula::of("packed", "WAYS", "WIDTH"),
        Formula::of("mask", "LINES", "1"),
        Formula::of("code", "1", "2"),
        Formula::of("raised", "1", "1"),
    ];
    assert_eq!(Link::<Flag>::formulas(&PARAMS), expected);
}

#[test]
fn what_was_packed_comes_back() {
    let mut words = [0; 6];
    link().pack(&PARAMS, &mut Packer::new(&mut words));
    let unpack = |words: &[u64]| Link::<Flag>::unpack(&PARAMS, &mut Unpacker::new(words));
    assert_eq!(unpack(&words), Ok(link()));
    for (word, value, message) in [
        (0, 2, "reset is 2, expected at most 1"),
        (
            2,
            1 << 56,
            "packed is 0x100000000000000, expected no bit from 56 up",
        ),
        (3, 32, "mask is 0x20, expected no bit from 5 up"),
        (4, 4, "code is 4, expected at most 3"),
        (5, 2, "raised is 2, expected at most 1"),
    ] {
        let mut wrong = words;
        wrong[word] = value;
        assert_eq!(unpack(&wrong).unwrap_err().to_string(), message);
    }
}

#[test]
fn what_does_not_fit_is_told() {
    assert_eq!(link().fits(&PARAMS), Ok(()));
    let told = |link: &Link<Flag>| link.fits(&PARAMS).unwrap_err().to_string();
    let mut wide = link();
    wide.packed[1] = 1 << 40;
    assert_eq!(
        told(&wide),
        "packed[1] is 1099511627776, expected at most 1099511627775"
    );
    let mut short = link();
    short.packed.pop();
    assert_eq!(told(&short), "packed has 2 elements, expected 3");
    let masked = Link { mask: 32, ..link() };
    assert_eq!(told(&masked), "mask is 0x20, expected no bit from 5 up");
    let answer = Answer { code: 4 };
    assert_eq!(
        told(&Link { answer, ..link() }),
        "code is 4, expected at most 3"
    );
}

struct Narrow {
    width: usize,
}

#[derive(Debug, Clone, PartialEq, Registers)]
#[registers(Narrow)]
struct Entry {
    valid: bool,
    #[register([p.width; 2])]
    sums: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Registers)]
struct State {
    #[register([[p.width as usize; 2]; p.ways])]
    count: Vec<Vec<u64>>,
    #[register([1; p.ways])]
    valid: u64,
    #[register(skip)]
    answer: String,
    #[register([nested(Narrow { width: 4 }); 2])]
    entries: [Entry; 2],
    #[register(nested(Narrow { width: 5 }), when = p.cap)]
    capped: Option<Entry>,
}

fn registers(params: &Params) -> Vec<(String, Vec<usize>, usize)> {
    let mut all = Vec::new();
    State::registers(params, &mut |name, at, width| {
        all.push((name.to_owned(), at.to_vec(), width));
    });
    all
}

#[test]
fn registers_have_names_subscripts_widths_and_values() {
    let entry = |sum| Entry {
        valid: sum > 5,
        sums: vec![sum, sum + 1],
    };
    let state = State {
        count: vec![vec![1, 2], vec![3, 4], vec![5, 6]],
        valid: 0b101,
        answer: "no register".into(),
        entries: [entry(7), entry(1)],
        capped: Some(entry(9)),
    };
    let mut values = Vec::new();
    state.each(&PARAMS, &mut |name, at, value| {
        values.push((name, at.to_vec(), value))
    });
    let listed = registers(&PARAMS);
    // One value each, in the same order; of a struct in a struct the inner name.
    assert_eq!(listed.len(), values.len());
    for ((name, at, _), (inner, subscripts, _)) in listed.iter().zip(&values) {
        assert_eq!(name.rsplit('.').next(), Some(*inner));
        assert_eq!(at, subscripts);
    }
    let of = |name: &str, subscripts: &[usize]| {
        let found =
            |(listed, at, _): &(String, Vec<usize>, usize)| listed == name && at == subscripts;
        let index = listed.iter().position(found).expect(name);
        (listed[index].2, values[index].2)
    };
    assert_eq!(of("count[][]", &[2, 1]), (40, 6));
    assert_eq!(of("valid[]", &[1]), (1, 0));
    assert_eq!(of("valid[]", &[2]), (1, 1));
    assert_eq!(of("entries[].sums[]", &[0, 1]), (4, 8));
    assert_eq!(of("entries[].valid", &[1]), (1, 0));
    assert_eq!(of("capped.sums[]", &[0]), (5, 9));
    assert_eq!(listed.len(), 6 + 3 + 2 * 3 + 3);
}

#[test]
fn registers_that_are_there_for_some_parameters_only() {
    let none = Params {
        cap: false,
        ..PARAMS
    };
    assert_eq!(registers(&PARAMS).len(), registers(&none).len() + 3);
    assert!(!registers(&none)
        .iter()
        .any(|(name, ..)| name.starts_with("capped")));
}

/// An array of parameters, whose range depends on the number of the element.
#[derive(Debug, PartialEq, Parameters)]
struct Lists {
    #[range(1..=3)]
    lists: usize,
    #[range(0..=if at < p.lists { 15 } else { 0 })]
    mask: [u64; 3],
}

#[test]
fn elements_of_an_array_are_parameters() {
    let given = |mask: [usize; 3]| {
        let value = |name| match name {
            "LISTS" => Ok(2),
            "MASK_0" => Ok(mask[0]),
            "MASK_1" => Ok(mask[1]),
            "MASK_2" => Ok(mask[2]),
            other => Err(format!("no {other}")),
        };
        Lists::named(value, |error: ParamError| error.to_string()).unwrap()
    };
    assert_eq!(given([6, 11, 0]).mask, [6, 11, 0]);
    assert_eq!(given([6, 15, 0]).check_ranges(), Ok(()));
    let refused = |mask| given(mask).check_ranges().unwrap_err().to_string();
    assert_eq!(refused([6, 16, 0]), "mask_1 is 16, expected 0 to 15");
    assert_eq!(refused([6, 11, 1]), "mask_2 is 1, expected 0 to 0");
}
