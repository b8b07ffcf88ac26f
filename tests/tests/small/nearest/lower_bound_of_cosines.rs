//! Neighbours by the angle of their features, with and without the body `lower_bound`: rows of very different lengths, of length
//! zero, and with NaN.

use td_kernel::{Device, HostNearest, Result, td_kernel};
use td_kernel_tests::covering::in_turn;

use super::lower_bound::{norms, same, uniform};
use super::simt;

macro_rules! kernels {
    ($($name:ident: $($lower:literal)?;)*) => {$(
        #[td_kernel(prelude = r#"inline float at_most_one(float x) { return x > 1.0f ? 1.0f : x; }"#)]
        unsafe fn $name(
            #[each] p: &Features<f32>,
            #[each] norm: &[f32],
            evaluated: &[u32],
            #[fold] dot: f32,
            #[each] near: &mut Nearest<f32, 10>,
        ) {
            let feature = r#" dot = fmaf(p.i, p.j, dot); "#;
            // A kernel with neighbours has no slice that it may write; the test itself owns the emulator's memory.
            let pair = r#"
            atomicAdd((unsigned int *)evaluated, 1u);
            float cosine = dot / (norm.i * norm.j);
            near.push(fabsf(cosine) > 1.0f ? copysignf(1.0f, -cosine) : -cosine);
            "#;
            $(let lower_bound = $lower;)?
        }
    )*};
}

kernels! {
    plain: ;
    with_lower: r#" at_most_one(-dot_upper / (norm.i * norm.j)) "#;
}

/// Compares the neighbours; returns the fraction of all pairs that was evaluated.
fn compare(device: &Device, what: &str, values: &[f32], width: usize) -> Result<f64> {
    let roots: Vec<f32> = norms(values, width).iter().map(|norm| norm.sqrt()).collect();
    let (p, roots) = (device.features(values, width)?, device.upload(&roots)?);
    let mut near = device.nearest(p.len())?;
    let evaluated = device.upload(&[0_u32])?;
    let kernel = plain { kernel: plain::load(device)?.kernel.pin(0) };
    kernel.launch(&p, &roots, &evaluated, &mut near)?;
    let all = evaluated.download()?[0];
    let expected: HostNearest<f32> = near.download()?;
    near.clear()?;
    let filter = with_lower::SOURCES.len() - 1;
    assert!(with_lower::SOURCES[filter].contains("with_lower_refine"));
    let kernel = with_lower { kernel: with_lower::load(device)?.kernel.pin(filter) };
    kernel.launch(&p, &roots, &evaluated, &mut near)?;
    same(what, &near.download()?, &expected);
    Ok(f64::from(evaluated.download()?[0] - all) / f64::from(all))
}

/// Of 900 rows most pairs are excluded if their lengths are similar.
#[test]
fn most_pairs_are_filtered() -> Result<()> {
    let share = compare(&simt(), "uniform", &uniform(3, 900 * 16), 16)?;
    // The first round evaluates an eighth and a little more.
    assert!(share > 1.0 / 8.0 && share < 0.5, "{share}");
    Ok(())
}

/// Changes a number of a row.
type Change = fn(usize, f32) -> f32;

#[test]
fn angles() -> Result<()> {
    let (device, n) = (simt(), 400);
    let widths = [2, 9, 64];
    // All within a few degrees, or of other lengths.
    let changes: [(&str, Change); 6] = [
        ("uniform", |_, x| x),
        ("alike", |_, x| 10.0 + x),
        ("by 1e-20", |_, x| x * 1e-20),
        ("by 1e18", |_, x| x * 1e18),
        ("by 1e20", |_, x| x * 1e20),
        ("of all lengths", |row, x| x * 10.0_f32.powi((row % 41) as i32 - 20)),
    ];
    for (turn, (what, change)) in changes.into_iter().enumerate() {
        for width in in_turn(widths, turn) {
            let values = uniform(width, n * width).into_iter().enumerate();
            let values: Vec<_> = values.map(|(at, x)| change(at / width, x)).collect();
            compare(&device, what, &values, width)?;
        }
    }
    for (turn, odd) in [0.0, f32::NAN, f32::INFINITY, f32::MAX].into_iter().enumerate() {
        for width in in_turn(widths, turn) {
            let mut values = uniform(width, n * width);
            for row in values.chunks_mut(width).step_by(7) {
                row.fill(odd);
            }
            values.iter_mut().step_by(97).for_each(|value| *value = odd);
            compare(&device, &format!("with {odd}"), &values, width)?;
        }
    }
    Ok(())
}
