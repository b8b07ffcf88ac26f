//! Kernels whose elements have features: the additions to the tests of all sweeps.

use td_kernel::__private::Sweep;
use td_kernel::{Device, Features, Result};

/// The item, in the sweep `fold`: its elements have features too, and a pair with a wrong fold counts as wrong, or does
/// nothing. In other sweeps the item is unchanged.
///
/// A pair's fold of `3 * f.i + f.j + k` follows from i, j and the number of features.
pub fn item(item: &str, sweep: Sweep) -> String {
    if sweep != Sweep::Fold || item.contains("let feature") {
        return item.to_owned();
    }
    let is_counted = item.contains("wrong: &mut Sum<");
    let count = if is_counted { "{ wrong += 1; return; }" } else { "return;" };
    let (name, rest) = item.split_once('(').unwrap_or((item, ""));
    let (others, rest) = rest.split_once("r#\"").unwrap_or((rest, ""));
    let (body, end) = rest.rsplit_once("\"#").unwrap_or((rest, ""));
    // The terms of i and j once for each feature, and those of k: 3 * 5 + 5 + 1 for each.
    format!(
        "{name}(#[each] own: &Features<u32>, #[fold] folded: u32, {others} let feature = r#\" folded += 3 * own.i + own.j + k; \"#;
    let pair = r#\"
    if (folded != features * (3 * i + j) + 21 * (features * (features - 1) / 2))
        {count}
    {body}\"#;{end}"
    )
}

/// The features that [`item`] adds, in the sweep `fold`. Feature k of element e is e + 5 k.
pub fn added(device: &Device, sweep: Sweep, n: usize) -> Result<Option<Features<u32>>> {
    if sweep != Sweep::Fold {
        return Ok(None);
    }
    // Widths of less than a word, of whole chunks, and of several chunks and a remainder, by turns.
    let width = [5, 1, 16, 37, 2, 32, 19][n % 7];
    let values = (0..n).flat_map(|e| (0..width).map(move |k| (e + 5 * k) as u32));
    device.features(&values.collect::<Vec<_>>(), width).map(Some)
}
