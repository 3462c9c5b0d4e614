//! Repetition until a decision is certain enough.
//!
//! Readings are wrong with a probability of at most e, independently. The difference of the votes
//! for both answers is then a random walk, which reaches the lead on the wrong side first with a
//! probability of at most (e / (1 - e))^lead (Wald's sequential test).

use super::{ProbeError, Settings};

/// Decisions that errors are shared among; more of them only make the stated error larger.
const DECISIONS: f64 = 4096.0;
/// Readings of a decision after which it is given up.
const PATIENCE: u32 = 64;
/// Readings before their contradictions are judged.
const ENOUGH: u64 = 100;

/// Decisions made so far.
#[derive(Debug, Clone)]
pub(super) struct Votes {
    flips: f64,
    /// At least two, so that contradictions are seen.
    lead: u32,
    pub(super) decisions: u64,
    readings: u64,
    /// Readings against the decision.
    against: u64,
}

impl Votes {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            flips: settings.flips,
            lead: lead(settings.flips, settings.error / 2.0 / DECISIONS).max(2),
            decisions: 0,
            readings: 0,
            against: 0,
        }
    }

    /// Fewer votes, for decisions that are checked later: one in a thousand may be wrong.
    pub(super) fn light(settings: &Settings) -> Self {
        Self {
            lead: lead(settings.flips, 1e-3),
            ..Self::new(settings)
        }
    }

    /// What readings say.
    ///
    /// # Errors
    /// [`ProbeError::TooNoisy`] if they say both too often.
    pub(super) fn decide(&mut self, mut reading: impl FnMut() -> bool) -> Result<bool, ProbeError> {
        let (mut yes, mut no) = (0u32, 0u32);
        while yes.abs_diff(no) < self.lead {
            match reading() {
                true => yes += 1,
                false => no += 1,
            }
            if yes + no > PATIENCE * self.lead {
                return Err(self.too_noisy(yes.min(no).into(), (yes + no).into()));
            }
        }
        self.decisions += 1;
        self.readings += u64::from(yes + no);
        self.against += u64::from(yes.min(no));
        let expected = self.flips * self.readings as f64;
        // Five standard deviations.
        let most = expected + 5.0 * expected.max(1.0).sqrt();
        if self.readings >= ENOUGH && self.against as f64 > most {
            return Err(self.too_noisy(self.against, self.readings));
        }
        Ok(yes > no)
    }

    fn too_noisy(&self, against: u64, readings: u64) -> ProbeError {
        ProbeError::TooNoisy {
            measured: against as f64 / readings as f64,
            assumed: self.flips,
        }
    }

    /// The rate of readings against decisions.
    pub(super) fn contradictions(&self) -> f64 {
        self.against as f64 / self.readings.max(1) as f64
    }

    /// How probable it is, at most, that one of the decisions is wrong.
    pub(super) fn error(&self) -> f64 {
        let odds = self.flips / (1.0 - self.flips);
        self.decisions as f64 * odds.powi(self.lead as i32)
    }
}

/// The lead by which a decision is wrong with a probability of at most `error`.
fn lead(flips: f64, error: f64) -> u32 {
    match flips > 0.0 {
        true => (error.ln() / (flips / (1.0 - flips)).ln()).ceil().max(1.0) as u32,
        false => 1,
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the bound is compared with the rate found, at an error that shows in 100,000
    //! decisions; answers that nothing is to be had from are refused.
    use rand::{RngCore, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;

    #[test]
    fn decisions_are_as_wrong_as_stated() {
        let mut random = Pcg64Mcg::seed_from_u64(3);
        let settings = Settings {
            flips: 0.2,
            ..Settings::default()
        };
        let mut votes = Votes {
            lead: 3,
            ..Votes::new(&settings)
        };
        let mut wrong = 0;
        for _ in 0..100_000 {
            let right = |random: &mut Pcg64Mcg| random.next_u64() % 5 > 0;
            wrong += u64::from(!votes.decide(|| right(&mut random)).unwrap());
        }
        // One in 65: (1/4)^3 / (1 + (1/4)^3).
        assert!((1400..1600).contains(&wrong), "{wrong}");
        // The bound is 1 in 64.
        assert!(
            (1500.0..1600.0).contains(&votes.error()),
            "{}",
            votes.error()
        );
        assert!((0.18..0.22).contains(&votes.contradictions()));
    }

    #[test]
    fn a_coin_is_refused() {
        let mut random = Pcg64Mcg::seed_from_u64(3);
        let mut votes = Votes::new(&Settings::default());
        let mut coin = || votes.decide(|| random.next_u64() & 1 == 1);
        let error = (0..100).find_map(|_| coin().err()).unwrap();
        assert!(matches!(error, ProbeError::TooNoisy { .. }), "{error}");
        let (mut votes, mut turn) = (Votes::new(&Settings::default()), false);
        let alternating = votes.decide(|| {
            turn = !turn;
            turn
        });
        assert!(alternating.is_err());
    }
}
