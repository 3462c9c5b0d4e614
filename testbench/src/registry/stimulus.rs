//! Stimulus without a unit's types: for a model that is chosen by name and driven with words.

use std::fmt;

use cotenant_golden::dynamic::{AnyModel, Settings};
use cotenant_golden::ports::Packer;
use cotenant_golden::Model;

use super::{visit, Unit, Visitor};
use crate::error::{Error, Result};
use crate::verify::directed::Plan;
use crate::verify::interface::{Interface, ParamsOf};
use crate::verify::stimulus::{Drive, FromReset, Mix, Profile};

/// What stimulus is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// `mix` for all profiles of the unit, the name of one, or several with plus signs between them.
    pub profile: String,
    /// The seed.
    pub seed: u64,
    /// The most cycles of the directed part, the way from reset to the bins of the functional coverage
    /// ([`Plan`]); 0 for none.
    pub directed: u64,
}

impl Default for Drawn {
    /// All profiles, seed 0x9e37, no directed part.
    fn default() -> Self {
        Self {
            profile: "mix".into(),
            seed: 0x9e37,
            directed: 0,
        }
    }
}

/// Stimulus of a unit from its reset on, in rows of words, without an end: the cycles of `cotenant
/// vectors` of the same parameters, profile, seed and directed part.
///
/// Inputs follow from the state of a golden model, which goes through the same cycles, and are legal in
/// it. A model in a state that they did not lead to is taken as it is.
///
/// ```
/// use cotenant::registry::{Drawn, Stimulus};
/// use cotenant_golden::dynamic;
///
/// let mut model = dynamic::unit("lru_stack")?.model("4x2")?;
/// let mut stimulus = Stimulus::new(&model, &Drawn::default(), &mut |_| true)?.expect("not stopped");
/// let mut outputs = model.output_row();
/// for _ in 0..1000 {
///     let inputs = stimulus.next(&model)?;
///     // Drive your design with `inputs`, compare its outputs with these.
///     model.step(inputs, &mut outputs)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Stimulus {
    unit: &'static str,
    settings: Settings,
    directed: u64,
    row: Vec<u64>,
    drive: Box<dyn AnyDrive>,
}

impl fmt::Debug for Stimulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stimulus of {} {}", self.unit, self.settings)
    }
}

impl Stimulus {
    /// Stimulus for a model. `watch` is told from time to time how many cycles were simulated to find the
    /// directed part, and says whether to go on; no stimulus if not.
    ///
    /// # Errors
    /// [`Error::Profile`].
    pub fn new(
        model: &AnyModel,
        drawn: &Drawn,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<Self>> {
        visit(
            model.unit().name(),
            Make {
                model,
                drawn,
                watch,
            },
        )?
    }

    /// Cycles of the directed part, which follow the reset.
    pub fn directed(&self) -> u64 {
        self.directed
    }

    /// The inputs of the next cycle, which the model is in front of: each port starts a word.
    ///
    /// # Errors
    /// [`Error::OtherModel`]. [`Error::Assumption`] would be a defect of the unit's stimulus.
    pub fn next(&mut self, model: &AnyModel) -> Result<&[u64]> {
        if model.unit().name() != self.unit || *model.settings() != self.settings {
            return Err(Error::OtherModel {
                given: model.to_string(),
                expected: format!("{} {}", self.unit, self.settings),
            });
        }
        self.drive.next(model, &mut self.row)?;
        Ok(&self.row)
    }
}

/// The profiles that mean something to a unit.
///
/// # Errors
/// [`Error::Unit`] with the nearest name if there is no such unit.
pub fn profiles(unit: &str) -> Result<&'static [Profile]> {
    struct Profiles;
    impl Visitor for Profiles {
        type Output = &'static [Profile];

        fn visit<U: Unit>(self) -> Self::Output {
            U::PROFILES
        }
    }
    visit(unit, Profiles)
}

/// Makes stimulus once the unit is known.
struct Make<'a> {
    model: &'a AnyModel,
    drawn: &'a Drawn,
    watch: &'a mut dyn FnMut(u64) -> bool,
}

impl Visitor for Make<'_> {
    type Output = Result<Option<Stimulus>>;

    fn visit<U: Unit>(self) -> Self::Output {
        let Self {
            model,
            drawn,
            watch,
        } = self;
        let mix = match drawn.profile.as_str() {
            "mix" => Mix::default(),
            names => Mix::named(U::NAME, U::PROFILES, names.split('+'))?.unwrap_or_default(),
        };
        let params = typed::<U>(model)?.params();
        let mut segments = vec![];
        if drawn.directed > 0 {
            let Some(plan) = Plan::new::<U>(params, drawn.seed, drawn.directed, watch)? else {
                return Ok(None);
            };
            segments = plan.segments;
        }
        let cycles = FromReset::<U>::new(params, &segments, mix, drawn.seed);
        Ok(Some(Stimulus {
            unit: U::NAME,
            settings: model.settings().clone(),
            directed: segments.iter().map(|segment| segment.cycles).sum(),
            row: model.input_row(),
            drive: Box::new(Cycles {
                params: params.clone(),
                cycles,
                cycle: 0,
            }),
        }))
    }
}

/// The model with the unit's types.
fn typed<U: Interface>(model: &AnyModel) -> Result<&U::Model> {
    model.typed().ok_or_else(|| Error::OtherModel {
        given: model.to_string(),
        expected: U::NAME.into(),
    })
}

/// A unit's stimulus, whose types are hidden.
trait AnyDrive: Send {
    fn next(&mut self, model: &AnyModel, row: &mut [u64]) -> Result<()>;
}

struct Cycles<U: Drive> {
    params: ParamsOf<U>,
    cycles: FromReset<U>,
    cycle: u64,
}

impl<U: Drive> AnyDrive for Cycles<U> {
    fn next(&mut self, model: &AnyModel, row: &mut [u64]) -> Result<()> {
        let model = typed::<U>(model)?;
        let input = self.cycles.input(model)?;
        model.assume(input).map_err(|violation| Error::Assumption {
            unit: U::NAME,
            cycle: self.cycle,
            violation: Box::new(violation),
        })?;
        U::pack_in(&self.params, input, &mut Packer::new(row));
        self.cycle += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: whatever the unit, profile and seed, inputs must be legal, in a state that they led to
    //! and in one that they did not; the same arguments must give the same inputs, others others. A
    //! model of other parameters, an unknown profile and a stop are told, and so is a unit whose stimulus
    //! is illegal.
    use super::*;
    use crate::unit::llc::LruStack;
    use crate::verify::interface::{from_golden, InOf, OutOf, Place, Port, StateField, StateOf};
    use crate::verify::stimulus::{Knobs, Pace, Random};
    use cotenant_golden::dynamic::{self, Unit as Known};
    use cotenant_golden::llc::lru_stack;

    fn drawn(profile: &str, seed: u64, directed: u64) -> Drawn {
        Drawn {
            profile: profile.into(),
            seed,
            directed,
        }
    }

    fn made(model: &AnyModel, drawn: &Drawn) -> Stimulus {
        let made = Stimulus::new(model, drawn, &mut |_| true);
        made.unwrap().expect("not stopped")
    }

    fn model(unit: &str, parameters: &str) -> AnyModel {
        dynamic::unit(unit).unwrap().model(parameters).unwrap()
    }

    /// The rows of some cycles, in which the model goes back to its reset state once, unseen.
    fn rows(unit: &'static Known, parameters: &str, drawn: &Drawn) -> Vec<Vec<u64>> {
        let mut model = unit.model(parameters).unwrap();
        let mut stimulus = made(&model, drawn);
        let mut outputs = model.output_row();
        let row = |cycle| {
            if cycle == 150 {
                model.reset();
            }
            let inputs = stimulus.next(&model).unwrap().to_vec();
            model.legal(&inputs).unwrap();
            model.step(&inputs, &mut outputs).unwrap();
            inputs
        };
        (0..300).map(row).collect()
    }

    #[test]
    fn every_unit_is_driven_legally_by_every_profile() {
        for unit in dynamic::units() {
            let rows = |seed| rows(unit, unit.platform(), &drawn("mix", seed, 0));
            assert_eq!(rows(1), rows(1), "{unit:?}");
            assert_ne!(rows(1), rows(2), "{unit:?}");
            for profile in profiles(unit.name()).unwrap() {
                self::rows(unit, unit.platform(), &drawn(profile.name(), 3, 0));
            }
        }
    }

    #[test]
    fn the_directed_part_is_in_front() {
        let unit = dynamic::unit("counter_matrix").unwrap();
        let parameters = "KERNELS=2,INC_W=2,CNT_W=4";
        let model = unit.model(parameters).unwrap();
        assert_eq!(made(&model, &drawn("idle", 1, 0)).directed(), 0);
        let directed = made(&model, &drawn("idle", 1, 4000)).directed();
        assert!((1..=4000).contains(&directed), "{directed}");
        let [with, without] = [4000, 0].map(|most| rows(unit, parameters, &drawn("idle", 1, most)));
        // Both are reset first.
        assert_eq!(with[..2], without[..2]);
        assert_ne!(with[2..], without[2..]);
        let stopped = Stimulus::new(&model, &drawn("mix", 1, 4000), &mut |_| false);
        assert!(stopped.unwrap().is_none());
    }

    #[test]
    fn what_is_wrong_is_told() {
        let popcnt = model("popcnt", "16");
        let refused = Stimulus::new(&popcnt, &drawn("uniform+hits", 1, 0), &mut |_| true);
        let text = refused.unwrap_err().to_string();
        assert_eq!(
            text,
            "popcnt has no profile 'hits'; its profiles are uniform, invalid-ways, saturation"
        );
        let mut stimulus = made(&popcnt, &Drawn::default());
        for (unit, parameters, named) in [
            ("popcnt", "17", "popcnt WIDTH=17"),
            ("rbmi", "2", "rbmi KERNELS=2"),
        ] {
            let text = stimulus
                .next(&model(unit, parameters))
                .unwrap_err()
                .to_string();
            let expected =
                format!("the model is one of {named}, the stimulus is for popcnt WIDTH=16");
            assert_eq!(text, expected);
        }
        let text = profiles("gdc").unwrap_err().to_string();
        assert_eq!(text, "there is no unit 'gdc'; the nearest is 'gdcu'");
    }

    /// A stack whose stimulus hits lines that there are not.
    #[derive(Debug, Clone, Copy)]
    struct Wild;

    impl Interface for Wild {
        const NAME: &'static str = "wild";
        const SUMMARY: &'static str = "hits lines that there are not";
        const PLACE: Place = Place::Set;
        type Model = lru_stack::LruStack;
        from_golden!();
    }

    impl Drive for Wild {
        type Transaction = <LruStack as Drive>::Transaction;
        type World = ();
        const PROFILES: &'static [Profile] = LruStack::PROFILES;

        fn world(_: &lru_stack::Params) {}

        fn resolve(
            params: &lru_stack::Params,
            model: &lru_stack::LruStack,
            world: &mut (),
            transaction: &Self::Transaction,
            input: &mut lru_stack::In,
        ) {
            LruStack::resolve(params, model, world, transaction, input);
            (input.access_valid, input.access_hit) = (true, true);
        }

        fn draw(
            params: &lru_stack::Params,
            knobs: &Knobs,
            pace: &mut Pace,
            random: &mut Random,
            transaction: &mut Self::Transaction,
        ) {
            LruStack::draw(params, knobs, pace, random, transaction);
        }
    }

    #[test]
    fn illegal_stimulus_is_told() {
        let model = model("lru_stack", "2x2");
        let params = typed::<Wild>(&model).unwrap().params().clone();
        let cycles = FromReset::<Wild>::new(&params, &[], Mix::default(), 1);
        let mut cycles = Cycles {
            params,
            cycles,
            cycle: 0,
        };
        let text = cycles
            .next(&model, &mut model.input_row())
            .unwrap_err()
            .to_string();
        assert!(
            text.starts_with("wild: cycle 0: the stimulus is illegal: "),
            "{text}"
        );
    }
}
