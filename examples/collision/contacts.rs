//! Runs the kernels, and compares what they found.

use std::time::Duration;

use td_kernel::{Device, Pairs, Sum};
use td_kernel_examples::progress::{Elements, watch};
use td_kernel_examples::{Error, NewFile, Result};

use crate::arguments::Dimensions;
use crate::kernels::{count_in_space, count_on_line, list_in_space, list_on_line};
use crate::sphere::{Ball, Sphere};
use crate::spheres::Spheres;

/// The pairs that overlap, and how long it took to find them.
#[derive(Debug)]
pub(crate) struct Contacts {
    /// The pairs `[i, j]`, i > j, sorted.
    pub(crate) pairs: Vec<[u32; 2]>,
    /// The time of the kernel that counts.
    pub(crate) count_time: Duration,
    /// The time of the kernel that lists.
    pub(crate) list_time: Duration,
}

impl Contacts {
    /// Counts the pairs that overlap with one kernel, and lists them with another.
    pub(crate) fn find(
        device: &Device,
        spheres: &[Ball],
        dimensions: Dimensions,
    ) -> Result<Contacts> {
        // Each kernel has several texts. `report` compiles the one for this number of spheres now, so that the time
        // measured below does not include it.
        let n = spheres.len();
        let spheres = device.upload(&Sphere::all(spheres)?)?;
        match dimensions {
            Dimensions::One => {
                let count = count_on_line::load(device)?;
                let list = list_on_line::load(device)?;
                count.report(n)?;
                list.report(n)?;
                measure(
                    device,
                    n,
                    |total| count.launch(&spheres, total),
                    |pairs| list.launch(&spheres, pairs),
                )
            }
            Dimensions::Three => {
                let count = count_in_space::load(device)?;
                let list = list_in_space::load(device)?;
                count.report(n)?;
                list.report(n)?;
                measure(
                    device,
                    n,
                    |total| count.launch(&spheres, total),
                    |pairs| list.launch(&spheres, pairs),
                )
            }
        }
    }

    /// Writes the pairs to a file of comma-separated values, with what the spheres are called, if they are atoms.
    pub(crate) fn write(&self, file: &NewFile, spheres: &Spheres) -> Result<()> {
        file.write(|writer| {
            // It puts cells that need them in quotes.
            let mut writer = csv::Writer::from_writer(writer);
            let has_names = spheres.names.is_some();
            writer.write_record(match has_names {
                true => ["i", "j", "atom_i", "atom_j"].as_slice(),
                false => &["i", "j"],
            })?;
            for &[i, j] in &self.pairs {
                writer.write_field(i.to_string())?;
                writer.write_field(j.to_string())?;
                if has_names {
                    let [i, j] = [i, j].map(|index| spheres.name(index).unwrap_or_default());
                    writer.write_field(i)?;
                    writer.write_field(j)?;
                }
                writer.write_record(None::<&[u8]>)?;
            }
            Ok(writer.flush()?)
        })
    }

    /// The pair that overlaps deepest, and how deep that is. Of several, the first one.
    pub(crate) fn deepest(&self, spheres: &Spheres) -> Option<([u32; 2], f64)> {
        let pairs = self.pairs.iter().map(|pair| (*pair, spheres.overlap(*pair)));
        pairs.reduce(|deepest, other| if other.1 > deepest.1 { other } else { deepest })
    }
}

/// Launches both kernels. On a GPU each is launched once before, because the first launch also
/// moves the kernel's code there.
fn measure(
    device: &Device,
    n: usize,
    count: impl Fn(&mut Sum<u64>) -> td_kernel::Result<()>,
    list: impl Fn(&mut Pairs) -> td_kernel::Result<()>,
) -> Result<Contacts> {
    let mut total = device.sum()?;
    if !device.is_cpu() {
        count(&mut total)?;
        total.clear()?;
    }
    let elements = Elements::One(n);
    let ((), count_time) =
        watch(device, "counting", elements, || device.timed(|| count(&mut total)))?;
    let counted = total.download()?;

    // The count determines how much room the list needs.
    let mut pairs = device.pairs(usize::try_from(counted).unwrap_or(usize::MAX))?;
    if !device.is_cpu() {
        list(&mut pairs)?;
        pairs.clear()?;
    }
    let ((), list_time) = watch(device, "listing", elements, || device.timed(|| list(&mut pairs)))?;
    let listed = pairs.count()?;
    if listed != counted {
        return Err(Error::KernelsDisagree { counted, listed });
    }
    let pairs = sorted(pairs.download()?);
    let listed = pairs.len() as u64;
    match listed == counted {
        true => Ok(Contacts { pairs, count_time, list_time }),
        false => Err(Error::KernelsDisagree { counted, listed }),
    }
}

/// The pairs, sorted: threads push them in any order.
fn sorted(mut pairs: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
