//! Page colouring: physical pages by the memory modules that they lie in, and who gets which.
//!
//! Source: Fractional GPUs, sections IV-E and IV-F. The colour of a page are the functions of its
//! module that use no bit of the byte within the page ([`Mapping::colours`]); n of them make 2^n
//! colours. "Each GPU maintains one free-page list per memory color that contains all the free
//! pages of that color. On GPU initialization, all the pages are placed in a corresponding
//! free-page list."
//!
//! Addresses and pages are physical, in bytes. With pages too large for more than one colour the
//! allocator is that of a driver without colouring.
//!
//! ASSUMPTION: a list hands out the page that was freed last, at first the lowest.
//!
//! ```
//! use cotenant_golden::addr::colour::Allocator;
//! use cotenant_golden::addr::mapping::Mapping;
//!
//! let gtx = Mapping::named("gtx1080")?;
//! let mut pages = Allocator::new(&gtx, 4096, 0..1 << 20)?;
//! assert_eq!(pages.colours(), 2);
//! let page = pages.allocate(1)?;
//! assert_eq!((pages.colour_of(page), pages.available(1)), (1, 127));
//! pages.free(page)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::Range;

use super::gf2;
use super::mapping::Mapping;

/// The most pages of an allocator: 64 GB of 4 KB.
pub const MAX_PAGES: u64 = 1 << 24;

/// Why there is no page, or no allocator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColourError {
    /// A page of no size that there is.
    #[error(
        "page is {page}, expected a power of two from {line}, the bytes of a line, to {limit}"
    )]
    Page {
        /// Bytes of it.
        page: u64,
        /// Bytes of a line.
        line: u64,
        /// Bytes of all addresses.
        limit: u128,
    },
    /// Memory that is not made of pages.
    #[error(
        "memory from {start:#x} to {end:#x}, expected whole pages of {page} bytes within 0x0 to \
         {limit:#x}, 1 to {MAX_PAGES} of them"
    )]
    Range {
        /// First byte.
        start: u64,
        /// Behind the last byte.
        end: u64,
        /// Bytes of a page.
        page: u64,
        /// Behind the last address.
        limit: u128,
    },
    /// A colour that there is not.
    #[error("colour is {colour}, expected one below {colours}")]
    Unknown {
        /// The colour.
        colour: u64,
        /// How many there are.
        colours: u64,
    },
    /// All pages of the colour are taken.
    #[error("colour {colour} has {left} free pages of {page} bytes, expected {asked} or more")]
    Exhausted {
        /// The colour.
        colour: u64,
        /// Pages asked for.
        asked: u64,
        /// Pages left.
        left: u64,
        /// Bytes of a page.
        page: u64,
    },
    /// What is to be freed is no page that is taken.
    #[error("{address:#x} to be freed, expected the first byte of a page that is allocated")]
    NotAllocated {
        /// The address.
        address: u64,
    },
}

/// Free pages by colour.
#[derive(Debug, Clone)]
pub struct Allocator {
    /// The colour's functions.
    functions: Vec<u64>,
    page: u64,
    start: u64,
    /// By colour, the first address of each; the next to be handed out is last.
    free: Vec<Vec<u64>>,
    /// By page, whether it is taken.
    taken: Vec<bool>,
}

impl Allocator {
    /// All pages of a range of addresses, free.
    ///
    /// # Errors
    /// [`ColourError`] for a page that is no power of two or shorter than a line, and for a range
    /// that is empty, beyond the mapping, or not made of whole pages.
    pub fn new(mapping: &Mapping, page: u64, range: Range<u64>) -> Result<Self, ColourError> {
        let table = mapping.table();
        let (line, limit) = (table.line, 1u128 << table.width);
        if !page.is_power_of_two() || page < line || u128::from(page) > limit {
            return Err(ColourError::Page { page, line, limit });
        }
        let Range { start, end } = range;
        let pages = end.saturating_sub(start) / page;
        let whole = start % page == 0 && end % page == 0;
        if !whole || !(1..=MAX_PAGES).contains(&pages) || u128::from(end) > limit {
            return Err(ColourError::Range {
                start,
                end,
                page,
                limit,
            });
        }
        let functions = mapping.colours(page);
        let mut free = vec![vec![]; 1 << functions.len()];
        for number in (0..pages).rev() {
            let address = start + number * page;
            free[gf2::apply(&functions, address) as usize].push(address);
        }
        Ok(Self {
            functions,
            page,
            start,
            free,
            taken: vec![false; pages as usize],
        })
    }

    /// How many colours there are, at least one.
    pub fn colours(&self) -> u64 {
        self.free.len() as u64
    }

    /// Bytes of a page.
    pub fn page(&self) -> u64 {
        self.page
    }

    /// The colour of an address.
    pub fn colour_of(&self, address: u64) -> u64 {
        gf2::apply(&self.functions, address)
    }

    /// Free pages of a colour; none of one that there is not.
    pub fn available(&self, colour: u64) -> u64 {
        let list = self.free.get(colour as usize);
        list.map_or(0, |list| list.len() as u64)
    }

    /// Takes a page of a colour: its first address.
    ///
    /// # Errors
    /// [`ColourError::Unknown`], or [`ColourError::Exhausted`] if none is free.
    pub fn allocate(&mut self, colour: u64) -> Result<u64, ColourError> {
        let (colours, page) = (self.colours(), self.page);
        let list = self.free.get_mut(colour as usize);
        let list = list.ok_or(ColourError::Unknown { colour, colours })?;
        let address = list.pop().ok_or(ColourError::Exhausted {
            colour,
            asked: 1,
            left: 0,
            page,
        })?;
        let place = self.place(address);
        self.taken[place] = true;
        Ok(address)
    }

    /// Takes so many pages of colours in turn, the first of the first colour: their first
    /// addresses. All of them, or none.
    ///
    /// # Errors
    /// As [`allocate`](Self::allocate), and [`ColourError::Unknown`] without any colour.
    pub fn allocate_in_turn(
        &mut self,
        colours: &[u64],
        pages: u64,
    ) -> Result<Vec<u64>, ColourError> {
        if colours.is_empty() {
            let (colour, colours) = (self.colours(), self.colours());
            return Err(ColourError::Unknown { colour, colours });
        }
        let mut taken = vec![];
        for place in 0..pages {
            let colour = colours[(place % colours.len() as u64) as usize];
            match self.allocate(colour) {
                Ok(address) => taken.push(address),
                Err(error) => {
                    // Back in the opposite order, so that the lists are as before.
                    for address in taken.into_iter().rev() {
                        self.free(address)?;
                    }
                    return Err(self.short(error, pages.div_ceil(colours.len() as u64)));
                }
            }
        }
        Ok(taken)
    }

    /// An error with what was asked for in all.
    fn short(&self, error: ColourError, asked: u64) -> ColourError {
        match error {
            ColourError::Exhausted { colour, page, .. } => ColourError::Exhausted {
                colour,
                asked,
                left: self.available(colour),
                page,
            },
            other => other,
        }
    }

    /// Gives a page back.
    ///
    /// # Errors
    /// [`ColourError::NotAllocated`] if it is none that is taken.
    pub fn free(&mut self, address: u64) -> Result<(), ColourError> {
        let wrong = ColourError::NotAllocated { address };
        if address < self.start || address % self.page != 0 {
            return Err(wrong);
        }
        let place = self.place(address);
        match self.taken.get_mut(place) {
            Some(taken) if *taken => *taken = false,
            _ => return Err(wrong),
        }
        let colour = self.colour_of(address);
        self.free[colour as usize].push(address);
        Ok(())
    }

    fn place(&self, address: u64) -> usize {
        ((address - self.start) / self.page) as usize
    }
}

#[cfg(test)]
mod tests;
