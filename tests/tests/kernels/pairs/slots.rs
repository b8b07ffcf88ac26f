//! Values of slots: packed and of squares.

use td_kernel::td_kernel;
use td_kernel_tests::both::{both, whole};

use super::{Body, SIZES, bodies, floats, points};

#[td_kernel]
unsafe fn distances(
    #[each] p: &[[f32; 3]],
    #[each] q: &[f64],
    #[each] body: &[Body],
    weights: &[f32],
    shift: f32,
    distance: &mut Packed<f32>,
    other: &mut Packed<[u8; 3]>,
    own: &mut Packed<Body>,
) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    distance = shift;
    own.kind = i + n;
    if (body.i.kind == body.j.kind)
        return;
    distance = sqrtf(x * x + y * y + z * z) + weights[body.i.kind] * body.j.at[4] + shift / (float)(q.i + q.j);
    other = make_uchar3(i, j, weights_length);
    own.at[3] = distance;
    "#
}

#[test]
fn slots_have_the_same_bits() {
    for &n in SIZES {
        let [cpu, emulator] = both(|device| {
            let p = device.upload(&points::<3>(n, 1))?;
            let q = device.upload(&whole(n, 2).map(f64::from).collect::<Vec<_>>())?;
            let (body, weights) = (device.upload(&bodies(n))?, device.upload(&floats(100, 5))?);
            let kernel = distances::load(device)?;
            let mut found = Vec::new();
            let bands = [0..n / 3, n / 3..n, 0..n];
            for rows in bands {
                let (mut distance, mut other, mut own) = (
                    device.packed_rows(n, rows.clone())?,
                    device.packed_rows(n, rows.clone())?,
                    device.packed_rows(n, rows.clone())?,
                );
                let kernel = kernel.rows(rows);
                kernel.launch(&p, &q, &body, &weights, 1.5, &mut distance, &mut other, &mut own)?;
                found.push((
                    distance
                        .download()?
                        .as_slice()
                        .iter()
                        .map(|each| each.to_bits())
                        .collect::<Vec<_>>(),
                    other.download()?.as_slice().to_vec(),
                    own.download()?.as_slice().to_vec(),
                ));
            }
            Ok(found)
        });
        assert!(cpu == emulator, "{n}");
    }
}

#[td_kernel]
unsafe fn squares(
    #[each] p: &[[f32; 2]],
    square: &mut Square<f32>,
    other: &mut Square<[u16; 3]>,
    packed: &mut Packed<f64>,
) {
    r#" square = p.i.x * p.j.y + p.j.x * p.i.y; other = make_ushort3(i, j, n); packed = square; "#
}

#[td_kernel(diagonal = true)]
unsafe fn full_squares(#[each] p: &[f32], square: &mut Square<f32>, found: &mut Sum<u64>) {
    r#" square = p.i / p.j; found += 1; "#
}

#[test]
fn squares_have_the_same_bits() {
    for &n in SIZES {
        let [cpu, emulator] = both(|device| {
            let p = device.upload(&points::<2>(n, 6))?;
            let (mut square, mut other) =
                (device.square(n)?.with_diagonal(-2.5), device.square(n)?);
            let mut packed = device.packed(n)?;
            squares::load(device)?.launch(&p, &mut square, &mut other, &mut packed)?;
            let p =
                device.upload(&floats(n, 7).iter().map(|each| each + 1.0).collect::<Vec<_>>())?;
            let (mut full, mut found) = (device.square(n)?, device.sum()?);
            full_squares::load(device)?.launch(&p, &mut full, &mut found)?;
            Ok((
                (square.download()?, other.download()?, packed.download()?),
                (full.download()?, found.download()?),
            ))
        });
        assert!(cpu == emulator, "{n}");
    }
}
