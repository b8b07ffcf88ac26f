//! Bodies with directives: they stay inside their function whatever the preprocessor takes of them.

use td_kernel::td_kernel;

#[td_kernel]
unsafe fn macros(out: &mut Packed<f32>) {
    r#"
    #define OPEN {
    #define JOIN(a, b) a##b
    #define LEFT (
    #undef OPEN
    #undef JOIN
    #undef LEFT
    out = 1;
    "#
}

#[td_kernel]
unsafe fn macros_that_come_back(out: &mut Packed<f32>) {
    r#"
    #pragma push_macro("row")
    _Pragma("pop_macro(\"row\")")
    out = 1;
    "#
}

#[td_kernel]
unsafe fn branches(out: &mut Packed<f32>) {
    r#"
    #ifdef FAST
    if (i > 3) {
    #else
    #endif
        out = (1;
    }
    #endif
    "#
}

#[td_kernel]
unsafe fn closed_elsewhere(out: &mut Packed<f32>) {
    r#"
    {
    #ifdef FAST
    }
    #endif
    }
    {
    #define CLOSE }
    #undef CLOSE
    }
    out = 1);
    #ifdef SLOW
    "#
}

#[td_kernel]
unsafe fn names_of_files(out: &mut Packed<f32>) {
    r#"
    #include "a/*b.h"
    #define TEXT R"(
    )"
    #undef TEXT
    out = 1;
    "#
}

fn main() {}
