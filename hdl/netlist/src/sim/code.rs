//! A design compiled for one of the simulation engines.

use super::error::SimError;
use super::interpreter::{self, Program};
#[cfg(feature = "jit")]
use super::jit::Native;
use super::layout::Layout;
use super::plan::{plan, Effects, Plan, RamWrite};
use super::words::{lower, Run};
use crate::Netlist;

/// What runs a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Engine {
    /// Bytecode: any machine, compiles fastest.
    #[cfg_attr(not(feature = "jit"), default)]
    Interpreter,
    /// Native code by Cranelift: about ten times as fast.
    #[cfg(feature = "jit")]
    #[default]
    Jit,
}

/// Compiled programs of one design; immutable, shared by its instances.
#[derive(Debug)]
pub(super) struct Code {
    pub layout: Layout,
    /// Computes all signals, behind a copy of the registers.
    pub observe: Program,
    programs: Programs,
}

#[derive(Debug)]
enum Programs {
    Interpreter {
        eval: Program,
        step: Program,
    },
    #[cfg(feature = "jit")]
    Jit(Native),
}

impl Code {
    /// Compiles a design.
    pub fn new(netlist: &Netlist, engine: Engine) -> Result<Code, SimError> {
        let layout = Layout::new(netlist)?;
        let (eval, step) = (eval_plan(netlist, &layout)?, step_plan(netlist, &layout)?);
        let words = layout.words();
        let programs = match engine {
            Engine::Interpreter => {
                let eval = interpreter::compile(&eval, words);
                // Each program keeps its constants in the memory.
                let step = interpreter::compile(&step, eval.words());
                Programs::Interpreter { eval, step }
            }
            #[cfg(feature = "jit")]
            Engine::Jit => Programs::Jit(Native::new(&[&eval, &step], words)?),
        };
        let observe = observe_plan(netlist, &layout)?;
        let observed = layout.registers_end() + layout.signal_words();
        let observe = interpreter::compile(&observe, observed);
        Ok(Code {
            layout,
            observe,
            programs,
        })
    }

    pub fn engine(&self) -> Engine {
        match self.programs {
            Programs::Interpreter { .. } => Engine::Interpreter,
            #[cfg(feature = "jit")]
            Programs::Jit(_) => Engine::Jit,
        }
    }

    /// Size of an instance's memory.
    pub fn memory_words(&self) -> usize {
        match &self.programs {
            Programs::Interpreter { step, .. } => step.words(),
            #[cfg(feature = "jit")]
            Programs::Jit(_) => self.layout.words(),
        }
    }

    pub fn power_on(&self, memory: &mut [u64]) {
        self.layout.power_on(memory);
        match &self.programs {
            Programs::Interpreter { eval, step } => {
                eval.prepare(memory);
                step.prepare(memory);
            }
            #[cfg(feature = "jit")]
            Programs::Jit(_) => {}
        }
    }

    #[inline]
    pub fn eval(&self, memory: &mut [u64]) {
        match &self.programs {
            Programs::Interpreter { eval, .. } => eval.run(memory),
            #[cfg(feature = "jit")]
            Programs::Jit(native) => native.run(0, memory),
        }
    }

    #[inline]
    pub fn step(&self, memory: &mut [u64]) {
        match &self.programs {
            Programs::Interpreter { step, .. } => step.run(memory),
            #[cfg(feature = "jit")]
            Programs::Jit(native) => native.run(1, memory),
        }
    }
}

/// Outputs from inputs and state.
fn eval_plan(netlist: &Netlist, layout: &Layout) -> Result<Plan, SimError> {
    let roots: Vec<_> = netlist.outputs.iter().map(|o| o.node).collect();
    let lowered = lower(&netlist.graph, layout, &roots)?;
    let mut effects = Effects::default();
    for (k, output) in netlist.outputs.iter().enumerate() {
        let places = layout.output_at(k).range().map(|at| at as u32);
        effects
            .stores
            .extend(places.zip(lowered.of(output.node).iter().copied()));
    }
    Ok(planned(lowered.words, effects, layout))
}

/// Outputs, then the clock edge.
pub(super) fn step_plan(netlist: &Netlist, layout: &Layout) -> Result<Plan, SimError> {
    let mut lowered = lower(&netlist.graph, layout, &netlist.roots())?;
    let mut effects = Effects::default();
    for (k, output) in netlist.outputs.iter().enumerate() {
        let places = layout.output_at(k).range().map(|at| at as u32);
        effects
            .stores
            .extend(places.zip(lowered.of(output.node).iter().copied()));
    }
    for (slot, reg) in (0..).map_while(|k| layout.flop_at(k)).zip(&netlist.regs) {
        let places = slot.range().map(|at| at as u32);
        effects
            .stores
            .extend(places.zip(lowered.of(reg.next).iter().copied()));
    }
    for (k, ram) in netlist.rams.iter().enumerate() {
        let place = layout.ram_at(k);
        let run = |word: usize| Run {
            base: place.offset + word as u32,
            stride: place.stride() as u32,
            log: place.address_width as u8,
        };
        let read = lowered.of(ram.read_address)[0];
        if let Some(data) = layout.read_data_at(k) {
            for (word, at) in data.range().enumerate() {
                let value = lowered.words.table(run(word), read);
                effects.stores.push((at as u32, value));
            }
        }
        let data = lowered.of(ram.write_data).iter().copied();
        effects.writes.push(RamWrite {
            enable: lowered.of(ram.write_enable)[0],
            index: lowered.of(ram.write_address)[0],
            words: data.enumerate().map(|(i, word)| (run(i), word)).collect(),
        });
    }
    Ok(planned(lowered.words, effects, layout))
}

/// Every named signal, behind the registers.
fn observe_plan(netlist: &Netlist, layout: &Layout) -> Result<Plan, SimError> {
    let roots: Vec<_> = netlist.signals.iter().map(|s| s.node).collect();
    let lowered = lower(&netlist.graph, layout, &roots)?;
    let mut effects = Effects::default();
    let mut at = layout.registers_end() as u32;
    for signal in &netlist.signals {
        for &word in lowered.of(signal.node) {
            effects.stores.push((at, word));
            at += 1;
        }
    }
    Ok(planned(lowered.words, effects, layout))
}

fn planned(words: super::words::Words, effects: Effects, layout: &Layout) -> Plan {
    let inputs = layout.inputs().map(|(_, slot)| slot.words()).sum();
    plan(words, effects, inputs, layout.registers_end())
}
