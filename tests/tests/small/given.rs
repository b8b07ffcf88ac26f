//! Launches over given pairs: lists of every kind, what is refused, and which source visits a list again.

use td_kernel::{Device, HostPairs, Result, td_kernel};

use super::devices;

#[td_kernel]
unsafe fn squares(
    #[each] p: &[[f32; 3]],
    weights: &[f64],
    square: &mut Packed<f32>,
    weight: &mut Packed<f64>,
) {
    r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    square = x * x + y * y + z * z;
    weight = weights[i] * weights[j];
    "#
}

/// Lists from the host, from a device, from a sparse matrix, and from a launch.
#[test]
fn lists_of_every_kind() -> Result<()> {
    for device in devices() {
        let weights: Vec<f64> = (0..40).map(f64::from).collect();
        let (p, on_device) = (device.upload(&[[1.0; 3]; 40])?, device.upload(&weights)?);
        let pairs: Vec<_> = (0..40).flat_map(|i| (0..i).step_by(3).map(move |j| [i, j])).collect();
        let [i, j] = [0, 1].map(|end| pairs.iter().map(|pair| pair[end]).collect::<Vec<_>>());
        let (mut plain, mut valued) = (device.pairs(pairs.len())?, device.pairs(pairs.len())?);
        near::load(&device)?.launch(&on_device, 0, &mut plain, &mut valued)?;
        for (is_sorted, list) in [
            (false, device.given_pairs(&pairs)?),
            (false, device.given_pairs(device.upload(&pairs)?)?),
            (false, device.given_pairs((device.upload(&i)?, device.upload(&j)?))?),
            (false, device.given_pairs(&HostPairs::from(pairs.clone()).to_csr((40, 40))?)?),
            (true, device.given_pairs(plain)?),
            (true, device.given_pairs(valued)?),
        ] {
            let found = list.download()?;
            let found = if is_sorted { found.sorted()? } else { found };
            assert_eq!(found.pairs(), pairs);
            let (mut square, mut weight) = (device.zeroed(list.len())?, device.zeroed(list.len())?);
            let kernel = squares::load(&device)?.pairs(&list);
            kernel.launch(&p, &on_device, &mut square, &mut weight)?;
            let expected =
                list.download()?.pairs().iter().map(|[i, j]| f64::from(i * j)).collect::<Vec<_>>();
            assert_eq!(
                (square.download()?, weight.download()?),
                (vec![0.0; pairs.len()], expected)
            );
        }
    }
    Ok(())
}

#[td_kernel]
unsafe fn near(#[each] _x: &[f64], rest: u32, list: &mut Pairs, valued: &mut Pairs<f32>) {
    r#" if (j % 3 == rest) { list.push(); valued.push(j); } "#
}

#[td_kernel]
unsafe fn degrees(
    #[each] p: &[u32],
    #[each] degree: &mut Sums<u32>,
    #[each] far: &mut Maxima<u32>,
) {
    r#" degree.i += p.j; degree.j += 1; far.offer(p.i); "#
}

/// The first launch has a block for each 1,024 entries, the second one also makes the list by element, and from the third one on there
/// is a block for each 32 elements, or for 128 if these blocks fill the device.
#[test]
fn lists_that_are_visited_again_are_visited_by_element() -> Result<()> {
    let device = Device::emulator()?;
    for (n, reach, expected) in [(300_u32, 300, (7, 10)), (1100, 60, (9, 9))] {
        let is_listed = |[i, j]: [u32; 2]| {
            i.wrapping_mul(7919).wrapping_add(j.wrapping_mul(104_729)).is_multiple_of(7)
        };
        let pairs = (0..n).flat_map(|i| (i.saturating_sub(reach)..i).map(move |j| [i, j]));
        let list =
            device.given_pairs(&pairs.filter(|pair| is_listed(*pair)).collect::<Vec<_>>())?;
        let (kernel, p) =
            (degrees::load(&device)?.pairs(&list), device.upload(&vec![1; n as usize])?);
        let blocks = [0; 3].map(|_| {
            let (mut degree, mut far) =
                (device.sums(n as usize).unwrap(), device.maxima(n as usize).unwrap());
            let before = device.progress().blocks;
            kernel.launch(&p, &mut degree, &mut far).unwrap();
            let degree: u32 = degree.download().unwrap().into_iter().sum();
            assert_eq!(degree as usize, 2 * list.len());
            device.progress().blocks - before
        });
        assert_eq!((blocks[0], blocks[2]), expected, "{blocks:?}");
        assert!(blocks[1] > blocks[2], "{blocks:?}");
    }
    Ok(())
}

/// What a launch over a list rejects, with a part of each message.
fn check_errors(device: &Device) -> Result<()> {
    let p = device.upload(&[[0.0; 3]; 5])?;
    let weights = device.upload(&[0.0; 5])?;
    let kernel = squares::load(device)?;
    let launch = |pairs: &[[u32; 2]], lengths: [usize; 2]| {
        let kernel = kernel.pairs(&device.given_pairs(pairs)?);
        let (mut square, mut weight) = (device.zeroed(lengths[0])?, device.zeroed(lengths[1])?);
        kernel.launch(&p, &weights, &mut square, &mut weight)
    };
    launch(&[[1, 0], [4, 3]], [2, 2])?;
    launch(&[], [0, 0])?;
    assert_errors! {
        launch(&[[1, 0], [5, 3]], [2, 2]) => "the list has (5, 3) at position 1, but its indices must be below 5";
        launch(&[[1, 0], [3, 4]], [2, 2]) => "has (3, 4) at position 1, but in a pair of one set";
        launch(&[[1, 0], [3, 3]], [2, 2]) => "has (3, 3) at position 1, but the kernel does not visit";
        launch(&[[1, 0], [4, 3]], [2, 3]) => "`weight` has 3 values, but the list has 2 pairs";
    }
    let list = device.given_pairs(&[[1, 0]])?;
    let mut packed = device.packed(5)?;
    let launched = kernel.pairs(&list).launch(&p, &weights, &mut packed, &mut device.zeroed(1)?);
    assert_errors! { launched => "has a slot for each pair of its shape"; }
    let mut values = device.zeroed(1)?;
    let launched =
        kernel.pairs(&list).rows(1..2).launch(&p, &weights, &mut values, &mut device.zeroed(1)?);
    assert_errors! { launched => "for a range of rows, because the pairs of a list", NoRows; }
    // What launches over a list need is compiled before. There is no report of it.
    kernel.pairs(&list).prepare(5)?;
    assert_errors! { kernel.pairs(&list).report(5) => "cannot be reported, because a launch over a list"; }
    // The most elements.
    let (kernel, mut total) = (rows::load(device)?, device.sum()?);
    let most = u32::MAX as usize - 255;
    let kernel = kernel.pairs(&device.given_pairs(&[[u32::MAX - 256, 7]])?);
    kernel.launch(most, &mut total)?;
    assert_eq!(total.download()?, u64::from(u32::MAX - 256));
    for n in [most + 1, usize::MAX] {
        let words = format!("{n} elements are too many: elements are counted in 32 bits");
        assert_errors! { kernel.launch(n, &mut total) => words; }
    }
    Ok(())
}

#[td_kernel]
unsafe fn rows(total: &mut Sum<u64>) {
    r#" total += i; "#
}

#[td_kernel]
unsafe fn within_sets(#[each] x: &Sets<i32>, list: &mut Pairs<u32>) {
    r#" if (x.i > x.j) list.push(set); "#
}

/// A list whose indices count within one of many sets is rejected, and so is its download.
fn check_lists_of_sets(device: &Device) -> Result<()> {
    let sets = device.sets(&[0, 1, 2, 3], &[0, 2, 4])?;
    let mut list = device.pairs(2)?;
    within_sets::load(device)?.launch(&sets, &mut list)?;
    let on_host = list.download()?.sorted()?;
    assert_eq!(on_host, HostPairs::from_vecs(vec![[1, 0]; 2], on_host.values().to_vec())?);
    let graph = on_host.to_csr(2).map(drop);
    for rejected in
        [graph, device.given_pairs(&on_host).map(drop), device.given_pairs(list).map(drop)]
    {
        assert_errors! { rejected => "^the pairs were pushed by a kernel over `Sets`"; }
    }
    Ok(())
}

#[test]
fn wrong_pairs_are_rejected() -> Result<()> {
    devices().iter().try_for_each(|device| {
        check_errors(device)?;
        check_lists_of_sets(device)
    })
}
