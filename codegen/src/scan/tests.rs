use super::*;

fn messages(text: &str) -> Vec<String> {
    check(text)
        .into_iter()
        .map(|problem| format!("{}: {}", problem.line, problem.message))
        .collect()
}

#[test]
fn ordinary_bodies_pass() {
    for text in [
        "float d = p.i - p.j; distance = d;",
        "if (i > 3) { return; }\n// a } in a comment\n/* { */ x = '}'; s = \"}\\\"}\";",
        "x = 1'000'000; y = 0x1.8p3f; c = '\\''; d = R\"(})\"; e = R\"a(})\" })a\";",
        "// continued \\\n } still a comment\nx = 1;",
        "#pragma unroll\nfor (;;) <% break; %>",
        "#define SQUARE(x) ((x) * (x))\ny = SQUARE(x);\n#undef SQUARE",
    ] {
        assert_eq!(messages(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn bodies_that_leave_their_function_are_refused() {
    for (text, line) in [
        ("x = 1;\n}\n{", 2),
        ("x = 1; %>", 1),
        ("\n\n{", 3),
        ("/* never closed", 1),
        ("x = \"never closed\n\";", 1),
        ("x = R\"a(never closed)b\"", 1),
        ("x = '", 1),
        ("x = 1;\n#define row 2", 2),
        ("# define A\n#undef B", 1),
    ] {
        assert_eq!(check(text).first().map(|problem| problem.line), Some(line), "{text}");
    }
}

#[test]
fn empty_bodies_barriers_and_shared_memory_are_refused() {
    assert!(messages("  \n// nothing\n")[0].contains("empty"));
    assert!(messages("x = 1;\n__syncthreads();")[0].starts_with("2: `__syncthreads`"));
    assert!(messages("x = __shfl_sync(~0u, x, 0);")[0].contains("lanes"));
    assert!(messages("asm volatile(\"bar.sync 0;\");")[0].contains("barrier"));
    assert_eq!(messages("printf(\"foobar. barrier\");"), Vec::<String>::new());
    assert!(messages("__shared__ float x;")[0].contains("shared memory"));
    assert!(messages("td_row(1);")[0].contains("td_"));
}

#[test]
fn lengths_are_of_what_is_written() {
    assert_eq!(length("x = p.i; // comment"), Some(6));
    assert_eq!(length("#include \"pair.cuh\""), None);
}

#[test]
fn names_are_those_outside_comments_and_strings() {
    let names = names("float x = p.i + q -> j; // j\nconst char *s = \"n\"; y = 1e5f;");
    assert_eq!(
        names.into_iter().collect::<Vec<_>>(),
        ["char", "const", "float", "p", "q", "s", "x", "y"]
    );
}

#[test]
fn brackets_close_in_the_branch_the_directive_and_the_parentheses_that_they_open_in() {
    for (text, line, word) in [
        // Compilers take one branch of the two.
        ("#if 0\n{\n#endif\n}\nvoid f() {\n#if 0\n}\n#endif", 2, "branch"),
        ("if (i) {\n#ifdef A\n}\n#else\n}\n#endif", 3, "branch"),
        ("#ifdef A\nif (i) {\n#elif B\nif (j) {\n#endif\n}", 2, "branch"),
        // Macros may be used where they are not balanced.
        ("#define OPEN {\n#undef OPEN", 1, "directive"),
        ("{\n#define CLOSE }\n#undef CLOSE", 2, "directive"),
        ("#define LEFT (\n#undef LEFT", 1, "directive"),
        ("%:define OPEN <%\n%:undef OPEN", 1, "directive"),
        // Macros may drop what they are given.
        ("#define DROP(x)\nDROP({)\n} void f() { DROP(})\n#undef DROP", 2, "close that first"),
        ("x = (1;", 1, "`(` is not closed"),
        ("x = 1);", 1, "`)` closes nothing"),
        ("#if 1\nx = 1;", 1, "`#if` has no `#endif`"),
        ("x = 1;\n#endif", 2, "`#endif` has no `#if`"),
        ("x = 1;\n#else\n#endif", 2, "`#else` has no `#if`"),
    ] {
        let found = check(text);
        let first = found.first();
        assert_eq!(first.map(|problem| problem.line), Some(line), "{text}\n{found:?}");
        assert!(first.is_some_and(|problem| problem.message.contains(word)), "{text}\n{found:?}");
    }
    for text in [
        "#ifdef A\nif (i) { x = 1; }\n#elif B\nx = 2;\n#else\n{ x = 3; }\n#endif",
        "#define LOOP(x) \\\n    for (;;) {  \\\n        x;      \\\n    }\nLOOP({ break; })\n#undef LOOP",
        "x = y # z; // no directive",
        "#if defined(A) && \\\n    defined(B)\n#endif\nx = 1;",
    ] {
        assert_eq!(messages(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn macros_that_outlive_the_body_are_refused() {
    for text in [
        "%:define row 2",
        "/* a\n*/ # /* b */ define row 2",
        // Each of these can leave the definition where it is.
        "#define row 2\n#if 0\n#undef row\n#endif",
        "#if 1\n#define row 2\n#else\n#undef row\n#endif",
        "#define row 2\n#pragma push_macro(\"row\")\n#undef row\n#pragma pop_macro(\"row\")",
        "_Pragma(\"pop_macro(\\\"row\\\")\")",
        "_Pragma(\"pop_ma\\\ncro(\\\"row\\\")\")",
        "#define PASTE(a, b) a##b\n#undef PASTE",
        "#define PASTE(a, b) a %:%: b\n#undef PASTE",
        "#undef TD_WIDE",
    ] {
        assert_ne!(messages(text), Vec::<String>::new(), "{text}");
    }
    for text in [
        "#ifdef A\n#define X 1\n#else\n#define X 2\n#endif\nx = X;\n#undef X",
        "#ifdef A\n#define X 1\nx = X;\n#undef X\n#endif",
        "#ifdef A\n#define X 1\n#ifdef B\n#define Y\n#endif\n#undef X\n#undef Y\n#endif",
        "#define TEXT(x) #x\nx = TEXT(a);\n#undef TEXT",
        "_Pragma(\"unroll\") for (;;) {}",
    ] {
        assert_eq!(messages(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn what_compilers_read_differently_is_refused() {
    for (text, line) in [
        // Two halves of a token: a comment, which hides a brace.
        ("x = 1; /\\\n/ {\n}", 1),
        ("/* x *\\\n/ } /* */ x = 1;", 1),
        ("/* x *\\\n\\\n/ } /* */ x = 1;", 1),
        ("__sync\\\nthreads();", 1),
        ("x = 1;\n#def\\\r\nine row 2", 2),
        // A splice for g++ and clang only.
        ("x = 1; // y \\ \n{\n}", 1),
        ("x = \\\t\n1;", 1),
        ("/* x *\\ \n/ } /* */ x = 1;", 1),
        // The end of a line for g++ and clang only.
        ("x = 1; // \r{\n}", 1),
        ("x = 1;\n\ry = 2;", 2),
        ("x = 1;\0", 1),
        // The number goes on behind the joined lines, or with a letter that is written out.
        ("x = 1'\\\n1 { '", 1),
        ("#if 0\n1\\u00e4'{'\n#endif\nx = 1;", 2),
        ("x = 1ö'{'a';", 1),
        // Letters for some, so that a raw string begins or not.
        ("ⒶR\"(\" + \")\";", 1),
        ("x = ²;", 1),
        // What follows the body would belong to the last line.
        ("x = 1; // y \\", 1),
        ("x = 1; \\\n", 1),
        ("x = 1;\n// y \\\n", 2),
        // g++ ends the raw string with the line.
        ("#if 0\n#define A R\"(\n#endif\n)\"\n#endif\nx = 1;", 2),
        ("x = R\"12345678901234567(a)12345678901234567\";", 1),
        ("x = R\"a b(c)a b\";", 1),
        // A comment for some, a file's name for others.
        ("#if __has_include(</*>)\n#endif\nx = 1; // */", 1),
        ("#include \"a\\\"/*\"\nx = 1; // */", 1),
        ("\u{feff}x = 1;", 1),
        ("x\u{a0}= 1;", 1),
        ("\u{180e}#define row 2", 1),
    ] {
        let found = check(text);
        let first = found.iter().map(|problem| problem.line).min();
        assert_eq!(first, Some(line), "{text:?}\n{found:?}");
    }
    for text in [
        "x = 1; /* * \\\n */ // \\ y\nz = 'a';",
        "#include \"pair.cuh\" // it's here",
        "#include <a/b.h>\r\nx = \"a\\\r\nb\";\r\n",
        "f(x,\\\ny);\\\nz = 1;",
        "größe = 1; // \u{a0}",
        "x = 1e+5 + 0x1p-3 + 1'000 + 0b1'0u;",
    ] {
        assert_eq!(messages(text), Vec::<String>::new(), "{text:?}");
    }
}
