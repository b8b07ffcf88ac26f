//! Elements whose order is kept.

use td_kernel::{Ordered, Result, Slice, Stream, Target};

use super::{Ball, Way, count};

/// The touching pairs of balls, counted by a launch on each stream: the first one sorts for all. The balls are replaced between
/// the streams' launches.
pub fn counted_on_streams<S: Stream>(
    device: &Target,
    way: Way,
    all: &[Vec<Ball>],
    streams: &[S],
) -> Result<Vec<Vec<u64>>> {
    let kernel = load!(count, device, way);
    let Some(first) = all.first() else { return Ok(Vec::new()) };
    let mut p = Ordered::new(device.upload(first)?);
    let mut totals = Vec::new();
    for balls in all {
        p.upload_into(balls)?;
        for stream in streams {
            let (mut total, mut evaluated) = (device.sum()?, device.sum()?);
            kernel.with_stream(stream)?.launch(&p, &mut total, &mut evaluated)?;
            totals.push(total);
        }
    }
    let totals: Vec<u64> = totals.iter().map(|total| total.download()).collect::<Result<_>>()?;
    Ok(totals.chunks(streams.len()).map(<[u64]>::to_vec).collect())
}

/// The same balls by several ways.
pub fn counted_of(device: &Target, way: Way, p: &dyn Slice<Ball>) -> Result<u64> {
    let (mut total, mut evaluated) = (device.sum()?, device.sum()?);
    load!(count, device, way).launch(p, &mut total, &mut evaluated)?;
    total.download()
}
