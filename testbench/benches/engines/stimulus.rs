//! Stimulus and hash, the same in Rust and in the C++ around Verilator.

/// Cycles of reset at the start; before its end Verilog's flops hold anything.
pub const RESET: u64 = 2;

/// How often an input is active.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// In the first [`RESET`] cycles.
    Reset,
    /// Once in 256 cycles on average.
    Rare,
    /// Once in 65,536 cycles on average.
    Rarest,
    /// Elements of 36 bits below 32, so that a cache finds some of its tags again.
    Tags,
    /// Any value at any time.
    Any,
}

impl Kind {
    /// By the port's name.
    pub fn of(port: &str) -> Kind {
        match port {
            "reset" => Kind::Reset,
            "snapshot" | "invalidate_valid" | "map_valid" => Kind::Rare,
            "flush" => Kind::Rarest,
            "access_tag" => Kind::Tags,
            _ => Kind::Any,
        }
    }

    /// What is kept of the 64-bit word that starts at bit `low` of a port.
    #[inline(always)]
    pub fn mask(self, low: usize) -> u64 {
        match self {
            Kind::Tags => {
                (0..64).fold(0, |mask, bit| mask | u64::from((low + bit) % 36 < 5) << bit)
            }
            _ => u64::MAX,
        }
    }
}

/// Marsaglia's xorshift64.
pub struct Stimulus(u64);

impl Stimulus {
    pub fn new() -> Stimulus {
        Stimulus(0x1234_5678_9abc_def1)
    }

    #[inline(always)]
    pub fn draw(&mut self, kind: Kind, cycle: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        match kind {
            Kind::Reset => u64::from(cycle < RESET),
            Kind::Rare => u64::from(self.0 & 0xff == 0),
            Kind::Rarest => u64::from(self.0 & 0xffff == 0),
            Kind::Tags | Kind::Any => self.0,
        }
    }
}

pub struct Hash(pub u64);

impl Hash {
    pub fn new() -> Hash {
        Hash(0)
    }

    #[inline(always)]
    pub fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

/// The same in C++.
pub const CPP: &str = r#"
static uint64_t s = 0x123456789abcdef1ull, h = 0;
static inline uint64_t draw() { s ^= s << 13; s ^= s >> 7; s ^= s << 17; return s; }
static inline void add(uint64_t w) { h = (((h << 5) | (h >> 59)) ^ w) * 0x517cc1b727220a95ull; }
"#;
