//! Times of work on a GPU, taken in rounds that change places, so that a drift hits all alike.

use std::time::Duration;

use td_kernel::{Device, Result};

/// One way to do a piece of work.
pub(crate) type Way<'a> = &'a mut dyn FnMut() -> Result<()>;

/// The median time of each way, in milliseconds: after a warm-up, `rounds` rounds, in each of which
/// every way is timed once by the GPU's own clock over `repeats` runs.
pub(crate) fn medians<const N: usize>(
    device: &Device,
    rounds: usize,
    repeats: u32,
    ways: [Way<'_>; N],
) -> Result<[f64; N]> {
    let mut times: [Vec<Duration>; N] = [const { Vec::new() }; N];
    let mut ways = ways;
    for round in 0..=rounds {
        for (way, times) in ways.iter_mut().zip(&mut times) {
            let ((), time) = device.timed(|| (0..repeats).try_for_each(|_| way()))?;
            // The first round warms up: it loads code and fills caches.
            if round > 0 {
                times.push(time / repeats);
            }
        }
    }
    Ok(times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e3
    }))
}
