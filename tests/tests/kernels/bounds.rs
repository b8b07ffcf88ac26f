//! Kernels read no element past the last one: on the CPU a page follows that nothing may read.
#![cfg(target_os = "linux")]

use std::{io, ptr, slice};

use rayon::prelude::*;
use td_kernel::{Device, DeviceType, Kernel, Sweep, View, td_kernel};
use td_kernel_tests::rectangle::Choice;

/// Elements at the end of a mapping, before a page that cannot be read.
struct Guarded<T> {
    mapping: *mut libc::c_void,
    bytes: usize,
    elements: *mut T,
    length: usize,
}

/// At least a page, of every system that tests run on.
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
        // SAFETY: as many elements have been copied there, and nothing writes them.
        View::Cpu(unsafe { slice::from_raw_parts(self.elements, self.length) })
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

#[test]
fn no_element_past_the_last_of_two_sets_is_read() {
    let device = Device::emulator().unwrap();
    // What features are read is shown below.
    let choices = Choice::all().into_iter().filter(|choice| choice.sweep != Sweep::Fold);
    choices.collect::<Vec<_>>().par_iter().for_each(|choice| {
        let item = r##"unsafe fn total(#[row] x: &[u32], #[column] y: &[f64], slots: &mut Matrix<f32>, sum: &mut Sum<f64>) { r#" slots = x; sum += x + y; "# }"##;
        let has_slots = choice.sweep.name() != "columns";
        let item = match has_slots {
            true => item.to_owned(),
            false => item.replace(", slots: &mut Matrix<f32>", "").replace("slots = x; ", ""),
        };
        let kernel = choice.load(&device, "total", &item).unwrap();
        for &[rows, columns] in SIZES {
            let x = Guarded::new(&(0..rows as u32).collect::<Vec<_>>());
            let y = Guarded::new(&(0..columns).map(|k| k as f64).collect::<Vec<_>>());
            for band in [0..rows, rows / 2..rows] {
                let kernel: Kernel = kernel.rows(band.clone());
                let (x, y) = (x.view(), y.view());
                let mut slots = device.matrix::<f32>(rows, columns).unwrap();
                let mut sum = device.sum::<f64>().unwrap();
                let mut launch = kernel.launch();
                launch.row("x", &x).unwrap();
                launch.column("y", &y).unwrap();
                if has_slots {
                    launch.matrix("slots", &mut slots).unwrap();
                }
                launch.sum("sum", &mut sum).unwrap();
                // SAFETY: the parameters of the item, in its order and with its types.
                unsafe { launch.run() }.unwrap();
                let expected: usize =
                    band.flat_map(|i| (0..columns).map(move |j| i + j)).sum();
                let place = format!("{choice:?}, {rows} x {columns}");
                assert_eq!(sum.download().unwrap(), expected as f64, "{place}");
            }
        }
    });
}

/// What there is after the last row of features: kernels read some words of a row past its end.
const STAGED: usize = 16;

/// Rows of features, each padded to a multiple of 16 bytes, as words of 16 bytes; and the words after the last row.
fn words(rows: usize, width: usize) -> Vec<[u32; 4]> {
    let words = width.div_ceil(4);
    let row = |row: usize| {
        (0..words).map(move |word| {
            std::array::from_fn(|k| if 4 * word + k < width { (row + k) as u32 } else { 0 })
        })
    };
    // Whoever used these would get another sum.
    (0..rows).flat_map(row).chain([[77; 4]; STAGED]).collect()
}

/// Also where a chunk goes on after the last row.
#[test]
fn no_feature_past_the_last_is_read() {
    let device = Device::emulator().unwrap();
    let item = r##"unsafe fn total(#[row] a: &Features<u32>, #[column] b: &Features<u32>, #[fold] s: u32, sum: &mut Sum<u64>) { let feature = r#" s += a * b; "#; let pair = r#" sum += s; "#; }"##;
    for side in [32, 64, 128] {
        let choice = Choice { sweep: Sweep::Fold, side };
        let kernel = choice.load(&device, "total", item).unwrap();
        for &[rows, columns] in SIZES {
            for width in [1_u32, 4, 5, 15, 16, 17, 36, 64, 65] {
                let count = width as usize;
                let (a, b) = (words(rows, count), words(columns, count));
                let (x, y) = (Guarded::new(&a), Guarded::new(&b));
                for band in [0..rows, rows / 2..rows] {
                    let kernel: Kernel = kernel.rows(band.clone());
                    let (x, y) = (x.view(), y.view());
                    let mut sum = device.sum::<u64>().unwrap();
                    let mut launch = kernel.launch();
                    launch.rows(rows).unwrap();
                    launch.columns(columns).unwrap();
                    // Features are an address, and the first ones their width.
                    launch.slice("a", &x).unwrap();
                    launch.scalar(&width);
                    launch.slice("b", &y).unwrap();
                    launch.sum("sum", &mut sum).unwrap();
                    // SAFETY: the parameters of the item, in its order and with its types.
                    unsafe { launch.run() }.unwrap();
                    let parts = |rows: std::ops::Range<usize>, all: &[[u32; 4]]| -> Vec<u64> {
                        let words = count.div_ceil(4);
                        let of =
                            |k: usize| rows.clone().map(move |row| all[row * words + k / 4][k % 4]);
                        (0..count).map(|k| of(k).map(u64::from).sum()).collect()
                    };
                    let (of_a, of_b) = (parts(band.clone(), &a), parts(0..columns, &b));
                    let expected: u64 = of_a.iter().zip(&of_b).map(|(a, b)| a * b).sum();
                    let place = format!("{choice:?}, {rows} x {columns}, {band:?}, width {width}");
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

#[test]
fn no_element_past_the_last_of_one_set_is_read() {
    let device = Device::emulator().unwrap();
    for n in [2_usize, 33, 64, 130] {
        let x = Guarded::new(&(0..n as u32).collect::<Vec<_>>());
        for variant in 0..packed::SOURCES.len() {
            let kernel = packed { kernel: packed::load(&device).unwrap().kernel.pin(variant) };
            let mut slots = device.packed(n).unwrap();
            kernel.launch(&x.view(), &mut slots).unwrap();
            assert!(slots.download().unwrap().iter().all(|((i, j), sum)| *sum as usize == i + j));
        }
        for variant in 0..square::SOURCES.len() {
            let kernel = square { kernel: square::load(&device).unwrap().kernel.pin(variant) };
            let mut slots = device.square(n).unwrap();
            kernel.launch(&x.view(), &mut slots).unwrap();
            let slots = slots.download().unwrap();
            assert!(slots.iter().all(|((i, j), sum)| i == j || *sum == (i + j) as u8));
        }
        for variant in 0..sum::SOURCES.len() {
            let kernel = sum { kernel: sum::load(&device).unwrap().kernel.pin(variant) };
            let mut total = device.sum().unwrap();
            kernel.launch(&x.view(), &mut total).unwrap();
            assert_eq!(total.download().unwrap(), (n * (n - 1) / 2 * (n - 1)) as u64);
        }
    }
}
