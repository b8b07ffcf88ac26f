//! Launches over ranges of rows, at sizes that need a GPU's speed and memory.

mod past_32_bits;

use td_kernel::{Device, ErrorKind};

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
        let mut memory = stream.alloc_zeros::<f32>(slots.len() + 8).unwrap();
        // A view may start anywhere, even where vector stores cannot begin.
        for at in 0..4 {
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
        let noun = if found == 1 { "slot" } else { "slots" };
        let words = [
            format!("has {found} {noun}, but needs {expected}, "),
            format!("each pair of rows {rows:?} of "),
        ];
        assert!(words.iter().all(|words| error.to_string().contains(words)), "{error}");
    }
}
