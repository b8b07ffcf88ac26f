//! Deterministic sums of the elements with features of many sets, on one device or on several: those of a launch for each set, whose
//! tiles are the same.

use td_kernel::{Device, Result, Target, td_kernel};

use crate::exactly::floats;
use crate::sets::offsets;

/// Kernels of one body each, for the elements of many sets and of one.
macro_rules! kernels {
    ($($each:ident, $rows:ident: $elements:ident;)*) => {$(
        #[td_kernel(deterministic = true)]
        unsafe fn $each(
            #[each] p: &$elements<f32>,
            #[fold] dot: f32,
            #[each] force: &mut Sums<[f32; 2]>,
            #[each] energy: &mut Sums<f64>,
        ) {
            let feature = r#" dot += p.i * p.j; "#;
            let pair = r#"
            force.i += make_float2(dot, i);
            force.j -= make_float2(i, dot);
            energy.i += 3 * (double)dot;
            energy.j += dot;
            "#;
        }

        #[td_kernel(deterministic = true)]
        unsafe fn $rows(
            #[row] p: &$elements<f32>,
            #[column] q: &$elements<f32>,
            #[fold] dot: f32,
            #[row] force: &mut Sums<[f32; 2]>,
            #[column] energy: &mut Sums<f64>,
        ) {
            let feature = r#" dot += p * q; "#;
            let pair = r#"
            force += make_float2(dot, j);
            energy -= dot;
            "#;
        }
    )*};
}

kernels! {
    of_sets, of_set_rows: FeatureSets;
    of_one, of_rows: Features;
}

/// The features of each element. A double can hold the sums of their products, so the CPU's loops, whose blocks of rows are not
/// the same, do not round them; the floats of a tile do.
const WIDTH: usize = 2;

fn features(elements: usize) -> Vec<f32> {
    floats(elements * WIDTH, [-4, 4])
}

fn bits(force: Vec<[f32; 2]>, energy: Vec<f64>) -> (Vec<[u32; 2]>, Vec<u64>) {
    let force = force.into_iter().map(|both| both.map(|value| (value + 0.0).to_bits()));
    (force.collect(), energy.into_iter().map(|value| (value + 0.0).to_bits()).collect())
}

/// Sums of both elements of each pair on `target`, compared with those of launches on the device.
pub fn check(target: &Target, device: &Device, sizes: &[usize]) -> Result<()> {
    let offsets = offsets(sizes);
    let n = offsets[sizes.len()];
    let values = features(n);
    let (mut force, mut energy) = (target.sums(n)?, target.sums(n)?);
    let sets = target.feature_sets(&values, WIDTH, &offsets)?;
    of_sets::load(target)?.launch(&sets, &mut force, &mut energy)?;
    let (force, energy) = bits(force.download()?, energy.download()?);
    let one = of_one::load(device)?;
    for ends in offsets.windows(2) {
        let (own, size) = (ends[0]..ends[1], ends[1] - ends[0]);
        let p = device.features(&values[WIDTH * own.start..WIDTH * own.end], WIDTH)?;
        let (mut of_one, mut energy_of_one) = (device.sums(size)?, device.sums(size)?);
        one.launch(&p, &mut of_one, &mut energy_of_one)?;
        let expected = bits(of_one.download()?, energy_of_one.download()?);
        assert!(force[own.clone()] == expected.0, "{own:?} of {sizes:?} on {}", target.name());
        assert!(energy[own.clone()] == expected.1, "{own:?} of {sizes:?} on {}", target.name());
    }
    Ok(())
}

/// The same for sums of rows and of columns.
pub fn check_rectangles(target: &Target, device: &Device, sizes: [&[usize]; 2]) -> Result<()> {
    let [rows, columns] = sizes.map(offsets);
    let sets = sizes[0].len();
    let (p, q) = (features(rows[sets]), features(columns[sets]));
    let (mut force, mut energy) = (target.sums(rows[sets])?, target.sums(columns[sets])?);
    let of_sets = [(&p, &rows), (&q, &columns)];
    let [row_sets, column_sets] = of_sets.map(|(p, ends)| target.feature_sets(p, WIDTH, ends));
    of_set_rows::load(target)?.launch(&row_sets?, &column_sets?, &mut force, &mut energy)?;
    let (force, energy) = bits(force.download()?, energy.download()?);
    let one = of_rows::load(device)?;
    for set in 0..sets {
        let (own, other) = (rows[set]..rows[set + 1], columns[set]..columns[set + 1]);
        let part = |values: &[f32], of: &std::ops::Range<usize>| {
            device.features(&values[WIDTH * of.start..WIDTH * of.end], WIDTH)
        };
        let (mut of_rows, mut of_columns) = (device.sums(own.len())?, device.sums(other.len())?);
        one.launch(&part(&p, &own)?, &part(&q, &other)?, &mut of_rows, &mut of_columns)?;
        let expected = bits(of_rows.download()?, of_columns.download()?);
        let found = (force[own].to_vec(), energy[other].to_vec());
        assert!(found == expected, "set {set} of {sizes:?} on {}", target.name());
    }
    Ok(())
}
