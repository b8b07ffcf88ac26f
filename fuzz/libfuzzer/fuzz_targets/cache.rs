//! Any bytes in the files of a cache.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| td_kernel::__fuzz::cache(data).unwrap());
