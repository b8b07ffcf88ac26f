//! Vectors that may be more than the machine has.

use crate::Result;

/// The first `count` of these values. Memory is asked for first, since a vector that grows ends the process where
/// there is none.
///
/// # Errors
///
/// There is not enough memory.
pub fn collect<T>(count: usize, values: impl IntoIterator<Item = T>) -> Result<Vec<T>> {
    let mut all = Vec::new();
    let needed = count.saturating_mul(size_of::<T>());
    all.try_reserve_exact(count).map_err(|_| td_kernel::Error::HostMemory { needed })?;
    all.extend(values.into_iter().take(count));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_asked_for_are_taken_or_it_is_an_error() {
        assert_eq!(collect(3, 0..).unwrap(), [0, 1, 2]);
        assert_eq!(collect(3, [7]).unwrap(), [7]);
        let error = collect(usize::MAX, 0_u64..).unwrap_err().to_string();
        assert!(error.starts_with("not enough memory on the host"), "{error}");
    }
}
