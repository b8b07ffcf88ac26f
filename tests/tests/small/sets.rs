//! Kernels over the pairs within many sets: what is refused, reports, and a set of the CPU's loops that is larger than a part.

use td_kernel::{Device, Devices, Result, td_kernel};

use super::simt;
use crate::devices;

#[td_kernel]
unsafe fn differences(#[each] p: &Sets<f32>, out: &mut Packed<f32>) {
    r#" out = p.i - p.j; "#
}

#[td_kernel]
unsafe fn cross(#[row] p: &Sets<f32>, #[column] q: &Sets<f32>, out: &mut Matrix<f32>) {
    r#" out = p - q; "#
}

#[td_kernel]
unsafe fn nearest(#[each] p: &Sets<f32>, #[each] near: &mut Nearest<f32, 10>) {
    r#" near.push(fabsf(p.i - p.j)); "#
}

/// A launch has all sets.
#[test]
fn parts_are_refused() -> Result<()> {
    let device = devices().swap_remove(0);
    let sets = device.sets(&[0.0_f32; 5], &[0, 2, 5])?;
    let mut values = device.packed_sets(&sets)?;
    let kernel = differences::load(&device)?;
    assert_errors! { kernel.rows(0..2).launch(&sets, &mut values) => "a kernel over `Sets` has no ranges of rows"; }
    assert_errors! { kernel.launch(&sets, &mut device.zeroed(5)?) => "has 5 slots, but the sets have 4 pairs"; }
    // As many pairs, of other sets.
    let others = device.sets(&[0.0_f32; 5], &[0, 3, 5])?;
    let mut of_others = device.packed_sets(&others)?;
    let launched = kernel.launch(&sets, &mut of_others);
    assert_errors! { launched => "is for sets of other sizes: make it with `device.packed_sets("; }
    kernel.launch(&device.sets(&[0.0_f32; 5], &[0, 3, 5])?, &mut of_others)?;
    for (offsets, words) in [
        (&[][..], "there are no offsets: offsets begin with 0"),
        (&[1, 5], "offset 0 is 1: offsets begin with 0"),
        (&[0, 3, 2, 5], "offset 2 is 2, but offset 1 is 3: offsets begin with 0"),
        (&[0, 4], "the last offset is 4, but there are 5 elements"),
    ] {
        assert_errors! { device.sets(&[0.0; 5], offsets) => format!("^{words}"); }
    }
    Ok(())
}

/// Reports are for a single set, and there is nothing to tune.
#[test]
fn reports() -> Result<()> {
    let kernel = differences::load(&simt())?;
    let report = kernel.report(100)?;
    assert_eq!((report.map, report.pairs_per_thread, report.grids), ("sets", 8, vec![[8, 1]]));
    assert_eq!(kernel.report(10_000)?.map, "ltm");
    let report = differences::load(&Device::cpu()?)?.report(100)?.to_string();
    assert_eq!(report, "n = 100: plain loops on the CPU, 64 runs of 256 pairs at a time; parts: 1");
    let sets = simt().sets(&[0.0_f32; 3], &[0, 3])?;
    assert_errors! { kernel.tune(&sets, &mut simt().packed_sets(&sets)?) => "cannot be tuned"; }
    Ok(())
}

/// A launch has all sets, and as many of rows as of columns.
#[test]
fn parts_of_rectangles_are_refused() -> Result<()> {
    let device = devices().swap_remove(0);
    let points = [0.0_f32; 5];
    let (rows, columns) = (device.sets(&points, &[0, 2, 5])?, device.sets(&points, &[0, 1, 5])?);
    let mut values = device.matrix_sets(&rows, &columns)?;
    assert_eq!(values.len(), 14);
    let kernel = cross::load(&device)?;
    assert_errors! {
        kernel.launch(&rows, &columns, &mut device.zeroed(5)?) => "has 5 slots, but the sets have 14 pairs: use `device.matrix_sets(";
    }
    let three = device.sets(&points, &[0, 1, 1, 5])?;
    let words =
        "a `Sets` of 2 sets does not match one of 3: write as many sets of rows as of columns";
    assert_errors! { kernel.launch(&rows, &three, &mut values) => format!("^kernel `cross`: {words}"); }
    let error = device.matrix_sets::<f32, _, _>(&rows, &three).unwrap_err().to_string();
    assert!(error.starts_with(words), "{error}");
    // Other columns replace the tables, also while there are launches.
    for _ in 0..3 {
        kernel.launch(&rows, &columns, &mut values)?;
        kernel.launch(&rows, &rows, &mut device.matrix_sets(&rows, &rows)?)?;
    }
    let report = cross::load(&simt())?.report(100, 30)?;
    assert_eq!((report.map, report.pairs_per_thread, report.grids), ("sets", 8, vec![[8, 1]]));
    Ok(())
}

/// Values of pairs are divided: no kernel reads all of them, and other memory does not fit.
#[test]
fn values_of_several_devices() -> Result<()> {
    let two = Devices::cpu(2)?;
    let kernel = differences::load(&two)?;
    let sets = two.sets(&[0.0_f32; 400], &[0, 200, 400])?;
    let mut values = two.packed_sets(&sets)?;
    kernel.launch(&sets, &mut values)?;
    assert_eq!(values.len(), 39_800);
    assert_errors! {
        kernel.launch(&sets, &mut two.zeroed(39_800)?) => "use `devices.packed_sets(&sets)`";
        kernel.launch(&sets, &mut Device::cpu()?.zeroed(39_800)?) => "use `devices.packed_sets(&sets)`";
        read::load(&two)?.launch(&sets, &values, &mut two.sum()?) => "is on several devices, a part on each";
    }
    let part = two.part_of(0, 3)?;
    assert_errors! { part.packed_sets::<f32, _>(&sets) => "share each launch with other processes"; }
    let report = kernel.report(400)?;
    assert_eq!(report.grids, [[2, 1], [3, 1]]);
    Ok(())
}

/// Reads values of pairs.
#[td_kernel]
unsafe fn read(#[each] _p: &Sets<f32>, values: &[f32], total: &mut Sum<f32>) {
    r#" total += values[0]; "#
}

#[test]
fn wrong_extremes_of_sets_are_refused() -> Result<()> {
    let device = devices().swap_remove(0);
    let sets = device.sets(&[1_u32, 2, 3], &[0, 1, 3])?;
    let kernel = greatest::load(&device)?;
    assert_errors! {
        kernel.launch(&sets, &mut device.maxima(3)?) => "is for 3 sets, but the launch has 2: write `device.maxima(2)`";
    }
    // The fewest elements with more than 2^32 pairs.
    let wide = device.sets(&vec![0_u32; 92_683], &[0, 92_683])?;
    let launched = greatest_pair::load(&device)?.launch(&wide, &mut device.maxima(1)?);
    assert_errors! { launched => "a set has more than 4294967295 pairs: leave out the index"; }
    Ok(())
}

#[td_kernel]
unsafe fn greatest_pair(#[each] x: &Sets<u32>, #[set] most: &mut Maxima<(u32, u32)>) {
    r#" most.offer(x.i + x.j); "#
}

#[td_kernel]
unsafe fn greatest(#[each] x: &Sets<u32>, #[set] most: &mut Maxima<u32>) {
    r#" most.offer(x.i + x.j); "#
}

/// A CPU's plain loops visit a large set, too, and not the source for its tiles.
#[test]
fn loops_visit_large_sets() -> Result<()> {
    let device = Device::cpu()?;
    let sizes = [3, 30_000, 5];
    let offsets = [0, 3, 30_003, 30_008];
    let sets = device.sets(&vec![0_u8; 30_008], &offsets)?;
    let (mut count, mut total) = (device.sum()?, device.sum()?);
    let kernel = counts::load(&device)?;
    kernel.launch(&sets, &mut count, &mut total)?;
    assert_eq!(count.download()?, sets.pair_count() as u64);
    let of_row = |set: u64, i: u64| i * (3 * i + 7 * set) + i * i.saturating_sub(1) / 2;
    let rows = (0..).zip(sizes).flat_map(|(set, size)| (0..size).map(move |i| of_row(set, i)));
    assert_eq!(total.download()?, rows.sum::<u64>());
    assert_eq!(kernel.report(30_000)?.map, "sets");
    Ok(())
}

/// The number of pairs, and a sum of their indices.
#[td_kernel]
unsafe fn counts(#[each] _x: &Sets<u8>, count: &mut Sum<u64>, total: &mut Sum<u64>) {
    r#"
    count += 1;
    total += 3ull * i + j + 7 * set;
    "#
}

/// A launch has all sets, and neighbours for the elements of all sets.
#[test]
fn parts_of_neighbours_are_refused() -> Result<()> {
    let device = devices().swap_remove(0);
    let sets = device.sets(&[0.0_f32; 5], &[0, 2, 5])?;
    let kernel = nearest::load(&device)?;
    assert_errors! {
        kernel.launch(&sets, &mut device.nearest(4)?) => "`near` is for 4 elements, but `p` requires 5";
        kernel.rows(0..2).launch(&sets, &mut device.nearest(5)?) => ["a kernel over `Sets` has no ranges of rows", "pass a `Sets` with fewer sets$"];
    }
    let mut near = device.nearest(5)?;
    kernel.launch(&sets, &mut near)?;
    assert_errors! { near.download()?.to_csr(5) => "^a kernel over `Sets` found the neighbours"; }
    let report = nearest::load(&simt())?.report(1000)?;
    assert_eq!(
        (report.map, report.sweep.name(), report.grids),
        ("set_rows", "set_rows", vec![[8, 1]])
    );
    let report = nearest::load(&Device::cpu()?)?.report(1000)?.to_string();
    assert_eq!(report, "n = 1000: plain loops on the CPU, 256 rows at a time; parts: 4");
    let report = nearest::load(&Devices::cpu(2)?)?.report(1000)?;
    assert_eq!(report.grids, [[2, 1], [2, 1]]);
    Ok(())
}
