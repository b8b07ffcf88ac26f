//! Values of every size that a fold's pairs store: alone, beside values of other sizes, and in squares.

use std::fmt::Debug;

use td_kernel::__private::{Axis, Sweep, output};
use td_kernel::{Device, DeviceType, Features, Matrix, Packed, Result, Shape, Square};

use super::cases::FOLD;
use crate::{Choice, rectangle};

/// A struct whose size is not a power of two, aligned to more than 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceType)]
#[repr(C, align(32))]
pub(super) struct Part {
    distance: f64,
    low: u8,
}

/// The struct's definition, before the kernel source.
pub const BEFORE: &str = "struct alignas(32) Part { double distance; unsigned char low; };\n";

/// A type of slots.
trait Slot: DeviceType + Debug + Default + PartialEq {
    /// The stored value, in C++.
    const VALUE: &str;
    /// The value of the pair (i, j) with this folded sum.
    fn of(sum: u32, i: usize, j: usize) -> Self;
}

/// An implementation for a type.
macro_rules! slot {
    ($type:ty, $value:literal, $of:expr) => {
        impl Slot for $type {
            const VALUE: &str = $value;
            fn of(sum: u32, i: usize, j: usize) -> Self {
                let of: fn(u32, usize, usize) -> $type = $of;
                of(sum, i, j)
            }
        }
    };
}

slot!(u8, "o = s + 3 * i + j;", |s, i, j| (s as usize + 3 * i + j) as u8);
slot!(u16, "o = s ^ (i << 8) ^ j;", |s, i, j| (s as usize ^ i << 8 ^ j) as u16);
slot!(f32, "o = s % 65536;", |s, _, _| (s % 65_536) as f32);
slot!(f64, "o = s + 0.5 * i - j;", |s, i, j| f64::from(s) + 0.5 * i as f64 - j as f64);
slot!([f32; 3], "o = make_float3(s % 65536, i, j);", |s, i, j| {
    [(s % 65_536) as f32, i as f32, j as f32]
});
slot!([f32; 4], "o = make_float4(j, i, 7, s % 65536);", |s, i, j| {
    [j as f32, i as f32, 7.0, (s % 65_536) as f32]
});
slot!(Part, "o.distance = s; o.low = i + j;", |s, i, j| Part {
    distance: f64::from(s),
    low: (i + j) as u8
});

/// The sum of the products of two elements' features.
fn folded(i: usize, j: usize, width: usize) -> u32 {
    (0..width).map(|k| feature(i, k) * feature(j, k)).sum()
}

fn feature(element: usize, k: usize) -> u32 {
    ((element * 31 + k * 17) % 101) as u32
}

/// The item with these outputs, over one set or over two.
pub fn item(output: &str, types: &[&str]) -> String {
    let outputs = types.iter().enumerate().map(|(at, ty)| format!("o{at}: &mut {output}<{ty}>,"));
    let value = |(at, ty): (usize, &&str)| {
        let value = match *ty {
            "u8" => u8::VALUE,
            "u16" => u16::VALUE,
            "f32" => f32::VALUE,
            "f64" => f64::VALUE,
            "[f32; 3]" => <[f32; 3]>::VALUE,
            "[f32; 4]" => <[f32; 4]>::VALUE,
            _ => Part::VALUE,
        };
        value.replace("o.", &format!("o{at}.")).replace("o =", &format!("o{at} ="))
    };
    let (outputs, values): (String, String) =
        (outputs.collect(), types.iter().enumerate().map(value).collect());
    let [features, term] = match output {
        "Matrix" => ["#[row] a: &Features<u32>, #[column] b: &Features<u32>", "a * b"],
        _ => ["#[each] p: &Features<u32>", "p.i * p.j"],
    };
    format!(
        "unsafe fn slots({features}, #[fold] s: u32, {outputs}) {{ let feature = r#\" s += {term}; \"#; let pair = r#\" {values} \"#; }}"
    )
}

/// A kernel's slots, of one type or of several beside each other.
pub struct Case {
    /// Their types.
    pub types: &'static [&'static str],
    packed: fn(&Run<'_>, &Choice) -> Result<()>,
    square: fn(&Run<'_>, &Choice) -> Result<()>,
    matrix: fn(&Run<'_>, u32) -> Result<()>,
}

/// Runs the case in packed slots, in squares and in matrices. Without a turn in all tiles, with and without the diagonal; with
/// one in two kinds of slots, by turns, in one tile, with or without the diagonal.
pub fn check(device: &Device, case: usize, turn: Option<usize>, sizes: &[usize]) -> Result<()> {
    let case_ = &CASES[case];
    let run = Run { device, types: case_.types, sizes };
    let with = |tile| [false, true].map(|diagonal| Choice { tile, diagonal, ..FOLD });
    let all: Vec<_> = [32, 64, 128].into_iter().flat_map(with).collect();
    let choices = if turn.is_none() { &all[..] } else { &all[5 * case % all.len()..][..1] };
    let is_tried = |kind: usize| turn.is_none_or(|turn| (case + case / 3 + turn) % 3 != kind);
    for choice in choices {
        if is_tried(0) {
            (case_.packed)(&run, choice)?;
        }
        if is_tried(1) {
            (case_.square)(&run, &Choice { square: true, ..*choice })?;
        }
        if is_tried(2) {
            (case_.matrix)(&run, choice.tile)?;
        }
    }
    Ok(())
}

/// The common data of a case's launches.
struct Run<'a> {
    device: &'a Device,
    types: &'static [&'static str],
    sizes: &'a [usize],
}

impl Run<'_> {
    /// Features of some elements.
    fn features(&self, count: usize, width: usize) -> Result<Features<u32>> {
        let values: Vec<u32> =
            (0..count).flat_map(|e| (0..width).map(move |k| feature(e, k))).collect();
        self.device.features(&values, width)
    }

    fn packed<T: Slot>(&self, choice: &Choice, n: usize) -> Result<Packed<T>> {
        match choice.diagonal {
            true => self.device.packed(Shape::triangle(n).with_diagonal()),
            false => self.device.packed(n),
        }
    }
}

/// Compares values with those of their pairs; without a pair, with the diagonal of a square.
fn compare<T: Slot>(found: &[T], pairs: &[Option<(usize, usize)>], width: usize, place: &str) {
    assert_eq!(found.len(), pairs.len(), "{place}");
    for (value, pair) in found.iter().zip(pairs) {
        let expected = match *pair {
            Some((i, j)) => T::of(folded(i, j, width), i, j),
            None => T::default(),
        };
        assert_eq!(*value, expected, "{place}: {pair:?}");
    }
}

/// Each case, with the names of its outputs and their types.
macro_rules! cases {
    ($([$($name:ident: $type:ty = $spelled:literal),*],)*) => {
        /// The cases.
        pub const CASES: &[Case] = &[$(Case {
            types: &[$($spelled),*],
            packed: |run, choice| {
                let item = item("Packed", run.types);
                let kernel = choice.load_with(run.device, "slots", &item, BEFORE)?;
                for &n in run.sizes {
                    let width = 1 + n % 40;
                    let p = run.features(n, width)?;
                    $(let mut $name: Packed<$type> = run.packed(choice, n)?;)*
                    let mut launch = kernel.launch();
                    launch.bind(Axis::Each, "p", &p)?;
                    launch.width()?;
                    $(launch.bind(Axis::All, stringify!($name), output(&mut $name))?;)*
                    // SAFETY: the parameters of the item, in its order and with its types.
                    unsafe { launch.run() }?;
                    let pairs: Vec<_> = choice.visited(n).map(Some).collect();
                    let place = format!("{choice:?}, packed {:?}, n = {n}", run.types);
                    $(compare($name.download()?.as_slice(), &pairs, width, &place);)*
                }
                Ok(())
            },
            square: |run, choice| {
                let item = item("Square", run.types);
                let kernel = choice.load_with(run.device, "slots", &item, BEFORE)?;
                for &n in run.sizes {
                    let width = 1 + n % 40;
                    let p = run.features(n, width)?;
                    $(let mut $name: Square<$type> = run.device.square(n)?;)*
                    let mut launch = kernel.launch();
                    launch.bind(Axis::Each, "p", &p)?;
                    launch.width()?;
                    $(launch.bind(Axis::All, stringify!($name), output(&mut $name))?;)*
                    // SAFETY: the parameters of the item, in its order and with its types.
                    unsafe { launch.run() }?;
                    let pair = |i: usize, j: usize| {
                        (i != j || choice.diagonal).then_some((i.max(j), i.min(j)))
                    };
                    let pairs: Vec<_> =
                        (0..n).flat_map(|i| (0..n).map(move |j| pair(i, j))).collect();
                    let place = format!("{choice:?}, squares {:?}, n = {n}", run.types);
                    $(compare($name.download()?.as_slice(), &pairs, width, &place);)*
                }
                Ok(())
            },
            matrix: |run, side| {
                let item = item("Matrix", run.types);
                let choice = rectangle::Choice { sweep: Sweep::Fold, side };
                let kernel = choice.load_with(run.device, "slots", &item, BEFORE)?;
                for &n in run.sizes {
                    let (rows, columns, width) = (n, (7 * n + 1) % 150, 1 + n % 40);
                    let (a, b) = (run.features(rows, width)?, run.features(columns, width)?);
                    $(let mut $name: Matrix<$type> = run.device.matrix((rows, columns))?;)*
                    let mut launch = kernel.launch();
                    launch.bind(Axis::Row, "a", &a)?;
                    launch.width()?;
                    launch.bind(Axis::Column, "b", &b)?;
                    $(launch.bind(Axis::All, stringify!($name), output(&mut $name))?;)*
                    // SAFETY: the parameters of the item, in its order and with its types.
                    unsafe { launch.run() }?;
                    let row = |i: usize| (0..columns).map(move |j| Some((i, j)));
                    let pairs: Vec<_> = (0..rows).flat_map(row).collect();
                    let place =
                        format!("{choice:?}, matrices {:?}, {rows} x {columns}", run.types);
                    $(compare($name.download()?.as_slice(), &pairs, width, &place);)*
                }
                Ok(())
            },
        },)*];
    };
}

cases! {
    [a: u8 = "u8"],
    [a: u16 = "u16"],
    [a: f32 = "f32"],
    [a: f64 = "f64"],
    [a: [f32; 3] = "[f32; 3]"],
    [a: [f32; 4] = "[f32; 4]"],
    [a: Part = "Part"],
    [a: u8 = "u8", b: u16 = "u16"],
    [a: f64 = "f64", b: u8 = "u8"],
    [a: f32 = "f32", b: f32 = "f32"],
    [a: [f32; 4] = "[f32; 4]", b: f32 = "f32", c: [f32; 3] = "[f32; 3]"],
    [a: Part = "Part", b: u16 = "u16"],
}
