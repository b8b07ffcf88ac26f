//! The body `lower_bound` over boxes of elements: wrong forms, parameters and keys.

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: &[[f32; 3]], limit: f32, close: &mut Pairs) {
        let pair = r#" if (p.i.x - p.j.x < limit) close.push(); "#; let lower_bound = MISTAKE;
    }

    { r#" return box_distance(p.i, p.j) - limit; "# }
    { r#" box_distance(p.i, p.j) <= limit "# }
    { r#"
        box_distance(p.i, p.j) - limit
            + i - i "# }
    { r#" "# }
    { r#" limit - 1 "# }
    { r#" p.i.lo.x "#; let lower_bound = r#" 2 "# }
    { r#" p.i.lo.x "#; let feature = r#" 2 "# }
    { r#" p.i.lo.x "#; let other = 5 }
    { 5 }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: &[[f32; 3]], close: &mut Pairs) { MISTAKE }
    { let lower_bound = r#" p.i.lo.x "#; }
    { let lower_bound = r#" p.i.lo.x "#; let pairs = r#" close.push(); "#; }
    { let pair = r#" close.push(); "#; let lower_bnd = r#" p.i.lo.x "#; }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(MISTAKE, count: &mut Sum<u64>) {
        let pair = r#" count += n; "#; let lower_bound = r#" box_square(p.i, p.j) - 1 + q.i.lo "#;
    }

    { #[row] p: &[f32], #[column] other: &mut Sums<f32> }
    { #[column] p: &[f32], #[row] other: &mut Sums<f32> }
    { #[row] p: &[f32], #[column] q: &[[f32; 2]] }
    { #[row] p: &[f32], #[row] q: &[f32], #[column] r: &[f32] }
    { p: &[f32], q: &[f32] }
    { #[each] p: &[f32], #[each] q: &[f32] }
    { #[each] p: &[f16] }
    { #[each] p: &[Ball] }
    { #[each] p: &[[f32; 8]] }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(MISTAKE, count: &mut Sum<u64>) {
        let pair = r#" count += n; "#; let lower_bound = r#" sphere_distance(p.i, p.j) - 1 "#;
    }

    { #[each] p: &[f64] }
    { #[each] p: &[[f32; 3]] }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 4>) {
        let pair = r#" near.push(fabsf(p.i - p.j)); "#; let lower_bound = MISTAKE;
    }

    { r#" return box_distance(p.i, p.j); "# }
    { r#" box_distance(p.i, p.j) < 1 "# }
    { r#" 0 "# }
}

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(#[each] p: &[Ball], total: &mut Sum<f32>) {
        let pair = r#" total += p.i.x; "#; let lower_bound = r#" box_square(p.i, p.j) - p.i.hi.radius "#;
    }

    { order = 5 }
    { order = "x, y, z, w" }
    { order = "x, x" }
    { order = "x.y.z" }
    { order = "center[i]" }
    { order = "float" }
    { order = "x", deterministic = true, tile = 64 }
}

mistakes! {
    #[td_kernel(order = "x")] unsafe fn kernel(#[each] p: &[f32], total: &mut Sum<f32>) { MISTAKE }
    { let pair = r#" total += p.i; "#; let lower_bound = r#" p.i.lo - p.j.hi "#; }
    { r#" total += p.i; "# }
}

mistakes! {
    #[td_kernel(order = MISTAKE)] unsafe fn kernel(#[row] p: &[[f32; 3]], #[column] q: &[[f32; 3]], count: &mut Sum<u64>) {
        let pair = r#" count += 1; "#; let lower_bound = r#" box_distance(p, q) - 1 "#;
    }

    { "x, w" }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: &[[u32; 2]], limit: u32, count: &mut Sum<u64>) {
        let pair = r#" count += 1; "#; let lower_bound = MISTAKE;
    }

    { r#" p.i.lo.x - p.j.hi.x - limit "# }
    { r#" max(p.i.lo.x - p.j.hi.x, 7) + (n - 1u) "# }
}
