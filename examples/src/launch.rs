//! The time of a launch, and its progress.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use td_kernel::{Device, Error, PairKernel, PairValue, Pairs, Result, Target};

/// Compiles a kernel for n elements, and times a launch, with a progress bar on the CPU. On a GPU, an extra launch before it
/// loads the kernel's code, so `clear` has to clear accumulated results.
pub fn timed<K: PairKernel, O>(
    device: &Target,
    (kernel, n): (&K, usize),
    output: &mut O,
    clear: impl Fn(&mut O) -> Result<()>,
    mut launch: impl FnMut(&mut O) -> Result<()>,
) -> Result<Duration> {
    kernel.report(n)?;
    let mut launch = || clear(output).and_then(|()| launch(output));
    if !device.is_cpu() {
        launch()?;
    }
    let before = device.progress();
    thread::scope(|scope| {
        let (_done, end) = mpsc::channel::<()>();
        // Without the thread, no bar is shown.
        let _ = thread::Builder::new().spawn_scoped(scope, move || {
            let bar = progress_bar(K::NAME);
            while end.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout) {
                let now = device.progress();
                bar.set_length(now.blocks.saturating_sub(before.blocks));
                bar.set_position(now.finished.saturating_sub(before.finished));
            }
            bar.finish_and_clear();
        });
        device.timed(launch).map(|((), time)| time)
    })
}

/// Times a launch that pushes to a list, which gets room for `room` pairs, and with it for all of them. Without, it only counts
/// them. Returns the list, their number and the time.
pub fn listed<K: PairKernel, T: PairValue>(
    device: &Device,
    (kernel, n): (&K, usize),
    room: Option<usize>,
    mut launch: impl FnMut(&mut Pairs<T>) -> Result<()>,
) -> Result<(Pairs<T>, usize, Duration)> {
    // Pairs past the end of a list are only counted.
    let mut pairs = device.pairs(room.unwrap_or(1))?;
    let mut time = timed(device, (kernel, n), &mut pairs, Pairs::clear, &mut launch)?;
    let count = usize::try_from(pairs.count()?).map_err(Error::other)?;
    if room.is_some() && count > pairs.capacity() {
        pairs = device.pairs(count)?;
        time = timed(device, (kernel, n), &mut pairs, Pairs::clear, launch)?;
    }
    Ok((pairs, count, time))
}

/// A time, and how many pairs were visited in a second of it.
pub fn rate(time: Duration, pairs: usize) -> String {
    let seconds = time.as_secs_f64();
    format!("{:.3} ms, {:.3e} pairs/s", seconds * 1e3, pairs as f64 / seconds)
}

/// A progress bar on standard error, shown only on terminals.
pub fn progress_bar(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {percent} %, {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_message(what).with_style(style)
}
