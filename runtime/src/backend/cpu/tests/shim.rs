use std::collections::BTreeSet;
use std::process::Command;

use super::{compile, launch};
use crate::backend::cpu::build;

#[test]
fn each_header_compiles_alone() {
    let directory = tempfile::tempdir().unwrap();
    build::write_shim(directory.path()).unwrap();
    let folder = directory.path().join("td_kernel_cpu");
    let names: BTreeSet<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let mut checked = 0;
    for compiler in ["g++", "clang++"] {
        if Command::new(compiler).arg("--version").output().is_err() {
            continue;
        }
        for name in &names {
            let output = Command::new(compiler)
                .args(["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"])
                .args(["-fsyntax-only", "-x", "c++", "/dev/null", "-include"])
                .arg(folder.join(name))
                .output()
                .unwrap();
            let log = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{compiler}, {name:?}:\n{log}");
            checked += 1;
        }
    }
    assert!(checked > 0, "neither compiler is there");
    // Every file of the source folder is part of the shim.
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/backend/cpu/shim");
    let in_source: BTreeSet<_> =
        std::fs::read_dir(source).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, in_source);
}

#[test]
fn vector_layouts_match_cuda() {
    let mut text = String::new();
    let types = [
        (1, &["char", "uchar"][..]),
        (2, &["short", "ushort"]),
        (4, &["int", "uint", "float"]),
        (8, &["longlong", "ulonglong", "double"]),
    ];
    for (element, names) in types {
        for (name, count) in names.iter().flat_map(|name| [1, 2, 3, 4].map(|count| (name, count))) {
            let size = element * count;
            let alignment = if count == 3 { element } else { size.min(16) };
            let zeros = vec!["0"; count].join(", ");
            text += &format!(
                "static_assert(sizeof({name}{count}) == {size}, \"\");\n\
                 static_assert(alignof({name}{count}) == {alignment}, \"\");\n\
                 inline {name}{count} of_{name}{count}() {{ return make_{name}{count}({zeros}); }}\n"
            );
        }
    }
    for (name, alignment) in [("16a", 16), ("32a", 32)] {
        for element in ["double4", "longlong4", "ulonglong4"] {
            text += &format!("static_assert(alignof({element}_{name}) == {alignment}, \"\");\n");
        }
    }
    text += r#"
        static_assert(sizeof(dim3) == 12 && alignof(dim3) == 4, "");
        struct Mixed { char tag; float4 place; double3 speed; short2 cell; };
        static_assert(sizeof(Mixed) == 64, "");
        extern "C" __global__ void kernel(float *out) {
            __shared__ __align__(16) float raw[8];
            alignas(32) __shared__ double wide[4];
            __shared__ float4 vectors[3];
            out[0] = reinterpret_cast<unsigned long long>(raw) % 16
                + reinterpret_cast<unsigned long long>(wide) % 32
                + reinterpret_cast<unsigned long long>(vectors) % 16;
            float4 *read = reinterpret_cast<float4 *>(raw);
            for (int k = 0; k < 8; ++k) raw[k] = k;
            out[1] = read[1].y;
            const dim3 one, two(2);
            out[2] = one.x + one.y + one.z + two.x;
        }"#;
    let program = compile(&text);
    let mut out = [-1.0_f32; 3];
    launch!(program, [1; 3], [1; 3], out.as_mut_ptr()).unwrap();
    assert_eq!(out, [0.0, 5.0, 5.0]);
}

/// Each line is an expression and its exact value.
const EXPRESSIONS: &str = "
    __popc(0xf0f0u) | 8
    __popcll(~0ull) | 64
    __clz(1) + __clz(0) + __clz(-1) | 63
    __clzll(1ll) + __clzll(0ll) | 127
    __ffs(0) * 100 + __ffs(8) | 4
    __ffsll(1ll << 40) | 41
    __brev(1u) == 0x80000000u && __brev(0x12345678u) == 0x1e6a2c48u | 1
    __brevll(2ull) == 1ull << 62 | 1
    __mulhi(-2, 1 << 30) | -1
    __umulhi(0xffffffffu, 0x10u) | 15
    __umul64hi(~0ull, ~0ull) == ~0ull - 1 | 1
    __mul64hi(-1ll, 5ll) | -1
    __mul64hi(-(1ll << 62), -(1ll << 62)) == 1ll << 60 | 1
    __mul24(-3, 5) | -15
    __byte_perm(0x33221100u, 0x77665544u, 0x7410u) == 0x77441100u | 1
    __funnelshift_l(0x80000000u, 1u, 1u) | 3
    __funnelshift_r(0u, 1u, 1u) == 0x80000000u | 1
    __sad(-3, 4, 10u) + __usad(9u, 4u, 0u) | 22
    __dp4a(make_char4(1, -2, 3, -128), make_char4(5, 6, -7, -128), 10) | 16366
    __dp4a(make_uchar4(255, 2, 3, 255), make_uchar4(255, 6, 7, 255), 10u) | 130093
    __dp4a((int)0x80ff0201u, (int)0x80ff0305u, -1) | 16395
    __dp4a(0x80ff0201u, 0x80ff0305u, 1u) | 81421
    __dp4a(-1, -1, 2147483647) == -2147483647 - 1 + 3 | 1
    __dp2a_lo(make_short2(-300, 7), make_char4(2, -3, 4, 5), 1) | -620
    __dp2a_hi(make_short2(-300, 7), make_char4(2, -3, 4, 5), 1) | -1164
    __dp2a_lo(make_ushort2(65535, 7), make_uchar4(255, 3, 4, 5), 1u) | 16711447
    __dp2a_hi(make_ushort2(65535, 7), make_uchar4(255, 3, 4, 5), 1u) | 262176
    __dp2a_lo(0x0007fed4, 0x0504fd02, 1) + __dp2a_hi((int)0x0007fed4u, 0x0504fd02, 1) | -1784
    __dp2a_lo(0x0007ffffu, 0x050403ffu, 1u) == 16711447u && __dp2a_hi(0x0007ffffu, 0x050403ffu, 1u) == 262176u | 1
    __funnelshift_lc(5u, 7u, 32u) * 10 + __funnelshift_rc(5u, 7u, 40u) | 57
    __funnelshift_lc(0x80000000u, 1u, 1u) + __funnelshift_rc(8u, 0u, 3u) | 4
    __hadd(-3, 2) * 100 + __rhadd(-3, 2) * 10 + __hadd(2147483647, 2147483647) % 10 | -93
    __uhadd(0xffffffffu, 0xfffffffeu) == 0xfffffffeu && __urhadd(0xffffffffu, 0xfffffffeu) == 0xffffffffu | 1
    __vadd4(0xff01807fu, 0x01020304u) == 0x00038383u && __vaddss4(0x7f807f01u, 0x0180ff01u) == 0x7f807e02u | 1
    __vaddus4(0xff01807fu, 0x01028004u) == 0xff03ff83u && __vsubus2(0x00010005u, 0x00020003u) == 2u | 1
    __vsub2(0x00010005u, 0x00020003u) == 0xffff0002u && __vsubss2(0x80000005u, 0x00010003u) == 0x80000002u | 1
    __vabs4(0xff80017fu) == 0x0180017fu && __vabsss4(0xff80017fu) == 0x017f017fu | 1
    __vneg2(0x80000001u) == 0x8000ffffu && __vnegss2(0x80000001u) == 0x7fffffffu | 1
    __vabsdiffu4(0xff00807fu, 0x00ff7f80u) == 0xffff0101u && __vabsdiffs4(0xff00807fu, 0x00ff7f80u) == 0x0101ffffu | 1
    __vavgu4(0xff000102u, 0xfe010104u) == 0xff010103u && __vhaddu4(0xff000102u, 0xfe010104u) == 0xfe000103u | 1
    __vmaxs4(0xff00807fu, 0x00ff7f80u) == 0x00007f7fu && __vmaxu4(0xff00807fu, 0x00ff7f80u) == 0xffff8080u | 1
    __vmins2(0xffff0001u, 0x00010000u) == 0xffff0000u && __vminu2(0xffff0001u, 0x00010000u) == 0x00010000u | 1
    __vsads4(0xff00807fu, 0x00ff7f80u) + __vsadu2(0xffff0001u, 0x00010003u) | 66048
    __vcmpeq4(0x01020304u, 0x01000300u) == 0xff00ff00u && __vsetne4(0x01020304u, 0x01000300u) == 0x00010001u | 1
    __vcmpgts4(0xff010080u, 0x00000000u) == 0x00ff0000u && __vcmpgtu4(0xff010080u, 0u) == 0xffff00ffu | 1
    __vcmples2(0xffff0001u, 0u) == 0xffff0000u && __vsetltu2(0xffff0001u, 0x00010002u) == 1u && __vsetges2(0xffff0001u, 0u) == 1u | 1
    __fadd_rz(1.0f, 1e-9f) == 1.0f && __fadd_ru(1.0f, 1e-9f) == 1.00000012f && __fadd_rd(1.0f, -1e-9f) == 0.99999994f | 1
    __fsub_ru(-1.0f, 1e-9f) == -1.0f && __fmul_rd(1.1f, 1.1f) < __fmul_ru(1.1f, 1.1f) && __fdiv_rz(-1.0f, 3.0f) > __fdiv_rd(-1.0f, 3.0f) | 1
    __frcp_ru(3.0f) > __frcp_rz(3.0f) && __fsqrt_ru(2.0f) > __fsqrt_rd(2.0f) && __fmaf_ru(1.0f, 1.0f, 1e-9f) > 1.0f | 1
    __dadd_ru(1.0, 1e-20) > 1.0 && __dmul_rz(0.1, 0.1) < __dmul_ru(0.1, 0.1) && __ddiv_rd(1.0, 3.0) < __ddiv_ru(1.0, 3.0) | 1
    __dsqrt_ru(2.0) > __dsqrt_rz(2.0) && __drcp_rd(3.0) < __drcp_ru(3.0) && __fma_rd(1.0, 1.0, -1e-20) < 1.0 && __dsub_rz(1.0, 1e-20) < 1.0 | 1
    __double2float_ru(0.1) > __double2float_rd(0.1) && __int2float_rz(16777217) == 16777216.0f && __uint2float_ru(16777217u) == 16777218.0f | 1
    1.0f + 1e-9f == 1.0f | 1
    __float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f | 1
    __float_as_uint(-0.0f) == 0x80000000u && __uint_as_float(0x3f000000u) == 0.5f | 1
    __longlong_as_double(__double_as_longlong(2.5)) | 2.5
    __hiloint2double(__double2hiint(-1.25), __double2loint(-1.25)) | -1.25
    __float2int_rd(-1.5f) * 10 + __float2int_rn(2.5f) | -18
    __float2int_rz(-1.9f) * 10 + __float2int_ru(1.1f) | -8
    __float2int_rn(3e9f) == 2147483647 && __float2int_rn(-3e9f) == -2147483647 - 1 | 1
    __float2uint_rz(-5.0f) + __float2int_rn(NAN) | 0
    __float2uint_rn(5e9f) == 0xffffffffu && __double2uint_rn(4294967294.5) == 4294967294u | 1
    __double2ll_rd(-4.5e9) == -4500000000ll && __float2ull_rn(1e20f) == ~0ull | 1
    __double2int_rn(NAN) == -2147483647 - 1 | 1
    __int2float_rn(16777217) | 16777216
    rsqrtf(16.0f) + rsqrt(4.0) + rsqrt(4.0f) | 1.25
    sizeof(rsqrt(2.0f)) * 10 + sizeof(rsqrt(2)) | 48
    __fsqrt_rn(9.0f) + __frsqrt_rn(0.25f) + __fmaf_rn(2.0f, 3.0f, 4.0f) | 15
    __fadd_rn(1.0f, 2.0f) * __fmul_rn(2.0f, 2.0f) - __fma_rn(1.0, 2.0, 3.0) | 7
    __fdividef(1.0f, 4.0f) + __expf(0.0f) + __logf(1.0f) + __sinf(0.0f) | 1.25
    __cosf(0.0f) + __powf(2.0f, 3.0f) + __log2f(8.0f) + __exp10f(2.0f) | 112
    __saturatef(3.0f) + __saturatef(-1.0f) + __saturatef(0.5f) + __saturatef(NAN) | 1.5
    norm3df(1.0f, 2.0f, 2.0f) + norm4df(1.0f, 1.0f, 1.0f, 1.0f) | 5
    rnorm3df(0.0f, 0.0f, 4.0f) + hypotf(3.0f, 4.0f) + norm3d(2.0, 3.0, 6.0) | 12.25
    norm3df(3e38f, 0.0f, 0.0f) == 3e38f && cospif(1.0f) == -1.0f && sinpi(0.5) == 1.0 | 1
    sqrtf(4.0f) + fabsf(-1.0f) + fminf(1.0f, 2.0f) + fmaf(1.0f, 2.0f, 3.0f) | 9
    sizeof(sqrt(4.0f)) + sizeof(fabs(1.0f)) + sizeof(abs(-1.0f)) + sizeof(exp(1.0f)) | 16
    abs(-3) + abs(-2.5f) + abs(-1.5) | 7
    min(1, 2) + min(3u, 2u) + min(1.5f, 2.5f) + min(0.5, 1.5) | 5
    max(-1, 2u) == 0xffffffffu && max(1ll, 2ll) == 2 && max(3ul, 4ul) == 4 | 1
    min(1.5f, 0.25) + max(0.5, 1.0f) + max(NAN, 2.0f) | 3.25
    sizeof(max(1.0f, 2.0f)) + sizeof(max(1.0f, 2.0)) | 12
    isnan(NAN) && isinf(INFINITY) && !isfinite(1.0f / 0.0f * 0.0f) | 1
    fmodf(5.5f, 2.0f) + rintf(2.5f) + floorf(-0.5f) + copysignf(3.0f, -1.0f) | -0.5
";

/// Each line is an expression and its value, accurate to the last digits of a double.
const SPECIAL: &str = "
    erfinv(0.1) | 0.08885599049425769
    erfinv(-0.7) | -0.7328690779592167
    erfinv(0.9999) | 2.7510639057120797
    erfcinv(5e-324) | 27.213293210812949
    erfcinv(1e-300) | 26.209469960516124
    erfcinv(1e-100) | 15.065574702592646
    erfcinv(0.999) | 0.0008862271574665521
    erfcinv(1.5) | -0.4769362762044699
    normcdfinv(0.1) | -1.2815515655446004
    erfcx(-1.0) | 5.00898008076228
    erfcx(1.0) | 0.427583576155807
    erfcx(24.9) | 0.022639987776049506
    erfcx(26.0) | 0.02168358485056291
    cyl_bessel_i0(1.0) | 1.2660658777520084
    cyl_bessel_i0(100.0) | 1.0737517071310738e42
    cyl_bessel_i1(1.0) | 0.5651591039924851
    cyl_bessel_i1(-3.0) | -3.953370217402609
";

#[test]
fn special_functions_are_accurate() {
    let cases: Vec<_> = SPECIAL.lines().filter_map(|line| line.trim().rsplit_once(" | ")).collect();
    let lines = cases.iter().enumerate();
    let body: String = lines.map(|(at, (call, _))| format!("out[{at}] = {call};\n")).collect();
    let program = compile(&format!(
        "extern \"C\" __global__ void kernel(double *out) {{\n{body}\
         out[{0}] = erfinvf(0.5f); out[{0} + 1] = erfcxf(2.0f); out[{0} + 2] = erfinv(2.0);\n\
         out[{0} + 3] = erfcinv(2.0) + cyl_bessel_i1(-INFINITY); out[{0} + 4] = erfcx(-30.0) + cyl_bessel_i0(INFINITY);\n\
         double sine, cosine; sincospi(0.5, &sine, &cosine); out[{0} + 5] = sine + cosine;\n}}",
        cases.len()
    ));
    let mut out = vec![0.0; cases.len() + 6];
    launch!(program, [1; 3], [1; 3], out.as_mut_ptr()).unwrap();
    for ((call, expected), seen) in cases.iter().zip(&out) {
        let expected: f64 = expected.parse().unwrap();
        assert!((seen / expected - 1.0).abs() < 2e-15, "{call}: {seen}");
    }
    let rest = &out[cases.len()..];
    assert_eq!(rest[..2], [f64::from(0.476_936_28_f32), f64::from(0.255_395_68_f32)]);
    assert!(rest[2].is_nan());
    assert_eq!(rest[3..], [f64::NEG_INFINITY, f64::INFINITY, 1.0]);
}

#[test]
fn functions_match_cuda() {
    let cases: Vec<_> =
        EXPRESSIONS.lines().filter_map(|line| line.trim().rsplit_once(" | ")).collect();
    let body: String = cases
        .iter()
        .enumerate()
        .map(|(number, (expression, _))| format!("out[{number}] = ({expression});\n"))
        .collect();
    let program = compile(&format!(
        "extern \"C\" __global__ void kernel(double *out) {{\n\
         #line 1 \"expressions\"\n{body}\
         const float at = 0.5f; float sine, cosine;\n\
         sincosf(at, &sine, &cosine); __sincosf(at, &sine, &cosine);\n\
         float cells[2] = {{1.0f, 2.0f}};\n\
         __stcs(cells, __ldg(cells + 1) + 1); __stcg(cells + 1, __ldcs(cells));\n\
         assert(cells[0] == 3.0f && cells[1] == 3.0f && sine < cosine);\n\
         __threadfence(); __threadfence_block(); __threadfence_system();\n\
         if (cells[0] < 0.0f) {{ printf(\"%f\\n\", cells[0]); __trap(); }}\n\
         }}"
    ));
    let mut out = vec![f64::NAN; cases.len()];
    launch!(program, [1; 3], [1; 3], out.as_mut_ptr()).unwrap();
    for ((expression, expected), seen) in cases.iter().zip(out) {
        assert_eq!(seen, expected.parse::<f64>().unwrap(), "{expression}");
    }
}
