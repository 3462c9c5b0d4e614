//! `address_map`: the place of a physical address in a cache and in memory: set, tag, bank, module and
//! colour, by XOR functions.
//!
//! Source: Fractional GPUs, sections IV-B to IV-E and figure 6. In front of
//! [`llc_monitor`](crate::llc::LlcMonitor) it makes set and tag of the physical addresses of a GPU whose
//! cache is indexed by a hash: `set_index` goes to `request_set`, with its lowest bits as the bank of
//! the monitor where it has several, and `tag` to `access_tag`. Two lines that are in the same set have
//! other tags if the mapping is a bijection, which is checked where a mapping is read (`--config mapping=FILE`),
//! with two colliding addresses if it is none.
//!
//! The colour of a page is what software can choose by the choice of a page: functions of the module
//! that use no bit of the byte within a page (section IV-E).
//!
//! Timing: combinational.
//!
//! ASSUMPTION: the tag is address bits as they are, the lowest first, as all known mappings have it.
//! ASSUMPTION: an index that there is not, as the colour with large pages, is one bit with an empty
//! list, 0.

use super::shipped::{padded, Shipped};
use super::{bit_of, bits_in, list_limit, spread, XorHash, MAX_INDEX_W};
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "Fractional GPUs, sections IV-B to IV-E and figure 6")]
mod address_map {
    /// Place of an address of `ADDRESS_W` bits.
    pub struct AddressMap<
        /// Bits of an address.
        #[range(2..=64)] const ADDRESS_W: usize,
        /// Bits of a byte's place in its line.
        #[range(1..=most_offset(ADDRESS_W))] const OFFSET_W: usize,
        /// Bits of a byte's place in its sector.
        #[range(0..=OFFSET_W - 1)] const SECTOR_W: usize,
        /// Bits of the cache set, over all modules.
        #[range(1..=MAX_INDEX_W)] const SET_W: usize,
        /// Bits of the memory bank, over all modules.
        #[range(1..=MAX_INDEX_W)] const BANK_W: usize,
        /// Bits of the memory module.
        #[range(1..=MAX_INDEX_W)] const MODULE_W: usize,
        /// Bits of the colour.
        #[range(1..=MAX_INDEX_W)] const COLOUR_W: usize,
        /// The address bits of the tag, as a mask.
        #[range(1..=list_limit(ADDRESS_W, true))] const TAG: usize,
        /// The address bits of which a bit of the set is the XOR, as a mask; 0 beyond SET_W.
        #[range(0..=list_limit(ADDRESS_W, AT < SET_W))] const SET: [usize; 16] = { 0 },
        /// The same of the bank.
        #[range(0..=list_limit(ADDRESS_W, AT < BANK_W))] const BANK: [usize; 16] = { 0 },
        /// The same of the module.
        #[range(0..=list_limit(ADDRESS_W, AT < MODULE_W))] const MODULE: [usize; 16] = { 0 },
        /// The same of the colour.
        #[range(0..=list_limit(ADDRESS_W, AT < COLOUR_W))] const COLOUR: [usize; 16] = { 0 },
        const TAG_W: usize = { bits_in(TAG) },
        const LINE_W: usize = { ADDRESS_W - OFFSET_W },
        const SECTORS_W: usize = { OFFSET_W - SECTOR_W },
    > {
        /// The physical address of a byte.
        pub address: In<Bits<ADDRESS_W>>,
        /// The number of its line in memory.
        pub line: Out<Bits<LINE_W>>,
        /// The byte in its line.
        pub offset: Out<Bits<OFFSET_W>>,
        /// The sector in the line.
        pub sector: Out<Bits<SECTORS_W>>,
        /// The cache set, counted over all modules.
        pub set_index: Out<Bits<SET_W>>,
        /// The tag that tells the line from others of its set.
        pub tag: Out<Bits<TAG_W>>,
        /// The memory bank, counted over all modules.
        pub bank_index: Out<Bits<BANK_W>>,
        /// The memory module.
        pub module_index: Out<Bits<MODULE_W>>,
        /// The colour of the page.
        pub colour: Out<Bits<COLOUR_W>>,
        set: XorHash<ADDRESS_W, INDEX_W = SET_W, MASK = SET>,
        bank: XorHash<ADDRESS_W, INDEX_W = BANK_W, MASK = BANK>,
        memory_module: XorHash<ADDRESS_W, INDEX_W = MODULE_W, MASK = MODULE>,
        page: XorHash<ADDRESS_W, INDEX_W = COLOUR_W, MASK = COLOUR>,
        #[value(|i| bit_of(TAG, i))]
        tag_bit: [Constant<Bits<ADDRESS_W>>; TAG_W],
        #[value(OFFSET_W)]
        offset_w: Constant<Bits<8>>,
        #[value(SECTOR_W)]
        sector_w: Constant<Bits<8>>,
    }

    fn update(&mut self) {
        comment!("The line, and the byte and the sector in it.");
        self.line.next = (self.address >> self.offset_w).cast::<LINE_W>();
        self.offset.next = self.address.cast::<OFFSET_W>();
        self.sector.next = (self.address >> self.sector_w).cast::<SECTORS_W>();

        comment!("Indices are XOR functions.");
        self.set.address.next = self.address;
        self.bank.address.next = self.address;
        self.memory_module.address.next = self.address;
        self.page.address.next = self.address;
        self.set_index.next = self.set.index;
        self.bank_index.next = self.bank.index;
        self.module_index.next = self.memory_module.index;
        self.colour.next = self.page.index;

        comment!("The tag is address bits as they are.");
        for i in 0..TAG_W {
            self.tag[i].next = (self.address & self.tag_bit[i]).any();
        }
    }
}

/// Bits of a byte's place in a line of at most 1024 bytes, of which memory has more than one.
const fn most_offset(address_w: usize) -> usize {
    if address_w > 10 {
        10
    } else {
        address_w - 1
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<AddressMap!(@any)>::DEFINITION,
    &[
        ("table-1", "gtx1080"),
        ("small", "8-bit"),
        ("large", "64-bit"),
    ],
    Sets::Named(|| {
        let sets = [
            ("gtx1080", gtx1080()),
            ("64-bit", large()),
            ("8-bit", small()),
            ("bits", bits()),
        ];
        sets.map(|(name, values)| (name.to_owned(), values))
            .to_vec()
    }),
)
.usual(&[
    usually("SET_*", 0),
    usually("BANK_*", 0),
    usually("MODULE_*", 0),
    usually("COLOUR_*", 0),
]);

/// The parameters by sizes, the mask of the tag, and those of set, bank, module and colour.
fn map(
    [address_w, offset_w, sector_w]: [usize; 3],
    tag: usize,
    masks: [&[usize]; 4],
) -> Vec<usize> {
    let widths = masks.map(<[usize]>::len);
    let all = masks.into_iter().flat_map(padded);
    let sizes = [address_w, offset_w, sector_w].into_iter().chain(widths);
    sizes.chain([tag]).chain(all).collect()
}

fn gtx1080() -> Vec<usize> {
    let table = Shipped::named("gtx1080");
    let bits = |key| table.number(key).ilog2() as usize;
    let index = |name| table.functions(name);
    let module = index("module");
    // Of pages of 4 KB: the third function of the module uses bit 12 and higher ones alone.
    let page = table.number("page") - 1;
    let colour: Vec<usize> = module
        .iter()
        .copied()
        .filter(|mask| mask & page == 0)
        .collect();
    let tag = index("tag").into_iter().fold(0, |tag, bit| tag | bit);
    map(
        [table.number("width"), bits("line"), bits("sector")],
        tag,
        [&index("set"), &index("bank"), &module, &colour],
    )
}

/// As wide as an address can be.
fn large() -> Vec<usize> {
    let line = usize::MAX << 7;
    let masks: Vec<usize> = spread(64, 32).iter().map(|mask| mask & line).collect();
    map(
        [64, 7, 5],
        usize::MAX << 23,
        [&masks[..16], &masks[16..24], &masks[24..29], &masks[29..]],
    )
}

/// Eight sets in two modules of two banks.
fn small() -> Vec<usize> {
    let set = [0b0100_0100, 0b1000_1000, 0b0001_0000];
    map([8, 2, 1], 0b1110_0000, [&set, &set[..2], &set[..1], &[0]])
}

/// Without a hash: the set is the lowest bits of the line's number.
fn bits() -> Vec<usize> {
    let set: Vec<usize> = (7..15).map(|bit| 1 << bit).collect();
    map([32, 7, 5], 0xffff_8000, [&set, &set[..3], &set[..1], &[0]])
}
