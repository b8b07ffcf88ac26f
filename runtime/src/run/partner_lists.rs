//! Makes the pairs of a list by element, on the device that has the list.

use std::ffi::c_void;
use std::sync::Arc;

use smallvec::SmallVec;

use super::On;
use crate::backend::{Loaded, pointer};
use crate::memory::Memory;
use crate::memory::given::Partners;
use crate::memory::target::KernelFunction;
use crate::types::info::{MERGE_BLOCK, Source};
use crate::{ErrorKind, Result};

/// The functions, in the order in which they run.
const FUNCTIONS: [&str; 3] = ["td_partners_count", "td_partners_offsets", "td_partners_fill"];

const SOURCE: Source = Source::whole(&include_str!("partner_lists.cu"));

/// The most partners of a list: a lane adds up to 32 to the 32-bit index of a partner.
const MAX_PARTNERS: usize = u32::MAX as usize - 32;

/// The most blocks of a launch over the list, whose threads visit several entries.
const MAX_BLOCKS: usize = 1 << 16;

/// The partners of a list of this length, and its elements; `None` if 32 bits do not count them.
fn counts(length: usize, elements: usize) -> Option<(usize, u32)> {
    let partners = length.checked_mul(2).filter(|count| *count <= MAX_PARTNERS)?;
    Some((partners, u32::try_from(elements).ok()?))
}

/// A list on a device.
pub(crate) struct List {
    /// The addresses of its indices, and the stride between pairs in words.
    pub(crate) indices: [u64; 2],
    pub(crate) step: u64,
    pub(crate) length: usize,
}

impl On<'_> {
    /// The pairs of the list, all of whose indices are below `elements`, by element. `None` if there are too many for 32 bits or
    /// for the device's memory.
    ///
    /// # Safety
    ///
    /// The list has this length and these indices, and nothing writes it meanwhile.
    pub(crate) unsafe fn partners(self, list: &List, elements: usize) -> Result<Option<Partners>> {
        let Some((partner_count, count)) = counts(list.length, elements) else { return Ok(None) };
        let backend = self.device.backend();
        let memory = |words: usize| Memory::<u32>::zeroed(backend, words);
        let allocated = || -> Result<_> {
            Ok((memory(1)?, memory(elements)?, memory(2 * elements)?, memory(partner_count)?))
        };
        let (mut total, mut starts, mut ends, mut partners) = match allocated() {
            Err(error) if error.kind() == ErrorKind::OutOfDeviceMemory => return Ok(None),
            other => other?,
        };
        let accesses = [
            self.own(&mut total)?,
            self.own(&mut starts)?,
            self.own(&mut ends)?,
            self.own(&mut partners)?,
        ];
        let [total_at, starts_at, ends_at, partners_at] =
            accesses.each_ref().map(|access| access.address);
        let code = self.code_of_partners()?;
        let threads = (MERGE_BLOCK[0] * MERGE_BLOCK[1]) as usize;
        let blocks = |count: usize| count.div_ceil(threads);
        let list_numbers = [list.indices[0], list.indices[1], list.step, list.length as u64];
        let (entry_blocks, element_blocks) =
            (blocks(list.length).min(MAX_BLOCKS), blocks(elements));
        let words =
            |more: &[u64]| list_numbers.iter().chain(more).copied().collect::<SmallVec<[u64; 6]>>();
        // SAFETY: the caller's promise; the memory has room for all elements and twice the pairs. These are the parameters of the
        // functions.
        let launched = unsafe {
            self.launch_words(&*code[0], entry_blocks, None, &words(&[ends_at]))
                .and_then(|()| {
                    let words = [total_at, starts_at, ends_at];
                    self.launch_words(&*code[1], element_blocks, Some(count), &words)
                })
                .and_then(|()| {
                    let words = words(&[ends_at, partners_at]);
                    self.launch_words(&*code[2], entry_blocks, None, &words)
                })
        };
        // Recorded even after a failure: some of the functions may have been launched.
        let recorded = accesses.iter().try_for_each(|access| self.record(access));
        drop(accesses);
        launched.and(recorded)?;
        Ok(Some(Partners { starts, ends, partners, elements: count }))
    }

    /// The compiled functions.
    pub(crate) fn code_of_partners(self) -> Result<[Arc<dyn Loaded>; 3]> {
        let [count, offsets, fill] = FUNCTIONS;
        let others = [offsets.to_owned(), fill.to_owned()];
        let first = self.device.loaded_own(&SOURCE, count, &others)?;
        let other = |entry| {
            let key = (SOURCE, &[][..], KernelFunction::Own(entry), None);
            self.device.loaded_other(key, entry, &first)
        };
        let (offsets, fill) = (other(offsets)?, other(fill)?);
        Ok([first, offsets, fill])
    }

    /// Launches blocks of a function with a 32-bit number, if there is one, and words.
    ///
    /// # Safety
    ///
    /// That of [`Loaded::launch`].
    unsafe fn launch_words(
        self,
        code: &dyn Loaded,
        blocks: usize,
        number: Option<u32>,
        words: &[u64],
    ) -> Result<()> {
        let mut parameters: SmallVec<[*mut c_void; 8]> = SmallVec::new();
        parameters.extend(number.iter().map(pointer));
        parameters.extend(words.iter().map(pointer));
        // SAFETY: the caller's promise.
        unsafe { code.launch(self.stream, [blocks as u32, 1], MERGE_BLOCK, &mut parameters) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partners_are_counted_in_32_bits() {
        let (most, elements) = (MAX_PARTNERS / 2, u32::MAX as usize);
        assert_eq!(counts(0, 0), Some((0, 0)));
        assert_eq!(counts(most, elements), Some((2 * most, u32::MAX)));
        for (length, elements) in [(most + 1, 5), (usize::MAX, 5), (5, elements + 1)] {
            assert_eq!(counts(length, elements), None, "{length} {elements}");
        }
    }
}
