//! Programs that must not compile, and what the compiler must say: see `cases/`. Here is what
//! `tests/complete.rs` needs, to know that it is everything that can be said.

pub mod outputs;
pub mod sources;
