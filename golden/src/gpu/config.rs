//! Configuration of a GPU: the numbers of a platform.
//!
//! All latencies are in cycles of the GPU's clock unless they say otherwise.

mod check;

use serde::{Deserialize, Serialize};

use crate::llc::cache::Geometry;

/// The longest latency of a part in cycles, far beyond any that there is.
pub const MAX_LATENCY: u32 = 1 << 20;

/// A GPU. The shared cache's dimensions are a [`Geometry`] beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Clock of SMs, crossbar and L2 in MHz.
    pub clock_mhz: u64,
    /// The streaming multiprocessors.
    pub sm: Sm,
    /// Each SM's data cache.
    pub l1d: L1d,
    /// Between SMs and L2.
    pub crossbar: Crossbar,
    /// The shared cache, beyond its dimensions.
    pub l2: L2,
    /// Main memory.
    pub dram: Dram,
}

/// A streaming multiprocessor and what its thread blocks share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sm {
    /// How many there are, 1 to 64.
    pub count: usize,
    /// Warp schedulers of an SM; each issues one instruction per cycle.
    pub schedulers: usize,
    /// How a scheduler picks.
    pub policy: Policy,
    /// Which scheduler chooses first; [`Order::Rotating`] unless it is given.
    #[serde(default, skip_serializing_if = "Order::is_default")]
    pub order: Order,
    /// Threads at a time.
    pub threads: u32,
    /// Warps at a time, a multiple of `schedulers`, up to 32 for each.
    pub warps: u32,
    /// Thread blocks at a time.
    pub blocks: u32,
    /// 32-bit registers.
    pub registers: u32,
    /// Bytes of shared memory.
    pub shared_memory: u32,
    /// Memory instructions that wait for the load/store unit, the one that it works at included.
    pub lsu_queue: usize,
}

/// How a warp scheduler picks among ready warps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Greedy then oldest: the same warp until it stalls, then the one that has been there longest.
    Gto,
    /// Loose round-robin.
    Lrr,
}

/// In which order the schedulers of an SM choose, which decides who has the load/store unit: it
/// takes one instruction per cycle.
///
/// Source: GPGPU-Sim, `shader_core_ctx::issue`. Up to version 3.2.2 and until 2017 it went through
/// the schedulers from the first to the last in each cycle; later versions begin one further each
/// cycle, "fair round robin".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The one after the last that issued to the load/store unit is first.
    #[default]
    Rotating,
    /// The first scheduler is first in every cycle: others issue loads and stores in cycles in which
    /// those before them have none.
    Fixed,
}

impl Order {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What a load's miss fetches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fill {
    /// The sectors of 32 bytes that it touches (NVIDIA GPUs since Maxwell).
    #[default]
    Sectors,
    /// All of the line, as GPGPU-Sim 3.2.2 does, which knows no sectors: `gpu-cache.cc` sends a
    /// request for the whole block of the cache.
    Lines,
}

impl Fill {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A function from a line's address to its set.
///
/// ASSUMPTION: papers that say "xor-indexing" do not say which bits. Here it is GPGPU-Sim's
/// bitwise hash: the set's bits xored with the tag's lowest as many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Index {
    /// The lowest bits of the line's number.
    Bits,
    /// Those bits, each xored with bits of the tag.
    Xor,
    /// The same within a partition of the L2, which addresses choose without xor: rows a large power
    /// of two apart all meet in one. For the L2.
    ///
    /// Source: GPGPU-Sim 3.2.2, whose `gpgpu_mem_addr_mapping` takes the channel from address bits,
    /// and whose caches hash the set of an address without them.
    Slices,
    /// Bits 7 to 11 of the address, xored with its bits 13, 14, 15, 17 and 19; of 64 sets, bit 12
    /// is the highest of the set. For an L1D of 32 or 64 sets with lines of 128 bytes.
    ///
    /// Source: GPGPU-Sim 3.2.2, `cache_config::set_index`, the one hash that it has (`H`), after
    /// Nugteren et al., "A Detailed GPU Cache Model Based on Reuse Distance Theory" (HPCA 2014).
    Fermi,
}

impl Index {
    /// An address with the set's bits replaced by the set that it falls into; a bijection, since
    /// the tag stays. A cache that takes its sets from the address bits then needs no index
    /// function of its own.
    ///
    /// ```
    /// use cotenant_golden::gpu::config::Index;
    /// use cotenant_golden::llc::cache::Geometry;
    ///
    /// let cache = Geometry { sets: 16, ways: 4, line: 128, kernels: 1, banks: 1 };
    /// // Line 0x35 of tag 3: set 5, or 5 ^ 3.
    /// assert_eq!(Index::Bits.permuted(0x35 * 128, &cache), 0x35 * 128);
    /// assert_eq!(Index::Xor.permuted(0x35 * 128, &cache), 0x36 * 128);
    /// // In two banks the lowest bit of the set stays, which is the bank's.
    /// let cache = Geometry { banks: 2, ..cache };
    /// assert_eq!(Index::Slices.permuted(0x35 * 128, &cache), 0x33 * 128);
    /// ```
    #[inline]
    pub fn permuted(self, address: u64, cache: &Geometry) -> u64 {
        match self {
            Self::Bits | Self::Fermi => address,
            Self::Slices => {
                let sets = cache.sets / cache.banks;
                let hash = cache.tag_of(address) % sets as u64;
                address ^ (hash * cache.banks as u64 * cache.line)
            }
            Self::Xor => {
                let tag = cache.tag_of(address);
                address ^ ((tag & (cache.sets as u64 - 1)) * cache.line)
            }
        }
    }
}

/// A data cache in an SM: write-evict, no-write-allocate; a line is allocated on the miss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct L1d {
    /// Sets, a power of two.
    pub sets: usize,
    /// Ways of a set, 1 to 64.
    pub ways: usize,
    /// Bytes of a line, a power of two from the L2's line to [`MAX_LINE`]; as many as the L2's
    /// unless it is given. A line is filled by sectors of 32 bytes, and one that is longer than the
    /// L2's by a request for each line of the L2 that has one of them.
    ///
    /// [`MAX_LINE`]: crate::llc::cache::MAX_LINE
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The set of a line.
    pub index: Index,
    /// What a load's miss fetches; [`Fill::Sectors`] unless it is given. Stores write what they
    /// touch.
    #[serde(default, skip_serializing_if = "Fill::is_default")]
    pub fill: Fill,
    /// From a hit's acceptance to its data.
    pub hit_latency: u32,
    /// Lines on their way.
    pub mshrs: usize,
    /// Requests that wait for the same line, the first included.
    pub mshr_merges: usize,
    /// Requests to the L2 (reads and writes) that wait for the crossbar; at least as many as the
    /// L2 has lines in one of these.
    pub miss_queue: usize,
}

impl L1d {
    /// Bytes of a line, in front of an L2 with lines of `l2_line` bytes.
    pub fn line_bytes(&self, l2_line: u64) -> u64 {
        self.line.unwrap_or(l2_line)
    }
}

/// A crossbar with a port for each SM and for each partition of the L2, both ways.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Crossbar {
    /// Bytes of a flit; a port passes one per cycle.
    pub flit: u64,
    /// Bytes of a packet beside its data.
    pub header: u64,
    /// From an SM's port to a partition's, or back, without waiting.
    pub latency: u32,
    /// Packets that wait at a partition's port, or replies at an SM's; a full one holds back the
    /// ports of the other side.
    pub queue: usize,
}

/// What a store that misses the L2 does beyond allocating the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WriteMiss {
    /// The sectors that it stores are valid, the others stay absent.
    #[default]
    Validate,
    /// The whole line is fetched.
    ///
    /// Source: GPGPU-Sim 3.2.2, `data_cache::wr_miss_wa`, which reads the block whatever the store
    /// covers. ASSUMPTION: what is stored is written back when the line is evicted; there the
    /// missing store goes on to memory at once and the line stays clean, so that a line stored to
    /// once moves the same bytes.
    Fetch,
}

impl WriteMiss {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The L2 beyond its dimensions: write-back, write-allocate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct L2 {
    /// Partitions, each with a port of the crossbar and a channel of memory; a divisor of the
    /// banks.
    pub partitions: usize,
    /// The set of a line.
    pub index: Index,
    /// What a store's miss does; [`WriteMiss::Validate`] unless it is given.
    #[serde(default, skip_serializing_if = "WriteMiss::is_default")]
    pub write_miss: WriteMiss,
    /// From a lookup to the reply of a hit, at the partition's port.
    pub hit_latency: u32,
    /// Lines on their way, a bank.
    pub mshrs: usize,
    /// Requests that wait for the same line, the first included.
    pub mshr_merges: usize,
    /// Requests of a bank that wait for memory, write-backs included; at least 2, since a miss
    /// may need a fetch and a write-back.
    pub miss_queue: usize,
}

/// Main memory: channels with first-ready, first-come-first-served scheduling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Dram {
    /// Clock of commands in MHz; `t-*` count its cycles.
    pub clock_mhz: u64,
    /// Banks of a channel, a power of two.
    pub banks: usize,
    /// Bytes of a row of a bank, a power of two, of a channel's own address space.
    pub row: u64,
    /// Bytes that a channel's data bus moves in a cycle of this clock.
    pub bus: u64,
    /// Requests that a channel holds.
    pub queue: usize,
    /// Row precharge time.
    pub t_rp: u32,
    /// Row to column delay.
    pub t_rcd: u32,
    /// A row's activation to its precharge, at least.
    pub t_ras: u32,
    /// Column access to data.
    pub t_cl: u32,
    /// What else is between the L2 and the pins, there and back, in cycles of the GPU's clock.
    pub latency: u32,
}

#[cfg(test)]
mod tests;
