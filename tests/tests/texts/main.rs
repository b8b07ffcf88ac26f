//! What is read in texts and in lists, without a compiler: generated texts, the sources of the published crates, and the
//! combinations that the other tests try. These tests load no kernel.
#![allow(clippy::unwrap_used, clippy::panic)]

mod covering;
mod documented;
mod templates;
