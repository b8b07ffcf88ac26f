//! Any attribute on any item.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| td_kernel_fuzz::attribute::check(data));
