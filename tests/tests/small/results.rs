//! Results of elements, run on the CPU: sums, minima and maxima, in every sweep, map and tile, over all pairs and in chunks.

use td_kernel::testing::{self, Failure};
use td_kernel::{Device, Devices, td_kernel};
use td_kernel_tests::covering::{chosen, turns, with_turns};
use td_kernel_tests::rectangle::{SIZES, chosen_halves};
use td_kernel_tests::results::{
    check, check_exact, check_infinite, check_rectangle, choices, properties, rectangle_choices,
};

use super::{and_large, devices, each, simt};

#[test]
fn results_of_one_set() {
    let device = simt();
    let sizes = [0, 1, 2, 31, 33, 97, 257];
    let all = with_turns(&choices(), turns(2));
    let chosen = chosen(&all, properties);
    each(&chosen, |(choice, turn)| check(&device, choice, *turn, &sizes).unwrap());
    // The CPU's loops are the same for every choice.
    for turn in turns(2) {
        check(&devices()[0], &chosen[0].0, turn, &sizes).unwrap();
    }
}

#[test]
fn results_of_two_sets() {
    let device = simt();
    let choices = rectangle_choices();
    each(&chosen_halves(&choices), |(choice, sizes)| {
        check_rectangle(&device, choice, sizes).unwrap();
    });
    check_rectangle(&devices()[0], &choices[0], SIZES).unwrap();
}

/// The CPU runs parts of the rows, and its emulator blocks, on all threads of the machine, in an order that changes.
#[test]
fn exact_sums_are_reproducible() {
    for device in devices() {
        for n in [1, 2, 33, 1000] {
            check_exact(&device, n, 5).unwrap();
        }
    }
}

/// The product of a symmetric matrix and a vector, as users write it, in each sweep.
macro_rules! products {
    ($($name:ident: ($($keys:tt)*);)*) => {
        $(#[td_kernel(diagonal = true, $($keys)*)]
        unsafe fn $name(
            #[each] x: &[f32],
            #[each] v: &[f32],
            #[each] whole: &mut Sums<i32>,
            #[each] pairs: &mut Sums<[f32; 2]>,
            #[each] product: &mut Sums<f32>,
        ) {
            r#"
            const float w = 1 / (1 + fabsf(x.i - x.j));
            product.i += w * v.j;
            product.j += w * v.i;
            whole.i += 1;
            whole.j += 1;
            pairs.i += make_float2(1, 2);
            pairs.j -= make_float2(-1, -2);
            "#
        })*

        /// The results of each kernel for these elements.
        fn products_of(device: &Device, x: &[f32], v: &[f32]) -> Vec<Products> {
            let (n, mut found) = (x.len(), Vec::new());
            let (x, v) = (device.upload(x).unwrap(), device.upload(v).unwrap());
            $(for text in 0..$name::SOURCES.len() {
                let kernel = $name { kernel: $name::load(device).unwrap().kernel.pin(text) };
                let mut whole = device.sums(n).unwrap();
                let mut pairs = device.sums(n).unwrap();
                let mut product = device.sums(n).unwrap();
                kernel.launch(&x, &v, &mut whole, &mut pairs, &mut product).unwrap();
                found.push((
                    concat!(stringify!($name)),
                    whole.download().unwrap(),
                    pairs.download().unwrap(),
                    product.download().unwrap(),
                ));
            })*
            found
        }
    };
}

type Products = (&'static str, Vec<i32>, Vec<[f32; 2]>, Vec<f32>);

products! {
    of_tiles: ();
    of_small_tiles: (tile = 32);
    of_blocks: (tile = 0);
    of_threads: (tile = 0, space = "thread", map = "rb");
    in_order: (deterministic = true);
}

/// The same for features.
#[td_kernel(diagonal = true)]
unsafe fn of_features(
    #[each] x: &Features<f32>,
    #[fold] s: f32,
    #[each] v: &[f32],
    #[each] product: &mut Sums<f32>,
) {
    let feature = r#" s += fabsf(x.i - x.j); "#;
    let pair = r#" product.i += v.j / (1 + s); product.j += v.i / (1 + s); "#;
}

/// The same, with pairs that a lower bound excludes.
#[td_kernel(diagonal = true)]
unsafe fn filtered(
    #[each] x: &Features<f32>,
    #[fold] s: f32,
    #[each] v: &[f32],
    #[each] product: &mut Sums<f32>,
) {
    let feature = r#" s += fabsf(x.i - x.j); "#;
    let pair = r#" product.i += v.j / (1 + s); product.j += v.i / (1 + s); "#;
    let lower_bound = r#" dot_upper < -1e30f ? 1.0f : 0.0f "#;
}

#[test]
fn diagonal_pairs_add_once() {
    for device in devices() {
        for n in [1, 3, 33, 130, 300] {
            let x: Vec<f32> = (0..n).map(|k| if n == 3 { 0.0 } else { k as f32 }).collect();
            let v: Vec<f32> = (0..n).map(|k| if n == 3 { 1.0 } else { (k % 5) as f32 }).collect();
            let term =
                |i: usize, j: usize| f64::from(v[j]) / (1.0 + f64::from((x[i] - x[j]).abs()));
            let expected: Vec<f64> = (0..n).map(|i| (0..n).map(|j| term(i, j)).sum()).collect();
            let is_near = |found: &[f32]| {
                found
                    .iter()
                    .zip(&expected)
                    .all(|(found, expected)| (f64::from(*found) - expected).abs() < 1e-4)
            };
            for (name, whole, pairs, product) in products_of(&device, &x, &v) {
                let place = format!("{name}, n = {n}, on {}", device.name());
                assert_eq!(whole, vec![n as i32; n], "{place}");
                assert_eq!(pairs, vec![[n as f32, 2.0 * n as f32]; n], "{place}");
                assert!(is_near(&product), "{place}: {product:?} for {expected:?}");
            }
            let features = device.features(&x, 1).unwrap();
            let v = device.upload(&v).unwrap();
            for text in 0..of_features::SOURCES.len() {
                let kernel =
                    of_features { kernel: of_features::load(&device).unwrap().kernel.pin(text) };
                let mut product = device.sums(n).unwrap();
                kernel.launch(&features, &v, &mut product).unwrap();
                assert!(
                    is_near(&product.download().unwrap()),
                    "features {text}, n = {n}, on {}",
                    device.name()
                );
            }
            for text in 0..filtered::SOURCES.len() {
                let kernel = filtered { kernel: filtered::load(&device).unwrap().kernel.pin(text) };
                let mut product = device.sums(n).unwrap();
                kernel.launch(&features, &v, &mut product).unwrap();
                assert!(
                    is_near(&product.download().unwrap()),
                    "filtered {text}, n = {n}, on {}",
                    device.name()
                );
            }
        }
    }
}

#[test]
fn exact_sums_of_infinities_and_subnormals() {
    for device in devices() {
        for n in and_large(&[7, 40, 300], &[1000]) {
            check_infinite(&device, n).unwrap();
            check_infinite(&Devices::new([device.clone(), device.clone()]).unwrap(), n).unwrap();
        }
    }
}

/// Slots, lists and totals beside results of elements: each thread then adds its own pair.
#[td_kernel]
unsafe fn beside_packed(
    #[each] x: &[i32],
    product: &mut Packed<i32>,
    #[each] sum: &mut Sums<i32>,
    #[each] nearest: &mut Minima<(i32, u32)>,
    odd: &mut Pairs,
    total: &mut Sum<i64>,
) {
    r#"
    product = x.i * x.j;
    sum.i += x.j - x.i;
    sum.j += x.i - x.j;
    nearest.offer(abs(x.i - x.j));
    total += product;
    if (product % 2) odd.push();
    "#
}

#[test]
fn slots_lists_and_totals_beside_results() {
    let device = devices().remove(0);
    for n in [0, 1, 2, 100, 131] {
        let host: Vec<i32> = (0..n).map(|k| k * 37 % 101 - 50).collect();
        let x = device.upload(&host).unwrap();
        let n = host.len();
        let mut product = device.packed(n).unwrap();
        let (mut sum, mut nearest) = (device.sums(n).unwrap(), device.minima(n).unwrap());
        let (mut odd, mut total) = (device.pairs(n * n).unwrap(), device.sum().unwrap());
        let kernel = beside_packed::load(&device).unwrap();
        kernel.launch(&x, &mut product, &mut sum, &mut nearest, &mut odd, &mut total).unwrap();
        let (product, sum, nearest) =
            (product.download().unwrap(), sum.download().unwrap(), nearest.download().unwrap());
        let mut all = 0;
        for i in 0..n {
            let others = || (0..n).filter(move |j| *j != i);
            assert_eq!(sum[i], others().map(|j| host[j] - host[i]).sum::<i32>());
            let near = others().map(|j| ((host[i] - host[j]).abs(), j as u32)).min();
            assert_eq!(nearest[i], near);
            for j in 0..i {
                assert_eq!(product.get(i, j), Some(&(host[i] * host[j])));
                all += i64::from(host[i] * host[j]);
            }
        }
        assert_eq!(total.download().unwrap(), all);
        let is_odd = |k: &&i32| **k % 2 != 0;
        let odd_numbers = host.iter().filter(is_odd).count();
        assert_eq!(odd.count().unwrap() as usize, odd_numbers * odd_numbers.saturating_sub(1) / 2);
    }
}

/// The extreme values of a type are values too.
#[td_kernel]
unsafe fn extremes(
    #[each] x: &[f32],
    #[each] far: &mut Maxima<(u32, u32)>,
    #[each] near: &mut Minima<(f32, u32)>,
    #[each] small: &mut Minima<(u8, u32)>,
) {
    r#"
    far.offer(0u);
    near.offer(x.i / 0.0f);
    small.offer(256 + 7);
    "#
}

#[td_kernel]
unsafe fn infinite(#[row] x: &[f32], #[column] y: &[f32], #[row] near: &mut Minima<(f32, u32)>) {
    r#" near.offer(y > 4 ? x / 0.0f : nanf("")); "#
}

#[test]
fn extreme_values_keep_their_index() {
    let device = devices().remove(0);
    let x = device.upload(&[1.0_f32, 2.0, 3.0]).unwrap();
    let (mut far, mut near) = (device.maxima(3).unwrap(), device.minima(3).unwrap());
    let mut small = device.minima(3).unwrap();
    let kernel = extremes::load(&device).unwrap();
    kernel.launch(&x, &mut far, &mut near, &mut small).unwrap();
    assert_eq!(far.download().unwrap(), [Some((0, 1)), Some((0, 0)), Some((0, 0))]);
    let infinite_and = |index| Some((f32::INFINITY, index));
    assert_eq!(near.download().unwrap(), [1, 0, 0].map(infinite_and));
    assert_eq!(small.download().unwrap(), [Some((7, 1)), Some((7, 0)), Some((7, 0))]);
    let y = device.upload(&(0..300).map(|k| (k % 9) as f32).collect::<Vec<_>>()).unwrap();
    let mut near = device.minima(3).unwrap();
    infinite::load(&device).unwrap().launch(&x, &y, &mut near).unwrap();
    assert_eq!(near.download().unwrap(), [infinite_and(5); 3]);
}

#[td_kernel]
unsafe fn degrees(
    #[each] x: &[i32],
    #[each] degree: &mut Sums<u32>,
    #[each] most: &mut Maxima<i32>,
) {
    r#" if (x.i % 3 == x.j % 3) { degree.i += 1; degree.j += 1; } most.offer(x.i + x.j); "#
}

#[test]
fn testing_compares_results() -> Result<(), Failure> {
    let x: Vec<i32> = (0..90).collect();
    let degree = |device: &Device, degree: &mut _| {
        let mut most = device.maxima(x.len())?;
        degrees::load(device)?.launch(&device.upload(&x)?, degree, &mut most)
    };
    testing::sums(x.len(), degree)?.equals(|_| 29)?;
    let failure = testing::sums(x.len(), degree)?.equals(|i| if i == 7 { 30 } else { 29 });
    let message = failure.unwrap_err().to_string();
    assert!(message.contains("element 7 got 29, but 30 was expected; 1 of 90"), "{message}");
    testing::maxima(x.len(), |device, most| {
        let mut degree = device.sums(x.len())?;
        degrees::load(device)?.launch(&device.upload(&x)?, &mut degree, most)
    })?
    .equals(|i| if i == 89 { 177 } else { i as i32 + 89 })
}
