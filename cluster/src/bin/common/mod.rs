//! Code that the programs share: reading the arguments, which all ranks have, and printing, which rank 0 does.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use td_kernel::Device;
use td_kernel_cluster::Cluster;
pub(crate) use td_kernel_examples::Result;
use td_kernel_examples::{DeviceChoice, Table, warnings_to_standard_error};

/// Runs `work` on each rank. Rank 0 prints the report that its own call returns.
pub(crate) fn run<A: Parser>(
    work: impl FnOnce(&Cluster, &A) -> Result<Option<String>>,
) -> ExitCode {
    warnings_to_standard_error();
    let mut code = ExitCode::SUCCESS;
    let ended = td_kernel_cluster::run(|cluster| match A::try_parse() {
        Ok(arguments) => match work(cluster, &arguments)? {
            Some(report) => print(&report),
            None => Ok(()),
        },
        Err(error) => {
            // All ranks have the same arguments, so one of them reports the error. No rank waits for another yet.
            code = u8::try_from(error.exit_code()).unwrap_or(1).into();
            let text = error.render().to_string();
            match (cluster.is_first(), error.use_stderr()) {
                (true, true) => Ok(io::stderr().write_all(text.as_bytes())?),
                (true, false) => print(&text),
                (false, _) => Ok(()),
            }
        }
    });
    if ended == ExitCode::SUCCESS { code } else { ended }
}

fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        // The reader has closed the pipe, as `head` does.
        Err(reason) if reason.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => Ok(printed?),
    }
}

/// The values of rank 0's table on each rank, and its number of columns.
pub(crate) fn broadcast(cluster: &Cluster, table: Option<&Table>) -> Result<(Vec<f64>, usize)> {
    let (values, width) = table.map_or((Vec::new(), 0), |it| (it.values.clone(), it.width()));
    let width = cluster.broadcast(vec![width as u64])?.first().map_or(1, |width| *width as usize);
    Ok((cluster.broadcast(values)?, width))
}

/// The device of this rank.
pub(crate) fn device(cluster: &Cluster, choice: DeviceChoice) -> Result<Device> {
    Ok(match choice {
        DeviceChoice::Auto => cluster.device()?,
        DeviceChoice::Cuda => cluster.gpu()?,
        DeviceChoice::Cpu => Device::cpu()?,
    })
}

/// The beginning of a report, on rank 0: the machine and the device of each rank.
pub(crate) fn report(cluster: &Cluster, device: &Device) -> Result<String> {
    let devices = cluster.gather_texts(&format!("{}, {}", cluster.machine(), device.name()))?;
    let mut report = format!("ranks: {}\n", devices.len());
    for (rank, device) in devices.iter().enumerate() {
        writeln!(report, "rank {rank}: {device}")?;
    }
    Ok(report)
}
