//! RAMs of a unit, by names that netlist and golden model share.

use super::Port;

/// A RAM of the netlist, and what the golden model keeps in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// The netlist's name: `tags[4]`.
    pub ram: String,
    /// Number of words.
    pub words: usize,
    /// What a word holds, from the low bits up, without gaps.
    pub parts: Vec<Port>,
}

impl Memory {
    /// A RAM whose words are one value each, `width` bits wide, 1 to 64.
    pub fn values(ram: impl Into<String>, words: usize, width: usize) -> Self {
        Self::parts(ram, words, [Port::value("", width)])
    }

    /// A RAM whose words hold several values.
    pub fn parts(
        ram: impl Into<String>,
        words: usize,
        parts: impl IntoIterator<Item = Port>,
    ) -> Self {
        Self {
            ram: ram.into(),
            words,
            parts: parts.into_iter().collect(),
        }
    }

    /// Where an element of a part is in a word: its lowest bit and its width.
    pub fn place(&self, part: &str, element: usize) -> Option<(usize, usize)> {
        let before = self.parts.iter().take_while(|other| other.name != part);
        let low: usize = before.map(Port::width).sum();
        let part = self.parts.iter().find(|other| other.name == part)?;
        let width = part.element_width;
        (element < part.elements).then_some((low + element * width, width))
    }

    /// Width of a word in bits.
    pub fn width(&self) -> usize {
        self.parts.iter().map(Port::width).sum()
    }

    /// The first value that differs between two forms of a word: its name, `tags[4][17]` or
    /// `replacement[17].way[3]`, and both values.
    pub fn difference(&self, word: usize, one: &[u64], two: &[u64]) -> Option<(String, u64, u64)> {
        let mut low = 0;
        for part in &self.parts {
            for element in 0..part.elements {
                let width = part.element_width;
                let [one, two] = [one, two].map(|words| bits(words, low, width));
                if one != two {
                    let name = part.element_name(element);
                    let dot = if name.is_empty() { "" } else { "." };
                    return Some((format!("{}[{word}]{dot}{name}", self.ram), one, two));
                }
                low += width;
            }
        }
        None
    }
}

/// `width` bits, 1 to 64, from bit `low` up.
pub(super) fn bits(words: &[u64], low: usize, width: usize) -> u64 {
    let (word, shift) = (low / 64, low % 64);
    let mut value = words[word] >> shift;
    if shift + width > 64 {
        value |= words[word + 1] << (64 - shift);
    }
    value & (u64::MAX >> (64 - width))
}

/// Writes the values of a RAM word one after the other, from the low bits up and without gaps.
#[derive(Debug)]
pub struct WordPacker<'a> {
    words: &'a mut [u64],
    at: usize,
}

impl<'a> WordPacker<'a> {
    /// Starts at the lowest bit; the words are cleared.
    #[inline]
    pub fn new(words: &'a mut [u64]) -> Self {
        words.fill(0);
        Self { words, at: 0 }
    }

    /// A value of `width` bits, 1 to 64.
    #[inline]
    pub fn value(&mut self, width: usize, value: impl Into<u64>) {
        let value = value.into();
        let (word, shift) = (self.at / 64, self.at % 64);
        self.words[word] |= value << shift;
        if shift + width > 64 {
            self.words[word + 1] |= value >> (64 - shift);
        }
        self.at += width;
    }

    /// Several values of `width` bits each.
    #[inline]
    pub fn elements<T: Into<u64>>(&mut self, width: usize, values: impl IntoIterator<Item = T>) {
        values
            .into_iter()
            .for_each(|value| self.value(width, value));
    }

    /// Bits written.
    pub fn written(&self) -> usize {
        self.at
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: values that straddle a machine word, and names, which depend on whether a word
    //! holds one value or several.
    use super::*;

    #[test]
    fn values_that_straddle_a_word_are_read_back() {
        let mut words = [u64::MAX; 3];
        let mut packer = WordPacker::new(&mut words);
        packer.elements(7, (0..16u64).map(|value| 127 - value));
        packer.value(64, 0x9e37_79b9_7f4a_7c15u64);
        packer.value(1, true);
        assert_eq!(packer.written(), 177);
        for value in 0..16 {
            assert_eq!(bits(&words, 7 * value, 7), 127 - value as u64);
        }
        assert_eq!(bits(&words, 112, 64), 0x9e37_79b9_7f4a_7c15);
        assert_eq!(words[2], 1 << (176 - 128) | 0x9e37_79b9_7f4a_7c15 >> 16);
    }

    #[test]
    fn a_difference_is_named_by_word_part_and_element() {
        let tags = Memory::values("tags[4]", 32, 36);
        let differs = tags.difference(17, &[5], &[6]);
        assert_eq!(differs, Some(("tags[4][17]".into(), 5, 6)));
        let parts = [Port::packed("way", 4, 2), Port::packed("valid", 4, 1)];
        let stack = Memory::parts("replacement", 32, parts);
        assert_eq!(stack.width(), 12);
        let differs = |bit: u64| stack.difference(2, &[0], &[1 << bit]).unwrap();
        assert_eq!(differs(7), ("replacement[2].way[3]".into(), 0, 2));
        assert_eq!(differs(8), ("replacement[2].valid[0]".into(), 0, 1));
        assert_eq!(stack.difference(2, &[3], &[3]), None);
    }
}
