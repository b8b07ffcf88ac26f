#![doc = include_str!("../README.md")]

mod error;
mod gather;
mod job;
mod journal;
mod memory;
mod message;
mod output;
mod reduce;
mod shape;
mod world;

pub use error::{Error, Result};
pub use job::Job;
pub use output::{NpyOutput, Written};
pub use shape::Shape;
pub use world::{Cluster, run};
