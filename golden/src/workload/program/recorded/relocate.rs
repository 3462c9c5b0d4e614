//! Relocates the addresses of a trace.

use super::{Recording, Stored};

/// Bytes of a page, within which addresses are kept: CUDA maps memory in pages of 2 MB.
pub const PAGE: u64 = 2 << 20;

/// Numbers the touched pages from 0 on, in their order, and moves everything to its page's number.
/// What is left of addresses leaves room for any base.
pub(super) fn close_gaps(recording: &mut Recording) {
    let mut pages: Vec<u64> = touched(recording).flat_map(|(a, b)| [a, b]).collect();
    pages.iter_mut().for_each(|address| *address /= PAGE);
    pages.sort_unstable();
    pages.dedup();
    let moved = |address: &mut u64| {
        let page = pages.partition_point(|page| *page < *address / PAGE) as u64;
        *address = page * PAGE + *address % PAGE;
    };
    for access in &mut recording.accesses {
        if let Stored::Strided { base, .. } = &mut access.addresses {
            moved(base);
        }
    }
    recording.addresses.iter_mut().for_each(moved);
    let bounds = touched(recording).fold((u64::MAX, 0), |(low, high), (first, last)| {
        (low.min(first), high.max(last + 1))
    });
    recording.extent = bounds.0.min(bounds.1)..bounds.1;
}

/// The first and the last byte of each lane of each access; of those with a stride, of all.
fn touched(recording: &Recording) -> impl Iterator<Item = (u64, u64)> + '_ {
    recording.accesses.iter().flat_map(|access| {
        let last = u64::from(access.bytes) - 1;
        let (strided, each) = match access.addresses {
            Stored::Strided { base, stride } => {
                let (first, end) = (
                    access.lanes.trailing_zeros(),
                    31 - access.lanes.leading_zeros(),
                );
                let at = |lane: u32| base + u64::from(lane) * u64::from(stride);
                (Some((at(first), at(end) + last)), &[][..])
            }
            Stored::Each(first) => {
                let count = access.lanes.count_ones() as usize;
                (None, &recording.addresses[first as usize..][..count])
            }
        };
        let each = each.iter().map(move |a| (*a, a.saturating_add(last)));
        strided.into_iter().chain(each)
    })
}
