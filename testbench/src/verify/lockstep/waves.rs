//! Which waveforms a lockstep run writes, and when.

use std::path::{Path, PathBuf};

use super::wave::{develop, Camera, Captions, Seen};
use super::{Bench, Lockstep, Mismatch};
use crate::error::Result;
use crate::verify::interface::Interface;
use crate::verify::waves::{Request, Span, BEFORE};

/// What is asked for.
#[derive(Debug, Default)]
pub(super) struct Waves {
    /// Of a mismatch.
    mismatch: Option<(Request, u64)>,
    /// Of the last cycles.
    last: Option<(Request, u64)>,
    /// Of a window.
    camera: Option<Box<Camera>>,
    /// The first mismatch.
    pub seen: Option<Seen>,
}

impl Waves {
    /// Whether any are to be written.
    pub fn any(&self) -> bool {
        self.mismatch.is_some() || self.last.is_some() || self.camera.is_some()
    }

    /// Whether a cycle is shown as it runs.
    #[inline]
    pub fn shows(&self, cycle: u64) -> bool {
        self.camera
            .as_ref()
            .is_some_and(|camera| camera.wants(cycle))
    }
}

impl<U: Interface> Lockstep<U> {
    /// Where to write a waveform of the cycles around a mismatch; nowhere unless set.
    #[must_use]
    pub fn wave(mut self, path: impl Into<PathBuf>) -> Self {
        self.bench.waves.mismatch = Some((Request::on_mismatch(path), BEFORE));
        self
    }

    /// A waveform to write. That of a mismatch is written when there is one, those of a window and
    /// of the last cycles by [`finish_waves`](Lockstep::finish_waves).
    ///
    /// # Errors
    /// [`Error::Wave`](crate::Error::Wave) for signals that do not exist or a file that cannot be
    /// written, [`Error::Reach`](crate::Error::Reach) for more cycles than the memory has room for.
    pub fn waves(mut self, request: Request) -> Result<Self> {
        self.bench.add_waves(request)?;
        Ok(self)
    }

    /// Writes the waves of a window or of the last cycles, if they were asked for; after the last
    /// run; the path of the latter, if both were. `reason`: why it was cut short, if it was. What
    /// is written is not written again.
    ///
    /// # Errors
    /// [`Error::Wave`](crate::Error::Wave).
    pub fn finish_waves(&mut self, reason: Option<&str>) -> Result<Option<PathBuf>> {
        self.bench.finish_waves(reason)
    }
}

impl Bench {
    pub(super) fn add_waves(&mut self, request: Request) -> Result<()> {
        let reach = match request.span {
            Span::Window(_) => {
                let camera = Camera::new(&self.set, &self.dut, &request, &[], None)?;
                self.waves.camera = Some(Box::new(camera));
                return Ok(());
            }
            Span::Last(cycles) => cycles,
            Span::Mismatch { before } => before,
        };
        Camera::check(&self.set, &self.dut, &request)?;
        let state = self.record.row(self.cycle).state.to_vec();
        self.record = self.record.reaching(reach)?;
        self.record.state_mut(self.cycle).copy_from_slice(&state);
        match request.span {
            Span::Last(_) => self.waves.last = Some((request, reach)),
            _ => self.waves.mismatch = Some((request, reach)),
        }
        Ok(())
    }

    fn finish_waves(&mut self, reason: Option<&str>) -> Result<Option<PathBuf>> {
        let seen = self.waves.seen.clone();
        let mut written = None;
        if let Some(mut camera) = self.waves.camera.take() {
            if let Some(seen) = &seen {
                camera.mark(seen);
                camera.note(seen);
            }
            written = camera.finish(reason)?;
        }
        if let Some((request, reach)) = self.waves.last.take() {
            // The cycles that follow a mismatch are extra.
            let end = seen.as_ref().map_or(self.cycle, |seen| seen.cycle);
            written = self.develop(&request, end.saturating_sub(reach), reason)?;
        }
        Ok(written)
    }

    /// Writes the waves of a mismatch.
    pub(super) fn write_mismatch(&mut self, cycle: u64) -> Result<Option<PathBuf>> {
        let Some((request, before)) = self.waves.mismatch.clone() else {
            return Ok(None);
        };
        self.develop(&request, cycle.saturating_sub(before), None)
    }

    fn develop(
        &self,
        request: &Request,
        first: u64,
        reason: Option<&str>,
    ) -> Result<Option<PathBuf>> {
        let seen = self.waves.seen.as_ref();
        let comments: Vec<String> = seen.iter().map(|seen| seen.text.clone()).collect();
        develop(
            (&self.set, &self.dut),
            &self.record,
            request,
            (first, self.cycle),
            seen,
            (&comments, reason),
            None,
        )
    }

    /// Writes a waveform of all cycles, of a run of up to [`RECORDED`](super::RECORDED), with the
    /// first mismatch marked and a text for each cycle.
    pub(crate) fn write_recorded(
        &self,
        path: &Path,
        mismatch: Option<&Mismatch>,
        comments: &[String],
        captions: Captions,
    ) -> Result<Option<PathBuf>> {
        let seen = mismatch.map(|mismatch| Seen {
            cycle: mismatch.cycle,
            field: mismatch.field.clone(),
            text: String::new(),
        });
        develop(
            (&self.set, &self.dut),
            &self.record,
            &Request::new(path, Span::Last(self.cycle)),
            (0, self.cycle),
            seen.as_ref(),
            (comments, None),
            Some(captions),
        )
    }

    /// Both sides have been put into another state.
    pub(super) fn waves_after_load(&mut self) {
        if let Some(camera) = &mut self.waves.camera {
            camera.lose();
        }
        self.record
            .restart_at(self.cycle, self.waves.any().then(|| self.dut.sim()));
    }

    /// Puts the camera to where the netlist is, at the start of a cycle.
    #[cold]
    pub(super) fn place(&mut self) -> Result<()> {
        match &mut self.waves.camera {
            Some(camera) if camera.lost(self.cycle) => {
                camera.place(self.cycle, &self.dut.sim().save())
            }
            _ => Ok(()),
        }
    }

    /// Shows a cycle that has run.
    #[cold]
    pub(super) fn show(&mut self, cycle: u64) -> Result<()> {
        match &mut self.waves.camera {
            Some(camera) => camera.show(cycle, &self.record.row(cycle), false),
            None => Ok(()),
        }
    }
}
