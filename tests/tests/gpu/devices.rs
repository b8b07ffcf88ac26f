//! Several GPUs together.

use td_kernel::{Device, Devices, Target, td_kernel};

use crate::share_memory;

/// Two GPUs copy from each other's memory many times, and every copy is finished in time.
#[test]
#[ignore = "needs two GPUs"]
fn two_gpus_merge_neighbours() {
    let _shared = share_memory();
    let gpus = [0, 1].map(|ordinal| Device::cuda(ordinal).unwrap());
    assert_ne!(gpus[0].stream().unwrap().context(), gpus[1].stream().unwrap().context());
    // The same memory repeatedly: a late copy would read cells of the next launch.
    let (one, two) = (gpus[0].clone(), Devices::new(gpus).unwrap());
    let n = 20_000;
    let p: Vec<[f32; 3]> =
        (0..n).map(|k: u32| [k * 7919 % 211, k * k % 199, k % 97].map(|x| x as f32)).collect();
    let find = |device: &Target, rounds: usize| {
        let kernel = near::load(device).unwrap();
        let on_device = device.upload(&p).unwrap();
        let mut near = device.nearest(p.len()).unwrap();
        let mut all = Vec::new();
        for round in 0..rounds {
            near.clear().unwrap();
            kernel.launch(&on_device, (round % 3) as f32, &mut near).unwrap();
            all.push(near.download().unwrap());
        }
        all
    };
    let (of_one, of_two) = (find(&one, 3), find(&two, 30));
    for (round, found) in of_two.iter().enumerate() {
        assert!(*found == of_one[round % 3], "round {round}");
    }
    // An error about a GPU's memory names the GPU, and a failed launch leaves no result.
    let error = two.nearest::<f32, 256>(1 << 36).unwrap_err();
    assert_eq!(error.device().map(|(index, _)| index), Some(0), "{error}");
}

/// Squared distances that grow with the difference of the third coordinates.
#[td_kernel]
unsafe fn near(#[each] p: &[[f32; 3]], weight: f32, #[each] near: &mut Nearest<f32, 10>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    near.push(dx * dx + dy * dy + weight * (dz * dz));
    "#
}

#[test]
fn missing_memory_names_the_gpu() {
    let devices = Devices::all().unwrap();
    let error = devices.zeroed::<u8>(1 << 46).unwrap_err();
    assert_eq!(error.device().map(|(index, name)| (index, name.to_owned())), {
        let first = devices.iter().next().unwrap();
        Some((0, first.name().to_owned()))
    });
}
