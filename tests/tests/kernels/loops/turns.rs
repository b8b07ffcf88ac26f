//! Threads that add to the same elements at once take turns: no addition is lost, in many repetitions. Deterministic sums do
//! not depend on the number of threads.

use rayon::ThreadPoolBuilder;
use td_kernel::{Device, Result, td_kernel};

use crate::small::exactly::{in_order, run_of};

#[td_kernel]
unsafe fn of_each(
    #[each] x: &[u32],
    #[each] sum: &mut Sums<[u32; 4]>,
    #[each] greatest: &mut Maxima<u32>,
) {
    r#"
    sum.i += make_uint4(x.j, 1, 2, 3);
    sum.j += make_uint4(x.i, 1, 2, 3);
    greatest.offer(x.i + x.j);
    "#
}

#[td_kernel]
unsafe fn of_columns(
    #[row] x: &[u32],
    #[column] y: &[u32],
    #[column] sum: &mut Sums<[u32; 4]>,
    #[column] greatest: &mut Maxima<u32>,
) {
    r#"
    sum += make_uint4(x, 1, 2, 3);
    greatest.offer(x + y);
    "#
}

/// Numbers with several equal maxima.
fn values(n: usize) -> Vec<u32> {
    (0..n as u32).map(|k| k * 7919 % 100).collect()
}

/// The sums of rows and of columns collide too seldom to show that they take turns, so the source is checked as well.
#[test]
fn contended_sums_lose_nothing() -> Result<()> {
    let (begin, from) = (
        "const td_block_lock lock(begin / BLOCK_COLUMNS);",
        "const td_block_lock lock(from / BLOCK_COLUMNS);",
    );
    let turns = |text: &str| [begin, from].map(|turn| text.matches(turn).count());
    assert_eq!(turns(of_each::CPU_SOURCE), [1, 1]);
    assert_eq!(turns(of_columns::CPU_SOURCE), [1, 0]);
    // One test after the other, so that both threads run at a time.
    let device = Device::cpu()?;
    let two = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    two.install(|| {
        [(6000, 20), (1000, 1000)]
            .into_iter()
            .try_for_each(|(n, times)| at_each(&device, n, times))?;
        // If all parts add to the same block of columns, they collide most often.
        let sizes = [([6000, 6000], 5), ([200, 6000], 100), ([6000, 256], 1000)];
        sizes.into_iter().try_for_each(|(size, times)| at_columns(&device, size, times))
    })
}

#[test]
fn deterministic_sums_ignore_thread_count() -> Result<()> {
    let device = Device::cpu()?;
    for entry in in_order() {
        let run = run_of(&entry, &device, 600);
        let expected = entry.found(&run)?;
        for threads in 1..=4 {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(pool.install(|| entry.found(&run))? == expected, "{entry:?}, {threads}");
        }
    }
    Ok(())
}

fn at_each(device: &Device, n: usize, times: usize) -> Result<()> {
    let kernel = of_each::load(device)?;
    let values = values(n);
    let x = device.upload(&values)?;
    let (total, others) = (values.iter().sum::<u32>(), n as u32 - 1);
    let expected: Vec<_> =
        values.iter().map(|own| [total - own, others, 2 * others, 3 * others]).collect();
    let greatest: Vec<_> = values.iter().map(|own| own + 99).collect();
    for time in 0..times {
        let (mut sum, mut near) = (device.sums(n)?, device.maxima(n)?);
        kernel.launch(&x, &mut sum, &mut near)?;
        assert!(sum.download()? == expected, "sums of {n}, time {time}");
        assert!(near.download()? == greatest, "maxima of {n}, time {time}");
    }
    Ok(())
}

fn at_columns(device: &Device, [rows, columns]: [usize; 2], times: usize) -> Result<()> {
    let kernel = of_columns::load(device)?;
    let (of_rows, of_columns) = (values(rows), values(columns));
    let (x, y) = (device.upload(&of_rows)?, device.upload(&of_columns)?);
    let (total, all) = (of_rows.iter().sum::<u32>(), rows as u32);
    let expected = vec![[total, all, 2 * all, 3 * all]; columns];
    let greatest: Vec<_> = of_columns.iter().map(|own| own + 99).collect();
    for time in 0..times {
        let (mut sum, mut near) = (device.sums(columns)?, device.maxima(columns)?);
        kernel.launch(&x, &y, &mut sum, &mut near)?;
        assert!(sum.download()? == expected, "sums, {rows} x {columns}, time {time}");
        assert!(near.download()? == greatest, "maxima, {rows} x {columns}, time {time}");
    }
    Ok(())
}
