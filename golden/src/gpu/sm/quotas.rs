//! Warp instruction quotas of the kernels on an SM.
//!
//! Source: Dai et al. (HPCA 2018), section 4, SMK-(P+W): "a kernel will stop issuing instructions if it
//! runs out of quota and a new set of quotas will be assigned only when quotas of all kernels equal
//! zero".
//!
//! ASSUMPTION: all kernels are those with a block on the SM: one without could never use its quota up,
//! and the others would wait for it.

/// The quotas, by KID. Kernels beyond have none and are never stopped.
#[derive(Debug)]
pub(super) struct Quotas {
    set: Vec<u64>,
    left: Vec<u64>,
    /// Kernels with a block here.
    here: u64,
    closed: u64,
}

impl Quotas {
    pub(super) fn new(set: &[u64]) -> Self {
        Self {
            set: set.to_vec(),
            left: set.to_vec(),
            here: 0,
            closed: 0,
        }
    }

    /// Kernels that have no quota left.
    #[inline]
    pub(super) fn closed(&self) -> u64 {
        self.closed
    }

    /// A warp instruction of a kernel, which had quota left.
    pub(super) fn issued(&mut self, kernel: u8) {
        if let Some(left) = self.left.get_mut(usize::from(kernel)) {
            *left -= 1;
            if *left == 0 {
                self.closed |= 1 << kernel;
                self.renew();
            }
        }
    }

    /// A kernel has a block here.
    pub(super) fn comes(&mut self, kernel: u8) {
        self.here |= 1 << kernel;
    }

    /// A kernel has no block here any more.
    pub(super) fn goes(&mut self, kernel: u8) {
        self.here &= !(1 << kernel);
        self.renew();
    }

    /// A new set if nobody here has any left.
    fn renew(&mut self) {
        if self.here & !self.closed == 0 {
            self.left.copy_from_slice(&self.set);
            self.closed = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: by hand, who waits for whom; one who has gone must not be waited for.
    use super::*;

    #[test]
    fn new_quotas_come_when_all_are_used_up() {
        let mut quotas = Quotas::new(&[2, 1]);
        quotas.comes(0);
        quotas.comes(1);
        quotas.issued(1);
        assert_eq!(quotas.closed(), 0b10);
        quotas.issued(0);
        assert_eq!(quotas.closed(), 0b10);
        quotas.issued(0);
        assert_eq!((quotas.closed(), quotas.left.as_slice()), (0, &[2, 1][..]));
        // Kernel 0 stops, then kernel 1 goes: nobody is left to wait for.
        quotas.issued(0);
        quotas.issued(0);
        assert_eq!(quotas.closed(), 0b01);
        quotas.goes(1);
        assert_eq!(quotas.closed(), 0);
        // Alone it is never stopped.
        (0..10).for_each(|_| quotas.issued(0));
        assert_eq!(quotas.closed(), 0);
        quotas.issued(2);
    }
}
