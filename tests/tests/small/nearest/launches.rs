//! Pushes in bodies, consecutive launches, and errors of launches.

use td_kernel::{Device, ErrorKind, Result, td_kernel};

use super::rectangles::queries;
use super::{check, expected, of_large_tiles, of_order, orders, random, simt};

#[td_kernel(tile = 32)]
unsafe fn some(#[each] x: &[f32], limit: f32, #[each] near: &mut Nearest<f32, 3>) {
    r#"
    float d = fabsf(x.i - x.j);
    if (d > limit)
        return;
    near.push(d + 1);
    near.push(NAN);
    near.push(d);
    near.push(d + 2);
    "#
}

/// A pair that is not pushed is not a neighbour, and the smallest of several values counts.
#[test]
fn bodies_push_never_or_often() -> Result<()> {
    let device = simt();
    let kernel = some::load(&device)?;
    let x: Vec<f32> = random(2, 200).map(|x| x as f32).take(90).collect();
    for limit in [-1.0, 0.0, 3.0, 500.0] {
        let mut near = device.nearest(x.len())?;
        kernel.launch(&device.upload(&x)?, limit, &mut near)?;
        let of = |i: usize, j: usize| {
            let d = (x[i] - x[j]).abs();
            (i != j && d <= limit).then_some(d)
        };
        check("some", &near.download()?, x.len(), of);
    }
    Ok(())
}

/// A launch continues from the neighbours of earlier ones; a neighbour found again is stored once.
#[test]
fn later_launches_continue() -> Result<()> {
    let device = simt();
    let kernel = orders::load(&device)?;
    let mut near = device.nearest(70)?;
    let of = |order| move |i: usize, j: usize| (i != j).then(|| of_order(order, i, j));
    for _ in 0..3 {
        kernel.launch(3, &mut near)?;
        check("again", &near.download()?, 70, of(3));
    }
    // Farther pairs change nothing, and nearer ones replace all.
    kernel.launch(0, &mut near)?;
    let mixed = near.download()?;
    for (i, indices, values) in mixed.rows() {
        let one = expected(70, 10, |j| (i != j).then(|| (i as i32 - j as i32).abs()));
        let both = one.0.iter().zip(&one.1).map(|(index, value)| (*value, *index));
        let mut all: Vec<_> =
            both.chain((0..70).filter(|j| *j != i as u32).map(|j| (7, j))).collect();
        all.sort_unstable();
        all.dedup();
        let found: Vec<_> = values.iter().copied().zip(indices.iter().copied()).collect();
        assert_eq!(found, all[..10], "element {i}");
    }
    kernel.launch(4, &mut near)?;
    check("nearer", &near.download()?, 70, of(4));
    near.clear()?;
    assert_eq!(near.download()?.counts(), [0; 70]);
    kernel.launch(0, &mut near)?;
    check("anew", &near.download()?, 70, of(0));
    Ok(())
}

/// Several kernels use the same neighbours, each with the queue size that its tiles need.
#[test]
fn kernels_share_neighbours() -> Result<()> {
    let device = simt();
    let mut near = device.nearest(200)?;
    let x: Vec<i32> = (0..200).map(|at| at * at % 97).collect();
    orders::load(&device)?.launch(0, &mut near)?;
    near.clear()?;
    of_large_tiles::load(&device)?.launch(&device.upload(&x)?, &mut near)?;
    let of = |i: usize, j: usize| (i != j).then(|| (x[i] - x[j]).abs());
    check("large", &near.download()?, 200, of);
    orders::load(&device)?.launch(4, &mut near)?;
    check("small", &near.download()?, 200, |i, j| (i != j).then(|| of_order(4, i, j)));
    Ok(())
}

#[test]
fn invalid_launches_are_refused() -> Result<()> {
    let device = simt();
    let x = device.upload(&[1, 2, 3])?;
    let kernel = of_large_tiles::load(&device)?;
    let mut near = device.nearest(4)?;
    let error = kernel.launch(&x, &mut near).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `of_large_tiles`: `near` is for 4 elements, but `x` requires 3: write \
         `device.nearest(3)`"
    );
    let mut near = device.nearest(3)?;
    let error = kernel.rows(0..2).launch(&x, &mut near).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoRows);
    assert!(
        error.to_string().contains(
            "the nearest neighbours of an element may be in any row: launch it over all rows"
        ),
        "{error}"
    );
    let (a, b) = (device.upload(&[1, 2])?, device.upload(&[3])?);
    let error = queries::load(&device)?.launch(&a, &b, 0, &mut device.nearest(1)?).unwrap_err();
    assert!(error.to_string().ends_with("`a` requires 2: write `device.nearest(2)`"), "{error}");
    assert!(near.download()?.to_csr((3, 0)).is_ok());
    kernel.launch(&x, &mut near)?;
    assert!(near.download()?.to_csr((3, 1)).is_err());
    let error = near.download()?.to_csr(4).unwrap_err().to_string();
    assert!(error.contains("neighbours of 3 elements, but the shape has 4 rows"), "{error}");
    Ok(())
}

/// The type on the device and on the host.
#[test]
fn neighbours_without_a_launch() -> Result<()> {
    let device = Device::cpu()?;
    let near = device.nearest::<f32, 3>(2)?;
    assert_eq!(format!("{near:?}"), "Nearest { len: 2, neighbours: 3, .. }");
    let near = near.download()?;
    assert_eq!(near.indices(), [u32::MAX; 6]);
    assert_eq!(near.values(), [f32::INFINITY; 6]);
    assert_eq!((near.row(1), near.row(2)), (Some((&[][..], &[][..])), None));
    assert!(near.to_csr(near.len())?.is_empty());
    let (indices, values, counts) = near.into_vecs();
    assert_eq!((indices.len(), values.len(), counts), (6, 6, vec![0, 0]));
    assert!(device.nearest::<u8, 1>(0)?.is_empty());
    for error in [device.nearest::<f32, 0>(1).err(), device.nearest::<f32, 257>(1).err()] {
        assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::Arguments));
    }
    // A report and a tuning; only the launch changes the result.
    let device = simt();
    let kernel = of_large_tiles::load(&device)?;
    assert_eq!(kernel.report(300)?.map, "rounds");
    let mut near = device.nearest(40)?;
    let x: Vec<i32> = (0..40).collect();
    kernel.tune(&device.upload(&x)?, &mut near)?;
    check("tuned", &near.download()?, 40, |i, j| (i != j).then(|| (x[i] - x[j]).abs()));
    Ok(())
}

/// More neighbours than lanes of a warp, which are merged in another way.
#[td_kernel(tile = 32)]
unsafe fn orders_of_33(order: i32, #[each] near: &mut Nearest<i32, 33>) {
    r#"
    int sum = i + j, apart = i - j;
    near.push(order == 0 ? 7 : order == 1 ? sum : order == 2 ? -sum : order == 3 ? apart : order == 4 ? -apart : i % 2 ? -sum : sum);
    "#
}

#[td_kernel(tile = 32)]
unsafe fn orders_of_100(order: i32, #[each] near: &mut Nearest<i32, 100>) {
    r#"
    int sum = i + j, apart = i - j;
    near.push(order == 0 ? 7 : order == 1 ? sum : order == 2 ? -sum : order == 3 ? apart : order == 4 ? -apart : i % 2 ? -sum : sum);
    "#
}

/// A second launch queues all neighbours again, and so do repeated rounds, where each pair is nearer than earlier ones: each
/// neighbour is stored once.
#[test]
fn requeued_neighbours_are_listed_once() -> Result<()> {
    let device = simt();
    let (of_33, of_100) = (orders_of_33::load(&device)?, orders_of_100::load(&device)?);
    for (order, n) in (0..6).flat_map(|order| [(order, 60), (order, 150)]).chain([(2, 1200)]) {
        let of = |i: usize, j: usize| (i != j).then(|| of_order(order, i, j));
        let mut near = device.nearest(n)?;
        for _ in 0..2 {
            of_33.launch(order, &mut near)?;
            check(&format!("33 of order {order}"), &near.download()?, n, of);
        }
        if n > 1000 {
            continue;
        }
        let mut near = device.nearest(n)?;
        for _ in 0..2 {
            of_100.launch(order, &mut near)?;
            check(&format!("100 of order {order}"), &near.download()?, n, of);
        }
    }
    Ok(())
}
