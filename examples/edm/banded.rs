//! Distances that are never in memory as a whole: band by band into a file, in any layout.

use std::fs;
use std::path::{Path, PathBuf};

use td_kernel::{Bands, Device};
use td_kernel_examples::progress::Share;
use td_kernel_examples::text::shown;
use td_kernel_examples::{Extremes, ExtremesOfBands, Frame, Layout, NewFile, Points, Result};

use crate::kernels::{
    edm_1, edm_1_square, edm_2, edm_2_square, edm_3, edm_3_square, edm_4, edm_4_square,
};

/// What becomes of the bands.
#[derive(Clone, Copy)]
pub(crate) struct Way<'a> {
    pub(crate) layout: Layout,
    /// The bytes of bands in memory.
    pub(crate) limit: Option<usize>,
    pub(crate) output: Option<&'a NewFile>,
    /// Whether to go on with a file that an earlier process has begun.
    pub(crate) resume: bool,
}

/// The names of the part of a file that `resume_npy` has begun, and of its journal.
fn begun(path: &Path) -> [PathBuf; 2] {
    [".part", ".part.journal"].map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        name.into()
    })
}

/// Whether a journal of noted bands is beside this file, and no part of it: an earlier run may have been killed after it gave the
/// file its name. `resume_npy` then compares the two, and does not replace the file.
pub(crate) fn has_journal_only(path: &Path) -> bool {
    let [part, journal] = begun(&path.canonicalize().unwrap_or_else(|_| path.into()));
    let notes = fs::read_to_string(journal).unwrap_or_default();
    !part.exists() && notes.contains("\nrows before ")
}

/// Warns where an earlier run has left a part of this file, which this one does not go on with.
pub(crate) fn tell_of_part(file: &NewFile) {
    let [part, journal] = begun(file.target());
    if journal.exists() {
        tracing::warn!(
            "{} is what a run with --resume has left that was cut: with --resume it is gone on with; this run computes all \
             distances anew, and leaves it",
            shown(&part)
        );
    }
}

/// The extremes of the distances of all pairs, which go to a file. Among pairs that are equally near or far, one is taken.
pub(crate) fn extremes(device: &Device, points: &Points, way: Way<'_>) -> Result<Option<Extremes>> {
    // The condensed form is that of the elements from the last to the first, back to front.
    let frame = Frame::of(&[&points.values], points.features)?;
    let (mut values, unit) = (frame.singles(&points.values)?, frame.unit());
    if way.layout == Layout::Condensed {
        values.reverse();
        values.chunks_exact_mut(points.features.max(1)).for_each(<[f32]>::reverse);
    }
    let is_square = way.layout == Layout::Square;
    let stream = |bands: Bands<'_, f32>| way.stream(bands, points);
    match points.features {
        1 => {
            let p = device.upload(&values)?;
            stream(match is_square {
                true => edm_1_square::load(device)?.bands(&p, &p, unit)?,
                false => edm_1::load(device)?.bands(&p, unit)?,
            })
        }
        2 => {
            let p = device.upload(values.as_chunks::<2>().0)?;
            stream(match is_square {
                true => edm_2_square::load(device)?.bands(&p, &p, unit)?,
                false => edm_2::load(device)?.bands(&p, unit)?,
            })
        }
        3 => {
            let p = device.upload(values.as_chunks::<3>().0)?;
            stream(match is_square {
                true => edm_3_square::load(device)?.bands(&p, &p, unit)?,
                false => edm_3::load(device)?.bands(&p, unit)?,
            })
        }
        _ => {
            let p = device.upload(values.as_chunks::<4>().0)?;
            stream(match is_square {
                true => edm_4_square::load(device)?.bands(&p, &p, unit)?,
                false => edm_4::load(device)?.bands(&p, unit)?,
            })
        }
    }
}

impl Way<'_> {
    /// Takes each band to the file, and into the extremes.
    fn stream(self, bands: Bands<'_, f32>, points: &Points) -> Result<Option<Extremes>> {
        let mut extremes = ExtremesOfBands::default();
        let mut share = Share::new("computing distances in bands");
        let bands = match self.limit {
            Some(bytes) => bands.memory(bytes).host_memory(bytes),
            None => bands,
        };
        let bands = bands.progress(|done| share.reached(done.values as u64, done.of as u64));
        let bands = bands.inspect(|band| {
            match self.layout {
                // Each pair once.
                Layout::Square => band.each_row().for_each(|(i, row)| extremes.add(&row[..i])),
                Layout::Packed | Layout::Condensed => extremes.add(band.values),
            }
            Ok(())
        });
        let bands = if self.layout == Layout::Condensed { bands.condensed() } else { bands };
        match (self.output, self.resume) {
            (Some(file), true) => {
                // The points, from which all follows.
                let work: Vec<u8> = points.values.iter().flat_map(|x| x.to_le_bytes()).collect();
                bands.resume_npy(file.target(), work)?;
            }
            (Some(file), false) => file.write(|writer| {
                bands.write_npy_to(writer.get_ref()).map_err(|error| match error.into_inner() {
                    // About the file.
                    Ok(reason) => reason,
                    // About the work.
                    Err(error) => td_kernel_examples::Error::from(error).into(),
                })
            })?,
            (None, _) => bands.each(|_| Ok(()))?,
        }
        let found = extremes.finish(points.len());
        Ok(match self.layout {
            Layout::Condensed => found.map(|found| found.of_reversed(points.len())),
            Layout::Packed | Layout::Square => found,
        })
    }
}
