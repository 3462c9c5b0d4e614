//! An LRU stack that someone else has written: here in Rust, but it could be a foreign function or a
//! simulator behind a pipe.

/// What the stack says of a position: way, owner, whether there is a valid line.
pub type Entry = (u8, u8, bool);

/// An LRU stack with an age for each way, where the golden model has a list.
#[derive(Debug, Clone)]
pub struct MyLru {
    age: Vec<usize>,
    owner: Vec<u8>,
    valid: Vec<bool>,
    mistake: bool,
}

/// What happens to a set in a cycle.
#[derive(Debug, Clone, Copy)]
pub enum Happens {
    /// Nothing.
    Nothing,
    /// All ways become invalid.
    Flush,
    /// A way becomes invalid.
    Invalidate(u8),
    /// A kernel accesses the set: a way that it hits, or none.
    Access(u8, Option<u8>),
}

impl MyLru {
    /// A stack of so many ways; with the mistake that a hit leaves the line to its owner.
    pub fn new(ways: usize, mistake: bool) -> Self {
        Self {
            age: (0..ways).collect(),
            owner: vec![0; ways],
            valid: vec![false; ways],
            mistake,
        }
    }

    /// The position of a way, 0 being the most recently used.
    pub fn age(&self, way: u8) -> usize {
        self.age[usize::from(way)]
    }

    /// What is in each position.
    pub fn stack(&self) -> Vec<Entry> {
        let mut stack = vec![(0, 0, false); self.age.len()];
        for (way, &age) in self.age.iter().enumerate() {
            stack[age] = (way as u8, self.owner[way], self.valid[way]);
        }
        stack
    }

    /// Goes through a cycle.
    pub fn step(&mut self, happens: Happens) {
        let ways = self.age.len();
        match happens {
            Happens::Nothing => {}
            Happens::Flush => *self = Self::new(ways, self.mistake),
            Happens::Invalidate(way) => {
                let (way, from) = (usize::from(way), self.age(way));
                self.age
                    .iter_mut()
                    .filter(|age| **age > from)
                    .for_each(|age| *age -= 1);
                (self.age[way], self.valid[way]) = (ways - 1, false);
            }
            Happens::Access(kernel, hit) => {
                let way = match hit {
                    Some(way) => usize::from(way),
                    None => self
                        .age
                        .iter()
                        .position(|&age| age == ways - 1)
                        .unwrap_or(0),
                };
                let from = self.age[way];
                self.age
                    .iter_mut()
                    .filter(|age| **age < from)
                    .for_each(|age| *age += 1);
                self.age[way] = 0;
                if hit.is_none() || !self.mistake {
                    self.owner[way] = kernel;
                }
                self.valid[way] = true;
            }
        }
    }
}
