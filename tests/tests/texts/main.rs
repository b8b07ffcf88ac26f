//! Tests without a compiler, of generated sources, the sources of the published crates, and the combinations that the other
//! tests run. They load no kernel.
#![allow(clippy::unwrap_used, clippy::panic)]

mod covering;
mod documented;
mod templates;
