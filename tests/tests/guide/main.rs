//! The listings of the guide, `guide/src`: each chapter includes the parts between anchors of its module here, and the
//! tests run them on the CPU. The chapter on reviewing generated code is a target of its own, `reviewing.rs`, so that
//! snapshots can be checked without the rest.
#![allow(clippy::unwrap_used, clippy::panic)]

mod bands;
mod devices;
mod elements;
mod errors;
mod folds;
mod machine;
mod maps;
mod nearest;
mod preludes;
mod program;
mod testing;
