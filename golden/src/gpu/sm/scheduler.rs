//! A warp scheduler, which selects the ready warp that issues.
//!
//! Warps stand in places in the order of their arrival, so that the oldest ready one is the lowest
//! bit of a mask. Places are not used again until none is left; then the warps close up.

use crate::gpu::config::Policy;
use crate::gpu::Bits;

/// Places for warps, at most half of which are taken.
const PLACES: u32 = u64::BITS;

/// What issuing arithmetic needs of a warp. Kept by place, as the oldest warps issue most: those
/// of a scheduler are then next to each other.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Warp {
    pub number: u16,
    pub kernel: u8,
    /// Instructions of the present arithmetic that are still to issue, and the time each takes.
    pub remaining: u32,
    pub latency: u32,
}

/// A scheduler. A mask's bit is a place.
#[derive(Debug, Clone)]
pub(super) struct Scheduler {
    policy: Policy,
    /// Warps that may be here.
    room: u32,
    /// The next place.
    top: u32,
    /// The place of the last warp that issued; none at first.
    last: u64,
    /// Places that are taken.
    taken: u64,
    /// Warps that can issue.
    pub ready: u64,
    /// Warps whose next instruction is a load or store.
    pub memory: u64,
    /// Warps whose next instruction takes no issue slot.
    pub special: u64,
    /// By kernel, its warps.
    pub owned: Box<[u64]>,
    /// The kernels that have any.
    kernels: u64,
    /// The warp at a place.
    warps: [Warp; PLACES as usize],
}

impl Scheduler {
    pub(super) fn new(policy: Policy, room: u32, kernels: usize) -> Self {
        Self {
            policy,
            room,
            top: 0,
            last: 0,
            taken: 0,
            ready: 0,
            memory: 0,
            special: 0,
            owned: vec![0; kernels].into(),
            kernels: 0,
            warps: [Warp::default(); PLACES as usize],
        }
    }

    /// Whether another warp may arrive.
    pub(super) fn has_room(&self) -> bool {
        self.taken.count_ones() < self.room
    }

    /// The warp at a place.
    #[inline]
    pub(super) fn warp(&mut self, place: u32) -> &mut Warp {
        &mut self.warps[place as usize]
    }

    /// The kernel of the warp at a place.
    pub(super) fn kernel(&self, place: u32) -> u8 {
        self.warps[place as usize].kernel
    }

    /// The warps of these kernels.
    #[inline]
    pub(super) fn of(&self, kernels: u64) -> u64 {
        match kernels & self.kernels {
            0 => 0,
            all if all == self.kernels => self.taken,
            some => Bits(some).fold(0, |all, kernel| all | self.owned[kernel as usize]),
        }
    }

    /// The kernels that have a load or store ready.
    #[inline]
    pub(super) fn wanting(&self) -> u64 {
        match self.ready & self.memory {
            0 => 0,
            ready => Bits(self.kernels).fold(0, |all, kernel| {
                all | u64::from(ready & self.owned[kernel as usize] != 0) << kernel
            }),
        }
    }

    /// Whether the warps must [`close_up`](Self::close_up) before another one arrives.
    pub(super) fn is_full(&self) -> bool {
        self.top == PLACES
    }

    /// All warps here, by rising place.
    pub(super) fn places(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        Bits(self.taken).map(|place| (place, self.warps[place as usize].number.into()))
    }

    /// A warp arrives; its place. Not if it [`is_full`](Self::is_full).
    pub(super) fn add(&mut self, warp: usize, kernel: u8) -> u32 {
        let place = self.top;
        self.top += 1;
        self.taken |= 1 << place;
        self.owned[usize::from(kernel)] |= 1 << place;
        self.kernels |= 1 << kernel;
        self.warps[place as usize] = Warp {
            number: warp as u16,
            kernel,
            ..Warp::default()
        };
        place
    }

    /// A warp leaves.
    pub(super) fn remove(&mut self, place: u32, kernel: u8) {
        let others = !(1 << place);
        self.taken &= others;
        self.memory &= others;
        self.special &= others;
        self.owned[usize::from(kernel)] &= others;
        if self.owned[usize::from(kernel)] == 0 {
            self.kernels &= !(1 << kernel);
        }
    }

    /// Gives the warps the lowest places, in their order; in `masks` of places, too.
    pub(super) fn close_up<'a>(&mut self, masks: impl Iterator<Item = &'a mut u64>) {
        let taken = self.taken;
        self.last = match self.policy {
            Policy::Gto => squeeze(self.last, taken),
            // If it is gone, the one before it: those after it come next all the same.
            Policy::Lrr => {
                let up_to = taken & (self.last | self.last.wrapping_sub(1));
                match up_to.count_ones() {
                    count if count > 0 && self.last != 0 => 1 << (count - 1),
                    _ => 0,
                }
            }
        };
        let own = [&mut self.ready, &mut self.memory, &mut self.special];
        let own = own.into_iter().chain(self.owned.iter_mut());
        own.for_each(|mask| *mask = squeeze(*mask, taken));
        masks.for_each(|mask| *mask = squeeze(*mask, taken));
        for (to, from) in Bits(taken).enumerate() {
            self.warps[to] = self.warps[from as usize];
        }
        self.top = taken.count_ones();
        self.taken = squeeze(taken, taken);
    }

    /// The one of these warps that issues next, in the policy's order.
    #[inline]
    pub(super) fn pick(&self, among: u64) -> Option<u32> {
        let first = match self.policy {
            Policy::Gto => among & self.last,
            Policy::Lrr => among & !(self.last | self.last.wrapping_sub(1)),
        };
        match if first == 0 { among } else { first } {
            0 => None,
            mask => Some(mask.trailing_zeros()),
        }
    }

    /// The warp issues.
    #[inline]
    pub(super) fn issue(&mut self, place: u32) {
        self.last = 1 << place;
        self.ready &= !self.last;
    }
}

/// The bits of `mask` that are in `taken`, closed up.
fn squeeze(mask: u64, taken: u64) -> u64 {
    let below = |place: u32| (taken & ((1 << place) - 1)).count_ones();
    Bits(mask & taken).fold(0, |sum, place| sum | 1 << below(place))
}

#[cfg(test)]
mod tests {
    //! Rationale: both orders by hand; closing up must keep age, what is put off, and who is next.
    use super::*;

    fn with(policy: Policy, warps: usize) -> Scheduler {
        let mut scheduler = Scheduler::new(policy, 32, 1);
        (0..warps).for_each(|warp| {
            scheduler.add(warp, 0);
        });
        scheduler
    }

    /// Picks among `ready` places, again and again.
    fn order(scheduler: &mut Scheduler, ready: &[u64]) -> Vec<u32> {
        let picks = ready.iter().map(|&ready| {
            let place = scheduler.pick(ready).unwrap();
            scheduler.issue(place);
            place
        });
        picks.collect()
    }

    #[test]
    fn greedy_then_oldest() {
        let mut scheduler = with(Policy::Gto, 4);
        // 1 goes on while it can; then the oldest.
        let ready = [0b1110, 0b1111, 0b1111, 0b1101, 0b1111, 0b1100];
        assert_eq!(order(&mut scheduler, &ready), [1, 1, 1, 0, 0, 2]);
    }

    #[test]
    fn loose_round_robin() {
        let mut scheduler = with(Policy::Lrr, 4);
        let ready = [0b1111, 0b1111, 0b1011, 0b1111, 0b1001, 0b0001];
        assert_eq!(order(&mut scheduler, &ready), [0, 1, 3, 0, 3, 0]);
        assert_eq!(scheduler.pick(0), None);
    }

    /// The warps left of six, and the warp that issues next if all of them can, after warp 2 has
    /// issued, `gone` have left and the others have closed up.
    fn closed_up(policy: Policy, gone: &[u32]) -> (Vec<usize>, usize) {
        let mut scheduler = with(policy, 6);
        order(&mut scheduler, &[0b100]);
        gone.iter().for_each(|&place| scheduler.remove(place, 0));
        let mut waiting = 1 << 5;
        scheduler.close_up(std::iter::once(&mut waiting));
        let warps: Vec<_> = scheduler.places().map(|(_, warp)| warp).collect();
        assert_eq!(waiting, 1 << (warps.len() - 1), "warp 5");
        let next = scheduler.pick((1 << warps.len()) - 1).unwrap();
        (warps, scheduler.warp(next).number.into())
    }

    #[test]
    fn closing_up_keeps_the_order() {
        assert_eq!(closed_up(Policy::Gto, &[1]), (vec![0, 2, 3, 4, 5], 2));
        assert_eq!(closed_up(Policy::Gto, &[2]), (vec![0, 1, 3, 4, 5], 0));
        assert_eq!(closed_up(Policy::Lrr, &[1]), (vec![0, 2, 3, 4, 5], 3));
        assert_eq!(closed_up(Policy::Lrr, &[2]), (vec![0, 1, 3, 4, 5], 3));
        assert_eq!(closed_up(Policy::Lrr, &[0, 1, 2]), (vec![3, 4, 5], 3));
    }

    #[test]
    fn there_is_room_for_as_many_as_told() {
        let mut scheduler = Scheduler::new(Policy::Gto, 2, 1);
        for warp in 0..70 {
            assert!(scheduler.has_room());
            if scheduler.is_full() {
                scheduler.close_up(std::iter::empty());
            }
            scheduler.add(warp, 0);
            if warp > 0 {
                assert!(!scheduler.has_room());
                let (place, oldest) = scheduler.places().next().unwrap();
                assert_eq!(oldest, warp - 1);
                scheduler.remove(place, 0);
            }
        }
    }
}
