//! The layout of an array's file: the position of each chunk. Only this code writes chunks to it and reads them.

use std::fs::File;
use std::io;
use std::ops::Range;

use sha2::{Digest, Sha256};

use super::disk::{read_at, reserve, write_at};
use super::npy::{bytes, bytes_mut, header};
use super::work::{checksum, values_of};
use super::{Chunk, NpyValue};
use crate::Shape;

/// How many values are reversed at a time, and how many bytes are read.
const PIECE: usize = 1 << 20;

/// An array in NumPy's format: the values of some rows, each of `size` bytes.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) shape: Shape,
    pub(super) rows: Range<usize>,
    header: Vec<u8>,
    size: usize,
    /// The type of the values.
    pub(super) values: String,
    /// Whether the values are in reverse order.
    is_condensed: bool,
    /// The length of the file in bytes.
    length: u64,
}

impl Array {
    /// The array of these rows' values. An error if memory could not hold as many.
    pub(super) fn new<T: NpyValue>(
        shape: Shape,
        rows: Range<usize>,
        is_condensed: bool,
    ) -> io::Result<Array> {
        let size = size_of::<T>();
        let header = match shape.column_count() {
            None => header::<T>(&[shape.values(&rows)]),
            Some(columns) => header::<T>(&[rows.len(), columns]),
        };
        let bytes = shape.values(&rows).checked_mul(size);
        let length = bytes.and_then(|bytes| i64::try_from(bytes.checked_add(header.len())?).ok());
        let length = length
            .ok_or_else(|| io::Error::other("the values exceed the maximum size of a file"))?;
        let (values, length) = (values_of::<T>(), length.unsigned_abs());
        Ok(Array { shape, rows, header, size, values, is_condensed, length })
    }

    /// Whether a chunk has some of its rows, and values of its type.
    pub(super) fn has<T: NpyValue>(&self, chunk: &Chunk<'_, T>) -> bool {
        let Range { start, end } = self.rows;
        chunk.shape == self.shape
            && [start, chunk.rows.start, chunk.rows.end, end].is_sorted()
            && chunk.values.len() == self.shape.values(&chunk.rows)
            && values_of::<T>() == self.values
    }

    /// The position in the file of the values of some rows.
    fn place(&self, rows: &Range<usize>) -> u64 {
        let before = match self.is_condensed {
            // The values of later rows come first.
            true => self.shape.values(&(rows.end..self.rows.end)),
            false => self.shape.values(&(self.rows.start..rows.start)),
        };
        (self.header.len() + before * self.size) as u64
    }

    /// Reserves the space for all values, and writes the header.
    pub(super) fn begin(&self, file: &File) -> io::Result<()> {
        file.set_len(0)?;
        reserve(file, self.length)?;
        self.write_header(file)
    }

    pub(super) fn write_header(&self, file: &File) -> io::Result<()> {
        write_at(file, &self.header, 0)
    }

    /// Whether a file has the array's length.
    pub(super) fn has_length(&self, file: &File) -> io::Result<bool> {
        Ok(file.metadata()?.len() == self.length)
    }

    /// Whether a file has the array's header.
    pub(super) fn has_header(&self, file: &File) -> io::Result<bool> {
        let mut header = vec![0; self.header.len()];
        read_at(file, &mut header, 0)?;
        Ok(header == self.header)
    }

    /// Writes a chunk to its position, and passes its bytes to `written` in their order in the file.
    pub(super) fn write<T: NpyValue>(
        &self,
        file: &File,
        chunk: &Chunk<'_, T>,
        mut written: impl FnMut(&[u8]),
    ) -> io::Result<()> {
        let mut place = self.place(&chunk.rows);
        if !self.is_condensed {
            written(bytes(chunk.values));
            return write_at(file, bytes(chunk.values), place);
        }
        let mut reversed = Vec::new();
        reversed.try_reserve_exact(PIECE.min(chunk.values.len()))?;
        for values in chunk.values.rchunks(PIECE) {
            reversed.clear();
            reversed.extend(values.iter().rev().copied());
            written(bytes(&reversed));
            write_at(file, bytes(&reversed), place)?;
            place += size_of_val(values) as u64;
        }
        Ok(())
    }

    /// The checksum of a file's bytes for some rows.
    pub(super) fn checksum(&self, file: &File, rows: &Range<usize>) -> io::Result<String> {
        let (mut place, mut left) = (self.place(rows), self.shape.values(rows) * self.size);
        let (mut hash, mut bytes) = (Sha256::new(), vec![0; left.min(PIECE)]);
        while left > 0 {
            bytes.truncate(left);
            read_at(file, &mut bytes, place)?;
            hash.update(&bytes);
            (left, place) = (left - bytes.len(), place + bytes.len() as u64);
        }
        Ok(checksum(hash))
    }

    /// Reads the values of rows into a slice of their length.
    pub(super) fn read<T: NpyValue>(
        &self,
        file: &File,
        rows: &Range<usize>,
        values: &mut [T],
    ) -> io::Result<()> {
        read_at(file, bytes_mut(values), self.place(rows))?;
        if self.is_condensed {
            values.reverse();
        }
        Ok(())
    }
}
