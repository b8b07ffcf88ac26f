//! Points in every sweep and tile, with one neighbour and with the maximum number.

use td_kernel::{Result, td_kernel};

use super::{check, random, simt};

/// Numbers of elements around those where the behaviour changes.
const COUNTS: &[usize] = &[0, 1, 2, 3, 10, 11, 32, 33, 64, 65, 100, 129, 257, 300];

/// Kernels of points with other keys and other numbers of neighbours.
macro_rules! points {
    ($($name:ident: $keys:tt, $k:literal;)*) => {$(
        mod $name {
            use super::*;

            #[td_kernel $keys]
            unsafe fn kernel(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, $k>) {
                r#"
                float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
                near.push(dx * dx + dy * dy + dz * dz);
                "#
            }

            #[test]
            fn points() -> Result<()> {
                let device = simt();
                let kernel = kernel::load(&device)?;
                let diagonal = stringify!($keys).contains("diagonal = true");
                for &n in COUNTS.iter().chain(&[$k, $k + 1]) {
                    // A small lattice, with many ties, and points that are all different.
                    for end in [4, 1 << 20] {
                        let p: Vec<[f32; 3]> = random(n as u32, end).map(|x| x as f32)
                            .zip(random(n as u32 + 7, end).map(|y| y as f32))
                            .map(|(x, y)| [x, y, (x * 3.7 + y) % 5.3]).take(n).collect();
                        let mut near = device.nearest(n)?;
                        kernel.launch(&device.upload(&p)?, &mut near)?;
                        let what = format!("{} of {end}", stringify!($name));
                        check(&what, &near.download()?, n, |i, j| {
                            let [dx, dy, dz] = [0, 1, 2].map(|at| p[i][at] - p[j][at]);
                            (i != j || diagonal).then_some(dx * dx + dy * dy + dz * dz)
                        });
                    }
                }
                Ok(())
            }
        }
    )*};
}

points! {
    usual: (), 10;
    one: (tile = 32), 1;
    with_diagonal: (tile = 64, diagonal = true), 10;
    tile_96: (tile = 96), 33;
    many: (tile = 32), 100;
    most: (tile = 32, diagonal = true), 256;
    classic: (block = 8), 10;
    classic_with_diagonal: (tile = 0, diagonal = true), 5;
}

macro_rules! same {
    ($($name:ident: $keys:tt;)*) => {$(
        #[td_kernel $keys]
        unsafe fn $name(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 6>) {
            r#"
            float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
            near.push(dx * dx + dy * dy + dz * dz);
            "#
        }
    )*};
}

same! {
    usual_points: ();
    small_points: (tile = 32);
    single_points: (tile = 0);
}

/// The same bits in every tile, though the products of a sum could be fused in different ways.
#[test]
fn tiles_agree_in_bits() -> Result<()> {
    let device = simt();
    let x: Vec<[f32; 3]> =
        (0..200).map(|at| [0.1, 0.37, 1.7].map(|by| by * at as f32 % 1.0)).collect();
    let x = device.upload(&x)?;
    let mut all = Vec::new();
    let mut near = device.nearest(200)?;
    usual_points::load(&device)?.launch(&x, &mut near)?;
    all.push(near.download()?);
    near.clear()?;
    small_points::load(&device)?.launch(&x, &mut near)?;
    all.push(near.download()?);
    near.clear()?;
    single_points::load(&device)?.launch(&x, &mut near)?;
    all.push(near.download()?);
    assert!(all.iter().all(|each| *each == all[0]));
    // A GPU's compiler would fuse them.
    for options in [usual_points::OPTIONS, small_points::OPTIONS, single_points::OPTIONS] {
        assert_eq!(options, ["--fmad=false"]);
    }
    Ok(())
}
