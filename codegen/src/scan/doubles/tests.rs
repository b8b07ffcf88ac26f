use std::collections::BTreeSet;

use super::{Finding, Meaning};
use crate::scan;

/// The meanings of the names in the bodies below. `d`, `wide` and `total` are doubles.
fn meaning(name: &str) -> Option<Meaning> {
    match name {
        "x" | "a" | "out" | "w" => Some(Meaning::Float),
        "v" => Some(Meaning::Vector),
        "s" => Some(Meaning::Struct("Body".into())),
        "i" | "j" | "n" | "sum" | "near" => Some(Meaning::Other),
        _ => None,
    }
}

fn found(text: &str) -> Vec<Finding> {
    scan::read(text, 1).doubles(&meaning)
}

/// The line of each finding, the source there, and the form for floats.
fn forms(found: &[Finding]) -> Vec<(usize, &str, &str)> {
    found.iter().map(|each| (each.line, each.from.as_str(), each.to.as_str())).collect()
}

#[test]
fn doubles_beside_floats_are_found() {
    for text in [
        "out = 0.5 * x.i;",
        "if (x.i - x.j < 0.5) sum += 1;",
        "if (other < 1) { out = x.i * 0.5; }",
        "for (int m = 0; m < 3; m++) { out = 0.5 * w[m]; }",
        "out = a < 0.5 ? 1.0f : 2.0f;",
        "float y = a; if (a > 1) y *= 0.5;",
        "float y[2] = { 0.5 * a, 1.0 };",
        "out += 0.5;",
        "float3 u = v.i; out = u.y * 0.5;",
        "float3 u; u.x = a <= 0.5;",
        "out = w[i] * 0.5;",
        "near.push(0.5 * x.i);",
        "out = (float)(2 / (0.5 + 2 * x.i)) + float(1.0);",
        "out = 0.5 * (float)i;",
        "int cell = (int)(x.i * 0.5);",
        "out = sqrtf(0.5 * x.i) + pow(a, 2);",
        "out = exp(-0.5 * x.i);",
        "out = max(x.i, 0.5);",
        "out = x.i * (0.5 + expf(a) + 2 * i);",
        "out = sqrt(x.i - x.j) * 0.5 + w[i + 1] / 2;",
        "out = i * (x.i - x.j) / 0.5;",
        "if (a > 1) return;\n#pragma unroll\nout = a; out = 0.5\n * a;",
    ] {
        let line = 1 + text.split_once("0.5").map_or(0, |(before, _)| before.matches('\n').count());
        assert_eq!(forms(&found(text)), [(line, "0.5", "0.5f")], "{text}");
    }
    for (text, expected) in [
        ("\n\nout =\n  x.i * 2.;", (4, "2.", "2.f")),
        ("out = x.i - .5;", (1, ".5", ".5f")),
        ("out = x.i / 1.5L;", (1, "1.5L", "1.5f")),
        ("out = 0x1p3 * a;", (1, "0x1p3", "0x1p3f")),
        ("out = M_PI * a;", (1, "M_PI", "(float)M_PI")),
        ("out = pow(x.i, 2.0);", (1, "2.0", "2.0f")),
        ("out = rhypot(x.i, x.j);", (1, "rhypot", "rhypotf")),
    ] {
        assert_eq!(forms(&found(text)), [expected], "{text}");
    }
}

#[test]
fn other_doubles_pass() {
    for text in [
        // Intended ones.
        "wide = 0.5 * x.i;",
        "total += sqrt(0.5 * x.i);",
        "out = d + 0.5 * x.i;",
        "out = 0.5 * (double)x.i;",
        "double y = x.i; out = 0.5 * y;",
        "out = __dadd_rn(x.i, 0.5) + __fma_rn(x.i, x.j, 1.0);",
        "out = DBL_MAX * 0.5 * a;",
        // Converted constants.
        "out = 0.5;",
        "float y = 1.0 / 3.0, z = M_PI;",
        "out = fmaxf(x.i, 0.5) + powf(x.i, 2.0);",
        "float y[] = { 0.5, 1.0 };",
        "if (x.i < a) sum += 0.5;",
        "out = 0.5f * x.i + 1.f + 2 * a + 0xEF + (float)M_PI * a + float(0.5) * a;",
        "out = sqrt(x.i) + pow(x.i, 2) + fabs(a) + min(a, x.i) + abs(x.i) + abs(i);",
        "out = a < x.i ? 0.5 : 1.0;",
        // Integers, which floats would not hold exactly.
        "int root = sqrt(0.25 + 2.0 * i);",
        "if (i < 0.5 * n && a < 1) sum += 1;",
        "int cell = (int)x.i * 0.5 + int(a) * 0.5 + (unsigned)(a) * 0.5;",
        // Unknown types.
        "out = other * 0.5 * a;",
        "#define a d\nout = 0.5 * a;\n#undef a",
        "{ float y = a; } { auto y = d; out = 0.5 * y; }",
        "auto a = d; out = 0.5 * a;",
        "auto f = [&](float a) { return 0.5 * a; };",
        "out = g<float>(0.5 * x.i);",
        "near.push({ 0.5 * x.i, T{1} });",
        "// 0.5 * x.i\n/* 0.5 * x.i */ const char *text = \"0.5 * x.i\";",
        "return 0.5 * x.i;",
        "out = 0.5 * v.i + a;",
        "out = 0.5 * s.i.part.mass;",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn struct_fields_are_listed() {
    for (text, expected) in [
        ("out = 0.5 * s.i.mass;", &["mass"][..]),
        ("out = 0.5 * s.i.center[2];", &["center"]),
        ("out = 0.5 * s.i.mass * s.j.charge;", &["charge", "mass"]),
        ("s.i.mass = 0.5 * a;", &["mass"]),
    ] {
        let [finding] = &found(text)[..] else { panic!("{text}") };
        let named = expected.iter().map(|field| ("Body".to_owned(), (*field).to_owned()));
        assert_eq!(finding.fields, BTreeSet::from_iter(named), "{text}");
    }
}

#[test]
fn scan_ends_for_any_body() {
    for text in
        ["(", "a[", "a ? ", "float x = {", "f(", "(float", "static_cast<", "}", ")", "]", "#"]
    {
        assert_eq!(found(&text.repeat(500)), [], "{text}");
    }
}

#[test]
fn prelude_functions_are_scanned() {
    let two: &[_] = &[(1, "1.0", "1.0f"), (1, "1.5", "1.5f")];
    for (text, expected) in [
        ("inline float f(float x) { return 1.0 / (1.5 + x * x); }", two),
        (
            "double g(float x) { return 0.5 * x; }\n#define TWO 2\nfloat h(float x) { return TWO + 0.5 * x; }\n__device__ void f(float &x)\n{\n  x *= 1.5;\n}",
            &[(6, "1.5", "1.5f")],
        ),
        ("inline auto f(float x) { return 0.5 * x; }", &[]),
        ("inline float f(double x) { return 0.5 * x; }", &[]),
        ("template <typename T> T f(T x) { return 0.5 * x; }", &[]),
        ("#include \"reals.h\"\ninline float f(float x) { return 0.5 * x; }", &[]),
        ("struct S { float x; float f(float a) { return 0.5 * a; } };", &[]),
    ] {
        let found = scan::prelude(text, 1).doubles_of_functions();
        assert_eq!(forms(&found), expected, "{text}");
    }
}
