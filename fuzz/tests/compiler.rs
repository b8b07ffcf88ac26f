//! Bodies before a real compiler: what is accepted stays in its function there, and what is refused
//! would have left it.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use td_kernel_fuzz::{body, corpus, cpp};

/// Runs the C++ compiler on a text.
fn compiler(options: &[&str], text: &str) -> Output {
    let program = std::env::var("CXX").ok().filter(|name| !name.trim().is_empty());
    let folder = tempfile::tempdir().unwrap();
    let mut compiler = Command::new(program.as_deref().unwrap_or("c++"))
        .args(["-std=c++17", "-w", "-x", "c++"])
        .args(options)
        .arg("-")
        // No file that a text includes is in an empty folder.
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = compiler.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = compiler.wait_with_output().unwrap();
    // A compiler that has read enough closes its end.
    let _ = writer.join().unwrap();
    output
}

/// The body between two `#line`s, as in a kernel, and what is around it.
fn around(before: &str, body: &str, after: &str) -> String {
    let end_of_line = if body.ends_with('\n') { "" } else { "\n" };
    format!(
        "{before}{{\n#line 1 \"pair.cu\"\n{body}{end_of_line}#line 100 \"kernel.cu\"\n{after}}}\n"
    )
}

/// Whether a compiler reads the whole body inside its function: a variable of the function's first
/// line is there on its last.
fn stays(body: &str) -> bool {
    let text =
        around("void f(int i, int j, int d) ", &format!("int marker;\n{body}"), "marker = 1;\n");
    compiler(&["-fsyntax-only"], &text).status.success()
}

#[test]
fn accepted_bodies_are_one_block_after_the_preprocessor() {
    let (mut read, mut refused) = (0, 0);
    for (name, data) in corpus("body").unwrap() {
        let text = String::from_utf8_lossy(&data);
        if body::generated(&text).is_none() {
            refused += 1;
            continue;
        }
        let output = compiler(&["-E", "-P"], &around("", &text, ""));
        let text = String::from_utf8_lossy(&output.stdout);
        // What the preprocessor refuses, nobody runs. In numbers g++ spells letters out, `\U000000f6`,
        // with which they are none any more.
        if output.status.success() && !text.contains("\\U") {
            read += 1;
            assert!(cpp::is_one_block(&text), "{name}:\n{text}");
        }
    }
    println!("{read} read, {refused} refused");
    assert!(read > 10 && refused > 10, "{read} read, {refused} refused");
}

#[test]
fn ordinary_bodies_are_accepted_and_compile() {
    for text in [
        "d = i - j;",
        "if (i > 3) { return; }\n// a } in a comment\n/* { */ d = '}';",
        "const char *s = \"}\\\"}\"; d = 1'000'000 + int(0x1.8p+3);",
        "// continued \\\n } still a comment\nd = 1;",
        "for (;;) <% break; %>",
        "int x<:2:> = <% i, j %>;\n%:define X(a) x<:a:>\nd = X(1);\n%:undef X",
        "#define LOOP(x) \\\n    for (;;) { \\\n        x; \\\n    }\nLOOP({ break; })\n#undef LOOP",
        "#if 0\nd = {;}\n#elif 1\nif (i) { d = 1; }\n#else\n{ d = 2; }\n#endif",
        "#if __has_include(<no/such.h>)\n#include <no/such.h>\n#endif\nd = 1;",
        "auto f = [&](int x) { return x + i; }; d = f(j);\r\n",
        "#line 7 \"other.cu\"\nd = __LINE__;",
        "auto s = R\"a(})\" })a\"; auto t = u8R\"(\n})\";",
    ] {
        assert!(body::generated(text).is_some(), "refused: {text}");
        assert!(stays(text), "{text}");
    }
}

#[test]
fn bodies_that_leave_their_function_are_refused() {
    // Each closes the function, and most open another one, so that the braces look balanced.
    for text in [
        "d = 1;\n}\nvoid g() {",
        "d = 1; %> void g() <%",
        "/\\\n/ {\n} void g() { /\\\n/ }",
        "d = 1; /* *\\\n/ } void g() { /* */",
        "#if 0\n{\n#endif\n} void g() {\n#if 0\n}\n#endif",
        "#ifdef __cplusplus\n} void g() {\n#else\n{ }\n#endif",
        "#define O {\n#define C }\nC void g() O\n#undef O\n#undef C",
        "%:define O <%\n%:define C %>\nC void g() O\n#undef O\n#undef C",
        "#define DROP(x)\nDROP({) } void g() { DROP(})\n#undef DROP",
        "#define SECOND(x, y) y\nSECOND({, }) void g() SECOND(}, {)\n#undef SECOND",
        "#define P(a, b) a##b\nP(%,>) void g() P(<,%)\n#undef P",
    ] {
        assert_eq!(body::generated(text), None, "{text}");
        assert!(cpp::leaves(text).is_some(), "{text}");
        assert!(!stays(text), "{text}");
    }
}

#[test]
fn bodies_that_change_what_follows_them_are_refused() {
    // `marker` stands for a name of the kernel's own text.
    for text in [
        "#define marker 2",
        "%:define marker 2",
        "#define marker 2\n#if 0\n#undef marker\n#endif",
        "#define marker 2\n#pragma push_macro(\"marker\")\n#undef marker\n#pragma pop_macro(\"marker\")",
        "#define marker 2\n_Pragma(\"push_macro(\\\"marker\\\")\")\n#undef marker\n_Pragma(\"pop_macro(\\\"marker\\\")\")",
        "d = 1; \\",
        "#if 0",
        "#endif",
    ] {
        assert_eq!(body::generated(text), None, "{text}");
        assert!(cpp::leaves(text).is_some(), "{text}");
        assert!(!stays(text), "{text}");
    }
}
