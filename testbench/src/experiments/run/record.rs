//! The accesses of a run as a trace.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use cotenant_golden::gpu::Reached;
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::workload::trace::Writer;
use cotenant_golden::workload::Access;

use crate::whole::{Error, File, Result};

/// A trace being written beside its place. Dropped before [`finish`](Record::finish), it is gone.
#[derive(Debug)]
pub struct Record {
    place: PathBuf,
    writer: Writer<BufWriter<File>>,
}

impl Record {
    /// Starts one that will be at `place`, of the accesses to this cache.
    pub fn new(place: &Path, cache: &Geometry) -> Result<Self> {
        let file = BufWriter::with_capacity(1 << 16, File::new(place)?);
        Ok(Self {
            place: place.into(),
            writer: Writer::new(file, cache).map_err(Error::io("write", place))?,
        })
    }

    /// An access, with its cycle.
    pub fn access(&mut self, reached: &Reached<'_>) -> Result<()> {
        let access = Access {
            cycle: Some(reached.cycle),
            ..*reached.access
        };
        let written = self.writer.write(&access);
        written.map_err(|source| Error::io("write", &self.place)(source))
    }

    /// Puts it in its place.
    pub fn finish(self) -> Result<()> {
        let buffered = self.writer.finish();
        let file = buffered.and_then(|file| file.into_inner().map_err(|error| error.into_error()));
        file.map_err(Error::io("write", self.place))?.finish()
    }
}
