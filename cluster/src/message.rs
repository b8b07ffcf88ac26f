//! Sends elements between ranks in parts, because MPI counts them in a C int.

use std::ffi::{c_int, c_void};
use std::ptr;

use mpi::ffi;
use mpi::raw::AsRaw;
use td_kernel::DeviceType;

use crate::parts::{parts, zeros};
use crate::{Cluster, Error, Result};

/// Tags keep kinds of messages apart: the amount of a file that a rank has written, and a rank's partial results.
pub(crate) const PROGRESS: c_int = 1;
const PARTIAL_RESULT: c_int = 2;

impl Cluster {
    /// Copies rank 0's elements to those of all other ranks, which must have the same count.
    pub(crate) fn broadcast_into<T: DeviceType>(&self, elements: &mut [T]) -> Result<()> {
        self.in_parts("MPI_Bcast", elements, |start, count, world| {
            // SAFETY: MPI reads or writes `count` bytes there, and every bit pattern is a valid element. Padding is copied as
            // bytes that nobody reads.
            unsafe { ffi::MPI_Bcast(start, count, ffi::RSMPI_UINT8_T, 0, world) }
        })
    }

    /// Sends elements to a rank, which must receive the same count.
    fn send<T: DeviceType>(&self, to: usize, elements: &[T]) -> Result<()> {
        let to = to as c_int;
        self.in_parts("MPI_Send", ptr::from_ref(elements).cast_mut(), |start, count, world| {
            // SAFETY: MPI reads `count` bytes there, and writes none.
            unsafe { ffi::MPI_Send(start, count, ffi::RSMPI_UINT8_T, to, PARTIAL_RESULT, world) }
        })
    }

    /// Receives elements from a rank into all of `elements`.
    fn receive<T: DeviceType>(&self, from: usize, elements: &mut [T]) -> Result<()> {
        let from = from as c_int;
        self.in_parts("MPI_Recv", elements, |start, count, world| {
            // SAFETY: MPI writes at most `count` bytes there, and every bit pattern of them is a valid element. It does not use
            // an ignored status.
            unsafe {
                let (bytes, status) = (ffi::RSMPI_UINT8_T, ffi::RSMPI_STATUS_IGNORE);
                ffi::MPI_Recv(start, count, bytes, from, PARTIAL_RESULT, world, status)
            }
        })
    }

    /// Sends elements to a rank that does not have their count.
    pub(crate) fn send_vector<T: DeviceType>(&self, to: usize, elements: &[T]) -> Result<()> {
        self.send(to, &[elements.len() as u64])?;
        self.send(to, elements)
    }

    /// Receives the elements of a [`send_vector`](Self::send_vector) to this rank.
    pub(crate) fn receive_vector<T: DeviceType>(&self, from: usize) -> Result<Vec<T>> {
        let mut count = [0_u64];
        self.receive(from, &mut count)?;
        let mut elements = zeros(count[0])?;
        self.receive(from, &mut elements)?;
        Ok(elements)
    }

    /// Makes this MPI call for each part of the elements, with the part's address and its number of bytes. Returns an error if
    /// a call returns one; usually MPI has ended the job then.
    fn in_parts<T>(
        &self,
        call: &'static str,
        elements: *mut [T],
        mut transfer: impl FnMut(*mut c_void, c_int, ffi::MPI_Comm) -> c_int,
    ) -> Result<()> {
        parts(elements.len() * size_of::<T>(), self.part).try_for_each(|bytes| {
            let start = elements.cast::<u8>().wrapping_add(bytes.start).cast();
            // A part has at most 2^30 bytes.
            match transfer(start, bytes.len() as c_int, self.world.as_raw()) {
                code if code == ffi::MPI_SUCCESS as c_int => Ok(()),
                code => Err(Error::Mpi { call, code }),
            }
        })
    }
}
