//! Kernels that begin with the shim as the compiler has read it before.

use std::fs;
use std::sync::Arc;

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

/// A later process finds the header for its first kernel; one that is damaged is made again.
#[test]
fn the_cache_keeps_it() {
    let place = tempfile::tempdir().unwrap();
    let cache = Cache::new(place.path());
    let build = |compiler: &Compiler, number: u32| {
        let source = format!("{EMPTY} // {number}");
        build::program(compiler, &text("empty", &source), Some(&cache)).unwrap();
    };
    let first = alone();
    if first.describe().contains("clang") {
        // It looks for the files that a header was made of.
        return;
    }
    (0..6).for_each(|number| build(&first, number));
    assert!(first.headers.any().is_some());
    let later = alone();
    build(&later, 6);
    assert!(later.headers.any().is_some());

    let files = fs::read_dir(place.path()).unwrap().map(|file| file.unwrap().path());
    let header = files.max_by_key(|file| fs::metadata(file).unwrap().len()).unwrap();
    let whole = fs::read(&header).unwrap();
    fs::write(&header, &whole[..whole.len() - 1]).unwrap();
    let last = alone();
    build(&last, 7);
    assert!(last.headers.any().is_none());
    (8..13).for_each(|number| build(&last, number));
    let later = alone();
    build(&later, 13);
    assert!(later.headers.any().is_some());
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
    let folder = compiler.headers.any().unwrap();
    for file in fs::read_dir(folder.path().join("td_kernel_cpu")).unwrap() {
        let path = file.unwrap().path();
        if !path.file_name().unwrap().to_string_lossy().starts_with("prelude.h") {
            fs::remove_file(path).unwrap();
        }
    }
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
