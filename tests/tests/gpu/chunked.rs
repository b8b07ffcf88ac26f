//! Chunks of rows that a GPU computes and copies at the same time.

use std::ops::Range;
use std::thread;
use std::time::Duration;

use td_kernel::{Chunks, Device, Error, ErrorKind, Result, td_kernel};

use crate::{edm, gpu, points, share_memory};

/// A value that identifies its pair, and the sum of all.
#[td_kernel]
unsafe fn hashes(#[each] x: &[u32], hash: &mut Packed<u32>, total: &mut Sum<u64>) {
    r#" hash = (x.i * 2654435761u) ^ (x.j * 2246822519u); total += hash; "#
}

/// The sum alone, so that nothing is stored.
#[td_kernel]
unsafe fn sums(#[each] x: &[u32], total: &mut Sum<u64>) {
    r#" total += (unsigned int)((x.i * 2654435761u) ^ (x.j * 2246822519u)); "#
}

#[td_kernel]
unsafe fn cross(#[row] x: &[u32], #[column] y: &[u32], hash: &mut Matrix<u64>) {
    r#" hash = (unsigned long long)x << 32 | y; "#
}

fn hash(i: usize, j: usize) -> u32 {
    (i as u32).wrapping_mul(2_654_435_761) ^ (j as u32).wrapping_mul(2_246_822_519)
}

fn total(values: &[u32]) -> u64 {
    values.iter().map(|value| u64::from(*value)).sum()
}

/// All values. The chunks' values must not change while they are lent, also to slow callers.
fn joined(chunks: Chunks<'_, f32>, wait: Duration) -> Result<Vec<f32>> {
    let mut all = Vec::new();
    let mut chunks = chunks.start()?;
    while let Some(chunk) = chunks.next()? {
        let before = all.len();
        all.extend_from_slice(chunk.values);
        thread::sleep(wait);
        assert_eq!(all[before..], *chunk.values, "{:?}", chunk.rows);
    }
    Ok(all)
}

/// With every relation between the times of computing, copying and using a chunk, and with every number of chunks in flight.
#[test]
fn small_chunks_in_flight() {
    let device = gpu();
    let context = device.stream().unwrap().context();
    let kernel = edm::load(&device).unwrap();
    for n in [0, 1, 2, 65, 777] {
        let p = device.upload(&points(n)).unwrap();
        let mut all = device.packed(n).unwrap();
        kernel.launch(&p, &mut all).unwrap();
        let all = all.download().unwrap().into_vec();
        for flight in [1, 2, 3, 7] {
            for height in [1, 10, 64, 200, 1000] {
                let chunks = || kernel.chunks(&p).unwrap().height(height).in_flight(flight);
                assert_eq!(joined(chunks(), Duration::ZERO).unwrap(), all, "{n} {flight} {height}");
            }
            let slow = kernel.chunks(&p).unwrap().height(100).in_flight(flight);
            assert_eq!(joined(slow, Duration::from_millis(3)).unwrap(), all);
            // On a user's stream, and by a kernel of another handle of this GPU.
            let stream = context.new_stream().unwrap();
            let streamed = kernel.with_stream(&stream).unwrap();
            let chunks = streamed.chunks(&p).unwrap().height(50).in_flight(flight);
            assert_eq!(joined(chunks, Duration::ZERO).unwrap(), all);
            let other = edm::load(&gpu()).unwrap();
            let chunks = device.chunks(n, |rows, slots| other.rows(rows).launch(&p, slots));
            let chunks = chunks.height(50).in_flight(flight);
            assert_eq!(joined(chunks, Duration::ZERO).unwrap(), all);
        }
    }
}

#[test]
fn small_dropped_chunks_stop() {
    let device = gpu();
    let kernel = edm::load(&device).unwrap();
    let p = device.upload(&points(2000)).unwrap();
    for seen in 0..5 {
        let mut chunks = kernel.chunks(&p).unwrap().height(100).start().unwrap();
        for _ in 0..seen {
            assert!(chunks.next().unwrap().is_some());
        }
        drop(chunks);
        let chunks = device.chunks::<f32>(2000, |rows, slots| match rows.start {
            start if start >= 100 * seen && !rows.is_empty() => Err(Error::other("enough")),
            _ => kernel.rows(rows).launch(&p, slots),
        });
        let error = chunks.height(100).each(|_| Ok(())).unwrap_err();
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::Other, "enough".into()));
    }
    let mut all = device.packed(2000).unwrap();
    kernel.launch(&p, &mut all).unwrap();
    let chunks = kernel.chunks(&p).unwrap().height(100);
    assert_eq!(joined(chunks, Duration::ZERO).unwrap(), all.download().unwrap().into_vec());
}

#[test]
fn small_chunks_of_a_matrix_are_its_rows() -> Result<()> {
    let device = gpu();
    let [x, y] = [300, 500].map(|n| device.upload(&(0..n).collect::<Vec<u32>>()).unwrap());
    let kernel = cross::load(&device)?;
    let mut rows = 0..0;
    kernel.chunks(&x, &y)?.memory(200_000).each(|chunk| {
        assert_eq!(rows.end, chunk.rows.start);
        for (i, row) in chunk.each_row() {
            let value = |j: usize| (i as u64) << 32 | j as u64;
            assert!(row.iter().enumerate().all(|(j, found)| *found == value(j)), "{i}");
        }
        rows = chunk.rows;
        Ok(())
    })?;
    assert_eq!(rows.end, 300);
    Ok(())
}

/// 450 million pairs, in chunks of the default size and of others.
#[test]
fn chunks_of_many_elements() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    let n = 30_000;
    let (kernel, p) = (edm::load(&device).unwrap(), device.upload(&points(n)).unwrap());
    let mut all = device.packed(n).unwrap();
    kernel.launch(&p, &mut all).unwrap();
    let all = all.download().unwrap().into_vec();
    for (memory, flight) in
        [(None, 2), (Some(8 << 20), 2), (Some(300 << 20), 3), (Some(64 << 20), 1)]
    {
        let chunks = kernel.chunks(&p)?.in_flight(flight);
        let chunks = match memory {
            Some(bytes) => chunks.memory(bytes),
            None => chunks,
        };
        let mut at = 0;
        chunks.each(|chunk| {
            assert_eq!(chunk.start, at);
            at += chunk.values.len();
            assert!(chunk.values == &all[chunk.start..at], "{:?} of {memory:?}", chunk.rows);
            Ok(())
        })?;
        assert_eq!(at, all.len());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("distances.npy");
    kernel.chunks(&p).unwrap().memory(256 << 20).write_npy(&path).unwrap();
    let file = std::fs::read(&path).unwrap();
    let bytes = all.iter().flat_map(|value| value.to_le_bytes());
    assert!(file[128..].iter().copied().eq(bytes));
    assert_eq!(file.len(), 128 + 4 * all.len());
    Ok(())
}

/// 7.2 billion pairs, 28.8 GB, in a quarter of a gigabyte on the device: the sums of each chunk equal those of a kernel that
/// stores nothing, and some values of each row are checked.
#[test]
fn chunks_of_a_large_triangle() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    check_sums(&device, 120_000, 256 << 20, 0..120_000)
}

/// The last rows of a triangle whose slots are past 2^32.
#[test]
fn chunks_of_the_last_rows() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    check_sums(&device, 300_000, 64 << 20, 299_000..300_000)
}

fn check_sums(device: &Device, n: usize, memory: usize, rows: Range<usize>) -> Result<()> {
    let x = device.upload(&(0..n as u32).collect::<Vec<_>>())?;
    let (kernel, sums) = (hashes::load(device)?, sums::load(device)?);
    let mut gathered = device.sum()?;
    let mut found: Vec<(Range<usize>, u64)> = Vec::new();
    let chunks = kernel.rows(rows.clone()).chunks(&x, &mut gathered)?.memory(memory);
    chunks.each(|chunk| {
        for (i, row) in chunk.each_row() {
            for j in [0, i / 3, i.saturating_sub(1)] {
                assert!(row.get(j).is_none_or(|found| *found == hash(i, j)), "({i}, {j})");
            }
        }
        found.push((chunk.rows.clone(), total(chunk.values)));
        Ok(())
    })?;
    assert!(found.len() > 10, "{} chunks", found.len());
    assert_eq!(found.iter().map(|(rows, _)| rows.len()).sum::<usize>(), rows.len());
    for (rows, found) in &found {
        let mut expected = device.sum()?;
        sums.rows(rows.clone()).launch(&x, &mut expected)?;
        assert_eq!(*found, expected.download()?, "{rows:?}");
    }
    assert_eq!(gathered.download()?, found.iter().map(|(_, sum)| sum).sum::<u64>());
    Ok(())
}
