//! Tests which variants remain if a block has too little shared memory.

use super::{SHARED, Variant, fitting, samples};

const fn of(shared: usize) -> Variant {
    Variant { shared, ..samples::variant(&"", "ltm") }
}

/// The indices of the remaining variants.
fn left(sizes: [usize; 4], optional: usize, fallbacks: usize) -> &'static [usize] {
    fitting(&[0, 1, 2, 3], &sizes.map(of), optional, fallbacks)
}

#[test]
fn oversized_tiles_are_left_out() {
    const LARGE: usize = SHARED + 1;
    assert_eq!(left([SHARED, 1, 1, 1], 0, 0), [0, 1, 2, 3]);
    assert_eq!(left([SHARED, 1, 1, 1], 0, 1), [0, 1, 2]);
    assert_eq!(left([LARGE, SHARED, 1, 1], 0, 1), [1, 2]);
    assert_eq!(left([LARGE, 1, LARGE, 1], 0, 1), [3]);
    assert_eq!(left([LARGE, LARGE, LARGE, SHARED], 0, 1), [3]);
    // Optional variants are dropped together.
    assert_eq!(left([LARGE, 1, 1, 1], 2, 0), [2, 3]);
    assert_eq!(left([LARGE, 1, 1, 1], 2, 1), [2]);
    assert_eq!(left([1, LARGE, 1, 1], 2, 1), [2]);
    assert_eq!(left([LARGE, 1, LARGE, 1], 2, 1), [3]);
    assert_eq!(left([1, 1, 1, 1], 2, 1), [0, 1, 2]);
}

#[test]
#[should_panic(expected = "48 KiB of shared memory")]
fn too_little_shared_memory_is_an_error() {
    left([SHARED + 1; 4], 0, 1);
}
