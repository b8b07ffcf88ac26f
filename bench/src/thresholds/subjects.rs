//! The kernels on both sides of each threshold.

use td_kernel::__private::thresholds::Unit;
use td_kernel::{Buffer, Device, Features, Kernel, Sweep, td_kernel};

use crate::devices::{digest, digest_of_neighbours};
use crate::kernels::{nearest_rows_with_lower, packed_4, square_4, untyped};
use crate::measure::points::{bodies, points, rows_of_two, two_sets, with_norms};
use crate::targets::folds::packed_distance;
use crate::targets::forces::plain;
use crate::targets::near::{NEIGHBOURS, balls, balls_of, nearest, radius, touching, touching_two};

/// Distances as bytes.
#[td_kernel]
pub(super) unsafe fn bytes(#[each] x: &[f32], near: &mut Packed<u8>) {
    r#" near = (unsigned char)(255 * fabsf(x.i - x.j)); "#
}

/// The ten nearest points of another set.
#[td_kernel]
pub(super) unsafe fn nearest_two(
    #[row] a: &[[f32; 3]],
    #[column] b: &[[f32; 3]],
    #[row] near: &mut Nearest<f32, 10>,
) {
    let pair = r#"
    const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    near.push(fmaf(z, z, fmaf(y, y, x * x)));
    "#;
    let lower_bound = r#" box_square(a, b) "#;
}

/// Lists near rows of features.
#[td_kernel]
pub(super) unsafe fn close(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    limit: f32,
    list: &mut Pairs,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" if (sum <= limit) list.push(); "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) - limit "#;
}

/// The ten nearest rows of another set of features.
#[td_kernel]
pub(super) unsafe fn searched_two(
    #[row] q: &Features<f32>,
    #[column] p: &Features<f32>,
    #[fold] sum: f32,
    #[row] of_q: &[f32],
    #[column] of_p: &[f32],
    #[row] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = q - p; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, of_q + of_p) "#;
}

/// Repulsion of the balls of a list.
#[td_kernel(fmad = true)]
pub(super) unsafe fn repel(#[each] p: &[[f32; 4]], #[each] force: &mut Sums<[f32; 3]>) {
    r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, r = p.i.w + p.j.w;
    const float factor = r * rsqrtf(x * x + y * y + z * z + 1e-12f) - 1;
    const float3 f = make_float3(factor * x, factor * y, factor * z);
    force.i += f;
    force.j -= f;
    "#
}

untyped!(bytes, nearest_two, close, searched_two, repel);

/// What a work does next.
pub(super) enum Step<'a> {
    /// Clears results that launches add to, and launches this kernel.
    Launch(&'a Kernel),
    /// Returns a number that differs if the results do; 0 for sums of floats, whose last bits depend on the tiles.
    Digest,
}

/// A work on some elements.
pub(super) type Work = Box<dyn FnMut(Step<'_>) -> td_kernel::Result<u64>>;

/// A kernel around a threshold of one of its variants.
pub(super) struct Subject {
    /// What the kernel does.
    pub(super) work: &'static str,
    /// The sweep and the tile of the variant.
    pub(super) variant: (Sweep, u32),
    /// What the threshold counts: a variant may have one of elements and one of rows.
    pub(super) is_of_rows: bool,
    /// The most time that it may take, as a multiple of the fastest other variant's.
    pub(super) slack: f64,
    pub(super) load: fn(&Device) -> td_kernel::Result<Kernel>,
    /// Makes the work for n elements, or rows.
    pub(super) prepare: fn(&Device, usize) -> td_kernel::Result<Work>,
}

impl Subject {
    pub(super) fn has(&self, unit: Unit) -> bool {
        super::is_of_rows(unit) == self.is_of_rows
    }
}

/// Loads a kernel without its type.
macro_rules! load {
    ($kernel:ident) => {
        |device| Ok($kernel::load(device)?.into())
    };
}

/// A work: makes an output, launches with these arguments and the output, and has the output's digest. `[clear]` is for outputs to
/// which launches add.
macro_rules! work {
    ($kernel:ident($($input:expr),*), $output:expr, [$($clear:ident)?], |$out:ident| $digest:expr) => {{
        let mut output = $output;
        Ok(Box::new(move |step| match step {
            Step::Launch(kernel) => {
                $(output.$clear()?;)?
                let kernel = $kernel::from(kernel.clone());
                kernel.launch($($input,)* &mut output).map(|()| 0)
            }
            Step::Digest => {
                let $out = &output;
                Ok($digest)
            }
        }))
    }};
}

/// The columns of rectangles of features.
const COLUMNS: usize = 102_400;

/// The columns of rectangles of near tiles: balls that are counted, and points in which neighbours are searched.
const NEAR_COLUMNS: usize = 4_194_304;
const NEAREST_COLUMNS: usize = 262_144;

/// Room for the pairs of a list.
const ROOM: usize = 1 << 22;

/// Few columns on the emulator, where nothing is timed.
fn columns(device: &Device, columns: usize) -> usize {
    if device.is_cpu() { 200 } else { columns }
}

/// The square of a distance over numbers within [0, 1) that one pair of some 100,000 is below.
fn limit(width: usize) -> f32 {
    if width < 128 { 1.57 } else { 12.6 }
}

fn bits(values: &[f32]) -> u64 {
    digest(&values.iter().map(|value| value.to_bits()).collect::<Vec<_>>())
}

fn packed_work(device: &Device, n: usize) -> td_kernel::Result<Work> {
    let p = device.upload(&points::<[f32; 4]>(n))?;
    work!(packed_4(&p), device.packed::<f32>(n)?, [], |out| bits(out.download()?.as_slice()))
}

fn bytes_work(device: &Device, n: usize) -> td_kernel::Result<Work> {
    let x = device.upload(&points::<f32>(n))?;
    work!(bytes(&x), device.packed::<u8>(n)?, [], |out| digest(&out.download()?.as_slice()))
}

fn square_work(device: &Device, n: usize) -> td_kernel::Result<Work> {
    let p = device.upload(&points::<[f32; 4]>(n))?;
    work!(square_4(&p), device.square::<f32>(n)?, [], |out| bits(out.download()?.as_slice()))
}

/// Counts the balls that touch, each `neighbours` others.
fn count_work(device: &Device, n: usize, neighbours: f64) -> td_kernel::Result<Work> {
    let p = device.upload(&balls_of(n, radius(n, neighbours)))?;
    work!(touching(&p), device.sum::<u64>()?, [clear], |sum| sum.download()?)
}

fn count_two_work(device: &Device, rows: usize) -> td_kernel::Result<Work> {
    let radius = radius(NEAR_COLUMNS, NEIGHBOURS);
    let mut all = balls_of(rows + columns(device, NEAR_COLUMNS), radius);
    let (b, a) = (device.upload(&all.split_off(rows))?, device.upload(&all)?);
    work!(touching_two(&a, &b), device.sum::<u64>()?, [clear], |sum| sum.download()?)
}

fn nearest_work(device: &Device, n: usize) -> td_kernel::Result<Work> {
    let p = device.upload(&points::<[f32; 3]>(n))?;
    let near = device.nearest::<f32, 10>(n)?;
    work!(nearest(&p), near, [clear], |near| digest_of_neighbours(&near.download()?))
}

fn nearest_two_work(device: &Device, rows: usize) -> td_kernel::Result<Work> {
    let [a, b] = two_sets::<[f32; 3]>(rows, columns(device, NEAREST_COLUMNS));
    let (a, b) = (device.upload(&a)?, device.upload(&b)?);
    let near = device.nearest::<f32, 10>(rows)?;
    work!(nearest_two(&a, &b), near, [clear], |near| digest_of_neighbours(&near.download()?))
}

fn gravity_work(device: &Device, n: usize) -> td_kernel::Result<Work> {
    let p = device.upload(&bodies(n))?;
    work!(plain(&p, 1e-4), device.sums::<[f32; 3]>(n)?, [clear], |_sums| 0)
}

fn folded_work(device: &Device, n: usize, width: usize) -> td_kernel::Result<Work> {
    let p = device.features(&rows_of_two(n, 0, width)[0], width)?;
    let out = device.packed::<f32>(n)?;
    work!(packed_distance(&p), out, [], |out| bits(out.download()?.as_slice()))
}

/// Features, and the squares of their norms.
type Normed = (Features<f32>, Buffer<f32>);

fn normed(
    device: &Device,
    rows: usize,
    columns: usize,
    width: usize,
) -> td_kernel::Result<[Normed; 2]> {
    let [a, b] = rows_of_two(rows, columns, width).map(|rows| with_norms(device, &rows, width));
    Ok([a?, b?])
}

fn close_work(device: &Device, n: usize, width: usize) -> td_kernel::Result<Work> {
    let [(p, norm), _] = normed(device, n, 0, width)?;
    work!(close(&p, &norm, limit(width)), device.pairs(ROOM)?, [clear], |list| {
        digest(&list.download()?.sorted()?.into_vecs().0)
    })
}

fn searched_work(device: &Device, n: usize, width: usize) -> td_kernel::Result<Work> {
    let [(p, norm), _] = normed(device, n, 0, width)?;
    let near = device.nearest::<f32, 10>(n)?;
    work!(nearest_rows_with_lower(&p, &norm), near, [clear], |near| {
        digest_of_neighbours(&near.download()?)
    })
}

fn searched_two_work(device: &Device, rows: usize, width: usize) -> td_kernel::Result<Work> {
    let [(q, of_q), (p, of_p)] = normed(device, rows, columns(device, COLUMNS), width)?;
    let near = device.nearest::<f32, 10>(rows)?;
    work!(searched_two(&q, &p, &of_q, &of_p), near, [clear], |near| {
        digest_of_neighbours(&near.download()?)
    })
}

/// A list in which each element has the 15 before it.
fn repel_work(device: &Device, n: usize) -> td_kernel::Result<Work> {
    let p = device.upload(&balls(n))?;
    let before = |i: u32| (i.saturating_sub(NEIGHBOURS as u32 / 2)..i).map(move |j| [i, j]);
    let list: Vec<[u32; 2]> = (0..n as u32).flat_map(before).collect();
    let list = device.given_pairs(&list)?;
    let mut force = device.sums::<[f32; 3]>(n)?;
    Ok(Box::new(move |step| match step {
        Step::Launch(kernel) => {
            force.clear()?;
            repel::from(kernel.pairs(&list)).launch(&p, &mut force).map(|()| 0)
        }
        Step::Digest => Ok(0),
    }))
}

const fn subject(
    work: &'static str,
    variant: (Sweep, u32),
    load: fn(&Device) -> td_kernel::Result<Kernel>,
    prepare: fn(&Device, usize) -> td_kernel::Result<Work>,
) -> Subject {
    Subject { work, variant, is_of_rows: false, slack: 1.0, load, prepare }
}

/// The same, where the threshold counts rows.
const fn row_subject(subject: Subject) -> Subject {
    Subject { is_of_rows: true, ..subject }
}

/// The sweeps and tiles that several subjects have.
const FILTER: (Sweep, u32) = (Sweep::Filter, 128);
const NEAR: (Sweep, u32) = (Sweep::Near, 32);

/// All subjects, at least one for each threshold.
pub(super) const SUBJECTS: &[Subject] = &[
    subject("packed f32", (Sweep::Rows, 64), load!(packed_4), packed_work),
    subject("packed f32", (Sweep::Rows, 96), load!(packed_4), packed_work),
    subject("packed u8", (Sweep::Rows, 256), load!(bytes), bytes_work),
    subject("square f32", (Sweep::Mirror, 64), load!(square_4), square_work),
    subject("count", (Sweep::Columns, 128), load!(touching), |d, n| count_work(d, n, NEIGHBOURS)),
    subject("count", (Sweep::Columns, 256), load!(touching), |d, n| count_work(d, n, NEIGHBOURS)),
    subject("ten nearest points", (Sweep::Columns, 128), load!(nearest), nearest_work),
    subject("gravity", (Sweep::Rotate, 128), load!(plain), gravity_work),
    subject("gravity", (Sweep::Rotate, 256), load!(plain), gravity_work),
    subject("list by 32 features", FILTER, load!(close), |d, n| close_work(d, n, 32)),
    subject("list by 128 features", FILTER, load!(close), |d, n| close_work(d, n, 128)),
    subject("ten nearest by 32 features", FILTER, load!(nearest_rows_with_lower), |d, n| {
        searched_work(d, n, 32)
    }),
    subject("ten nearest by 128 features", FILTER, load!(nearest_rows_with_lower), |d, n| {
        searched_work(d, n, 128)
    }),
    row_subject(subject("ten nearest by 32 features", FILTER, load!(searched_two), |d, rows| {
        searched_two_work(d, rows, 32)
    })),
    row_subject(subject("ten nearest by 128 features", FILTER, load!(searched_two), |d, rows| {
        searched_two_work(d, rows, 128)
    })),
    subject("count", NEAR, load!(touching), |d, n| count_work(d, n, NEIGHBOURS)),
    Subject {
        slack: 1.05,
        // Each ball touches all others.
        ..subject("count where all touch", NEAR, load!(touching), |d, n| {
            count_work(d, n, 50.0 * n as f64)
        })
    },
    row_subject(subject("count", NEAR, load!(touching_two), count_two_work)),
    subject("ten nearest points", NEAR, load!(nearest), nearest_work),
    row_subject(subject("ten nearest points", NEAR, load!(nearest_two), nearest_two_work)),
    subject("forces, 30 partners", (Sweep::Partners, 128), load!(repel), repel_work),
];

/// A kernel whose tiles of features are timed: what it does, its features, how it is loaded, and its work.
pub(super) type Fold = (
    &'static str,
    usize,
    fn(&Device) -> td_kernel::Result<Kernel>,
    fn(&Device, usize) -> td_kernel::Result<Work>,
);

pub(super) const FOLDS: [Fold; 3] = [
    ("distances", 128, load!(packed_distance), |device, n| folded_work(device, n, 128)),
    ("distances", 1024, load!(packed_distance), |device, n| folded_work(device, n, 1024)),
    ("ten nearest", 128, load!(nearest_rows_with_lower), |device, n| searched_work(device, n, 128)),
];
