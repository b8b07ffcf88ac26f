//! The file and its journal, as one rank has them open.

use std::fs::File;
use std::os::unix::fs::FileExt;

use rustix::fs::{FlockOperation, fdatasync, flock};
use td_kernel::{Band, NpyValue};

use super::files::Files;
use crate::journal::Journal;
use crate::npy::bytes;
use crate::{Cluster, Error, Result, Shape};

/// Where values go.
pub(super) struct Place<'f> {
    pub(super) files: &'f Files,
    pub(super) shape: Shape,
    /// The bytes before the values.
    pub(super) header: usize,
}

/// The file and its journal, as one rank has them open.
pub(super) struct BandFile<'f> {
    place: &'f Place<'f>,
    file: File,
    journal: Journal,
}

impl<'f> BandFile<'f> {
    pub(super) fn open(
        place: &'f Place<'f>,
        lock: Option<File>,
        job: &str,
        records: usize,
        cluster: &Cluster,
    ) -> Result<BandFile<'f>> {
        let part = &place.files.part;
        let open = || File::options().write(true).open(part).map_err(Error::file("open", part));
        let file = lock.map_or_else(open, Ok)?;
        // As long as any rank has it, another job waits.
        let _ = flock(&file, FlockOperation::NonBlockingLockShared);
        let journal =
            Journal::open(&place.files.journal, job, records, [cluster.rank(), cluster.size()])?;
        Ok(BandFile { place, file, journal })
    }

    /// Has the band's values on the disk, and then says so.
    pub(super) fn write<T: NpyValue>(&mut self, band: &Band<'_, T>) -> Result<()> {
        let Place { files, shape, header } = self.place;
        if band.start != shape.start(band.rows.start)
            || band.values.len() != shape.values(&band.rows)
        {
            let found = format!(
                "rows {:?} begin with value {}, and have {}",
                band.rows,
                band.start,
                band.values.len()
            );
            return Err(Error::WrongBands { expected: shape.to_string(), found });
        }
        let start = (header + band.start * size_of::<T>()) as u64;
        let write = || {
            self.file.write_all_at(bytes(band.values), start)?;
            fdatasync(&self.file)?;
            Ok(())
        };
        write().map_err(Error::file("write", &files.part))?;
        self.journal.note(&band.rows)
    }
}
