//! Packed slots of several types, with the kernels that write them.

use std::ops::Range;

use td_kernel::{Device, DeviceType, Packed, Result, Shape};

/// Slots of one type.
pub(super) enum Slots {
    Float(Packed<f32>),
    Byte(Packed<u8>),
    Vector(Packed<[f32; 3]>),
    Part(Packed<Part>),
    Double(Packed<[f64; 2]>),
}

/// A struct with padding at its end.
#[derive(Clone, Copy, Debug, DeviceType)]
#[repr(C)]
pub(super) struct Part {
    distance: f64,
    low: u8,
}

/// Makes slots for a number of elements, some rows or all, and with the diagonal or without.
pub(super) type Make = fn(&Device, usize, Option<&Range<usize>>, bool) -> Result<Slots>;

/// A kernel's slots.
pub(super) struct Case {
    /// The source before the kernel's source.
    pub(super) before: &'static str,
    /// The parameters.
    pub(super) parameters: &'static str,
    /// The body that computes their values.
    pub(super) body: &'static str,
    pub(super) slots: &'static [Make],
}

const DISTANCE: &str = "distance: &mut Packed<f32>,";

/// The cases.
pub(super) const CASES: [Case; 5] = [
    Case {
        before: "",
        parameters: DISTANCE,
        body: "
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(dx * dx + dy * dy + dz * dz + dw * dw);",
        slots: &[float],
    },
    Case {
        before: "",
        parameters: "low: &mut Packed<u8>,",
        body: "low = 3 * i + j;",
        slots: &[byte],
    },
    Case {
        before: "",
        parameters: "all: &mut Packed<[f32; 3]>,",
        body: "
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    all = make_float3(i, sqrtf(dx * dx + dy * dy + dz * dz + dw * dw), j);",
        slots: &[vector],
    },
    Case {
        before: "struct Part { double distance; unsigned char low; };\n",
        parameters: "part: &mut Packed<Part>,",
        body: "
    double dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    part.distance = sqrt(dx * dx + dy * dy + dz * dz + dw * dw);
    part.low = 3 * i + j;",
        slots: &[part],
    },
    Case {
        before: "",
        parameters: "both: &mut Packed<[f64; 2]>, low: &mut Packed<u8>,",
        body: "
    double dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    both = make_double2(sqrt(dx * dx + dy * dy + dz * dz + dw * dw), 1000.0 * i + j);
    low = 3 * i + j;",
        slots: &[double, byte],
    },
];

fn make<T: DeviceType>(
    device: &Device,
    n: usize,
    rows: Option<&Range<usize>>,
    diagonal: bool,
) -> Result<Packed<T>> {
    let shape = Shape::triangle(n).of_rows(rows.cloned().unwrap_or(0..n));
    device.packed(if diagonal { shape.with_diagonal() } else { shape })
}

/// A function for each type of slots, and their common operations.
macro_rules! types {
    ($($name:ident: $slots:ident),*) => {
        $(fn $name(
            device: &Device,
            n: usize,
            rows: Option<&Range<usize>>,
            diagonal: bool,
        ) -> Result<Slots> {
            make(device, n, rows, diagonal).map(Slots::$slots)
        })*

        impl Slots {
            /// The bits of each slot's value.
            pub(super) fn bits(&self) -> Result<Vec<[u64; 3]>> {
                Ok(match self {
                    $(Slots::$slots(slots) => {
                        slots.download()?.as_slice().iter().map(Bits::bits).collect()
                    })*
                })
            }
        }
    };
}

types! { float: Float, byte: Byte, vector: Vector, part: Part, double: Double }

/// Passes slots, whose type cannot be named here, to a launch.
macro_rules! pass {
    ($launch:ident, $slots:expr) => {
        pass!(@ $launch, $slots, Float Byte Vector Part Double)
    };
    (@ $launch:ident, $slots:expr, $($type:ident)*) => {
        match $slots {
            $($crate::chunks::slots::Slots::$type(slots) => {
                $launch.bind(td_kernel::__private::Axis::All, "slots", td_kernel::__private::output(slots))?;
            })*
        }
    };
}
pub(super) use pass;

/// A value's bits, without those of padding. The first number identifies the type.
trait Bits {
    fn bits(&self) -> [u64; 3];
}

impl Bits for f32 {
    fn bits(&self) -> [u64; 3] {
        [0, self.to_bits().into(), 0]
    }
}

impl Bits for u8 {
    fn bits(&self) -> [u64; 3] {
        [1, (*self).into(), 0]
    }
}

impl Bits for [f32; 3] {
    fn bits(&self) -> [u64; 3] {
        let [i, distance, j] = self.map(|number| u64::from(number.to_bits()));
        [2, distance, i << 32 | j]
    }
}

impl Bits for Part {
    fn bits(&self) -> [u64; 3] {
        [3, self.distance.to_bits(), self.low.into()]
    }
}

impl Bits for [f64; 2] {
    fn bits(&self) -> [u64; 3] {
        [4, self[0].to_bits(), self[1].to_bits()]
    }
}

/// Whether these bits belong to the pair (i, j), whose elements have this distance.
pub(super) fn is_of_pair(
    &[kind, first, second]: &[u64; 3],
    i: usize,
    j: usize,
    distance: f64,
) -> bool {
    let low = (3 * i + j) as u64 % 256;
    let is_near = |found: f64| (found - distance).abs() <= 1e-5 * distance.max(1.0);
    let float = |bits: u64| f32::from_bits(bits as u32);
    match kind {
        0 => is_near(float(first).into()),
        1 => first == low,
        2 => {
            is_near(float(first).into())
                && [second >> 32, second].map(float) == [i as f32, j as f32]
        }
        3 => is_near(f64::from_bits(first)) && second == low,
        _ => is_near(f64::from_bits(first)) && f64::from_bits(second) == (1000 * i + j) as f64,
    }
}
