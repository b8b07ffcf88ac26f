//! The examples as processes: their files, their streams, and how they end.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

mod endings;
mod outputs;
mod process;
mod room;
mod streams;
