//! Which warnings hold, by the fields of a text's structs.

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
fn fields_that_are_no_floats_keep_a_warning_back() {
    let held = |floats: &'static [(&'static str, &'static str)]| {
        let warning = Warning { text: "src/main.rs:1: warning: …", floats };
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
