//! Launches for ranges of rows, at sizes that need a GPU's speed and memory.

use td_kernel::maps::Root;
use td_kernel::{Device, ErrorKind, Packed, td_kernel};
use td_kernel_tests::{Choice, bands};

use crate::{assert_near, distances, edm, gpu, points, share_memory};

#[test]
fn small_bands_together_are_what_one_launch_gives() {
    let device = gpu();
    for (turn, choice) in bands::covering().iter().enumerate() {
        bands::check(&device, choice, turn, 1).unwrap();
    }
}

/// With every choice; the slots alternate, and for each size the cuts.
#[test]
fn bands_of_every_choice_are_what_one_launch_gives() {
    let device = gpu();
    for (turn, choice) in bands::choices().iter().enumerate() {
        bands::check(&device, choice, turn, 3).unwrap();
    }
}

/// Checks random bands. A float root that fails before n gives an error, with bands as without.
fn check_random(device: &Device, choice: &Choice, n: usize, seed: u64) {
    match bands::check_large(device, choice, n, &bands::random_cuts(n, 2, seed)) {
        Err(error) if error.max_elements().is_some() && choice.root != Root::Exact => {
            println!("{error}");
        }
        checked => checked.unwrap(),
    }
}

#[test]
fn random_bands_of_every_choice_are_what_one_launch_gives() {
    let _shared = share_memory();
    let device = gpu();
    for (seed, choice) in bands::choices().iter().enumerate() {
        for n in [1000, 4097, 10_007] {
            check_random(&device, choice, n, (seed + n) as u64);
        }
    }
}

/// 472 million pairs.
#[test]
fn random_bands_of_many_elements_are_what_one_launch_gives() {
    let _shared = share_memory();
    let device = gpu();
    for (seed, choice) in bands::covering().iter().enumerate() {
        check_random(&device, choice, 30_720, seed as u64);
    }
}

/// Elements whose pairs have slots past 2³², and the first row that begins there.
const ELEMENTS: usize = 100_000;
const PAST: usize = 92_683;

/// The slot that row i begins with.
fn start(i: usize) -> usize {
    i * i.saturating_sub(1) / 2
}

/// A pair's byte: it differs from the bytes of adjacent slots, and from that of the slot 2³² before.
fn byte(i: usize, j: usize) -> u8 {
    let (i, j) = (i as u32, j as u32);
    i.wrapping_mul(31).wrapping_add(j.wrapping_mul(7)).wrapping_add(i.wrapping_mul(j) >> 9) as u8
}

/// Kernels that store these bytes, with several maps and in both sweeps.
macro_rules! bytes {
    ($($(#[$attribute:meta])* $name:ident),*) => {$(
        $(#[$attribute])*
        unsafe fn $name(low: &mut Packed<u8>) {
            r#" low = i * 31 + j * 7 + (i * j >> 9); "#
        }
    )*};
}

bytes! {
    /// Along rows, in tiles of several sizes.
    #[td_kernel]
    along_rows,
    /// One thread for each pair.
    #[td_kernel(tile = 0)]
    one_a_pair,
    /// Persistent blocks.
    #[td_kernel(map = "walk")]
    walking,
    /// The folded triangle.
    #[td_kernel(map = "rb", tile = 64)]
    folded
}

/// Compares every byte with the expected one, with one thread for each pair and 64 bits throughout.
#[td_kernel(map = "bb", tile = 0)]
unsafe fn wrong_bytes(first_slot: u64, low: &[u8], wrong: &mut Sum<u64>) {
    r#"
    const unsigned long long slot = (unsigned long long)i * (i - 1ull) / 2 + j - first_slot;
    if (slot >= low_length || low[slot] != (unsigned char)(i * 31 + j * 7 + (i * j >> 9)))
        wrong += 1;
    "#
}

/// Compares complete rows at the ends and around the cuts, and some other slots, with the bytes that the host computes.
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

/// Runs code for each text of each of these kernels, restricted to rows.
macro_rules! each_text {
    ($device:ident, |$name:ident, $kernel:ident| $do:block, $($module:ident)*) => {$(
        for variant in 0..$module::SOURCES.len() {
            let ($name, loaded) = (stringify!($module), $module::load(&$device).unwrap());
            let $kernel = $module { kernel: loaded.kernel.pin(variant) };
            $do
        }
    )*};
}

/// 0.7 GB whose first slot is past 2³² in the whole triangle.
#[test]
fn a_band_may_begin_past_32_bits() {
    let _shared = share_memory();
    let device = gpu();
    assert!(start(PAST - 1) < 1 << 32 && start(PAST) > 1 << 32);
    let check = wrong_bytes::load(&device).unwrap().rows(PAST..ELEMENTS);
    each_text!(device, |name, kernel| {
        let mut band = device.packed_rows::<u8>(ELEMENTS, PAST..ELEMENTS).unwrap();
        // In two launches: slots may begin before the rows, and end after them.
        kernel.rows(PAST..95_001).launch(&mut band).unwrap();
        kernel.rows(95_001..ELEMENTS).launch(&mut band).unwrap();
        let mut wrong = device.sum().unwrap();
        check.launch(ELEMENTS, start(PAST) as u64, &band, &mut wrong).unwrap();
        assert_eq!(wrong.download().unwrap(), 0, "{name}");
        let band = band.download().unwrap();
        assert_bytes(band.as_slice(), PAST, &[PAST, 95_001, ELEMENTS]);
    }, along_rows one_a_pair walking folded);
}

/// 11 GB of rows so long that 16 of them have more than 2³² slots.
#[test]
fn rows_may_be_past_28_bits() {
    let _shared = share_memory();
    let device = gpu();
    let begin = (1 << 28) + 37;
    let (elements, rows) = (begin + 40, begin..begin + 40);
    let check = wrong_bytes::load(&device).unwrap().rows(rows.clone());
    each_text!(device, |name, kernel| {
        let mut band = device.packed_rows::<u8>(elements, rows.clone()).unwrap();
        kernel.rows(rows.clone()).launch(&mut band).unwrap();
        let mut wrong = device.sum().unwrap();
        check.launch(elements, start(begin) as u64, &band, &mut wrong).unwrap();
        assert_eq!(wrong.download().unwrap(), 0, "{name}");
    }, along_rows walking folded);
}

/// 5 GB, written in bands, one of which has slots on both sides of 2³².
#[test]
fn slots_past_32_bits_are_written_in_bands() {
    let _shared = share_memory();
    let device = gpu();
    let cut = [0, 1, 30_001, 65_536, PAST - 7, PAST, 99_999, ELEMENTS];
    let check = wrong_bytes::load(&device).unwrap();
    each_text!(device, |name, kernel| {
        let mut all = device.packed::<u8>(ELEMENTS).unwrap();
        for ends in cut.windows(2) {
            kernel.rows(ends[0]..ends[1]).launch(&mut all).unwrap();
        }
        let mut wrong = device.sum().unwrap();
        check.launch(ELEMENTS, 0, &all, &mut wrong).unwrap();
        assert_eq!(wrong.download().unwrap(), 0, "{name}");
    }, along_rows one_a_pair walking folded);
    // The host checks one of the kernels, since it takes a copy of 5 GB.
    let mut all = device.packed::<u8>(ELEMENTS).unwrap();
    let kernel = along_rows::load(&device).unwrap();
    for ends in cut.windows(2) {
        kernel.rows(ends[0]..ends[1]).launch(&mut all).unwrap();
    }
    assert_bytes(all.download().unwrap().as_slice(), 0, &cut);
}

/// Distances whose first slot is past 2³², in bands of several cuts: close to the host's, and equal bit for bit.
#[test]
fn distances_past_32_bits_are_the_same_in_each_band() {
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
            let mut band = device.packed_rows::<f32>(ELEMENTS, rows.clone()).unwrap();
            kernel.rows(rows).launch(&p, &mut band).unwrap();
            bits.extend(band.download().unwrap().as_slice().iter().map(|value| value.to_bits()));
        }
        found.push(bits);
    }
    assert_eq!(found[0].len(), start(ELEMENTS) - start(first));
    assert!(found[0] == found[1], "the bands' bits are not those of one");
    for i in [first, 99_500, ELEMENTS - 1] {
        let row = &found[0][start(i) - start(first)..][..i];
        let row: Vec<f32> = row.iter().map(|bits| f32::from_bits(*bits)).collect();
        let distance = |j: usize| distances(&[host[j], host[i]])[0];
        assert_near(&row, &(0..i).map(distance).collect::<Vec<_>>());
    }
}

/// cudarc's memory has no shape: it must have exactly the slots of the launched rows.
#[test]
fn small_slices_of_cudarc_are_slots_of_the_rows() {
    let device = gpu();
    let stream = device.stream().unwrap();
    let host = points(300);
    let p = device.upload(&host).unwrap();
    let all = distances(&host);
    let kernel = edm::load(&device).unwrap();
    for rows in [0..300, 0..1, 1..2, 100..201, 299..300, 150..150] {
        let slots = start(rows.start)..start(rows.end);
        let mut memory = stream.alloc_zeros::<f32>(slots.len() + 8).unwrap();
        // A view may start anywhere, also where vector stores cannot begin.
        for at in [0, 3] {
            let mut view = memory.slice_mut(at..at + slots.len());
            kernel.rows(rows.clone()).launch(&p, &mut view).unwrap();
            let found = stream.clone_dtoh(&memory).unwrap();
            stream.synchronize().unwrap();
            assert_near(&found[at..at + slots.len()], &all[slots.clone()]);
        }
        let found = stream.clone_dtoh(&memory).unwrap();
        stream.synchronize().unwrap();
        assert!(found[slots.len() + 3..].iter().all(|value| *value == 0.0), "{rows:?}");
        let mut exact = stream.alloc_zeros::<f32>(slots.len().max(1)).unwrap();
        if !slots.is_empty() {
            kernel.rows(rows.clone()).launch(&p, &mut exact).unwrap();
            let found = stream.clone_dtoh(&exact).unwrap();
            stream.synchronize().unwrap();
            assert_near(&found, &all[slots.clone()]);
        }
        let mut more = stream.alloc_zeros::<f32>(slots.len() + 1).unwrap();
        let error = kernel.rows(rows.clone()).launch(&p, &mut more).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments, "{error}");
        let (expected, found) = (slots.len(), slots.len() + 1);
        let words = format!("has {found} slots, but rows {rows:?} have {expected} pairs");
        assert!(error.to_string().contains(&words), "{error}");
    }
}

/// Two outputs of different sizes.
#[td_kernel]
unsafe fn both(#[each] x: &[u32], low: &mut Packed<u8>, key: &mut Packed<u64>) {
    r#" low = 3 * x.i + x.j; key = (unsigned long long)x.i << 32 | x.j; "#
}

#[test]
fn small_two_bands_are_written_by_one_launch() {
    let device = gpu();
    let n = 500;
    let x = device.upload(&(0..n as u32).collect::<Vec<_>>()).unwrap();
    let bands = |first, second| {
        (device.packed_rows::<u8>(n, first).unwrap(), device.packed_rows::<u64>(n, second).unwrap())
    };
    let check = |low: &Packed<u8>, key: &Packed<u64>, visited: std::ops::Range<usize>| {
        let (low, key) = (low.download().unwrap(), key.download().unwrap());
        for i in visited {
            for j in 0..i {
                assert_eq!(low.get(i, j), Some(&((3 * i + j) as u8)), "({i}, {j})");
                assert_eq!(key.get(i, j), Some(&((i as u64) << 32 | j as u64)), "({i}, {j})");
            }
        }
    };
    for variant in 0..both::SOURCES.len() {
        let kernel = both { kernel: both::load(&device).unwrap().kernel.pin(variant) };
        let (mut low, mut key) = bands(97..333, 97..400);
        kernel.rows(100..300).launch(&x, &mut low, &mut key).unwrap();
        check(&low, &key, 100..300);
        assert!((97..100).all(|i| low.download().unwrap().get(i, 0) == Some(&0)));
        // cudarc's slots begin at the first row, so the other argument must too.
        let slots = start(333) - start(97);
        let mut slice = device.stream().unwrap().alloc_zeros::<u64>(slots).unwrap();
        kernel.rows(97..333).launch(&x, &mut low, &mut slice).unwrap();
        check(&low, &key, 100..300);
        let mut slice =
            device.stream().unwrap().alloc_zeros::<u64>(start(333) - start(98)).unwrap();
        let error = kernel.rows(98..333).launch(&x, &mut low, &mut slice).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments, "{error}");
        let text = error.to_string();
        assert!(text.contains("begins at row 98, but") && text.contains("at row 97"), "{error}");
        let (mut low, mut key) = bands(97..333, 98..333);
        let error = kernel.rows(100..300).launch(&x, &mut low, &mut key).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments, "{error}");
        let text = error.to_string();
        assert!(text.contains("begins at row 98, but") && text.contains("at row 97"), "{error}");
    }
}

#[test]
fn small_bands_are_launched_on_streams() {
    let device = gpu();
    let context = device.stream().unwrap().context();
    let host = points(1000);
    let (p, expected) = (device.upload(&host).unwrap(), distances(&host));
    let kernel = edm::load(&device).unwrap();
    let mut bands: Vec<_> = [0..400, 400..401, 401..777, 777..1000]
        .into_iter()
        .map(|rows| device.packed_rows::<f32>(1000, rows).unwrap())
        .collect();
    let streams = [(); 2].map(|()| context.new_stream().unwrap());
    for (band, stream) in bands.iter_mut().zip(streams.iter().cycle()) {
        let kernel = kernel.with_stream(stream).unwrap().rows(band.row_range());
        kernel.launch(&p, band).unwrap();
    }
    // The order of the two arguments does not matter.
    let mut last = device.packed_rows::<f32>(1000, 777..1000).unwrap();
    kernel.rows(777..1000).with_stream(&streams[0]).unwrap().launch(&p, &mut last).unwrap();
    assert_eq!(last.download().unwrap(), bands[3].download().unwrap());
    let joined: Vec<f32> =
        bands.iter().flat_map(|band| band.download().unwrap().into_vec()).collect();
    assert_near(&joined, &expected);
}

/// The compiler would fuse this product with the addition, differently in interior and boundary tiles.
#[td_kernel]
unsafe fn open(#[each] x: &[f32], sum: &mut Packed<f32>) {
    r#" sum = x.i * x.i + x.j * x.j; "#
}

/// In every variant, in one launch and in bands of any cut: the bits of unfused products.
#[test]
fn small_bands_have_the_bits_of_one_launch() {
    let device = gpu();
    let n = 600;
    let numbers: Vec<f32> = (0..n).map(|k| (k as f32 * 0.754_877_7).fract() + 0.1).collect();
    let expected: Vec<u32> = (0..n)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| (numbers[i] * numbers[i] + numbers[j] * numbers[j]).to_bits())
        .collect();
    let x = device.upload(&numbers).unwrap();
    for variant in 0..open::SOURCES.len() {
        let kernel = open { kernel: open::load(&device).unwrap().kernel.pin(variant) };
        let mut all = device.packed::<f32>(n).unwrap();
        kernel.launch(&x, &mut all).unwrap();
        let bits = |values: &[f32]| values.iter().map(|sum| sum.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(all.download().unwrap().as_slice()), expected, "variant {variant}");
        for cut in bands::random_cuts(n, 4, 9) {
            let mut found = Vec::new();
            for rows in cut.windows(2).map(|ends| ends[0]..ends[1]) {
                let mut band = device.packed_rows::<f32>(n, rows.clone()).unwrap();
                kernel.rows(rows).launch(&x, &mut band).unwrap();
                found.extend(bits(band.download().unwrap().as_slice()));
            }
            assert_eq!(found, expected, "variant {variant}, {cut:?}");
        }
    }
}
