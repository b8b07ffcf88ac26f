//! The C++ definitions of the user's structs, put before a kernel's text when rustc evaluates constants.
//!
//! A kernel's macro sees only the name of a struct; its definition is known to the struct's own
//! derive, and its sizes and offsets only to rustc. So the derive leaves a [`Definition`], the kernel
//! names the definitions that it uses, and [`concatenate`] writes them out, each once, inside a constant. Constants of
//! Rust's are written in the same way, since a macro cannot evaluate them either.
//!
//! A panic here is a compile error of the user's crate: these functions run in constants only.
#![allow(clippy::panic)]

use super::constant::Constant;
use crate::DeviceType;

/// The definition of a struct in C++.
#[derive(Debug)]
pub struct Definition {
    /// Its name, the same in both languages.
    pub name: &'static str,
    /// The structs among its fields, which are defined before it.
    pub parts: &'static [&'static Definition],
    /// The text.
    pub pieces: &'static [Piece],
}

/// A piece of a definition.
#[derive(Debug)]
pub enum Piece {
    /// Text, as it is.
    Text(&'static str),
    /// A number, in decimal.
    Number(usize),
    /// The line that defines a constant of Rust's.
    Constant(&'static Constant),
}

/// What a kernel's complete text is made of.
#[derive(Debug)]
pub struct Parts<'a> {
    /// The structs that the kernel names.
    pub definitions: &'a [&'a Definition],
    /// The comment at the top of the kernel's text, whole lines.
    pub title: &'a str,
    /// What messages of a compiler call the kernel's text.
    pub file: &'a str,
    /// The kernel's text after the title.
    pub text: &'a [Piece],
}

/// The definition of `T`, which the kernel knows by `name`.
///
/// # Panics
///
/// While rustc evaluates constants, and so as a compile error: where `T` is an alias, so that its
/// struct is defined by another name; or where it is no struct.
pub const fn definition<T: DeviceType>(name: &str) -> &'static Definition {
    match T::DEFINITION {
        Some(definition) if equal(definition.name, name) => definition,
        Some(_) => panic!(
            "C++ knows a struct by the name of its definition: write the struct's own name, not an alias of it"
        ),
        None => {
            panic!("C++ knows a number by its own name: write `f32` and the like, not an alias")
        }
    }
}

/// More structs than any kernel names; a kernel that has more is refused at compile time.
const MAX_DEFINITIONS: usize = 64;

/// The text's length.
pub const fn length(parts: &Parts<'_>) -> usize {
    let mut out = Out::<0>::new();
    out.all(parts);
    out.length
}

/// The text's bytes; `N` is its [`length`].
pub const fn concatenate<const N: usize>(parts: &Parts<'_>) -> [u8; N] {
    let mut out = Out::<N>::new();
    out.all(parts);
    out.bytes
}

/// The bytes as text.
pub const fn text(bytes: &'static [u8]) -> &'static str {
    if is_ascii(bytes) {
        // SAFETY: ASCII is UTF-8.
        return unsafe { core::str::from_utf8_unchecked(bytes) };
    }
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        // Made of whole strings, it is text.
        Err(_) => unreachable!(),
    }
}

/// Whether all bytes are ASCII, as those of nearly every text are. It looks at 16 bytes at once: what checks UTF-8 looks at each
/// byte where rustc evaluates it, and took most of the time in which a crate of many kernels was checked.
const fn is_ascii(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<16>();
    let (mut at, mut all) = (0, 0);
    while at < words.len() {
        all |= u128::from_ne_bytes(words[at]);
        at += 1;
    }
    all & u128::from_ne_bytes([0x80; 16]) == 0 && rest.is_ascii()
}

/// NVRTC has no standard headers, where the other compilers find `offsetof`.
const OFFSETOF: &str = "\
#ifdef __CUDACC_RTC__
#define offsetof(type, member) __INTADDR__(&((type *)0)->member)
#endif

";

/// Counts bytes, and keeps those that there is room for.
struct Out<'a, const N: usize> {
    bytes: [u8; N],
    length: usize,
    seen: [Option<&'a Definition>; MAX_DEFINITIONS],
    count: usize,
}

impl<'a, const N: usize> Out<'a, N> {
    const fn new() -> Self {
        Out { bytes: [0; N], length: 0, seen: [None; MAX_DEFINITIONS], count: 0 }
    }

    const fn all(&mut self, parts: &Parts<'a>) {
        self.text(parts.title);
        if parts.definitions.is_empty() {
            return self.pieces(parts.text);
        }
        self.text("\n");
        self.text(OFFSETOF);
        let mut at = 0;
        while at < parts.definitions.len() {
            self.definition(parts.definitions[at]);
            at += 1;
        }
        // From here on lines are counted as if nothing stood between title and text, which is how
        // the text's own second #line counts them.
        self.text("#line ");
        self.number(lines(parts.title) + 1);
        self.text(" \"");
        self.text(parts.file);
        self.text("\"\n");
        self.pieces(parts.text);
    }

    const fn pieces(&mut self, pieces: &[Piece]) {
        let mut at = 0;
        while at < pieces.len() {
            match pieces[at] {
                Piece::Text(text) => self.text(text),
                Piece::Number(number) => self.number(number),
                Piece::Constant(constant) => {
                    let (words, mut word) = (constant.pieces(), 0);
                    while word < words.len() {
                        self.bytes(words[word]);
                        word += 1;
                    }
                    self.text("\n");
                }
            }
            at += 1;
        }
    }

    const fn definition(&mut self, definition: &'a Definition) {
        let known = self.knows(definition);
        if !known {
            assert!(
                self.count < MAX_DEFINITIONS,
                "a kernel names 64 structs at most, with those among their fields: write some of them as one"
            );
            self.seen[self.count] = Some(definition);
            self.count += 1;
        }
        // Those of a known struct too: its parts may only have the names of the known one's.
        let mut at = 0;
        while at < definition.parts.len() {
            self.definition(definition.parts[at]);
            at += 1;
        }
        if known {
            return;
        }
        self.pieces(definition.pieces);
        self.text("\n");
    }

    /// Whether the struct is written already.
    const fn knows(&self, definition: &Definition) -> bool {
        let mut at = 0;
        while at < self.count {
            if let Some(seen) = self.seen[at]
                && equal(seen.name, definition.name)
            {
                assert!(
                    same(seen, definition),
                    "two different structs of one kernel have the same name, and C++ cannot tell them apart: rename one of them"
                );
                return true;
            }
            at += 1;
        }
        false
    }

    const fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    const fn number(&mut self, number: usize) {
        if number >= 10 {
            self.number(number / 10);
        }
        self.bytes(&[b'0' + (number % 10) as u8]);
    }

    /// Copied at once: rustc takes a hundred times as long for a loop over them.
    const fn bytes(&mut self, bytes: &[u8]) {
        // There is no room where only the length is asked for.
        if N > 0 {
            let (_, free) = self.bytes.split_at_mut(self.length);
            free.split_at_mut(bytes.len()).0.copy_from_slice(bytes);
        }
        self.length += bytes.len();
    }
}

/// The number of lines of whole lines.
const fn lines(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut lines, mut at) = (0, 0);
    while at < bytes.len() {
        lines += (bytes[at] == b'\n') as usize;
        at += 1;
    }
    lines
}

/// Whether two definitions are the same.
const fn same(a: &Definition, b: &Definition) -> bool {
    if a.pieces.len() != b.pieces.len() {
        return false;
    }
    let mut at = 0;
    while at < a.pieces.len() {
        let equal = match (&a.pieces[at], &b.pieces[at]) {
            (Piece::Text(a), Piece::Text(b)) => equal(a, b),
            (Piece::Number(a), Piece::Number(b)) => *a == *b,
            _ => false,
        };
        if !equal {
            return false;
        }
        at += 1;
    }
    true
}

const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_every_length_is_as_it_was() {
        for ascii in 0..40 {
            for end in ["", "…", "ä, and more than sixteen bytes"] {
                let whole: &'static str = format!("{:x<ascii$}{end}", "").leak();
                assert_eq!(text(whole.as_bytes()), whole);
                assert_eq!(is_ascii(whole.as_bytes()), end.is_empty());
            }
        }
    }
}
