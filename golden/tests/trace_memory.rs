//! Reading streams: memory does not grow with the trace.
//!
//! Rationale: traces of real kernels are larger than memory. A counting allocator sees the peak
//! while a short and a twenty times longer trace is read, plain and compressed; this test is alone
//! in its process, so that no other test allocates meanwhile.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use cotenant_golden::workload::trace::{Options, Reader, Trace};

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(held, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// So many records, made as they are read.
struct Records {
    left: u64,
    record: &'static [u8],
    rest: &'static [u8],
}

impl Read for Records {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut written = 0;
        while written < buffer.len() {
            if self.rest.is_empty() {
                if self.left == 0 {
                    break;
                }
                self.left -= 1;
                self.rest = self.record;
            }
            let length = self.rest.len().min(buffer.len() - written);
            buffer[written..written + length].copy_from_slice(&self.rest[..length]);
            (written, self.rest) = (written + length, &self.rest[length..]);
        }
        Ok(written)
    }
}

/// Bytes at the peak of reading `records` records from each of two sources.
fn peak(records: u64, compressed: bool) -> usize {
    let options = Options {
        line: 128,
        kernels: 4,
    };
    let reader = |name: &str, record: &'static [u8]| {
        let input = Records {
            left: records,
            record,
            rest: &[],
        };
        if compressed {
            let encoder = flate2::read::GzEncoder::new(input, flate2::Compression::fast());
            Reader::new(name, encoder, None, None, options).unwrap()
        } else {
            Reader::new(name, input, None, None, options).unwrap()
        }
    };
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    let trace = Trace::new(vec![
        reader("a.csv", b"1,R,0x1000,17\n"),
        reader("b.din", b"1 ffff\n"),
    ]);
    assert_eq!(trace.map(Result::unwrap).count() as u64, 2 * records);
    PEAK.load(Relaxed) - before
}

#[test]
fn memory_does_not_grow_with_the_trace() {
    for compressed in [false, true] {
        let short = peak(10_000, compressed);
        let long = peak(200_000, compressed);
        assert!(
            long <= short + 4096,
            "{short} bytes for the short trace, {long} for the long one"
        );
        assert!(long < 4 << 20, "{long} bytes");
    }
}
