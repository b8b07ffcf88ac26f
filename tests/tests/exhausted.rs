//! Exhausted host memory is an error of each operation that allocates, at each of its allocations. The allocator of this
//! program refuses large allocations on request. A refused allocation in infallible code would end the process.
#![allow(clippy::unwrap_used, clippy::panic)]

mod limited;

use std::cell::RefCell;

use td_kernel::{
    Devices, ErrorKind, HostMatrix, HostNearest, HostPairs, HostSquare, Nearest, PartialResult,
    Result, Target, td_kernel,
};

use limited::{fails_at_each, with_granted};

/// Like `fails_at_each`, for an operation of this crate.
fn fails<T>(name: &str, work: impl Fn() -> Result<T>) {
    eprintln!("{name}");
    fails_at_each(name, 12_000, work, |error| error.kind() == ErrorKind::OutOfHostMemory);
}

#[td_kernel]
unsafe fn close(
    #[each] x: &[f32],
    plain: &mut Pairs,
    valued: &mut Pairs<f32>,
    #[each] sums: &mut Sums<[f32; 2]>,
    #[each] least: &mut Minima<(f32, u32)>,
) {
    r#"
    float d = fabsf(x.i - x.j);
    if (d < 2.5f) {
        plain.push();
        valued.push(d);
    }
    sums.i += make_float2(d, 1.0f);
    least.i.offer(d);
    "#
}

#[td_kernel(deterministic = true)]
unsafe fn exact(#[each] x: &[f32], #[each] sums: &mut Sums<f64>) {
    r#" sums.i += x.i - x.j; "#
}

#[td_kernel]
unsafe fn nearest(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 4>) {
    r#" near.push(fabsf(x.i - x.j)); "#
}

/// Enough for each vector of elements to be large.
const N: usize = 4000;

#[test]
fn out_of_memory_in_each_operation() {
    for devices in [Devices::cpu(1).unwrap(), Devices::cpu(2).unwrap()] {
        of_device(&devices);
    }
    read_neighbours();
    let pairs: Vec<_> = (1..N as u32).map(|i| [i, i - 1]).collect();
    let list = || HostPairs::from_vecs(pairs.clone(), vec![0.5_f64; N - 1]).unwrap();
    // Values made here do not belong to the operation.
    let lists = RefCell::new((0..20).map(|_| list()).collect::<Vec<_>>());
    fails("HostPairs::sorted", || lists.borrow_mut().pop().unwrap().sorted());
    let list = list();
    fails("HostPairs::to_csr", || list.to_csr(N));
    fails("HostPairs::to_csr of two sets", || list.to_csr((N, N)));
    // By columns: the values are copied.
    let array = || ndarray::Array2::<f64>::zeros((60, 60)).reversed_axes();
    let arrays = RefCell::new((0..20).map(|_| array()).collect::<Vec<_>>());
    fails("HostSquare::try_from", || HostSquare::try_from(arrays.borrow_mut().pop().unwrap()));
    fails("HostMatrix::try_from", || HostMatrix::try_from(arrays.borrow_mut().pop().unwrap()));
}

fn of_device(device: &Target) {
    let x: Vec<f32> = (0..N).map(|at| at as f32).collect();
    let x = device.upload(&x).unwrap();
    let (mut plain, mut valued) = (device.pairs(3 * N).unwrap(), device.pairs(3 * N).unwrap());
    let (mut sums, mut least) = (device.sums(N).unwrap(), device.minima(N).unwrap());
    let kernel = close::load(device).unwrap();
    kernel.launch(&x, &mut plain, &mut valued, &mut sums, &mut least).unwrap();
    fails("Pairs::download", || plain.download());
    fails("Pairs::download with values", || valued.download());
    fails("Sums::download", || sums.download());
    fails("Sums::to_bits", || sums.to_bits());
    fails("Minima::download", || least.download());
    fails("Minima::to_bits", || least.to_bits());
    let words = least.to_bits().unwrap();
    fails("Minima::finish", || least.finish(&words));

    let mut sums = device.sums(N).unwrap();
    exact::load(device).unwrap().launch(&x, &mut sums).unwrap();
    fails("exact Sums::download", || sums.download());
    fails("exact Sums::to_bits", || sums.to_bits());
    let words = sums.to_bits().unwrap();
    fails("exact Sums::finish", || sums.finish(&words));

    let mut near: Nearest<f32, 4> = device.nearest(N).unwrap();
    nearest::load(device).unwrap().launch(&x, &mut near).unwrap();
    fails("Nearest::download", || near.download());
    let words = near.to_bits().unwrap();
    fails("Nearest::finish", || near.finish(&words));
    let found = near.download().unwrap();
    fails("HostNearest::to_csr", || found.to_csr(N));
}

/// Some KB of input request 256 places for each element.
fn read_neighbours() {
    let text = |counts: &str, indices: &str, values: &str| {
        format!(r#"{{"k":256,"counts":[{counts}],"indices":[{indices}],"values":[{values}]}}"#)
    };
    let none = vec!["0"; 5000].join(",");
    let valid = text(&none, "", "");
    let wrong = text(&format!("{none},2"), "3,4", "2.5,1.5");
    let read = |text: &str| serde_json::from_str::<HostNearest<f32>>(text);
    // serde's own vectors are smaller.
    let large = 1 << 20;
    let is_memory = |error: &serde_json::Error| error.to_string().contains("not enough memory");
    fails_at_each("HostNearest::deserialize", large, || read(&valid), is_memory);
    // Mistakes are reported before any memory is allocated.
    let error = with_granted(0, large, || read(&wrong)).unwrap_err();
    assert!(error.to_string().contains("element 5000 are invalid"), "{error}");
    // The output is copied first; the input is already in memory.
    let near =
        read(&text(&vec!["1"; 5000].join(","), &["7"; 5000].join(","), &["0.5"; 5000].join(",")));
    let near = near.unwrap();
    let write = || {
        let mut all = [0_u8; 60_000];
        serde_json::to_writer(&mut all[..], &near)
    };
    fails_at_each("HostNearest::serialize", 12_000, write, is_memory);
}
