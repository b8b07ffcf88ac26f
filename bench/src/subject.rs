//! What kernels are measured on: elements on the GPU, room for what comes out, and whether that is right. A kernel is
//! generic here: every generated one of some parameters, and every one written by hand, is launched in the same way.

use std::any::TypeId;
use std::cell::{OnceCell, RefCell};
use std::marker::PhantomData;

use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Device, LaunchWith, PackedSlots, Pairs, Slice, SliceMut, SquareSlots, Sum};

use crate::Failure;
use crate::measure::by_hand::{BEST_TILE, SQUARE_TILE, Source, TILES, Tile, WINDOWS};
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::{Point, Value, points};
use crate::measure::times::Times;

/// Elements, and what kernels make of them.
pub(crate) trait Subject: Sized + 'static {
    /// What comes out.
    type Output;

    /// What a launch takes.
    type Arguments<'a>;

    /// Whether a launch adds to what earlier ones left, so that only the first one can be checked.
    const ADDS_UP: bool;

    fn gpu(&self) -> &Gpu;

    fn arguments<'a>(&'a self, output: &'a mut Self::Output) -> Self::Arguments<'a>;

    /// Room for what comes out, as `clear` leaves it.
    fn output(&self) -> Result<Self::Output, Failure>;

    fn clear(&self, output: &mut Self::Output) -> Result<(), Failure>;

    /// An error where this is not what has to come out of a launch.
    fn verify(&self, name: &str, output: &Self::Output) -> Result<(), Failure>;

    /// A generated kernel, loaded, and its name in tables.
    fn generated<K>(&self) -> Result<(String, Launch<Self>), Failure>
    where
        K: for<'a> LaunchWith<Self::Arguments<'a>>,
    {
        Ok((GENERATED.into(), generated::<Self, K>(&self.gpu().device)?))
    }

    /// Launches once, and verifies.
    fn check(
        &self,
        name: &str,
        launch: &Launch<Self>,
        output: &mut Self::Output,
    ) -> Result<(), Failure> {
        self.clear(output)?;
        launch(self, output)?;
        self.verify(name, output)
    }
}

/// The name of our kernels' times.
pub(crate) const GENERATED: &str = "generated";

/// A kernel, loaded.
pub(crate) type Launch<S> = Box<dyn Fn(&S, &mut <S as Subject>::Output) -> Result<(), Failure>>;

/// Loads a generated kernel.
pub(crate) fn generated<S: Subject, K>(device: &Device) -> td_kernel::Result<Launch<S>>
where
    K: for<'a> LaunchWith<S::Arguments<'a>>,
{
    let kernel = K::load(device)?;
    Ok(Box::new(move |subject, output| Ok(kernel.launch_with(subject.arguments(output))?)))
}

/// Kernels on a subject, side by side.
pub(crate) struct Contest<'a, S: Subject> {
    subject: &'a S,
    kernels: Vec<(String, Launch<S>)>,
    /// One for each kernel, or one for all.
    outputs: Vec<RefCell<S::Output>>,
}

impl<'a, S: Subject> Contest<'a, S> {
    /// Each kernel has an output of its own.
    pub(crate) fn new(
        subject: &'a S,
        kernels: Vec<(String, Launch<S>)>,
    ) -> Result<Contest<'a, S>, Failure> {
        let outputs = kernels.iter().map(|_| Ok(RefCell::new(subject.output()?)));
        let outputs = outputs.collect::<Result<_, Failure>>()?;
        Ok(Contest { subject, kernels, outputs })
    }

    /// All kernels write to the same memory, and are checked one after another before they are timed.
    pub(crate) fn in_one_place(
        subject: &'a S,
        kernels: Vec<(String, Launch<S>)>,
    ) -> Result<Contest<'a, S>, Failure> {
        Ok(Contest { subject, kernels, outputs: vec![RefCell::new(subject.output()?)] })
    }

    fn output(&self, kernel: usize) -> &RefCell<S::Output> {
        &self.outputs[kernel.min(self.outputs.len() - 1)]
    }

    /// Launches a kernel once. An error where its results are wrong.
    pub(crate) fn check(&self, kernel: usize) -> Result<(), Failure> {
        let (name, launch) = &self.kernels[kernel];
        self.subject.check(name, launch, &mut self.output(kernel).borrow_mut())
    }

    pub(crate) fn check_each(&self) -> impl Iterator<Item = Result<(), Failure>> {
        (0..self.kernels.len()).map(|kernel| self.check(kernel))
    }

    pub(crate) fn way(&self, kernel: usize) -> Way<'_> {
        let ((name, launch), output) = (&self.kernels[kernel], self.output(kernel));
        Way::new(name, || launch(self.subject, &mut output.borrow_mut()))
    }

    pub(crate) fn ways(&self) -> impl Iterator<Item = Way<'_>> {
        (0..self.kernels.len()).map(|kernel| self.way(kernel))
    }

    /// Verifies what was timed.
    pub(crate) fn verify(&self) -> Result<(), Failure> {
        let mut all = self.kernels.iter().zip(&self.outputs);
        all.try_for_each(|((name, _), output)| self.subject.verify(name, &output.borrow()))
    }

    /// The times of floors and kernels in the same rounds. Results are verified after the timing, so that what is
    /// checked is what was timed; where they add up, before it.
    pub(crate) fn time<'b>(
        &'b self,
        floors: Vec<Way<'b>>,
        repeats: u32,
    ) -> Result<Vec<Times>, Failure> {
        if S::ADDS_UP {
            self.check_each().collect::<Result<(), _>>()?;
        }
        let mut ways = floors;
        ways.extend(self.ways());
        // The floors' memory is given back here, before a reference takes as much again.
        let times = self.subject.gpu().time(repeats, ways)?;
        if !S::ADDS_UP {
            self.verify()?;
        }
        Ok(times)
    }
}

/// The floor of what writes: a fill of so many bytes.
pub(crate) fn fill<'a>(gpu: &Gpu, name: &str, bytes: usize) -> Result<Way<'a>, Failure> {
    let function = gpu.load(&Source::new("fill", &[]))?;
    let mut slots = gpu.poisoned::<f32>(bytes.div_ceil(4))?;
    let gpu = gpu.clone();
    Ok(Way::new(name, move || {
        // All slots but the last up to three, where their number is no multiple of 4.
        let vectors = slots.len() as u64 / 4;
        let blocks = vectors.div_ceil(1024) as u32;
        // SAFETY: `fill` takes the number of vectors and where they are, an allocation of CUDA's and so
        // aligned, with at least as many floats.
        unsafe {
            gpu.launch(&function, [blocks, 1], [256, 1], |launch| {
                launch.arg(&vectors).arg(&mut slots);
            })
        }
    }))
}

/// The pairs i > j of n elements.
pub(crate) fn pairs(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}

/// The blocks of a triangle whose blocks have `side` elements per side.
pub(crate) fn units(n: usize, side: u32) -> u32 {
    let rows = n.div_ceil(side as usize);
    (rows * (rows + 1) / 2) as u32
}

/// One thread a pair of n elements, in blocks of 32 x 8.
fn grid_of_pairs(n: usize) -> [u32; 2] {
    [n.div_ceil(32) as u32, n.div_ceil(8) as u32]
}

/// Which memory is written: a slot for each pair, or both halves of a square.
pub(crate) trait Layout: 'static {
    const IS_SQUARE: bool;
    /// The kernel that writes the distances in the plainest way.
    const REFERENCE: &'static str;
    type Slots<'a, U: Value>;

    fn count(n: usize) -> usize;

    fn slots<U: Value>(memory: &mut CudaSlice<U>) -> Self::Slots<'_, U>;

    /// The best kernel written by hand for so many points: its name, its text, its grid and its block.
    fn by_hand(features: u32, n: usize) -> (String, Source, [u32; 2], [u32; 2]);
}

pub(crate) struct InPacked;
pub(crate) struct InSquare;

impl Layout for InPacked {
    const IS_SQUARE: bool = false;
    const REFERENCE: &'static str = "packed_reference";
    type Slots<'a, U: Value> = &'a mut dyn PackedSlots<U>;

    fn count(n: usize) -> usize {
        pairs(n)
    }

    fn slots<U: Value>(memory: &mut CudaSlice<U>) -> &mut dyn PackedSlots<U> {
        memory
    }

    fn by_hand(features: u32, n: usize) -> (String, Source, [u32; 2], [u32; 2]) {
        tile(features, n, BEST_TILE)
    }
}

impl Layout for InSquare {
    const IS_SQUARE: bool = true;
    const REFERENCE: &'static str = "square_reference";
    type Slots<'a, U: Value> = &'a mut dyn SquareSlots<U>;

    fn count(n: usize) -> usize {
        n * n
    }

    fn slots<U: Value>(memory: &mut CudaSlice<U>) -> &mut dyn SquareSlots<U> {
        memory
    }

    fn by_hand(features: u32, n: usize) -> (String, Source, [u32; 2], [u32; 2]) {
        let [side, rows] = SQUARE_TILE;
        let tiles = n.div_ceil(side as usize) as u32;
        let name = format!("by hand, tiles of {side}");
        (name, Source::square_tile(features), [tiles, tiles], [side / 4, rows])
    }
}

/// A kernel written by hand of packed distances: its name, its text, its grid and its block.
fn tile(features: u32, n: usize, tile: Tile) -> (String, Source, [u32; 2], [u32; 2]) {
    let Tile { side, threads: [x, y] } = tile;
    let name = format!("by hand, tiles of {side}, {x} x {y} threads");
    (name, Source::packed_tile(features, tile), [units(n, side), 1], [x, y])
}

/// Points, and a value for each pair of them.
pub(crate) struct Written<T, U, L> {
    gpu: Gpu,
    points: CudaSlice<T>,
    verify: fn(&Self, &str, &CudaSlice<U>) -> Result<(), Failure>,
    expected: OnceCell<CudaSlice<U>>,
    layout: PhantomData<L>,
}

/// Distances of points of any number of features.
pub(crate) type Distances<T, L> = Written<T, f32, L>;

/// Values of any type, made of the distances on a line.
pub(crate) type Values<U, L> = Written<f32, U, L>;

impl<T: Point, U: Value, L: Layout> Written<T, U, L> {
    fn new(
        gpu: &Gpu,
        n: usize,
        verify: fn(&Self, &str, &CudaSlice<U>) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let (gpu, points) = (gpu.clone(), gpu.upload(&points::<T>(n))?);
        Ok(Written { gpu, points, verify, expected: OnceCell::new(), layout: PhantomData })
    }

    /// The bytes that are written.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<U>() * L::count(self.points.len())
    }
}

impl<U: Value, L: Layout> Values<U, L> {
    pub(crate) fn values(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        Written::new(gpu, n, |subject, name, values| {
            let Written { gpu, points, .. } = subject;
            let doubles = TypeId::of::<U>() == TypeId::of::<f64>();
            let source = Source::output_check(size_of::<U>(), doubles, L::IS_SQUARE);
            let (function, n) = (gpu.load(&source)?, points.len() as u32);
            let mut found = gpu.nothing_found()?;
            // SAFETY: these are the parameters of `output_check` in their order; it is compiled for values of this size
            // and layout, of which there are as many as n points have, and the result has its two numbers.
            unsafe {
                gpu.launch(&function, grid_of_pairs(points.len()), [32, 8], |launch| {
                    launch.arg(&n).arg(points).arg(values).arg(&mut found);
                })
            }?;
            gpu.expect_nothing(name, &found)
        })
    }
}

impl<T: Point, L: Layout> Distances<T, L> {
    pub(crate) fn distances(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        Written::new(gpu, n, |subject, name, slots| {
            subject.gpu.check(name, slots, subject.reference()?)
        })
    }

    /// With what the distances are compared with, so that a device that has no room for it says so now.
    pub(crate) fn with_reference(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        let subject = Distances::distances(gpu, n)?;
        subject.reference()?;
        Ok(subject)
    }

    /// A kernel written by hand, which takes n, the points and the slots.
    pub(crate) fn by_hand(
        &self,
        (name, source, grid, block): (String, Source, [u32; 2], [u32; 2]),
    ) -> Result<(String, Launch<Self>), Failure> {
        let function = self.gpu.load(&source)?;
        let launch: Launch<Self> = Box::new(move |Written { gpu, points, .. }, slots| {
            let n = points.len();
            if slots.len() < L::count(n) {
                return Err(format!("{} slots for {n} points", slots.len()).into());
            }
            let n = n as u32;
            // SAFETY: all of these kernels take n, the points and the slots; this one is compiled for points of as many
            // features, there are n of them, and as many slots as its layout has.
            unsafe {
                gpu.launch(&function, grid, block, |launch| {
                    launch.arg(&n).arg(points).arg(slots);
                })
            }
        });
        Ok((name, launch))
    }

    /// The best one.
    pub(crate) fn best_by_hand(&self) -> Result<(String, Launch<Self>), Failure> {
        self.by_hand(L::by_hand(T::FEATURES, self.points.len()))
    }

    /// What the distances are compared with. The first time, it is computed.
    fn reference(&self) -> Result<&CudaSlice<f32>, Failure> {
        if let Some(expected) = self.expected.get() {
            return Ok(expected);
        }
        let mut slots = self.output()?;
        let source = Source::new(L::REFERENCE, &[("FEATURES", T::FEATURES)]);
        let grid = grid_of_pairs(self.points.len());
        self.by_hand((String::new(), source, grid, [32, 8]))?.1(self, &mut slots)?;
        Ok(self.expected.get_or_init(|| slots))
    }
}

impl<T: Point> Distances<T, InPacked> {
    /// One thread a pair, as in the papers; and tiles of each size.
    pub(crate) fn all_by_hand(&self) -> Result<Vec<(String, Launch<Self>)>, Failure> {
        let n = self.points.len();
        let source = Source::new("packed_pair", &[("FEATURES", T::FEATURES)]);
        let plain = ("one thread a pair".into(), source, [units(n, 16), 1], [16, 16]);
        let tiles = TILES.iter().map(|&each| tile(T::FEATURES, n, each));
        [plain].into_iter().chain(tiles).map(|each| self.by_hand(each)).collect()
    }
}

impl<T: Point, U: Value, L: Layout> Subject for Written<T, U, L> {
    type Output = CudaSlice<U>;
    type Arguments<'a> = (&'a dyn Slice<T>, L::Slots<'a, U>);

    const ADDS_UP: bool = false;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, slots: &'a mut CudaSlice<U>) -> Self::Arguments<'a> {
        (&self.points, L::slots(slots))
    }

    fn output(&self) -> Result<CudaSlice<U>, Failure> {
        self.gpu.poisoned(L::count(self.points.len()))
    }

    fn clear(&self, slots: &mut CudaSlice<U>) -> Result<(), Failure> {
        self.gpu.poison(slots)
    }

    fn verify(&self, name: &str, slots: &CudaSlice<U>) -> Result<(), Failure> {
        (self.verify)(self, name, slots)
    }
}

/// The maps alone: a body that looks at its pair and writes only where i + j is what is wanted. No pair has the sum that
/// is timed, which the compiler cannot know; those that some pairs have show whether all are visited, once. (The papers'
/// kernel writes i + j to one place in memory: so many writes would be what is timed.)
pub(crate) struct Looks {
    gpu: Gpu,
    n: usize,
}

/// What is wanted, and how often it was found.
pub(crate) struct Seen {
    wanted: u32,
    count: CudaSlice<u32>,
}

impl Looks {
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Result<Looks, Failure> {
        Ok(Looks { gpu: gpu.clone(), n })
    }
}

impl Subject for Looks {
    type Output = Seen;
    type Arguments<'a> = (usize, u32, &'a mut dyn SliceMut<u32>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, seen: &'a mut Seen) -> Self::Arguments<'a> {
        (self.n, seen.wanted, &mut seen.count)
    }

    fn output(&self) -> Result<Seen, Failure> {
        Ok(Seen { wanted: u32::MAX, count: self.gpu.upload(&[0])? })
    }

    fn clear(&self, seen: &mut Seen) -> Result<(), Failure> {
        Ok(self.gpu.stream.memset_zeros(&mut seen.count)?)
    }

    fn verify(&self, name: &str, Seen { wanted, count }: &Seen) -> Result<(), Failure> {
        let visited = self.gpu.stream.clone_dtoh(count)?;
        // Of the sums i + j = s with i > j, s < n, half are pairs, whichever rows they are in.
        let expected = wanted.div_ceil(2);
        if visited == [expected] {
            return Ok(());
        }
        Err(format!("{name} visits {visited:?} of {expected} pairs with i + j = {wanted}").into())
    }

    fn check(&self, name: &str, launch: &Launch<Self>, seen: &mut Seen) -> Result<(), Failure> {
        for wanted in [1, self.n / 2, self.n - 1] {
            self.clear(seen)?;
            seen.wanted = wanted as u32;
            launch(self, seen)?;
            self.verify(name, seen)?;
        }
        seen.wanted = u32::MAX;
        Ok(())
    }
}

/// Balls that touch, counted.
pub(crate) struct Counts<T> {
    gpu: Gpu,
    balls: CudaSlice<T>,
    /// Where nothing else told it, what the first kernel counts that is checked.
    expected: OnceCell<u64>,
}

/// What generated kernels count, and what one written by hand does.
pub(crate) struct Counted {
    sum: Sum<u64>,
    by_hand: CudaSlice<u64>,
}

impl<T: Value> Counts<T> {
    pub(crate) fn new(gpu: &Gpu, balls: &[T]) -> Result<Counts<T>, Failure> {
        Ok(Counts { gpu: gpu.clone(), balls: gpu.upload(balls)?, expected: OnceCell::new() })
    }
}

/// The rows of a tile of the kernels written by hand that count and list.
const TILE: u32 = 128;

impl Counts<[f32; 4]> {
    /// With the count of the plainest kernel.
    pub(crate) fn of_spheres(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        let lists = Lists::new(gpu, n)?;
        let expected = OnceCell::from(lists.expected.len() as u64);
        Ok(Counts { gpu: lists.gpu, balls: lists.spheres, expected })
    }

    pub(crate) fn by_hand(&self) -> Result<(String, Launch<Self>), Failure> {
        let function = self.gpu.load(&Source::new("collision_count", &[]))?;
        let launch: Launch<Self> = Box::new(move |subject, counted| {
            let n = subject.balls.len() as u32;
            // SAFETY: `collision_count` takes n, n spheres, and where one number is.
            unsafe {
                subject.gpu.launch(&function, [units(n as usize, TILE), 1], [32, 1], |launch| {
                    launch.arg(&n).arg(&subject.balls).arg(&mut counted.by_hand);
                })
            }
        });
        Ok(("by hand, 4 rows a lane".into(), launch))
    }
}

impl<T: Value> Subject for Counts<T> {
    type Output = Counted;
    type Arguments<'a> = (&'a dyn Slice<T>, &'a mut Sum<u64>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, counted: &'a mut Counted) -> Self::Arguments<'a> {
        (&self.balls, &mut counted.sum)
    }

    fn output(&self) -> Result<Counted, Failure> {
        Ok(Counted { sum: self.gpu.device.sum()?, by_hand: self.gpu.upload(&[0])? })
    }

    fn clear(&self, counted: &mut Counted) -> Result<(), Failure> {
        counted.sum.clear()?;
        Ok(self.gpu.stream.memset_zeros(&mut counted.by_hand)?)
    }

    fn verify(&self, name: &str, counted: &Counted) -> Result<(), Failure> {
        let by_hand = self.gpu.stream.clone_dtoh(&counted.by_hand)?;
        let count = counted.sum.download()? + by_hand.iter().sum::<u64>();
        match *self.expected.get_or_init(|| count) {
            expected if expected != count => {
                Err(format!("{name}: {count} collisions instead of {expected}").into())
            }
            _ => Ok(()),
        }
    }
}

/// Spheres that touch, listed.
pub(crate) struct Lists {
    gpu: Gpu,
    spheres: CudaSlice<[f32; 4]>,
    expected: Vec<[u32; 2]>,
}

/// The list of a generated kernel, and that of one written by hand.
pub(crate) struct Listed {
    pairs: Pairs,
    list: CudaSlice<[u32; 2]>,
    count: CudaSlice<u64>,
}

/// Room for the pairs of all launches that are timed, some hundreds each: a list that is full would be
/// spared its writes.
const CAPACITY: usize = 1 << 20;

impl Lists {
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Result<Lists, Failure> {
        let spheres = gpu.upload(&crate::measure::points::spheres(n))?;
        let mut lists = Lists { gpu: gpu.clone(), spheres, expected: Vec::new() };
        // One thread a pair.
        let source = Source::new("collision_reference", &[]);
        let mut listed = lists.output()?;
        lists.kernel(&source, grid_of_pairs(n), [32, 8])?(&lists, &mut listed)?;
        lists.expected = lists.sorted(&listed)?;
        Ok(lists)
    }

    pub(crate) fn all_by_hand(&self) -> Result<Vec<(String, Launch<Self>)>, Failure> {
        let grid = [units(self.spheres.len(), TILE), 1];
        let by_hand = |window: &u32| {
            let source = Source::new("collision_list", &[("WINDOW", *window)]);
            Ok((format!("by hand, windows of {window}"), self.kernel(&source, grid, [32, 1])?))
        };
        WINDOWS.iter().map(by_hand).collect()
    }

    fn kernel(
        &self,
        source: &Source,
        grid: [u32; 2],
        block: [u32; 2],
    ) -> Result<Launch<Self>, Failure> {
        let function = self.gpu.load(source)?;
        Ok(Box::new(move |Lists { gpu, spheres, .. }, Listed { list, count, .. }| {
            let (n, capacity) = (spheres.len() as u32, list.len() as u64);
            // SAFETY: these kernels take n, n spheres, a list, where its length is, and its capacity; they
            // write no further than that, whatever the grid.
            unsafe {
                gpu.launch(&function, grid, block, |launch| {
                    launch.arg(&n).arg(spheres).arg(list).arg(count).arg(&capacity);
                })
            }
        }))
    }

    fn sorted(&self, listed: &Listed) -> Result<Vec<[u32; 2]>, Failure> {
        let count = self.gpu.stream.clone_dtoh(&listed.count)?;
        let mut pairs = self.gpu.stream.clone_dtoh(&listed.list)?;
        pairs.truncate(count.first().copied().unwrap_or_default() as usize);
        pairs.extend(listed.pairs.download()?);
        pairs.sort_unstable();
        Ok(pairs)
    }
}

impl Subject for Lists {
    type Output = Listed;
    type Arguments<'a> = (&'a dyn Slice<[f32; 4]>, &'a mut Pairs);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, listed: &'a mut Listed) -> Self::Arguments<'a> {
        (&self.spheres, &mut listed.pairs)
    }

    fn output(&self) -> Result<Listed, Failure> {
        let pairs = self.gpu.device.pairs(CAPACITY)?;
        // Pairs that no kernel lists, so that an entry which nobody writes shows.
        let list = self.gpu.upload(&vec![[u32::MAX; 2]; CAPACITY])?;
        Ok(Listed { pairs, list, count: self.gpu.upload(&[0])? })
    }

    fn clear(&self, listed: &mut Listed) -> Result<(), Failure> {
        listed.pairs.clear()?;
        Ok(self.gpu.stream.memset_zeros(&mut listed.count)?)
    }

    fn verify(&self, name: &str, listed: &Listed) -> Result<(), Failure> {
        let (actual, expected) = (self.sorted(listed)?, &self.expected);
        if actual == *expected {
            return Ok(());
        }
        let place = actual.iter().zip(expected).take_while(|(a, b)| a == b).count();
        let text = format!(
            "{name} lists {} pairs and the reference {}; in order, the first to differ is number {place}: \
             {:?} and {:?}",
            actual.len(),
            expected.len(),
            actual.get(place),
            expected.get(place)
        );
        Err(text.into())
    }
}
