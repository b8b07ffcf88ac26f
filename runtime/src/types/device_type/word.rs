//! A short string that is written in a constant.

/// More bytes than any value takes.
const LONGEST: usize = 64;

/// A short string that is written in a constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Word {
    pub(super) const fn new() -> Word {
        Word { bytes: [0; LONGEST], length: 0 }
    }

    pub(super) const fn byte(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    pub(super) const fn text(&mut self, text: &str) {
        let mut at = 0;
        while at < text.len() {
            self.byte(text.as_bytes()[at]);
            at += 1;
        }
    }

    pub(super) const fn decimal(&mut self, number: u64) {
        if number >= 10 {
            self.decimal(number / 10);
        }
        self.byte(b'0' + (number % 10) as u8);
    }

    /// Writes `count` digits, including leading zeros.
    pub(super) const fn hexadecimal(&mut self, number: u64, count: u32) {
        let mut left = count;
        while left > 0 {
            left -= 1;
            self.byte(b"0123456789abcdef"[(number >> (4 * left) & 15) as usize]);
        }
    }

    pub(super) const fn as_bytes(&self) -> &[u8] {
        self.bytes.split_at(self.length).0
    }
}
