use super::{Finding, Number, Type, Variable};
use crate::scan;

/// The types of the names in the bodies below.
fn variable(name: &str) -> Option<Variable> {
    let number = |number| Variable::of(Type::Number(number));
    let ends = |of| Variable { has_ends: true, ..of };
    Some(match name {
        "x" => ends(number(Number::Float)),
        "h" => ends(number(Number::Half)),
        "v" => ends(Variable::of(Type::Vector(Number::Float))),
        "s" => ends(Variable::of(Type::Struct("Body".into()))),
        "a" | "out" => number(Number::Float),
        "d" | "wide" => number(Number::Double),
        "i" | "j" | "n" => number(Number::Integer),
        "w" => Variable { is_indexed: true, ..number(Number::Float) },
        "sum" => Variable { is_sum: true, ..number(Number::Float) },
        "total" => Variable { is_sum: true, ..number(Number::Double) },
        "near" => Variable { is_sum: true, ..ends(number(Number::Float)) },
        _ => return None,
    })
}

fn found(text: &str) -> Vec<Finding> {
    scan::read(text, 1).doubles(&variable)
}

/// The line, the source there, and the form for floats.
type Expected<'a> = (usize, &'a str, &'a str);

/// Each body has exactly these doubles.
fn has(cases: &[(&str, &[Expected<'_>])]) {
    for (text, expected) in cases {
        let found = found(text);
        let found: Vec<_> = found
            .iter()
            .map(|Finding { doubled, .. }| {
                (doubled.line, doubled.from.as_str(), doubled.to.as_str())
            })
            .collect();
        assert_eq!(found, *expected, "{text}");
    }
}

fn passes(texts: &[&str]) {
    for text in texts {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn double_constants_are_found() {
    has(&[
        ("out = 0.5 * x.i;", &[(1, "0.5", "0.5f")]),
        ("\n\nout =\n  x.i * 2.;", &[(4, "2.", "2.f")]),
        ("out = x.i - .5;", &[(1, ".5", ".5f")]),
        ("out = x.i / 1e-3;", &[(1, "1e-3", "1e-3f")]),
        ("out = x.i / 1.5L;", &[(1, "1.5L", "1.5f")]),
        ("out = 0x1p3 * a;", &[(1, "0x1p3", "0x1p3f")]),
        ("out = x.i * (1.0 / 3.0);", &[(1, "1.0", "1.0f"), (1, "3.0", "3.0f")]),
        ("out = M_PI * a;", &[(1, "M_PI", "(float)M_PI")]),
        ("if (x.i - x.j < 0.5) sum += 1;", &[(1, "0.5", "0.5f")]),
        ("out = a < 0.5 ? 1.0f : 2.0f;", &[(1, "0.5", "0.5f")]),
        ("out = i > j ? a : 0.5;", &[(1, "0.5", "0.5f")]),
        ("float d2 = 0.5 * x.i, e = 2 * 0.25 * d2;", &[(1, "0.5", "0.5f"), (1, "0.25", "0.25f")]),
        ("const float r = fabsf(x.i) + 0.1;", &[(1, "0.1", "0.1f")]),
        ("auto y = x.i * 0.5;", &[(1, "0.5", "0.5f")]),
        ("auto y = x.i; out = 0.5 * y;", &[(1, "0.5", "0.5f")]),
        ("float y[2] = { 0.5 * a, 1.0 };", &[(1, "0.5", "0.5f")]),
        ("float y(0.5 * a);", &[(1, "0.5", "0.5f")]),
        ("float y = a; y *= 0.5;", &[(1, "0.5", "0.5f")]),
        ("out = v.i.x * 0.5;", &[(1, "0.5", "0.5f")]),
        ("float3 u = v.i; out = u.y * 0.5;", &[(1, "0.5", "0.5f")]),
        ("out = w[i] * 0.5;", &[(1, "0.5", "0.5f")]),
        ("const float *p = w + i; out = *p * 0.5 + p[1];", &[(1, "0.5", "0.5f")]),
        ("out = h.i * 0.5;", &[(1, "0.5", "0.5f")]),
        ("sum += 0.5 * x.i;", &[(1, "0.5", "0.5f")]),
        ("near.i += 0.5 * x.i;", &[(1, "0.5", "0.5f")]),
        ("near.push(0.5 * x.i);", &[(1, "0.5", "0.5f")]),
        ("out = (float)(0.5 * x.i);", &[(1, "0.5", "0.5f")]),
        ("out = float(0.5 * x.i);", &[(1, "0.5", "0.5f")]),
        ("out = static_cast<float>(0.5 * x.i);", &[(1, "0.5", "0.5f")]),
        ("int cell = (int)(x.i * 0.1);", &[(1, "0.1", "0.1f")]),
        // Integers, if the result becomes a float.
        ("out = 0.5 * (i - j);", &[(1, "0.5", "0.5f")]),
        ("for (int m = 0; m < 3; m++) { out = 0.5 * w[m]; }", &[(1, "0.5", "0.5f")]),
        ("while (a > 0.5) a -= 1;", &[(1, "0.5", "0.5f")]),
        ("out = sqrtf(0.5 * x.i);", &[(1, "0.5", "0.5f")]),
        ("out = -0.5 * -x.i;", &[(1, "0.5", "0.5f")]),
        ("a++; out = a - -0.5;", &[(1, "0.5", "0.5f")]),
        ("out += 0.5;", &[(1, "0.5", "0.5f")]),
        ("v.i.x = 0.5 * a;\r\nout = 0.5 * a;", &[(1, "0.5", "0.5f"), (2, "0.5", "0.5f")]),
    ]);
}

#[test]
fn double_calls_are_found() {
    has(&[
        ("out = pow(x.i, 2.0);", &[(1, "pow(x.i, 2.0)", "powf(x.i, 2.0f)")]),
        ("out = pow(x.i - x.j,\n  .5);", &[(1, "pow(x.i - x.j, .5)", "powf(x.i - x.j, .5f)")]),
        ("out = 1 / sqrt(i);", &[(1, "sqrt(i)", "sqrtf(i)")]),
        ("out = x.i * sqrt(2.0);", &[(1, "sqrt(2.0)", "sqrtf(2.0f)")]),
        ("out = exp(-0.5 * x.i);", &[(1, "0.5", "0.5f")]),
        ("out = max(x.i, 0.5);", &[(1, "0.5", "0.5f")]),
        ("out = rhypot(x.i, x.j);", &[(1, "rhypot(x.i, x.j)", "rhypotf(x.i, x.j)")]),
        (
            "out = pow(fabsf(x.i - x.j) + fabsf(x.i + x.j) + fabsf(x.i * x.j), 1.5);",
            &[(1, "pow(…)", "powf(…)")],
        ),
    ]);
}

#[test]
fn intended_doubles_pass() {
    passes(&[
        "wide = 0.5 * x.i;",
        "total += sqrt(0.5 * x.i);",
        "out = 0.5 * d * x.i;",
        "out = d + 0.5 * x.i;",
        "out = 0.5 * (double)x.i;",
        "out = 0.5 * double(x.i);",
        "out = static_cast<double>(x.i) * 0.5;",
        "double y = x.i; out = 0.5 * y;",
        "const double y = 0.5 * x.i; out = y;",
        "double y[2]; out = 0.5 * y[0];",
        "double3 u; out = 0.5 * u.x;",
        "if (d < 0.5) sum += 1;",
        "out = pow(d, 2.0) + exp(0.5 * d);",
        "out = (float)(d * 0.5);",
        "auto y = d; out = 0.5 * y;",
        "out = __dadd_rn(x.i, 0.5) + __fma_rn(x.i, x.j, 1.0);",
        "if (__fma_rz(1.0, a, 1.0) < 1.0) sum += 1;",
        "out = make_double2(0.5 * x.i, 1).x;",
        "out = DBL_MAX * 0.5 * a;",
        "long double y = 0.5 * a;",
    ]);
}

#[test]
fn converted_constants_pass() {
    passes(&[
        "out = 0.5;",
        "float y = 1.0 / 3.0, z = M_PI;",
        "out = fmaxf(x.i, 0.5) + powf(x.i, 2.0);",
        "float y[] = { 0.5, 1.0 };",
        "sum += 0.5;",
        "near.push(0.5);",
        "out = 0.5f * x.i + 1.f + 2 * a + 0xEF;",
        "out = sqrt(x.i) + pow(x.i, 2) + fabs(a) + min(a, x.i) + abs(x.i);",
        "out = make_float2(0.5, 1.0).x;",
        "h.i = 0.5; h.i *= 0.5;",
        "out = i > j ? 0.5 : 1.0;",
        "out = FLT_MAX * x.i + INFINITY;",
    ]);
}

#[test]
fn integers_in_doubles_pass() {
    // Floats would not hold them exactly.
    passes(&[
        "unsigned half = 0.5 * i;",
        "if (i < 0.5 * n) sum += 1;",
        "int root = sqrt(0.25 + 2.0 * i);",
        "if (i % 2 * 0.5 < 1) sum += 1;",
    ]);
}

#[test]
fn unknown_types_pass() {
    passes(&[
        "out = other * 0.5;",
        "out = f(0.5 * x.i);",
        "out = f(x.i) * 0.5;",
        "#define a d\nout = 0.5 * a;\n#undef a",
        "#define HALF 0.5\nout = HALF * x.i;\n#undef HALF",
        "{ float y = a; } { double y = d; out = 0.5 * y; }",
        "{ auto y = a; } { auto y = d; out = 0.5 * y; }",
        "auto f = [&](double a) { return 0.5 * a; };",
        "double a = d, out = 0.5 * a;",
        "T y = 0.5 * x.i;",
        "out = g<float>(0.5 * x.i);",
        "struct T { double x; }; T t; out = 0.5 * t.x;",
        "// 0.5 * x.i\n/* 0.5 * x.i */ const char *text = \"0.5 * x.i\";",
        "return 0.5 * x.i;",
        "out = x * 0.5;",
        "out = v.i * 0.5;",
    ]);
}

#[test]
fn struct_fields_are_listed() {
    let fields = |text: &str| {
        let found = found(text);
        found
            .iter()
            .map(|each| each.fields.iter().map(|(_, field)| field.clone()).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    assert_eq!(fields("out = 0.5 * s.i.mass;"), [["mass"]]);
    assert_eq!(fields("out = 0.5 * s.i.center[2];"), [["center"]]);
    assert_eq!(fields("out = 0.5 * s.i.mass * s.j.charge;"), [["mass", "charge"]]);
    assert_eq!(fields("out = 0.5 * a * s.i.mass;"), [["mass"]]);
    assert_eq!(fields("s.i.mass = 0.5 * a;"), [["mass"]]);
    assert_eq!(fields("out = pow(s.i.mass, 2.0);"), [["mass"]]);
    assert_eq!(fields("if (s.i.radius < 0.5) sum += 1;"), [["radius"]]);
    // A nested struct is unknown.
    assert_eq!(fields("out = 0.5 * s.i.part.mass;"), Vec::<Vec<String>>::new());
}

#[test]
fn scan_ends_for_any_body() {
    let deep = [
        "(".repeat(5000),
        "-".repeat(5000) + "x.i * 0.5;",
        "a = ".repeat(5000) + "0.5 * a;",
        "a ? ".repeat(5000),
        "float x = {".repeat(5000),
        "f(".repeat(5000),
        "0.5 * ".repeat(5000) + "x.i;",
    ];
    for text in &deep {
        // The test only checks that it ends.
        let _ = found(text);
    }
    for text in [
        "", ";", "float", "float *", "float a[", "if", "if (", "for", "a.", ".", ".5", "a[", "a ?",
        "(float)", "(float", "static_cast<", "f(", "{", "}", ")", "=", "+", "auto y =", "double {",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

/// The doubles in the functions of a prelude: the line, the source there, and the form for floats.
fn in_functions(text: &str) -> Vec<(usize, String, String)> {
    let found = scan::prelude(text, 1).doubles_of_functions();
    found
        .into_iter()
        .map(|Finding { doubled, .. }| (doubled.line, doubled.from, doubled.to))
        .collect()
}

#[test]
fn prelude_functions_are_scanned() {
    let expected = |line: usize, from: &str| (line, from.to_owned(), format!("{from}f"));
    for (text, all) in [
        (
            "inline float f(float x) { return 1.0 / (1.5 + x * x); }",
            vec![expected(1, "1.0"), expected(1, "1.5")],
        ),
        (
            "const float a = 2.0;\n__device__ static float f(const float &x)\n{\n  float y = x * 0.5;\n  return y;\n}",
            vec![expected(4, "0.5")],
        ),
        ("inline void f(float &x) { x *= 0.5; }", vec![expected(1, "0.5")]),
        (
            "struct S { float x; };\ntemplate <typename T> T g(T x) { return 0.25 * x; }\nfloat f(float x) { if (x < 1.5) return x; return 2.5 * x; }",
            vec![expected(3, "1.5"), expected(3, "2.5")],
        ),
        (
            "#define TWO 2\nfloat g(float x) { return TWO; }\nfloat f(float x) { return 2.5 * x; }",
            vec![expected(3, "2.5")],
        ),
    ] {
        assert_eq!(in_functions(text), all, "{text}");
    }
}

#[test]
fn intended_doubles_in_preludes_pass() {
    for text in [
        "inline double f(float x) { return 0.5 * x; }",
        "inline float f(double x) { return 0.5 * x; }",
        "inline float f(float x) { return 0.5; }",
        "inline float f(float x) { return (double)x * 0.5; }",
        "inline auto f(float x) { return 0.5 * x; }",
        "template <typename T> inline T f(T x) { return 0.5 * x; }",
        "#define REAL 1.0\ninline float f(float x) { return REAL * 0.5 * x; }",
        "#include \"reals.h\"\ninline float f(float x) { return 0.5 * x; }",
        "inline float f(float x) { auto g = [&](float y) { return 0.5 * y; }; return g(x); }",
        "inline float f(float x);\ninline float f(float x) { return 0.5f * x; }",
        "inline void f(float x) { return; }",
        "const double half = 0.5;",
    ] {
        assert_eq!(in_functions(text), [], "{text}");
    }
}
