//! Rows of features.

use super::host::Rows;

/// Numbers from -0.5 to 0.5.
fn numbers(seed: usize) -> impl Iterator<Item = f32> {
    let mut state = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32 - 0.5
    })
}

pub(super) fn uniform(seed: usize, count: usize, width: usize) -> Rows {
    Rows { values: numbers(seed).take(count * width).collect(), width }
}

/// Every third row is of a kind that is hard to multiply; the others are uniform.
pub(super) fn hard(count: usize, width: usize) -> Rows {
    let mut rows = uniform(3, count, width);
    let [least, greatest] = [2.0_f32.powi(-50), 2.0_f32.powi(50)];
    let change = |row: &mut [f32], of: &dyn Fn(usize, f32) -> f32| {
        row.iter_mut().enumerate().for_each(|(k, x)| *x = of(k, *x));
    };
    let by = |row: &mut [f32], scale: f32| change(row, &|_, x| x * scale);
    for (at, row) in rows.values.chunks_mut(width).enumerate().filter(|(at, _)| at % 3 == 0) {
        let last = width - 1;
        let put = |row: &mut [f32], number: f32| row[at % width] = number;
        match at / 3 % 22 {
            0 => row.fill(0.0),
            1 => row.fill(-0.0),
            2 => by(row, 1e-40),
            3 => by(row, 1e-30),
            4 => by(row, 1e30),
            5 => put(row, f32::INFINITY),
            6 => {
                row[0] = f32::INFINITY;
                row[last] = f32::NEG_INFINITY;
            }
            7 => put(row, f32::NAN),
            8..=11 => {
                by(row, least);
                put(row, [least, least.next_down(), -least, -least.next_down()][at / 3 % 22 - 8]);
            }
            12 => put(row, greatest),
            13 => put(row, greatest.next_up()),
            14 => by(row, greatest),
            15 => change(row, &|_, x| 1e3 + x / 100.0),
            // Near duplicates of each other, and of each other's negatives.
            16 => change(row, &|k, x| (k % 9) as f32 / 3.0 + x * 1e-6),
            17 => change(row, &|k, x| (k % 9) as f32 / -3.0 - x * 1e-6),
            // Products that cancel with those of rows of a constant.
            18 => change(row, &|k, x| if k % 2 == 0 { 0.7 } else { x * 1e-6 - 0.7 }),
            19 => row.fill(1.0 / 3.0),
            20 => put(row, 1e6),
            // All numbers but one are too small to be seen beside it.
            _ => {
                by(row, 1e-44);
                put(row, 1.0);
            }
        }
    }
    rows
}

/// Rows of which tensor cores lose most: all products have the same sign, and large ones are beside tiny ones, also such that are
/// subnormal as 16-bit floats, which tensor cores align like the least normal one.
pub(super) fn worst(width: usize) -> Rows {
    let ulp = |bits: i32| 2.0_f32.powi(-bits);
    let kinds: [&dyn Fn(usize) -> f32; 21] = [
        &|_| 2.0 - ulp(23),
        &|_| 1.0 + ulp(11) + ulp(22),
        &|_| 1.0 + ulp(12) - ulp(23),
        &|k| if k == 0 { 1.0 } else { ulp(12) * (2.0 - ulp(23)) },
        &|k| if k % 32 == 0 { 1.0 } else { ulp(12) * (2.0 - ulp(23)) },
        &|k| if k % 16 == 15 { 1.999 } else { ulp(10) * 1.999 },
        &|k| if k % 32 == 31 { 1.5 } else { ulp(13) * (1.0 + ulp(11)) },
        &|k| ulp(k as i32 % 16),
        &|k| ulp(15 - k as i32 % 16) * (2.0 - ulp(12)),
        &|k| ulp(k as i32 % 24) * (1.0 + ulp(13)),
        &|k| ulp(k as i32 / 7 % 12) * 1.9993,
        &|k| if k % 2 == 0 { 1.0 + ulp(23) } else { -1.0 },
        &|k| if k % 64 < 32 { 1.7 } else { ulp(9) / 3.0 },
        &|k| numbers(k + 1).next().unwrap_or_default().abs() + 0.5,
        // Subnormal as `f16`: two beside zeros, alone, and beside normal ones.
        &|k| if k < 2 { ulp(24) } else { 0.0 },
        &|k| [0.147_949_22, 0.000_289_201_74, 0.0][k.min(2)],
        &|k| ulp(24) * (1 + k * 7 % 1023) as f32,
        &|k| if k % 16 == 3 { 1.0 } else { ulp(24) * (1 + k * 7 % 1023) as f32 },
        &|k| if k % 8 == 0 { 60_000.0 } else { ulp(24) * (1 + k % 5) as f32 },
        // Subnormal as `bf16`.
        &|k| if k % 8 == 1 { ulp(40) } else { ulp(133) * (1 + k % 127) as f32 },
        &|k| ulp(133) * (1 + k % 127) as f32,
    ];
    let values = kinds.iter().flat_map(|kind| (0..width).map(kind)).collect();
    Rows { values, width }
}
