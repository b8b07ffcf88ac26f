//! Square distances, both halves written, against the time that their bytes take alone.

use td_kernel::cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};
use td_kernel::{Device, Result, td_kernel};

use super::Setting;
use super::packed::{Fill, three};
use super::target::{Bound, Measured, Outcome, Target};
use crate::Failure;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::hand_written::Source;
use crate::measure::points::{Point, points};

pub(crate) const TARGETS: &[Target] = &[
    Target { work: WORK, features: Some(2), n: 30_720, bound: Bound::AtMost(1.06) },
    Target { work: WORK, features: Some(4), n: 30_720, bound: Bound::AtMost(1.06) },
];
const WORK: &str = "square EDM";

/// The tile of the kernel written by hand: elements per side, and threads along the rows.
const TILE: [u32; 2] = [128, 16];

#[td_kernel]
unsafe fn square_2(#[each] p: &[[f32; 2]], distance: &mut Square<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#
}

#[td_kernel]
unsafe fn square_4(#[each] p: &[[f32; 4]], distance: &mut Square<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

/// A generated kernel, loaded.
pub(crate) type Generated<T> = Box<dyn Fn(&CudaSlice<T>, &mut CudaSlice<f32>) -> Result<()>>;

pub(crate) fn measure(setting: &Setting, target: &Target) -> std::result::Result<Outcome, Failure> {
    let (gpu, n) = (&setting.gpu, target.n);
    match target.features {
        Some(2) => beside_fill::<[f32; 2]>(gpu, n, two(&gpu.device)?),
        _ => beside_fill::<[f32; 4]>(gpu, n, four(&gpu.device)?),
    }
}

pub(crate) fn two(device: &Device) -> Result<Generated<[f32; 2]>> {
    let kernel = square_2::load(device)?;
    Ok(Box::new(move |points, slots| kernel.launch(points, slots)))
}

fn four(device: &Device) -> Result<Generated<[f32; 4]>> {
    let kernel = square_4::load(device)?;
    Ok(Box::new(move |points, slots| kernel.launch(points, slots)))
}

fn beside_fill<T: Point>(
    gpu: &Gpu,
    n: usize,
    generated: Generated<T>,
) -> std::result::Result<Outcome, Failure> {
    let points = gpu.upload(&points::<T>(n))?;
    let by_hand = ByHand::tiles::<T>(gpu, n)?;
    let fill = Fill::new(gpu)?;
    let mut ours = gpu.poisoned(n * n)?;
    let mut tiles = gpu.poisoned(n * n)?;
    let mut filled = gpu.poisoned(n * n)?;
    let ways = vec![
        Way::new("float4 fill", || fill.launch(&mut filled)),
        Way::new("generated", || Ok(generated(&points, &mut ours)?)),
        Way::new("by hand, tiles of 128", || by_hand.launch(&points, &mut tiles)),
    ];
    let times = gpu.time(4, ways)?;
    // Before the reference takes as much again.
    drop(filled);
    let mut expected = gpu.poisoned(n * n)?;
    ByHand::reference::<T>(gpu, n)?.launch(&points, &mut expected)?;
    // After the timing, so that what is checked is what was timed.
    gpu.check("the generated kernel", &ours, &expected)?;
    gpu.check("the kernel written by hand", &tiles, &expected)?;
    let [reference, ours, tiles] = three(times)?;
    Ok(Outcome::Measured(Measured { ours, reference, others: vec![tiles] }))
}

/// A kernel written by hand, and its grid.
pub(crate) struct ByHand<'a> {
    gpu: &'a Gpu,
    function: CudaFunction,
    grid: [u32; 2],
    block: [u32; 2],
    features: u32,
}

impl<'a> ByHand<'a> {
    pub(crate) fn reference<T: Point>(
        gpu: &'a Gpu,
        n: usize,
    ) -> std::result::Result<Self, Failure> {
        let function = gpu.load(&reference_source(T::FEATURES))?;
        let grid = [n.div_ceil(32) as u32, n.div_ceil(8) as u32];
        Ok(ByHand { gpu, function, grid, block: [32, 8], features: T::FEATURES })
    }

    pub(crate) fn tiles<T: Point>(gpu: &'a Gpu, n: usize) -> std::result::Result<Self, Failure> {
        let function = gpu.load(&tile_source(T::FEATURES))?;
        let [side, rows] = TILE;
        let tiles = n.div_ceil(side as usize) as u32;
        let block = [side / 4, rows];
        Ok(ByHand { gpu, function, grid: [tiles, tiles], block, features: T::FEATURES })
    }

    pub(crate) fn launch<T: Point>(
        &self,
        points: &CudaSlice<T>,
        slots: &mut CudaSlice<f32>,
    ) -> std::result::Result<(), Failure> {
        if slots.len() < points.len() * points.len() || T::FEATURES != self.features {
            return Err("a square kernel got too few slots, or points of other features".into());
        }
        let n = points.len() as u32;
        // SAFETY: both kernels take n, n points of as many features as they were compiled for, and n²
        // slots.
        unsafe {
            self.gpu.launch(&self.function, self.grid, self.block, |launch| {
                launch.arg(&n).arg(points).arg(slots);
            })
        }
    }
}

fn reference_source(features: u32) -> Source {
    let text = include_str!("../../kernels/square_reference.cu");
    Source::new("square_reference", text, vec![("FEATURES", features)])
}

fn tile_source(features: u32) -> Source {
    let text = include_str!("../../kernels/square_tile.cu");
    let [side, rows] = TILE;
    let settings = vec![("FEATURES", features), ("TILE", side), ("THREADS_Y", rows)];
    Source::new("square_tile", text, settings)
}

#[cfg(test)]
mod tests {
    use td_kernel::nvrtc;

    use super::*;

    #[test]
    fn the_kernels_written_by_hand_compile() {
        for features in [2, 4] {
            for source in [reference_source(features), tile_source(features)] {
                for architecture in [75, 90] {
                    let compiled =
                        nvrtc::compile(source.entry, &source.text(), architecture).unwrap();
                    assert_eq!(compiled.warnings, "", "{}, sm_{architecture}", source.entry);
                }
            }
        }
    }
}
