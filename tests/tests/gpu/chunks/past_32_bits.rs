//! Chunks whose slots are past 2³².

use td_kernel::{Shape, td_kernel};

use super::start;
use crate::{gpu, share_memory};

/// An element count whose pairs have slots past 2³², from row 92,683 on.
const ELEMENTS: usize = 100_000;

/// Kernels that store these bytes, with several maps and in both sweeps.
macro_rules! bytes {
    ($($(#[$attribute:meta])* $name:ident),*) => {$(
        $(#[$attribute])*
        unsafe fn $name(low: &mut Packed<u8>) {
            r#" low = i * 31 + j * 7 + (i * j >> 9); "#
        }
    )*};
}

bytes! {
    /// Along rows, in tiles of several sizes.
    #[td_kernel]
    along_rows,
    /// One thread per pair.
    #[td_kernel(tile = 0)]
    one_a_pair,
    /// Persistent blocks.
    #[td_kernel(map = "walk")]
    walking,
    /// The folded triangle.
    #[td_kernel(map = "rb", tile = 64)]
    folded
}

/// Compares every byte with the expected one, with one thread per pair and 64-bit arithmetic.
#[td_kernel(map = "bb", tile = 0)]
unsafe fn wrong_bytes(first_slot: u64, low: &[u8], wrong: &mut Sum<u64>) {
    r#"
    const unsigned long long slot = (unsigned long long)i * (i - 1ull) / 2 + j - first_slot;
    if (slot >= low_length || low[slot] != (unsigned char)(i * 31 + j * 7 + (i * j >> 9)))
        wrong += 1;
    "#
}

/// Runs code for each variant of each of these kernels, restricted to rows.
macro_rules! each_text {
    ($device:ident, |$name:ident, $kernel:ident| $do:block, $($module:ident)*) => {$(
        for variant in 0..$module::SOURCES.len() {
            let ($name, loaded) = (stringify!($module), $module::load(&$device).unwrap());
            let $kernel = $module { kernel: loaded.kernel.pin(variant) };
            $do
        }
    )*};
}

/// 11 GB of rows so long that 16 of them have more than 2³² slots.
#[test]
fn rows_past_28_bits() {
    let _shared = share_memory();
    let device = gpu();
    let begin = (1 << 28) + 37;
    let (elements, rows) = (begin + 40, begin..begin + 40);
    let check = wrong_bytes::load(&device).unwrap().rows(rows.clone());
    each_text!(device, |name, kernel| {
        let mut chunk = device.packed::<u8>(Shape::triangle(elements).of_rows(rows.clone())).unwrap();
        kernel.rows(rows.clone()).launch(&mut chunk).unwrap();
        let mut wrong = device.sum().unwrap();
        check.launch(elements, start(begin) as u64, &chunk, &mut wrong).unwrap();
        assert_eq!(wrong.download().unwrap(), 0, "{name}");
    }, along_rows walking folded);
}

/// 5 GB, written in chunks, one of which has slots on both sides of 2³².
#[test]
fn slots_past_32_bits_in_chunks() {
    let _shared = share_memory();
    let device = gpu();
    let cut = [0, 1, 30_001, 65_536, 92_676, 92_683, 99_999, ELEMENTS];
    let check = wrong_bytes::load(&device).unwrap();
    each_text!(device, |name, kernel| {
        let mut all = device.packed::<u8>(ELEMENTS).unwrap();
        for ends in cut.windows(2) {
            kernel.rows(ends[0]..ends[1]).launch(&mut all).unwrap();
        }
        let mut wrong = device.sum().unwrap();
        check.launch(ELEMENTS, 0, &all, &mut wrong).unwrap();
        assert_eq!(wrong.download().unwrap(), 0, "{name}");
    }, along_rows one_a_pair walking folded);
}
