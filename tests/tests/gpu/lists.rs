//! Lists of pairs with values.

use super::small::lists::close;
use super::{gpu, share_memory};

/// Counts all of 5 billion pairs, and lists few of them.
#[test]
fn list_of_many_elements_is_complete() {
    let _memory = share_memory();
    let device = gpu();
    let n = 100_000;
    let x: Vec<f32> = (0..n).map(|k| (k * 7919 % n) as f32).collect();
    let on_device = device.upload(&x).unwrap();
    let kernel = close::load(&device).unwrap();
    let mut list = device.pairs(4 * n).unwrap();
    kernel.launch(&on_device, 3.5, &mut list).unwrap();
    // Numbers at a difference of 1, 2 and 3.
    let list = list.download().unwrap();
    assert_eq!(list.len(), 3 * n - 6);
    let graph = list.to_csr(n).unwrap();
    for (element, neighbours, distances) in graph.rows() {
        let place = x[element];
        let expected = (1..=3).flat_map(|by| [place - by as f32, place + by as f32]);
        let expected = expected.filter(|other| (0.0..n as f32).contains(other)).count();
        assert_eq!(neighbours.len(), expected, "{element}");
        for (neighbour, distance) in neighbours.iter().zip(distances) {
            assert_eq!((x[*neighbour as usize] - place).abs(), *distance, "{element}");
        }
    }
    let mut counted = device.pairs(0).unwrap();
    kernel.launch(&on_device, 1e9, &mut counted).unwrap();
    assert_eq!(counted.download().unwrap_err().needed(), Some(4_999_950_000));
}
