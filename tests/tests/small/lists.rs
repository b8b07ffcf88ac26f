//! Lists of pairs with values: too little room, and their operations on the host.

use td_kernel::testing::{self, Failure};
use td_kernel::{ErrorKind, HostPairs, Result, td_kernel};

use super::devices;

#[td_kernel]
pub(crate) unsafe fn close(#[each] x: &[f32], limit: f32, list: &mut Pairs<f32>) {
    r#"
    float distance = fabsf(x.i - x.j);
    if (distance < limit)
        list.push(distance);
    "#
}

#[td_kernel]
unsafe fn near(#[row] x: &[f32], #[column] y: &[f32], limit: f32, list: &mut Pairs<[f32; 2]>) {
    r#" if (fabsf(x - y) < limit) list.push({x, y}); "#
}

/// Pseudorandom numbers.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|k| (k * 31 % 101) as f32).collect()
}

#[test]
fn list_converts_to_a_graph() -> Result<()> {
    let device = devices().remove(0);
    let x = numbers(300);
    let mut list = device.pairs(50_000)?;
    close::load(&device)?.launch(&device.upload(&x)?, 5.0, &mut list)?;
    let graph = list.download()?.to_csr(x.len())?;
    for (element, neighbours, distances) in graph.rows() {
        let others = (0..x.len()).filter(|&k| k != element && (x[k] - x[element]).abs() < 5.0);
        let (expected, at): (Vec<_>, Vec<_>) =
            others.map(|k| (k as u32, (x[k] - x[element]).abs())).unzip();
        assert_eq!((neighbours, distances), (expected.as_slice(), at.as_slice()), "{element}");
    }
    // Without values the same neighbours; with fewer elements an error.
    let list = list.download()?;
    let pairs = HostPairs::from(list.pairs().to_vec());
    assert_eq!(pairs.to_csr(x.len())?.neighbours(), graph.neighbours());
    assert_eq!(list.to_csr(x.len() - 1).unwrap_err().kind(), ErrorKind::Arguments);

    let (x, y) = (numbers(70), numbers(150));
    let mut list = device.pairs(x.len() * y.len())?;
    let kernel = near::load(&device)?;
    let (on_rows, on_columns) = (device.upload(&x)?, device.upload(&y)?);
    for chunk in [40..70, 0..40] {
        kernel.rows(chunk).launch(&on_rows, &on_columns, 2.5, &mut list)?;
    }
    for (row, columns, values) in list.download()?.to_csr((x.len(), y.len()))?.rows() {
        let expected = (0..y.len()).filter(|&k| (y[k] - x[row]).abs() < 2.5);
        let (expected, both): (Vec<_>, Vec<_>) =
            expected.map(|k| (k as u32, [x[row], y[k]])).unzip();
        assert_eq!((columns, values), (expected.as_slice(), both.as_slice()), "{row}");
    }
    Ok(())
}

#[test]
fn testing_compares_pairs_and_values() -> Result<(), Failure> {
    let x = numbers(100);
    let distance = |i: usize, j: usize| (x[i] - x[j]).abs();
    let value = |i: usize, j: usize| Some(distance(i, j)).filter(|distance| *distance < 7.0);
    let listed = testing::pairs_with_values(x.len(), |device, list| {
        close::load(device)?.launch(&device.upload(&x)?, 7.0, list)
    })?;
    listed.equals(value)?;
    listed.within(1e-6, |i, j| value(i, j).map(|value| value * (1.0 + 1e-7)))?;
    let (i, j) = (0..100)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .find(|(i, j)| value(*i, *j).is_some())
        .unwrap();
    let missing = listed.equals(|a, b| if (a, b) == (99, 0) { Some(0.5) } else { value(a, b) });
    let found = value(99, 0).map_or("was not listed".to_owned(), |value| format!("gave {value:?}"));
    assert_errors! { missing => format!("pair (99, 0) {found}, but 0.5 was expected"); }
    let extra = listed.equals(|a, b| value(a, b).filter(|_| (a, b) != (i, j)));
    let other = listed.within(1e-6, |a, b| value(a, b).map(|value| value + 1.0));
    assert_errors! { extra => "but should not be listed; 1 of 4950"; other => format!("pair ({i}, {j}) gave"); }

    // Launched twice, so each pair is listed twice.
    let twice = testing::pairs_with_values(20, |device, list| {
        let (kernel, x) = (close::load(device)?, device.upload(&x[..20])?);
        kernel.launch(&x, 7.0, list)?;
        kernel.launch(&x, 7.0, list)
    })?;
    assert_errors! { twice.equals(value) => ["listed 2 times, but", "of 190 values"]; }

    let y = numbers(150);
    let of_two = testing::pairs_with_values((x.len(), y.len()), |device, list| {
        near::load(device)?.launch(&device.upload(&x)?, &device.upload(&y)?, 2.5, list)
    })?;
    of_two.equals(|i, j| ((x[i] - y[j]).abs() < 2.5).then(|| [x[i], y[j]]))?;
    let exchanged = of_two.equals(|i, j| ((x[i] - y[j]).abs() < 2.5).then(|| [y[j], x[i]]));
    assert!(exchanged.is_err());
    let none = testing::pairs_with_values::<f32>(10, |device, _| close::load(device).map(drop));
    assert!(matches!(none, Err(Failure::NothingLaunched)));
    Ok(())
}
