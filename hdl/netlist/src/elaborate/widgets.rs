//! Flops and RAM of rust-hdl-widgets as the primitives of [`ir`](crate::ir): ports that are called
//! otherwise, a reset that they have not, a second clock.

use super::scope::Scope;
use crate::error::Error;
use crate::ir::{Body, Expr, Module, Net, NetId, NetKind, Stmt};
use num_bigint::BigUint;

/// What is made up or checked for the widgets of one block.
#[derive(Default)]
pub(super) struct Widgets {
    /// Resets of flops that have none: always 0.
    resets: Vec<NetId>,
    /// RAMs with the clocks of their two ports.
    clocks: Vec<(String, NetId, NetId)>,
}

impl Widgets {
    /// Assignments of what is made up.
    pub fn ties(&self) -> impl Iterator<Item = Stmt> + '_ {
        let zero = || Expr::constant(BigUint::ZERO, 1);
        self.resets
            .iter()
            .map(move |reset| Stmt::Assign(*reset, zero()))
    }

    /// Checks that both ports of each RAM have the same clock.
    ///
    /// # Errors
    /// The RAM is not supported.
    pub fn one_clock_each(&self, module: &Module, path: &str) -> Result<(), Error> {
        let two = |(_, read, write): &&(String, NetId, NetId)| {
            module.clock_root(*read) != module.clock_root(*write)
        };
        match self.clocks.iter().find(two) {
            None => Ok(()),
            Some((ram, ..)) => Err(Error::Unsupported {
                block: path.into(),
                what: format!("'{ram}', a RAM with two clocks,"),
                instead: "give read_clock and write_clock the same clock".into(),
            }),
        }
    }
}

impl Scope {
    /// Gives the ports of a widget the names of the primitive that it is.
    pub fn widget_ports(&mut self, name: &str, body: &Body, ports: &mut Vec<(String, NetId)>) {
        let at = |ports: &[(String, NetId)], port: &str| ports.iter().position(|p| p.0 == port);
        match body {
            Body::Reg { .. } => {
                if let Some(clock) = at(ports, "clk") {
                    ports[clock].0 = "clock".into();
                }
                if at(ports, "reset").is_none() {
                    let reset = NetId(self.module.nets.len() as u32);
                    self.module.nets.push(Net {
                        name: format!("{name}.reset"),
                        width: 1,
                        kind: NetKind::ChildInput,
                        clock: false,
                        variants: None,
                    });
                    self.widgets.resets.push(reset);
                    ports.push(("reset".into(), reset));
                }
            }
            Body::Ram { .. } => {
                let (read, write) = (at(ports, "read_clock"), at(ports, "write_clock"));
                if let Some((read, write)) = read.zip(write) {
                    ports[read].0 = "clock".into();
                    let clocks = (name.to_string(), ports[read].1, ports[write].1);
                    self.widgets.clocks.push(clocks);
                    ports.remove(write);
                }
            }
            Body::Module(_) => {}
        }
    }
}
