//! Histograms in every map and sweep, of one set and of two, on several devices, and what is in which bin.

use td_kernel::{Devices, Result, td_kernel};
use td_kernel_geometry::Root;
use td_kernel_tests::covering::{chosen, part};
use td_kernel_tests::{Choice, histograms};

use super::nearest::lower_bound::norms;
use super::{IS_GPU, and_large, devices, each, simt};

/// Elements and bins.
const SIZES: &[[usize; 2]] =
    &[[0, 3], [1, 3], [2, 0], [33, 50], [97, 1], [131, 511], [131, 512], [131, 9000], [300, 59]];

/// Every map and space, and every sweep and tile.
fn choices() -> Vec<Choice> {
    let of_ltm = |choice: &Choice| choice.map == "ltm" && !choice.linear;
    let tiles = Choice::tiles().into_iter().filter(of_ltm);
    let all = Choice::maps().into_iter().chain(tiles);
    all.filter(|choice| choice.root == Root::Exact).collect()
}

#[test]
fn every_map_and_sweep() {
    let device = simt();
    let choices = chosen(&choices(), |Choice { map, space, sweep, square, diagonal, .. }| {
        vec![format!("{map} {space:?}"), format!("{sweep:?} {square} {diagonal}")]
    });
    assert!(choices.iter().filter_map(histograms::item).count() > 15);
    let of_turn: Vec<_> = choices.iter().enumerate().collect();
    each(&of_turn, |(turn, choice)| {
        let sizes = if IS_GPU { SIZES.to_vec() } else { part(SIZES, 3, turn % 3) };
        histograms::check(&device, choice, &sizes).unwrap();
    });
    // The CPU's loops are the same for every choice.
    assert!(histograms::item(&choices[0]).is_some());
    let sizes = [SIZES, &[[200, 8191], [200, 8192]]].concat();
    histograms::check(&devices()[0], &choices[0], &sizes).unwrap();
}

/// Rows, columns and bins.
const SETS: &[[usize; 3]] = &[
    [0, 5, 2],
    [1, 1, 3],
    [2, 130, 50],
    [33, 2, 2],
    [129, 257, 59],
    [257, 129, 5000],
    [300, 40, 50],
];

#[test]
fn one_set_and_two() -> Result<()> {
    let sizes = and_large(SETS, &[[3000, 2000, 59], [5000, 700, 4000], [2000, 9000, 20_000]]);
    devices().iter().try_for_each(|device| histograms::check_sets(device, &sizes))
}

#[test]
fn several_devices() -> Result<()> {
    for device in devices() {
        let several = Devices::new([0, 1, 2].map(|_| device.clone()))?;
        histograms::check_sets(&several, &[[2, 3, 3], [300, 140, 50], [140, 300, 5000]])?;
    }
    Ok(())
}

#[test]
fn weights_carry() -> Result<()> {
    devices().iter().try_for_each(histograms::check_carries)
}

#[test]
fn bins_have_their_numbers() -> Result<()> {
    devices().iter().try_for_each(histograms::check_bins)
}

#[test]
fn histograms_accumulate_and_join() -> Result<()> {
    devices().iter().try_for_each(histograms::check_parts)
}

/// Pairs within a distance, by a lower bound.
#[td_kernel]
unsafe fn close(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    limit: f32,
    h: &mut Histogram<u64>,
    near: &mut Min<f32>,
) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#"
    if (sum <= limit) {
        h.add(h.linear(sum, 0, limit));
        near.offer(sum);
    }
    "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) - limit "#;
}

#[test]
fn lower_bounds_skip_other_pairs() -> Result<()> {
    let device = simt();
    let values: Vec<f32> = (0..300 * 5_u32).map(|at| (at * 7919 % 97) as f32 / 16.0).collect();
    let (p, norm) = (device.features(&values, 5)?, device.upload(&norms(&values, 5))?);
    let mut results = Vec::new();
    for text in [0, close::SOURCES.len() - 1] {
        let kernel = close { kernel: close::load(&device)?.kernel.pin(text) };
        let (mut h, mut near) = (device.histogram(9)?, device.min()?);
        kernel.launch(&p, &norm, 20.0, &mut h, &mut near)?;
        results.push((h.download()?, near.download()?));
    }
    assert!(close::SOURCES[close::SOURCES.len() - 1].contains("_prepare("));
    assert!(results[0] == results[1] && results[0].1.is_some(), "{results:?}");
    Ok(())
}

/// Beside slots, which come in chunks.
#[td_kernel]
unsafe fn stored(
    #[each] x: &[i32],
    value: &mut Packed<i32>,
    h: &mut Histogram<u64>,
    far: &mut Max<i32>,
) {
    r#"
    value = abs(x.i - x.j);
    h.add(value / 10);
    far.offer(value);
    "#
}

#[test]
fn chunks_add_up() -> Result<()> {
    for device in devices() {
        let x: Vec<i32> = (0..200).map(|k| k * 37 % 101).collect();
        let (mut h, mut far) = (device.histogram(8)?, device.max()?);
        let (kernel, on_device) = (stored::load(&device)?, device.upload(&x)?);
        let (mut counts, mut outside) = ([0; 8], 0);
        let mut best: Option<(i32, u32, u32)> = None;
        kernel.chunks(&on_device, &mut h, &mut far)?.height(30).each(|chunk| {
            let rows = chunk
                .each_row()
                .flat_map(|(i, row)| row.iter().enumerate().map(move |(j, value)| (i, j, value)));
            for (i, j, value) in rows {
                match counts.get_mut(*value as usize / 10) {
                    Some(count) => *count += 1,
                    None => outside += 1,
                }
                if best.is_none_or(|(most, ..)| *value > most) {
                    best = Some((*value, i as u32, j as u32));
                }
            }
            Ok(())
        })?;
        let h = h.download()?;
        assert_eq!((h.as_slice(), h.outside()), (&counts[..], outside));
        assert_eq!(far.download()?, best);
    }
    Ok(())
}
