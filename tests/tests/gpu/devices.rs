//! All GPUs of the machine together; where there is one, it is taken several times.

use td_kernel::{Device, Devices};
use td_kernel_tests::devices;

use crate::share_memory;

/// Every GPU.
fn gpus() -> Vec<Device> {
    Devices::all().unwrap().iter().cloned().collect()
}

/// One, two, all of them, and more than there are.
fn counts() -> [usize; 4] {
    let all = gpus().len();
    [1, 2, all.max(3), 2 * all + 1]
}

#[test]
fn small_results_on_several_gpus_are_those_of_one() {
    let (gpus, counts) = (gpus(), counts());
    devices::check_gathered(&gpus, &counts, &[0, 1, 2, 65, 300]).unwrap();
    devices::check_results(&gpus, &counts, &[0, 1, 2, 65, 300]).unwrap();
    devices::check_exact(&gpus, &counts, &[1, 2, 65, 300]).unwrap();
    devices::check_rectangle(&gpus, &counts, &[[0, 5], [1, 1], [300, 2], [2, 300]]).unwrap();
    devices::check_features(&gpus, &counts, &[[1, 3], [33, 17], [300, 5]]).unwrap();
    devices::check_rectangle_of_features(&gpus, &counts, &[[1, 1, 1], [200, 130, 17]]).unwrap();
}

#[test]
fn results_on_several_gpus_are_those_of_one() {
    let _shared = share_memory();
    let (gpus, counts) = (gpus(), counts());
    devices::check_gathered(&gpus, &counts, &[1000, 5000]).unwrap();
    devices::check_results(&gpus, &counts, &[1000, 5000, 20_000]).unwrap();
    devices::check_exact(&gpus, &counts, &[1000, 20_000]).unwrap();
    devices::check_rectangle(&gpus, &counts, &[[7000, 3000], [300, 20_000]]).unwrap();
    devices::check_features(&gpus, &counts, &[[3000, 100], [9000, 17]]).unwrap();
    devices::check_rectangle_of_features(&gpus, &counts, &[[7000, 3000, 33]]).unwrap();
}

/// CPUs and GPUs share a launch, too.
#[test]
fn small_results_on_a_gpu_and_a_cpu_are_those_of_one() {
    let both = [Device::cuda(0).unwrap(), Device::cpu().unwrap()];
    devices::check_gathered(&both, &[2, 3], &[2, 300]).unwrap();
    devices::check_results(&both, &[2, 3], &[2, 300]).unwrap();
    devices::check_rectangle_of_features(&both, &[2, 3], &[[200, 30, 9]]).unwrap();
}

#[test]
fn memory_that_a_gpu_has_not_is_named_with_it() {
    let devices = Devices::all().unwrap();
    let error = devices.zeroed::<u8>(1 << 46).unwrap_err();
    assert_eq!(error.device().map(|(index, name)| (index, name.to_owned())), {
        let first = devices.iter().next().unwrap();
        Some((0, first.name().to_owned()))
    });
}
