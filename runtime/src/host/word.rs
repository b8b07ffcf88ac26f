//! Cells of results as 64-bit words: the same in every process.

use crate::{Result, host};

/// A cell, or a slot of a total.
pub trait Word: Copy {
    /// Converts the value to a word.
    fn word(self) -> u64;
    /// Converts a word made by [`word`](Word::word) back.
    fn from_word(word: u64) -> Self;
}

impl Word for u64 {
    fn word(self) -> u64 {
        self
    }
    fn from_word(word: u64) -> u64 {
        word
    }
}

impl Word for i64 {
    fn word(self) -> u64 {
        self.cast_unsigned()
    }
    fn from_word(word: u64) -> i64 {
        word.cast_signed()
    }
}

impl Word for u32 {
    fn word(self) -> u64 {
        self.into()
    }
    fn from_word(word: u64) -> u32 {
        // The word was made from a `u32`.
        word as u32
    }
}

impl Word for f64 {
    fn word(self) -> u64 {
        self.to_bits()
    }
    fn from_word(word: u64) -> f64 {
        f64::from_bits(word)
    }
}

/// Converts cells to words.
pub(crate) fn words<W: Word>(cells: Vec<W>) -> Result<Vec<u64>> {
    host::collected(cells.len(), cells.into_iter().map(Word::word))
}

/// Converts words to cells.
pub(crate) fn cells<W: Word>(words: &[u64]) -> Result<Vec<W>> {
    host::collected(words.len(), words.iter().map(|word| W::from_word(*word)))
}

/// Combines cells with others, element by element.
pub(crate) fn join<W: Word>(words: &mut [u64], others: &[u64], join: impl Fn(W, W) -> W) {
    for (word, other) in words.iter_mut().zip(others) {
        *word = join(W::from_word(*word), W::from_word(*other)).word();
    }
}
