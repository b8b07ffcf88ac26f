//! The values of all pairs, chunk by chunk, so that they are never all in memory.

use std::cmp::Ordering;

use indicatif::ProgressFinish;
use td_kernel::{Chunk, Chunks};

use crate::{Heatmap, Output, Result, progress_bar};

/// A value and its pair (i, j), i > j.
pub type Value = (f32, usize, usize);

/// What an example prints and draws of the values.
#[derive(Debug, Default)]
pub struct Values {
    /// The least values. Among equal values, the first pair comes first.
    pub least: Vec<Value>,
    /// The greatest values, in the same way.
    pub greatest: Vec<Value>,
    /// The number of values that are not NaN.
    pub count: usize,
    /// The number of values that are NaN.
    pub undefined: usize,
    sum: f64,
    keep: usize,
    /// The picture, if one is drawn.
    pub picture: Option<Heatmap>,
    /// The index of the last element, if elements are in reverse order.
    last: Option<usize>,
}

impl Values {
    /// Keeps this many of the least and of the greatest values of n elements, and draws all to this file.
    pub fn new(n: usize, keep: usize, is_reversed: bool, picture: Option<Output>) -> Values {
        let picture = picture.map(|file| Heatmap::new(file, n));
        let last = is_reversed.then(|| n.saturating_sub(1));
        Values { keep, picture, last, ..Values::default() }
    }

    /// The mean of all values.
    pub fn mean(&self) -> f32 {
        (self.sum / self.count as f64) as f32
    }

    /// The chunks, which are added to these values and show their progress.
    pub fn watch<'a>(&'a mut self, chunks: Chunks<'a, f32>, what: &'static str) -> Chunks<'a, f32> {
        let bar = progress_bar(what).with_finish(ProgressFinish::AndClear);
        // Not too many rows, so that progress is seen.
        let chunks = chunks.height(1024).progress(move |done| {
            bar.set_length(done.of as u64);
            bar.set_position(done.values as u64);
        });
        chunks.inspect(|chunk| {
            self.add(chunk);
            Ok(())
        })
    }

    fn add(&mut self, chunk: &Chunk<'_, f32>) {
        for (row, values) in chunk.each_row() {
            // A row of a square has more values.
            for (column, &value) in values[..row].iter().enumerate() {
                let (i, j) = self.last.map_or((row, column), |last| (last - column, last - row));
                if let Some(picture) = &mut self.picture {
                    picture.add(i, j, value);
                }
                if value.is_nan() {
                    self.undefined += 1;
                    continue;
                }
                self.count += 1;
                self.sum += f64::from(value);
                keep(&mut self.least, self.keep, (value, i, j), f32::total_cmp);
                keep(&mut self.greatest, self.keep, (value, i, j), |a, b| b.total_cmp(a));
            }
        }
    }
}

/// Inserts a value into the best ones, at most `most`.
fn keep(all: &mut Vec<Value>, most: usize, new: Value, by: impl Fn(&f32, &f32) -> Ordering) {
    let is_before = |it: &Value| by(&it.0, &new.0).then((it.1, it.2).cmp(&(new.1, new.2))).is_lt();
    if all.len() == most && all.last().is_none_or(is_before) {
        return;
    }
    all.insert(all.partition_point(is_before), new);
    all.truncate(most);
}

/// Computes the chunks, and writes them to the file, if there is one.
pub fn write_chunks(chunks: Chunks<'_, f32>, file: Option<Output>) -> Result<()> {
    let Some(file) = file else { return Ok(chunks.each(|_| Ok(()))?) };
    chunks.write_npy_to(file.file()).map_err(|error| match error.get_ref() {
        // It does not know the file's name.
        Some(reason) if reason.is::<std::io::Error>() => file.failed(error).into(),
        _ => Box::<dyn std::error::Error + Send + Sync>::from(error),
    })?;
    file.finish()
}
