//! Memory that ends in front of a page that cannot be accessed: kernels that read or write past an end stop the tests. Its size is
//! rounded up to its alignment, 16 bytes, so up to 15 bytes past an end are not found, and nothing in front of its start is.

use std::alloc::Layout;
use std::ptr;

/// At least a page, and a multiple of its size, on every tested system.
const PAGE: usize = 1 << 16;

/// The bytes in front of the last page.
fn room(layout: Layout) -> usize {
    layout.size().next_multiple_of(PAGE)
}

/// Zeroed memory, which starts at a multiple of the layout's alignment. Null if there is none.
///
/// # Safety
///
/// The layout has a size, and at most the alignment of a page.
pub(super) unsafe fn alloc_zeroed(layout: Layout) -> *mut u8 {
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping, which nothing else uses.
    let mapping = unsafe { libc::mmap(ptr::null_mut(), room(layout) + PAGE, access, kind, -1, 0) };
    if mapping == libc::MAP_FAILED {
        return ptr::null_mut();
    }
    // SAFETY: the last page of the mapping, of which nothing has been read or written.
    let guarded = unsafe { libc::mprotect(mapping.byte_add(room(layout)), PAGE, libc::PROT_NONE) };
    if guarded != 0 {
        // SAFETY: the whole mapping, which nothing uses.
        unsafe { libc::munmap(mapping, room(layout) + PAGE) };
        return ptr::null_mut();
    }
    // SAFETY: inside the mapping, in front of its last page.
    unsafe { mapping.byte_add(room(layout) - layout.pad_to_align().size()) }.cast()
}

/// Gives it back.
///
/// # Safety
///
/// `alloc_zeroed` has returned this address for this layout, and nothing uses the memory any more.
pub(super) unsafe fn dealloc(start: *mut u8, layout: Layout) {
    let mapping = start.wrapping_sub(room(layout) - layout.pad_to_align().size());
    // SAFETY: the whole mapping.
    unsafe { libc::munmap(mapping.cast(), room(layout) + PAGE) };
}
