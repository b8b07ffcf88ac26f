//! Softened gravity: a sum for each body, from both sides of each pair. Compared with the time to issue a pair's instructions,
//! the handwritten full square, other libraries, and deterministic sums.

use anyhow::Result;
use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Buffer, Device, LaunchWith, Slice, Sums, td_kernel};

use super::issue::way_beside_issue;
use super::others::{around, elements};
use super::{Measured, Setting};
use crate::kernels::untyped;
use crate::measure::by_hand::{Mix, Source};
use crate::measure::gpu::{ROUNDS, Way};
use crate::measure::points::bodies;
use crate::measure::{expect, some};
use crate::subject::{GENERATED, pairs};

macro_rules! gravity {
    ($($name:ident ($($key:ident),*))+: $body:literal) => {$(
        #[td_kernel($($key = true),*)]
        pub(crate) unsafe fn $name(
            #[each] body: &[[f32; 4]],
            softening: f32,
            #[each] added: &mut Sums<[f32; 3]>,
        ) {
            $body
        }
    )+};
}

untyped!(plain);

// With `fmad`, a product and its addition to a sum are one instruction.
gravity! {
    plain (fmad) deterministic (fmad, deterministic) separate (): r#"
    float dx = body.j.x - body.i.x, dy = body.j.y - body.i.y, dz = body.j.z - body.i.z;
    float w = rsqrtf(fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, softening))));
    float cube = w * w * w, of_j = body.j.w * cube, of_i = body.i.w * cube;
    added.i.x += of_j * dx;
    added.i.y += of_j * dy;
    added.i.z += of_j * dz;
    added.j.x -= of_i * dx;
    added.j.y -= of_i * dy;
    added.j.z -= of_i * dz;
    "#
}

/// The term added to each squared distance.
const SOFTENING: f32 = 1e-4;

/// Bodies, on the host and on the device, and what all others add to the velocity of each.
struct Bodies {
    bodies: Vec<[f32; 4]>,
    b: Buffer<[f32; 4]>,
    added: Sums<[f32; 3]>,
}

impl Bodies {
    fn new(device: &Device, n: usize) -> Result<Self> {
        let bodies = bodies(n);
        let (b, added) = (device.upload(&bodies)?, device.sums(n)?);
        Ok(Bodies { bodies, b, added })
    }

    /// An error if some sums differ from those in double precision by more than a share of the sum of their terms' magnitudes. A
    /// pair of 30,720 contributes three times this on average.
    fn check(&self, found: &[[f32; 3]]) -> Result<()> {
        for i in some(self.bodies.len()) {
            let [x, y, z, _] = self.bodies[i].map(f64::from);
            let (mut sums, mut magnitudes) = ([0.0; 3], [0.0; 3]);
            for body in &self.bodies {
                let [bx, by, bz, mass] = body.map(f64::from);
                let d = [bx - x, by - y, bz - z];
                let square = d.iter().map(|d| d * d).sum::<f64>() + f64::from(SOFTENING);
                let pull = mass / (square * square.sqrt());
                for axis in 0..3 {
                    sums[axis] += pull * d[axis];
                    magnitudes[axis] += pull * d[axis].abs();
                }
            }
            for axis in 0..3 {
                let found = found[i][axis].into();
                expect(format!("body {i}"), found, sums[axis], 1e-5 * magnitudes[axis])?;
            }
        }
        Ok(())
    }

    /// Launches a kernel once, whose results are checked, and returns its launches.
    fn checked<'a, K: Gravity>(&'a mut self, device: &Device, name: &str) -> Result<Way<'a>> {
        let kernel = K::load(device)?;
        kernel.launch_with((&self.b, SOFTENING, &mut self.added))?;
        self.check(&self.added.download()?)?;
        let Bodies { b, added, .. } = self;
        Ok(Way::new(name, move || Ok(kernel.launch_with((&*b, SOFTENING, &mut *added))?)))
    }
}

/// A kernel of this module.
pub(super) trait Gravity:
    for<'a> LaunchWith<(&'a dyn Slice<[f32; 4]>, f32, &'a mut Sums<[f32; 3]>)>
{
}

impl<K> Gravity for K where
    K: for<'a> LaunchWith<(&'a dyn Slice<[f32; 4]>, f32, &'a mut Sums<[f32; 3]>)>
{
}

/// Launches in each round, fewer if one takes several milliseconds.
fn repeats(n: usize) -> u32 {
    if n > 65_536 { 1 } else { 4 }
}

/// Compared with the issue of 17 FP32 instructions and a root per pair.
pub(super) fn beside_floor(Setting { gpu, n, .. }: &Setting) -> Measured {
    let mut bodies = Bodies::new(&gpu.device, *n)?;
    let own = bodies.checked::<plain>(&gpu.device, GENERATED)?;
    way_beside_issue(gpu, Mix::FORCES, pairs(*n), repeats(*n), own)
}

/// The threads, the rows and the columns of a block of `forces_square`.
const THREADS: u32 = 256;
const ROWS: usize = 1024;
const COLUMNS: usize = 512;

/// Compared with the handwritten full square of ordered pairs.
pub(super) fn beside_square(Setting { gpu, n, .. }: &Setting) -> Measured {
    let mut bodies = Bodies::new(&gpu.device, *n)?;
    let function = gpu.load(&Source::new("forces_square", &[]))?;
    let (count, grid) = (*n as u32, [ROWS, COLUMNS].map(|side| n.div_ceil(side) as u32));
    let b = gpu.upload(&bodies.bodies)?;
    let mut by_hand = gpu.upload(&vec![[0.0_f32; 3]; *n])?;
    let launch = |added: &mut CudaSlice<[f32; 3]>| {
        // SAFETY: `forces_square` takes n, n bodies, the softening, and three sums for each body.
        unsafe {
            gpu.launch(&function, grid, [THREADS, 1], |launch| {
                launch.arg(&count).arg(&b).arg(&SOFTENING).arg(added)
            })
        }
    };
    launch(&mut by_hand)?;
    bodies.check(&gpu.stream.clone_dtoh(&by_hand)?)?;
    let own = bodies.checked::<plain>(&gpu.device, GENERATED)?;
    let square = Way::new("the square by hand", || launch(&mut by_hand));
    gpu.time(ROUNDS, repeats(*n), vec![own, square])
}

/// The cost of deterministic sums, or of rounding products and sums separately, as by default.
pub(super) fn beside_plain<K: Gravity>(Setting { gpu, n, .. }: &Setting) -> Measured {
    let (mut bodies, mut same) = (Bodies::new(&gpu.device, *n)?, Bodies::new(&gpu.device, *n)?);
    let own = bodies.checked::<K>(&gpu.device, GENERATED)?;
    let other = same.checked::<plain>(&gpu.device, "generated, with fmad alone")?;
    gpu.time(ROUNDS, repeats(*n), vec![own, other])
}

pub(super) fn beside(setting: &Setting) -> Measured {
    let Setting { gpu, n, .. } = setting;
    let mut bodies = Bodies::new(&gpu.device, *n)?;
    around(setting, elements(setting.other, "forces", *n), || {
        bodies.added.clear()?;
        let own = bodies.checked::<plain>(&gpu.device, GENERATED)?;
        gpu.samples(ROUNDS, repeats(*n), vec![own])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_are_checked() {
        let device = Device::cpu().unwrap();
        let mut bodies = Bodies::new(&device, 200).unwrap();
        bodies.checked::<plain>(&device, "plain").map(drop).unwrap();
        let error = bodies.check(&[[0.0; 3]; 200]).unwrap_err().to_string();
        assert!(error.starts_with("body 0: 0 instead of "), "{error}");
    }
}
