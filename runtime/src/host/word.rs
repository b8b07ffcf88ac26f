//! Cells of results as 64-bit words: the same in every process.

use crate::{Result, host};

/// A cell, or a slot of a total.
pub trait Word: Copy {
    /// Converts the value to a word.
    fn word(self) -> u64;
    /// Converts a word made by [`word`](Word::word) back.
    fn from_word(word: u64) -> Self;
}

macro_rules! words {
    ($($cell:ty: |$value:ident| $word:expr, |$from:ident| $back:expr;)*) => {$(
        impl Word for $cell {
            fn word(self) -> u64 {
                let $value = self;
                $word
            }
            fn from_word($from: u64) -> $cell {
                $back
            }
        }
    )*};
}

words! {
    u64: |cell| cell, |word| word;
    i64: |cell| cell.cast_unsigned(), |word| word.cast_signed();
    // The word was made from a `u32`.
    u32: |cell| cell.into(), |word| word as u32;
    f64: |cell| cell.to_bits(), |word| f64::from_bits(word);
}

pub(crate) fn words<W: Word>(cells: Vec<W>) -> Result<Vec<u64>> {
    host::collected(cells.len(), cells.into_iter().map(Word::word))
}

pub(crate) fn cells<W: Word>(words: &[u64]) -> Result<Vec<W>> {
    host::collected(words.len(), words.iter().map(|word| W::from_word(*word)))
}

/// Combines cells with others, element by element.
pub(crate) fn join<W: Word>(words: &mut [u64], others: &[u64], join: impl Fn(W, W) -> W) {
    for (word, other) in words.iter_mut().zip(others) {
        *word = join(W::from_word(*word), W::from_word(*other)).word();
    }
}
