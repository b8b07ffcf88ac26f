mod prelude;

use super::*;

fn read(text: &str) -> Scan {
    super::read(text, 1)
}

fn pass(texts: &[&str]) {
    for text in texts {
        let found = read(text).problems;
        assert!(found.is_empty(), "{text}\n{found:?}");
    }
}

/// Each body is wrong: its first problem is on the given line, with the given message. The usual mistakes are in the cases of
/// `ui-tests/messages`.
fn fail(cases: &[(&str, usize, &str)]) {
    for &(text, line, words) in cases {
        let found = read(text).problems;
        let is_said = |first: &Problem| first.line == line && first.message.contains(words);
        assert!(found.first().is_some_and(is_said), "{text}\n{line}: {words}\n{found:?}");
    }
}

#[test]
fn ordinary_bodies_pass() {
    pass(&[
        "float d = p.i - p.j; distance = d;",
        "if (i > 3) { return; }\n// a } in a comment\n/* { */ x = '}'; s = \"}\\\"}\";",
        "x = 1'000'000; y = 0x1.8p+3f; c = '\\''; d = R\"(})\"; e = R\"a(})\" })a\";",
        "// continued \\\n } still a comment\nx = 1;",
        "f(x, \\\n  y);\r\ns = \"a\\\r\nb\";\r\n// continued \\\r\n }",
        "größe = x # y; // \u{a0}",
    ]);
}

#[test]
fn loop_repetitions_are_counted() {
    for (text, times) in [
        ("x = 1;", 1),
        ("for (int k = 0; k < 16u; ++k) x += k; y = 1;", 16),
        ("for (int k = 0; k < n; ++k) { x += k; }", 1),
        ("for (;;) { for (int k = 0; k < 8; ++k) f(k); }", 8),
        ("for (int k = 0; k < 16; ++k) { g(); for (int l = 0; l < 4; ++l) f(k, l); }", 64),
        ("for (int k = 0; k < 3; ++k) for (int l = 0; l < 3; ++l) f(k, l); for (int k = 8;", 9),
    ] {
        assert_eq!(read(text).repetitions(), times, "{text}");
    }
    let functions =
        prelude("float f(float x) { for (int k = 0; k < 70; ++k) x *= x; return x; }", 1);
    assert_eq!(body("x = f(1);", 1, Some(&functions)).repetitions(), 70);
    assert_eq!(body("x = g(1);", 1, Some(&functions)).repetitions(), 1);
}

#[test]
fn unclosed_brackets_and_strings_are_errors() {
    fail(&[
        ("\n\n{", 3, "`{` is not closed"),
        ("x = (1;", 1, "`(` is not closed"),
        ("x = 1);", 1, "`)` closes nothing"),
        ("{\nf(1;\n}", 3, "`}` closes the `(` of line 2"),
        ("x = 1; /*/", 1, "comment"),
        ("x = R\"a(never closed)b\"", 1, "raw string"),
    ]);
    let found = super::read("{\nf(1;\n}", 20).problems;
    assert_eq!(found[0].line, 22);
    assert!(found[0].message.contains("line 21"), "lines are those of the file: {found:?}");
}

#[test]
fn digraphs_are_decoded() {
    pass(&["if (i > 3) <% x = w<:3:>; %>", "x = f<::g>(3); s = \"%>\"; // %>", "x = w<:::g:>;"]);
    fail(&[("x = 1;\n<%", 2, "`{` is not closed"), ("x = 1;\n%:define A 3", 2, "`#undef A`")]);
    assert_eq!(read("bins<:b:> += 1;").shared_update("bins"), Some((1, "+=".into())));
}

#[test]
fn trailing_backslash_is_an_error() {
    pass(&["x = 1; \\\n    "]);
    fail(&[
        ("x = 1;\ny = 2; \\", 2, "ends in `\\`"),
        ("x = 1;\ny = 2; \\\n", 2, "ends in `\\`"),
        ("x = 1;\n// y \\ \t", 2, "ends in `\\`"),
        ("x = 1;\\\r\n", 1, "ends in `\\`"),
    ]);
    assert!(super::prelude("int x; \\", 1).problems[0].message.contains("the prelude ends in"));
}

#[test]
fn unbalanced_branches_are_errors() {
    pass(&[
        "#ifdef A\nif (i) { x = 1; }\n#elif B\nx = 2;\n#else\n{ x = 3; }\n#endif",
        "#ifdef A\nif (a) {\n#elif B\nif (b) {\n#else\nif (c) {\n#endif\nx = 1;\n}",
        "if (a) {\nx = 1;\n#ifdef A\n} else {\nx = 2;\n#endif\n}",
        "#if defined(A) && \\\n    defined(B)\n#endif\nx = 1;",
        "#if A\n#if B\n{\n#else\n{\n#endif\n}\n#endif\nx = 1;",
    ]);
    fail(&[
        ("x = 1;\n#ifdef A\nif (i) {\n#elif B\nif (j) {\n#endif\n}", 2, "branches"),
        ("if (i) {\n#ifdef A\n}\n#else\n#endif\n}", 2, "branches"),
        ("#ifdef A\n}\n#else\nx = 1;\n#endif", 2, "closes the function"),
        ("#if 1\nx = 1;", 1, "`#if` has no `#endif`"),
        ("x = 1;\n#endif", 2, "`#endif` has no `#if`"),
        ("x = 1;\n#else\n#endif", 2, "`#else` has no `#if`"),
    ]);
}

#[test]
fn macros_end_with_the_body() {
    pass(&[
        "#define SQUARE(x) ((x) * (x))\ny = SQUARE(x);\n#undef SQUARE",
        "#define LOOP(x) \\\n    for (;;) {  \\\n        x;      \\\n    }\nLOOP({ break; })\n#undef LOOP",
        "#ifdef A\n#define X 1\n#else\n#define X 2\n#endif\nx = X;\n#undef X",
        "/**/ # define JOIN(a, b) a##b\n # undef JOIN",
    ]);
    fail(&[("# define A\n#undef B", 1, "#undef A")]);
}

#[test]
fn reserved_macros_are_kept() {
    pass(&[
        "#undef own\nx = 1;",
        "#undef M_PI\n#define M_PI 3.0f\nx = M_PI;\n#undef M_PI",
        "#define INFINITY 3\nx = INFINITY;\n#undef INFINITY",
    ]);
    fail(&[
        ("#undef __device__\nx = 1;", 1, "`#undef __device__`"),
        ("#undef NULL\nx = 1;", 1, "`#undef NULL`"),
    ]);
    let prelude = super::prelude("#define SCALE 3\n#define OWN 4\n", 1);
    let body = super::body(
        "#undef OWN\n#define OWN 5\n#undef SCALE\nx = 1;\n#undef OWN",
        1,
        Some(&prelude),
    );
    let found: Vec<_> = body.problems.iter().map(|each| (each.line, &*each.message)).collect();
    assert!(matches!(found[..], [(3, _)]), "{found:?}");
    assert!(found[0].1.contains("`#undef SCALE`"), "{found:?}");
    let prelude = super::prelude("#undef NAN\nint x;", 1);
    assert!(prelude.problems[0].message.contains("`#undef NAN`"));
    assert!(super::prelude("#undef NAN\n#define NAN 3\nint x;", 1).problems.is_empty());
}

#[test]
fn reserved_names_and_barriers_are_errors() {
    fail(&[
        ("asm volatile(\"barrier.sync.aligned 0;\");", 1, "barrier"),
        ("x = TD_WIDE;", 1, "`TD_`"),
    ]);
    pass(&[
        "x = cuda::std::sqrt(y); switch (z) { case std: x = 1; }",
        "#include \"own.h\"\nx = std::sqrt(y);",
    ]);
    pass(&["printf(\"foobar. barrier\"); x = p.td_x + q->__shared__; // __syncthreads"]);
}

#[test]
fn names_and_lengths_are_read() {
    let text = "float x = p.i + q -> j; // j\nconst char *s = \"n\"; y = 1e5f;";
    let expected = ["char", "const", "float", "p", "q", "s", "x", "y"];
    assert_eq!(read(text).names.into_iter().collect::<Vec<_>>(), expected);
    assert_eq!(read("x = p.i; // comment").length, Some(6));
    assert_eq!(read("#pragma unroll\nx->y = .5f;").length, Some(10));
    assert_eq!(read("#include \"pair.cuh\"").length, None);
    assert_eq!(read("#define X 1\nx = X;\n#undef X").length, None);
}

#[test]
fn counting_bodies_are_detected() {
    for text in [
        "if (f(x) < (1)) c += 1;",
        "c += 1; if (x) { c+=255; } else c += 2;",
        "y = a[c2] + 1; c += 0;",
    ] {
        assert!(read(text).only_counts("c"), "{text}");
    }
    for text in [
        "c += x;",
        "c -= 1;",
        "c += 1; c -= 1;",
        "c += 256;",
        "c += 1.0;",
        "c += 1 + x;",
        "y = c += 1;",
        "y = c;",
        "for (;;) c += 1;",
        "again: c += 1; goto again;",
        "#define TWICE c += 1; c += 1;\nTWICE",
        "#include \"body.cuh\"\nc += 1;",
        "auto add = [&] { c += 1; }; add(); add();",
        "f(c);",
        "(unsigned long long &)c += 1;",
    ] {
        assert!(!read(text).only_counts("c"), "{text}");
    }
}

#[test]
fn additions_are_counted() {
    for (text, count) in [
        ("", Some(0)),
        ("e += f(x) * 2.0f;", Some(1)),
        ("if (x) e -= y; e += z;", Some(2)),
        ("e--; e - = x;", None),
        ("e *= x;", None),
        ("if (x) e += 1; else { e += y; } e += z;", Some(3)),
        ("for (;;) e += 1;", None),
        ("e += e2; f(e);", None),
        ("y = e += x;", None),
        ("e += x, e += y;", None),
        ("e += f(e);", None),
        ("auto add = [&] { e += x; };", None),
        ("e", None),
    ] {
        assert_eq!(read(text).additions("e"), count, "{text}");
    }
}

/// The line of the first use of `name` that cannot be the body's own variable.
fn line(text: &str, name: &str, kind: Use) -> Option<usize> {
    read(text).uses(name, kind)
}

#[test]
fn outer_names_are_found() {
    for (text, name, kind) in [
        ("s += mean.i;", "mean", Use::Ends),
        ("f(mean.j)", "mean", Use::Ends),
        ("s += p.i - mean->i;", "mean", Use::Ends),
        ("for (int m = 0; m < i; ++m) s += 1;", "i", Use::Variable),
        ("s = w[i];", "i", Use::Variable),
        ("s = a ? i : 1;", "i", Use::Variable),
        ("if (i > 3) return;", "i", Use::Variable),
        ("return i;", "i", Use::Variable),
        ("i = 3;", "i", Use::Variable),
        ("#pragma unroll\nfor (;;) s += i * i;", "i", Use::Variable),
        ("out = s;", "out", Use::Result),
        ("if (s > 3) out += s;", "out", Use::Result),
        ("{ list.push(s); }", "list", Use::Result),
        ("s += 2 * height.x;", "height", Use::Number),
        ("s += height / 2;", "height", Use::Number),
        ("s = 1 - height;", "height", Use::Number),
        ("hist[k] = 3;", "hist", Use::Indexed),
        ("if (s > 3) hist[k] += 1;", "hist", Use::Indexed),
        ("atomicAdd(&hist[k], 1);", "hist", Use::Indexed),
        ("s += f(1, &hist[k]) & hist[0];", "hist", Use::Indexed),
        ("atomicAdd(hist + k, 1);", "hist", Use::Number),
    ] {
        let expected = 1 + usize::from(text.starts_with('#'));
        assert_eq!(line(text, name, kind), Some(expected), "{text}");
    }
}

#[test]
fn local_names_are_not_outer() {
    for text in [
        "float i = 1; s += i * 2;",
        "float a = 1, i = 2; s += i;",
        "float *i = 0, (i2); s += *i + 1;",
        "float (i) = 1; s = 2 * i;",
        "f(i, 3 * i); // as `Point (i), j;`",
        "auto [i, j] = v; s += i + 1;",
        "const auto &[j, i] = v; s += i;",
        "auto f = [](float i) { return i + 1; };",
        "auto f = [i = 3] { return i + 1; };",
        "return [i = 3] { return i + 1; }();",
        "for (auto i : w) s += i + 1;",
        "for (int i = 0; i < 3; ++i) s += i;",
        "int w[3]; for (int &i : w) s += i * 2;",
        "struct { float i; } q; s += q.i + i;",
        "enum { i = 3 }; s += i * 2;",
        "goto i; i: s += 1;",
        "i: s += 1;",
        "#define i 3\ns += i * 2;\n#undef i",
        "#if i > 3\ns += 1;\n#endif",
        "#if 0\ns += i * 2;\n#endif",
        "#include \"i.h\"\ns += i * 2;",
        "#pragma unroll i + 1\nfor (;;);",
        "s += S::i.i + N::i * 2;",
        "s += q.i + q->i; s = {.i = 3};",
        "using i = float; s += i(3) * 2;",
        "float i[3] = {}; s += i[2]; f(&i[1]);",
        "float (i[3]); f(&i[1]);",
        "float (*i[3])(int) = {}; f(&i[1]);",
        "int &i [[maybe_unused]] = w; f(&i[1]);",
        "int (&i)[3] = w; f(&i[1]);",
        "f(i[1], &i[1]); // as `Point (i[1]);`",
        "s = i(3) + 1;",
        "// i + 1\ns = \"i + 1\"[0];",
    ] {
        for kind in [Use::Ends, Use::Variable, Use::Result, Use::Number, Use::Indexed] {
            assert_eq!(line(text, "i", kind), None, "{text}, {kind:?}");
        }
    }
    assert_eq!(line("s += threadIdx.x;", "threadIdx", Use::Number), None);
    assert_eq!(line("s = max(s, 1); f = max;", "max", Use::Number), None);
    assert_eq!(line("s = out == 3;", "out", Use::Result), None);
}

#[test]
fn shared_updates_are_found() {
    for (text, operator) in [
        ("bins[b] += 1;", "+="),
        ("bins[0]++;", "++"),
        ("++bins[0];", "++"),
        ("*bins += 1;", "+="),
        ("bins[i] -= v;", "-="),
        ("bins[x.i + x.j] |= 1;", "|="),
        ("bins[b] >>= 1;", ">>="),
        ("bins[b].count[2] += 1;", "+="),
        ("bins[a[0]] *= 2;", "*="),
        ("if (v > 1) bins[b] += 1; else bins[0] += 1;", "+="),
        ("for (int m = 0; m < 3; ++m) bins[m] += 1;", "+="),
        ("unsigned b = i; bins[b] += 1;", "+="),
        ("bins[0] = 1; bins[b] += 1;", "+="),
        ("bins[b] = bins[b] + 1;", "="),
        ("bins[i] = fmaxf(v, bins[i]);", "="),
        ("bins[b].count[2] = 1 + bins[b].count[2];", "="),
        // Several pairs have the same lag, remainder or quotient.
        ("bins[i - j] += x.i * x.j;", "+="),
        ("bins[(i * n + j) % 8] += 1;", "+="),
        ("unsigned b = (i - j) / 10; bins[b]++;", "++"),
        ("unsigned b{i - j}; bins[b]++;", "++"),
        ("if (bins[b] < 5) bins[b] += 1;", "+="),
        ("v = min(v, bins[b]); bins[b] += 1;", "+="),
        ("(*bins)++;", "++"),
        ("(bins[b])++;", "++"),
        ("++((bins[b]));", "++"),
        ("*(bins + b) += 1;", "+="),
        ("if (v < bins[b]) bins[b] = v;", "="),
        ("if (f(v) < bins[b]) { bins[b] = v; }", "="),
        ("#ifdef FAST\n#endif\nbins[b] += 1;", "+="),
    ] {
        let found = read(text).shared_update("bins");
        let line = if text.starts_with('#') { 3 } else { 1 };
        assert_eq!(found, Some((line, operator.into())), "{text}");
    }
    for text in [
        "bins[b] = 1;",
        "if (!bins[b]) bins[b] = 1;",
        "if (v < bins[c]) bins[b] = v;",
        "unsigned k{i * n + j}; bins[k] += 1;",
        "size_t k(i * n + j); bins[k] += 1;",
        "bins[i * (i - 1) / 2 + j] += 1;",
        "bins[(size_t)i << 16 | j] += 1;",
        "bins[slot(i, j)] += 1;",
        "*(bins + i * n + j) += 1;",
        "int (*bins)(int) = f; bins[b] += 1;",
        "bins[b] = bins[c] + 1;",
        "bins[b].x = bins[b].y;",
        "bins[b] == bins[b] + 1;",
        "bins[b] = 1; v = bins[b];",
        "*bins = v * bins[1];",
        "unsigned old = bins[b]; bins[b] = old + 1;",
        "bins[i * n + j] = bins[i * n + j] + 1;",
        "bins[i * n + j] += 1;",
        "unsigned k = i * n; k += j; bins[k] += 1;",
        "atomicAdd(&bins[b], 1);",
        "x = bins[b] + +1; y = bins[b] == 1; z = bins[b] <= 1; w = bins[b] >= 1; y = (y) - -bins[b] + 1 + +bins[b];",
        "b += bins[b];",
        "float bins[3] = {}; bins[b] += 1;",
        "#define i 3\nbins[b] += 1;\n#undef i",
        "c.bins[b] += 1;",
    ] {
        assert_eq!(read(text).shared_update("bins"), None, "{text}");
    }
}

#[test]
fn expressions_are_counted() {
    for (text, expected) in [
        ("1", Listed::One),
        ("-INFINITY", Listed::One),
        ("max(1, 2)", Listed::Call),
        ("static_cast<float>(1) + f(1, (2))", Listed::Call),
        ("1, 2", Listed::Several(2)),
        ("(1, 2, 3)", Listed::Several(3)),
        ("max((1, 2), 3)", Listed::Several(2)),
        ("{}", Listed::InBraces(0)),
        ("{1, f(2, 3)}", Listed::InBraces(2)),
    ] {
        assert_eq!(read(text).listed(), expected, "{text}");
    }
}

#[test]
fn push_arguments_are_counted() {
    for (text, expected) in [
        ("l.push();", vec![(1, 0)]),
        ("l.push(f(a, b));\nl.push(i, j);", vec![(1, 1), (2, 2)]),
        ("l.push(make_float2(a, b), { 1, 2 }, 3);", vec![(1, 3)]),
        ("other.push(i, j); l.add(i, j); // l.push(i, j)", vec![]),
        ("l.push(f<a, b>(c));", vec![]),
        ("l.push(i, j", vec![]),
    ] {
        assert_eq!(read(text).pushes("l"), expected, "{text}");
    }
}

#[test]
fn arithmetic_of_names_is_found() {
    let is = |text: &str| read(text).is_arithmetic_of(&|name| ["p", "limit", "n"].contains(&name));
    for text in ["p.i.lo - p.j.hi", "max(p.i.lo.x - 7, 2u) + (n - limit)"] {
        assert!(is(text), "{text}");
    }
    for text in [
        "p.i.lo - far",
        "p.i.lo - 0.5f",
        "(int)p.i.lo",
        "(p.i.lo, 1)",
        "box_distance(p.i, p.j)",
        "p.i.lo > 1 ? 1 : -1",
        "w[p.i.lo]",
        "p.i.lo - 3000000000",
    ] {
        assert!(!is(text), "{text}");
    }
}
