//! Values of slots: packed, of squares, in bands of rows, and of folds that are vectors.

use td_kernel::td_kernel;

use super::{CASES, both, features, products};

#[test]
fn packed() {
    for &(n, width) in CASES {
        let [cpu, emulator] = both(|device| {
            let p = features(device, n, width, 1)?;
            let (mut product, mut other) = (device.packed(n)?, device.packed(n)?);
            products::load(device)?.launch(&p, &mut product, &mut other)?;
            Ok((product.download()?, other.download()?))
        });
        assert_eq!(cpu, emulator, "{n} {width}");
    }
}

#[test]
fn bands_of_rows() {
    let (n, width) = (200, 30);
    let [cpu, emulator] = both(|device| {
        let p = features(device, n, width, 15)?;
        let kernel = products::load(device)?;
        let mut found = Vec::new();
        // Bands of their own, and rows of slots for all.
        let (mut all, mut others) = (device.packed(n)?, device.packed(n)?);
        for rows in [0..1, 1..2, 2..90, 90..91, 91..200, 17..17] {
            let (mut product, mut other) =
                (device.packed_rows(n, rows.clone())?, device.packed_rows(n, rows.clone())?);
            kernel.rows(rows.clone()).launch(&p, &mut product, &mut other)?;
            found.push((
                product.download()?.as_slice().to_vec(),
                other.download()?.as_slice().to_vec(),
            ));
            if rows.start != 2 {
                kernel.rows(rows).launch(&p, &mut all, &mut others)?;
            }
        }
        found.push((all.download()?.as_slice().to_vec(), others.download()?.as_slice().to_vec()));
        Ok(found)
    });
    assert_eq!(cpu, emulator);
}

#[td_kernel]
unsafe fn halves(
    #[each] p: &Features<i16>,
    #[each] q: &Features<u16>,
    #[fold] a: i64,
    square: &mut Square<i64>,
    other: &mut Square<[u8; 3]>,
) {
    let feature = r#" a += (p.i - p.j) * (q.i + q.j); "#;
    let pair = r#" square = a; other = make_uchar3(a, i, j); "#;
}

#[test]
fn squares() {
    for &(n, _) in CASES {
        let [cpu, emulator] = both(|device| {
            let (p, q) = (features(device, n, 40, 3)?, features(device, n, 40, 4)?);
            let mut square = device.square(n)?.with_diagonal(-1);
            let mut other = device.square(n)?;
            halves::load(device)?.launch(&p, &q, &mut square, &mut other)?;
            Ok((square.download()?, other.download()?))
        });
        assert_eq!(cpu, emulator, "{n}");
    }
}

#[td_kernel]
unsafe fn from_vectors(
    #[each] p: &Features<f32>,
    #[fold(start = "{INFINITY, -2}")] most: [f32; 2],
    #[fold(start = "make_int2(7, -7)")] count: [i32; 2],
    out: &mut Packed<[f32; 4]>,
) {
    let feature = r#"
    most.x = fminf(most.x, p.i * p.j);
    most.y = fmaxf(most.y, p.i - p.j);
    count.x += 1;
    count.y -= 1;
    "#;
    let pair = r#" out = {most.x, most.y, (float)count.x, (float)count.y}; "#;
}

/// A vector starts at all of its members, in braces or by a call.
#[test]
fn vectors_start_where_they_say() {
    let [cpu, emulator] = both(|device| {
        let mut out = device.packed(3)?;
        let p = device.features(&[1.0, 2.0, 3.0, -1.0, 5.0, -9.0], 2)?;
        from_vectors::load(device)?.launch(&p, &mut out)?;
        out.download()
    });
    let expected = [[-2.0, 2.0, 9.0, -9.0], [-18.0, 4.0, 9.0, -9.0], [9.0, 2.0, 9.0, -9.0]];
    assert_eq!(cpu.as_slice(), expected);
    assert_eq!(emulator.as_slice(), expected);
}
