//! Launches over ranges of rows, at sizes that need a GPU's speed and memory.

mod past_32_bits;

use td_kernel::{Device, Packed, Shape, td_kernel};

use crate::{assert_near, distances, edm, gpu, points};

/// A GPU has the same identifier in all processes of a machine, which differs from the host's.
#[test]
fn memory_needs_of_chunks() {
    let (device, again) = (gpu(), gpu());
    let chunks = |device: &Device| {
        let chunks = device.chunks::<f32>(1 << 16, |_, _| Ok(())).memory(1 << 24);
        (chunks.device_memories(), chunks.needs().unwrap())
    };
    let (memories, needs) = chunks(&device);
    assert_eq!(memories, chunks(&again).0);
    let told: Vec<_> = needs.iter().map(|need| (need.memory, need.bytes)).collect();
    assert_eq!(told, [(memories[0], 1 << 24), (0, 1 << 24)]);
    // The identifier comes from the driver: otherwise it would be the process's number.
    assert!(memories[0] > u64::from(u32::MAX), "{memories:?}");
    assert!(needs.iter().all(|need| need.free > Some(1 << 24)), "{needs:?}");
}

/// The slot at which row i begins.
fn start(i: usize) -> usize {
    i * i.saturating_sub(1) / 2
}

/// cudarc's memory has no shape: it must have exactly the slots of the launched rows.
#[test]
fn small_cudarc_slices_are_slots() {
    let device = gpu();
    let stream = device.stream().unwrap();
    let host = points(300);
    let p = device.upload(&host).unwrap();
    let all = distances(&host);
    let kernel = edm::load(&device).unwrap();
    for rows in [0..300, 0..1, 1..2, 100..201, 299..300, 150..150] {
        let slots = start(rows.start)..start(rows.end);
        // A view may start anywhere, even where vector stores cannot begin.
        for at in 0..5 {
            let mut memory = stream.clone_htod(&vec![-1.0_f32; slots.len() + 8]).unwrap();
            let mut view = memory.slice_mut(at..at + slots.len());
            kernel.rows(rows.clone()).launch(&p, &mut view).unwrap();
            let found = stream.clone_dtoh(&memory).unwrap();
            stream.synchronize().unwrap();
            assert_near(&found[at..at + slots.len()], &all[slots.clone()]);
            let around = found[..at].iter().chain(&found[at + slots.len()..]);
            assert!(around.clone().all(|value| *value == -1.0), "{rows:?}, start {at}");
        }
        let mut exact = stream.alloc_zeros::<f32>(slots.len().max(1)).unwrap();
        if !slots.is_empty() {
            kernel.rows(rows.clone()).launch(&p, &mut exact).unwrap();
            let found = stream.clone_dtoh(&exact).unwrap();
            stream.synchronize().unwrap();
            assert_near(&found, &all[slots.clone()]);
        }
        let mut more = stream.alloc_zeros::<f32>(slots.len() + 1).unwrap();
        let (expected, found) = (slots.len(), slots.len() + 1);
        let noun = if found == 1 { "slot" } else { "slots" };
        let of_slots = format!("has {found} {noun}, but needs {expected}, ");
        let words = [&*of_slots, &format!("each pair of rows {rows:?} of ")];
        assert_errors! { kernel.rows(rows.clone()).launch(&p, &mut more) => words, Arguments; }
    }
}

/// Two outputs of different sizes.
#[td_kernel]
unsafe fn both(#[each] x: &[u32], low: &mut Packed<u8>, key: &mut Packed<u64>) {
    r#" low = 3 * x.i + x.j; key = (unsigned long long)x.i << 32 | x.j; "#
}

#[test]
fn small_two_chunks_in_one_launch() {
    let device = gpu();
    let n = 500;
    let x = device.upload(&(0..n as u32).collect::<Vec<_>>()).unwrap();
    let chunks = |first, second| {
        (
            device.packed::<u8>(Shape::triangle(n).of_rows(first)).unwrap(),
            device.packed::<u64>(Shape::triangle(n).of_rows(second)).unwrap(),
        )
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
        let (mut low, mut key) = chunks(97..333, 97..400);
        kernel.rows(100..300).launch(&x, &mut low, &mut key).unwrap();
        check(&low, &key, 100..300);
        assert!((97..100).all(|i| low.download().unwrap().get(i, 0) == Some(&0)));
        // cudarc's slots begin at the first row, so the other argument's must too.
        let slots = start(333) - start(97);
        let mut slice = device.stream().unwrap().alloc_zeros::<u64>(slots).unwrap();
        kernel.rows(97..333).launch(&x, &mut low, &mut slice).unwrap();
        check(&low, &key, 100..300);
        let mut slice =
            device.stream().unwrap().alloc_zeros::<u64>(start(333) - start(98)).unwrap();
        let words = ["begins at row 98, but", "at row 97"];
        assert_errors! { kernel.rows(98..333).launch(&x, &mut low, &mut slice) => words, Arguments; }
        let (mut low, mut key) = chunks(97..333, 98..333);
        assert_errors! { kernel.rows(100..300).launch(&x, &mut low, &mut key) => words, Arguments; }
    }
}

#[test]
fn small_chunks_are_launched_on_streams() {
    let device = gpu();
    let context = device.stream().unwrap().context();
    let host = points(1000);
    let (p, expected) = (device.upload(&host).unwrap(), distances(&host));
    let kernel = edm::load(&device).unwrap();
    let mut chunks: Vec<_> = [0..400, 400..401, 401..777, 777..1000]
        .into_iter()
        .map(|rows| device.packed::<f32>(Shape::triangle(1000).of_rows(rows)).unwrap())
        .collect();
    let streams = [(); 2].map(|()| context.new_stream().unwrap());
    for (chunk, stream) in chunks.iter_mut().zip(streams.iter().cycle()) {
        let kernel = kernel.with_stream(stream).unwrap().rows(chunk.row_range());
        kernel.launch(&p, chunk).unwrap();
    }
    // The order of the two arguments does not matter.
    let mut last = device.packed::<f32>(Shape::triangle(1000).of_rows(777..1000)).unwrap();
    kernel.rows(777..1000).with_stream(&streams[0]).unwrap().launch(&p, &mut last).unwrap();
    assert_eq!(last.download().unwrap(), chunks[3].download().unwrap());
    let joined: Vec<f32> =
        chunks.iter().flat_map(|chunk| chunk.download().unwrap().into_vec()).collect();
    assert_near(&joined, &expected);
}
