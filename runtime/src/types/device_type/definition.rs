//! Writes the C++ definitions of the user's structs into a kernel source, while rustc evaluates constants.
//!
//! A kernel's macro sees only the name of a struct. The struct's derive has the definition, and only rustc has sizes and
//! offsets. So the derive generates a [`Definition`], the kernel names the definitions that it uses, and [`concatenate`] writes
//! each of them once, inside a constant. Rust constants are written in the same way, since a macro cannot evaluate them,
//! either. Both are written once for a kernel, and then joined with the rest of each source.
//!
//! rustc interprets these functions: one step takes as long as hundreds in compiled code. So strings are copied as a whole, and
//! as little as possible is generic: rustc resolves the types of a generic function again at each step.
//!
//! A panic here is a compile error in the user's crate: these functions run only in constants.
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
    /// The pieces of its source.
    pub pieces: &'static [Piece],
}

/// A piece of a definition.
#[derive(Debug)]
pub enum Piece {
    /// A literal string.
    Text(&'static str),
    /// A number, in decimal.
    Number(usize),
}

/// What a string is made of.
#[derive(Debug)]
pub enum Parts<'a> {
    /// The definitions of the structs that a kernel names and of the structs among their fields, each once, after a blank line
    /// and the macro `offsetof`.
    Definitions(&'a [&'a Definition]),
    /// The line that defines a Rust constant.
    Constant(&'a Constant),
    /// Strings; the second list has the indices of those to write, in order.
    Texts(&'a [&'a str], &'a [usize]),
}

/// A string of `N` bytes.
#[derive(Debug)]
pub struct Text<const N: usize>([u8; N]);

/// The definition of `T`, which the kernel calls `name`.
///
/// # Panics
///
/// As a compile error, while rustc evaluates constants: `T` is an alias, so its struct has another name; or it is not a struct.
pub const fn definition<T: DeviceType>(name: &str) -> &'static Definition {
    match T::DEFINITION {
        Some(definition) if equal(definition.name, name) => definition,
        Some(_) => panic!(
            "C++ uses the name of a struct's definition: write the struct's own name, not an alias of it"
        ),
        None => {
            panic!("C++ does not know aliases of numbers: write the number's own name, as `f32`")
        }
    }
}

/// More structs than any kernel needs. A kernel with more is rejected at compile time.
const MAX_DEFINITIONS: usize = 64;

/// The length in bytes.
pub const fn length(parts: &Parts<'_>) -> usize {
    write(parts, &mut [])
}

/// The string; `N` is its [`length`].
pub const fn concatenate<const N: usize>(parts: &Parts<'_>) -> Text<N> {
    let mut bytes = [0; N];
    write(parts, &mut bytes);
    Text(bytes)
}

/// The string as a `str`.
pub const fn text<const N: usize>(text: &'static Text<N>) -> &'static str {
    // SAFETY: only `concatenate` makes a `Text`, from whole strings and from a constant's pieces, which are whole strings, too.
    // If `N` is more than their length, zeros follow. That is UTF-8. A check would take most of the time for checking a crate
    // of many kernels.
    unsafe { core::str::from_utf8_unchecked(&text.0) }
}

/// Writes the string and returns its length. If `bytes` is empty, it only counts.
const fn write(parts: &Parts<'_>, bytes: &mut [u8]) -> usize {
    let mut out = Out { bytes, length: 0, seen: [None; MAX_DEFINITIONS], count: 0 };
    let mut at = 0;
    match parts {
        Parts::Definitions(definitions) => {
            out.text("\n");
            out.text(OFFSETOF);
            while at < definitions.len() {
                out.definition(definitions[at]);
                at += 1;
            }
        }
        Parts::Constant(constant) => {
            let pieces = constant.pieces();
            while at < pieces.len() {
                out.bytes(pieces[at]);
                at += 1;
            }
            out.text("\n");
        }
        Parts::Texts(texts, order) => {
            while at < order.len() {
                out.text(texts[order[at]]);
                at += 1;
            }
        }
    }
    out.length
}

/// NVRTC lacks the standard header with `offsetof`.
const OFFSETOF: &str = "\
#ifdef __CUDACC_RTC__
#define offsetof(type, member) __INTADDR__(&((type *)0)->member)
#endif

";

/// Counts bytes, and stores them if there is room.
struct Out<'a, 'b> {
    bytes: &'b mut [u8],
    length: usize,
    seen: [Option<&'a Definition>; MAX_DEFINITIONS],
    count: usize,
}

impl<'a> Out<'a, '_> {
    const fn definition(&mut self, definition: &'a Definition) {
        let known = self.knows(definition);
        if !known {
            assert!(
                self.count < MAX_DEFINITIONS,
                "a kernel can use at most 64 structs, including the structs in their fields: combine some of them"
            );
            self.seen[self.count] = Some(definition);
            self.count += 1;
        }
        // Also visit a known struct's parts: they may only have the same names as the first one's.
        let mut at = 0;
        while at < definition.parts.len() {
            self.definition(definition.parts[at]);
            at += 1;
        }
        if known {
            return;
        }
        let mut at = 0;
        while at < definition.pieces.len() {
            match definition.pieces[at] {
                Piece::Text(text) => self.text(text),
                Piece::Number(number) => self.number(number),
            }
            at += 1;
        }
        self.text("\n");
    }

    /// Whether the struct is already written.
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

    /// Copies as a whole: rustc takes a hundred times as long for a loop.
    const fn bytes(&mut self, bytes: &[u8]) {
        // `bytes` is empty when only the length is needed.
        if !self.bytes.is_empty() {
            let (_, free) = self.bytes.split_at_mut(self.length);
            free.split_at_mut(bytes.len()).0.copy_from_slice(bytes);
        }
        self.length += bytes.len();
    }
}

/// Whether two definitions are equal.
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

/// Whether two strings are equal. Compares 16 bytes at a time.
const fn equal(a: &str, b: &str) -> bool {
    let (a, a_rest) = a.as_bytes().as_chunks::<16>();
    let (b, b_rest) = b.as_bytes().as_chunks::<16>();
    if a.len() != b.len() || a_rest.len() != b_rest.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if u128::from_ne_bytes(a[at]) != u128::from_ne_bytes(b[at]) {
            return false;
        }
        at += 1;
    }
    at = 0;
    while at < a_rest.len() {
        if a_rest[at] != b_rest[at] {
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
    fn comparison_covers_every_byte() {
        for length in 0..40 {
            let text = "x".repeat(length);
            assert!(equal(&text, &text.clone()));
            assert!(!equal(&text, &format!("{text}x")));
            for at in 0..length {
                let mut other = text.clone();
                other.replace_range(at..=at, "y");
                assert!(!equal(&text, &other));
            }
        }
    }

    #[test]
    fn concatenation_keeps_whole_strings() {
        const PARTS: Parts<'_> = Parts::Texts(&["…", "ä, ", ""], &[1, 2, 0]);
        const TEXT: Text<{ length(&PARTS) }> = concatenate(&PARTS);
        assert_eq!(text(&TEXT), "ä, …");
    }
}
