//! Kernels that store a byte of each pair, for tests of slots past 2³².

/// A pair's byte: it differs from the bytes of adjacent slots, and from that of the slot 2³² before.
pub fn byte(i: usize, j: usize) -> u8 {
    let (i, j) = (i as u32, j as u32);
    i.wrapping_mul(31).wrapping_add(j.wrapping_mul(7)).wrapping_add(i.wrapping_mul(j) >> 9) as u8
}

/// Kernels that store these bytes, in slots of a kind.
#[macro_export]
macro_rules! bytes {
    ($slots:ident: $($name:ident $keys:tt;)*) => {$(
        #[td_kernel::td_kernel $keys]
        unsafe fn $name(low: &mut $slots<u8>) {
            r#" low = i * 31 + j * 7 + (i * j >> 9); "#
        }
    )*};
}

/// Runs code for each variant of each of these kernels.
#[macro_export]
macro_rules! each_variant {
    ($device:ident, |$name:ident, $kernel:ident| $do:block, $($module:ident)*) => {$(
        for variant in 0..$module::SOURCES.len() {
            let $name = format!("{}, variant {variant}", stringify!($module));
            let $kernel = $module { kernel: $module::load(&$device).unwrap().kernel.pin(variant) };
            $do
        }
    )*};
}
