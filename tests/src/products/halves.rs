//! Products of 16-bit features, of one set and of two.

use td_kernel::half::{bf16, f16};
use td_kernel::{Device, Result, td_kernel};

use super::host::{Bound, Product, Rows, check_pairs};

#[td_kernel]
pub unsafe fn of_f16(#[each] p: &Features<f16>, #[dot] dot: f32, value: &mut Packed<[f32; 2]>) {
    r#" value.x = dot; value.y = dot_error; "#
}

#[td_kernel]
pub unsafe fn of_bf16(
    #[row] q: &Features<bf16>,
    #[column] p: &Features<bf16>,
    #[dot] dot: f32,
    value: &mut Matrix<[f32; 2]>,
) {
    r#" value.x = dot; value.y = dot_error; "#
}

/// All pairs of rows that are rounded to each of the two types, compared with double precision.
pub(super) fn check(device: &Device, rows: &Rows, place: &str) -> Result<()> {
    let split = [of_f16::SOURCES, of_bf16::SOURCES].concat();
    assert!(!split.iter().any(|source| source.contains("td_multiply_split")));
    let (n, width) = (rows.len(), rows.width);
    let halves: Vec<_> = rows.values.iter().map(|x| f16::from_f32(*x)).collect();
    let mut value = device.packed(n)?;
    of_f16::load(device)?.launch(&device.features(&halves, width)?, &mut value)?;
    let pairs: Vec<_> = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
    let rounded = Rows { values: halves.iter().map(|x| x.to_f32()).collect(), width };
    let products = value.download()?;
    let found: &[Product] = products.as_slice();
    check_pairs(&pairs, found, [&rounded, &rounded], Bound::Halves, &format!("f16, {place}"));

    let halves: Vec<_> = rows.values.iter().map(|x| bf16::from_f32(*x)).collect();
    let (p, mut value) = (device.features(&halves, width)?, device.matrix((n, n))?);
    of_bf16::load(device)?.launch(&p, &p, &mut value)?;
    let pairs: Vec<_> = (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).collect();
    let rounded = Rows { values: halves.iter().map(|x| x.to_f32()).collect(), width };
    let products = value.download()?;
    let found: &[Product] = products.as_slice();
    check_pairs(&pairs, found, [&rounded, &rounded], Bound::Halves, &format!("bf16, {place}"));
    Ok(())
}
