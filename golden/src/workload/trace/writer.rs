//! Writes accesses as a CSV trace.

use std::io::{self, Write};

use crate::llc::cache::Geometry;
use crate::workload::{Access, Op};

/// Writes what [`Reader`](super::Reader) reads: all of an access, as it was.
///
/// ```
/// use cotenant_golden::llc::cache::Geometry;
/// use cotenant_golden::workload::trace::Writer;
/// use cotenant_golden::workload::{Access, Op};
///
/// let geometry = Geometry { sets: 64, ways: 4, line: 128, kernels: 2, banks: 1 };
/// let mut writer = Writer::new(vec![], &geometry)?;
/// writer.write(&Access { cycle: Some(7), ..Access::at(1, Op::Write, 0x1020, 128) })?;
/// let text = String::from_utf8(writer.finish()?).unwrap();
/// assert!(text.ends_with("kernel,op,address,cycle,sectors\n1,W,0x1020,7,0x2\n"));
/// assert!(text.starts_with("# --sets 64 --ways 4 --line 128 --kernels 2 --banks 1\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
}

impl<W: Write> Writer<W> {
    /// Writes the header, and the cache that the accesses went to as a comment: the options of
    /// `cotenant replay`. Each access is a write of its own, so `out` should be buffered.
    ///
    /// # Errors
    /// As `out` says.
    pub fn new(mut out: W, cache: &Geometry) -> io::Result<Self> {
        writeln!(out, "# {}", options(cache))?;
        writeln!(out, "kernel,op,address,cycle,sectors")?;
        Ok(Self { out })
    }

    /// Writes an access.
    ///
    /// # Errors
    /// As `out` says.
    pub fn write(&mut self, access: &Access) -> io::Result<()> {
        let op = match access.op {
            Op::Read => 'R',
            Op::Write => 'W',
        };
        let Access {
            kernel,
            address,
            sectors,
            ..
        } = access;
        write!(self.out, "{kernel},{op},{address:#x},")?;
        if let Some(cycle) = access.cycle {
            write!(self.out, "{cycle}")?;
        }
        writeln!(self.out, ",{sectors:#x}")
    }

    /// Flushes.
    ///
    /// # Errors
    /// As `out` says.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The options of `cotenant replay` for a cache.
fn options(cache: &Geometry) -> String {
    let Geometry {
        sets,
        ways,
        line,
        kernels,
        banks,
    } = cache;
    format!("--sets {sets} --ways {ways} --line {line} --kernels {kernels} --banks {banks}")
}

#[cfg(test)]
mod tests {
    //! Rationale: what is read must be what was written, field by field, with and without a cycle.
    use super::*;
    use crate::workload::trace::{Options, Reader};

    #[test]
    fn what_is_written_is_read() {
        let cache = Geometry {
            sets: 16,
            ways: 4,
            line: 128,
            kernels: 4,
            banks: 2,
        };
        let access = |n: u64| Access {
            address: n.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            sectors: 1 + (n % 15) as u32,
            kernel: (n % 4) as u8,
            op: if n % 3 == 0 { Op::Write } else { Op::Read },
            cycle: (n % 5 > 0).then_some(n * n),
        };
        let written: Vec<Access> = (0..100).map(access).collect();
        let mut writer = Writer::new(vec![], &cache).unwrap();
        for access in &written {
            writer.write(access).unwrap();
        }
        let text = std::io::Cursor::new(writer.finish().unwrap());
        let options = Options {
            line: 128,
            kernels: 4,
        };
        // Recognised by its content.
        let reader = Reader::new("recorded", text, None, None, options).unwrap();
        assert_eq!(reader.map(Result::unwrap).collect::<Vec<_>>(), written);
    }
}
