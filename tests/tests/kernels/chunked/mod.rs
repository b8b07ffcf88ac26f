//! The values of chunks of rows, in memory and in files, equal those of one launch: on the CPU, which computes them in place,
//! and on the emulator, which copies them like a GPU.

mod files;
mod several;

use std::cell::RefCell;
use std::ops::Range;

use td_kernel::{Chunks, DeviceType, Devices, Error, ErrorKind, Result, Target, td_kernel};

use crate::devices;

/// A value for each pair, a count, and a list.
#[td_kernel]
unsafe fn marks(
    #[each] x: &[u32],
    scale: u32,
    mark: &mut Packed<u32>,
    count: &mut Sum<u64>,
    list: &mut Pairs,
) {
    r#"
    mark = scale * x.i + x.j;
    count += 1;
    if ((x.i + x.j) % 7 == 0) list.push();
    "#
}

#[td_kernel(diagonal = true)]
unsafe fn both(#[each] x: &[u32], seen: &mut [u32], mark: &mut Packed<[u32; 2]>) {
    r#" mark = make_uint2(x.i, x.j); atomicAdd(seen + i, 1); "#
}

#[td_kernel]
unsafe fn difference(#[each] x: &[u32], mark: &mut Packed<u32>) {
    r#" mark = 1000 * x.i + x.j; "#
}

#[td_kernel]
unsafe fn apart(#[each] x: &[u32], distance: &mut Packed<u32>) {
    r#" distance = x.i > x.j ? x.i - x.j : x.j - x.i; "#
}

/// Only the slots determine n.
#[td_kernel(map = "rb")]
unsafe fn indices(mark: &mut Packed<u64>) {
    r#" mark = 1000ull * i + j; "#
}

#[td_kernel]
unsafe fn cross(
    #[row] x: &[u32],
    #[column] y: &[u32],
    total: &mut Sum<u64>,
    mark: &mut Matrix<u32>,
) {
    r#" mark = 1000 * x + y; total += y; "#
}

/// Only one of the counts is given by an argument.
#[td_kernel]
unsafe fn of_columns(#[column] y: &[u32], mark: &mut Matrix<u32>) {
    r#" mark = 1000 * i + y; "#
}

/// This map has no chunks.
#[td_kernel(map = "h")]
unsafe fn halves(#[each] x: &[u32], mark: &mut Packed<u32>) {
    r#" mark = x.i; "#
}

/// One to four devices of either kind, and of both. A list of one is that device.
fn devices_and_several() -> Vec<Target> {
    let [cpu, emulator] = [0, 1].map(|at| devices().swap_remove(at));
    let both = [vec![cpu.clone()], vec![emulator.clone(); 3]].concat();
    let several = [vec![cpu.clone()], vec![cpu.clone(); 3], vec![emulator.clone(); 2], both];
    let several = several.map(|devices| Devices::new(devices).unwrap().into());
    [cpu.into(), emulator.into()].into_iter().chain(several).collect()
}

/// Elements.
fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|k| 3 * k + k % 5).collect()
}

/// The values of all chunks, which must come in order and equal those of `rows`.
fn joined<T: DeviceType>(chunks: Chunks<'_, T>, rows: Range<usize>) -> Result<Vec<T>> {
    let (mut values, mut next) = (Vec::new(), rows.start);
    let mut started = chunks.start()?;
    let mut first = None;
    while let Some(chunk) = started.next()? {
        assert_eq!(chunk.rows.start, next);
        assert!(!chunk.rows.is_empty());
        assert_eq!(chunk.start - *first.get_or_insert(chunk.start), values.len());
        let by_rows: usize = chunk.each_row().map(|(_, row)| row.len()).sum();
        assert_eq!(by_rows, chunk.values.len());
        next = chunk.rows.end;
        values.extend_from_slice(chunk.values);
    }
    assert!(started.next()?.is_none());
    assert_eq!(next, rows.end);
    Ok(values)
}

/// How chunks are divided, and in which memory they are.
#[derive(Clone, Copy, Debug)]
enum Way {
    Whole,
    /// With this many rows.
    Height(usize),
    /// With memory for this many of the longest rows in each chunk.
    Rows(usize),
}

const WAYS: [(Way, usize); 8] = [
    (Way::Whole, 2),
    (Way::Height(1), 1),
    (Way::Height(1), 2),
    (Way::Height(7), 3),
    (Way::Height(64), 2),
    (Way::Rows(1), 2),
    (Way::Rows(5), 1),
    (Way::Rows(70), 5),
];

/// The divisions, with element counts, that are tested on this device: the emulator takes long for many launches.
fn ways(device: &Target, n: usize) -> impl Iterator<Item = (Way, usize)> {
    let is_slow = device.name().contains("emulator") && n > 70;
    let is_few = |way: &Way| matches!(way, Way::Whole | Way::Height(64) | Way::Rows(70));
    // Several devices have separate memories, so a limit applies differently.
    let is_one = !device.name().contains(" x ");
    let is_right = move |way: &Way| is_one || !matches!(way, Way::Rows(_));
    WAYS.into_iter().filter(move |(way, _)| is_right(way) && (!is_slow || is_few(way)))
}

/// The chunks in this division.
fn cut<'a, T: DeviceType>(
    device: &Target,
    chunks: Chunks<'a, T>,
    longest: usize,
    (way, flight): (Way, usize),
) -> Chunks<'a, T> {
    let chunks = chunks.in_flight(flight);
    // The CPU has one chunk at a time.
    let flight = if device.name().contains("emulator") { flight } else { 1 };
    match way {
        Way::Whole => chunks,
        Way::Height(height) => chunks.height(height),
        Way::Rows(rows) => chunks.memory(flight * rows * longest * size_of::<T>()),
    }
}

#[test]
fn chunks_of_matrix_rows() {
    for device in devices_and_several() {
        let (kernel, other) = (cross::load(&device).unwrap(), of_columns::load(&device).unwrap());
        for (rows, columns) in [(0, 5), (5, 0), (1, 1), (3, 200), (130, 67)] {
            let x = device.upload(&(0..rows as u32).collect::<Vec<_>>()).unwrap();
            let host = numbers(columns);
            let y = device.upload(&host).unwrap();
            let mut total = device.sum().unwrap();
            let all = (0..rows as u32).flat_map(|x| host.iter().map(move |y| 1000 * x + y));
            let all: Vec<u32> = all.collect();
            let sum = rows as u64 * host.iter().map(|y| u64::from(*y)).sum::<u64>();
            for way in ways(&device, rows) {
                total.clear().unwrap();
                let chunks = kernel.chunks(&x, &y, &mut total).unwrap();
                let found = joined(cut(&device, chunks, columns, way), 0..rows).unwrap();
                assert_eq!(found, all, "{rows} {columns} {way:?}");
                assert_eq!(total.download().unwrap(), sum);
                let chunks = other.chunks(rows, &y).unwrap();
                let found = joined(cut(&device, chunks, columns, way), 0..rows).unwrap();
                assert_eq!(found, all, "{rows} {columns} {way:?}");
            }
        }
    }
}

#[test]
fn mistakes_are_found_before_a_launch() {
    for device in devices() {
        let x = device.upload(&numbers(100)).unwrap();
        let count = RefCell::new(device.sum().unwrap());
        let kernel = marks::load(&device).unwrap();
        let error = |change: &dyn Fn(Chunks<'_, u32>) -> Chunks<'_, u32>| {
            let (mut count, mut list) = (count.borrow_mut(), device.pairs(9).unwrap());
            let chunks = kernel.chunks(&x, 1, &mut count, &mut list).unwrap();
            change(chunks).start().map(drop).unwrap_err()
        };
        let flight = if device.name().contains("emulator") { 2 } else { 1 };
        let small = error(&|chunks| chunks.memory(flight * 395));
        let text = small.to_string();
        assert_eq!(small.kind(), ErrorKind::Arguments, "{text}");
        let words = format!(
            "row 99 has 396 bytes, but a chunk can hold only 395: set `memory` to at least {0} bytes and `host_memory` to at least {0} bytes",
            396 * flight
        );
        assert!(text.starts_with(&words), "{text}");
        assert!(error(&|chunks| chunks.host_memory(0)).to_string().contains("can hold only 0"));
        #[allow(clippy::reversed_empty_ranges)]
        for rows in [0..101, 7..3] {
            let outside = error(&|chunks| chunks.rows(rows.clone()));
            assert!(outside.to_string().contains("within a triangle of 100 elements"), "{outside}");
        }
        for [first, second] in [[49..50, 0..20], [0..20, 19..30], [0..20, 90..101]] {
            let outside = error(&|chunks| chunks.only([first.clone(), second.clone()]));
            assert!(outside.to_string().contains("in order, without overlap"), "{outside}");
        }
        assert_eq!(count.borrow().download().unwrap(), 0);
        // Memory is allocated for the last rows.
        let apart = difference::load(&device).unwrap();
        let some = apart.chunks(&x).unwrap().height(1).only([0..3, 40..42, 50..50]);
        let mut seen = Vec::new();
        some.each(|chunk| {
            assert_eq!(chunk.values.len(), chunk.rows.start);
            seen.push(chunk.rows);
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, [0..1, 1..2, 2..3, 40..41, 41..42]);
        assert_errors! { apart.chunks(&x).unwrap().only([0..3, 5..9]).write_npy("never.npy") => "leave out `only`"; }

        let halves = halves::load(&device).unwrap();
        for n in [0, 100] {
            let x = x.slice(..n).unwrap();
            assert_errors! { halves.chunks(&x).unwrap().start() => "", NoRows; }
        }
        let (mut count, mut list) = (count.borrow_mut(), device.pairs(9).unwrap());
        assert_errors! { kernel.rows(5..101).chunks(&x, 1, &mut count, &mut list) => "", Arguments; }
        let other = device.upload(&numbers(7)).unwrap();
        let mut total = device.sum().unwrap();
        let chunks = cross::load(&device).unwrap().chunks(&x, &other, &mut total).unwrap();
        assert_eq!(joined(chunks, 0..100).unwrap().len(), 700);
    }
}

/// An error of a launch ends the chunks; every later call returns it too.
#[test]
fn error_ends_the_chunks() {
    for device in devices_and_several() {
        let chunks = device.chunks::<u32>(50, |rows, _| {
            if rows.contains(&33) { Err(Error::other("row 33")) } else { Ok(()) }
        });
        let mut chunks = chunks.height(10).start().unwrap();
        let mut rows = 0;
        let error = loop {
            match chunks.next() {
                Ok(chunk) => rows = chunk.unwrap().rows.end,
                Err(error) => break error,
            }
        };
        assert!(rows <= 30, "{rows}");
        assert_eq!(error.to_string(), "row 33");
        let again = chunks.next().unwrap_err().to_string();
        assert_eq!(again, "these chunks ended with an earlier error: row 33");
    }
}

#[test]
fn chunks_may_be_dropped_early() {
    for device in devices_and_several() {
        let (n, kernel) = (200, marks::load(&device).unwrap());
        let x = device.upload(&numbers(n)).unwrap();
        for seen in 0..4 {
            let mut count = device.sum().unwrap();
            let mut list = device.pairs(n * n).unwrap();
            let chunks = kernel.chunks(&x, 1000, &mut count, &mut list).unwrap();
            let mut chunks = chunks.height(20).start().unwrap();
            for _ in 0..seen {
                assert!(chunks.next().unwrap().is_some());
            }
            drop(chunks);
            // Whole chunks have been counted: the returned ones, and on the emulator some in flight.
            let counted = count.download().unwrap() as usize;
            let pairs = |n: usize| n * n.saturating_sub(1) / 2;
            let ends: Vec<usize> = (0..=10).map(|chunk| pairs(20 * chunk)).collect();
            let begun = ends.iter().position(|end| *end == counted).unwrap();
            let is_one = !device.name().contains(" x ");
            assert!(begun >= seen && (begun <= seen + 4 || !is_one), "{seen} {begun}");
            let mut count = device.sum().unwrap();
            let chunks = kernel.chunks(&x, 1000, &mut count, &mut list).unwrap();
            assert_eq!(joined(chunks, 0..n).unwrap().len(), n * (n - 1) / 2);
        }
    }
}

#[test]
fn sink_error_is_returned() {
    for device in devices() {
        let x = device.upload(&numbers(100)).unwrap();
        let kernel = indices::load(&device).unwrap();
        let mut seen = 0;
        let error = kernel.chunks(100).unwrap().height(10).each(|chunk| {
            seen = chunk.rows.end;
            "no number".parse::<u32>().map(drop).map_err(Error::other)
        });
        let error = error.unwrap_err();
        assert_eq!((seen, error.kind()), (10, ErrorKind::Other));
        assert_eq!(error.to_string(), "invalid digit found in string");
        drop(x);
    }
}

#[test]
fn progress_is_reported_after_each_chunk() {
    for device in devices() {
        let told = RefCell::new(Vec::new());
        let chunks = indices::load(&device).unwrap().chunks(10).unwrap().height(4);
        let chunks =
            chunks.progress(|done| told.borrow_mut().push((done.next_row, done.values, done.of)));
        let mut chunks = chunks.start().unwrap();
        let mut before = 0;
        while chunks.next().unwrap().is_some() {
            assert_eq!(told.borrow().len(), before);
            before += 1;
        }
        assert_eq!(*told.borrow(), [(4, 6, 45), (8, 28, 45), (10, 45, 45)]);
        drop(chunks);
        told.borrow_mut().clear();
        let chunks = indices::load(&device).unwrap().rows(8..10).chunks(10).unwrap();
        chunks
            .progress(|done| told.borrow_mut().push((done.next_row, done.values, done.of)))
            .each(|_| Ok(()))
            .unwrap();
        assert_eq!(*told.borrow(), [(10, 17, 17)]);
    }
}
