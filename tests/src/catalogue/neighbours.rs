//! Nearest neighbours of every type and number, in every sweep and tile, and in near tiles.

use td_kernel::Nearest;
use td_kernel::half::{bf16, f16};

use super::entries;
use super::oracle::Body;

entries! {
    #[td_kernel(tile = 32)]
    unsafe fn nearest_halves(#[each] x: &[f16], #[each] near: &mut Nearest<f16, 1>) { r#" near.push(x.i - x.j); "# }
    DIFFERENCE;

    #[td_kernel(tile = 96)]
    unsafe fn nearest_brain_floats(#[each] x: &[f32], #[each] near: &mut Nearest<bf16, 33>) { r#" near.push(x.i - x.j); "# }
    DIFFERENCE;

    #[td_kernel(tile = 0, diagonal = true)]
    unsafe fn nearest_bytes(#[each] x: &[i32], #[each] near: &mut Nearest<i8, 5>) { r#" near.push(x.i - x.j); "# }
    DIFFERENCE;

    #[td_kernel(block = 8)]
    unsafe fn nearest_shorts(#[each] x: &[i32], #[each] near: &mut Nearest<i16>) { r#" near.push(x.i - x.j); "# }
    DIFFERENCE;

    #[td_kernel(tile = 32, diagonal = true)]
    unsafe fn nearest_of_all(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 256>) { r#" near.push(x.i - x.j); "# }
    DIFFERENCE;

    #[td_kernel]
    unsafe fn nearest_of_several_pushes(#[each] x: &[f32], #[each] near: &mut Nearest<u8, 3>) {
        r#"
        const float d = fabsf(x.i - x.j);
        if (d > 9)
            return;
        near.push(d + 1);
        near.push(d);
        near.push(d + 2);
        "#
    }
    |o| {
        let d = (o.row("x") - o.col("x")).abs();
        if d <= 9.0 {
            o.put("near", d);
        }
    };

    // Each pair is nearer than earlier ones.
    #[td_kernel(tile = 32)]
    unsafe fn nearest_in_the_worst_order(#[each] near: &mut Nearest<u32, 33>) { r#" near.push(5000 - i - j); "# }
    |o| {
        let value = 5000.0 - (o.i + o.j) as f64;
        o.put("near", value);
    };

    #[td_kernel(tile = 32)]
    unsafe fn nearest_column_in_turns(#[row] a: &[i32], #[column] b: &[i32], #[row] near: &mut Nearest<u16>) {
        r#" near.push(i % 2 ? abs(a - b) : 60000 - j); "#
    }
    |o| {
        let (d, late) = ((o.row("a") - o.col("b")).abs(), 60_000.0 - o.j as f64);
        o.put_row("near", if o.i % 2 == 1 { d } else { late });
    };

    #[td_kernel(block = 16)]
    unsafe fn nearest_column_by_blocks(#[row] a: &[i32], #[column] b: &[i32], #[row] near: &mut Nearest<i32, 100>) {
        r#" near.push(a - b); "#
    }
    |o| {
        let d = o.row("a") - o.col("b");
        o.put_row("near", d);
    };

    #[td_kernel(order = "z, y, x")]
    unsafe fn nearest_in_a_cell(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32>) {
        let pair = r#"
        const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, wrapped = x - 7 * rintf(x / 7);
        near.push(wrapped * wrapped + y * y + z * z);
        "#;
        let lower_bound = r#" periodic_square(p.i, p.j, 1.0f / 0.0f, 1.0f / 0.0f, 7) "#;
    }
    |o| {
        let square = cell_square(o, "p", "p");
        o.put("near", square);
    };

    #[td_kernel(diagonal = true)]
    unsafe fn nearest_numbers(#[each] x: &[i32], #[each] group: &[u8], #[each] near: &mut Nearest<u16, 40>) {
        let pair = r#" if (group.i != group.j) near.push(abs(x.i - x.j)); "#;
        let lower_bound = r#" max(x.i.lo - x.j.hi, x.j.lo - x.i.hi) "#;
    }
    |o| {
        if o.row("group").max(0.0) != o.col("group").max(0.0) {
            o.put("near", (o.row("x") - o.col("x")).abs());
        }
    };

    #[td_kernel]
    unsafe fn nearest_column_in_a_cell(#[row] a: &[[f32; 3]], #[column] b: &[[f32; 3]], #[row] near: &mut Nearest<f32, 33>) {
        let pair = r#"
        const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, wrapped = x - 7 * rintf(x / 7);
        near.push(wrapped * wrapped + y * y + z * z);
        "#;
        let lower_bound = r#" periodic_square(a, b, 7, 1.0f / 0.0f, 1.0f / 0.0f) "#;
    }
    |o| {
        let square = cell_square(o, "a", "b");
        o.put_row("near", square);
    };
}

const DIFFERENCE: fn(&mut Body<'_>) = |o| {
    let d = o.row("x") - o.col("x");
    o.put("near", d);
};

/// The square of a distance in a cell that repeats along x.
fn cell_square(o: &Body<'_>, rows: &str, columns: &str) -> f64 {
    let (p, q) = (o.rows(rows), o.cols(columns));
    let [x, y, z] = [0, 1, 2].map(|d| p[d] - q[d]);
    (x - 7.0 * (x / 7.0).round_ties_even()).powi(2) + y * y + z * z
}
