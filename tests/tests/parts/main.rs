//! Launches in parts: the joined results of several devices, or of processes with some of the devices each, equal those of one
//! device. These tests need a C++ compiler. They can share a process, since CPUs and emulators replace the devices.
#![allow(clippy::unwrap_used, clippy::panic)]

#[macro_use(assert_errors)]
extern crate td_kernel_tests;

mod chunked_devices;
mod devices;
mod parted;
