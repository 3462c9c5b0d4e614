//! Random programs: what a block is made of, as data.

use crate::random_blocks::bricks::Brick;
use crate::random_blocks::types::Ty;
use num_bigint::BigUint;
use std::rc::Rc;

/// Role of a signal.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    In,
    Out,
    Local,
    Constant(BigUint),
}

/// A signal, or an array of them.
#[derive(Clone, Debug)]
pub struct Decl {
    pub name: String,
    pub ty: Ty,
    pub role: Role,
    /// Elements, if it is an array.
    pub len: Option<usize>,
}

/// What an instance is made of.
#[derive(Clone, Debug)]
pub enum Made {
    /// Another random program.
    Program(Rc<Program>),
    /// A block that the macro made.
    Brick(Brick),
    /// A flop with this initial value.
    Flop(Ty, BigUint),
    /// A RAM: word type, address width.
    Ram(Ty, usize),
}

/// An instance, or an array of them.
#[derive(Clone, Debug)]
pub struct Instance {
    pub name: String,
    pub made: Made,
    pub len: Option<usize>,
}

/// A port of an instance.
#[derive(Clone, Debug)]
pub struct PortOf {
    pub name: String,
    pub ty: Ty,
    pub output: bool,
    /// An output that no input reaches without a clock edge.
    pub registered: bool,
    pub len: Option<usize>,
}

/// A block: `clock` and `reset` are its first two signals.
#[derive(Clone, Debug)]
pub struct Program {
    pub decls: Vec<Decl>,
    pub children: Vec<Instance>,
    pub body: Vec<Stmt>,
}

/// Number of a loop, counted from the outermost.
pub type Var = usize;

/// Names of the loop variables.
pub const VARS: [&str; 3] = ["i", "j", "k"];

/// A subscript, or a position that is known once loops are unrolled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Index {
    Const(usize),
    /// `factor * i + offset`
    Affine(Var, usize, usize),
    /// `from - i`
    Reverse(usize, Var),
    /// `(i + offset) % modulus`
    Modulo(Var, usize, usize),
}

impl Index {
    pub fn at(self, loops: &[usize]) -> usize {
        match self {
            Index::Const(k) => k,
            Index::Affine(v, factor, offset) => factor * loops[v] + offset,
            Index::Reverse(from, v) => from - loops[v],
            Index::Modulo(v, offset, modulus) => (loops[v] + offset) % modulus,
        }
    }
}

/// A signal of the block or of an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Instance and its subscript; `None`: the block's own.
    pub child: Option<(usize, Option<Index>)>,
    /// Index among the declarations or ports.
    pub signal: usize,
    pub index: Option<Index>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BinaryOp {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `&&`
    BothTrue,
    /// `||`
    AnyTrue,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reduction {
    All,
    Any,
    Xor,
}

/// A bit position or an amount to shift by.
#[derive(Clone, Debug, PartialEq)]
pub enum Position {
    Known(Index),
    /// A signal's value.
    Computed(Box<Expr>),
}

/// An expression with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub ty: Ty,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `place.val()`
    Read(Place),
    /// `place.val().into()`
    Into(Place),
    /// `place.val().field`
    Field(Place, &'static str, usize),
    /// `true`, `false`
    Truth(bool),
    /// A value of the enum.
    Mode(usize),
    /// `bits::<N>(value)`
    Sized(u64),
    /// `(index).to_bits::<N>()`
    Loop(Index),
    Not(Box<Expr>),
    Reduce(Reduction, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// With an integer on the right.
    WithLiteral(BinaryOp, Box<Expr>, u64),
    /// With an integer on the left.
    LiteralWith(BinaryOp, u64, Box<Expr>),
    /// `Bits<N> + bool`
    AddBit(Box<Expr>, Box<Expr>),
    /// 16 x 16 bits
    Mul(Box<Expr>, Box<Expr>),
    /// Left or right, by a position.
    Shift {
        left: bool,
        of: Box<Expr>,
        by: Position,
    },
    /// An integer, by a signal: 64 bits.
    ShiftLiteral {
        left: bool,
        of: u64,
        by: Box<Expr>,
    },
    /// `bit_cast::<M, N>(..)`
    Cast(Box<Expr>),
    GetBit(Box<Expr>, Position),
    GetBits(Box<Expr>, Position),
    ReplaceBit(Box<Expr>, Position, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Assign(Place, Expr),
    /// Assigns the integer itself: `place.next = 5.into()`.
    AssignLiteral(Place, u64),
    AssignField(Place, &'static str, Ty, usize, Expr),
    /// `if`, `else if` ..., `else`.
    If(Vec<(Expr, Vec<Stmt>)>, Option<Vec<Stmt>>),
    /// `match value.index()`, with `_`.
    MatchBits(Expr, Vec<(u64, Vec<Stmt>)>, Vec<Stmt>),
    MatchBit(Expr, Vec<(bool, Vec<Stmt>)>),
    /// `match` on the enum; without default all values are there.
    MatchMode(Expr, Vec<(usize, Vec<Stmt>)>, Option<Vec<Stmt>>),
    /// `for VARS[var] in from..to`
    For(Var, usize, usize, Vec<Stmt>),
}

impl Program {
    /// Ports of an instance.
    pub fn ports_of(&self, child: usize) -> Vec<PortOf> {
        self.children[child].made.ports()
    }

    /// Type of a place, and whether it is an array in whole.
    pub fn ty(&self, place: &Place) -> Ty {
        match place.child {
            None => self.decls[place.signal].ty,
            Some((child, _)) => self.ports_of(child)[place.signal].ty,
        }
    }
}

impl Made {
    /// Names, types and directions of the ports.
    pub fn ports(&self) -> Vec<PortOf> {
        let port = |name: &str, ty, output, registered| PortOf {
            name: name.into(),
            ty,
            output,
            registered,
            len: None,
        };
        match self {
            Made::Program(program) => {
                let ports = program
                    .decls
                    .iter()
                    .filter(|d| matches!(d.role, Role::In | Role::Out));
                ports
                    .map(|d| PortOf {
                        name: d.name.clone(),
                        ty: d.ty,
                        output: d.role == Role::Out,
                        registered: false,
                        len: d.len,
                    })
                    .collect()
            }
            Made::Brick(brick) => brick.ports(),
            Made::Flop(ty, _) => vec![
                port("clock", Ty::Clock, false, false),
                port("reset", Ty::Bit, false, false),
                port("d", *ty, false, false),
                port("q", *ty, true, true),
            ],
            Made::Ram(ty, address) => vec![
                port("clock", Ty::Clock, false, false),
                port("read_address", Ty::Bits(*address), false, false),
                port("read_data", *ty, true, true),
                port("write_enable", Ty::Bit, false, false),
                port("write_address", Ty::Bits(*address), false, false),
                port("write_data", *ty, false, false),
            ],
        }
    }
}
