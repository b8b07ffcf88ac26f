//! What each rank has, together on rank 0.

use crate::message::{concatenated, receive, send, zeros};
use crate::{Cluster, Result};

impl Cluster {
    /// What each rank passes, by rank, on rank 0; nothing on the others. All ranks have to call it.
    ///
    /// # Errors
    ///
    /// There is not enough memory, or MPI fails.
    pub fn gather<T: td_kernel::DeviceType>(&self, elements: &[T]) -> Result<Vec<Vec<T>>> {
        if !self.is_first() {
            self.send_vector(0, elements)?;
            return Ok(Vec::new());
        }
        let mut all = vec![concatenated(&[elements])?];
        for rank in 1..self.size() {
            all.push(self.receive_vector(rank)?);
        }
        Ok(all)
    }

    /// A text of each rank, by rank, on rank 0; nothing on the others. All ranks have to call it.
    ///
    /// # Errors
    ///
    /// As those of [`gather`](Self::gather).
    pub fn gather_texts(&self, text: &str) -> Result<Vec<String>> {
        let texts = self.gather(text.as_bytes())?;
        // They were texts, so nothing is replaced.
        Ok(texts.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect())
    }

    /// Elements of which the other rank does not know how many there are.
    pub(crate) fn send_vector<T: td_kernel::DeviceType>(
        &self,
        to: usize,
        elements: &[T],
    ) -> Result<()> {
        // Ranks are C ints.
        let to = i32::try_from(to).unwrap_or(i32::MAX);
        send(&self.world, to, &[elements.len() as u64], self.part)?;
        send(&self.world, to, elements, self.part)
    }

    /// The elements of a [`send_vector`](Self::send_vector) to this rank.
    pub(crate) fn receive_vector<T: td_kernel::DeviceType>(&self, from: usize) -> Result<Vec<T>> {
        let from = i32::try_from(from).unwrap_or(i32::MAX);
        let mut count = [0_u64];
        receive(&self.world, from, &mut count, self.part)?;
        let mut elements = zeros(usize::try_from(count[0]).unwrap_or(usize::MAX))?;
        receive(&self.world, from, &mut elements, self.part)?;
        Ok(elements)
    }
}
