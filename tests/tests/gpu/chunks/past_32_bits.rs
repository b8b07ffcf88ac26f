//! Chunks whose slots are past 2³².

use td_kernel::{Shape, td_kernel};
use td_kernel_tests::bytes::byte;
use td_kernel_tests::{bytes, each_variant};

use super::start;
use crate::{assert_near, distances, edm, gpu, points, share_memory};

/// An element count whose pairs have slots past 2³², and the first row that begins there.
const ELEMENTS: usize = 100_000;
const PAST: usize = 92_683;

bytes! { Packed:
    along_rows ();
    one_a_pair (tile = 0);
    walking (map = "walk");
    folded (map = "rb", tile = 64);
}

/// Compares every byte with the expected one, with one thread per pair and 64-bit arithmetic.
#[td_kernel(map = "bb", tile = 0)]
unsafe fn wrong_bytes(first_slot: u64, low: &[u8], wrong: &mut Sum<u64>) {
    r#"
    const unsigned long long slot = (unsigned long long)i * (i - 1ull) / 2 + j - first_slot;
    if (slot >= low_length || low[slot] != (unsigned char)(i * 31 + j * 7 + (i * j >> 9)))
        wrong += 1;
    "#
}

/// Compares complete rows at the ends and around the cuts, and some other slots, with the host's bytes.
fn assert_bytes(found: &[u8], first: usize, cut: &[usize]) {
    let is_right = |i: usize, j: usize| found[start(i) + j - start(first)] == byte(i, j);
    for &at in cut {
        for i in at.saturating_sub(3).max(first)..ELEMENTS.min(at + 3) {
            assert!((0..i).all(|j| is_right(i, j)), "row {i}");
        }
    }
    let mut state = 1_usize;
    for _ in 0..1_000_000 {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let i = first.max(1) + (state >> 33) % (ELEMENTS - first.max(1));
        let j = (state >> 11) % i;
        assert!(is_right(i, j), "({i}, {j})");
    }
}

/// 0.7 GB whose first slot is past 2³² in the whole triangle.
#[test]
fn chunk_begins_past_32_bits() {
    let _shared = share_memory();
    let device = gpu();
    assert!(start(PAST - 1) < 1 << 32 && start(PAST) > 1 << 32);
    let check = wrong_bytes::load(&device).unwrap().rows(PAST..ELEMENTS);
    each_variant!(device, |name, kernel| {
        let mut chunk = device.packed::<u8>(Shape::triangle(ELEMENTS).of_rows(PAST..ELEMENTS)).unwrap();
        // In two launches: slots may begin before the rows, and end after them.
        kernel.rows(PAST..95_001).launch(&mut chunk).unwrap();
        kernel.rows(95_001..ELEMENTS).launch(&mut chunk).unwrap();
        let mut wrong = device.sum().unwrap();
        check.launch(ELEMENTS, start(PAST) as u64, &chunk, &mut wrong).unwrap();
        assert_eq!(wrong.download().unwrap(), 0, "{name}");
        let chunk = chunk.download().unwrap();
        assert_bytes(chunk.as_slice(), PAST, &[PAST, 95_001, ELEMENTS]);
    }, along_rows one_a_pair walking folded);
}

/// 11 GB of rows so long that 16 of them have more than 2³² slots.
#[test]
fn rows_past_28_bits() {
    let _shared = share_memory();
    let device = gpu();
    let begin = (1 << 28) + 37;
    let (elements, rows) = (begin + 40, begin..begin + 40);
    let check = wrong_bytes::load(&device).unwrap().rows(rows.clone());
    each_variant!(device, |name, kernel| {
        let mut chunk = device.packed::<u8>(Shape::triangle(elements).of_rows(rows.clone())).unwrap();
        kernel.rows(rows.clone()).launch(&mut chunk).unwrap();
        let mut wrong = device.sum().unwrap();
        check.launch(elements, start(begin) as u64, &chunk, &mut wrong).unwrap();
        assert_eq!(wrong.download().unwrap(), 0, "{name}");
    }, along_rows walking folded);
}

/// 5 GB, written in chunks, one of which has slots on both sides of 2³².
#[test]
fn slots_past_32_bits_in_chunks() {
    let _shared = share_memory();
    let device = gpu();
    let cut = [0, 1, 30_001, 65_536, PAST - 7, PAST, 99_999, ELEMENTS];
    let check = wrong_bytes::load(&device).unwrap();
    each_variant!(device, |name, kernel| {
        let mut all = device.packed::<u8>(ELEMENTS).unwrap();
        for ends in cut.windows(2) {
            kernel.rows(ends[0]..ends[1]).launch(&mut all).unwrap();
        }
        let mut wrong = device.sum().unwrap();
        check.launch(ELEMENTS, 0, &all, &mut wrong).unwrap();
        assert_eq!(wrong.download().unwrap(), 0, "{name}");
    }, along_rows one_a_pair walking folded);
    // The host checks one of the kernels only, since it needs a copy of 5 GB.
    let mut all = device.packed::<u8>(ELEMENTS).unwrap();
    let kernel = along_rows::load(&device).unwrap();
    for ends in cut.windows(2) {
        kernel.rows(ends[0]..ends[1]).launch(&mut all).unwrap();
    }
    assert_bytes(all.download().unwrap().as_slice(), 0, &cut);
}

/// Distances whose first slot is past 2³², in chunks of several cuts: close to the host's, and equal bit for bit.
#[test]
fn chunk_distances_past_32_bits() {
    let _shared = share_memory();
    let device = gpu();
    let host = points(ELEMENTS);
    let p = device.upload(&host).unwrap();
    let first = 99_000;
    let kernel = edm::load(&device).unwrap();
    let mut found = Vec::new();
    for cut in [vec![first, ELEMENTS], vec![first, 99_001, 99_333, 99_500, ELEMENTS - 1, ELEMENTS]]
    {
        let mut bits = Vec::new();
        for rows in cut.windows(2).map(|ends| ends[0]..ends[1]) {
            let mut chunk =
                device.packed::<f32>(Shape::triangle(ELEMENTS).of_rows(rows.clone())).unwrap();
            kernel.rows(rows).launch(&p, &mut chunk).unwrap();
            bits.extend(chunk.download().unwrap().as_slice().iter().map(|value| value.to_bits()));
        }
        found.push(bits);
    }
    assert_eq!(found[0].len(), start(ELEMENTS) - start(first));
    assert!(found[0] == found[1], "the chunks' bits are not those of one");
    for i in [first, 99_500, ELEMENTS - 1] {
        let row = &found[0][start(i) - start(first)..][..i];
        let row: Vec<f32> = row.iter().map(|bits| f32::from_bits(*bits)).collect();
        let distance = |j: usize| distances(&[host[j], host[i]])[0];
        assert_near(&row, &(0..i).map(distance).collect::<Vec<_>>());
    }
}
