//! What is in which bin of a histogram, weights that carry, and histograms of several launches.

use td_kernel::{Histogram, PartialResult as _, Result, td_kernel};

use super::devices;

/// A pair that adds in a loop: the counters of a block carry.
#[td_kernel]
unsafe fn repeated(#[each] _x: &[f32], times: u32, h: &mut Histogram<u64>) {
    r#"
    for (unsigned int k = 0; k < times; ++k)
        h.add(0, 0xf0000001u);
    h.add(1, -1);
    h.add(1, 3);
    "#
}

#[test]
fn weights_carry() -> Result<()> {
    for device in devices() {
        let (n, times) = (130_u64, 40);
        let (x, mut h) = (device.upload(&[1.0_f32; 130])?, device.histogram(2)?);
        repeated::load(&device)?.launch(&x, times, &mut h)?;
        let pairs = n * (n - 1) / 2;
        let expected = [pairs * u64::from(times) * 0xf000_0001, 2 * pairs];
        assert_eq!(h.download()?.as_slice(), expected, "on {}", device.name());
    }
    Ok(())
}

/// Numbers that have no bin, and the bins of the helpers.
#[td_kernel]
unsafe fn binned(
    #[each] x: &[f32],
    edges: &[f64],
    plain: &mut Histogram<u64>,
    linear: &mut Histogram<u64>,
    logarithmic: &mut Histogram<u64>,
    between: &mut Histogram<u64>,
    of_doubles: &mut Histogram<u64>,
    below: f32,
    below_double: f64,
    last: &mut Histogram<u64>,
) {
    r#"
    if (j > 0)
        return;
    last.add(last.linear(below, 0, 7.3f));
    last.add(last.linear(below_double, 0, 6.9));
    last.add(last.logarithmic(below, 0.1f, 7.3f));
    last.add(last.logarithmic(below_double, 0.1, 6.9));
    last.add(last.logarithmic(below, 0.0f, 7.3f));
    plain.add(x.i);
    linear.add(linear.linear(x.i, -1, 3.0f));
    logarithmic.add(logarithmic.logarithmic(x.i, 0.5, 8));
    between.add(between.between(x.i, edges, edges_length));
    of_doubles.add(of_doubles.linear((double)x.i, -1.0, 3));
    "#
}

/// Numbers around the edges of bins.
#[rustfmt::skip]
const NUMBERS: [f32; 22] = [
    -1.0_f32, -0.5, -0.0, 0.0, 0.499_999_97, 0.5, 1.0, 1.99, 2.0, 2.999_999_8, 3.0,
    3.5, 7.999_999_5, 8.0, 4e9, 5e9, 1e38, -1e38, f32::NAN, f32::INFINITY, -f32::INFINITY, f32::MIN_POSITIVE,
];

/// Numbers around the edges, NaN, infinities, and numbers beyond 32 bits.
#[test]
fn bins_have_their_numbers() -> Result<()> {
    for device in devices() {
        let x = NUMBERS;
        // Element 0 is in no pair (i, 0).
        let elements: Vec<_> = [0.0].into_iter().chain(x).collect();
        let edges = [-2.0, -0.5, 0.0, 1.0, 3.0_f64];
        let bins = 4;
        let [mut plain, mut linear, mut logarithmic, mut between, mut of_doubles] =
            [0; 5].map(|_| device.histogram(bins).unwrap());
        let (on_device, on_device_edges) = (device.upload(&elements)?, device.upload(&edges)?);
        let kernel = binned::load(&device)?;
        // These numbers times the bins by the width are rounded to 10.
        let (below, below_double) = (7.3_f32.next_down(), 6.9_f64.next_down());
        assert!(below * (10.0 / 7.3) == 10.0 && below_double * (10.0 / 6.9) == 10.0);
        let mut last = device.histogram(10)?;
        kernel.launch(
            &on_device, &on_device_edges, &mut plain, &mut linear, &mut logarithmic, &mut between,
            &mut of_doubles, below, below_double, &mut last,
        )?;
        let last = entries(&last)?;
        assert_eq!(
            last,
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 4 * x.len() as u64, x.len() as u64],
            "on {}",
            device.name()
        );
        let of = |bin: &dyn Fn(f64) -> Option<usize>| {
            let mut counts = vec![0_u64; bins + 1];
            x.iter().for_each(|x| counts[bin(f64::from(*x)).unwrap_or(bins)] += 1);
            counts
        };
        let is_in = |x: f64, from: f64, to: f64| x >= from && x < to;
        let of_plain = of(&|x| is_in(x, 0.0, 4.0).then_some(x as usize));
        let of_linear = of(&|x| is_in(x, -1.0, 3.0).then_some((x + 1.0) as usize));
        let of_logarithmic = of(&|x| is_in(x, 0.5, 8.0).then_some((2.0 * x).log2() as usize));
        let of_edges = of(&|x| (0..bins).find(|&bin| is_in(x, edges[bin], edges[bin + 1])));
        for (found, expected, what) in [
            (plain, of_plain, "plain"),
            (linear, of_linear.clone(), "linear"),
            (logarithmic, of_logarithmic, "logarithmic"),
            (between, of_edges, "between edges"),
            (of_doubles, of_linear, "linear, of doubles"),
        ] {
            assert_eq!(entries(&found)?, expected, "{what}, on {}", device.name());
        }
    }
    Ok(())
}

fn entries(histogram: &Histogram<u64>) -> Result<Vec<u64>> {
    let bins = histogram.download()?;
    Ok([bins.as_slice(), &[bins.outside()]].concat())
}

/// With slots, which come in chunks.
#[td_kernel]
unsafe fn stored(
    #[each] x: &[i32],
    value: &mut Packed<i32>,
    h: &mut Histogram<u64>,
    far: &mut Max<i32>,
    weights: &mut Histogram<f64>,
) {
    r#"
    value = abs(x.i - x.j);
    h.add(value / 10);
    far.offer(value);
    weights.add(value / 10, value);
    "#
}

/// The results of chunks and of launches add up, the words of processes join, and bins are cleared.
#[test]
fn histograms_accumulate_and_join() -> Result<()> {
    for device in devices() {
        let x: Vec<i32> = (0..200).map(|k| k * 37 % 101).collect();
        let (mut h, mut far) = (device.histogram(8)?, device.max()?);
        let mut weights = device.histogram::<f64>(8)?;
        let (kernel, on_device) = (stored::load(&device)?, device.upload(&x)?);
        let mut counts = vec![0; 9];
        let mut best: Option<(i32, u32, u32)> = None;
        kernel.chunks(&on_device, &mut h, &mut far, &mut weights)?.height(30).each(|chunk| {
            for (i, row) in chunk.each_row() {
                for (j, value) in row.iter().enumerate() {
                    counts[(*value as usize / 10).min(8)] += 1;
                    if best.is_none_or(|(most, ..)| *value > most) {
                        best = Some((*value, i as u32, j as u32));
                    }
                }
            }
            Ok(())
        })?;
        assert_eq!((entries(&h)?, far.download()?), (counts.clone(), best));
        let (once, mut words, other) =
            (weights.download()?, weights.to_bits()?, weights.to_bits()?);
        assert_eq!(weights.finish(&words)?, once);
        weights.join(&mut words, &other)?;
        let mut slots = device.packed(200)?;
        kernel.launch(&on_device, &mut slots, &mut h, &mut far, &mut weights)?;
        assert_eq!(entries(&h)?, counts.iter().map(|count| 2 * count).collect::<Vec<_>>());
        assert_eq!(weights.finish(&words)?, weights.download()?);
        h.clear()?;
        assert_eq!(entries(&h)?, [0; 9]);
        assert_eq!((h.len(), h.is_empty()), (8, false));
        assert!(device.histogram::<u64>(u32::MAX as usize).is_err());
    }
    Ok(())
}
