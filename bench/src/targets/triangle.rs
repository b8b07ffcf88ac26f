//! What is computed of the pairs of one set.

use td_kernel::{LaunchWith, Slice};

use super::Setting;
use super::beside::{beside_fill, beside_issue, fastest_of};
use super::target::{Measured, Outcome};
use crate::figures::{collision_3, edm_4};
use crate::measure::mix::COLLISION;
use crate::measure::points::{Point, Value};
use crate::measure::times::Times;
use crate::subject::{
    Contest, Counts, Distances, InPacked, Layout, Lists, Looks, Subject, Values, pairs,
};
use crate::{Failure, figures};

pub(super) fn distances<T: Point, L: Layout, K>(
    Setting { gpu, .. }: &Setting,
    n: usize,
) -> Result<Outcome, Failure>
where
    K: for<'a> LaunchWith<(&'a dyn Slice<T>, L::Slots<'a, f32>)>,
{
    let subject = Distances::<T, L>::distances(gpu, n)?;
    let kernels = vec![subject.generated::<K>()?, subject.best_by_hand()?];
    beside_fill(&subject, subject.bytes(), kernels)
}

pub(super) fn values<U: Value, L: Layout, K>(
    Setting { gpu, .. }: &Setting,
    n: usize,
) -> Result<Outcome, Failure>
where
    K: for<'a> LaunchWith<(&'a dyn Slice<f32>, L::Slots<'a, U>)>,
{
    let subject = Values::<U, L>::values(gpu, n)?;
    beside_fill(&subject, subject.bytes(), vec![subject.generated::<K>()?])
}

pub(super) fn counted(Setting { gpu, .. }: &Setting, n: usize) -> Result<Outcome, Failure> {
    let subject = Counts::of_spheres(gpu, n)?;
    let kernels = vec![subject.generated::<collision_3::count>()?, subject.by_hand()?];
    beside_issue(&subject, COLLISION, pairs(n), kernels, 4)
}

pub(super) fn listed(Setting { gpu, .. }: &Setting, n: usize) -> Result<Outcome, Failure> {
    let subject = Lists::new(gpu, n)?;
    let mut kernels = vec![subject.generated::<figures::list>()?];
    kernels.extend(subject.all_by_hand()?);
    beside_issue(&subject, COLLISION, pairs(n), kernels, 4)
}

/// The maps alone: what is measured is the starting of blocks, and the finding of their place.
pub(super) fn looks(Setting { gpu, .. }: &Setting, n: usize) -> Result<Outcome, Failure> {
    let subject = Looks::new(gpu, n)?;
    let mut times =
        Contest::new(&subject, figures::maps_that_look(&gpu.device)?)?.time(vec![], 10)?;
    let reference = times.remove(0);
    let ours = Times::take_fastest(&mut times).ok_or("no map but bb was timed")?;
    Ok(Outcome::Measured(Measured { ours, reference, others: times }))
}

/// Where there is little to do, against the best kernel written by hand.
pub(super) fn small(Setting { gpu, .. }: &Setting, n: usize) -> Result<Outcome, Failure> {
    let subject = Distances::<[f32; 4], InPacked>::distances(gpu, n)?;
    let mut kernels = vec![subject.generated::<edm_4::packed>()?];
    kernels.extend(subject.all_by_hand()?);
    // So short that many are needed to be seen in the clock of the events.
    fastest_of(Contest::new(&subject, kernels)?.time(vec![], 50)?)
}
