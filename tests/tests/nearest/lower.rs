//! Kernels with the text `lower` find what those without it find, to the last bit.

use td_kernel::{Device, Neighbours, Result, td_kernel};

use super::random;

/// How many neighbours, and modules of kernels with and without the text.
macro_rules! kernels {
    ($($module:ident: $k:literal, $keys:tt;)*) => {$(
        mod $module {
            use super::*;

            #[td_kernel $keys]
            unsafe fn plain(
                #[each] p: &Features<f32>,
                #[fold] sum: f32,
                #[each] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = p.i - p.j; sum += d * d; "#;
                let pair = r#" near.push(sum); "#;
            }

            #[td_kernel $keys]
            unsafe fn with_lower(
                #[each] p: &Features<f32>,
                #[fold] sum: f32,
                #[each] norm: &[f32],
                evaluated: &[u32],
                #[each] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = p.i - p.j; sum += d * d; "#;
                // The counter is no slice that a kernel with neighbours could write.
                let pair = r#" atomicAdd((unsigned int *)evaluated, 1u); near.push(sum); "#;
                let lower = r#" norm.i + norm.j - 2.0f * (dot + dot_error) "#;
            }

            /// The neighbours in every text, and in those with the lower bound; how many pairs these evaluate.
            pub(super) fn find(device: &Device, values: &[f32], width: usize) -> Result<(Vec<Neighbours<f32>>, u32)> {
                let p = device.features(values, width)?;
                let norm = device.upload(&norms(values, width))?;
                let mut near = device.nearest(p.len())?;
                let kernel = plain::load(device)?;
                let kernel = plain { kernel: kernel.kernel.pin(0) };
                kernel.launch(&p, &mut near)?;
                let mut found = vec![near.download()?];
                let kernel = with_lower::load(device)?;
                let filter = with_lower::SOURCES.len() - 1;
                assert!(with_lower::SOURCES[filter].contains("with_lower_refine"));
                let kernel = with_lower { kernel: kernel.kernel.pin(filter) };
                near.clear()?;
                let evaluated = device.upload(&[0_u32])?;
                kernel.launch(&p, &norm, &evaluated, &mut near)?;
                found.push(near.download()?);
                Ok((found, evaluated.download()?[0]))
            }
        }
    )*};
}

kernels! {
    ten: 10, ();
    one: 1, ();
    most: 256, ();
    with_diagonal: 3, (diagonal = true);
}

fn norms(values: &[f32], width: usize) -> Vec<f32> {
    values.chunks(width).map(|row| row.iter().map(|x| x * x).sum()).collect()
}

fn same(what: &str, found: &[Neighbours<f32>]) {
    let [plain, with_lower] = found else { panic!("not two") };
    assert_eq!(plain.indices(), with_lower.indices(), "{what}");
    let bits =
        |near: &Neighbours<f32>| near.values().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(plain), bits(with_lower), "{what}");
}

#[test]
fn widths() -> Result<()> {
    let device = Device::emulator()?;
    for width in [1, 3, 4, 5, 31, 64, 127, 1000] {
        let n = if width > 500 { 140 } else { 300 };
        let values: Vec<f32> =
            random(width as u32, 1 << 20).map(|x| x as f32 / 1e6 - 0.5).take(n * width).collect();
        let (found, evaluated) = ten::find(&device, &values, width)?;
        same(&format!("{n} x {width}"), &found);
        println!("{n} x {width}: {evaluated}");
    }
    Ok(())
}
