//! The number of rounds of a launch.

use td_kernel::{Device, Result, td_kernel};

use crate::small::nearest::{check, of_u32, random};

/// Values of a pair's indices alone, in several orders: each is nearer than earlier ones, or farther, or all are equal.
#[td_kernel(tile = 32)]
pub(crate) unsafe fn orders(order: i32, #[each] near: &mut Nearest<i32, 10>) {
    r#"
    int sum = i + j, apart = i - j;
    near.push(order == 0 ? 7 : order == 1 ? sum : order == 2 ? -sum : order == 3 ? apart : order == 4 ? -apart : i % 2 ? -sum : sum);
    "#
}

pub(crate) fn of_order(order: i32, i: usize, j: usize) -> i32 {
    let (i, j) = (i as i32, j as i32);
    match order {
        0 => 7,
        1 => i + j,
        2 => -i - j,
        3 => i - j,
        4 => j - i,
        _ if i % 2 == 1 => -i - j,
        _ => i + j,
    }
}

/// Nothing is lost when queues are full, and few pairs are visited again.
#[test]
fn data_in_the_worst_order() -> Result<()> {
    let device = Device::emulator()?;
    let kernel = orders::load(&device)?;
    for order in 0..6 {
        for n in [40, 300, 700] {
            let mut near = device.nearest(n)?;
            let before = device.progress().blocks;
            kernel.launch(order, &mut near)?;
            let blocks = (device.progress().blocks - before) as usize;
            let of = |i: usize, j: usize| (i != j).then(|| of_order(order, i, j));
            check(&format!("order {order}"), &near.download()?, n, of);
            // A block for each tile and some surplus ones, and after each round those that merge: in the worst case each round
            // has one offset, and one in eight is visited twice.
            let tiles = n.div_ceil(32);
            let (pairs, merge) = (tiles * (tiles / 2 + 1), n.div_ceil(4));
            let most = 2 * pairs + (2 * tiles + 10) * merge;
            assert!(blocks <= most, "order {order}, n = {n}: {blocks} blocks, more than {most}");
        }
    }
    Ok(())
}

/// In unordered data rounds double, and none is repeated.
#[test]
fn few_rounds_without_order() -> Result<()> {
    let device = Device::emulator()?;
    let n = 1500;
    let x: Vec<u32> = random(1, u32::MAX).take(n).collect();
    let mut near = device.nearest(n)?;
    let kernel = of_u32::load(&device)?;
    let before = device.progress().blocks;
    kernel.launch(&device.upload(&x)?, &mut near)?;
    let blocks = (device.progress().blocks - before) as usize;
    check("without an order", &near.download()?, n, |i, j| (i != j).then(|| x[i] ^ x[j]));
    // 47 tiles and 24 offsets: 0, 1, 2.., 4.., 8.. and 16..; before them the bounds are computed.
    assert_eq!(blocks, 47 * 24 + 7 * n.div_ceil(4));
    Ok(())
}
