//! The programs give the same output on several ranks as on one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(all(target_os = "linux", feature = "programs"))]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{fails, mpirun, succeeds};

const EDM: &str = env!("CARGO_BIN_EXE_edm-cluster");
const KNN: &str = env!("CARGO_BIN_EXE_knn-cluster");

/// A program on the CPU with this many ranks.
fn ranks(count: usize, program: &str, arguments: &[&str], output: &Path) -> Command {
    let mut command = mpirun(count, program);
    command.args(["--device", "cpu"]).args(arguments).arg("--output").arg(output);
    command
}

/// The output of a program as one process on the CPU.
fn alone(program: &str, arguments: &[&str], output: &Path) -> Vec<u8> {
    let mut command = Command::new(program);
    command.args(["--device", "cpu", "--force", "--output"]).arg(output).args(arguments);
    assert!(command.output().unwrap().status.success());
    fs::read(output).unwrap()
}

#[test]
fn inputs_give_same_distances() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("points.csv"), "a,b\n0,0\n3,4\n6,8\n").unwrap();
    let (csv, two) = (file("points.csv"), file("two.npy"));
    let text = succeeds(&mut ranks(2, EDM, &["--input", csv.to_str().unwrap()], &two));
    assert!(text.contains("\npoints: 3 (columns a, b of "), "{text}");
    let bytes = fs::read(&two).unwrap();
    let values: Vec<f32> =
        bytes[128..].chunks(4).map(|value| f32::from_le_bytes(value.try_into().unwrap())).collect();
    assert_eq!(values, [5.0, 10.0, 5.0]);
    for arguments in [&[][..], &["--random", "333"], &["--random", "2"]] {
        let one = alone(EDM, arguments, &file("one.npy"));
        for count in [2, 7] {
            let several = file("several.npy");
            succeeds(ranks(count, EDM, arguments, &several).arg("--force"));
            assert!(fs::read(&several).unwrap() == one, "{arguments:?} {count}");
        }
    }
    let words = ["error: rank 0 of 3, on ", "nowhere.csv: No such file"];
    fails(&mut ranks(3, EDM, &["--input", "nowhere.csv"], &file("none.npy")), &words);
    // All ranks have the same arguments, and one reports the error.
    let error = fails(&mut ranks(3, EDM, &["--random", "many"], &file("none.npy")), &[]);
    assert_eq!(error.matches("invalid value 'many'").count(), 1, "{error}");
    assert_eq!(succeeds(mpirun(3, EDM).arg("--version")).lines().count(), 1);
}

#[test]
fn small_memory_is_an_early_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("a.npy");
    let words = [
        "row 149 has 596 bytes, but a chunk can hold only 595",
        "(--memory sets both `memory` and `host_memory`)",
    ];
    fails(&mut ranks(2, EDM, &["--memory", "595"], &output), &words);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    succeeds(&mut ranks(2, EDM, &["--memory", "596"], &output));
    let words = ["a.npy exists already", "--force without --resume replaces the existing files;"];
    fails(&mut ranks(2, EDM, &[], &output), &words);
}

/// Each of two ranks alone would have enough memory, but both are on one machine.
#[test]
fn ranks_share_machine_memory() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("a.npy");
    let device = td_kernel::Device::cpu().unwrap();
    let chunks = device.chunks::<f32>(2, |_, _| Ok(()));
    let free = chunks.needs().unwrap()[0].free.unwrap();
    let limit = free / 40 * 28;
    // Half of the pairs, of 4 bytes each: the square of this number in bytes.
    let points = limit.isqrt() + limit.isqrt() / 10;
    let (limit, points) = (limit.to_string(), points.to_string());
    let arguments = ["--random", &points, "--memory", &limit];
    let needed = format!(
        "not enough memory for chunks: this rank needs {limit} bytes of its machine's memory"
    );
    let words = [
        "error: rank 1 of 2, on ",
        &needed,
        &format!(" are free, and another rank of this machine takes {limit}: limit chunks to "),
        "start fewer ranks on a machine, or use more machines (--memory sets both limits)",
    ];
    let error = fails(&mut ranks(2, EDM, &arguments, &output), &words);
    assert_eq!(error.matches("error: rank ").count(), 1, "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn unwritable_output_is_an_error() {
    let output = Path::new("nowhere/a.npy");
    let words = "cannot write nowhere/a.npy: cannot open nowhere/a.npy.part: No such file";
    fails(&mut ranks(2, EDM, &[], output), &[words]);
}

#[test]
fn neighbours_match_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for arguments in [&["--random", "500", "--k", "12"][..], &["--k", "3"], &["--random", "2"]] {
        let one = alone(KNN, arguments, &file("one.csv"));
        for count in [2, 3] {
            let several = file("several.csv");
            let text = succeeds(ranks(count, KNN, arguments, &several).arg("--force"));
            assert!(text.starts_with(&format!("ranks: {count}\n")), "{text}");
            assert!(fs::read(&several).unwrap() == one, "{arguments:?} {count}");
        }
    }
    succeeds(&mut ranks(2, KNN, &["--k", "3"], &file("near.csv")));
    assert!(file("near.csv").exists());
    let words = ["error: rank 0 of 2, on ", "near.csv exists already"];
    fails(&mut ranks(2, KNN, &["--k", "3"], &file("near.csv")), &words);
}
