//! States that a function of the prelude joins: in chunks, and in the same order each time.

mod order;

use td_kernel::{DeviceType, Devices, Result, Target, td_kernel};

use super::devices;

/// How many pairs were joined, and the sum of their numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceType)]
struct Count {
    pairs: u32,
    numbers: u64,
}

macro_rules! counts {
    ($($name:ident $(<$key:ident = $value:literal>)? ($($parameter:tt)*) $body:literal;)*) => {
        $(#[td_kernel($($key = $value,)? prelude = r#"
        static __device__ Count join(const Count &a, const Count &b)
        {
            return Count{a.pairs + b.pairs, a.numbers + b.numbers};
        }
        "#)]
        unsafe fn $name($($parameter)*) {
            $body
        })*
    };
}

counts! {
    of_all(#[each] x: &[u32], out: &mut Reduce<Count>) r#" out.join({1, x.i + x.j}); "#;
    of_all_in_box<map = "bb">(#[each] x: &[u32], out: &mut Reduce<Count>) r#" out.join({1, x.i + x.j}); "#;
    beside_values(#[each] x: &[u32], value: &mut Packed<u32>, out: &mut Reduce<Count>) r#" value = x.i + x.j; out.join({1, x.i + x.j}); "#;
}

#[test]
fn chunks_are_joined() -> Result<()> {
    for device in devices() {
        let several = Devices::new(vec![device.clone(); 2])?;
        let targets: [&Target; 2] = [&device, &several];
        for target in targets {
            let x = target.upload(&(0..200).collect::<Vec<u32>>())?;
            let (mut out, mut sum) = (target.reduce(1, Count::default())?, 0);
            beside_values::load(target)?.chunks(&x, &mut out)?.height(30).each(|chunk| {
                sum += chunk.values.iter().map(|value| u64::from(*value)).sum::<u64>();
                Ok(())
            })?;
            let numbers = (0..200).map(|i| i * 199).sum();
            assert_eq!((out.download()?, sum), (vec![Count { pairs: 19_900, numbers }], numbers));
        }
    }
    Ok(())
}

/// A block outside of the triangle has no state, also where a larger launch had one.
#[test]
fn smaller_launches_are_joined() -> Result<()> {
    for device in devices() {
        let (mut out, mut expected) = (device.reduce(1, Count::default())?, Count::default());
        for n in [600, 512] {
            let x = device.upload(&(0..n).collect::<Vec<u32>>())?;
            of_all_in_box::load(&device)?.launch(&x, &mut out)?;
            let pairs = n * (n - 1) / 2;
            expected.pairs += pairs;
            expected.numbers += u64::from(pairs) * u64::from(n - 1);
        }
        assert_eq!(out.download()?, [expected], "{}", device.name());
    }
    Ok(())
}

#[test]
fn wrong_launches_are_refused() -> Result<()> {
    for device in devices() {
        let (x, mut out) = (device.upload(&[0, 1, 2])?, device.reduce(3, Count::default())?);
        assert_errors! { of_all::load(&device)?.launch(&x, &mut out) => "write `device.reduce(1, start)`"; }
    }
    Ok(())
}
