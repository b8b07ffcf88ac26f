//! The choice of a device, the time of a launch, and its progress.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use td_kernel::{Device, Devices, PairKernel, Result, Target};

/// The option `--device`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DeviceChoice {
    /// The first GPU; without one the CPU, with a warning
    #[default]
    Auto,
    /// The first GPU; without one an error
    Cuda,
    /// The CPU, which needs a C++ compiler and is slow
    Cpu,
}

impl DeviceChoice {
    /// The device.
    pub fn open(self) -> Result<Device> {
        match self {
            DeviceChoice::Auto => Device::best(),
            DeviceChoice::Cuda => Device::cuda(0),
            DeviceChoice::Cpu => Device::cpu(),
        }
    }

    /// `count` devices: the first GPUs, or the CPU several times.
    pub fn open_together(self, count: usize) -> Result<Target> {
        let first = self.open()?;
        let devices = match (count, first.is_cpu()) {
            (1, _) => return Ok(first.into()),
            (_, true) => Devices::cpu(count)?,
            (_, false) => Devices::new((0..count).map(Device::cuda).collect::<Result<Vec<_>>>()?)?,
        };
        Ok(devices.into())
    }
}

/// Compiles a kernel for n elements, and times a launch, with a progress bar on the CPU. On a GPU, an extra launch before it
/// loads the kernel's code, so `launch` has to clear accumulated results.
pub fn timed<K: PairKernel>(
    device: &Target,
    kernel: &K,
    n: usize,
    mut launch: impl FnMut() -> Result<()>,
) -> Result<Duration> {
    kernel.report(n)?;
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

/// A progress bar on standard error, shown only on terminals.
pub fn progress_bar(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {percent} %, {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_message(what).with_style(style)
}
