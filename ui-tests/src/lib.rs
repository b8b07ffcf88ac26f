//! Programs that must not compile, and what the compiler must say: see `cases/`.
