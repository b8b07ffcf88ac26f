use super::explained;

#[test]
fn wrong_uses_of_results_are_explained() {
    for (log, note) in [
        (
            "a.rs:3: error: no operator \"+=\" matches these operands: const td_ends<td_sum<float, float> &> += float",
            "a sum with `#[each]` has `.i` and `.j`: write `x.i += …` for element i",
        ),
        (
            "a.rs:3: error: class \"td_offers<td_least<float, td_float_order> &>\" has no member \"push\"",
            "a minimum or maximum with `#[each]` takes `x.offer(value)` for both elements",
        ),
        (
            "a.rs:3: error: no operator \"=\" matches these operands: td_sums<float3, td_sum<float, float>, 3U> = float3",
            "a sum takes `+=` or `-=` and a value",
        ),
        (
            "a.rs:3: error: no operator \"*=\" matches these operands\n            operand types are: td_float_sum *= const float\n   m *= p.j;",
            "a sum takes `+=` or `-=` and a value",
        ),
        (
            "a.rs:3: error: no operator \"=\" matches these operands: td_offered<float, true> = float",
            "a `Max` or `Min` takes `x.offer(value)`",
        ),
        (
            "a.rs:3: error: no operator \"[]\" matches these operands\n            operand types are: td_counts [ int ]\n   h[1] += 1;",
            "a `Histogram` takes `h.add(bin)`",
        ),
        (
            "a.rs:3:6: error: no match for 'operator[]' (operand types are 'const td_part_bins<float, double>' and 'int')",
            "a `Histogram` takes `h.add(bin)`",
        ),
        (
            "a.rs:3:6: error: 'const struct td_single<float3>' has no member named 'x'",
            "are boxes, with the least and the greatest of each member: write `p.i.lo.x`",
        ),
        (
            "a.rs:3: error: class \"td_box<float3>\" has no member \"x\"",
            "are boxes, with the least and the greatest of each member: write `p.i.lo.x`",
        ),
        (
            "a.rs:3:18: error: no matching function for call to 'periodic_distance(const td_box<float3>&, const td_box<float3>&, int)'",
            "`periodic_distance(p.i, p.j, x, y, z)` also takes the period of each coordinate",
        ),
        (
            "a.rs:3: error: no instance of function template \"box_distance\" matches the argument list",
            "distances take two boxes, as in `box_distance(p.i, p.j)`",
        ),
        (
            "a.rs:3: error: class \"td_wide<float, 5U>\" has no member \"x\"",
            "an array of more than four numbers has no members",
        ),
        (
            "a.rs:3:9: error: no 'operator++(int)' declared for postfix '++' [-fpermissive]",
            "sums and vectors do not support `++` and `--`: write `+= 1` or `-= 1`",
        ),
    ] {
        let explained = explained("f", "", log);
        assert_eq!(explained.matches("note: ").count(), 1, "{explained}");
        assert!(explained.contains(note), "{explained}");
    }
}

/// Messages of NVRTC and C++ compilers about offers that do not fit, each with the user's line below.
#[test]
fn wrong_offers_are_explained() {
    let note =
        "\nnote: `.offer(value)` takes a value of the type of its `Minima` or `Maxima`: a number";
    for log in [
        "a.rs:3: error: no suitable constructor exists to convert from \"float\" to \"float2\"\n   m.offer(1.0f);",
        "a.rs:3: error: no suitable conversion function from \"float2\" to \"float\" exists\n   m.offer(v);",
        "a.rs:3:10: error: cannot convert 'float' to 'const float2&'\n    3 | m.offer(1.0f);",
        "a.rs:3:10: error: no viable conversion from 'float' to 'const float2'\n    m.offer(1.0f);",
    ] {
        let explained = explained("f", "", log);
        assert!(explained.contains(note), "{explained}");
    }
    let log = "a.rs:3: error: no suitable constructor exists to convert from \"float\" to \"float2\"\n   f(1.0f);";
    assert!(!explained("f", "", log).contains(note));
    let log = "a.rs:3: error: too many arguments in function call\n   m.offer(x, j);";
    let explained = explained("f", "", log);
    assert!(explained.contains("takes one value; the index"), "{explained}");
}

/// Messages of NVRTC and a C++ compiler about pushes that do not fit their lists.
#[test]
fn wrong_pushes_are_explained() {
    let valued =
        "\nnote: a `Pairs<T>` lists each pair with a value of type `T`: write `x.push(value);`";
    let plain =
        "\nnote: a `Pairs` lists pairs without values: write `x.push();`, or make it a `Pairs<T>`";
    for log in [
        "a.rs:3: error: function \"td_pushed_of<T>::push() [with T=float]\" cannot be referenced -- it is a deleted function",
        "a.rs:3: error: use of deleted function 'void td_pushed_of<T>::push() [with T = float]'",
    ] {
        assert_eq!(explained("edm", "", log), format!("{log}{valued}"));
    }
    for log in [
        "a.rs:2: error: no matching function for call to 'td_pushed::push(float)'",
        "a.rs:2: error: too many arguments in function call\n   list.push(1.0f);\n             ^",
    ] {
        assert_eq!(explained("edm", "", log), format!("{log}{plain}"));
    }
    let log = "a.rs:2: error: too many arguments in function call\n   sqrtf(1, 2);\n            ^";
    assert_eq!(explained("edm", "", log), log);
}

/// Messages of NVRTC, g++ and clang about undeclared names, in a kernel with two bodies and in one with one.
#[test]
fn names_of_the_other_body_are_explained() {
    for log in [
        "a.rs:3: error: identifier \"mean\" is undefined",
        "a.rs:3:10: error: 'mean' was not declared in this scope",
        "a.rs:3:10: error: ‘mean’ was not declared in this scope",
        "a.rs:3:10: error: use of undeclared identifier 'mean'",
    ] {
        let two = explained("f", "void f_feature(", log);
        assert!(two.contains("\nnote: in a kernel over features, the body `feature`"), "{two}");
        let one = explained("f", "void f_pair(", log);
        assert!(!one.contains("the body `feature`"), "{one}");
    }
    let log = "a.rs:3: error: expected a \";\"";
    assert_eq!(explained("f", "void f_feature(", log), log);
}

/// Messages of NVRTC, g++ and clang about variables, functions and types that do not exist anywhere.
#[test]
fn undeclared_names_are_explained() {
    for log in [
        "a.rs:3: error: identifier \"CUTOFF\" is undefined",
        "a.rs:3:10: error: 'CUTOFF' was not declared in this scope",
        "a.rs:3:10: error: ‘CUTOFF’ was not declared in this scope; did you mean ‘CUT’?",
        "a.rs:3:10: error: use of undeclared identifier 'CUTOFF'",
        "a.rs:3:10: error: 'Potential' does not name a type",
        "a.rs:3:10: error: unknown type name 'Potential'",
    ] {
        let text = explained("f", "void f_pair(", log);
        let note = "\nnote: put your own functions, structs and constants into the kernel's prelude, `#[td_kernel(prelude = ";
        assert!(text.contains(note), "{text}");
        let constants = "Rust constants into `constants(CUTOFF: f32 = crate::CUTOFF)`";
        assert!(text.contains(constants), "{text}");
    }
    let log = "a.rs:3: error: expected a \";\"";
    assert_eq!(explained("f", "void f_pair(", log), log);
}

/// The note on a fold's start, once per fold.
#[test]
fn fold_starts_are_explained() {
    let note = "the start value of `low`, `#[fold(start = \"x\")]`, is not valid";
    for (source, log) in [
        ("\n    low_fold[r][c] = x;", "f.cu:2: error: x\nf.cu:2: error: no"),
        ("\n    const float low_start = x;", "f.cpp:2:28: error: 'x' was not declared"),
        ("\nstruct S {};\n#line 2\n\n  low_fold[r][c] = x;\n#line 9 \"a.rs\"", "f.cu:3: error: x"),
    ] {
        assert_eq!(explained("f", source, log).matches(note).count(), 1, "{log}");
    }
    let source = "\n    low_fold[r][c] = f(1,\n        2);";
    let told = explained("f", source, "f.cu:2: error: no");
    let note = "the start value of `low`, `#[fold(start = \"…\")]`, is not valid";
    assert!(told.contains(note), "{told}");
    let source = "\n    low_fold[r][c] = x;";
    for log in ["f.cu:2: warning: no", "f.cu:1: error: no", "a.rs:2: error: no"] {
        assert!(!explained("f", source, log).contains("`low`"), "{log}");
    }
}

#[test]
fn generated_types_are_explained() {
    let log = "src/main.rs:9: error: class \"td_each<float4>\" has no member \"k\"";
    let note = "note: a parameter with `#[each]` has the pair's two elements, `.i` and `.j`";
    assert_eq!(explained("edm", "", log), format!("{log}\n{note}"));
    assert_eq!(explained("edm", "", "src/medm.cu:3: error: no"), "src/medm.cu:3: error: no");
    let note = "note: `edm.cu` is the generated source, stored in `edm::SOURCE`";
    let log = "edm.cu:3: error: no\n";
    assert_eq!(explained("edm", "", log), format!("{log}{note}"));
}

/// NVRTC rejects `pow` of a float and a double, which g++ computes in double precision.
#[test]
fn mixed_precision_calls_are_explained() {
    let log = "a.rs:3: error: more than one instance of overloaded function \"pow\" matches the argument list:";
    let explained = explained("f", "", log);
    assert!(explained.contains("\nnote: CUDA has this function for floats"), "{explained}");
    assert!(explained.ends_with("as in `powf(x, 2.0f)`"), "{explained}");
}

#[test]
fn candidates_are_left_out() {
    let log = "a.rs:3:9: error: call of overloaded 'min(float&, int)' is ambiguous
    3 | out = min(x, 1);
m.h:8:25: note: candidate: 'float min(float, float) [with int <anonymous> = 0]'
    8 | inline float min(float a, float b)
      |              ^~~
m.h:8:25: note:   template argument deduction/substitution failed:
a.rs:4:1: error: another
    4 | another";
    let explained = explained("f", "", log);
    let [first, second] = ["    3 | out = min(x, 1);", "a.rs:4:1: error: another"];
    assert!(explained.contains(&format!("{first}\n{second}\n    4 | another")), "{explained}");
    assert!(explained.contains("as in `min(x, 1.0f)`"), "{explained}");
}

/// A kernel's source, as far as messages about it need it.
const TEXT: &str = "// A kernel.
#line 2 \"a.rs\"
inline float f(float x) { return x * scale + i; }
#line 5 \"f.cu\"

void f_pair(
    const td_each<float2> p, const float scale, float &out, float2 &both, td_near<float> &near)
{
#line 3 \"a.rs\"
    let d = 1; let mut e = d;
    out.push(scale.abs());
    out = p.i[0] + both.z;
    near.offer(scale.hypot(d));
    let mut late = scale.min(d);
#line 12 \"f.cu\"
}
";

/// Messages of clang, whose wording differs from that of NVRTC and g++ (tested in `tests/tests/compilers/mistakes.rs`).
#[test]
fn clang_errors_are_explained() {
    for (log, note) in [
        (
            "a.rs:4:8: error: member reference base type 'float' is not a structure or union",
            "assign the value to the slot: write `out = value` instead of `out.push(value)`",
        ),
        (
            "a.rs:6:22: error: member reference base type 'const float' is not a structure or union",
            "numbers do not have methods in C++: use CUDA's functions, such as `fabsf(x)` and `sqrtf(x)`",
        ),
        (
            "a.rs:7:28: error: member reference base type 'const float' is not a structure or union",
            "numbers do not have methods in C++: write CUDA's function `fminf(x, y)` instead of `x.min(…)`",
        ),
        (
            "a.rs:2:38: error: use of undeclared identifier 'scale'",
            "a prelude cannot use the kernel's parameters or indices: add a parameter for `scale`",
        ),
        ("a.rs:2:46: error: use of undeclared identifier 'i'", "a prelude cannot use"),
        ("a.rs:3:5: error: unknown type name 'let'", "this is C++"),
        ("a.rs:7:5: error: use of undeclared identifier 'late'", "this is C++"),
        ("a.rs:4:5: error: use of undeclared identifier 'columns'", "a kernel over one set"),
        (
            "a.rs:6:10: error: no member named 'offer' in 'td_near<float>'",
            "a `Nearest` takes `x.push(value)`",
        ),
        ("a.rs:4:5: error: cannot increment value of type 'td_sum<unsigned int>'", "a sum takes"),
        (
            "a.rs:4:5: error: void function 'f_pair' should not return a value",
            "a body cannot return",
        ),
        (
            "a.rs:5:14: error: type 'const float2' does not provide a subscript operator",
            "an array of 2 numbers is a vector in CUDA: a `float2` has the members `.x` and `.y`",
        ),
        ("a.rs:5:25: error: no member named 'z' in 'float2'", "an array of 2 numbers is a vector"),
        (
            "a.rs:5:9: error: invalid operands to binary expression ('float3' and 'float3')",
            "a `float3` is a vector, and CUDA does not define operators for vectors",
        ),
    ] {
        let explained = explained("f", TEXT, log);
        assert!(explained.contains(&format!("\nnote: {note}")), "{explained}");
        let others = ["your own functions", "only param"];
        assert!(!others.iter().any(|words| explained.contains(words)), "{explained}");
    }
    // The same wording about something else.
    for (log, note) in [
        ("a.rs:6:5: error: use of undeclared identifier 'scale'", "a prelude cannot"),
        ("a.rs:2:5: error: use of undeclared identifier 'nowhere'", "a prelude cannot"),
        ("a.rs:2:5: error: void function 'g' should not return a value", "a body cannot return"),
        (
            "a.rs:5:5: error: member reference base type 'float' is not a structure or union",
            "a slot",
        ),
        (
            "a.rs:5:5: error: no operator \"=\" matches these operands: td_sums<float2> = float2",
            "a `float2`",
        ),
    ] {
        let explained = explained("f", TEXT, log);
        assert!(!explained.contains(&format!("\nnote: {note}")), "{explained}");
    }
}
