//! Tests without a compiler, of generated sources, the sources of the published crates, the combinations that the other tests
//! run, and how parallel checks fail. They load no kernel.
#![allow(clippy::unwrap_used, clippy::panic)]

mod covering;
mod documented;
mod parallel;
mod support;
mod templates;
