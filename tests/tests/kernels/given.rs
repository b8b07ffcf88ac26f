//! Launches over given pairs.

use td_kernel::{Device, Devices, Result};
use td_kernel_tests::given;

use crate::devices;

#[test]
fn outputs_are_those_of_all_pairs() -> Result<()> {
    for device in devices() {
        given::check_outputs(&device, &[0, 1, 2, 9, 150])?;
    }
    Ok(())
}

#[test]
fn lists_that_are_visited_again_are_visited_by_element() -> Result<()> {
    for (n, reach) in [(0, 1), (1, 1), (2, 2), (5, 5), (40, 40), (300, 300), (1100, 60)] {
        given::check_elements(&Device::cpu()?, n, reach)?;
        let blocks = given::check_elements(&Device::emulator()?, n, reach)?;
        // The first launch has a block for each 1,024 entries, the second one also makes the list by element, and from the third
        // one on there is a block for each 32 elements, or for 128 if these blocks fill the device.
        if n >= 300 {
            let expected = if n == 300 { (7, 10) } else { (9, 9) };
            assert_eq!((blocks[0], blocks[2]), expected, "{blocks:?}");
            assert!(blocks[1] > blocks[2], "{blocks:?}");
        }
    }
    Ok(())
}

#[test]
fn values_are_in_the_order_of_the_list() -> Result<()> {
    for device in devices() {
        given::check_values(&device, 200)?;
    }
    Ok(())
}

#[test]
fn lists_are_visited_again() -> Result<()> {
    for device in devices() {
        given::check_lists(&device, 2)?;
        given::check_lists(&device, 120)?;
    }
    Ok(())
}

#[test]
fn pairs_of_two_sets() -> Result<()> {
    for device in devices() {
        given::check_sets(&device, [70, 90])?;
    }
    Ok(())
}

#[test]
fn features_are_folded() -> Result<()> {
    for device in devices() {
        given::check_features(&device, 60, &[1, 3, 4, 16, 33])?;
    }
    Ok(())
}

#[test]
fn wrong_pairs_are_rejected() -> Result<()> {
    devices().iter().try_for_each(|device| {
        given::check_errors(device)?;
        given::check_lists_of_sets(device)
    })
}

#[test]
fn several_devices_share_a_list() -> Result<()> {
    // Parts of 4,096 pairs that do not divide by the devices, and fewer parts and fewer pairs than devices.
    let lengths = [0, 1, 2, 33, 4097, 12_289];
    let emulator = Device::emulator()?;
    for device in [Device::cpu()?, emulator.clone()] {
        given::check_shares(&[device], &[2, 3], &lengths)?;
    }
    let emulators = Devices::new([emulator.clone(), emulator])?;
    // 300 elements have two parts of pairs.
    for (devices, sizes) in [(Devices::cpu(3)?, [0, 3, 300]), (emulators, [0, 3, 9])] {
        given::check_outputs(&devices, &sizes)?;
        given::check_lists(&devices, 120)?;
        given::check_values_of_several(&devices)?;
    }
    Ok(())
}

/// Kernels that cannot visit a list.
mod refused {
    use td_kernel::{DeviceType, td_kernel};

    #[derive(Clone, Copy, DeviceType)]
    #[repr(C)]
    pub(super) struct State {
        pub(super) count: u32,
    }

    #[td_kernel]
    pub(super) unsafe fn square(#[each] x: &[f32], o: &mut Square<f32>) {
        r#" o = x.i; "#
    }

    #[td_kernel]
    pub(super) unsafe fn nearest(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 3>) {
        r#" near.push(x.i - x.j); "#
    }

    #[td_kernel(prelude = r#"State join(State a, State b) { return {a.count + b.count}; }"#)]
    pub(super) unsafe fn reduce(#[each] x: &[f32], o: &mut Reduce<State>) {
        r#" o.join({x.i > x.j}); "#
    }

    #[td_kernel]
    pub(super) unsafe fn wide(#[each] v: &[[f32; 5]], #[each] o: &mut Sums<[f32; 5]>) {
        r#" o.i += v.j; o.j += v.i; "#
    }

    #[td_kernel]
    pub(super) unsafe fn sets(#[each] x: &Sets<f32>, o: &mut Sum<u64>) {
        r#" o += x.i > x.j; "#
    }
}

#[test]
fn kernels_that_cannot_visit_a_list_say_why() -> Result<()> {
    let device = Device::cpu()?;
    let list = device.given_pairs(&[[1, 0]])?;
    let (sets, mut total) = (device.sets(&[1.0, 2.0], &[0, 2])?, device.sum()?);
    for (result, why) in [
        (refused::square::load(&device)?.pairs(&list).prepare(2), "it writes a `Square`"),
        (refused::nearest::load(&device)?.pairs(&list).prepare(2), "nearest neighbours"),
        (refused::reduce::load(&device)?.pairs(&list).prepare(2), "a `Reduce` joins the states"),
        (refused::wide::load(&device)?.pairs(&list).prepare(2), "`Sums` of more than four numbers"),
        (
            refused::sets::load(&device)?.pairs(&list).launch(&sets, &mut total),
            "its `Sets` give its pairs",
        ),
    ] {
        let error = result.unwrap_err().to_string();
        assert!(error.contains("its launches cannot visit a list of pairs, because "), "{error}");
        assert!(error.contains(why), "{error}");
    }
    Ok(())
}
