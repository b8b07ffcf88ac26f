//! The order of joins, shown by states that are the hashes of sequences: exact and associative, but not commutative.

use std::ops::Range;

use td_kernel::{DeviceType, Devices, Result, Target, td_kernel};

use crate::devices;

/// The hash of a sequence, and the power of the base by its length.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
struct Hash {
    hash: u64,
    power: u64,
}

const EMPTY: Hash = Hash { hash: 0, power: 1 };

fn join(a: &Hash, b: &Hash) -> Hash {
    Hash {
        hash: a.hash.wrapping_mul(b.power).wrapping_add(b.hash),
        power: a.power.wrapping_mul(b.power),
    }
}

/// Kernels of one `join`.
macro_rules! hashes {
    ($($name:ident($($parameter:tt)*) $body:literal;)*) => {
        $(#[td_kernel(prelude = r#"
        static __device__ Hash join(const Hash &a, const Hash &b)
        {
            return Hash{a.hash * b.power + b.hash, a.power * b.power};
        }
        "#)]
        unsafe fn $name($($parameter)*) {
            $body
        })*
    };
}

hashes! {
    of_elements(#[each] x: &[u32], #[each] out: &mut Reduce<Hash>) r#"
        Hash pair{1000ull * x.i + x.j, 0x100000001b3ull};
        out.i.join(pair);
        out.j.join(pair);
    "#;
    of_all(#[each] x: &[u32], out: &mut Reduce<Hash>) r#"
        out.join({1000ull * x.i + x.j, 0x100000001b3ull});
    "#;
}

/// The states of all elements, and that of all pairs.
fn states(target: &Target, n: usize, rows: Range<usize>) -> Result<Vec<Hash>> {
    let x = target.upload(&(1..=n as u32).collect::<Vec<_>>())?;
    let (mut out, mut all) = (target.reduce(n, EMPTY)?, target.reduce(1, EMPTY)?);
    of_elements::load(target)?.rows(rows.clone()).launch(&x, &mut out)?;
    of_all::load(target)?.rows(rows).launch(&x, &mut all)?;
    Ok([out.download()?, all.download()?].concat())
}

/// The states of several devices are those of one device for the rows of each, joined in their order. The devices' rows end at a
/// multiple of 32, those of the CPU's loops anywhere.
#[test]
fn devices_join_in_their_order() -> Result<()> {
    let n = 70;
    for device in devices() {
        let name = device.name().to_owned();
        let one: &Target = &device;
        let several = Devices::new([0; 3].map(|_| device.clone()))?;
        let found = states(&several, n, 0..n)?;
        assert_eq!(states(&several, n, 0..n)?, found, "{name} repeats");
        assert_eq!(states(one, n, 0..n)?, states(one, n, 0..n)?, "{name} alone repeats");
        let step = if name.contains("CPU") && !name.contains("emulator") { 1 } else { 32 };
        let cuts = || (0..n).step_by(step).chain([n]);
        // Both kernels may have other cuts.
        let mut is_found = [false; 2];
        for begin in cuts() {
            let first = states(one, n, 0..begin)?;
            for end in cuts().filter(|end| *end >= begin) {
                let (second, third) = (states(one, n, begin..end)?, states(one, n, end..n)?);
                let both = first.iter().zip(&second).map(|(a, b)| join(a, b));
                let all: Vec<_> = both.zip(&third).map(|(a, b)| join(&a, b)).collect();
                is_found[0] |= all[..n] == found[..n];
                is_found[1] |= all[n] == found[n];
            }
        }
        assert_eq!(is_found, [true; 2], "{name}");
        // Otherwise the order would not show.
        let [a, b] = [states(one, n, 0..32)?, states(one, n, 32..n)?];
        assert_ne!(join(&a[n], &b[n]), join(&b[n], &a[n]));
    }
    Ok(())
}
