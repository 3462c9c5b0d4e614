//! The AST written by hand is the one that the macro makes.
//!
//! One block, once as Rust under `#[hdl_gen]` and once as data: the two ASTs
//! must be equal to the letter. Every kind of statement and expression of
//! random programs is in it.

use crate::random_blocks::block::Circuit;
use crate::random_blocks::program::*;
use crate::random_blocks::types::{Mode, Small, Ty};
use crate::random_blocks::written;
use crate::support::agree::lockstep;
use crate::support::{stimulus, Flop, I, L, O};
use cotenant_netlist::elaborate;
use cotenant_netlist::hdl::*;
use std::rc::Rc;

#[derive(LogicBlock)]
struct Sample {
    clock: I<Clock>,
    reset: I<Bit>,
    a: I<Bits<8>>,
    b: [I<Bits<5>>; 3],
    s: I<Small>,
    w: I<Bits<16>>,
    o: O<Bits<8>>,
    p: [O<Bits<5>>; 3],
    q: O<Bit>,
    wide: O<Bits<64>>,
    product: O<Bits<32>>,
    mode: L<Mode>,
    t: L<Small>,
    k0: Constant<Bits<3>>,
    x: [Flop<Bits<5>>; 3],
    y: Flop<Small>,
}

impl Logic for Sample {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..3 {
            self.x[i].clock.next = self.clock.val();
            self.x[i].reset.next = self.reset.val();
            self.x[i].d.next = self.b[2 - i].val() + self.x[(i + 1) % 3].q.val();
            self.p[i].next = (2 * i + 1).to_bits::<5>();
        }
        self.y.clock.next = self.clock.val();
        self.y.reset.next = false;
        self.y.d.next = self.s.val();
        self.y.d.next.count = self.a.val().get_bits::<5>(1);
        self.t.next = self.s.val();
        self.t.next.flag = !self.s.val().flag;
        self.mode.next = Mode::Turbo;
        self.q.next = (self.a.val() < 0x7f) && (3 <= self.w.val());
        self.wide.next = 0x9_0000_0000_u64 << self.k0.val();
        self.wide.next = 1 << self.a.val().get_bits::<3>(self.k0.val().index());
        self.product.next = self.w.val() * (self.w.val() >> 3);
        self.o.next = 0xff.into();
        if self.a.val().any() {
            self.o.next = self.a.val() + self.q.val();
        } else if self.y.q.val().flag {
            self.o.next = bit_cast::<8, 5>(self.x[0].q.val()).replace_bit(7, self.q.val());
        } else {
            self.o.next = self.t.val().into();
        }
        match self.w.val().index() {
            3 => {
                self.mode.next = Mode::Off;
            }
            _ => {}
        }
        match self.q.val() {
            false => {}
            true => {
                self.o.next = (self.o.val() ^ bits::<8>(0x55)) - 1;
            }
        }
        match self.mode.val() {
            Mode::Off => {
                self.q.next = self.a.val().get_bit(3);
            }
            _ => {
                self.q.next = (self.mode.val() == Mode::Slow) | self.a.val().xor();
            }
        }
    }
}
ports!(Sample {
    clock,
    reset,
    a,
    b,
    s,
    w
});

fn own(signal: usize) -> Place {
    Place {
        child: None,
        signal,
        index: None,
    }
}

fn element(signal: usize, index: Index) -> Place {
    Place {
        child: None,
        signal,
        index: Some(index),
    }
}

fn port(child: usize, index: Option<Index>, signal: usize) -> Place {
    Place {
        child: Some((child, index)),
        signal,
        index: None,
    }
}

/// The same block as data.
fn sample() -> Program {
    use BinaryOp::*;
    use Index::*;
    let decl = |name: &str, ty, role, len| Decl {
        name: name.into(),
        ty,
        role,
        len,
    };
    let (clock, reset, a, b, s, w, o, p, q, wide, product, mode, t, k0) =
        (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    let e = |ty, kind| Expr { ty, kind };
    let read = |ty, place| e(ty, Kind::Read(place));
    let x = |ty, kind| Box::new(e(ty, kind));
    let rx = |ty, place| Box::new(read(ty, place));
    let (bit, b3, b5, b8, b16) = (Ty::Bit, Ty::Bits(3), Ty::Bits(5), Ty::Bits(8), Ty::Bits(16));
    let i = Affine(0, 1, 0);
    let field = |ty: Ty, place: Place, name: &'static str| {
        let small = Ty::Small
            .fields()
            .into_iter()
            .find(|f| f.0 == name)
            .expect("a field");
        e(ty, Kind::Field(place, name, small.2))
    };
    let set_field = |place: Place, name: &'static str, value: Expr| {
        let (name, ty, low) = Ty::Small
            .fields()
            .into_iter()
            .find(|f| f.0 == name)
            .expect("a field");
        Stmt::AssignField(place, name, ty, low, value)
    };
    let known = |k| Position::Known(Const(k));
    let body = vec![
        Stmt::For(
            0,
            0,
            3,
            vec![
                Stmt::Assign(port(0, Some(i), 0), read(Ty::Clock, own(clock))),
                Stmt::Assign(port(0, Some(i), 1), read(bit, own(reset))),
                Stmt::Assign(
                    port(0, Some(i), 2),
                    e(
                        b5,
                        Kind::Binary(
                            Add,
                            rx(b5, element(b, Reverse(2, 0))),
                            rx(b5, port(0, Some(Modulo(0, 1, 3)), 3)),
                        ),
                    ),
                ),
                Stmt::Assign(element(p, i), e(b5, Kind::Loop(Affine(0, 2, 1)))),
            ],
        ),
        Stmt::Assign(port(1, None, 0), read(Ty::Clock, own(clock))),
        Stmt::Assign(port(1, None, 1), e(bit, Kind::Truth(false))),
        Stmt::Assign(port(1, None, 2), read(Ty::Small, own(s))),
        set_field(
            port(1, None, 2),
            "count",
            e(b5, Kind::GetBits(rx(b8, own(a)), known(1))),
        ),
        Stmt::Assign(own(t), read(Ty::Small, own(s))),
        set_field(
            own(t),
            "flag",
            e(bit, Kind::Not(Box::new(field(bit, own(s), "flag")))),
        ),
        Stmt::Assign(own(mode), e(Ty::Mode, Kind::Mode(3))),
        Stmt::Assign(
            own(q),
            e(
                bit,
                Kind::Binary(
                    BothTrue,
                    x(bit, Kind::WithLiteral(Lt, rx(b8, own(a)), 0x7f)),
                    x(bit, Kind::LiteralWith(Le, 3, rx(b16, own(w)))),
                ),
            ),
        ),
        Stmt::Assign(
            own(wide),
            e(
                Ty::Bits(64),
                Kind::ShiftLiteral {
                    left: true,
                    of: 0x9_0000_0000,
                    by: rx(b3, own(k0)),
                },
            ),
        ),
        Stmt::Assign(
            own(wide),
            e(
                Ty::Bits(64),
                Kind::ShiftLiteral {
                    left: true,
                    of: 1,
                    by: x(
                        b3,
                        Kind::GetBits(rx(b8, own(a)), Position::Computed(rx(b3, own(k0)))),
                    ),
                },
            ),
        ),
        Stmt::Assign(
            own(product),
            e(
                Ty::Bits(32),
                Kind::Mul(
                    rx(b16, own(w)),
                    x(
                        b16,
                        Kind::Shift {
                            left: false,
                            of: rx(b16, own(w)),
                            by: known(3),
                        },
                    ),
                ),
            ),
        ),
        Stmt::AssignLiteral(own(o), 0xff),
        Stmt::If(
            vec![
                (
                    e(bit, Kind::Reduce(Reduction::Any, rx(b8, own(a)))),
                    vec![Stmt::Assign(
                        own(o),
                        e(b8, Kind::AddBit(rx(b8, own(a)), rx(bit, own(q)))),
                    )],
                ),
                (
                    field(bit, port(1, None, 3), "flag"),
                    vec![Stmt::Assign(
                        own(o),
                        e(
                            b8,
                            Kind::ReplaceBit(
                                x(b8, Kind::Cast(rx(b5, port(0, Some(Const(0)), 3)))),
                                known(7),
                                rx(bit, own(q)),
                            ),
                        ),
                    )],
                ),
            ],
            Some(vec![Stmt::Assign(own(o), e(b8, Kind::Into(own(t))))]),
        ),
        Stmt::MatchBits(
            read(b16, own(w)),
            vec![(3, vec![Stmt::Assign(own(mode), e(Ty::Mode, Kind::Mode(0)))])],
            vec![],
        ),
        Stmt::MatchBit(
            read(bit, own(q)),
            vec![
                (false, vec![]),
                (
                    true,
                    vec![Stmt::Assign(
                        own(o),
                        e(
                            b8,
                            Kind::WithLiteral(
                                Sub,
                                x(
                                    b8,
                                    Kind::Binary(Xor, rx(b8, own(o)), x(b8, Kind::Sized(0x55))),
                                ),
                                1,
                            ),
                        ),
                    )],
                ),
            ],
        ),
        Stmt::MatchMode(
            read(Ty::Mode, own(mode)),
            vec![(
                0,
                vec![Stmt::Assign(
                    own(q),
                    e(bit, Kind::GetBit(rx(b8, own(a)), known(3))),
                )],
            )],
            Some(vec![Stmt::Assign(
                own(q),
                e(
                    bit,
                    Kind::Binary(
                        Or,
                        x(
                            bit,
                            Kind::Binary(Eq, rx(Ty::Mode, own(mode)), x(Ty::Mode, Kind::Mode(1))),
                        ),
                        x(bit, Kind::Reduce(Reduction::Xor, rx(b8, own(a)))),
                    ),
                ),
            )]),
        ),
    ];
    Program {
        decls: vec![
            decl("clock", Ty::Clock, Role::In, None),
            decl("reset", bit, Role::In, None),
            decl("a", b8, Role::In, None),
            decl("b", b5, Role::In, Some(3)),
            decl("s", Ty::Small, Role::In, None),
            decl("w", b16, Role::In, None),
            decl("o", b8, Role::Out, None),
            decl("p", b5, Role::Out, Some(3)),
            decl("q", bit, Role::Out, None),
            decl("wide", Ty::Bits(64), Role::Out, None),
            decl("product", Ty::Bits(32), Role::Out, None),
            decl("mode", Ty::Mode, Role::Local, None),
            decl("t", Ty::Small, Role::Local, None),
            decl("k0", b3, Role::Constant(2u8.into()), None),
        ],
        children: vec![
            Instance {
                name: "x".into(),
                made: Made::Flop(b5, 7u8.into()),
                len: Some(3),
            },
            Instance {
                name: "y".into(),
                made: Made::Flop(Ty::Small, 0u8.into()),
                len: None,
            },
        ],
        body,
    }
}

fn by_macro() -> Sample {
    Sample {
        clock: Default::default(),
        reset: Default::default(),
        a: Default::default(),
        b: Default::default(),
        s: Default::default(),
        w: Default::default(),
        o: Default::default(),
        p: Default::default(),
        q: Default::default(),
        wide: Default::default(),
        product: Default::default(),
        mode: Default::default(),
        t: Default::default(),
        k0: Constant::new(2.into()),
        x: std::array::from_fn(|_| Flop::new(7.into())),
        y: Default::default(),
    }
}

#[test]
fn the_macro_makes_the_same_ast() {
    let (by_hand, by_macro) = (written::hdl(&sample()), by_macro().hdl());
    let (Verilog::Combinatorial(by_hand), Verilog::Combinatorial(by_macro)) = (by_hand, by_macro)
    else {
        panic!("statements")
    };
    for (ours, theirs) in by_hand.iter().zip(&by_macro) {
        assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
    }
    assert_eq!(by_hand.len(), by_macro.len());
}

// And the interpreted `update()` is the compiled one: two netlists of equal
// digest, run in lockstep with either.
#[test]
fn the_interpreted_update_is_the_compiled_one() {
    let (mut interpreted, mut compiled) = (Circuit::new(Rc::new(sample())), by_macro());
    interpreted.connect_all();
    compiled.connect_all();
    let netlist = elaborate(&compiled, "top").expect("is legal");
    let other = elaborate(&interpreted, "top").expect("is legal");
    assert_eq!(netlist.digest(), other.digest());
    let inputs = stimulus::random(&netlist, 300, 5);
    let first = lockstep(&mut interpreted, &netlist, &inputs).unwrap_or_else(|m| panic!("{m}"));
    let second = lockstep(&mut compiled, &netlist, &inputs).unwrap_or_else(|m| panic!("{m}"));
    assert_eq!(first, second);
}
