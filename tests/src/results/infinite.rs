//! Exact sums of infinities, of subnormal numbers, and past the range of their type.

use td_kernel::{Result, Sums, Target, td_kernel};

macro_rules! sums {
    ($($(#[$attribute:meta])* $name:ident: $number:ident;)*) => {$(
        $(#[$attribute])*
        unsafe fn $name(
            #[each] x: &[$number],
            #[each] own: &mut Sums<$number>,
            #[each] others: &mut Sums<[$number; 2]>,
            total: &mut Sum<$number>,
        ) {
            r#"
            own.i += x.i;
            own.j += x.j;
            others.i.x += x.j;
            others.j.x += x.i;
            others.i.y -= x.j;
            others.j.y -= x.i;
            total += x.i + x.j;
            "#
        }
    )*};
}

sums! {
    #[td_kernel(deterministic = true)]
    floats: f32;
    #[td_kernel(deterministic = true)]
    doubles: f64;
    // In blocks of one thread per pair, each pair adds to the exact sums directly.
    #[td_kernel(deterministic = true, map = "rb", block = 8)]
    single_floats: f32;
    #[td_kernel(deterministic = true, map = "rb", block = 8)]
    single_doubles: f64;
}

macro_rules! checks {
    ($($check:ident: $number:ident, $bits:ident, [$($kernel:ident),*];)*) => {$(
        /// One type's kernels, at n elements.
        #[allow(clippy::float_cmp)]
        fn $check(device: &Target, n: usize) -> Result<()> {
            const INFINITY: $number = $number::INFINITY;
            // The smallest subnormal number. Every sum of it here is exact.
            let least = $number::from_bits(1);
            let ones = |odd: &[(usize, $number)]| {
                let mut x = vec![1.0; n];
                odd.iter().for_each(|(at, value)| x[*at] = *value);
                x
            };
            // In one tile, and in two, which may be on different devices.
            let (first, second, last) = (3, 4, n - 2);
            let cases = [
                ones(&[]),
                ones(&[(first, INFINITY)]),
                ones(&[(last, -INFINITY)]),
                ones(&[(first, INFINITY), (second, INFINITY)]),
                ones(&[(first, INFINITY), (second, -INFINITY)]),
                ones(&[(first, -INFINITY), (last, INFINITY)]),
                ones(&[(last, $number::NAN)]),
                vec![least; n],
                ones(&[]).iter().map(|_| -3.0 * least).collect(),
                vec![$number::MAX; n],
                vec![$number::MIN; n],
            ];
            for x in cases {
                $({
                    let name = stringify!($kernel);
                    let (mut own, mut others): (Sums<$number>, Sums<[$number; 2]>) =
                        (device.sums(n)?, device.sums(n)?);
                    let mut total = device.sum::<$number>()?;
                    let kernel = $kernel::load(device)?;
                    kernel.launch(&device.upload(&x)?, &mut own, &mut others, &mut total)?;
                    let pairs = (n - 1) as $number;
                    // The terms alone decide a sum's value, not their order.
                    let sum = |of: &dyn Fn(usize) -> bool| -> $number {
                        (0..n).filter(|at| of(*at)).map(|at| x[at]).sum()
                    };
                    // NaN does not equal any number, and zeros have one sign here.
                    let is = |found: $number, expected: $number| {
                        found.$bits() == expected.$bits() || found.is_nan() && expected.is_nan()
                    };
                    let (own, others, total) =
                        (own.download()?, others.download()?, total.download()?);
                    for at in 0..n {
                        let expected = sum(&|other| other != at);
                        assert!(
                            is(own[at], pairs * x[at]),
                            "{name}, n = {n}: own {at}: {} for {}", own[at], pairs * x[at]
                        );
                        assert!(
                            is(others[at][0], expected) && is(others[at][1], -expected),
                            "{name}, n = {n}: others {at}: {:?} for {expected}", others[at]
                        );
                    }
                    let expected = pairs * sum(&|_| true);
                    assert!(is(total, expected), "{name}, n = {n}: total {total} for {expected}");
                })*
            }
            Ok(())
        }
    )*};
}

checks! {
    check_floats: f32, to_bits, [floats, single_floats];
    check_doubles: f64, to_bits, [doubles, single_doubles];
}

/// Compares sums of infinities and of subnormal numbers with those of the host, and checks that sums past the range are
/// infinite.
pub fn check_infinite(device: &Target, n: usize) -> Result<()> {
    check_floats(device, n)?;
    check_doubles(device, n)
}
