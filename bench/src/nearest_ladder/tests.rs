//! The kernels compile, and on the CPU their steps find the neighbours; and what is compared is told apart.

use std::process::Command;

use super::steps::{ROWS, THREADS, sources};
use super::*;
use crate::measure::by_hand::tests::compiles;

#[test]
fn every_kernel_compiles_with_its_settings() {
    for source in sources() {
        compiles(source.entry, &source.text());
    }
}

/// A program that runs the steps with a thread of the system's for each of a block's.
fn program(calls: &str) -> String {
    let [norms, _, summation, select, merge] = sources();
    let undefined = ["THREADS", "ROWS", "MOST", "WARP"].map(|name| format!("#undef {name}\n"));
    let kernels =
        [norms, summation, select, merge].map(|source| source.text() + &undefined.concat());
    let shims = [include_str!("../measure/fold/shim.h"), include_str!("shim.h")];
    let test = include_str!("test.h");
    // The other shim has a test of this name.
    let renamed = shims.concat().replace("static int test(", "static int test_folds(");
    format!("{renamed}\n{}\n{test}\nint main()\n{{\n    return {calls};\n}}\n", kernels.concat())
}

#[test]
fn the_steps_find_the_neighbours() {
    // Partitions that are whole and not, lists longer than a partition, and than all rows.
    let mut cases = vec![[64, 3, 1, 64], [45, 8, 40, 16], [9, 2, 12, 8], [1, 4, 2, 1]];
    if cfg!(feature = "every") {
        cases.push([70, 5, 4, 32]);
    }
    let call = |[n, features, k, side]: [u32; 4]| {
        format!("test({n}, {features}, {k}, {side}, {THREADS}, {ROWS})")
    };
    let calls = cases.into_iter().map(call).collect::<Vec<_>>().join(" || ");
    let folder = tempfile::tempdir().unwrap();
    let [text, path] = ["case.cpp", "case"].map(|name| folder.path().join(name));
    std::fs::write(&text, program(&calls)).unwrap();
    let words = ["-std=c++20", "-O1", "-w", "-pthread", "-o"];
    let built = Command::new("g++").args(words).arg(&path).arg(&text).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Neighbours of a kernel on the CPU, whose squared distances are exact.
#[test]
fn another_neighbour_is_another_value_or_a_lower_share() {
    let device = td_kernel::Device::cpu().unwrap();
    let rows: Vec<f32> = (0..20).map(|row| row as f32).collect();
    let p = device.features(&rows, 1).unwrap();
    let mut near = device.nearest(20).unwrap();
    nearest_rows::load(&device).unwrap().launch(&p, &mut near).unwrap();
    let near = near.download().unwrap();
    let pairs = near.values().iter().zip(near.indices());
    let mut found: Vec<_> = pairs.map(|(value, index)| Some((*value, *index))).collect();
    assert_eq!(same(&near, &found, 1).unwrap(), 1.0);
    // The last neighbour of the first row is another one.
    found[9] = found[9].map(|(value, _)| (value, 15));
    assert_eq!(same(&near, &found, 1).unwrap(), 0.995);
    found[9] = found[9].map(|(value, index)| (value + 1.0, index));
    assert!(same(&near, &found, 1).unwrap_err().to_string().starts_with("by hand: row 0, place 9"));
    found[9] = None;
    assert!(same(&near, &found, 1).is_err());
}
