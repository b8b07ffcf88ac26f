//! What happens on the host: the choice of a device, threads, and copies and writes that nothing of the library makes.

use std::fs::File;
use std::num::NonZero;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use clap::ValueEnum;
use td_kernel::cudarc::driver::result;
use td_kernel::{Device, Devices, Packed, PackedSlots, Pinned, ViewMut};

use crate::Failure;

/// Where kernels run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeviceChoice {
    Cuda,
    Cpu,
}

impl DeviceChoice {
    /// The first device.
    pub(crate) fn open(self) -> td_kernel::Result<Device> {
        match self {
            DeviceChoice::Cuda => Device::cuda(0),
            DeviceChoice::Cpu => Device::cpu(),
        }
    }

    /// So many devices, or all GPUs. The CPU is there as often as is asked for.
    pub(crate) fn open_all(self, count: Option<u32>) -> td_kernel::Result<Vec<Device>> {
        let cpu = |_| Device::cpu();
        match (self, count) {
            (DeviceChoice::Cuda, None) => Ok(Devices::all()?.iter().cloned().collect()),
            (DeviceChoice::Cuda, Some(count)) => (0..count as usize).map(Device::cuda).collect(),
            (DeviceChoice::Cpu, count) => (0..count.unwrap_or(1)).map(cpu).collect(),
        }
    }
}

/// Does `work` on each of `items`, on as many threads as there are cores.
pub(crate) fn each<I>(items: I, work: impl Fn(I::Item) + Sync)
where
    I: Iterator + Send,
{
    let items = Mutex::new(items);
    let run = || {
        loop {
            let item = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            match item {
                Some(item) => work(item),
                None => return,
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}

/// One copy by the GPU into pinned memory.
pub(crate) fn copy_by_gpu(
    device: &Device,
    from: &mut Packed<f32>,
    to: &mut Pinned<f32>,
) -> Result<(), Failure> {
    let (Some(stream), ViewMut::Cuda(memory)) = (device.stream(), from.slots()) else {
        return Err("a copy by the GPU needs a GPU".into());
    };
    stream.context().bind_to_thread()?;
    if memory.len() != to.len() {
        return Err("the copy's two sides have two lengths".into());
    }
    let (address, guard) = memory.view_ptr_mut(stream);
    // SAFETY: at the address are as many elements, and the stream, behind whose work it comes, is waited for
    // while both sides are borrowed.
    unsafe { result::memcpy_dtoh_async(&mut to[..], address, stream.cu_stream()) }?;
    drop(guard);
    Ok(stream.synchronize()?)
}

/// A file of so many bytes, written piece by piece at their places, and on the disk in the end.
#[cfg(unix)]
pub(crate) fn write_pieces(path: &Path, piece: &[f32], bytes: usize) -> Result<(), Failure> {
    use std::os::unix::fs::FileExt;
    let failed = |error| format!("cannot write {}: {error}", path.display());
    // SAFETY: the bytes of numbers, of which none is padding.
    let piece =
        unsafe { std::slice::from_raw_parts(piece.as_ptr().cast::<u8>(), size_of_val(piece)) };
    let file = File::create(path).map_err(failed)?;
    for place in (0..bytes).step_by(piece.len().max(1)) {
        let part = &piece[..piece.len().min(bytes - place)];
        file.write_all_at(part, place as u64).map_err(failed)?;
    }
    Ok(file.sync_all().map_err(failed)?)
}
