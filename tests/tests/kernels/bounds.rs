//! Kernels read and write no element past the last one: on the CPU, an inaccessible page follows the elements. Tests a GPU's
//! source in every sweep, and the CPU's loops.
#![cfg(target_os = "linux")]

use std::{io, ptr, slice};

use rayon::prelude::*;
use td_kernel::__private::{Axis, output};
use td_kernel::{Device, DeviceType, Kernel, Matrix, Result, Sweep, View, ViewMut, td_kernel};
use td_kernel_geometry::Root;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::rectangle::Choice;

/// The emulator and the CPU, which runs loops.
fn devices() -> [Device; 2] {
    [Device::emulator(), Device::cpu()].map(Result::unwrap)
}

/// Elements at the end of a mapping, before a page that cannot be read.
struct Guarded<T> {
    mapping: *mut libc::c_void,
    bytes: usize,
    elements: *mut T,
    length: usize,
}

/// At least a page on every tested system.
const PAGE: usize = 1 << 16;

impl<T: DeviceType> Guarded<T> {
    fn new(elements: &[T]) -> Self {
        let room = size_of_val(elements).next_multiple_of(PAGE);
        let bytes = room + PAGE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping, which nothing else uses.
        let mapping = unsafe { libc::mmap(ptr::null_mut(), bytes, access, kind, -1, 0) };
        assert_ne!(mapping, libc::MAP_FAILED, "{}", io::Error::last_os_error());
        // SAFETY: the last page of the mapping, of which nothing has been read or written.
        let protected = unsafe { libc::mprotect(mapping.byte_add(room), PAGE, libc::PROT_NONE) };
        assert_eq!(protected, 0, "{}", io::Error::last_os_error());
        let length = elements.len();
        // SAFETY: inside the mapping, in front of its last page.
        let first = unsafe { mapping.byte_add(room - size_of_val(elements)) }.cast::<T>();
        // SAFETY: the mapping has room for these elements there, and its pages are as aligned as they need.
        unsafe { ptr::copy_nonoverlapping(elements.as_ptr(), first, length) };
        Guarded { mapping, bytes, elements: first, length }
    }

    fn view(&self) -> View<'_, T> {
        // SAFETY: this many elements have been copied there, and nothing writes them.
        View::Cpu(unsafe { slice::from_raw_parts(self.elements, self.length) })
    }

    fn view_mut(&mut self) -> ViewMut<'_, T> {
        // SAFETY: this many elements have been copied there, and this borrow is the only one.
        ViewMut::Cpu(unsafe { slice::from_raw_parts_mut(self.elements, self.length) })
    }

    fn values(&self) -> &[T] {
        // SAFETY: this many elements have been copied there.
        unsafe { slice::from_raw_parts(self.elements, self.length) }
    }
}

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        // SAFETY: the mapping of this value, which nothing borrows any more.
        unsafe { libc::munmap(self.mapping, self.bytes) };
    }
}

/// Numbers of rows and columns around those of a tile.
const SIZES: &[[usize; 2]] = &[[1, 1], [33, 64], [64, 33], [100, 130]];

/// The loops, which are the same for every sweep, run for one choice with slots and one without.
#[test]
fn element_bounds_of_two_sets() {
    let [emulator, cpu] = devices();
    // Another test below checks the reads of features.
    let choices = Choice::all().into_iter().filter(|choice| choice.sweep != Sweep::Fold);
    let in_loops = [Sweep::Rows, Sweep::Columns].map(|sweep| (&cpu, Choice { sweep, side: 64 }));
    let all = choices.map(|choice| (&emulator, choice)).chain(in_loops);
    all.collect::<Vec<_>>().par_iter().check_each(|(device, choice)| {
        let item = r##"unsafe fn total(#[row] x: &[u32], #[column] y: &[f64], slots: &mut Matrix<f32>, low: &mut Matrix<u8>, sum: &mut Sum<f64>) { r#" slots = x; low = x + j; sum += x + y; "# }"##;
        let has_slots = choice.sweep.name() != "columns";
        let item = match has_slots {
            true => item.to_owned(),
            false => item
                .replace(", slots: &mut Matrix<f32>, low: &mut Matrix<u8>", "")
                .replace("slots = x; low = x + j; ", ""),
        };
        let kernel = choice.load(device, "total", &item).unwrap();
        for &[rows, columns] in SIZES {
            let x = Guarded::new(&(0..rows as u32).collect::<Vec<_>>());
            let y = Guarded::new(&(0..columns).map(|k| k as f64).collect::<Vec<_>>());
            for chunk in [0..rows, rows / 2..rows] {
                let kernel: Kernel = kernel.rows(chunk.clone());
                let mut slots = Guarded::new(&vec![-1.0_f32; chunk.len() * columns]);
                let mut low = Guarded::new(&vec![255_u8; chunk.len() * columns]);
                let (mut of_slots, mut of_low) = (slots.view_mut(), low.view_mut());
                let mut sum = device.sum::<f64>().unwrap();
                let mut launch = kernel.launch();
                launch.bind(Axis::Row, "x", x.view()).unwrap();
                launch.bind(Axis::Column, "y", y.view()).unwrap();
                if has_slots {
                    launch.bind(Axis::All, "slots", output::<Matrix<f32>>(&mut of_slots)).unwrap();
                    launch.bind(Axis::All, "low", output::<Matrix<u8>>(&mut of_low)).unwrap();
                }
                launch.bind(Axis::All, "sum", &mut sum).unwrap();
                // SAFETY: the parameters of the item, in its order and with its types.
                unsafe { launch.run() }.unwrap();
                let place = format!("{choice:?}, {rows} x {columns}, {}", device.name());
                let expected: usize =
                    chunk.clone().flat_map(|i| (0..columns).map(move |j| i + j)).sum();
                assert_eq!(sum.download().unwrap(), expected as f64, "{place}");
                let pairs = chunk.flat_map(|i| (0..columns).map(move |j| (i, j)));
                for (k, (i, j)) in pairs.enumerate().filter(|_| has_slots) {
                    let found = (slots.values()[k], low.values()[k]);
                    assert_eq!(found, (i as f32, (i + j) as u8), "{place}: ({i}, {j})");
                }
            }
        }
    });
}

/// The words after the last row of features: kernels read some words past a row's end.
const STAGED: usize = 16;

/// Rows of features, each padded to a multiple of 16 bytes, as words of 16 bytes; and the words after the last row.
fn words(rows: usize, width: usize) -> Vec<[u32; 4]> {
    let words = width.div_ceil(4);
    let row = |row: usize| {
        (0..words).map(move |word| {
            std::array::from_fn(|k| if 4 * word + k < width { (row + k) as u32 } else { 0 })
        })
    };
    // Using these would change the sum.
    (0..rows).flat_map(row).chain([[77; 4]; STAGED]).collect()
}

/// Also when a chunk continues after the last row.
#[test]
fn feature_bounds() {
    let [emulator, cpu] = devices();
    let item = r##"unsafe fn total(#[row] a: &Features<u32>, #[column] b: &Features<u32>, #[fold] s: u32, sum: &mut Sum<u64>) { let feature = r#" s += a * b; "#; let pair = r#" sum += s; "#; }"##;
    for (device, side) in [(&emulator, 32), (&emulator, 64), (&emulator, 128), (&cpu, 64)] {
        let choice = Choice { sweep: Sweep::Fold, side };
        let kernel = choice.load(device, "total", item).unwrap();
        for &[rows, columns] in SIZES {
            for width in [1_u32, 4, 5, 15, 16, 17, 36, 64, 65] {
                let count = width as usize;
                let (a, b) = (words(rows, count), words(columns, count));
                let (x, y) = (Guarded::new(&a), Guarded::new(&b));
                for chunk in [0..rows, rows / 2..rows] {
                    let kernel: Kernel = kernel.rows(chunk.clone());
                    let mut sum = device.sum::<u64>().unwrap();
                    let mut launch = kernel.launch();
                    launch.bind(Axis::Row, "rows", rows).unwrap();
                    launch.bind(Axis::Column, "columns", columns).unwrap();
                    // Features are an address, and the first ones their width.
                    launch.bind(Axis::All, "a", x.view()).unwrap();
                    launch.bind(Axis::All, "scalar", &width).unwrap();
                    launch.bind(Axis::All, "b", y.view()).unwrap();
                    launch.bind(Axis::All, "sum", &mut sum).unwrap();
                    // SAFETY: the parameters of the item, in its order and with its types.
                    unsafe { launch.run() }.unwrap();
                    let parts = |rows: std::ops::Range<usize>, all: &[[u32; 4]]| -> Vec<u64> {
                        let words = count.div_ceil(4);
                        let of =
                            |k: usize| rows.clone().map(move |row| all[row * words + k / 4][k % 4]);
                        (0..count).map(|k| of(k).map(u64::from).sum()).collect()
                    };
                    let (of_a, of_b) = (parts(chunk.clone(), &a), parts(0..columns, &b));
                    let expected: u64 = of_a.iter().zip(&of_b).map(|(a, b)| a * b).sum();
                    let place = format!("{choice:?}, {rows} x {columns}, {chunk:?}, width {width}");
                    assert_eq!(sum.download().unwrap(), expected, "{place}");
                }
            }
        }
    }
}

#[td_kernel(map = "auto")]
unsafe fn packed(#[each] x: &[u32], slots: &mut Packed<u32>) {
    r#" slots = x.i + x.j; "#
}

#[td_kernel]
unsafe fn square(#[each] x: &[u32], slots: &mut Square<u8>) {
    r#" slots = x.i + x.j; "#
}

#[td_kernel]
unsafe fn sum(#[each] x: &[u32], total: &mut Sum<u64>) {
    r#" total += x.i + x.j; "#
}

/// For the sweep `rotate`, in each tile size.
#[td_kernel]
unsafe fn degrees(
    #[each] x: &[u32],
    #[each] degree: &mut Sums<u64>,
    #[each] most: &mut Maxima<u32>,
) {
    r#"
    degree.i += x.j;
    degree.j += x.i;
    most.offer(x.i + x.j);
    "#
}

/// Every variant of a kernel on the emulator, and its loops on the CPU.
macro_rules! every_text {
    ($kernel:ident) => {{
        let [emulator, cpu] = devices();
        let of_gpus = $kernel::load(&emulator).unwrap().kernel;
        let of_gpus = (0..$kernel::SOURCES.len())
            .map(move |variant| (emulator.clone(), $kernel { kernel: of_gpus.pin(variant) }));
        let loops = $kernel::load(&cpu).unwrap();
        of_gpus.chain([(cpu, loops)])
    }};
}

#[test]
fn element_bounds_of_one_set() {
    for n in [2_usize, 33, 64, 130, 300] {
        let x = Guarded::new(&(0..n as u32).collect::<Vec<_>>());
        for (_, kernel) in every_text!(packed) {
            let mut slots = Guarded::new(&vec![0_u32; n * (n - 1) / 2]);
            kernel.launch(&x.view(), &mut slots.view_mut()).unwrap();
            let expected = (0..n as u32).flat_map(|i| (0..i).map(move |j| i + j));
            assert!(slots.values().iter().copied().eq(expected), "packed, n = {n}");
        }
        for (_, kernel) in every_text!(square) {
            let mut slots = Guarded::new(&vec![255_u8; n * n]);
            kernel.launch(&x.view(), &mut slots.view_mut()).unwrap();
            let expected = (0..n * n).map(|k| (k / n, k % n));
            let expected = expected.map(|(i, j)| if i == j { 0 } else { (i + j) as u8 });
            assert!(slots.values().iter().copied().eq(expected), "square, n = {n}");
        }
        for (device, kernel) in every_text!(sum) {
            let mut total = device.sum().unwrap();
            kernel.launch(&x.view(), &mut total).unwrap();
            assert_eq!(total.download().unwrap(), (n * (n - 1) / 2 * (n - 1)) as u64);
        }
        assert!(
            degrees::SOURCES.iter().all(|text| text.contains("rotate") || text.contains("block"))
        );
        for (device, kernel) in every_text!(degrees) {
            let (mut degree, mut most) = (device.sums(n).unwrap(), device.maxima(n).unwrap());
            kernel.launch(&x.view(), &mut degree, &mut most).unwrap();
            let all = (n * (n - 1) / 2) as u64;
            let expected = (0..n as u64).map(|own| all - own);
            assert!(degree.download().unwrap().into_iter().eq(expected), "sums, n = {n}");
            let last = n as u32 - 1;
            let expected = (0..n as u32).map(|own| own + if own == last { last - 1 } else { last });
            assert!(most.download().unwrap().into_iter().eq(expected), "maxima, n = {n}");
        }
    }
}

/// Lists of every kind. All get the pairs of a launch.
struct Lists {
    list: Guarded<[u32; 2]>,
    small: [Guarded<u32>; 3],
    large: [Guarded<u32>; 2],
    values: Guarded<[f64; 4]>,
    counts: [Guarded<u64>; 3],
    capacity: u64,
}

const OF_LISTS: &str = "list: &mut Pairs, small: &mut Pairs<u32>, large: &mut Pairs<[f64; 4]>";
const PUSH: &str = "list.push(); small.push(i + j); large.push({(double)i, (double)j, 0, 1});";

impl Lists {
    fn new(capacity: usize) -> Lists {
        Lists {
            list: Guarded::new(&vec![[u32::MAX; 2]; capacity]),
            small: [(); 3].map(|()| Guarded::new(&vec![u32::MAX; capacity])),
            large: [(); 2].map(|()| Guarded::new(&vec![u32::MAX; capacity])),
            values: Guarded::new(&vec![[-1.0; 4]; capacity]),
            counts: [(); 3].map(|()| Guarded::new(&[0])),
            capacity: capacity as u64,
        }
    }

    /// Checks that the lists have counted this many pairs, and contain as many different ones as they have room for.
    fn check(&self, pairs: usize, place: &str) {
        let count = [pairs as u64];
        assert!(self.counts.iter().all(|found| found.values() == count), "{place}");
        let listed = pairs.min(self.capacity as usize);
        let beside = |i: &[u32], j: &[u32]| -> Vec<[u32; 2]> {
            i.iter().zip(j).map(|(i, j)| [*i, *j]).collect()
        };
        let small = beside(self.small[0].values(), self.small[1].values());
        let large = beside(self.large[0].values(), self.large[1].values());
        for (k, [i, j]) in small[..listed].iter().enumerate() {
            assert_eq!(self.small[2].values()[k], i + j, "{place}");
        }
        for (k, pair) in large[..listed].iter().enumerate() {
            let [i, j] = pair.map(f64::from);
            assert_eq!(self.values.values()[k], [i, j, 0.0, 1.0], "{place}");
        }
        for mut found in [self.list.values().to_vec(), small, large] {
            assert!(found[listed..].iter().all(|pair| *pair == [u32::MAX; 2]), "{place}");
            found.truncate(listed);
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), listed, "{place}");
        }
    }
}

/// Passes lists to a launch, whose type cannot be named here, and runs it.
macro_rules! run_with_lists {
    ($launch:ident, $lists:ident) => {
        let Lists { list, small, large: [of_i, of_j], values, counts, capacity } = &mut $lists;
        let [of_list, of_small, of_large] = counts;
        $launch.bind(Axis::All, "list", list.view_mut()).unwrap();
        $launch.bind(Axis::All, "list", of_list.view_mut()).unwrap();
        $launch.bind(Axis::All, "scalar", &*capacity).unwrap();
        small
            .iter_mut()
            .for_each(|small| $launch.bind(Axis::All, "small", small.view_mut()).unwrap());
        $launch.bind(Axis::All, "small", of_small.view_mut()).unwrap();
        $launch.bind(Axis::All, "scalar", &*capacity).unwrap();
        $launch.bind(Axis::All, "large", of_i.view_mut()).unwrap();
        $launch.bind(Axis::All, "large", of_j.view_mut()).unwrap();
        $launch.bind(Axis::All, "large", values.view_mut()).unwrap();
        $launch.bind(Axis::All, "large", of_large.view_mut()).unwrap();
        $launch.bind(Axis::All, "scalar", &*capacity).unwrap();
        // SAFETY: the parameters of the item, in its order and with its types.
        unsafe { $launch.run() }.unwrap();
    };
}

/// No list, one pair, lists that end inside a warp's pairs and before the last pair, and one with room for more.
fn capacities(pairs: usize) -> [usize; 7] {
    [0, 1, 33, 600, pairs - 1, pairs, pairs + 1]
}

#[test]
fn list_capacity_bounds_of_two_sets() {
    let [emulator, cpu] = devices();
    let choices = [
        (&emulator, Sweep::Classic, 16),
        (&emulator, Sweep::Rows, 64),
        (&emulator, Sweep::Columns, 64),
        (&emulator, Sweep::Columns, 96),
        (&emulator, Sweep::Fold, 64),
        (&cpu, Sweep::Columns, 64),
        (&cpu, Sweep::Fold, 64),
    ];
    choices.par_iter().check_each(|&(device, sweep, side)| {
        let (choice, [rows, columns]) = (Choice { sweep, side }, [70, 130]);
        let item = match sweep {
            Sweep::Fold => format!(r##"unsafe fn lists(#[row] a: &Features<u32>, #[column] b: &Features<u32>, #[fold] s: u32, {OF_LISTS}) {{ let feature = r#" s += a * b; "#; let pair = r#" if (s < 100000) {{ {PUSH} }} "#; }}"##),
            Sweep::Rows => format!(r##"unsafe fn lists(#[row] x: &[u32], slots: &mut Matrix<u8>, {OF_LISTS}) {{ r#" slots = x; {PUSH} "# }}"##),
            _ => format!(r##"unsafe fn lists(#[row] x: &[u32], {OF_LISTS}) {{ r#" if (x == i) {{ {PUSH} }} "# }}"##),
        };
        let kernel = choice.load(device, "lists", &item).unwrap();
        let x = Guarded::new(&(0..rows as u32).collect::<Vec<_>>());
        let (a, b) = (Guarded::new(&words(rows, 1)), Guarded::new(&words(columns, 1)));
        for capacity in capacities(rows * columns) {
            let mut lists = Lists::new(capacity);
            let mut slots = Guarded::new(&vec![0_u8; rows * columns]);
            let mut slots = slots.view_mut();
            let mut launch = kernel.launch();
            if sweep == Sweep::Fold {
                launch.bind(Axis::Row, "rows", rows).unwrap();
                launch.bind(Axis::All, "a", a.view()).unwrap();
                launch.bind(Axis::All, "scalar", &1_u32).unwrap();
                launch.bind(Axis::All, "b", b.view()).unwrap();
            } else {
                launch.bind(Axis::Row, "x", x.view()).unwrap();
            }
            launch.bind(Axis::Column, "columns", columns).unwrap();
            if sweep == Sweep::Rows {
                launch.bind(Axis::All, "slots", output::<Matrix<u8>>(&mut slots)).unwrap();
            }
            run_with_lists!(launch, lists);
            let place = format!("{choice:?}, {capacity} of {}, {}", rows * columns, device.name());
            lists.check(rows * columns, &place);
        }
    });
}

#[test]
fn list_capacity_bounds_of_one_set() {
    let [emulator, cpu] = devices();
    let choices = td_kernel_tests::Choice::tiles().into_iter().filter(|choice| {
        let kind = (choice.map, choice.linear, choice.diagonal, choice.root);
        kind == ("ltm", false, false, Root::Exact)
    });
    let is_tried = |sweep, tile| match sweep {
        Sweep::Columns => tile == 64,
        Sweep::Rotate => [64, 96].contains(&tile),
        _ => false,
    };
    let choices = choices.filter(|choice| is_tried(choice.sweep, choice.tile));
    let mut all: Vec<_> = choices.map(|choice| (&emulator, choice)).collect();
    assert_eq!(all.len(), 3);
    all.push((&cpu, all[0].1));
    all.par_iter().check_each(|(device, choice)| {
        let (n, rotates) = (130_usize, choice.sweep == Sweep::Rotate);
        let [parameter, add] = match rotates {
            true => [", #[each] degree: &mut Sums<u64>", "degree.i += 1; degree.j += 1;"],
            false => ["", ""],
        };
        let item = format!(r##"unsafe fn lists(#[each] x: &[u32]{parameter}, {OF_LISTS}) {{ r#" {add} if (x.i == i) {{ {PUSH} }} "# }}"##);
        let kernel = choice.load(device, "lists", &item).unwrap();
        let x = Guarded::new(&(0..n as u32).collect::<Vec<_>>());
        let pairs = n * (n - 1) / 2;
        for capacity in capacities(pairs) {
            let mut lists = Lists::new(capacity);
            let mut degree = device.sums::<u64>(n).unwrap();
            let mut launch = kernel.launch();
            launch.bind(Axis::Each, "x", x.view()).unwrap();
            if rotates {
                launch.bind(Axis::Each, "degree", &mut degree).unwrap();
            }
            run_with_lists!(launch, lists);
            let place = format!("{choice:?}, {capacity} of {pairs}, {}", device.name());
            lists.check(pairs, &place);
            assert!(!rotates || degree.download().unwrap() == vec![n as u64 - 1; n], "{place}");
        }
    });
}
