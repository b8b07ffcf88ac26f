//! Softened gravity: a sum for each body, from both sides of each pair. Compared with the time to issue a pair's instructions,
//! the handwritten full square, other libraries, and deterministic sums.

use td_kernel::{LaunchWith, td_kernel};

use super::issue::{beside_fastest, beside_issue};
use super::others::{self, elements};
use super::{Measured, Setting};
use crate::kernels::untyped;
use crate::measure::by_hand::Mix;
use crate::subject::{Contest, Forces, Subject, pairs};

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

/// Launches in each round, fewer if one takes several milliseconds.
fn repeats(n: usize) -> u32 {
    if n > 65_536 { 1 } else { 4 }
}

/// Compared with the issue of 17 FP32 instructions and a root per pair.
pub(super) fn beside_floor(Setting { gpu, n, .. }: &Setting) -> Measured {
    let subject = Forces::new(gpu, *n)?;
    beside_issue::<Forces, plain>(&subject, Mix::FORCES, pairs(*n), repeats(*n))
}

/// Compared with the handwritten full square.
pub(super) fn beside_square(Setting { gpu, n, .. }: &Setting) -> Measured {
    let subject = Forces::new(gpu, *n)?;
    let kernels = vec![subject.generated::<plain>()?, subject.by_hand()?];
    beside_fastest(&subject, kernels, repeats(*n))
}

/// The cost of deterministic sums.
pub(super) fn determinism(setting: &Setting) -> Measured {
    beside_plain::<deterministic>(setting)
}

/// The cost of rounding products and sums separately, as by default.
pub(super) fn rounding(setting: &Setting) -> Measured {
    beside_plain::<separate>(setting)
}

fn beside_plain<K>(Setting { gpu, n, .. }: &Setting) -> Measured
where
    K: for<'a> LaunchWith<<Forces as Subject>::Arguments<'a>>,
{
    let subject = Forces::new(gpu, *n)?;
    let (_, plain) = subject.generated::<plain>()?;
    let kernels = vec![subject.generated::<K>()?, ("generated, with fmad alone".into(), plain)];
    beside_fastest(&subject, kernels, repeats(*n))
}

pub(super) fn beside(setting: &Setting) -> Measured {
    let subject = Forces::new(&setting.gpu, setting.n)?;
    let contest = Contest::new(&subject, vec![subject.generated::<plain>()?])?;
    others::beside(
        setting,
        &contest,
        repeats(setting.n),
        elements(setting.other, "forces", setting.n),
    )
}
