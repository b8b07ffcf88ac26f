//! Counts pairs.

/// The number of pairs of `elements` elements, if it fits.
pub(crate) fn pairs(elements: usize, diagonal: bool) -> Option<usize> {
    match diagonal {
        true => elements.checked_mul(elements.checked_add(1)?).map(|twice| twice / 2),
        false => elements.checked_mul(elements.saturating_sub(1)).map(|twice| twice / 2),
    }
}

/// The n with n (n - 1) / 2 = `count`, if there is one. For `count` = 0, where n is 0 or 1, it is 1.
pub(crate) fn triangle_root(count: usize) -> Option<usize> {
    // From n² - n - 2 count = 0: if n exists, the root of the discriminant is odd.
    let n = (1 + 8 * count as u128).isqrt().div_ceil(2);
    let n = usize::try_from(n).ok()?;
    (pairs(n, false) == Some(count)).then_some(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflowing_counts_are_none() {
        assert_eq!(pairs(usize::MAX, true), None);
        assert_eq!(pairs(0, false), Some(0));
        assert_eq!(triangle_root(usize::MAX), None);
        assert_eq!(triangle_root(0), Some(1));
    }
}
