//! Every map with the exact root, in block and in thread space: packed Euclidean distances of 4
//! features, one thread a pair, as a ratio to the bounding box.

use std::path::Path;

use serde_json::json;
use td_kernel::{Buffer, Device, Packed, Result};

use crate::Failure;
use crate::timing::medians;

/// A kernel for each line: its name, and the keys of its attribute.
macro_rules! kernels {
    ($($name:ident: $($key:ident = $value:literal),+;)+) => {
        $(
            #[td_kernel::td_kernel($($key = $value),+)]
            unsafe fn $name(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
                r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
            }
        )+

        /// The names, and the keys as they are written.
        const KERNELS: &[(&str, &str)] =
            &[$((stringify!($name), concat!($(stringify!($key), " = ", stringify!($value), " "),+))),+];

        /// Launches the kernel of this number.
        fn launch(
            device: &Device,
            number: usize,
            p: &Buffer<[f32; 4]>,
            distance: &mut Packed<f32>,
        ) -> Result<()> {
            let launches = [$(
                |device: &Device, p: &Buffer<[f32; 4]>, distance: &mut Packed<f32>| {
                    $name::load(device)?.launch(p, distance)
                }
            ),+];
            launches[number](device, p, distance)
        }
    };
}

kernels! {
    bb: map = "bb", tile = 0;
    ltm: map = "ltm", tile = 0;
    ltm_sqrt: map = "ltm", sqrt = "sqrt", tile = 0;
    ltm_newton: map = "ltm", sqrt = "newton", tile = 0;
    ltm_rsqrt: map = "ltm", sqrt = "rsqrt", tile = 0;
    ltm_linear: map = "ltm", grid = "linear", tile = 0;
    utm: map = "utm", tile = 0;
    rb: map = "rb", tile = 0;
    rec: map = "rec", tile = 0;
    h: map = "h", tile = 0;
    walk: map = "walk", tile = 0;
    table: map = "table", tile = 0;
    ltm_thread: map = "ltm", space = "thread";
    utm_thread: map = "utm", space = "thread";
    rb_thread: map = "rb", space = "thread";
}

/// Measures, prints a table, and writes the figures.
pub(crate) fn run(n: usize, output: Option<&Path>) -> std::result::Result<(), Failure> {
    let device = Device::cuda(0)?;
    println!("{}, n = {n}", device.name());
    let points: Vec<[f32; 4]> =
        (0..n).map(|k| [k as f32, (k % 7) as f32, (k % 11) as f32, (k % 13) as f32]).collect();
    let p = device.upload(&points)?;
    let mut expected = device.packed(n)?;
    launch(&device, 0, &p, &mut expected)?;
    let expected = expected.download()?;
    let mut rows = Vec::new();
    for (number, (name, keys)) in KERNELS.iter().enumerate() {
        let (mut a, mut b) = (device.packed(n)?, device.packed(n)?);
        // The bounding box again beside each, so that a drift of the GPU's clock hits both.
        let [bb, time] = medians(
            &device,
            11,
            4,
            [&mut || launch(&device, 0, &p, &mut a), &mut || launch(&device, number, &p, &mut b)],
        )?;
        if b.download()? != expected {
            return Err(format!("{name}: other distances than those of bb").into());
        }
        println!("{name:<12} {time:>9.4} ms  {:>6.3} times as fast as bb   {keys}", bb / time);
        rows.push(json!({ "name": name, "keys": keys.trim(), "ms": time, "bb_ms": bb, "bb_over_map": bb / time }));
    }
    if let Some(path) = output {
        let report = json!({
            "device": device.name(),
            "command": format!("td-bench maps --elements {n}"),
            "kernel": "packed Euclidean distances, 4 features, one thread a pair, block 16",
            "n": n,
            "rows": rows,
        });
        std::fs::write(path, format!("{report:#}\n"))?;
    }
    Ok(())
}
