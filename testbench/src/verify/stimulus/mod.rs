//! Stimulus: the inputs of a unit, cycle by cycle, always within its assumptions.
//!
//! A *transaction* says what a user wants to happen in a cycle: a hit on the n-th valid line by a
//! kernel, a miss, an invalidation, a snapshot, a reset. It is resolved to the input ports against
//! the golden model's state, so that any transaction gives legal inputs. A [`Profile`] says how
//! transactions are drawn; a [`Mix`] alternates profiles.
//!
//! Some units are answered by what they do: a memory instruction that is granted makes requests,
//! and these make responses. What answers such a unit is its [`World`](Drive::World), a behavioural
//! model that is kept beside the golden one and that resolving a transaction moves on by a cycle; a
//! transaction then says what the world may do, not what it does. Of most units it is `()`.
//!
//! Transactions come from a [`stream`], seeded and fast, for millions of cycles; [`strategy()`]
//! makes runs of them for property-based tests that shrink a failure to a few transactions.
//!
//! # Testing an implementation of one's own
//!
//! The design under test need not be Rust. It needs a function that takes a cycle's inputs and
//! gives its outputs: a foreign function, a simulator behind a pipe. Here a faulty stack stands
//! for it, in which a hit does not make the accessor the owner:
//!
//! ```
//! use cotenant::verify::stimulus::{Drive, Profile, strategy};
//! use cotenant::unit::llc::LruStack;
//! use cotenant::verify::interface::Interface;
//! use cotenant_golden::llc::lru_stack::{self, In, Params};
//! use cotenant_golden::Model;
//! use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
//!
//! let params = Params { ways: 4, kernels: 2 };
//! let mut runner = TestRunner::new(Config {
//!     rng_seed: RngSeed::Fixed(1), // Without it, another one in every run.
//!     failure_persistence: None, // A test of your own keeps its failures in a file.
//!     ..Config::default()
//! });
//! let found = runner.run(&strategy::<LruStack>(&params, Profile::Uniform, 1..100), |run| {
//!     let mut golden = lru_stack::LruStack::new(params.clone()).unwrap();
//!     let mut own = golden.clone(); // Reset your design here.
//!     let mut world = LruStack::world(&params);
//!     let mut input = LruStack::idle(&params);
//!     for transaction in &run {
//!         LruStack::resolve(&params, &golden, &mut world, transaction, &mut input);
//!         // Drive your design with `input` here.
//!         let owner = match own.state().way.iter().position(|&way| way == input.access_way) {
//!             Some(position) if input.access_hit => own.state().owner[position],
//!             _ => input.access_kid,
//!         };
//!         let out = own.step(&In { access_kid: owner, ..input.clone() });
//!         if out != golden.step(&input) {
//!             return Err(TestCaseError::fail("outputs differ"));
//!         }
//!     }
//!     Ok(())
//! });
//! let Err(TestError::Fail(_, smallest)) = found else { panic!("the fault was not found") };
//! // At least a fill, a hit by the other kernel, and a cycle to see it.
//! assert!((3..8).contains(&smallest.len()), "{smallest:?}");
//! ```
//!
//! The same with the fast stream, which is an iterator, too:
//!
//! ```
//! use cotenant::verify::stimulus::{Drive, Mix, stream};
//! use cotenant::unit::llc::Popcnt;
//! use cotenant_golden::llc::popcnt::{self, Params};
//! use cotenant_golden::Model;
//!
//! let params = Params { width: 16 };
//! let mut golden = popcnt::Popcnt::new(params.clone())?;
//! let mut world = Popcnt::world(&params);
//! let mut input = Popcnt::idle(&params);
//! for transaction in stream::<Popcnt>(&params, Mix::default(), 0x9e37).take(1000) {
//!     Popcnt::resolve(&params, &golden, &mut world, &transaction, &mut input);
//!     // Drive your design with `input`, compare its outputs with these.
//!     let out = golden.step(&input);
//!     assert_eq!(out.count, input.data.count_ones());
//! }
//! # Ok::<(), cotenant_golden::ParamError>(())
//! ```

mod episode;
mod pace;
mod profile;
mod random;
mod run;
mod segment;
#[cfg(feature = "lockstep")]
mod sets;
mod source;
#[cfg(feature = "proptest")]
mod strategy;
pub(crate) mod values;

use cotenant_golden::model::Plain;

use crate::verify::interface::{InOf, Interface, ParamsOf};

pub use episode::{episodes, Episode};
pub use pace::Pace;
pub use profile::{Fill, Kernels, Knobs, Mix, Odds, Profile};
pub use random::Random;
pub use run::{FromReset, Run};
pub use segment::{Pause, Segment};
#[cfg(feature = "lockstep")]
pub use sets::{random_set, random_sets, LARGEST};
pub use source::{stream, Inputs, Source, Stream, Transactions};
#[cfg(feature = "proptest")]
pub use strategy::strategy;

/// How a unit is driven: its transactions, and how they are drawn and resolved.
pub trait Drive: Interface {
    /// What happens in a cycle. Any value is legal.
    type Transaction: Plain + Default;
    /// What answers the unit, where what it does decides what comes next; `()` of most units.
    ///
    /// It has a state of its own, which [`resolve`](Drive::resolve) moves on by a cycle.
    type World: Clone + std::fmt::Debug + Send;
    /// The profiles that mean something to the unit.
    const PROFILES: &'static [Profile];

    /// Number of kernels of the unit; 1 unless said.
    fn kernels(_params: &ParamsOf<Self>) -> usize {
        1
    }

    /// A world in which nothing has happened, for a unit in its reset state.
    fn world(params: &ParamsOf<Self>) -> Self::World;

    /// Inputs of a cycle in which nothing happens; all 0 unless said.
    fn idle(_params: &ParamsOf<Self>) -> InOf<Self> {
        InOf::<Self>::default()
    }

    /// Inputs of a cycle in which nothing happens but what is said.
    fn cycle(params: &ParamsOf<Self>, say: impl FnOnce(&mut InOf<Self>)) -> InOf<Self> {
        let mut input = Self::idle(params);
        say(&mut input);
        input
    }

    /// A transaction in which nothing happens.
    fn nothing(_params: &ParamsOf<Self>) -> Self::Transaction {
        Self::Transaction::default()
    }

    /// The inputs that make the transaction happen, in the model's present state; the world goes
    /// through the same cycle.
    ///
    /// What cannot happen is replaced: a hit in a set without a valid line is a miss, a kernel
    /// that is not there is one that is. A transaction that resets the unit resets the world; one
    /// that finds the model in a state that the world did not lead to makes the world fit.
    fn resolve(
        params: &ParamsOf<Self>,
        model: &Self::Model,
        world: &mut Self::World,
        transaction: &Self::Transaction,
        input: &mut InOf<Self>,
    );

    /// Draws a transaction into `transaction`, whose buffers are used again.
    fn draw(
        params: &ParamsOf<Self>,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Self::Transaction,
    );

    /// The most parts of a run that start from a [`far`](Drive::far) state.
    const FAR_STARTS: u64 = 16;

    /// The fewest and the most cycles of such a part: what a unit needs to come to something.
    fn far_cycles(_params: &ParamsOf<Self>) -> (u64, u64) {
        (1, 256)
    }

    /// A golden model in a state that a run from reset takes too long to come to, if there is
    /// such a state; another one every time.
    fn far(_params: &ParamsOf<Self>, _random: &mut Random) -> Option<Self::Model> {
        None
    }
}
