//! Values are stored in the right slots.

use td_kernel::__private::{Axis, Sweep, output};
use td_kernel::cudarc::driver::CudaContext;
use td_kernel::{Device, Shape, td_kernel};
use td_kernel_tests::Choice;

use crate::{assert_near, distances, edm, gpu, points, share_memory};

/// Checks the values of the sweep `rows`, with one thread per pair.
#[td_kernel(map = "bb", diagonal = true, tile = 0)]
unsafe fn wrong_slots(strict: u32, is_square: u32, keys: &[u64], wrong: &mut Sum<u64>) {
    r#"
    const unsigned long long key = i == j && strict ? 77 : (unsigned long long)i << 32 | j;
    if (is_square) {
        if (keys[(unsigned long long)i * n + j] != key || keys[(unsigned long long)j * n + i] != key)
            wrong += 1;
    } else if (i > j || !strict) {
        const unsigned long long start = (unsigned long long)i * (strict ? i - 1 : i + 1) / 2;
        if (keys[start + j] != key)
            wrong += 1;
    }
    "#
}

#[test]
fn slots_hold_their_own_pairs() {
    let _shared = share_memory();
    let device = gpu();
    let check = wrong_slots::load(&device).unwrap();
    for choice in Choice::tiles() {
        let is_square = match choice.sweep {
            Sweep::Rows => choice.square,
            Sweep::Mirror => true,
            _ => continue,
        };
        let kind = if is_square { "Square" } else { "Packed" };
        let item = format!(
            "unsafe fn write(key: &mut {kind}<u64>) {{ r#\" key = (unsigned long long)i << 32 | j; \"# }}"
        );
        let kernel = choice.load(&device, "write", &item).unwrap();
        for n in [1000, 4097, 10_007, 16_384] {
            let (mut wrong, strict) = (device.sum::<u64>().unwrap(), u32::from(!choice.diagonal));
            let is = u32::from(is_square);
            if is_square {
                let mut keys = device.square::<u64>(n).unwrap().with_diagonal(77);
                let mut launch = kernel.launch();
                launch.bind(Axis::All, "key", output(&mut keys)).unwrap();
                // SAFETY: the parameter of the item.
                unsafe { launch.run() }.unwrap();
                check.launch(n, strict, is, &keys, &mut wrong).unwrap();
            } else {
                let mut keys = match choice.diagonal {
                    true => device.packed::<u64>(Shape::triangle(n).with_diagonal()).unwrap(),
                    false => device.packed::<u64>(n).unwrap(),
                };
                let mut launch = kernel.launch();
                launch.bind(Axis::All, "key", output(&mut keys)).unwrap();
                // SAFETY: the parameter of the item.
                unsafe { launch.run() }.unwrap();
                check.launch(n, strict, is, &keys, &mut wrong).unwrap();
            }
            assert_eq!(wrong.download().unwrap(), 0, "{choice:?}, n = {n}");
        }
    }
}

/// A view that starts anywhere, even where four values cannot be stored as a vector.
#[test]
fn small_packed_views_at_any_offset() {
    let context = CudaContext::new(0).unwrap();
    let device = Device::from_cuda(&context).unwrap();
    let stream = context.default_stream();
    let (n, pairs) = (300, 300 * 299 / 2);
    let p = stream.clone_htod(&points(n)).unwrap();
    for start in 0..5 {
        let mut memory = stream.clone_htod(&vec![-1.0_f32; pairs + 8]).unwrap();
        let mut slots = memory.slice_mut(start..start + pairs);
        edm::load(&device).unwrap().launch(&p, &mut slots).unwrap();
        let memory = stream.clone_dtoh(&memory).unwrap();
        stream.synchronize().unwrap();
        assert_near(&memory[start..start + pairs], &distances(&points(n)));
        let around = memory[..start].iter().chain(&memory[start + pairs..]);
        assert!(around.clone().all(|value| *value == -1.0), "start {start}");
    }
}
