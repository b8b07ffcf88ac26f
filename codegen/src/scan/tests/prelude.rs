//! Preludes, and the bodies after them.

use crate::scan;

/// The names that a prelude defines, in the order of their lines, macros first.
fn defined(text: &str) -> Vec<String> {
    let found = scan::prelude(text, 1);
    assert!(found.problems.is_empty(), "{text}\n{:?}", found.problems);
    found.definitions.into_iter().map(|each| each.name).collect()
}

#[test]
fn prelude_definitions_are_found() {
    for (text, names) in [
        ("float f(float x) { float y = x; return y; }", "f"),
        ("static __device__ __forceinline__ float f(float x);\ninline int g();", "f g"),
        ("template <typename T, int N = 3>\n__device__ T f(T x) { return x; }", "f"),
        ("constexpr float a = 1, b = f(2), *c = &d; int e[4] = {1, 2};", "a b c e"),
        ("struct S { float x; float f() const { return x; } }; S s{1};", "S s"),
        ("struct alignas(16) S : public T { float x; } s, *t;", "S s t"),
        ("struct S f() { return {}; } union U;", "f U"),
        ("enum E { A, B = 3, C }; enum { D }; enum class F : int { G };", "E A B C D F"),
        ("namespace a { float f(); } using b = float; using namespace a; using a::f;", "a b"),
        ("typedef unsigned int word; typedef struct { int x; } S;", "word S"),
        (
            "float3 operator+(float3 a, float3 b) { return a; } float f() { return 1; }",
            "operator f",
        ),
        ("__attribute__((noinline)) float f(float) noexcept { return 1; } int x;", "f x"),
        ("static_assert(sizeof(int) == 4, \"\"); auto f(int x) -> float { return x; }", "f"),
        ("float S::f(int x) { return x; } S::S() : x(1), y{2} {}", ""),
        ("std_like<int, 3> table = {}; bool less = 1 < 2;", "table less"),
        ("#define A 1\n#define B(x) x\n#undef A\nextern \"C\" int f();", "B f"),
        ("#ifndef GUARD\n#define GUARD\nint x;\n#endif", "GUARD x"),
        ("auto f = [](float x) { return x; };", "f"),
    ] {
        let found = defined(text);
        assert_eq!(found, names.split_whitespace().collect::<Vec<_>>(), "{text}");
    }
    let lines = scan::prelude("\nint a;\n\nint b() {\n}\n#define C\n", 7).definitions;
    let lines: Vec<_> = lines.iter().map(|each| (each.line, each.is_macro)).collect();
    assert_eq!(lines, [(8, false), (10, false), (12, true)]);
}

#[test]
fn prelude_errors_are_reported() {
    for (text, line, words) in [
        ("", 1, "the prelude is empty"),
        ("int f() {\n}\n}", 3, "this `}` closes nothing"),
        ("\nstruct S { int x; }", 2, "does not end: write `;`"),
        ("int x;\nint y\n#define A\n", 2, "does not end: write `;`"),
        ("int x;\n#endif", 2, "has no `#if` in the prelude"),
        ("\n#if A", 2, "write it in the prelude"),
        ("float f() { return std::sqrt(2); }", 1, "`std::`"),
        ("void f() {\n__syncthreads(); }", 2, "a prelude cannot contain the barrier"),
    ] {
        let found = scan::prelude(text, 1).problems;
        let first = found.first().map(|first| (first.line, first.message.contains(words)));
        assert_eq!(first, Some((line, true)), "{text}\n{found:?}");
    }
    // An included file may define `std`, in the bodies too.
    let prelude = scan::prelude("#include <cmath>\nfloat f() { return std::sqrt(2); }", 1);
    assert!(prelude.problems.is_empty());
    assert!(scan::body("x = std::sqrt(2);", 1, Some(&prelude)).problems.is_empty());
}

#[test]
fn prelude_code_counts_in_bodies() {
    let prelude = scan::prelude(
        "#define HIT count += 1\n#define ABOVE (i > 1)\ninline float square(float x) { return x * x; }\nfloat twice(float x) { return square(x) + square(x); }\nfloat self(float x) { return self(x); }",
        1,
    );
    let of = |text: &str| scan::body(text, 1, Some(&prelude));
    // Without the prelude's names nothing changes.
    let plain = of("count += 1;");
    assert_eq!((plain.length, plain.additions("count")), (Some(5), Some(1)));
    assert!(plain.only_counts("count") && of("s = a;").is_plain(&[]));
    // A function is written out, with those that it calls.
    let square = "( float x ) { return x * x ; }".split(' ').count();
    let twice = "( float x ) { return square ( x ) + square ( x ) ; }".split(' ').count();
    let own = "x = square ( 1 ) ;".split(' ').count();
    assert_eq!(of("x = square(1);").length, Some(own + square));
    assert_eq!(of("x = twice(1);").length, Some(own + twice + 2 * square));
    assert_eq!(of("x = self(1);").length, None);
    assert!(!of("x = square(y);").is_plain(&["square"]));
    // A macro may add, and its expansion's names count.
    let hit = of("if (a) HIT;");
    assert_eq!((hit.additions("count"), hit.only_counts("count")), (None, false));
    assert!(hit.names.contains("count") && of("x = ABOVE;").names.contains("i"));
    assert!(!of("x = square(1);").names.contains("i"));
    assert_eq!(of("x = k;").uses("k", scan::Use::Variable), Some(1));
    assert_eq!(of("x = k; HIT;").uses("k", scan::Use::Variable), None);
    // Operators have no name to find, and files may contain anything.
    let operators = scan::prelude("float3 operator-(float3 a, float3 b) { return a; }", 1);
    assert!(!scan::body("s = a;", 1, Some(&operators)).is_plain(&[]));
    let files = scan::prelude("#include <a.h>", 1);
    let body = scan::body("count += 1;", 1, Some(&files));
    assert!(body.includes() && body.length.is_none() && body.additions("count").is_none());
}
