//! The runs of every device: all pairs, ranges of rows, given pairs, near tiles, large sets, and shares of several devices and processes.

use td_kernel::__private::NearTiles;
use td_kernel::{Device, Devices, Result, Target};

use super::random::mixed;
use super::{Domain, Entry, Numbers, Outputs, Run, Sizes, oracle};

/// Numbers of elements: none, few, those at the ends of tiles, and multiples of 16 that end within a tile. Memory of 16 elements ends
/// exactly where it cannot be accessed.
const SIZES: [usize; 10] = [0, 1, 2, 31, 33, 64, 144, 129, 257, 656];

/// Rows and columns, of which the CPU's loops visit several blocks.
const BLOCKS: [usize; 2] = [5, 4100];

/// The size from which a set is large, in runs that have large sets.
const LARGE: u32 = 40;

/// `count` devices, some of them repeatedly if there are fewer.
///
/// # Errors
///
/// The devices cannot be several.
pub fn some(devices: &[Device], count: usize) -> Result<Target> {
    Ok(Devices::new(devices.iter().cycle().take(count).cloned())?.into())
}

impl Entry {
    /// What a launch finds.
    ///
    /// # Errors
    ///
    /// Those of the launch.
    pub fn found(&self, run: &Run) -> Result<Outputs> {
        let Entry { diagonal, has_features, .. } = *self;
        let run = Run { diagonal, has_features, ..run.clone() };
        let (inputs, mut expected) = ((self.inputs)(&run), (self.expected)(&run));
        // For the room of lists.
        oracle::visit(&run.sizes, &run.pairs(), &inputs, &mut expected, self.body);
        (self.launch)(&run, &inputs, &expected)
    }

    /// Compares a run with the oracle, and if its launch chooses the variant also each variant of the kernel.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn check_variants(&self, run: &Run) -> Result<(), String> {
        // Near tiles have a variant of their own, and the CPU's loops none.
        let is_chosen = run.is_several || run.is_tuned || run.near != NearTiles::Usual;
        let name = run.device.name();
        let count = match is_chosen || name.contains("CPU") && !name.contains("emulator") {
            true => 0,
            false => (self.kernel)(&run.device).map_or(0, |kernel| kernel.variants().count()),
        };
        self.check(run, &[None].into_iter().chain((0..count).map(Some)).collect::<Vec<_>>())
    }

    /// Whether the results of several processes can be joined.
    pub fn is_joined(&self) -> bool {
        self.parameters.iter().all(|[_, kind]| !kind.contains("Reduce"))
    }

    /// The runs of a kernel on this device, and on this many devices.
    ///
    /// # Errors
    ///
    /// The devices cannot be several.
    pub fn runs(&self, device: &Device, counts: &[usize]) -> Result<Vec<Run>> {
        let (mut runs, cpu) = (Vec::new(), Device::cpu()?);
        if self.domain == Domain::Two && !self.is_small {
            let [rows, columns] = BLOCKS;
            runs.push(Run::new(device, Sizes::Two(rows, columns), 0));
        }
        let most = if self.is_small { 300 } else { usize::MAX };
        for (seed, n) in SIZES.into_iter().enumerate().filter(|(_, n)| *n < most) {
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
                let mut list: Vec<_> =
                    pairs.filter(|[i, j]| (i * 7 + j * 3).is_multiple_of(5)).collect();
                // In no order, and some of them twice.
                list.sort_by_key(|[i, j]| mixed(u64::from(*i) << 32 | u64::from(*j)));
                list.extend_from_within(..list.len() * (seed % 3) / 3);
                // A list that is visited again may be visited by element.
                let launches = 1 + seed % 2 * 2;
                let listed = Run { list: Some(list), launches, ..all.clone() };
                if let Some(count) = counts.last() {
                    let target = some(std::slice::from_ref(device), *count)?;
                    runs.push(Run { target, is_several: true, ..listed.clone() });
                }
                runs.push(listed);
            }
            if self.has_bound {
                let ways = [NearTiles::Always, NearTiles::Tested];
                runs.extend(ways.map(|near| Run { near, ..all.clone() }));
            }
            for count in counts {
                let target = some(std::slice::from_ref(device), *count)?;
                // The second launch adds to what is on other devices, and finds tables.
                let launches = 1 + seed % 2;
                runs.push(Run { target, is_several: true, launches, ..all.clone() });
            }
            if n == 129 && self.has_bound {
                runs.push(Run { is_kept: true, launches: 2, ..all.clone() });
            }
            if [2, 144].contains(&n) && !counts.is_empty() && self.is_joined() {
                runs.push(all.by_processes(3)?);
            }
            // A CPU among others runs the same source.
            if n == 257 && !counts.is_empty() && device.name() != cpu.name() {
                let target = Devices::new([device.clone(), cpu.clone()])?.into();
                runs.push(Run { target, is_several: true, ..all.clone() });
            }
            if self.is_exact && n > 0 {
                let others = Numbers::ALL.into_iter().skip(1);
                let others = others.map(|numbers| Run { numbers, ..all.clone() });
                let always = Some(NearTiles::Always).filter(|_| self.has_bound);
                runs.extend(others.flat_map(|run| {
                    [Some(NearTiles::Usual), always]
                        .into_iter()
                        .flatten()
                        .map(move |near| Run { near, ..run.clone() })
                }));
            }
            if n == 129 && self.parameters.iter().any(|[_, kind]| kind.contains("Pairs")) {
                let lacking = [1, usize::MAX];
                runs.extend(lacking.map(|lacking| Run { lacking, ..all.clone() }));
            }
            if n == 31 {
                runs.push(Run { is_tuned: true, ..all.clone() });
            }
            runs.push(all);
        }
        for sizes in self.sets() {
            for large in if self.has_features { &[None][..] } else { &[None, Some(20)] } {
                let large = *large;
                runs.push(Run { large, launches: 2, ..Run::new(device, sizes.clone(), 7) });
            }
        }
        Ok(runs)
    }

    /// A launch of which everything depends on the seed.
    ///
    /// # Errors
    ///
    /// The devices cannot be several, or the kernel cannot be loaded.
    pub fn random(&self, device: &Device, seed: u64) -> Result<Run> {
        let mut drawn = mixed(seed);
        let mut below = |most: usize| {
            drawn = mixed(drawn);
            (drawn >> 16) as usize % most.max(1)
        };
        // Few elements as often as many.
        let most = if device.name().contains("CPU") { 600 } else { 4000 };
        let mut size = |most: usize| below(most) >> below(8);
        let n = size(most);
        let sizes = match self.domain {
            Domain::One => Sizes::One(n),
            Domain::Two => Sizes::Two(n, size(most)),
            Domain::Sets => Sizes::Sets((0..size(90)).map(|_| size(most / 4)).collect()),
            Domain::Rectangles => {
                Sizes::Rectangles((0..size(90)).map(|_| [size(most / 6), size(most / 6)]).collect())
            }
        };
        let mut run = Run::new(device, sizes, seed);
        if self.is_exact {
            run.numbers = Numbers::ALL[below(Numbers::ALL.len())];
        }
        if self.has_bound && below(2) == 0 {
            run.near = NearTiles::Always;
        }
        let is_of_sets = matches!(self.domain, Domain::Sets | Domain::Rectangles);
        let variants = (self.kernel)(device)?.info().variants.len();
        match below(6) {
            0 if is_of_sets => run.large = Some(1 + below(most / 4) as u32),
            0 => run.rows = Some(below(n + 1)..n),
            1 if !is_of_sets => {
                let pairs = run.sizes.pairs(false).into_iter();
                let mut pairs: Vec<_> = pairs.map(|(_, i, j)| [i as u32, j as u32]).collect();
                pairs.retain(|_| below(3) == 0);
                run.list = Some(pairs);
            }
            2 => {
                run.target = some(std::slice::from_ref(device), 1 + below(5))?;
                run.is_several = true;
            }
            _ => run.variant = Some(below(variants)).filter(|_| variants > 0),
        }
        Ok(run)
    }

    /// Sets without pairs at both ends and side by side, those that fill a block's runs of pairs and one more, many whose pairs are
    /// few, and those at the ends of tiles.
    fn sets(&self) -> Vec<Sizes> {
        let sets: [&[usize]; 6] = [
            &[0],
            &[0, 2, 1, 0, 3, 1],
            &[64, 8, 2, 2, 3],
            &[2; 600],
            &[31, 32, 33, 0, 127, 128, 129],
            &[1, 0, 300, 0, 0, 2],
        ];
        let rectangles: [&[[usize; 2]]; 5] = [
            &[[0, 3]],
            &[[2, 0], [0, 5], [1, 1]],
            &[[64, 32], [2, 1], [1, 1]],
            &[[1, 1]; 600],
            &[[1, 600], [600, 1], [3, 257], [33, 256], [130, 70]],
        ];
        match self.domain {
            Domain::One | Domain::Two => Vec::new(),
            Domain::Sets => sets.map(|sizes| Sizes::Sets(sizes.to_vec())).into(),
            Domain::Rectangles => rectangles.map(|sizes| Sizes::Rectangles(sizes.to_vec())).into(),
        }
    }
}
