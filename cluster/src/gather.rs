//! Gathers the elements of each rank on rank 0.

use td_kernel::DeviceType;

use crate::parts::concatenated;
use crate::{Cluster, Result};

impl Cluster {
    /// The elements that each rank passes, by rank, on rank 0; nothing on the others. All ranks have to call it.
    ///
    /// # Errors
    ///
    /// There is not enough memory, or MPI fails.
    pub fn gather<T: DeviceType>(&self, elements: &[T]) -> Result<Vec<Vec<T>>> {
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

    /// A string of each rank, by rank, on rank 0; nothing on the others. All ranks have to call it.
    ///
    /// # Errors
    ///
    /// The same as for [`gather`](Self::gather).
    pub fn gather_texts(&self, text: &str) -> Result<Vec<String>> {
        let texts = self.gather(text.as_bytes())?;
        // They were strings, so nothing is replaced.
        Ok(texts.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect())
    }
}
