//! The runs of every device: all pairs, ranges of rows, given pairs, near tiles, large sets, and shares of several devices.

use td_kernel::{Device, Result};

use super::{Domain, Entry, Run, Sizes};
use crate::devices::some;

/// Numbers of elements: none, few, and those at the ends of tiles.
const SIZES: [usize; 10] = [0, 1, 2, 31, 33, 64, 97, 129, 257, 600];

/// Rows and columns, of which the CPU's loops visit several blocks.
const BLOCKS: [usize; 2] = [5, 4100];

/// The size from which a set is large, in runs that have large sets.
const LARGE: u32 = 40;

impl Entry {
    /// The runs of a kernel on this device, and on this many devices.
    ///
    /// # Errors
    ///
    /// The devices cannot be several.
    pub fn runs(&self, device: &Device, counts: &[usize]) -> Result<Vec<Run>> {
        let mut runs = Vec::new();
        if self.domain == Domain::Two {
            let [rows, columns] = BLOCKS;
            runs.push(Run::new(device, Sizes::Two(rows, columns), 0));
        }
        for (seed, n) in SIZES.into_iter().enumerate() {
            let other = SIZES[(seed * 7 + 3) % SIZES.len()];
            let sets = 0..n % 37;
            let sizes = match self.domain {
                Domain::One => Sizes::One(n),
                Domain::Two => Sizes::Two(n, other),
                Domain::Sets => Sizes::Sets(sets.map(|set| set * n % 71).collect()),
                Domain::Rectangles => {
                    Sizes::Rectangles(sets.map(|set| [set * n % 71, set * other % 67]).collect())
                }
            };
            let all = Run::new(device, sizes, seed as u64);
            match self.domain {
                Domain::One | Domain::Two => {
                    let rows = [n / 3..n, 0..n / 3, n / 2..n / 2];
                    runs.extend(rows.map(|rows| Run { rows: Some(rows), ..all.clone() }));
                }
                Domain::Sets | Domain::Rectangles => {
                    runs.push(Run { large: Some(LARGE), ..all.clone() });
                }
            }
            if matches!(self.domain, Domain::One | Domain::Two) {
                let pairs = all.sizes.pairs(false).into_iter();
                let pairs = pairs.map(|(_, i, j)| [i as u32, j as u32]);
                let list = pairs.filter(|[i, j]| (i * 7 + j * 3).is_multiple_of(5)).collect();
                runs.push(Run { list: Some(list), ..all.clone() });
            }
            if self.has_bound {
                runs.push(Run { is_near: true, ..all.clone() });
            }
            for count in counts {
                let target = some(std::slice::from_ref(device), *count)?;
                runs.push(Run { target, is_several: true, ..all.clone() });
            }
            runs.push(all);
        }
        Ok(runs)
    }
}
