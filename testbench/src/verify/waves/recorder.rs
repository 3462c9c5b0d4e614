//! Records a waveform to its file, or keeps the last cycles in memory until they are requested.

use std::path::PathBuf;

use cotenant_waveforms::{
    viewer, Error, Fill, Layout, Options, Result, Ring, Sample, Scope, WaveFile,
};

use super::{Request, Span};

/// Cycles kept that follow a mismatch, at most.
pub(crate) const AFTER: u64 = 8;

/// Most bytes of cycles kept in memory.
const LIMIT: usize = 1 << 30;

/// A wave that grows with the run.
#[derive(Debug)]
pub(crate) struct Recorder {
    request: Request,
    layout: Layout,
    options: Options,
    target: Target,
    marked: Option<u64>,
    first: Vec<String>,
    note: Option<String>,
}

#[derive(Debug)]
enum Target {
    File(Box<(WaveFile, Sample)>),
    Ring(Ring),
}

impl Recorder {
    /// Starts one; of a window the file is created now.
    ///
    /// # Errors
    /// A wrong hierarchy, a pattern that matches nothing, a file that cannot be written, too many
    /// cycles for the memory.
    pub fn new(request: &Request, top: Scope, options: Options) -> Result<Self> {
        let layout = request.layout(top)?;
        let ring = |cycles: u64| {
            let cycles = usize::try_from(cycles).unwrap_or(usize::MAX);
            let words = layout.words();
            if cycles.saturating_mul(words + 1) > LIMIT / size_of::<u64>() {
                return Err(Error::Memory { cycles, words });
            }
            Ring::new(&layout, cycles).map(Target::Ring)
        };
        let target = match request.span {
            Span::Window(_) => {
                create_folder(request)?;
                let file = WaveFile::create(&request.path, &layout, &options)?;
                Target::File(Box::new((file, Sample::new(&layout))))
            }
            Span::Last(cycles) => ring(cycles)?,
            Span::Mismatch { before } => ring(before.saturating_add(1 + AFTER))?,
        };
        Ok(Self {
            request: request.clone(),
            layout,
            options,
            target,
            marked: None,
            first: Vec::new(),
            note: None,
        })
    }

    /// Whether a cycle is to be recorded; observing others can be spared.
    pub fn wants(&self, cycle: u64) -> bool {
        match &self.target {
            Target::File(file) => file.0.wants(cycle),
            Target::Ring(_) => true,
        }
    }

    /// The last cycle recorded.
    #[cfg(feature = "cli")] // Replays alone ask.
    pub fn last_cycle(&self) -> Option<u64> {
        match &self.target {
            Target::File(file) => file.0.last_cycle(),
            Target::Ring(ring) => ring.last_cycle(),
        }
    }

    /// Records a cycle, if it is wanted.
    ///
    /// # Errors
    /// [`Error::Io`]; a cycle that is not behind the last.
    pub fn record(&mut self, cycle: u64, values: impl FnOnce(&mut Fill<'_>)) -> Result<()> {
        match &mut self.target {
            Target::File(both) => {
                let (file, sample) = &mut **both;
                if !file.wants(cycle) {
                    return Ok(());
                }
                sample.fill(values)?;
                file.sample(cycle, sample)
            }
            Target::Ring(ring) => ring.push_with(cycle, values),
        }
    }

    /// A mismatch: its cycle, and the paths of the signals that show it.
    pub fn mark(&mut self, cycle: u64, paths: impl IntoIterator<Item = String>) {
        self.marked = Some(cycle);
        let found = paths.into_iter().filter_map(|path| {
            let id = self.layout.find(&path).ok()?;
            self.layout.path(id).map(str::to_owned)
        });
        self.first = found.collect();
    }

    /// Says something of the wave that was not known when it began; once.
    pub fn note(&mut self, text: impl Into<String>) {
        self.note = Some(text.into());
    }

    /// Writes what is to be written, and the viewers' files. `None` if a mismatch was waited for
    /// and none came. `reason`: why the run was cut short, if it was.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(mut self, reason: Option<&str>) -> Result<Option<PathBuf>> {
        if matches!(self.request.span, Span::Mismatch { .. }) && self.marked.is_none() {
            return Ok(None);
        }
        let said = [self.note.as_deref(), reason].into_iter().flatten();
        let said = said.collect::<Vec<_>>().join("; ");
        // The header of a file is there already.
        self.options
            .comments
            .extend((!said.is_empty()).then(|| said.clone()));
        let (path, cycles) = match self.target {
            Target::File(both) => {
                let (file, _) = *both;
                let cycles = file.cycles();
                let path = match said.is_empty() {
                    false => file.finish_readable(&said)?,
                    true => file.finish()?,
                };
                (path, cycles)
            }
            Target::Ring(ring) => {
                create_folder(&self.request)?;
                let path = ring.write(&self.request.path, &self.options)?;
                (path, ring.cycles())
            }
        };
        let cycles = cycles.unwrap_or_default();
        let mut view = viewer::View::new(&self.options, cycles.clone()).first(self.first);
        view.marked = self.marked.filter(|cycle| cycles.contains(cycle));
        viewer::write_beside(&path, &self.layout, &view)?;
        Ok(Some(path))
    }
}

fn create_folder(request: &Request) -> Result<()> {
    let Some(folder) = request.path.parent() else {
        return Ok(());
    };
    std::fs::create_dir_all(folder).map_err(|source| Error::Io {
        action: "create",
        path: folder.into(),
        source,
    })
}
