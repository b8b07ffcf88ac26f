//! Shows the progress of long work, and estimates the time that is left.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use td_kernel::{Device, Progress};

use crate::text::escaped;

/// Work that is over by then shows no progress.
const SHORT: Duration = Duration::from_secs(2);
/// How often the progress is checked.
const PERIOD: Duration = Duration::from_millis(100);
/// The longest time without a line.
const SILENCE: Duration = Duration::from_secs(600);
/// Work that takes longer comes with advice.
const LONG: Duration = Duration::from_secs(60);

/// Does `work`, a launch over all pairs of `elements`. If it takes long, standard error shows its progress: a bar on a
/// terminal, elsewhere lines that become fewer.
pub fn watch<R>(
    device: &Device,
    what: &'static str,
    elements: usize,
    work: impl FnOnce() -> R,
) -> R {
    let pairs = elements as u64 * (elements as u64).saturating_sub(1) / 2;
    let watcher = Watcher { device, what, elements, pairs, before: device.progress() };
    thread::scope(|scope| {
        let (done, end) = mpsc::channel();
        // Without a thread the work is done all the same, but shows no progress.
        let _ = thread::Builder::new().spawn_scoped(scope, move || watcher.run(&end));
        // Dropped when the work is over, also by a panic, which ends the watcher.
        let _done: mpsc::Sender<()> = done;
        work()
    })
}

struct Watcher<'a> {
    device: &'a Device,
    what: &'static str,
    elements: usize,
    pairs: u64,
    /// The progress before the launch.
    before: Progress,
}

impl Watcher<'_> {
    fn run(&self, end: &Receiver<()>) {
        let bar = io::stderr().is_terminal().then(|| self.bar()).flatten();
        let mut next = SHORT;
        let mut has_advice = false;
        let mut start = Instant::now();
        while end.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
            let share = self.share();
            if self.device.is_cpu() && share.is_none() {
                // Nothing is launched yet: time before the launch does not count for the estimate.
                start = Instant::now();
            }
            let (elapsed, share) = (start.elapsed(), share.unwrap_or_default());
            if elapsed < next || (self.device.is_cpu() && share == 0.0) {
                continue;
            }
            let left = elapsed.mul_f64((1.0 - share) / share.max(1e-12));
            if let Some(bar) = &bar {
                bar.set_position((share * 1e6) as u64);
                bar.set_message(self.text(elapsed, share, left));
            } else {
                next = (2 * elapsed).min(elapsed + SILENCE);
                say(&self.text(elapsed, share, left));
            }
            let total = elapsed + left;
            if self.device.is_cpu() && total > LONG && !has_advice {
                has_advice = true;
                let advice = self.advice(total);
                bar.as_ref().map_or_else(|| say(&advice), |bar| bar.suspend(|| say(&advice)));
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
    }

    /// The share of the launched blocks that have run; `None` on a GPU, which does not count them.
    fn share(&self) -> Option<f64> {
        let now = self.device.progress();
        let blocks = now.blocks.saturating_sub(self.before.blocks);
        let finished = now.finished.saturating_sub(self.before.finished);
        if blocks == 0 { None } else { Some(finished as f64 / blocks as f64) }
    }

    fn bar(&self) -> Option<ProgressBar> {
        let (template, length) = match self.device.is_cpu() {
            true => ("{wide_bar} {msg}", Some(1_000_000)),
            false => ("{spinner} {msg}", None),
        };
        let style = ProgressStyle::with_template(template).ok()?;
        Some(
            ProgressBar::with_draw_target(length, indicatif::ProgressDrawTarget::stderr())
                .with_style(style),
        )
    }

    fn text(&self, elapsed: Duration, share: f64, left: Duration) -> String {
        let (what, pairs) = (self.what, HumanCount(self.pairs));
        let elapsed = HumanDuration(elapsed);
        if !self.device.is_cpu() {
            let device = escaped(self.device.name());
            return format!("{what} on {device}: {pairs} pairs, {elapsed} so far");
        }
        let left = HumanDuration(left);
        format!("{what} on the CPU: {:.2} % of {pairs} pairs, about {left} left", 100.0 * share)
    }

    /// Advice on what is faster, for work that takes `total`.
    fn advice(&self, total: Duration) -> String {
        // The time grows with the square of the number of elements. Two digits are enough.
        let few = self.elements as f64 * (10.0 / total.as_secs_f64()).sqrt();
        let unit = 10_u64.pow((few.max(10.0).log10().floor() as u32).saturating_sub(1));
        let few = HumanCount(few as u64 / unit * unit);
        format!(
            "{} on the CPU takes about {} in all: a GPU is far faster; here, {few} would take \
             about 10 seconds",
            self.what,
            HumanDuration(total)
        )
    }
}

/// Prints a line to standard error, ignoring errors.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
