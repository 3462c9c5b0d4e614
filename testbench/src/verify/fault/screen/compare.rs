//! What lockstep compares, for values that differ between the sound and a faulty design.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use cotenant_netlist::blast::{Leaf, Root};
use cotenant_netlist::fault::Sliced;
use cotenant_netlist::Netlist;

use super::sound::row;
use crate::verify::interface::{Form, Memory, Port, Probe};

/// Words of RAMs that differ, and how: by number of the RAM in the netlist and address.
pub(super) type Words = BTreeMap<(usize, usize), Vec<u64>>;

/// A golden register that is not the value of one flop; numbers of flops, and a flop's bit.
#[derive(Debug, Clone)]
enum Derived {
    /// See [`Probe::Limited`].
    Limited {
        count: usize,
        passed: (usize, usize),
    },
    /// See [`Probe::Late`].
    Late {
        flop: usize,
        newer: usize,
        flags: Vec<usize>,
    },
}

impl Derived {
    fn flops(&self) -> Vec<usize> {
        match self {
            Self::Limited { count, passed } => vec![*count, passed.0],
            Self::Late { flop, newer, flags } => [&[*flop, *newer], flags.as_slice()].concat(),
        }
    }

    /// The register's value, of its flops' values.
    fn value(&self, netlist: &Netlist, of: &dyn Fn(usize) -> Vec<u64>) -> u64 {
        match self {
            Self::Limited { count, passed } => {
                let limit = u64::MAX >> (64 - netlist.regs[*count].width);
                let passed = of(passed.0)[passed.1 / 64] >> (passed.1 % 64) & 1;
                of(*count)[0] | passed.wrapping_neg() & limit
            }
            Self::Late { flop, newer, flags } => {
                let flagged = flags.iter().any(|flag| of(*flag)[0] != 0);
                of(if flagged { *newer } else { *flop })[0]
            }
        }
    }
}

#[derive(Debug)]
struct Field {
    name: String,
    derived: Option<Derived>,
}

/// Outputs, registers and RAMs of a unit in the order in which lockstep compares them.
#[derive(Debug)]
pub(super) struct Compared {
    outputs: Vec<(usize, Port)>,
    fields: Vec<Field>,
    /// Fields that are read from a flop or read-data register.
    reading: HashMap<Leaf, Vec<usize>>,
    /// Those that hold a golden register's value.
    loaded: HashSet<Leaf>,
    memories: Vec<Memory>,
    /// Number of a RAM of the netlist among the memories.
    memory: Vec<usize>,
}

/// The register that a bit is of.
fn register(leaf: Leaf) -> Leaf {
    match leaf {
        Leaf::Input(i, _) => Leaf::Input(i, 0),
        Leaf::Reg(i, _) => Leaf::Reg(i, 0),
        Leaf::RamData(i, _) => Leaf::RamData(i, 0),
    }
}

impl Compared {
    /// None if the interface compares something that is neither port, register nor RAM of the netlist.
    pub fn new(form: Form, netlist: &Netlist) -> Option<Self> {
        let outputs = form.outputs.into_iter().map(|port| {
            let mut outputs = netlist.outputs.iter();
            let found = outputs.position(|output| output.name == port.name)?;
            Some((found, port))
        });
        let mut registers = HashMap::new();
        for (i, reg) in netlist.regs.iter().enumerate() {
            registers.entry(reg.name.clone()).or_insert(Leaf::Reg(i, 0));
        }
        for (i, ram) in netlist.rams.iter().enumerate() {
            let name = format!("{}.read_data", ram.name);
            registers.entry(name).or_insert(Leaf::RamData(i, 0));
        }
        let (mut fields, mut reading) = (Vec::new(), HashMap::<_, Vec<_>>::new());
        let mut loaded = HashSet::new();
        for field in form.state {
            let leaf = *registers.get(field.probe.flop())?;
            loaded.insert(leaf);
            let reg = |name: &str| match registers.get(name)? {
                Leaf::Reg(reg, _) => Some(*reg),
                _ => None,
            };
            let derived = match &field.probe {
                Probe::Value(_) => None,
                Probe::Limited { flop, passed, bit } => Some(Derived::Limited {
                    count: reg(flop)?,
                    passed: (reg(passed)?, *bit),
                }),
                Probe::Late { flop, newer, flags } => Some(Derived::Late {
                    flop: reg(flop)?,
                    newer: reg(newer)?,
                    flags: flags.iter().map(|flag| reg(flag)).collect::<Option<_>>()?,
                }),
            };
            let read = match &derived {
                Some(derived) => derived
                    .flops()
                    .into_iter()
                    .map(|reg| Leaf::Reg(reg, 0))
                    .collect(),
                None => vec![leaf],
            };
            for leaf in read {
                reading.entry(leaf).or_default().push(fields.len());
            }
            let name = field.name;
            fields.push(Field { name, derived });
        }
        let memories = form.memories;
        let memory = netlist.rams.iter().map(|ram| {
            let mut memories = memories.iter();
            memories.position(|memory| memory.ram == ram.name)
        });
        Some(Self {
            outputs: outputs.collect::<Option<_>>()?,
            fields,
            reading,
            loaded,
            memory: memory.collect::<Option<_>>()?,
            memories,
        })
    }

    /// Whether a golden register is loaded into this one.
    pub fn loads(&self, register: Leaf) -> bool {
        self.loaded.contains(&register)
    }

    /// The first output that differs in a lane.
    pub fn output(&self, roots: &[(Root, u64)]) -> Option<String> {
        self.outputs.iter().find_map(|(output, port)| {
            let bits = roots.iter().filter_map(|(root, _)| match root {
                Root::Output(other, bit) if other == output => Some(*bit),
                _ => None,
            });
            let bit = bits.min()?;
            Some(port.element_name(bit / port.element_width))
        })
    }

    /// The first register that differs in a lane, if these bits do: now, or after the edge.
    pub fn state(
        &self,
        differ: &[Leaf],
        netlist: &Netlist,
        sliced: &Sliced<'_>,
        (lane, after): (usize, bool),
    ) -> Option<&str> {
        let registers = differ.iter().map(|leaf| register(*leaf));
        let read = registers.filter_map(|leaf| self.reading.get(&leaf));
        let fields: BTreeSet<usize> = read.flatten().copied().collect();
        let value = |reg: usize| {
            let reg = &netlist.regs[reg];
            let node = if after { reg.next } else { reg.q };
            row(sliced.value(node), lane)
        };
        let flips = |reg: usize| {
            let bits = differ.iter().filter_map(move |leaf| match leaf {
                Leaf::Reg(other, bit) if *other == reg => Some(*bit),
                _ => None,
            });
            bits.fold(Vec::new(), |mut flips, bit| {
                flips.resize(flips.len().max(bit / 64 + 1), 0);
                flips[bit / 64] |= 1u64 << (bit % 64);
                flips
            })
        };
        let flipped = |reg: usize| {
            let flips = flips(reg);
            let mut words = value(reg);
            let flipped = words.iter_mut().zip(flips);
            flipped.for_each(|(word, flips)| *word ^= flips);
            words
        };
        let shows =
            |derived: &Derived| derived.value(netlist, &value) != derived.value(netlist, &flipped);
        let mut fields = fields.into_iter().map(|field| &self.fields[field]);
        let found = fields.find(|field| field.derived.as_ref().is_none_or(shows));
        found.map(|field| field.name.as_str())
    }

    /// The first value of a RAM that differs, of these words as the unit's interface numbers them.
    pub fn written(&self, differ: &Words, written: &[(usize, usize)]) -> Option<String> {
        written.iter().find_map(|&(memory, word)| {
            let ram = self.memory.iter().position(|other| *other == memory)?;
            self.value((memory, word), differ.get(&(ram, word))?)
        })
    }

    /// The first value of all RAMs that differs.
    pub fn whole(&self, differ: &Words) -> Option<String> {
        let words = differ.iter();
        let words = words.map(|(&(ram, word), flips)| ((self.memory[ram], word), flips));
        let (word, flips) = words.min_by_key(|(word, _)| *word)?;
        self.value(word, flips)
    }

    fn value(&self, (memory, word): (usize, usize), flips: &[u64]) -> Option<String> {
        let found = self.memories[memory].difference(word, flips, &vec![0; flips.len()]);
        found.map(|(name, ..)| name)
    }
}
