//! The CPU device: the generated CUDA, compiled by the system's C++ compiler and run by threads and fibers.
