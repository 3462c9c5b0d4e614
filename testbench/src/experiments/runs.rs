//! An experiment as a list of independent runs: kept in a journal as they come, which processes may
//! share, and put in the order of the list at the end, so that the same runs are the same bytes.
//!
//! The journal's first line is the manifest: experiment, seed, settings, the number of runs, and a
//! hash over settings and list, which is what decides the results. A journal, or a record, which is a
//! journal that is kept, of another manifest is refused.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::Duration;

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Error, Setting};
use crate::whole::{Claim, Journal};

/// Between two looks at what another process is at.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is kept of a run: a line of the journal.
pub(super) trait Kept: Serialize + DeserializeOwned + Clone + Send {
    /// What its run is called, as no other run is.
    fn run(&self) -> String;
}

/// Which runs of a list are done here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// From 1 on. 0 is none of the runs.
    pub number: usize,
    /// The number of parts: the first has every run of so many, from the first one on.
    pub of: usize,
}

impl Part {
    /// All.
    pub const WHOLE: Self = Self { number: 1, of: 1 };
    /// Only what is known is reported.
    pub const NONE: Self = Self { number: 0, of: 1 };

    fn has(self, at: usize) -> bool {
        at % self.of + 1 == self.number
    }
}

/// Which runs of a list are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Those of the setting's part.
    OfThePart,
    /// Those that others need: of all parts, and those that another process is at are waited for.
    Needed,
}

/// How far a list of runs is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing {
    /// Runs in the list.
    pub runs: usize,
    /// Those of which the results are in.
    pub done: usize,
    /// Those of them that were done here and now.
    pub here: usize,
    /// Those that another process is at.
    pub elsewhere: usize,
}

impl std::ops::AddAssign for Standing {
    fn add_assign(&mut self, of: Self) {
        self.runs += of.runs;
        self.done += of.done;
        self.here += of.here;
        self.elsewhere += of.elsewhere;
    }
}

/// What the lines of a journal are about.
#[derive(Debug, Serialize)]
pub(super) struct Subject<S> {
    experiment: &'static str,
    version: &'static str,
    seed: u64,
    /// What else decides the results.
    #[serde(flatten)]
    parameters: S,
}

impl<S> Subject<S> {
    /// Runs of an experiment by this version.
    pub fn new(experiment: &'static str, seed: u64, parameters: S) -> Self {
        Self {
            experiment,
            version: env!("CARGO_PKG_VERSION"),
            seed,
            parameters,
        }
    }
}

#[derive(Serialize)]
struct Manifest<'a, S> {
    #[serde(flatten)]
    subject: &'a Subject<S>,
    runs: usize,
    /// SHA-256 over the subject and the list.
    decides: String,
}

/// Runs that are done, and where others are added.
pub(super) struct Runs<'a, L> {
    setting: &'a Setting<'a>,
    all: Mutex<All<L>>,
}

struct All<L> {
    journal: Option<Journal>,
    /// By run, with the line as it is written: numbers in JSON are read to within their last bit.
    known: HashMap<String, (String, L)>,
    /// Each run's place.
    order: HashMap<String, usize>,
}

impl<'a, L: Kept> Runs<'a, L> {
    /// Those that the setting's journal and record have. `list` is all that decides the results beside
    /// the subject.
    ///
    /// # Errors
    /// [`Error::Journal`], also for those of another manifest.
    pub fn open(
        setting: &'a Setting<'a>,
        subject: &Subject<impl Serialize>,
        list: &[impl Serialize],
    ) -> Result<Self, Error> {
        let digest = Sha256::digest(json(&(subject, list)));
        let manifest = json(&Manifest {
            subject,
            runs: list.len(),
            decides: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        });
        let record = setting.from.map(|path| Journal::read(path, &manifest));
        let record = record.transpose()?.unwrap_or_default();
        let opened = setting.journal.map(|path| Journal::open(path, &manifest));
        let (journal, lines) = opened.transpose()?.unzip();
        let mut all = All {
            journal,
            known: HashMap::new(),
            order: HashMap::new(),
        };
        all.know(lines.unwrap_or_default());
        for line in record {
            if let Ok(read) = serde_json::from_str::<L>(&line) {
                if !all.has(&read.run())? {
                    all.add(line)?;
                }
            }
        }
        Ok(Self {
            setting,
            all: Mutex::new(all),
        })
    }

    /// What is kept of each of these runs, in their order; those that are asked for and not known are
    /// done on all cores, each in so many steps. None of those that were stopped, that are of another
    /// part, or that another process is at.
    ///
    /// # Errors
    /// Those of `run`, and [`Error::Journal`].
    pub fn all<T: Sync>(
        &self,
        asked: Asked,
        runs: &[T],
        name: impl Fn(&T) -> String,
        steps: impl Fn(&T) -> u64 + Sync,
        run: impl Fn(&T) -> Result<Option<L>, Error> + Sync + Send,
    ) -> Result<Vec<Option<L>>, Error> {
        let names = self.named(runs, name);
        let part = match (asked, self.setting.part) {
            (Asked::Needed, Part { number: 1.., .. }) => Part::WHOLE,
            (_, part) => part,
        };
        let [mut here, mut elsewhere] = self.pass(runs, &names, part, &steps, &run)?;
        while asked == Asked::Needed && elsewhere > 0 && self.setting.watch.advance(0) {
            std::thread::sleep(PATIENCE);
            let now;
            // It is in by now, or its process has ended without it.
            [now, elsewhere] = self.pass(runs, &names, part, &|_| 0, &run)?;
            here += now;
        }
        self.ended(&names, here, elsewhere)
    }

    /// All that is known, also of runs that were not asked for.
    pub fn known(&self) -> Vec<L> {
        self.with(|all| all.known.values().map(|(_, kept)| kept.clone()).collect())
    }

    /// The names of runs, which come next in order.
    fn named<T>(&self, runs: &[T], name: impl Fn(&T) -> String) -> Vec<String> {
        let names: Vec<String> = runs.iter().map(name).collect();
        self.with(|all| {
            let first = all.order.len();
            for (at, name) in names.iter().enumerate() {
                all.order.entry(name.clone()).or_insert(first + at);
            }
        });
        names
    }

    /// Does those of a part that nobody has done or is at; how many those were, and how many others are at.
    fn pass<T: Sync>(
        &self,
        runs: &[T],
        names: &[String],
        part: Part,
        steps: &(impl Fn(&T) -> u64 + Sync),
        run: &(impl Fn(&T) -> Result<Option<L>, Error> + Sync + Send),
    ) -> Result<[usize; 2], Error> {
        let watch = self.setting.watch;
        let open: Vec<usize> = self.with(|all| {
            all.hear()?;
            let of_part = (0..runs.len()).filter(|&at| part.has(at));
            let open = of_part.filter(|&at| !all.known.contains_key(&names[at]));
            Ok::<_, Error>(open.collect())
        })?;
        watch.expect(open.iter().map(|&at| steps(&runs[at])).sum());
        let (here, elsewhere) = (AtomicUsize::new(0), AtomicUsize::new(0));
        open.par_iter().try_for_each(|&at| {
            if !watch.advance(0) {
                return Ok(());
            }
            let Some(claim) = self.with(|all| all.claim(&names[at]))? else {
                elsewhere.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            };
            // Who had the claim before may have done it.
            if self.with(|all| all.has(&names[at]))? {
                watch.advance(steps(&runs[at]));
            } else if let Some(kept) = run(&runs[at])? {
                self.with(|all| all.add(json(&kept)))?;
                here.fetch_add(1, Ordering::Relaxed);
            } else {
                return Ok(());
            }
            claim.into_iter().for_each(Claim::done);
            Ok::<(), Error>(())
        })?;
        Ok([here.into_inner(), elsewhere.into_inner()])
    }

    /// What is known of runs.
    fn ended(
        &self,
        names: &[String],
        here: usize,
        elsewhere: usize,
    ) -> Result<Vec<Option<L>>, Error> {
        let kept: Vec<Option<L>> = self.with(|all| {
            all.in_order()?;
            let known = names.iter().map(|name| all.known.get(name));
            Ok::<_, Error>(known.map(|known| Some(known?.1.clone())).collect())
        })?;
        self.setting.watch.stands(Standing {
            runs: names.len(),
            done: kept.iter().flatten().count(),
            here,
            elsewhere,
        });
        Ok(kept)
    }

    fn with<R>(&self, work: impl FnOnce(&mut All<L>) -> R) -> R {
        work(&mut self.all.lock().expect("nobody fails while adding"))
    }
}

impl<L: Kept> All<L> {
    /// The first line of a run counts. Those that are of another form are done again.
    fn know(&mut self, lines: Vec<String>) {
        for line in lines {
            if let Ok(read) = serde_json::from_str::<L>(&line) {
                self.known.entry(read.run()).or_insert((line, read));
            }
        }
    }

    /// What other processes have added.
    fn hear(&mut self) -> Result<(), Error> {
        let news = self.journal.as_mut().map(Journal::news).transpose()?;
        self.know(news.unwrap_or_default());
        Ok(())
    }

    /// Whether a run is known by now.
    fn has(&mut self, run: &str) -> Result<bool, Error> {
        self.hear()?;
        Ok(self.known.contains_key(run))
    }

    fn add(&mut self, line: String) -> Result<(), Error> {
        let news = self.journal.as_mut().map(|journal| journal.add(&line));
        self.know(news.transpose()?.unwrap_or_default());
        self.know(vec![line]);
        Ok(())
    }

    /// A claim where there is a journal; none if another process has it.
    fn claim(&self, run: &str) -> Result<Option<Option<Claim>>, Error> {
        Ok(match &self.journal {
            Some(journal) => journal.claim(run)?.map(Some),
            None => Some(None),
        })
    }

    /// Puts the journal in the order of the runs. Those that were not asked for yet come last.
    fn in_order(&mut self) -> Result<(), Error> {
        let Some(mut journal) = self.journal.take() else {
            return Ok(());
        };
        journal.replace(|news| {
            self.know(news);
            let known = self.known.iter();
            let mut lines: Vec<(usize, &String)> = known
                .map(|(run, (line, _))| (*self.order.get(run).unwrap_or(&usize::MAX), line))
                .collect();
            lines.sort();
            lines.into_iter().map(|(_, line)| line.clone()).collect()
        })?;
        self.journal = Some(journal);
        Ok(())
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and strings")
}
