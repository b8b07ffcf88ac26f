//! Chunks in progress: one is computed, the previous one is copied to the host, and the caller uses the one before that. One
//! thread drives all devices: each takes the next chunk when it has room for it, and the caller gets all chunks in order.

use std::collections::VecDeque;
use std::ops::Range;

use super::pipeline::CopyPipeline;
use super::{Callback, Chunk, ChunkProgress, Chunking, Chunks, Inspect, Launch};
use crate::host::methods::debug;
use crate::{DeviceType, Error, ErrorKind, Result};

/// Chunks that are being computed, from [`Chunks::start`](super::Chunks::start).
///
/// It lends one chunk after another, which an `Iterator` cannot: `while let Some(chunk) = chunks.next()?`. After an error every
/// further call is an error too. If it is dropped before the last chunk, it waits for the work that the device has started. The
/// kernel's other outputs, such as a sum or a list, then have the results of the chunks that had started.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// let device = Device::cpu()?;
/// let x: Vec<f32> = (0..1000).map(|at| (at % 400) as f32).collect();
/// let buffer = device.upload(&x)?;
/// // The first pair of equal numbers: no chunk after the one that has it is computed to its end.
/// let mut chunks = distance::load(&device)?.chunks(&buffer)?.height(64).start()?;
/// let mut first = None;
/// while first.is_none()
///     && let Some(chunk) = chunks.next()?
/// {
///     first = chunk.each_row().find_map(|(i, row)| {
///         row.iter().position(|distance| *distance == 0.0).map(|j| (i, j))
///     });
/// }
/// assert_eq!(first, Some((400, 0)));
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct StartedChunks<'a, T> {
    launch: Launch<'a, T>,
    chunking: Chunking,
    /// The devices, each with memory of its own.
    pipelines: Vec<CopyPipeline<T>>,
    /// The chunks that have been launched but not yet lent, in order, with the index of their pipeline.
    launched: VecDeque<(usize, Range<usize>)>,
    /// The pipeline whose chunk is lent now, and its rows.
    lent: Option<(usize, Range<usize>)>,
    pub(super) inspect: Option<Inspect<'a, T>>,
    pub(super) done: ChunkProgress,
    progress: Option<Callback<'a>>,
    /// The message of the first error.
    failure: Option<String>,
}

impl<'a, T: DeviceType> Chunks<'a, T> {
    /// Allocates the memory. The chunks then come from [`StartedChunks::next`].
    ///
    /// # Errors
    ///
    /// The arguments are wrong, as in a launch; a single row is larger than a chunk may be; there is not enough memory, or the
    /// device fails; or these are [`part_of`](crate::Devices::part_of) the devices of several processes. Nothing has been
    /// computed then.
    pub fn start(self) -> Result<StartedChunks<'a, T>> {
        let chunking = self.chunking(self.pieces()?)?;
        let Chunks { of, limits, inspect, progress, mut launch, .. } = self;
        let (devices, length) = (of.device.devices().len(), chunking.most_values());
        let [used, flight] = chunking.pipelines(devices, limits.in_flight);
        let pipelines = (0..used.min(devices))
            .map(|at| CopyPipeline::new(&of.device, at, chunking.shape, length, flight));
        let mut pipelines = pipelines.collect::<Result<Vec<_>>>()?;
        // Wrong arguments are an error here even if there are no rows.
        let first = chunking.rows.front().map_or(0, |rows| rows.start);
        if let Some(pipeline) = pipelines.first_mut() {
            pipeline.launch_nothing(&mut launch, first)?;
        }
        Ok(StartedChunks {
            launch,
            launched: VecDeque::with_capacity(2 * flight * pipelines.len()),
            pipelines,
            lent: None,
            inspect,
            done: ChunkProgress { next_row: first, values: 0, of: chunking.values_left() },
            chunking,
            progress,
            failure: None,
        })
    }
}

impl<T: DeviceType> StartedChunks<'_, T> {
    /// The next chunk, borrowed until the next call; `None` after the last one. On GPUs, later chunks are computed and copied
    /// meanwhile.
    ///
    /// # Errors
    ///
    /// Those of a launch, or the device fails. Later calls return no chunk.
    // It lends, which an `Iterator` cannot.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Chunk<'_, T>>> {
        if let Some(failure) = &self.failure {
            let problem = format!("these chunks ended with an earlier error: {failure}");
            return Err(Error::new(ErrorKind::Other, problem));
        }
        if let Some((pipeline, rows)) = self.lent.take() {
            self.pipelines[pipeline].take_back();
            self.done.next_row = rows.end;
            self.done.values += self.chunking.shape.values(&rows);
            if let Some(report) = &mut self.progress {
                report(self.done.clone());
            }
        }
        self.lent = self.advance().inspect_err(|error| {
            self.pipelines.iter_mut().for_each(CopyPipeline::finish);
            self.failure = Some(error.to_string());
        })?;
        let chunk = |(pipeline, rows): &(usize, Range<usize>)| {
            self.pipelines[*pipeline].chunk(self.chunking.shape, rows.clone())
        };
        self.lent.as_ref().map(chunk).transpose()
    }

    pub(super) fn each(&mut self, mut sink: impl FnMut(Chunk<'_, T>) -> Result<()>) -> Result<()> {
        while let Some(chunk) = self.next()? {
            sink(chunk)?;
        }
        Ok(())
    }

    /// Launches and copies while there is room, and waits for the next chunk. Returns the index of its pipeline, and its rows.
    fn advance(&mut self) -> Result<Option<(usize, Range<usize>)>> {
        loop {
            let mut is_idle = true;
            if let Some(at) = self.free_lane()?
                && let Some(rows) = self.chunking.next()
            {
                self.pipelines[at].launch_next(&mut self.launch, rows.clone())?;
                self.launched.push_back((at, rows));
                is_idle = false;
            }
            for pipeline in &mut self.pipelines {
                is_idle &= !pipeline.copy_next()?;
            }
            if is_idle {
                break;
            }
        }
        let Some((at, rows)) = self.launched.pop_front() else { return Ok(None) };
        self.pipelines[at].wait()?;
        if let Some(look) = &mut self.inspect {
            look(&self.pipelines[at].chunk(self.chunking.shape, rows.clone())?)?;
        }
        Ok(Some((at, rows)))
    }

    /// The device for the next chunk: of those with room for it, the one with the least work.
    fn free_lane(&mut self) -> Result<Option<usize>> {
        if let [only] = &self.pipelines[..] {
            return Ok(only.has_room().then_some(0));
        }
        let mut free: Option<([usize; 2], usize)> = None;
        for (at, pipeline) in
            self.pipelines.iter_mut().enumerate().filter(|(_, pipeline)| pipeline.has_room())
        {
            let load = pipeline.load()?;
            if free.is_none_or(|(least, _)| load < least) {
                free = Some((load, at));
            }
        }
        Ok(free.map(|(_, at)| at))
    }
}

impl<T> Drop for StartedChunks<'_, T> {
    fn drop(&mut self) {
        if self.failure.is_none() {
            self.pipelines.iter_mut().for_each(CopyPipeline::finish);
        }
    }
}

debug!(
    [T] StartedChunks<'_, T>,
    self: left = self.chunking.rows, launched = self.launched, lent = self.lent
);
