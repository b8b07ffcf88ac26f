//! Kernels made by `macro_rules!`, from names, types, values and bodies that are passed in.
#![allow(edition_2024_expr_fragment_specifier, reason = "in each edition what `expr` means there")]

/// A kernel from fragments of every kind.
macro_rules! kernel {
    (
        $(#[$attribute:meta])*
        $visibility:vis $name:ident($element:ty, $slots:path, $parameter:ident);
        $map:literal, $tile:expr, $diagonal:tt, $body:expr
    ) => {
        $(#[$attribute])*
        #[::gpu::td_kernel(crate = ::gpu, map = $map, tile = $tile, diagonal = $diagonal)]
        $visibility unsafe fn $name(#[each] $parameter: &[$element], out: &mut $slots) {
            $body
        }
    };
}

kernel! {
    /// A kernel made by a macro.
    pub by_macro([f32; 3], ::gpu::Packed<f32>, point);
    "rb", 64, true, r#" out = point.i.x - point.j.z; "#
}

/// A struct and a kernel made by a macro, whose paths begin where the macro is defined.
macro_rules! pair {
    ($struct:ident, $name:ident, $body:literal, $field:ident : $number:ty, $length:literal) => {
        /// A struct made by a macro.
        #[derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::gpu::DeviceType,
        )]
        #[device_type(crate = $crate::runtime)]
        #[repr(C)]
        pub struct $struct {
            /// An array whose type and length are given.
            pub $field: [$number; $length],
            /// A struct of this crate's.
            pub point: $crate::Point,
        }

        /// A kernel made by a macro.
        #[::gpu::td_kernel(crate = $crate::runtime)]
        pub unsafe fn $name(
            #[each] part: &[$struct],
            points: &[$crate::Point],
            total: &mut Sum<$number>,
        ) {
            $body
        }
    };
}

pair!(Whole, of_crate, r#" total += part.i.values[1] + points[j].place; "#, values: f32, 4);
