//! Kernels that look for nearest neighbours: each type, number of neighbours, sweep and tile, of one set and of two.

use rayon::prelude::*;
use td_kernel_tests::sources;

use super::{by_turns, compiles_for};

/// Keys, and an item.
fn items() -> Vec<(&'static str, String)> {
    let mut items = Vec::new();
    for number in ["f32", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32"] {
        items.push(("", format!("unsafe fn near(#[each] x: &[f32], #[each] near: &mut Nearest<{number}, 10>) {{ r#\" near.push(x.i - x.j); \"# }}")));
        items.push(("", format!("unsafe fn near(#[row] x: &[f32], #[column] y: &[u8], #[row] near: &mut Nearest<{number}, 33>) {{ r#\" if (x != y) near.push(x - y); \"# }}")));
    }
    for count in [1, 10, 32, 33, 100, 256] {
        items.push(("diagonal = true", format!("unsafe fn near(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, {count}>) {{ r#\" float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z; near.push(dx * dx + dy * dy + dz * dz); \"# }}")));
    }
    for keys in
        ["tile = 32", "tile = 64", "tile = 96", "tile = 256", "tile = 0", "block = 8", "block = 32"]
    {
        items.push((keys, "unsafe fn near(#[each] p: &[[f64; 4]], #[each] near: &mut Nearest<f32, 10>) { r#\" near.push(p.i.x - p.j.w); near.push(i); \"# }".into()));
        items.push((keys, "unsafe fn near(#[row] a: &[u32], #[row] near: &mut Nearest<u32, 7>) { r#\" near.push(a ^ j); \"# }".into()));
    }
    for keys in ["", "tile = 64", "tile = 32"] {
        items.push((keys, "unsafe fn near(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Nearest<f32, 10>) { let feature = r#\" float d = p.i - p.j; sum += d * d; \"#; let pair = r#\" near.push(sum); \"#; }".into()));
        items.push((keys, "unsafe fn near(#[each] p: &Features<[i8; 4]>, #[fold] sum: i32, #[each] near: &mut Nearest<i32, 100>) { let feature = r#\" sum = __dp4a(p.i, p.j, sum); \"#; let pair = r#\" near.push(-sum); \"#; }".into()));
        items.push((keys, "unsafe fn near(#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[column] norm: &[f32], #[fold] dot: f32, #[row] near: &mut Nearest<f32, 10>) { let feature = r#\" dot += p * q; \"#; let pair = r#\" near.push(norm - 2 * dot); \"#; }".into()));
        items.push((keys, "unsafe fn near(#[each] p: &Features<f64>, #[fold] sum: f64, #[each] near: &mut Nearest<f32, 10>) { let feature = r#\" double d = p.i - p.j; sum += d * d; \"#; let pair = r#\" near.push((float)sum); \"#; }".into()));
    }
    items
}

/// Without a warning, and so without a spilled register: every text for Hopper, and others by turns.
#[test]
fn every_kernel_of_nearest_neighbours_compiles() {
    items().par_iter().enumerate().for_each(|(turn, (keys, item))| {
        for (at, each) in sources(keys, item).iter().enumerate() {
            compiles_for(&format!("{keys}: {item}"), &each.whole, &by_turns(turn + at));
        }
    });
}
