//! The typed form of a block: names resolved, loops unrolled, widths exact.
//!
//! This is what the Verilog export prints; [`crate::graph`] is made from it.

use crate::About;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Index of a net in [`Module::nets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NetId(pub u32);

impl NetId {
    /// As an index into [`Module::nets`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Role of a net within its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetKind {
    /// Input port of the block.
    Input,
    /// Output port of the block.
    Output,
    /// Local signal.
    Local,
    /// Input port of a child, driven here.
    ChildInput,
    /// Output port of a child, read here.
    ChildOutput,
}

/// A signal of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Net {
    /// Rust path inside the block: `order[3]`, `matrix.count`.
    pub name: String,
    /// Width in bits, at least 1.
    pub width: usize,
    /// Role.
    pub kind: NetKind,
    /// A clock, which may only be copied.
    pub clock: bool,
    /// Names of the values, if it is an enum.
    pub variants: Option<Rc<Vec<String>>>,
}

/// Binary operators; operands have equal width except for shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Sum without carry.
    Add,
    /// Difference without borrow.
    Sub,
    /// 16 x 16 bits to 32.
    Mul,
    /// Shift left; amounts of the width and more give zero.
    Shl,
    /// Logical shift right; amounts of the width and more give zero.
    Shr,
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Unsigned less.
    Lt,
    /// Unsigned less or equal.
    Le,
    /// Unsigned greater.
    Gt,
    /// Unsigned greater or equal.
    Ge,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Bitwise not.
    Not,
    /// All bits set; one bit wide.
    All,
    /// Any bit set; one bit wide.
    Any,
    /// Parity; one bit wide.
    Parity,
}

/// An expression with the width that `Bits<N>` has in Rust.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// Width in bits, at least 1.
    pub width: usize,
    /// What it computes.
    pub kind: ExprKind,
}

/// What an [`Expr`] computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// The value of a net.
    Net(NetId),
    /// A constant.
    Const(BigUint),
    /// Unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// Binary operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `width` bits from a constant position.
    Slice(Box<Expr>, usize),
    /// Zero extension.
    Extend(Box<Expr>),
    /// One bit at a computed position; positions past the end read 0.
    Bit(Box<Expr>, Box<Expr>),
    /// The first with the bit at the second replaced by the third; positions
    /// past the end replace nothing.
    ReplaceBit(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// An arm of a [`Stmt::Case`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arm {
    /// The value it matches.
    pub value: BigUint,
    /// The pattern as written: an enum value's name or a number.
    pub label: String,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// A statement; assignments are blocking.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stmt {
    /// Assigns a whole net.
    Assign(NetId, Expr),
    /// Assigns the bits from this position.
    AssignSlice(NetId, usize, Expr),
    /// `if`, `then`, `else`.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `match`: the first arm that fits, or the default.
    Case(Expr, Vec<Arm>, Vec<Stmt>),
    /// A comment from the source.
    Comment(String),
}

/// What an instance is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// Another block.
    Module(Rc<Module>),
    /// Flop with synchronous reset; ports clock, reset, d, q.
    Reg {
        /// Width in bits.
        width: usize,
        /// Reset value.
        init: BigUint,
    },
    /// RAM with synchronous read; ports clock, read_address, read_data,
    /// write_enable, write_address, write_data.
    Ram {
        /// Width of the addresses; depth is two to this.
        address_width: usize,
        /// Width of a word.
        width: usize,
    },
}

/// An instance inside a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Child {
    /// Rust path of the field: `count[3][2]`.
    pub name: String,
    /// Port name and the net of this block it is tied to.
    pub ports: Vec<(String, NetId)>,
    /// What it is.
    pub body: Body,
}

impl Child {
    /// The net tied to a port.
    ///
    /// # Panics
    /// If the instance has no such port; the elaborator has checked the
    /// ports of primitives.
    pub fn port(&self, name: &str) -> NetId {
        self.ports
            .iter()
            .find(|p| p.0 == name)
            .expect("ports are checked")
            .1
    }
}

/// A block without its place in the hierarchy; equal blocks compare equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Module {
    /// From [`About`], or the name of the first instance.
    pub name: String,
    /// Identity, if the block carries one.
    pub about: Option<About>,
    /// All signals.
    pub nets: Vec<Net>,
    /// `update()`.
    pub body: Vec<Stmt>,
    /// Instances, in the order of the fields.
    pub children: Vec<Child>,
    /// Clock nets that are copies: net and what it copies.
    pub clocks: BTreeMap<NetId, NetId>,
    /// Constants: name, width, value.
    pub constants: Vec<(String, usize, BigUint)>,
}

impl Module {
    /// The net behind an id.
    pub fn net(&self, id: NetId) -> &Net {
        &self.nets[id.index()]
    }

    /// Ids with their nets.
    pub fn ids(&self) -> impl Iterator<Item = (NetId, &Net)> {
        self.nets
            .iter()
            .enumerate()
            .map(|(i, n)| (NetId(i as u32), n))
    }

    /// The clock net that `id` is a copy of, through any number of copies.
    pub fn clock_root(&self, mut id: NetId) -> NetId {
        while let Some(&from) = self.clocks.get(&id) {
            id = from;
        }
        id
    }
}

impl Expr {
    /// A net's value.
    pub fn net(id: NetId, width: usize) -> Expr {
        Expr {
            width,
            kind: ExprKind::Net(id),
        }
    }

    /// A constant; the caller has checked that it fits.
    pub fn constant(value: impl Into<BigUint>, width: usize) -> Expr {
        Expr {
            width,
            kind: ExprKind::Const(value.into()),
        }
    }

    /// Zero extends or truncates.
    pub fn resized(self, width: usize) -> Expr {
        match self.width.cmp(&width) {
            std::cmp::Ordering::Equal => self,
            std::cmp::Ordering::Less => Expr {
                width,
                kind: ExprKind::Extend(self.into()),
            },
            std::cmp::Ordering::Greater => self.slice(0, width),
        }
    }

    /// Bits from a constant position.
    pub fn slice(self, low: usize, width: usize) -> Expr {
        if low == 0 && width == self.width {
            return self;
        }
        Expr {
            width,
            kind: ExprKind::Slice(self.into(), low),
        }
    }

    /// The operands.
    pub fn operands(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Net(_) | ExprKind::Const(_) => vec![],
            ExprKind::Unary(_, a) | ExprKind::Slice(a, _) | ExprKind::Extend(a) => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Bit(a, b) => vec![a, b],
            ExprKind::ReplaceBit(a, b, c) => vec![a, b, c],
        }
    }
}

/// Calls `f` for each net that the statements assign, in order.
pub fn assigned(body: &[Stmt], f: &mut dyn FnMut(NetId)) {
    for stmt in body {
        match stmt {
            Stmt::Assign(net, _) | Stmt::AssignSlice(net, ..) => f(*net),
            Stmt::If(_, then, otherwise) => {
                assigned(then, f);
                assigned(otherwise, f);
            }
            Stmt::Case(_, arms, default) => {
                arms.iter().for_each(|arm| assigned(&arm.body, f));
                assigned(default, f);
            }
            Stmt::Comment(_) => {}
        }
    }
}
