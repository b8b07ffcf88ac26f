//! Every number and every vector, sent to a kernel and back.

use td_kernel::__private::{Axis, output};
use td_kernel::half::{bf16, f16};
use td_kernel::{Device, DeviceType, Slice};

use crate::Choice;

/// Sends values of every number and vector through a kernel on `device`.
pub fn check(device: &Device) {
    round_trip(device, "f32", [1.5f32, -2.25, f32::MIN_POSITIVE, f32::MAX]);
    round_trip(device, "f64", [1.5f64, -2.25, f64::MIN_POSITIVE, f64::MAX]);
    round_trip(device, "i8", [i8::MIN, -1, 7, i8::MAX]);
    round_trip(device, "u8", [0, 1, 128, u8::MAX]);
    round_trip(device, "i16", [i16::MIN, -1, 7, i16::MAX]);
    round_trip(device, "u16", [0, 1, 1 << 15, u16::MAX]);
    round_trip(device, "f16", [1.5, -2.25, 6.1e-5, 65504.0].map(f16::from_f32));
    round_trip(device, "half::bf16", [1.5, -2.25, 1.2e-38, 3.3e38].map(bf16::from_f32));
    round_trip(device, "i32", [i32::MIN, -1, 7, i32::MAX]);
    round_trip(device, "u32", [0, 1, 1 << 31, u32::MAX]);
    round_trip(device, "i64", [i64::MIN, -1, 7, i64::MAX]);
    round_trip(device, "u64", [0, 1, 1 << 63, u64::MAX]);
}

/// Sends a value of T and of its vectors to a kernel and back.
#[allow(clippy::unwrap_used)]
fn round_trip<T: DeviceType + PartialEq + std::fmt::Debug>(
    device: &Device,
    rust: &str,
    values: [T; 4],
) where
    [T; 2]: DeviceType,
    [T; 3]: DeviceType,
    [T; 4]: DeviceType,
{
    let item = format!(
        r##"unsafe fn trip(
            #[each] a: &[{rust}], #[each] b: &[[{rust}; 2]], #[each] c: &[[{rust}; 3]], #[each] d: &[[{rust}; 4]],
            s: {rust},
            e: &mut Packed<{rust}>, f: &mut Packed<[{rust}; 2]>, g: &mut Packed<[{rust}; 3]>, h: &mut Packed<[{rust}; 4]>,
        ) {{ r#"
            e = a.i; f = b.j; g = c.j; h = d.i;
            if (a.j == a.i) e = s;
            h.w = c.i.z;
        "# }}"##
    );
    let kernel = Choice::maps()[0].load(device, "trip", &item).unwrap();
    let [p, q, r, s] = values;
    let a = device.upload(&[p, q, q]).unwrap();
    let b = device.upload(&[[p, q], [q, r], [r, s]]).unwrap();
    let c = device.upload(&[[p, q, r], [q, r, s], [r, s, p]]).unwrap();
    let d = device.upload(&[[p, q, r, s], [q, r, s, p], [r, s, p, q]]).unwrap();
    let (mut e, mut f) = (device.packed::<T>(3).unwrap(), device.packed::<[T; 2]>(3).unwrap());
    let (mut g, mut h) = (device.packed::<[T; 3]>(3).unwrap(), device.packed::<[T; 4]>(3).unwrap());
    let mut launch = kernel.launch();
    launch.bind(Axis::Each, "a", Slice::view(&a)).unwrap();
    launch.bind(Axis::Each, "b", Slice::view(&b)).unwrap();
    launch.bind(Axis::Each, "c", Slice::view(&c)).unwrap();
    launch.bind(Axis::Each, "d", Slice::view(&d)).unwrap();
    launch.bind(Axis::All, "scalar", &s).unwrap();
    launch.bind(Axis::All, "e", output(&mut e)).unwrap();
    launch.bind(Axis::All, "f", output(&mut f)).unwrap();
    launch.bind(Axis::All, "g", output(&mut g)).unwrap();
    launch.bind(Axis::All, "h", output(&mut h)).unwrap();
    // SAFETY: the parameters of the item, in its order and with its types.
    unsafe { launch.run() }.unwrap();
    // The pairs in order: (1, 0), (2, 0), (2, 1).
    assert_eq!(e.download().unwrap().as_slice(), [q, q, s], "{rust}");
    assert_eq!(f.download().unwrap().as_slice(), [[p, q], [p, q], [q, r]], "[{rust}; 2]");
    assert_eq!(g.download().unwrap().as_slice(), [[p, q, r], [p, q, r], [q, r, s]], "[{rust}; 3]");
    assert_eq!(
        h.download().unwrap().as_slice(),
        [[q, r, s, s], [r, s, p, p], [r, s, p, p]],
        "[{rust}; 4]"
    );
}
