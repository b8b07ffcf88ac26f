//! What the machine does at most with as many bytes: nothing of it goes through the crate's own copies.

use std::fs::File;
use std::io::Write;
use std::mem::MaybeUninit;
use std::path::Path;

use td_kernel::cudarc::driver::result;
use td_kernel::{Device, Packed, PackedSlots, Pinned, ViewMut};
use td_kernel_examples::parallel;

use crate::Failure;

/// What a thread takes at a time.
const PIECE: usize = 1 << 20;

/// Memory of as many elements that nobody has written to yet, filled.
pub(super) fn fill(length: usize) -> Result<Vec<f32>, Failure> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(length)?;
    let fresh: &mut [MaybeUninit<f32>] = memory.spare_capacity_mut();
    let fill = |part: &mut [MaybeUninit<f32>]| part.fill(MaybeUninit::new(1.0));
    parallel::each(fresh[..length].chunks_mut(PIECE), fill);
    // SAFETY: there is room for as many, and all of them were written just now.
    unsafe { memory.set_len(length) };
    Ok(memory)
}

/// A copy into memory that has been written to before.
pub(super) fn copy(from: &[f32], to: &mut [f32]) {
    let pieces = to.chunks_mut(PIECE).zip(from.chunks(PIECE));
    parallel::each(pieces, |(to, from)| to.copy_from_slice(from));
}

/// One copy by the GPU into pinned memory.
pub(crate) fn by_gpu(
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

/// A file of these bytes, by a program that does nothing else.
pub(super) fn write(path: &Path, values: &[f32]) -> Result<(), Failure> {
    let failed = |error| format!("cannot write {}: {error}", path.display());
    // SAFETY: the bytes of numbers, of which none is padding.
    let bytes =
        unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) };
    let mut file = File::create(path).map_err(failed)?;
    Ok(file.write_all(bytes).map_err(failed)?)
}
