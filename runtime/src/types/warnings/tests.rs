//! Tests which warnings hold, by the fields of a source's structs.

use super::{Warning, of};

const TEXT: &str = "// A kernel.

struct alignas(16) Body {
    float center[3];
    double mass;
    int kind;
    td_f16 charge;
};
static_assert(sizeof(Body) == 32);

struct Part {
    float mass;
};
";

#[test]
fn non_float_fields_suppress_the_warning() {
    let held = |floats: &'static [(&'static str, &'static str)]| {
        let warning = Warning { place: "src/main.rs:1", forms: &[("0.5f", "0.5")], floats };
        !of(&[warning], TEXT).is_empty()
    };
    assert!(held(&[]));
    assert!(held(&[("Body", "center")]));
    assert!(held(&[("Body", "charge"), ("Part", "mass")]));
    assert!(!held(&[("Body", "mass")]));
    assert!(!held(&[("Body", "kind")]));
    assert!(!held(&[("Body", "cent")]));
    assert!(!held(&[("Body", "center"), ("Body", "mass")]));
    assert!(!held(&[("Sphere", "mass")]));
}

#[test]
fn warning_names_each_form() {
    let forms = &[("0.5f", "0.5"), ("powf(x, 2.0f)", "pow(x, 2.0)")];
    let warning = Warning { place: "src/main.rs:7", forms, floats: &[] };
    assert_eq!(
        of(&[warning], TEXT),
        "src/main.rs:7: warning: this line computes floats in double precision, which is slow on a GPU: write `0.5f` instead of `0.5` and `powf(x, 2.0f)` instead of `pow(x, 2.0)`\nnote: if double precision is intended, make it explicit with a cast, `(double)x`, or a variable of type `double`"
    );
}
