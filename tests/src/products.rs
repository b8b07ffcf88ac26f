//! Products of features: every output, compared with double precision and with each other; and rows whose products are hard to
//! compute.

mod bytes;
mod halves;
mod host;
#[macro_use]
mod kernels;
mod nearest;
mod quick;
mod rows;

pub use self::halves::{of_bf16, of_f16};
use td_kernel::{Device, Result, Target};

use self::bytes::Bytes;
use self::host::{Bound, Rows, check_pairs};
use self::kernels::{of_one_set, of_two_sets, with_diagonal};
use self::rows::{hard, uniform, worst};

/// The pairs with a product above this are counted and listed: about one in five.
fn limit(width: usize) -> f32 {
    (width as f32).sqrt() / 15.0
}

/// Every output at these sizes and widths, of one set and of two, in one launch and in ranges of rows.
pub fn check_outputs(device: &Device, sizes: &[[usize; 3]]) -> Result<()> {
    for &[rows, columns, width] in sizes {
        let (a, b) = (uniform(rows + width, rows, width), uniform(columns + 7, columns, width));
        let place = format!("{rows} x {columns}, width {width}, {}", device.name());
        of_one_set::check(device, &a, limit(width), &place)?;
        with_diagonal::check(device, &a, limit(width), &place)?;
        of_two_sets::check(device, [&a, &b], limit(width), &place)?;
    }
    Ok(())
}

/// Kernels with the body `quick` at these sizes and widths, also with rows that tensor cores do not multiply.
pub fn check_quick(device: &Device, sizes: &[[usize; 3]]) -> Result<()> {
    for &[rows, columns, width] in sizes {
        let (a, b) = (uniform(rows + width, rows, width), uniform(columns + 7, columns, width));
        let place = format!("{rows} x {columns}, width {width}, {}", device.name());
        quick::of_one_set::check(device, &a, limit(width), &place)?;
        quick::with_diagonal::check(device, &a, limit(width), &place)?;
        quick::check_two_sets(device, [&a, &b])?;
        quick::check_hard_rows(device, &hard(rows, width))?;
    }
    Ok(())
}

/// Nearest neighbours by products, at these sizes and widths.
pub fn check_nearest(target: &Target, sizes: &[[usize; 3]]) -> Result<()> {
    sizes.iter().try_for_each(|size| nearest::check(target, *size))
}

/// Products of 8-bit integers, at these sizes and widths.
pub fn check_bytes(device: &Device, sizes: &[[usize; 3]]) -> Result<()> {
    for &[rows, columns, width] in sizes {
        let [a, b] = [(rows, 1), (columns, 2)].map(|(count, seed)| Bytes::new(seed, count, width));
        bytes::check(device, [&a, &b])?;
    }
    Ok(())
}

/// Rows that tensor cores do not multiply, and rows at the ends of what they multiply, beside others in the same tile. The
/// first have the bits of a sum of floats.
pub fn check_hard_rows(device: &Device, n: usize, widths: &[usize]) -> Result<()> {
    for &width in widths {
        let (a, b) = (hard(n, width), hard(n / 2 + 3, width));
        let place = format!("hard rows, width {width}, {}", device.name());
        check_products(device, [&a, &b], &place)?;
    }
    Ok(())
}

/// Rows whose sums tensor cores truncate most, in every kind of features.
pub fn check_worst_rows(device: &Device, widths: &[usize]) -> Result<()> {
    for &width in widths {
        let rows = worst(width);
        let place = format!("worst rows, width {width}, {}", device.name());
        check_products(device, [&rows, &rows], &place)?;
        halves::check(device, &rows, &place)?;
    }
    Ok(())
}

/// The products of one set and of two, which have the same bits for the same rows.
fn check_products(device: &Device, [a, b]: [&Rows; 2], place: &str) -> Result<()> {
    let (pairs, dots) = with_diagonal::dots(device, a)?;
    check_pairs(&pairs, &dots, [a, a], Bound::Floats, place);
    let (without, of_others) = of_one_set::dots(device, a)?;
    let others = pairs.iter().zip(&dots).filter(|((i, j), _)| i != j);
    for ((pair, one), (_, other)) in without.iter().zip(&of_others).zip(others) {
        let is_same = one.map(f32::to_bits) == other.map(f32::to_bits);
        assert!(is_same || one[0].is_nan(), "{place}: {pair:?} differs with the diagonal");
    }
    let (pairs_of_two, of_two) = of_two_sets::dots(device, [a, b])?;
    check_pairs(&pairs_of_two, &of_two, [a, b], Bound::Floats, place);
    let (pairs_of_two, of_two) = match std::ptr::eq(a, b) {
        true => (pairs_of_two, of_two),
        false => of_two_sets::dots(device, [a, a])?,
    };
    let below = pairs_of_two.iter().zip(&of_two).filter(|((i, j), _)| j <= i);
    for ((pair, one), (_, two)) in pairs.iter().zip(&dots).zip(below) {
        let is_same = one[0].to_bits() == two[0].to_bits() || one[0].is_nan() && two[0].is_nan();
        assert!(is_same, "{place}: {pair:?} has {one:?} in one set and {two:?} in two");
    }
    Ok(())
}
