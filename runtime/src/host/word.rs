//! What results are gathered in, as words of 64 bits: the same in every process.

use crate::{Result, host};

/// A cell, or a slot of a total.
pub trait Word: Copy {
    /// As a word.
    fn word(self) -> u64;
    /// Of a word that [`word`](Word::word) has made.
    fn of_word(word: u64) -> Self;
}

impl Word for u64 {
    fn word(self) -> u64 {
        self
    }
    fn of_word(word: u64) -> u64 {
        word
    }
}

impl Word for i64 {
    fn word(self) -> u64 {
        self.cast_unsigned()
    }
    fn of_word(word: u64) -> i64 {
        word.cast_signed()
    }
}

impl Word for u32 {
    fn word(self) -> u64 {
        self.into()
    }
    fn of_word(word: u64) -> u32 {
        // It was one.
        word as u32
    }
}

impl Word for f64 {
    fn word(self) -> u64 {
        self.to_bits()
    }
    fn of_word(word: u64) -> f64 {
        f64::from_bits(word)
    }
}

/// The words of cells.
pub(crate) fn words<W: Word>(cells: Vec<W>) -> Result<Vec<u64>> {
    host::collected(cells.len(), cells.into_iter().map(Word::word))
}

/// The cells of words.
pub(crate) fn cells<W: Word>(words: &[u64]) -> Result<Vec<W>> {
    host::collected(words.len(), words.iter().map(|word| W::of_word(*word)))
}

/// Joins the cells of one with those of another, place by place.
pub(crate) fn join<W: Word>(words: &mut [u64], others: &[u64], join: impl Fn(W, W) -> W) {
    for (word, other) in words.iter_mut().zip(others) {
        *word = join(W::of_word(*word), W::of_word(*other)).word();
    }
}
