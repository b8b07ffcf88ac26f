//! Messages about typical mistakes of Rust programmers, and about parameters used like those of another kind. NVRTC and any
//! system compiler give the same note.

use td_kernel::{Device, DeviceType, Error, PairKernel as _, nvrtc, td_kernel};

#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
struct State {
    total: f32,
}

/// The note is the only one.
#[track_caller]
fn check(name: &str, error: &Error, note: &str) {
    let log = error.compiler_log().unwrap();
    assert!(log.contains("tests/tests/compilers/mistakes.rs:"), "{name}: {error}");
    assert_eq!(log.matches(&format!("\nnote: {note}")).count(), 1, "{name}: {error}");
    // A compiler may also show where the generated source declares something.
    let notes = log.matches("\nnote: ").count() - log.matches("` is the generated source").count();
    assert_eq!(notes, 1, "{name}: {error}");
}

macro_rules! mistakes {
    ($($name:ident($($parameters:tt)*) $(= $prelude:literal)? $body:literal => $note:literal)*) => {
        $(#[td_kernel $((prelude = $prelude))?] unsafe fn $name($($parameters)*) { $body })*

        #[test]
        fn nvrtc_errors_have_notes() {
            $(
                let compiled = nvrtc::compile($name::NAME, $name::SOURCE, $name::OPTIONS, 90);
                let error = compiled.unwrap_err();
                check(stringify!($name), &error, $note);
            )*
        }

        #[test]
        fn system_compiler_errors_have_notes() {
            let device = Device::cpu().unwrap();
            $(
                let error = $name::load(&device).map(drop).unwrap_err();
                check(stringify!($name), &error, $note);
            )*
        }
    };
}

mistakes! {
    push_packed(#[each] p: &[f32], out: &mut Packed<f32>) r#"
        out.push(p.i - p.j);
    "# => "assign the value to the slot: write `out = value` instead of `out.push(value)`"
    push_square(#[each] p: &[[f32; 2]], out: &mut Square<[f32; 2]>) r#"
        out.push(p.i);
    "# => "assign the value to the slot: write `out = value` instead of `out.push(value)`"
    offer_packed(#[each] p: &[f32], out: &mut Packed<f32>) r#"
        out.offer(p.i - p.j);
    "# => "assign the value to the slot: write `out = value` instead of `out.offer(value)`"
    absolute(#[each] p: &[f32], out: &mut Packed<f32>) r#"
        out = (p.i - p.j).abs();
    "# => "numbers do not have methods in C++: write CUDA's function `fabsf(x)` instead of `x.abs(…)`"
    rooted(#[each] p: &[f32], out: &mut Packed<f32>) r#"
        out = p.i.sqrt();
    "# => "numbers do not have methods in C++: write CUDA's function `sqrtf(x)` instead of `x.sqrt(…)`"
    counted(#[row] p: &[f32], #[column] q: &[f32], out: &mut Matrix<f32>) r#"
        out = p * n + q;
    "# => "a kernel over two sets has `rows` and `columns`"
    preluded(#[each] p: &[f32], out: &mut Packed<f32>) = r#"
inline float f(float x) { return x * p.i; }
    "# r#"
        out = f(p.j);
    "# => "a prelude cannot use the kernel's parameters or indices: add a parameter for `p`"
    scaled(#[each] p: &[f32], scale: f32, out: &mut Packed<f32>) = r#"
inline float f(float x) { return x * scale; }
    "# r#"
        out = f(p.j);
    "# => "a prelude cannot use the kernel's parameters or indices: add a parameter for `scale`"
    declared(#[each] p: &[f32], out: &mut Packed<f32>) r#"
        let d = p.i - p.j;
        out = d;
    "# => "this is C++, which declares a variable with its type: write `float d = …;`"
    muted(#[each] p: &[f32], out: &mut Packed<f32>) r#"
        let mut d = p.i - p.j;
        out = d;
    "# => "this is C++, which declares a variable with its type: write `float d = …;`"
    typed(#[each] p: &[f32], out: &mut Packed<f32>) r#"
        let d: f32 = p.i - p.j;
        out = d;
    "# => "this is C++, which declares a variable with its type: write `float d = …;`"
    offer_nearest(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 4>) r#"
        near.offer(p.i - p.j);
    "# => "a `Nearest` takes `x.push(value)`"
    push_end(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 4>) r#"
        near.i.push(p.i - p.j);
    "# => "a `Nearest` takes `x.push(value)`"
    increment(#[each] p: &[f32], total: &mut Sum<u64>) r#"
        if (p.i < p.j) ++total;
    "# => "a sum takes `+=` or `-=` and a value"
    increment_each(#[each] p: &[f32], #[each] total: &mut Sums<u32>) r#"
        if (p.i < p.j) ++total.i;
    "# => "a sum takes `+=` or `-=` and a value"
    added_to_both(#[each] p: &[f32], #[each] total: &mut Sums<u32>) r#"
        if (p.i < p.j) total += 1;
    "# => "a sum with `#[each]` has `.i` and `.j`: write `x.i += …` for element i and `x.j += …` for element j"
    assigned_state(#[row] p: &[f32], #[column] q: &[f32], #[row] out: &mut Reduce<State>) = r#"
State join(State a, State b) { return {a.total + b.total}; }
    "# r#"
        out = {p + q};
    "# => "a `Reduce` takes `x.join(state)`"
    joined_to_both(#[each] p: &[f32], #[each] out: &mut Reduce<State>) = r#"
State join(State a, State b) { return {a.total + b.total}; }
    "# r#"
        out.join({p.i + p.j});
    "# => "a sum with `#[each]` has `.i` and `.j`: write `x.i += …` for element i and `x.j += …` for element j; so has a `Reduce`"
    redeclared(#[each] p: &[f32], out: &mut Packed<f32>) r#"
        int i = 3;
        out = p.i * i;
    "# => "a body cannot declare a variable with the name of a parameter, or named `i`, `j`"
    returned(#[each] p: &[f32], out: &mut Packed<f32>) r#"
        return p.i - p.j;
        out = 1;
    "# => "a body cannot return a value: assign it to an output, as in `out = value;`"
    indexed(#[each] pos: &[[f32; 2]], out: &mut Packed<f32>) r#"
        out = pos.i[0] - pos.j[0];
    "# => "an array of 2 numbers is a vector in CUDA: a `float2` has the members `.x` and `.y` and cannot be indexed"
    third(#[each] pos: &[[f32; 2]], out: &mut Packed<f32>) r#"
        out = pos.i.z;
    "# => "an array of 2 numbers is a vector in CUDA: a `float2` has the members `.x` and `.y` and cannot be indexed"
    vectors(#[each] p: &[[f32; 3]], out: &mut Packed<f32>) r#"
        float3 d = p.i - p.j;
        out = d.x;
    "# => "a `float3` is a vector, and CUDA does not define operators for vectors: compute each component"
    scaled_vector(#[each] p: &[[f32; 3]], out: &mut Packed<f32>) r#"
        float3 d = 2.0f * p.i;
        out = d.x;
    "# => "a `float3` is a vector, and CUDA does not define operators for vectors: compute each component"
    added(#[each] p: &[[f32; 3]], out: &mut Packed<[f32; 3]>) r#"
        out += p.i;
    "# => "a `float3` is a vector, and CUDA does not define operators for vectors: compute each component"
}

// A body and a prelude that begin beside their `r#"`.
#[rustfmt::skip]
#[td_kernel]
unsafe fn beside(#[each] p: &[f32], out: &mut Packed<f32>) { r#" out = nowhere(p.i); "# }

#[rustfmt::skip]
#[td_kernel(prelude = r##"inline float f(float x) { return nowhere(x); }"##)]
unsafe fn prelude_beside(#[each] p: &[f32], out: &mut Packed<f32>) {
    r#"
    out = f(p.i);
    "#
}

#[td_kernel]
unsafe fn near_beside(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 2>) {
    r#"near.push(nowhere(p.i)); "#
}

/// Lines and columns are those of the user's file, also in the GPU source.
#[test]
fn columns_match_the_file() {
    let device = Device::cpu().unwrap();
    let errors = [
        beside::load(&device).map(drop).unwrap_err(),
        prelude_beside::load(&device).map(drop).unwrap_err(),
        near_beside::load(&device).map(drop).unwrap_err(),
    ];
    let lines = include_str!("mistakes.rs").lines().enumerate();
    let places = lines.filter_map(|(at, line)| Some((at + 1, line.find("nowhere(")? + 1)));
    for (error, (line, column)) in errors.iter().zip(places) {
        let log = error.compiler_log().unwrap();
        let place = format!("tests/tests/compilers/mistakes.rs:{line}:{column}: error: ");
        assert!(log.contains(&place), "{place} in {error}");
    }
}
