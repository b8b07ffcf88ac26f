//! Kernels that begin with the shim as the compiler has read it before.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::text;
use crate::cpu::{Compiler, build};
use crate::nvrtc::Cache;

const EMPTY: &str = "extern \"C\" __global__ void kernel() {}";

/// A compiler that shares no header with the devices of other tests.
fn alone() -> Compiler {
    let mut compiler = Compiler::find().unwrap();
    compiler.headers = Arc::default();
    compiler
}

/// A later process finds the header for its first kernels. One that is none for the compiler is made again.
#[cfg(target_os = "linux")]
#[test]
fn the_cache_keeps_it() {
    let place = tempfile::tempdir().unwrap();
    let cache = Cache::new(place.path());
    let mut number = 0;
    let mut build = |compiler: &Compiler, count: usize| {
        for _ in 0..count {
            number += 1;
            let source = format!("{EMPTY} // {number}");
            build::program(compiler, &text("empty", &source), Some(&cache)).unwrap();
        }
    };
    let first = alone();
    if first.describe().contains("clang") {
        // It compares the files that a header was made of, so none is kept.
        return;
    }
    build(&first, 6);
    let files = || fs::read_dir(place.path()).unwrap().map(|file| file.unwrap().path());
    let header = files().max_by_key(|file| fs::metadata(file).unwrap().len()).unwrap();
    let finds = |build: &mut dyn FnMut(&Compiler, usize)| {
        let later = alone();
        build(&later, 1);
        later.headers.any().is_some_and(|folder| {
            remove_shim(folder.path());
            build(&later, 1);
            later.headers.any().is_some()
        })
    };
    assert!(finds(&mut build));

    // As another compiler of the same name would have kept it: g++ finds its own checksum after the eight bytes of "gpch".
    let mut other = fs::read(&header).unwrap();
    let at = other.windows(4).position(|four| four == b"gpch").unwrap();
    other[at + 8..at + 24].fill(0);
    let sum: [u8; 32] = Sha256::digest(&other[48..]).into();
    other[16..48].copy_from_slice(&sum);
    fs::write(&header, other).unwrap();
    assert!(!finds(&mut build));
    build(&alone(), 6);
    assert!(finds(&mut build));
}

/// Removes the shim's headers from a folder, but for the one that is precompiled.
fn remove_shim(folder: &Path) {
    for file in fs::read_dir(folder.join("td_kernel_cpu")).unwrap() {
        let path = file.unwrap().path();
        if !path.file_name().unwrap().to_string_lossy().starts_with("prelude.h") {
            fs::remove_file(path).unwrap();
        }
    }
}

/// One that has made its header.
fn after_some_kernels() -> Compiler {
    let compiler = alone();
    for _ in 0..6 {
        assert!(compiler.headers.any().is_none());
        build::program(&compiler, &text("empty", EMPTY), None).unwrap();
    }
    assert!(compiler.headers.any().is_some());
    compiler
}

#[test]
fn devices_that_are_open_share_it() {
    let [one, other] = [(), ()].map(|()| Compiler::find().unwrap());
    assert!(Arc::ptr_eq(&one.headers, &other.headers));
}

#[test]
fn messages_are_those_of_the_first_kernels() {
    let wrong = [
        "extern \"C\" __global__ void kernel(float *x) {\n  x[0] = missing;\n}",
        "extern \"C\" __global__ void kernel(float *x) {\n  x[0] = fmaxf(x, missing);\n}",
        "extern \"C\" __global__ void kernel(float4 *x) {\n  x[0] = make_float4(1, 2, 3);\n}",
    ];
    let (first, later) = (alone(), after_some_kernels());
    for source in wrong {
        let [expected, found] = [&first, &later].map(|compiler| {
            let built = build::program(compiler, &text("wrong", source), None);
            built.map(drop).unwrap_err().to_string()
        });
        assert_eq!(found, expected);
    }
    // Such texts say nothing of the header.
    assert!(later.headers.any().is_some());
}

#[test]
fn the_compiler_reads_the_header_and_not_the_shim() {
    let compiler = after_some_kernels();
    if compiler.describe().contains("clang") {
        // It compares the files that a header was made of, and so cannot be tried without them.
        return;
    }
    remove_shim(compiler.headers.any().unwrap().path());
    build::program(&compiler, &text("empty", EMPTY), None).unwrap();
    assert!(compiler.headers.any().is_some());
}

#[test]
fn a_header_that_is_of_no_use_is_given_up() {
    let compiler = after_some_kernels();
    let folder = compiler.headers.any().unwrap();
    fs::remove_dir_all(folder.path()).unwrap();
    for _ in 0..2 {
        build::program(&compiler, &text("empty", EMPTY), None).unwrap();
        assert!(compiler.headers.any().is_none());
    }
}
