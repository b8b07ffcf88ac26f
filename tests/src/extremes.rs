//! The greatest and the least value of all pairs, with the pair, in every map and sweep, of one set and of two.

use td_kernel::__private::{Axis, output};
use td_kernel::{Device, Max, Min, PairKernel, PartialResult, Result, Slice, Target, td_kernel};

use crate::others::{self, Others, pass};
use crate::{Choice, Sweep};

/// Values of several types, with many ties. Some pairs offer nothing or NaN.
const ITEM: &str = r##"
unsafe fn extremes(
    #[each] x: &[f32],
    OTHERS
    far: &mut Max<f32>,
    near: &mut Min<f64>,
    low: &mut Min<i8>,
    high: &mut Max<u64>,
) {
    r#"
    OTHERS
    float value = x.i + x.j;
    far.offer(value < 8 ? value : nanf(""));
    near.offer((double)value);
    low.offer((int)((3 * i + j) % 7) - 100);
    if ((i + j) % 5 == 0)
        high.offer((unsigned long long)((i * j) % 11) << 40);
    "#
}
"##;

/// The kernel for this choice. `None` for a sweep that visits pairs twice.
pub fn item(choice: &Choice) -> Option<String> {
    others::item(choice, ITEM)
}

/// The element of an index.
fn element(k: u32) -> f32 {
    (k * 7 % 10) as f32 - 4.0
}

/// The first of the pairs with the best value.
fn best<T: Copy>(
    pairs: &[[u32; 2]],
    value: impl Fn(u32, u32) -> Option<T>,
    is_better: impl Fn(T, T) -> bool,
) -> Option<(T, u32, u32)> {
    let mut best: Option<(T, u32, u32)> = None;
    // The pairs are in order, so a later one of equal value is larger.
    for &[i, j] in pairs {
        let Some(value) = value(i, j) else { continue };
        if best.is_none_or(|(best, ..)| is_better(value, best)) {
            best = Some((value, i, j));
        }
    }
    best
}

/// The results of a launch.
struct Four {
    far: Max<f32>,
    near: Min<f64>,
    low: Min<i8>,
    high: Max<u64>,
}

impl Four {
    fn new(target: &Target) -> Result<Four> {
        Ok(Four {
            far: target.max()?,
            near: target.min()?,
            low: target.min()?,
            high: target.max()?,
        })
    }

    fn check(&self, pairs: &[[u32; 2]], context: &str) -> Result<()> {
        let value = |i, j| element(i) + element(j);
        let far = best(pairs, |i, j| Some(value(i, j)).filter(|value| *value < 8.0), |a, b| a > b);
        assert_eq!(self.far.download()?, far, "{context}: floats");
        let near = best(pairs, |i, j| Some(f64::from(value(i, j))), |a, b| a < b);
        assert_eq!(self.near.download()?, near, "{context}: doubles");
        let low = best(pairs, |i, j| Some(((3 * i + j) % 7) as i8 - 100), |a, b| a < b);
        assert_eq!(self.low.download()?, low, "{context}: small integers");
        let of_few = |i, j| ((i + j) % 5 == 0).then_some(u64::from((i * j) % 11) << 40);
        let high = best(pairs, of_few, |a, b| a > b);
        assert_eq!(self.high.download()?, high, "{context}: large integers");
        let mut words = self.far.to_bits()?;
        self.far.join(&mut words, &self.far.to_bits()?)?;
        assert_eq!(self.far.finish(&words)?, far, "{context}: words");
        Ok(())
    }
}

/// Runs the kernel over `n` elements, and compares each result.
pub fn check(device: &Device, choice: &Choice, sizes: &[usize]) -> Result<()> {
    let Some(item) = item(choice) else { return Ok(()) };
    let kernel = choice.load(device, "extremes", &item)?;
    for &n in sizes {
        let context = format!("{choice:?}, n = {n}, on {}", device.name());
        let pairs: Vec<_> = choice.visited(n).map(|(i, j)| [i as u32, j as u32]).collect();
        let x = device.upload(&(0..n as u32).map(element).collect::<Vec<_>>())?;
        let mut four = Four::new(device)?;
        let mut others = Others::new(device, choice, n)?;
        let mut launch = kernel.launch();
        pass!(launch, choice, others, &x);
        launch.bind(Axis::All, "far", &mut four.far)?;
        launch.bind(Axis::All, "near", &mut four.near)?;
        launch.bind(Axis::All, "low", &mut four.low)?;
        launch.bind(Axis::All, "high", &mut four.high)?;
        // SAFETY: the parameters of the item, in its order and with its types.
        unsafe { launch.run() }?;
        four.check(&pairs, &context)?;
    }
    Ok(())
}

/// Kernels of one body, each with its parameters and the pair's value.
macro_rules! kernels {
    ($($keys:tt $name:ident($($parameter:tt)*) $body:literal;)*) => {$(
        #[td_kernel $keys]
        unsafe fn $name(
            $($parameter)*
            far: &mut Max<f32>,
            near: &mut Min<f64>,
            low: &mut Min<i8>,
            high: &mut Max<u64>,
        ) {
            $body
        }
    )*};
}

kernels! {
    (map = "auto") of_one(#[each] x: &[f32],) r#"
    float value = x.i + x.j;
    if (value < 8)
        far.offer(value);
    near.offer(value);
    low.offer((int)((3 * i + j) % 7) - 100);
    if ((i + j) % 5 == 0)
        high.offer((unsigned long long)((i * j) % 11) << 40);
    "#;
    () of_two(#[row] x: &[f32], #[column] y: &[f32],) r#"
    float value = x + y;
    if (value < 8)
        far.offer(value);
    near.offer(value);
    low.offer((int)((3 * i + j) % 7) - 100);
    if ((i + j) % 5 == 0)
        high.offer((unsigned long long)((i * j) % 11) << 40);
    "#;
    () products_of_one(#[each] _p: &Features<f32>, #[each] x: &[f32], #[dot] dot: f32,) r#"
    float value = x.i + x.j + (dot - 3);
    if (value < 8)
        far.offer(value);
    near.offer(value);
    low.offer((int)((3 * i + j) % 7) - 100);
    if ((i + j) % 5 == 0)
        high.offer((unsigned long long)((i * j) % 11) << 40);
    "#;
}

/// The pairs of one set, or of two.
fn pairs(n: usize, columns: Option<usize>) -> Vec<[u32; 2]> {
    (0..n).flat_map(|i| (0..columns.unwrap_or(i)).map(move |j| [i as u32, j as u32])).collect()
}

/// Runs kernels of one set and of two, each whole and in two ranges of rows.
pub fn check_sets(target: &Target, sizes: &[[usize; 2]]) -> Result<()> {
    for &[n, columns] in sizes {
        let elements = |n: usize| (0..n as u32).map(element).collect::<Vec<_>>();
        let (x, y) = (target.upload(&elements(n))?, target.upload(&elements(columns))?);
        let p = target.features(&vec![1.0_f32; 3 * n], 3)?;
        macro_rules! check {
            ($kernel:ident, $pairs:expr, $($argument:expr),+) => {
                let kernel = $kernel::load(target)?;
                let context = format!("{}, {n} x {columns}", $kernel::NAME);
                let mut four = Four::new(target)?;
                let Four { far, near, low, high } = &mut four;
                kernel.launch($($argument),+, far, near, low, high)?;
                four.check(&$pairs, &context)?;
                let mut four = Four::new(target)?;
                let Four { far, near, low, high } = &mut four;
                let middle = (n / 3 + 1).min(n);
                for rows in [middle..n, 0..middle] {
                    kernel.rows(rows).launch($($argument),+, far, near, low, high)?;
                }
                four.check(&$pairs, &format!("{context}, in ranges"))?;
            };
        }
        check!(of_one, pairs(n, None), &x);
        check!(of_two, pairs(n, Some(columns)), &x, &y);
        check!(products_of_one, pairs(n, None), &p, &x);
    }
    Ok(())
}

/// A value at the end of its type's range, and -0.
#[td_kernel]
unsafe fn of_ends(#[each] x: &[f32], y: &[i32], far: &mut Max<f32>, low: &mut Max<i32>) {
    r#"
    far.offer(x.i);
    low.offer(y[i]);
    "#
}

/// The smallest values of their types are values, too.
pub fn check_ends(device: &Device) -> Result<()> {
    let kernel = of_ends::load(device)?;
    let (mut far, mut low) = (device.max()?, device.max()?);
    let x = device.upload(&[f32::NEG_INFINITY; 4])?;
    kernel.launch(&x, &device.upload(&[i32::MIN; 4])?, &mut far, &mut low)?;
    let found = (far.download()?, low.download()?);
    assert_eq!(found, (Some((f32::NEG_INFINITY, 1, 0)), Some((i32::MIN, 1, 0))));
    let x = device.upload(&[0.0, f32::NAN, -0.0, 0.0])?;
    kernel.launch(&x, &device.upload(&[0, -5, -5, -6])?, &mut far, &mut low)?;
    assert_eq!((far.download()?, low.download()?), (Some((0.0, 2, 0)), Some((-5, 1, 0))));
    far.clear()?;
    assert_eq!(far.download()?, None);
    Ok(())
}
