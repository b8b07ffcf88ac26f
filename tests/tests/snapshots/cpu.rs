//! The texts for the CPU.

use super::cpu;

#[test]
fn plain_loops() {
    cpu(
        "loops_distance",
        "",
        r##"unsafe fn distance(#[each] p: &Features<f32>, #[fold] sum: f32, distance: &mut Packed<f32>) { let feature = r#" float d = p.i - p.j; sum += d * d; "#; let pair = r#" distance = sqrtf(sum); "#; }"##,
    );
    cpu(
        "loops_gathered",
        "deterministic = true",
        r##"unsafe fn gathered(#[row] a: &Features<i8>, #[column] b: &Features<i8>, w: &[i32], #[fold(start = "1")] sum: i32, #[fold] last: u32, total: &mut Sum<f32>, #[row] nearest: &mut Min<(i32, u32)>, #[column] near: &mut Sum<f32>, close: &mut Pairs<i32>, out: &mut Matrix<i32>) { let feature = r#" sum += w[k] * a * b; last = k; "#; let pair = r#" total += sum; nearest.offer(sum); near += sum; if (sum < 5) close.push(last); out = sum; "#; }"##,
    );
}

#[test]
fn plain_pairs() {
    cpu(
        "pairs_edm",
        "",
        r##"unsafe fn edm(#[each] p: &[[f32; 3]], distance: &mut Packed<f32>) { r#" float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z; distance = sqrtf(x * x + y * y + z * z); "# }"##,
    );
    cpu(
        "pairs_collisions",
        "",
        r##"unsafe fn collisions(#[each] p: &[[f32; 4]], found: &mut Sum<u32>, energy: &mut Sum<f32>, close: &mut Pairs, near: &mut Pairs<f32>) { r#" float x = p.i.x - p.j.x, r = p.i.w + p.j.w; if (x * x > r * r) return; found += 1; energy += r; close.push(); near.push(x); "# }"##,
    );
    cpu(
        "pairs_forces",
        "",
        r##"unsafe fn forces(#[each] p: &[[f32; 2]], cutoff: f32, #[each] force: &mut Sum<[f32; 2]>) { r#" float x = p.i.x - p.j.x, y = p.i.y - p.j.y, d = x * x + y * y; if (d > cutoff) return; float2 f = make_float2(x / d, y / d); force.i += f; force.j -= f; "# }"##,
    );
    cpu(
        "pairs_nearest",
        "",
        r##"unsafe fn nearest(#[each] p: &[f32], nearest: &mut Pairs<Body>, #[each] near: &mut Min<(f32, u32)>) { r#" near.offer(fabsf(p.i - p.j)); if (p.i == p.j) nearest.push({}); "# }"##,
    );
    cpu(
        "pairs_square",
        "deterministic = true",
        r##"unsafe fn similar(#[each] p: &[Body], w: &[f32], similarity: &mut Square<f32>, total: &mut Sum<f32>, #[each] sum: &mut Sum<f32>) { r#" similarity = w[p.i.kind * p.j.kind]; total += similarity; sum.i += similarity; "# }"##,
    );
    cpu(
        "pairs_rectangle",
        "",
        r##"unsafe fn costs(#[row] a: &[[f32; 2]], #[column] b: &[[f32; 2]], #[column] shift: &[f32], cost: &mut Matrix<f32>, #[row] least: &mut Min<f32>, #[column] degree: &mut Sum<u32>) { r#" cost = fabsf(a.x - b.x) + fabsf(a.y - b.y) + shift; least.offer(cost); degree += cost < 1; "# }"##,
    );
}

#[test]
fn plain_neighbours() {
    cpu(
        "pairs_near",
        "",
        r##"unsafe fn near(#[each] p: &[[f32; 2]], #[each] near: &mut Nearest<f32, 4>) { r#" float x = p.i.x - p.j.x, y = p.i.y - p.j.y; near.push(fmaf(y, y, x * x)); "# }"##,
    );
    cpu(
        "pairs_near_rows",
        "",
        r##"unsafe fn near(#[row] a: &[u8], #[column] b: &[u8], #[row] near: &mut Nearest<u8, 4>) { r#" if (a <= b) near.push(b - a); "# }"##,
    );
}
