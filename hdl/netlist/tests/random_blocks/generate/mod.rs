//! Random programs that are legal by construction.
//!
//! Every output, Local and input of an instance is assigned before it is read
//! or conditionally assigned again, so nothing is a latch. Against loops, each
//! signal has a level: the number of instances whose combinational outputs it
//! may depend on. The inputs of instance `k` have level `k`.

mod expression;

use crate::random_blocks::bricks::BRICKS;
use crate::random_blocks::choices::Choices;
use crate::random_blocks::program::*;
use crate::random_blocks::types::{Ty, MODES, WIDTHS};
use num_bigint::BigUint;
use std::rc::Rc;

/// Nesting of random programs.
const DEPTH: usize = 3;
/// Nesting of statements and expressions.
const NESTING: usize = 3;

/// A program from these choices.
pub fn program(numbers: &[u16]) -> Rc<Program> {
    let mut choices = Choices::new(numbers);
    make(&mut choices, 1)
}

fn make(choices: &mut Choices, depth: usize) -> Rc<Program> {
    let mut g = Generator {
        choices,
        depth,
        program: Program {
            decls: vec![],
            children: vec![],
            body: vec![],
        },
        levels: vec![],
        assigned: vec![],
        fed: vec![],
        loops: vec![],
        reach: 0,
        floor: 0,
    };
    g.declare();
    let body = g.body();
    g.program.body = body;
    Rc::new(g.program)
}

struct Generator<'c, 'n> {
    choices: &'c mut Choices<'n>,
    depth: usize,
    program: Program,
    /// Levels of the block's own signals.
    levels: Vec<usize>,
    /// Own signals that have a value by now.
    assigned: Vec<bool>,
    /// Inputs of instances that have a value by now.
    fed: Vec<(usize, usize)>,
    /// Bounds of the loops around.
    loops: Vec<(usize, usize)>,
    /// Level up to which may be read.
    reach: usize,
    /// Level from which may be assigned, because of the conditions around.
    floor: usize,
}

impl Generator<'_, '_> {
    fn width(&mut self) -> usize {
        self.choices.of(&WIDTHS)
    }

    fn ty(&mut self, any: bool) -> Ty {
        match self.choices.below(if any { 7 } else { 5 }) {
            0 => Ty::Bit,
            1..=3 => Ty::Bits(self.width()),
            4 => Ty::Small,
            5 => Ty::Large,
            _ => Ty::Mode,
        }
    }

    /// A value that the type has.
    fn value(&mut self, ty: Ty) -> BigUint {
        match ty {
            Ty::Mode => self.choices.below(MODES.len()).into(),
            Ty::Large => {
                let (word, mode) = (self.choices.integer(32), self.choices.below(MODES.len()));
                BigUint::from(word) + (BigUint::from(mode) << 32)
            }
            other => self.choices.integer(other.width()).into(),
        }
    }

    fn len(&mut self) -> Option<usize> {
        self.choices.one_in(4).then(|| 2 + self.choices.below(3))
    }

    fn declare(&mut self) {
        let add = |g: &mut Self, name: String, ty, role, len| {
            g.program.decls.push(Decl {
                name,
                ty,
                role,
                len,
            });
        };
        add(self, "clock".into(), Ty::Clock, Role::In, None);
        add(self, "reset".into(), Ty::Bit, Role::In, None);
        for k in 0..1 + self.choices.below(3) {
            let (ty, len) = (self.ty(self.depth > 1), self.len());
            add(self, format!("a{k}"), ty, Role::In, len);
        }
        for k in 0..1 + self.choices.below(2) {
            let (ty, len) = (self.ty(true), self.len());
            add(self, format!("o{k}"), ty, Role::Out, len);
        }
        for k in 0..self.choices.below(4) {
            let (ty, len) = (self.ty(true), self.len());
            add(self, format!("t{k}"), ty, Role::Local, len);
        }
        for k in 0..self.choices.below(2) {
            let ty = Ty::Bits(self.width());
            let value = self.value(ty);
            add(self, format!("k{k}"), ty, Role::Constant(value), None);
        }
        let most = if self.depth == 1 { 6 } else { 4 };
        for k in 0..self.choices.below(most) {
            let made = self.made();
            let len = self.len();
            // Another letter at each depth: Verilator takes a name that also
            // stands further up for a mistake.
            let letter = ["x", "y", "z"][self.depth - 1];
            self.program.children.push(Instance {
                name: format!("{letter}{k}"),
                made,
                len,
            });
        }
        let top = self.program.children.len();
        for decl in &self.program.decls {
            self.assigned
                .push(matches!(decl.role, Role::In | Role::Constant(_)));
            self.levels.push(match decl.role {
                Role::Out => top,
                Role::Local => self.choices.below(top + 1),
                _ => 0,
            });
        }
    }

    fn made(&mut self) -> Made {
        match self.choices.below(8) {
            0..=2 => {
                let ty = self.ty(true);
                Made::Flop(ty, self.value(ty))
            }
            3 => Made::Ram(self.ty(true), 1 + self.choices.below(3)),
            4 | 5 if self.depth < DEPTH => Made::Program(make(self.choices, self.depth + 1)),
            _ => Made::Brick(self.choices.of(BRICKS)),
        }
    }

    /// Everything that must be assigned, in a random order, with more
    /// statements between.
    fn body(&mut self) -> Vec<Stmt> {
        let mut open: Vec<(Option<usize>, usize)> = vec![];
        for (k, decl) in self.program.decls.iter().enumerate() {
            if matches!(decl.role, Role::Out | Role::Local) {
                open.push((None, k));
            }
        }
        for child in 0..self.program.children.len() {
            for (k, port) in self.program.ports_of(child).iter().enumerate() {
                if !port.output {
                    open.push((Some(child), k));
                }
            }
        }
        let mut body = vec![];
        while !open.is_empty() {
            let at = self.choices.below(open.len());
            let (child, signal) = open.remove(at);
            self.define(child, signal, &mut body);
            while self.choices.one_in(3) && !self.choices.exhausted() {
                self.statement(0, &mut body);
            }
        }
        for _ in 0..self.choices.below(4) {
            self.statement(0, &mut body);
        }
        body
    }

    /// The first assignment of a signal, all elements of it.
    fn define(&mut self, child: Option<usize>, signal: usize, body: &mut Vec<Stmt>) {
        let (child_len, len) = match child {
            None => (None, self.program.decls[signal].len),
            Some(c) => (
                self.program.children[c].len,
                self.program.ports_of(c)[signal].len,
            ),
        };
        let mut variable = |len: Option<usize>| {
            len.map(|n| {
                self.loops.push((0, n));
                Index::Affine(self.loops.len() - 1, 1, 0)
            })
        };
        let child = child.map(|c| (c, variable(child_len)));
        let index = variable(len);
        let place = Place {
            child,
            signal,
            index,
        };
        self.reach = self.level(&place);
        let mut inner = vec![];
        self.assign(&place, 0, true, &mut inner);
        while let Some((from, to)) = self.loops.pop() {
            inner = vec![Stmt::For(self.loops.len(), from, to, inner)];
        }
        body.append(&mut inner);
        match place.child {
            None => self.assigned[signal] = true,
            Some((c, _)) => self.fed.push((c, signal)),
        }
    }

    fn level(&self, place: &Place) -> usize {
        place
            .child
            .map_or_else(|| self.levels[place.signal], |(c, _)| c)
    }

    /// Assigns a place; in whole, if it has no value yet.
    fn assign(&mut self, place: &Place, nesting: usize, whole: bool, body: &mut Vec<Stmt>) {
        let ty = self.program.ty(place);
        if ty == Ty::Clock {
            let clock = Place {
                child: None,
                signal: 0,
                index: None,
            };
            return body.push(Stmt::Assign(
                place.clone(),
                Expr {
                    ty,
                    kind: Kind::Read(clock),
                },
            ));
        }
        // Most flops follow the block's reset, or they would never leave it.
        let is_reset = |(c, _): (usize, _)| self.program.ports_of(c)[place.signal].name == "reset";
        if place.child.is_some_and(is_reset) && self.choices.below(4) < 3 {
            let reset = Place {
                child: None,
                signal: 1,
                index: None,
            };
            return body.push(Stmt::Assign(
                place.clone(),
                Expr {
                    ty,
                    kind: Kind::Read(reset),
                },
            ));
        }
        if whole && nesting < 2 && self.choices.one_in(5) {
            let test = self.expr(Ty::Bit, 1);
            let (mut then, mut otherwise) = (vec![], vec![]);
            self.assign(place, nesting + 1, true, &mut then);
            self.assign(place, nesting + 1, true, &mut otherwise);
            return body.push(match self.choices.below(3) {
                0 => Stmt::If(vec![(test, then)], Some(otherwise)),
                1 => Stmt::MatchBit(test, vec![(false, then), (true, otherwise)]),
                _ => Stmt::MatchBit(test, vec![(true, then), (false, otherwise)]),
            });
        }
        if ty.is_struct() {
            return self.assign_struct(place, ty, whole, body);
        }
        if let Ty::Bits(w) = ty {
            if self.choices.one_in(8) {
                return body.push(Stmt::AssignLiteral(place.clone(), self.choices.integer(w)));
            }
            if !self.loops.is_empty() && w >= 5 && self.choices.one_in(8) {
                let kind = Kind::Loop(self.known(1 << 5, false));
                return body.push(Stmt::Assign(place.clone(), Expr { ty, kind }));
            }
        }
        let value = self.expr(ty, NESTING);
        body.push(Stmt::Assign(place.clone(), value));
    }

    fn assign_struct(&mut self, place: &Place, ty: Ty, whole: bool, body: &mut Vec<Stmt>) {
        let mut sources = self.readable(|t| t == ty);
        // A flop that only keeps its value is of no interest.
        sources.retain(|s| s.0.is_none() || s.0 != place.child.map(|c| c.0));
        if !sources.is_empty() && self.choices.below(3) > 0 {
            let source = self.pick(&sources, true);
            return body.push(Stmt::Assign(
                place.clone(),
                Expr {
                    ty,
                    kind: Kind::Read(source),
                },
            ));
        }
        let fields = ty.fields();
        // The macro asks the very element for its fields' widths: no loop
        // variable can be in the subscript then.
        let elements = if whole {
            self.elements(place)
        } else {
            vec![place.clone()]
        };
        if elements.iter().any(|p| !self.is_known(p)) {
            return;
        }
        for element in elements {
            let chosen = if whole {
                fields.clone()
            } else {
                vec![self.choices.of(&fields)]
            };
            for (field, ty, low) in chosen {
                let value = self.expr(ty, 2);
                body.push(Stmt::AssignField(element.clone(), field, ty, low, value));
            }
        }
    }

    fn is_known(&self, place: &Place) -> bool {
        let known = |i: Option<Index>| i.is_none_or(|i| matches!(i, Index::Const(_)));
        known(place.index) && place.child.is_none_or(|c| known(c.1))
    }

    /// The elements that a place with loop variables stands for.
    fn elements(&self, place: &Place) -> Vec<Place> {
        let all = |index: Option<Index>| -> Vec<Option<Index>> {
            match index {
                Some(Index::Affine(v, 1, 0)) => (self.loops[v].0..self.loops[v].1)
                    .map(|k| Some(Index::Const(k)))
                    .collect(),
                other => vec![other],
            }
        };
        let children: Vec<_> = match place.child {
            None => vec![None],
            Some((c, index)) => all(index).into_iter().map(|i| Some((c, i))).collect(),
        };
        let mut out = vec![];
        for child in children {
            for index in all(place.index) {
                out.push(Place {
                    child,
                    signal: place.signal,
                    index,
                });
            }
        }
        out
    }

    /// Another statement; everything that it assigns has a value already.
    fn statement(&mut self, nesting: usize, body: &mut Vec<Stmt>) {
        let before = (self.reach, self.floor);
        let kind = if nesting >= NESTING {
            0
        } else {
            self.choices.below(7)
        };
        match kind {
            0..=2 => self.reassign(body),
            3 | 4 => self.conditional(nesting, body),
            5 => self.selection(nesting, body),
            _ if self.loops.len() < VARS.len() => self.repetition(nesting, body),
            _ => self.reassign(body),
        }
        (self.reach, self.floor) = before;
    }

    fn reassign(&mut self, body: &mut Vec<Stmt>) {
        let mut targets = vec![];
        for (k, decl) in self.program.decls.iter().enumerate() {
            let is_target = matches!(decl.role, Role::Out | Role::Local);
            if is_target && self.assigned[k] && self.levels[k] >= self.floor {
                targets.push((None, k, decl.ty));
            }
        }
        for &(c, k) in &self.fed {
            let ty = self.program.ports_of(c)[k].ty;
            if c >= self.floor && ty != Ty::Clock {
                targets.push((Some(c), k, ty));
            }
        }
        if targets.is_empty() {
            return;
        }
        let target = self.choices.of(&targets);
        let place = self.pick(&[target], !target.2.is_struct());
        self.reach = self.level(&place);
        self.assign(&place, 2, false, body);
    }

    /// Chooses how far a condition may see; what it guards is no lower.
    fn guard(&mut self) {
        let top = self.program.children.len();
        self.reach = self.floor + self.choices.below(top + 1 - self.floor);
        self.floor = self.reach;
    }

    fn statements(&mut self, nesting: usize) -> Vec<Stmt> {
        let mut body = vec![];
        for _ in 0..self.choices.below(3) {
            self.statement(nesting + 1, &mut body);
        }
        body
    }

    fn conditional(&mut self, nesting: usize, body: &mut Vec<Stmt>) {
        self.guard();
        let reach = self.reach;
        let mut arms = vec![];
        for _ in 0..1 + self.choices.below(3) {
            self.reach = reach;
            let test = self.expr(Ty::Bit, 2);
            arms.push((test, self.statements(nesting)));
        }
        let otherwise = self.choices.one_in(2).then(|| self.statements(nesting));
        body.push(Stmt::If(arms, otherwise));
    }

    fn selection(&mut self, nesting: usize, body: &mut Vec<Stmt>) {
        self.guard();
        // The values of an enum are known where a signal has it.
        let modes = self.has_mode();
        match self.choices.below(3) {
            0 => {
                let width = self.choices.of(&[1, 2, 3, 4, 5, 8, 13, 32]);
                let on = self.expr(Ty::Bits(width), 2);
                let arms = (0..self.choices.below(5))
                    .map(|_| (self.choices.integer(width), self.statements(nesting)))
                    .collect();
                let default = self.statements(nesting);
                body.push(Stmt::MatchBits(on, arms, default));
            }
            k if k == 1 || !modes => {
                let on = self.expr(Ty::Bit, 2);
                let first = self.choices.one_in(2);
                let arms = [first, !first].map(|v| (v, self.statements(nesting)));
                body.push(Stmt::MatchBit(on, arms.into()));
            }
            _ => {
                let on = self.expr(Ty::Mode, 2);
                let start = self.choices.below(MODES.len());
                let all = self.choices.one_in(2);
                let count = if all {
                    MODES.len()
                } else {
                    self.choices.below(MODES.len())
                };
                let arms = (0..count)
                    .map(|k| ((start + 2 * k) % MODES.len(), self.statements(nesting)))
                    .collect();
                let default = (!all).then(|| self.statements(nesting));
                body.push(Stmt::MatchMode(on, arms, default));
            }
        }
    }

    fn has_mode(&self) -> bool {
        let has = |ty| matches!(ty, Ty::Mode | Ty::Large);
        let mut instances = 0..self.program.children.len();
        self.program.decls.iter().any(|d| has(d.ty))
            || instances.any(|c| self.program.ports_of(c).iter().any(|p| has(p.ty)))
    }

    fn repetition(&mut self, nesting: usize, body: &mut Vec<Stmt>) {
        let from = self.choices.below(3);
        let to = from + self.choices.below(4);
        self.loops.push((from, to));
        let inner = self.statements(nesting);
        self.loops.pop();
        body.push(Stmt::For(self.loops.len(), from, to, inner));
    }
}
