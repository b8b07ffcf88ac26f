//! Values of every size and alignment, which pass through kernels unchanged: elements, a raw slice's, slots and lists.

use td_kernel::half::{bf16, f16};
use td_kernel::{DeviceType, Matrix, Packed, Pairs, Square, Sum};

use super::oracle::{Body, Row};
use super::value::Value;
use super::{Entry, entries};

/// Structs of integers, whose negative numbers have bits in all bytes, by alignment.
macro_rules! structs {
    ($($name:ident: align $align:tt, [$word:ident; $count:tt];)*) => {$(
        #[derive(Clone, Copy, Debug, DeviceType)]
        #[repr(C, align($align))]
        pub(crate) struct $name {
            words: [$word; $count],
        }

        impl Value for $name {
            const WIDTH: usize = $count;
            const MOST: f64 = f64::NAN;
            const LEAST: f64 = f64::NAN;

            fn from_numbers(numbers: &[f64]) -> Self {
                Self { words: std::array::from_fn(|at| $word::from_numbers(&numbers[at..])) }
            }

            fn numbers(self) -> Row {
                self.words.into_iter().flat_map(Value::numbers).collect()
            }
        }
    )*};
}

structs! {
    A1S1: align 1, [i8; 1];
    A1S6: align 1, [i8; 6];
    A1S16: align 1, [i8; 16];
    A2S6: align 2, [i16; 3];
    A2S40: align 2, [i16; 20];
    Halves: align 2, [f16; 5];
    A4S8: align 4, [i32; 2];
    A4S12: align 4, [i32; 3];
    A4S20: align 4, [i32; 5];
    A4S24: align 4, [i32; 6];
    A8S24: align 8, [i64; 3];
    A8S48: align 8, [i64; 6];
    A16S16: align 16, [i8; 16];
    A16S48: align 16, [i64; 6];
    A16S64: align 16, [i64; 8];
    A32S32: align 32, [i32; 8];
    A32S64: align 32, [i8; 64];
}

/// The numbers that every body here chooses for a pair.
fn chosen(o: &Body<'_>, [row, column]: [&str; 2]) -> Row {
    match (o.i + o.j) % 3 {
        0 => o.rows(row),
        1 => o.cols(column),
        _ => {
            let pool = o.all("pool");
            let width = pool.len() / 7;
            pool[(37 * o.i + o.j) % 7 * width..][..width].into()
        }
    }
}

/// Kernels of each kind for these types.
macro_rules! kernels {
    ($($kind:ident { $($name:ident: $type:ty,)* })*) => {
        $($kind! { $($name: $type,)* })*

        /// The kernels of every type.
        pub(super) const ENTRIES: &[&[Entry]] = &[$($kind::ENTRIES),*];
    };
}

/// A module with a kernel for each type.
macro_rules! module {
    ($kind:ident { $($kernels:tt)* }) => {
        mod $kind {
            #[allow(clippy::wildcard_imports)]
            use super::*;

            entries! { $($kernels)* }
        }
    };
}

macro_rules! packed {
    ($($name:ident: $type:ty,)*) => {module! { packed {$(
        #[td_kernel]
        unsafe fn $name(#[each] x: &[$type], pool: &[$type], out: &mut Packed<$type>) { include_str!("chosen.cu") }
        |o| {
            let value = chosen(o, ["x"; 2]);
            o.put("out", value);
        };
    )*}}};
}

macro_rules! square {
    ($($name:ident: $type:ty,)*) => {module! { square {$(
        #[td_kernel]
        unsafe fn $name(#[each] x: &[$type], pool: &[$type], out: &mut Square<$type>) { include_str!("chosen.cu") }
        |o| {
            let value = chosen(o, ["x"; 2]);
            o.put("out", value);
        };
    )*}}};
}

// Each pair is visited once.
macro_rules! mirror {
    ($($name:ident: $type:ty,)*) => {module! { mirror {$(
        #[td_kernel(tile = 32)]
        unsafe fn $name(#[each] x: &[$type], pool: &[$type], out: &mut Square<$type>, count: &mut Sum<u32>) {
            r#"
            out = (i + j) % 3 == 0 ? x.i : (i + j) % 3 == 1 ? x.j : pool[(37 * i + j) % pool_length];
            count += 1;
            "#
        }
        |o| {
            let value = chosen(o, ["x"; 2]);
            o.put("out", value);
            o.put("count", 1.0);
        };
    )*}}};
}

macro_rules! rows {
    ($($name:ident: $type:ty,)*) => {module! { rows {$(
        #[td_kernel(tile = 32, diagonal = true)]
        unsafe fn $name(#[each] x: &[$type], pool: &[$type], out: &mut Packed<$type>, list: &mut Pairs<$type>) {
            r#"
            out = (i + j) % 3 == 0 ? x.i : (i + j) % 3 == 1 ? x.j : pool[(37 * i + j) % pool_length];
            if ((3 * i + j) % 4 == 0)
                list.push(out);
            "#
        }
        |o| {
            let value = chosen(o, ["x"; 2]);
            o.put("out", value.clone());
            if (3 * o.i + o.j) % 4 == 0 {
                o.put("list", value);
            }
        };
    )*}}};
}

// One thread for each pair, and every output at once.
macro_rules! classic {
    ($($name:ident: $type:ty,)*) => {module! { classic {$(
        #[td_kernel(block = 8)]
        unsafe fn $name(
            #[each] x: &[$type], pool: &[$type], out: &mut Packed<$type>, both: &mut Square<$type>, list: &mut Pairs<$type>,
        ) {
            r#"
            out = (i + j) % 3 == 0 ? x.i : (i + j) % 3 == 1 ? x.j : pool[(37 * i + j) % pool_length];
            both = out;
            list.push(out);
            "#
        }
        |o| {
            let value = chosen(o, ["x"; 2]);
            o.put("out", value.clone());
            o.put("both", value.clone());
            o.put("list", value);
        };
    )*}}};
}

macro_rules! listed {
    ($($name:ident: $type:ty,)*) => {module! { listed {$(
        #[td_kernel]
        unsafe fn $name(#[each] x: &[$type], pool: &[$type], list: &mut Pairs<$type>) {
            r#"
            if ((3 * i + j) % 4 == 0)
                list.push((i + j) % 3 == 0 ? x.i : (i + j) % 3 == 1 ? x.j : pool[(37 * i + j) % pool_length]);
            "#
        }
        |o| {
            let value = chosen(o, ["x"; 2]);
            if (3 * o.i + o.j) % 4 == 0 {
                o.put("list", value);
            }
        };
    )*}}};
}

macro_rules! two {
    ($($name:ident: $type:ty,)*) => {module! { two {$(
        #[td_kernel]
        unsafe fn $name(#[row] x: &[$type], #[column] y: &[$type], pool: &[$type], out: &mut Matrix<$type>, list: &mut Pairs<$type>) {
            r#"
            out = (i + j) % 3 == 0 ? x : (i + j) % 3 == 1 ? y : pool[(37 * i + j) % pool_length];
            if ((3 * i + j) % 4 == 0)
                list.push(out);
            "#
        }
        |o| {
            let value = chosen(o, ["x", "y"]);
            o.put("out", value.clone());
            if (3 * o.i + o.j) % 4 == 0 {
                o.put("list", value);
            }
        };
    )*}}};
}

kernels! {
    packed {
        p_u8: u8, p_u8_3: [u8; 3], p_i16: i16, p_f16_2: [f16; 2], p_f32: f32, p_f32_3: [f32; 3], p_f32_4: [f32; 4], p_u64: u64,
        p_i8: i8, p_i8_2: [i8; 2], p_i16_2: [i16; 2], p_u16: u16, p_u16_4: [u16; 4], p_i32: i32, p_i32_2: [i32; 2], p_u32: u32,
        p_u32_3: [u32; 3], p_i64: i64, p_i64_2: [i64; 2], p_u64_4: [u64; 4], p_f64_3: [f64; 3], p_f64_4: [f64; 4], p_bf16_3: [bf16; 3], p_halves: Halves, p_a1s1: A1S1, p_a2s40: A2S40, p_a4s12: A4S12,
        p_a4s20: A4S20, p_a8s24: A8S24, p_a16s64: A16S64, p_a32s32: A32S32, p_a32s64: A32S64,
    }
    square {
        s_u8: u8, s_f16: f16, s_bf16: bf16, s_i16_3: [i16; 3], s_f32: f32, s_f32_2: [f32; 2], s_f32_3: [f32; 3], s_i32_4: [i32; 4],
        s_f64: f64, s_f64_2: [f64; 2], s_a1s16: A1S16, s_a4s8: A4S8, s_a4s20: A4S20, s_a8s48: A8S48, s_a16s48: A16S48, s_a32s32: A32S32,
    }
    mirror { m_a1s6: A1S6, m_a2s6: A2S6, m_a4s20: A4S20, m_a4s24: A4S24, m_a16s16: A16S16, m_a32s32: A32S32, }
    rows { r_u8: u8, r_f32_3: [f32; 3], r_a4s20: A4S20, r_a32s32: A32S32, }
    classic { c_u8: u8, c_f32_3: [f32; 3], c_a4s20: A4S20, c_a32s32: A32S32, }
    listed {
        l_u8: u8, l_u8_3: [u8; 3], l_f16: f16, l_f32: f32, l_f32_2: [f32; 2], l_f64: f64, l_f64_4: [f64; 4], l_halves: Halves,
        l_a2s40: A2S40, l_a4s20: A4S20, l_a16s64: A16S64, l_a32s32: A32S32,
    }
    two {
        t_u8: u8, t_u8_3: [u8; 3], t_i16: i16, t_bf16_3: [bf16; 3], t_f32: f32, t_f32_3: [f32; 3], t_f32_4: [f32; 4], t_f64: f64,
        t_i64_3: [i64; 3], t_a1s6: A1S6, t_a4s20: A4S20, t_a8s48: A8S48, t_a32s32: A32S32,
    }
}
