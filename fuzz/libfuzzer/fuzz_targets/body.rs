//! Any string as a body.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| td_kernel_fuzz::body::check(text));
