//! Launches in parts: what several devices compute, or processes with some of the devices each, is together what one device
//! gives. These tests need a C++ compiler and nothing of their process, since CPUs and emulators stand for the devices.
#![allow(clippy::unwrap_used, clippy::panic)]

mod banded_devices;
mod devices;
mod parted;
