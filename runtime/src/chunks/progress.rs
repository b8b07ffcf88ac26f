//! How far bands have got.

/// How far bands have got: for the callback of [`Bands::progress`](super::Bands::progress).
///
/// ```
/// use td_kernel::{BandProgress, Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// /// What a person reads while a program runs.
/// fn words(done: &BandProgress) -> String {
///     let percent = 100.0 * done.values as f64 / done.of.max(1) as f64;
///     format!("{percent:.0} %, next row {}", done.next_row)
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[0.0, 1.0, 3.0, 6.0, 10.0])?;
/// let mut told = Vec::new();
/// let bands = distance::load(&device)?.bands(&x)?.height(2);
/// bands.progress(|done| told.push(words(&done))).each(|_| Ok(()))?;
/// // Later rows of a triangle are longer: most of the work is in the last ones.
/// assert_eq!(told, ["10 %, next row 2", "60 %, next row 4", "100 %, next row 5"]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BandProgress {
    /// The first row that is not done: the next band begins there.
    pub next_row: usize,
    /// The values of the bands that are done.
    pub values: usize,
    /// The values of all bands.
    pub of: usize,
}
