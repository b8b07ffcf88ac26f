//! The file and its journal, as one rank has them open.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use rustix::fs::{FlockOperation, fdatasync, flock};
use sha2::{Digest, Sha256};
use td_kernel::__private::{checksum, npy_bytes};
use td_kernel::{Band, NpyValue};

use super::files::Files;
use crate::journal::{Done, Journal};
use crate::{Cluster, Error, Result, Shape};

/// Where values go.
pub(super) struct Place<'f> {
    pub(super) files: &'f Files,
    pub(super) shape: Shape,
    /// The bytes before the values.
    pub(super) header: usize,
    /// The bytes of the whole file.
    pub(super) length: u64,
    /// The number of this start of the job.
    pub(super) begun: u64,
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
        job: &str,
        records: usize,
        cluster: &Cluster,
    ) -> Result<BandFile<'f>> {
        let Files { part, journal, .. } = place.files;
        let ranks = [cluster.rank(), cluster.size()];
        // First, since what is beside it is then rank 0's too.
        let journal = Journal::open(journal, job, place.begun, records, ranks)?;
        let is_not_there = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        let file = match File::options().write(true).open(part) {
            Err(error) if is_not_there(&error) => {
                return Err(Error::OtherFolder { path: part.clone() });
            }
            opened => opened.map_err(Error::file("open", part))?,
        };
        if file.metadata().map_err(Error::file("read", part))?.len() != place.length {
            return Err(Error::OtherFolder { path: part.clone() });
        }
        // As long as any rank has it, another job waits.
        let _ = flock(&file, FlockOperation::NonBlockingLockShared);
        Ok(BandFile { place, file, journal })
    }

    /// Has the band's values on the disk, and then says so.
    pub(super) fn write<T: NpyValue>(&mut self, band: &Band<'_, T>) -> Result<()> {
        let Place { files, shape, header, .. } = self.place;
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
        let bytes = npy_bytes(band.values);
        let write = || {
            self.file.write_all_at(bytes, start)?;
            fdatasync(&self.file)?;
            Ok(())
        };
        write().map_err(Error::file("write", &files.part))?;
        let of_bytes = checksum(Sha256::new_with_prefix(bytes));
        self.journal.note(&Done { rows: band.rows.clone(), of_bytes })
    }
}
