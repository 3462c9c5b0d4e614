//! A random program as a rust-hdl block.

use crate::random_blocks::bricks;
use crate::random_blocks::program::*;
use crate::random_blocks::types::{with_type, with_width, Cell, Ty, Wire};
use crate::random_blocks::written;
use crate::support::ports::{below, Encode, Ports};
use crate::support::{Flop, Memory};
use cotenant_netlist::hdl::*;
use num_bigint::BigUint;
use std::rc::Rc;

/// An instance: a block whose ports are reached by number.
pub trait Child: Block {
    /// The port, for reading and assigning.
    fn port(&mut self, port: usize, index: Option<usize>) -> &mut dyn Wire;
    /// The port, for reading.
    fn seen(&self, port: usize, index: Option<usize>) -> &dyn Wire;
}

/// A block made of a random program.
pub struct Circuit {
    pub program: Rc<Program>,
    signals: Vec<Vec<Box<dyn Wire>>>,
    children: Vec<Vec<Box<dyn Child>>>,
}

fn signal(decl: &Decl) -> Box<dyn Wire> {
    with_type!(decl.ty, T => match &decl.role {
        Role::In => Box::<Signal<In, T>>::default(),
        Role::Out => Box::<Signal<Out, T>>::default(),
        Role::Local => Box::<Signal<Local, T>>::default(),
        Role::Constant(value) => Box::new(Constant::<T>::new(T::decode(value))),
    })
}

fn child(made: &Made) -> Box<dyn Child> {
    match made {
        Made::Program(program) => Box::new(Circuit::new(program.clone())),
        Made::Brick(brick) => bricks::child(*brick),
        Made::Flop(ty, init) => with_type!(*ty, T => Box::new(Flop::<T>::new(T::decode(init)))),
        Made::Ram(ty, address) => with_type!(*ty, T => match address {
            1 => Box::<Memory<T, 1>>::default(),
            2 => Box::<Memory<T, 2>>::default(),
            _ => Box::<Memory<T, 3>>::default(),
        }),
    }
}

impl Circuit {
    /// The block at power-up.
    pub fn new(program: Rc<Program>) -> Self {
        let many = |len: Option<usize>| 0..len.unwrap_or(1);
        Circuit {
            signals: program
                .decls
                .iter()
                .map(|d| many(d.len).map(|_| signal(d)).collect())
                .collect(),
            children: program
                .children
                .iter()
                .map(|c| many(c.len).map(|_| child(&c.made)).collect())
                .collect(),
            program,
        }
    }

    /// The signal to read.
    pub fn seen(&self, place: &Place, loops: &[usize]) -> &dyn Wire {
        let at = place.index.map(|i| i.at(loops));
        match place.child {
            None => &*self.signals[place.signal][at.unwrap_or(0)],
            Some((child, index)) => {
                let which = index.map_or(0, |i| i.at(loops));
                self.children[child][which].seen(place.signal, at)
            }
        }
    }

    /// The signal to assign.
    pub fn wire(&mut self, place: &Place, loops: &[usize]) -> &mut dyn Wire {
        let at = place.index.map(|i| i.at(loops));
        match place.child {
            None => &mut *self.signals[place.signal][at.unwrap_or(0)],
            Some((child, index)) => {
                let which = index.map_or(0, |i| i.at(loops));
                self.children[child][which].port(place.signal, at)
            }
        }
    }
}

impl Logic for Circuit {
    fn update(&mut self) {
        crate::random_blocks::rust::update(self);
    }
    fn connect(&mut self) {
        self.signals.iter_mut().flatten().for_each(|s| s.connect());
    }
    fn hdl(&self) -> Verilog {
        written::hdl(&self.program)
    }
}

// What `#[derive(LogicBlock)]` makes of a struct.
impl Block for Circuit {
    fn connect_all(&mut self) {
        self.connect();
        self.children
            .iter_mut()
            .flatten()
            .for_each(|c| c.connect_all());
    }
    fn update_all(&mut self) {
        self.update();
        self.signals
            .iter_mut()
            .flatten()
            .for_each(|s| s.update_all());
        self.children
            .iter_mut()
            .flatten()
            .for_each(|c| c.update_all());
    }
    fn has_changed(&self) -> bool {
        self.signals.iter().flatten().any(|s| s.has_changed())
            || self.children.iter().flatten().any(|c| c.has_changed())
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        let element = |name: &str, len: Option<usize>, k: usize| match len {
            Some(_) => format!("{name}${k}"),
            None => name.to_string(),
        };
        probe.visit_start_scope(name, self);
        for (decl, signals) in self.program.decls.iter().zip(&self.signals) {
            for (k, signal) in signals.iter().enumerate() {
                signal.accept(&element(&decl.name, decl.len, k), probe);
            }
        }
        for (instance, children) in self.program.children.iter().zip(&self.children) {
            for (k, child) in children.iter().enumerate() {
                child.accept(&element(&instance.name, instance.len, k), probe);
            }
        }
        probe.visit_end_scope(name, self);
    }
}

impl Ports for Circuit {
    fn poke(&mut self, name: &str, value: &BigUint) -> bool {
        for (decl, signals) in self.program.decls.iter().zip(&mut self.signals) {
            let Some(rest) = below(name, &decl.name) else {
                continue;
            };
            let index = rest.strip_prefix('[').and_then(|r| r.strip_suffix(']'));
            let index = index.map_or(Some(0), |k| k.parse().ok());
            if let Some(signal) = index.and_then(|k: usize| signals.get_mut(k)) {
                signal.set(value);
                return decl.role == Role::In;
            }
        }
        false
    }
}

impl Child for Circuit {
    fn port(&mut self, port: usize, index: Option<usize>) -> &mut dyn Wire {
        &mut *self.signals[port][index.unwrap_or(0)]
    }
    fn seen(&self, port: usize, index: Option<usize>) -> &dyn Wire {
        &*self.signals[port][index.unwrap_or(0)]
    }
}

impl<T: Cell> Child for Flop<T> {
    fn port(&mut self, port: usize, _: Option<usize>) -> &mut dyn Wire {
        match port {
            0 => &mut self.clock,
            1 => &mut self.reset,
            2 => &mut self.d,
            _ => &mut self.q,
        }
    }
    fn seen(&self, port: usize, _: Option<usize>) -> &dyn Wire {
        match port {
            0 => &self.clock,
            1 => &self.reset,
            2 => &self.d,
            _ => &self.q,
        }
    }
}

impl<T: Cell, const A: usize> Child for Memory<T, A> {
    fn port(&mut self, port: usize, _: Option<usize>) -> &mut dyn Wire {
        match port {
            0 => &mut self.clock,
            1 => &mut self.read_address,
            2 => &mut self.read_data,
            3 => &mut self.write_enable,
            4 => &mut self.write_address,
            _ => &mut self.write_data,
        }
    }
    fn seen(&self, port: usize, _: Option<usize>) -> &dyn Wire {
        match port {
            0 => &self.clock,
            1 => &self.read_address,
            2 => &self.read_data,
            3 => &self.write_enable,
            4 => &self.write_address,
            _ => &self.write_data,
        }
    }
}
