//! Collisions of spheres, counted: one thread a pair, and the sweep over the columns of tiles.

use std::path::Path;

use serde_json::json;
use td_kernel::{Buffer, Device, Result, Sum};

use crate::Failure;
use crate::timing::medians;

/// A kernel for each line: its name, and the keys of its attribute.
macro_rules! kernels {
    ($($name:ident: $($key:ident = $value:literal),+;)+) => {
        $(
            #[td_kernel::td_kernel($($key = $value),+)]
            unsafe fn $name(#[each] s: &[[f32; 4]], touching: &mut Sum<u64>) {
                r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (dx * dx + dy * dy + dz * dz <= r * r)
        touching += 1;
    "#
            }
        )+

        /// The names, and the keys as they are written.
        const KERNELS: &[(&str, &str)] =
            &[$((stringify!($name), concat!($(stringify!($key), " = ", stringify!($value), " "),+))),+];

        /// Launches the kernel of this number.
        fn launch(device: &Device, number: usize, s: &Buffer<[f32; 4]>, touching: &mut Sum<u64>) -> Result<()> {
            let launches = [$(
                |device: &Device, s: &Buffer<[f32; 4]>, touching: &mut Sum<u64>| {
                    $name::load(device)?.launch(s, touching)
                }
            ),+];
            launches[number](device, s, touching)
        }
    };
}

kernels! {
    bb: map = "bb", tile = 0;
    ltm: map = "ltm", tile = 0;
    tile_32: map = "ltm", tile = 32;
    tile_64: map = "ltm", tile = 64;
    tile_128: map = "ltm", tile = 128;
    tile_256: map = "ltm", tile = 256;
    rb_128: map = "rb", tile = 128;
    walk_128: map = "walk", tile = 128;
}

/// Small, middling, and the papers' largest.
const SIZES: &[usize] = &[1024, 4096, 30_720];

/// Measures, prints a table, and writes the figures.
pub(crate) fn run(output: Option<&Path>) -> std::result::Result<(), Failure> {
    let device = Device::cuda(0)?;
    println!("{}", device.name());
    let mut rows = Vec::new();
    for &n in SIZES {
        let s = device.upload(&spheres(n))?;
        let mut expected = device.sum()?;
        launch(&device, 0, &s, &mut expected)?;
        let expected = expected.download()?;
        println!("n = {n}, {expected} collisions");
        for (number, (name, keys)) in KERNELS.iter().enumerate() {
            let (mut a, mut b) = (device.sum()?, device.sum()?);
            launch(&device, number, &s, &mut b)?;
            if b.download()? != expected {
                return Err(format!("{name}, n = {n}: another count than that of bb").into());
            }
            let repeats = if n < 10_000 { 20 } else { 4 };
            // The bounding box again beside each, so that a drift of the GPU's clock hits both.
            let [bb, time] = medians(
                &device,
                11,
                repeats,
                [&mut || launch(&device, 0, &s, &mut a), &mut || {
                    launch(&device, number, &s, &mut b)
                }],
            )?;
            println!("  {name:<9} {time:>9.4} ms  {:>6.2} times as fast as bb   {keys}", bb / time);
            rows.push(json!({
                "n": n, "name": name, "keys": keys.trim(), "ms": time, "bb_ms": bb, "bb_over_map": bb / time,
            }));
        }
    }
    if let Some(path) = output {
        let report = json!({
            "device": device.name(),
            "command": "td-bench tiles",
            "kernel": "collisions of spheres in space, counted",
            "rows": rows,
        });
        std::fs::write(path, format!("{report:#}\n"))?;
    }
    Ok(())
}

/// Spheres on a grid of primes, some of which touch.
fn spheres(n: usize) -> Vec<[f32; 4]> {
    let place = |k: usize, prime: usize| (k * prime % 1009) as f32 / 1009.0;
    (0..n).map(|k| [place(k, 389), place(k, 541), (k % 1013) as f32 / 1013.0, 0.01]).collect()
}
