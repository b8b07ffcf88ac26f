//! A misaligned read or write of a vector ends the process, as it ends a kernel on a GPU.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;

use super::{compile, launch};
use crate::backend::cpu::compiler::Compiler;

/// Bodies that read or write 16 or 8 bytes, `at` floats into memory.
const BODIES: &[&str] = &[
    "const float4 v = *(const float4 *)(x + at); x[0] = v.x + v.w;",
    "*(uint4 *)(x + at) = make_uint4(1, 2, 3, 4);",
    "x[0] = __ldg((const float2 *)(x + at)).y;",
    "__stcs((uint4 *)(x + at), make_uint4(1, 2, 3, 4));",
    "__stcs((float2 *)(x + at), make_float2(1, 2));",
    "struct alignas(16) few { float value[4]; }; const few v = *(const few *)(x + at); x[0] = v.value[3];",
    "x[0] = *(const double *)(x + at);",
];

/// The body that a child process runs, and at which float.
const ALONE: &str = "TD_KERNEL_TEST_ALIGNMENT";

#[repr(align(16))]
struct Floats([f32; 16]);

#[test]
fn misaligned_vectors_end_the_process() {
    if let Ok(alone) = std::env::var(ALONE) {
        let (body, at) = alone.split_once(' ').unwrap();
        let (body, at) = (BODIES[body.parse::<usize>().unwrap()], at.parse::<u32>().unwrap());
        let program = compile(&format!(
            "extern \"C\" __global__ void kernel(float *const x, const unsigned int at) {{ {body} }}"
        ));
        let mut x = Floats([1.0; 16]);
        launch!(program, [1; 3], [1; 3], x.0.as_mut_ptr(), at).unwrap();
        return;
    }
    // clang does not check copies of structs.
    let checks_all = !Compiler::find().unwrap().describe().contains("clang");
    for (number, body) in BODIES.iter().enumerate() {
        for at in [4, 5] {
            let this = "backend::cpu::tests::alignment::misaligned_vectors_end_the_process";
            let mut child = Command::new(std::env::current_exe().unwrap());
            let output = child
                .args(["--exact", this])
                .env(ALONE, format!("{number} {at}"))
                .output()
                .unwrap();
            let told = String::from_utf8_lossy(&output.stdout);
            let place = format!("{body} at {at}: {told}");
            // A trap, not a failing test.
            let (traps, passes) = (output.status.signal().is_some(), output.status.success());
            assert!(traps || passes && told.contains("1 passed"), "{place}");
            assert!(if at == 4 { passes } else { traps || !checks_all }, "{place}");
        }
    }
}
