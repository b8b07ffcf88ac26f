//! Slots of different sizes together, and beside large elements. These decide how the threads of a block share a tile.

use td_kernel::{Histogram, Max, Min, Packed, Pairs, Square, Sum};

use super::entries;

entries! {
    #[td_kernel]
    unsafe fn bytes_of_large(#[each] p: &[[f32; 4]], out: &mut Packed<[u8; 3]>, count: &mut Sum<u32>, far: &mut Max<f32>) {
        r#" out = make_uchar3(8 + p.i.x, 8 + p.j.y, 16 + p.i.x + p.j.w); count += 1; far.offer(p.i.z); "#
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        o.put("out", [8.0 + p[0], 8.0 + q[1], 16.0 + p[0] + q[3]]);
        o.put("count", 1.0);
        o.put("far", p[2]);
    };

    #[td_kernel]
    unsafe fn three_squares(
        #[each] x: &[f32], a: &mut Square<[u8; 3]>, b: &mut Square<[u8; 3]>, c: &mut Square<[u8; 3]>, count: &mut Sum<u32>
    ) {
        r#"
        a = make_uchar3(8 + x.i, 8 + x.j, 1);
        b = make_uchar3(8 + x.j, 8 + x.i, 2);
        c = make_uchar3(16 + x.i + x.j, 0, 3);
        count += 1;
        "#
    }
    |o| {
        let (x, y) = (8.0 + o.row("x"), 8.0 + o.col("x"));
        o.put("a", [x, y, 1.0]);
        o.put("b", [y, x, 2.0]);
        o.put("c", [x + y, 0.0, 3.0]);
        o.put("count", 1.0);
    };

    #[td_kernel]
    unsafe fn two_squares(#[each] x: &[f32], a: &mut Square<[i16; 3]>, b: &mut Square<[i16; 3]>, count: &mut Sum<u32>) {
        r#" a = make_short3(x.i, x.j, 1); b = make_short3(x.j, x.i, 2); count += 1; "#
    }
    |o| {
        let (x, y) = (o.row("x"), o.col("x"));
        o.put("a", [x, y, 1.0]);
        o.put("b", [y, x, 2.0]);
        o.put("count", 1.0);
    };

    #[td_kernel]
    unsafe fn one_square(#[each] x: &[f32], out: &mut Square<[u8; 3]>, near: &mut Min<f64>, bins: &mut Histogram<f32>) {
        r#" out = make_uchar3(8 + x.i, 8 + x.j, 16 + x.i + x.j); near.offer(x.i); bins.add(x.j, x.i); "#
    }
    |o| {
        let (x, y) = (8.0 + o.row("x"), 8.0 + o.col("x"));
        o.put("out", [x, y, x + y]);
        o.put("near", x - 8.0);
        o.put("bins", [y - 8.0, x - 8.0]);
    };

    #[td_kernel]
    unsafe fn mixed(#[each] x: &[f32], a: &mut Packed<u8>, b: &mut Packed<[f32; 4]>, c: &mut Packed<[f64; 4]>, count: &mut Sum<u32>) {
        r#"
        a = 8 + x.i;
        b = make_float4(x.i, x.j, 1, 2);
        c.x = x.i / 3.0; c.y = x.j; c.z = 3; c.w = 4;
        count += 1;
        "#
    }
    |o| {
        let (x, y) = (o.row("x"), o.col("x"));
        o.put("a", 8.0 + x);
        o.put("b", [x, y, 1.0, 2.0]);
        o.put("c", [x / 3.0, y, 3.0, 4.0]);
        o.put("count", 1.0);
    };

    // Two mirrored tiles do not fit a block's shared memory with elements of 256 bytes.
    #[td_kernel]
    unsafe fn large_rows(#[each] p: &[[f32; 64]], a: &mut Packed<[f32; 4]>, b: &mut Square<[f32; 4]>) {
        r#"
        a = make_float4(p.i[0], p.j[63], 0, 1);
        b = make_float4(p.i[63], p.j[0], 2, 3);
        "#
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        o.put("a", [p[0], q[63], 0.0, 1.0]);
        o.put("b", [p[63], q[0], 2.0, 3.0]);
    };

    // Nor does one, of 32 bytes.
    #[td_kernel]
    unsafe fn large_list(#[each] p: &[[f32; 64]], a: &mut Square<[f64; 4]>, list: &mut Pairs<f32>) {
        r#"
        a.x = p.i[0]; a.y = p.j[63]; a.z = 2; a.w = 3;
        list.push(p.i[1]);
        "#
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        o.put("a", [p[0], q[63], 2.0, 3.0]);
        o.put("list", p[1]);
    };

    // One of 32 rows does, and none of 64.
    #[td_kernel]
    unsafe fn small_list(#[each] p: &[[f32; 64]], a: &mut Square<f32>, list: &mut Pairs<f32>) {
        r#" a = p.i[0] + p.j[63]; list.push(p.i[1]); "#
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        o.put("a", p[0] + q[63]);
        o.put("list", p[1]);
    };
}
