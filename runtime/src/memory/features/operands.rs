//! What tensor cores multiply in place of features. It is made once, and kept until the features change.

use std::sync::{Arc, Mutex, PoisonError};

use crate::memory::Memory;

/// The operands of features, for each device and sweep that has used them.
#[derive(Default)]
pub(crate) struct Operands(Mutex<Vec<(Key, Arc<OperandsOfDevice>)>>);

/// The address of the features on the device, and the number of features in a part.
type Key = (u64, u32);

pub(crate) struct OperandsOfDevice {
    /// The features in 16-bit floats, two per word, or in 8-bit integers, four per word.
    pub(crate) features: Memory<u32>,
    /// The other floats of each element: its scale and its share of a product's error. Integers have none.
    pub(crate) factors: Option<Memory<u32>>,
}

impl Operands {
    pub(crate) fn get(&self, key: Key) -> Option<Arc<OperandsOfDevice>> {
        // Poisoning is harmless: an entry is complete when it is added.
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|(known, _)| *known == key).map(|(_, operands)| operands.clone())
    }

    pub(crate) fn keep(&self, key: Key, operands: OperandsOfDevice) -> Arc<OperandsOfDevice> {
        let operands = Arc::new(operands);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((key, operands.clone()));
        operands
    }
}
