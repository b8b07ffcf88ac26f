//! What the program prints.

use std::fmt;
use std::time::Duration;

use td_kernel::Device;
use td_kernel_examples::Digits;

use crate::arguments::Dimensions;
use crate::contacts::Contacts;
use crate::spheres::Spheres;

/// One line for each fact, with its name in front.
#[derive(Debug)]
pub(crate) struct Report {
    device: String,
    spheres: usize,
    origin: String,
    dimensions: Dimensions,
    collisions: usize,
    deepest: Option<String>,
    count_time: Duration,
    list_time: Duration,
}

impl Report {
    pub(crate) fn new(
        device: &Device,
        spheres: &Spheres,
        contacts: &Contacts,
        dimensions: Dimensions,
    ) -> Report {
        Report {
            device: device.name().into(),
            spheres: spheres.all.len(),
            origin: spheres.origin.clone(),
            dimensions,
            collisions: contacts.pairs.len(),
            deepest: contacts.deepest(spheres).map(|([i, j], depth)| {
                let names = spheres.name(i).zip(spheres.name(j));
                let names = names.map(|(i, j)| format!(", {i} and {j}")).unwrap_or_default();
                // As many digits as the numbers have that it is computed from.
                format!("{} (i = {i}, j = {j}){names}", Digits(depth))
            }),
            count_time: contacts.count_time,
            list_time: contacts.list_time,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.spheres;
        let pairs = n * n.saturating_sub(1) / 2;
        writeln!(f, "device: {}", self.device)?;
        writeln!(f, "spheres: {n} ({})", self.origin)?;
        writeln!(f, "dimensions: {}", self.dimensions)?;
        writeln!(f, "pairs tested: {pairs}")?;
        write!(f, "collisions: {}", self.collisions)?;
        if pairs == 0 {
            return Ok(());
        }
        // Each collision is a contact of two spheres.
        let contacts = 2.0 * self.collisions as f64 / n as f64;
        writeln!(f, "\ncontacts: {contacts:.3} a sphere, on average")?;
        if let Some(deepest) = &self.deepest {
            writeln!(f, "deepest overlap: {deepest}")?;
        }
        writeln!(f, "counting: {}", Speed(self.count_time, pairs))?;
        write!(f, "listing: {}", Speed(self.list_time, pairs))
    }
}

/// A duration and the number of pairs tested in it.
struct Speed(Duration, usize);

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Speed(time, pairs) = self;
        let seconds = time.as_secs_f64();
        let milliseconds = seconds * 1e3;
        let rate = *pairs as f64 / seconds;
        write!(f, "{milliseconds:.3} ms, {rate:.3e} pairs/s")
    }
}
