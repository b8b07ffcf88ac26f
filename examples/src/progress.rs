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

/// What a launch is over.
#[derive(Clone, Copy, Debug)]
pub enum Elements {
    /// All pairs of so many elements.
    One(usize),
    /// The pairs of two sets of so many elements.
    Two(usize, usize),
}

impl Elements {
    /// How many pairs that are.
    pub fn pairs(self) -> u64 {
        match self {
            Elements::One(n) => n as u64 * (n as u64).saturating_sub(1) / 2,
            Elements::Two(rows, columns) => rows as u64 * columns as u64,
        }
    }

    /// How many of them a `share` of the time is enough for, in words.
    fn in_share_of_time(self, share: f64) -> String {
        // Two digits are enough.
        let rounded = |few: f64| {
            let unit = 10_u64.pow((few.max(10.0).log10().floor() as u32).saturating_sub(1));
            HumanCount(few as u64 / unit * unit)
        };
        match self {
            // The time grows with the square of the number of elements.
            Elements::One(n) => rounded(n as f64 * share.sqrt()).to_string(),
            Elements::Two(..) => format!("{} pairs", rounded(self.pairs() as f64 * share)),
        }
    }
}

/// Does `work`, a launch over all pairs of `elements`. If it takes long, standard error shows its progress: a bar on a
/// terminal, elsewhere lines that become fewer.
pub fn watch<R>(
    device: &Device,
    what: &'static str,
    elements: Elements,
    work: impl FnOnce() -> R,
) -> R {
    let watcher =
        Watcher { device, what, elements, pairs: elements.pairs(), before: device.progress() };
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
    elements: Elements,
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
        let few = self.elements.in_share_of_time(10.0 / total.as_secs_f64());
        format!(
            "{} on the CPU takes about {} in all: a GPU is far faster; here, {few} would take \
             about 10 seconds",
            self.what,
            HumanDuration(total)
        )
    }
}

/// Shows the progress of work of many steps, if it takes long: a bar on a terminal, elsewhere lines that become fewer.
#[derive(Debug)]
pub struct Steps {
    what: &'static str,
    total: u64,
    done: u64,
    start: Instant,
    /// When the next line is due, after the start.
    next: Duration,
    bar: Option<ProgressBar>,
}

impl Steps {
    /// Progress of `total` steps, which start now.
    pub fn new(what: &'static str, total: u64) -> Steps {
        Steps { what, total, done: 0, start: Instant::now(), next: SHORT, bar: None }
    }

    /// Tells that one more step is done.
    pub fn step(&mut self) {
        self.done += 1;
        let elapsed = self.start.elapsed();
        if elapsed < self.next {
            return;
        }
        let left = elapsed.mul_f64(self.total.saturating_sub(self.done) as f64 / self.done as f64);
        if io::stderr().is_terminal() {
            self.next = elapsed + PERIOD;
            self.show(left);
        } else {
            self.next = (2 * elapsed).min(elapsed + SILENCE);
            say(&self.text(left));
        }
    }

    /// Puts the bar where the work is, on a terminal.
    fn show(&mut self, left: Duration) {
        let text = self.text(left);
        if self.bar.is_none()
            && let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}")
        {
            let target = indicatif::ProgressDrawTarget::stderr();
            let bar = ProgressBar::with_draw_target(Some(self.total), target);
            self.bar = Some(bar.with_style(style));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_message(text);
        }
    }

    fn text(&self, left: Duration) -> String {
        let (what, left) = (self.what, HumanDuration(left));
        let [done, total] = [self.done, self.total].map(HumanCount);
        format!("{what}: step {done} of {total}, about {left} left")
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Shows which share of some work is done, if it takes long: a bar on a terminal, elsewhere lines that become fewer.
#[derive(Debug)]
pub struct Share {
    what: &'static str,
    start: Instant,
    /// When the next line is due, after the start.
    next: Duration,
    bar: Option<ProgressBar>,
}

impl Share {
    /// Progress of work that starts now.
    pub fn new(what: &'static str) -> Share {
        Share { what, start: Instant::now(), next: SHORT, bar: None }
    }

    /// Tells that `done` of `all` parts, which take about equally long, are done.
    pub fn reached(&mut self, done: u64, all: u64) {
        let elapsed = self.start.elapsed();
        if elapsed < self.next || done == 0 {
            return;
        }
        let text = self.text(elapsed, done, all);
        if !io::stderr().is_terminal() {
            self.next = (2 * elapsed).min(elapsed + SILENCE);
            return say(&text);
        }
        self.next = elapsed + PERIOD;
        if self.bar.is_none()
            && let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}")
        {
            let target = indicatif::ProgressDrawTarget::stderr();
            let bar = ProgressBar::with_draw_target(Some(all), target);
            self.bar = Some(bar.with_style(style));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(text);
        }
    }

    fn text(&self, elapsed: Duration, done: u64, all: u64) -> String {
        let left = elapsed.mul_f64(all.saturating_sub(done) as f64 / done as f64);
        let (what, share) = (self.what, 100.0 * done as f64 / all.max(1) as f64);
        format!(
            "{what}: {share:.2} % of {} pairs, about {} left",
            HumanCount(all),
            HumanDuration(left)
        )
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Prints a line to standard error, ignoring errors.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_fits_the_kind_of_pairs() {
        assert_eq!(Elements::One(0).pairs(), 0);
        assert_eq!(Elements::One(5).pairs(), 10);
        assert_eq!(Elements::Two(5, 3).pairs(), 15);
        // A hundredth of the time is enough for a tenth of the elements, or for a hundredth of the pairs.
        assert_eq!(Elements::One(123_456).in_share_of_time(0.01), "12,000");
        assert_eq!(Elements::Two(1000, 12_345).in_share_of_time(0.01), "120,000 pairs");
    }

    #[test]
    fn a_share_is_told_with_the_time_that_is_left() {
        let text = Share::new("computing").text(Duration::from_secs(100), 1000, 4000);
        assert_eq!(text, "computing: 25.00 % of 4,000 pairs, about 5 minutes left");
    }

    #[test]
    fn steps_are_told_with_the_time_that_is_left() {
        let mut steps = Steps::new("moving", 2000);
        steps.step();
        assert_eq!(
            steps.text(Duration::from_secs(300)),
            "moving: step 1 of 2,000, about 5 minutes left"
        );
    }
}
