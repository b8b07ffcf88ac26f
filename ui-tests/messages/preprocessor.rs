//! Bodies with directives: macros and branches must close their own brackets, and end before the body does.

#[td_kernel] unsafe fn macros(out: &mut Packed<f32>) {
    r#"
    #define OPEN {
    #define SQUARE(x) ((x) * (x)
    #undef OPEN
    #undef SQUARE
    out = 1;
    "#
}

#[td_kernel] unsafe fn branches(out: &mut Packed<f32>) {
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

#[td_kernel] unsafe fn closed_elsewhere(out: &mut Packed<f32>) {
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

#[td_kernel(prelude = r#"
    #define SCALE 3
"#)]
unsafe fn removed(out: &mut Packed<f32>) {
    r#"
    #undef INFINITY
    #undef SCALE
    out = SCALE;
    "#
}

#[td_kernel] unsafe fn continued(out: &mut Packed<f32>) {
    r#"
    out = 1; // not the end \ "#
}

#[td_kernel] unsafe fn digraphs(out: &mut Packed<f32>) {
    r#"
    out = 1;
    %>
    void other() <%
    "#
}
