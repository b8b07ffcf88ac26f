//! Programs that must not compile, with the compiler's messages, in `cases/`. This library is for `tests/complete.rs`,
//! which checks that every message has a case.

pub mod outputs;
pub mod sources;
