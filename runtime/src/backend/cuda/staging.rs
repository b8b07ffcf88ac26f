//! Large copies between a GPU and memory that is not page-locked.
//!
//! The driver copies such memory with one thread through a small buffer, at a tenth of the speed of the GPU's connection. This
//! module uses several threads, each with two page-locked slots: while the GPU fills one slot, the thread empties the other.
//! For copies to the GPU it is the other way round.

use std::iter::{self, Peekable};
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaContext, CudaEvent, CudaStream, DriverError, sys};

use super::page_locked::PageLocked;
use crate::backend::HostBytes as _;
use crate::host;

/// The most bytes of a piece. The GPU copies it in about 40 µs, and needs a few µs to start. Larger pieces gain little and
/// delay the first copy: the system page-locks memory at a tenth of the GPU's copying speed.
const PIECE: usize = 2 << 20;

/// The fewest bytes that threads share. The driver finishes a smaller copy before threads have started.
pub(crate) const SHARED: usize = 4 * PIECE;

/// Pieces end at multiples of this in host addresses. If two threads first wrote to one huge page at the same time, it would be
/// cleared twice.
const BOUNDARY: usize = 2 << 20;

/// A byte has the same offset within a line of this size on both sides; otherwise the GPU splits the copy.
const LINE: usize = 256;

/// The slots of a device, two per thread. The first copies that need them allocate them, and they are kept.
///
/// Shared copies run one after another: together they would be no faster. While the lock is free, no slot is in use, unless a
/// panic has poisoned the lock.
#[derive(Default)]
pub(crate) struct Staging(Mutex<Vec<Slots>>);

/// The slots of a thread. Each is allocated for its first piece.
type Slots = [Option<Slot>; 2];

/// Page-locked memory for a piece, and the event after which the GPU no longer uses it.
struct Slot {
    memory: PageLocked,
    done: CudaEvent,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Direction {
    ToHost,
    ToDevice,
}

/// The addresses of bytes on both sides.
#[derive(Clone, Copy)]
pub(crate) struct Addresses {
    /// Only read by a copy to the device.
    pub(crate) host: *mut u8,
    pub(crate) device: sys::CUdeviceptr,
    pub(crate) bytes: usize,
}

// SAFETY: these are plain addresses; the code that makes them is responsible for the memory on every thread that uses it.
unsafe impl Send for Addresses {}
// SAFETY: as above.
unsafe impl Sync for Addresses {}

impl Addresses {
    fn part(&self, range: Range<usize>) -> Addresses {
        Addresses {
            host: self.host.wrapping_add(range.start),
            device: self.device + range.start as u64,
            bytes: range.len(),
        }
    }
}

impl Staging {
    /// Copies after the work that is on the stream, and waits for the copy. Returns `false` if nothing was copied because no
    /// page-locked memory is available. The caller has waited for the stream's work: otherwise this would hold the lock, and
    /// delay other copies, until kernels have ended.
    ///
    /// # Safety
    ///
    /// Both sides have `addresses.bytes` bytes; the device's belong to the stream's context. For a copy to the host, the host's
    /// bytes may be written. During the copy, only work that is already on the stream writes to either side.
    pub(crate) unsafe fn copy(
        &self,
        stream: &CudaStream,
        direction: Direction,
        addresses: Addresses,
    ) -> Result<bool, DriverError> {
        let mut slots = match self.0.lock() {
            Ok(slots) => slots,
            Err(poisoned) => {
                // A copy that panicked has not waited for its slots. All slots are used only on this stream.
                stream.synchronize()?;
                self.0.clear_poison();
                poisoned.into_inner()
            }
        };
        let threads = host::threads().min(addresses.bytes.div_ceil(PIECE));
        if slots.len() < threads {
            slots.resize_with(threads, Slots::default);
        }
        let work = Work {
            addresses,
            pieces: Mutex::new(pieces(addresses.host.addr(), addresses.bytes).peekable()),
            failed: AtomicBool::default(),
            is_out_of_slots: AtomicBool::default(),
        };
        let failure = Mutex::new(None);
        host::each(threads, slots[..threads].iter_mut(), |slots| {
            // SAFETY: the caller's promise, since pieces are parts of the whole and do not overlap.
            let done = unsafe {
                match direction {
                    Direction::ToHost => to_host(stream, slots, &work),
                    Direction::ToDevice => to_device(stream, slots, &work),
                }
            };
            if let Err(error) = done {
                work.failed.store(true, Ordering::Relaxed);
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        });
        // No copy may still use a slot when the lock is released.
        let rest = stream.synchronize();
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            // A thread with a slot takes pieces until none is left. So if pieces are left, no thread got a slot.
            None => rest.map(|()| !work.is_left()),
        }
    }
}

/// A copy that threads share.
struct Work<P: Iterator<Item = Range<usize>>> {
    addresses: Addresses,
    pieces: Mutex<Peekable<P>>,
    /// Whether a copy has failed, which stops the other threads.
    failed: AtomicBool,
    /// Whether an allocation of a slot has failed, after which no thread asks for more.
    is_out_of_slots: AtomicBool,
}

impl<P: Iterator<Item = Range<usize>>> Work<P> {
    /// Takes a piece for this thread, which must have a slot for it.
    fn next(&self) -> Option<Addresses> {
        if self.failed.load(Ordering::Relaxed) {
            return None;
        }
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.next().map(|range| self.addresses.part(range))
    }

    fn is_left(&self) -> bool {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner).peek().is_some()
    }

    /// The slot. Allocates a missing one if pieces are left, while the other threads copy.
    fn slot<'a>(&self, slot: &'a mut Option<Slot>, context: &Arc<CudaContext>) -> Option<&'a Slot> {
        if slot.is_none() && self.is_left() && !self.is_out_of_slots.load(Ordering::Relaxed) {
            match Slot::new(context) {
                Ok(made) => *slot = Some(made),
                Err(error) => {
                    self.is_out_of_slots.store(true, Ordering::Relaxed);
                    tracing::debug!(
                        "cannot allocate more page-locked memory for copies: {error:?}"
                    );
                }
            }
        }
        slot.as_ref()
    }
}

/// Splits `bytes` bytes from address `start` on into pieces, as offsets.
fn pieces(start: usize, bytes: usize) -> impl Iterator<Item = Range<usize>> {
    let first = PIECE - start % BOUNDARY;
    let ends = iter::successors(Some(first), |end| Some(end + PIECE));
    let mut from = 0;
    ends.map_while(move |end| {
        let piece = from..end.min(bytes);
        from = end;
        (!piece.is_empty()).then_some(piece)
    })
}

impl Slot {
    fn new(context: &Arc<CudaContext>) -> Result<Slot, DriverError> {
        let memory = PageLocked::new(context, PIECE + LINE)?;
        Ok(Slot { memory, done: context.new_event(None)? })
    }

    fn address_of(&self, piece: &Addresses) -> *mut u8 {
        // The offset is below LINE, and the slot has LINE more bytes than a piece.
        self.memory.start().as_ptr().wrapping_add(piece.device as usize % LINE)
    }
}

/// Copies pieces to the host until none is left. While the thread empties one slot, the GPU fills the other.
///
/// # Safety
///
/// Each piece has its memory on both sides, the host's may be written, and the slots are not in use.
unsafe fn to_host(
    stream: &CudaStream,
    slots: &mut Slots,
    work: &Work<impl Iterator<Item = Range<usize>>>,
) -> Result<(), DriverError> {
    stream.context().bind_to_thread()?;
    let mut under_way: [Option<Addresses>; 2] = [None; 2];
    loop {
        let mut idle = true;
        for (slot, piece) in slots.iter_mut().zip(&mut under_way) {
            let Some(slot) = work.slot(slot, stream.context()) else { continue };
            if let Some(done) = piece.take() {
                slot.done.synchronize()?;
                // SAFETY: the GPU has put the piece into the slot, and the caller allows writing it to the host.
                unsafe { ptr::copy_nonoverlapping(slot.address_of(&done), done.host, done.bytes) };
            }
            if let Some(new) = work.next() {
                let address = slot.address_of(&new).cast();
                // SAFETY: the slot has room, holds nothing that is needed, and is not touched before the event.
                unsafe {
                    sys::cuMemcpyDtoHAsync_v2(address, new.device, new.bytes, stream.cu_stream())
                }
                .result()?;
                slot.done.record(stream)?;
                *piece = Some(new);
                idle = false;
            }
        }
        if idle && under_way.iter().all(Option::is_none) {
            return Ok(());
        }
    }
}

/// Copies pieces to the device until none is left. While the GPU reads one slot, the thread fills the other.
///
/// # Safety
///
/// Each piece has its memory on both sides, the device's may be written after the work on the stream, and the slots are not in
/// use.
unsafe fn to_device(
    stream: &CudaStream,
    slots: &mut Slots,
    work: &Work<impl Iterator<Item = Range<usize>>>,
) -> Result<(), DriverError> {
    stream.context().bind_to_thread()?;
    let mut used = [false; 2];
    loop {
        let mut idle = true;
        for (slot, used) in slots.iter_mut().zip(&mut used) {
            let Some(slot) = work.slot(slot, stream.context()) else { continue };
            let Some(piece) = work.next() else { return Ok(()) };
            idle = false;
            if *used {
                slot.done.synchronize()?;
            }
            let address = slot.address_of(&piece);
            // SAFETY: the slot has room, and the GPU is done with its contents; the caller allows reading the piece.
            unsafe { ptr::copy_nonoverlapping(piece.host.cast_const(), address, piece.bytes) };
            // SAFETY: the slot holds the piece, and is not touched before the event.
            unsafe {
                sys::cuMemcpyHtoDAsync_v2(
                    piece.device,
                    address.cast(),
                    piece.bytes,
                    stream.cu_stream(),
                )
            }
            .result()?;
            slot.done.record(stream)?;
            *used = true;
        }
        if idle {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_end_at_boundaries() {
        for start in [0, 16, BOUNDARY - 1, BOUNDARY, 5 * BOUNDARY + 4096] {
            for bytes in [0, 1, PIECE - 16, PIECE, SHARED, SHARED + 1, 7 * PIECE + 12_345] {
                let pieces: Vec<_> = pieces(start, bytes).collect();
                let mut end = 0;
                for piece in &pieces {
                    assert_eq!(piece.start, end);
                    assert!(!piece.is_empty() && piece.len() <= PIECE, "{piece:?}");
                    assert!(piece.end == bytes || (start + piece.end) % BOUNDARY == 0, "{piece:?}");
                    end = piece.end;
                }
                assert_eq!(end, bytes);
            }
        }
    }
}
