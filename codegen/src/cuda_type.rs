//! The table of Rust types and their CUDA names.
//!
//! The C++ names are CUDA's own, never the host's `long`, whose size depends on the platform.

/// A type in the generated source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CudaType {
    /// Its spelling in CUDA C++.
    pub(crate) name: String,
    /// Where its definition comes from.
    pub(crate) origin: Origin,
}

/// Where the definition of a CUDA type comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// CUDA C++ itself.
    Builtin,
    /// A helper of this crate: CUDA has no such type, or not with the same spelling in every version.
    Helper,
    /// A user's struct with `#[derive(DeviceType)]`.
    User,
}

/// Rust's name, CUDA's name, and the base name of CUDA's vector types.
const PRIMITIVES: &[(&str, &str, &str)] = &[
    ("f32", "float", "float"),
    ("f64", "double", "double"),
    ("i8", "signed char", "char"),
    ("u8", "unsigned char", "uchar"),
    ("i16", "short", "short"),
    ("u16", "unsigned short", "ushort"),
    ("i32", "int", "int"),
    ("u32", "unsigned int", "uint"),
    ("i64", "long long", "longlong"),
    ("u64", "unsigned long long", "ulonglong"),
];

/// The 16-bit floats of the crate `half`, and the helpers that define them in CUDA: NVRTC does not include the header of CUDA's
/// own.
const HALVES: &[(&str, &str)] = &[("f16", "td_f16"), ("bf16", "td_bf16")];

/// The most bytes of an array of more than four numbers: a thread keeps the sums of one such array in registers.
pub(crate) const MAX_WIDE_BYTES: usize = 256;

/// The CUDA type of `[name; length]` with more than four floats, if there is one.
pub(crate) fn wide(name: &str, length: usize) -> Option<CudaType> {
    let bytes = match name {
        "f32" => 4,
        "f64" => 8,
        _ => return None,
    };
    let number = primitive(name)?.name;
    let is_wide = length > 4 && bytes * length <= MAX_WIDE_BYTES;
    is_wide.then(|| helper(format!("td_wide<{number}, {length}>")))
}

/// The width of an array that a launch gives, in a source. A launch compiles the source for blocks of up to
/// [`MAX_GIVEN_WIDTH`] numbers.
pub(crate) const GIVEN_WIDTH: &str = "TD_ARRAY_WIDTH";

/// The most numbers in a block of such arrays.
const MAX_GIVEN_WIDTH: u32 = 16;

/// The CUDA type of a block of arrays of these floats, whose width a launch gives.
pub(crate) fn given_array(number: &CudaType) -> Option<CudaType> {
    let is_float = matches!(number.name.as_str(), "float" | "double");
    is_float.then(|| helper(format!("td_array<{}, {GIVEN_WIDTH}>", number.name)))
}

/// Whether the type is an array whose width a launch gives.
pub(crate) fn is_given_array(cuda: &CudaType) -> bool {
    cuda.name.starts_with("td_array<")
}

/// The CUDA name and the count of the floats in an array of more than four, as the source has it.
pub(crate) fn wide_parts(cuda: &CudaType) -> Option<(&str, &str)> {
    let parts = ["td_wide<", "td_array<"].iter().find_map(|start| cuda.name.strip_prefix(start))?;
    let parts = parts.strip_suffix('>')?;
    parts.split_once(", ")
}

/// The size in bytes of a type that is not a user's struct.
pub(crate) fn size(cuda: &CudaType) -> Option<u32> {
    if let Some((number, count)) = wide_parts(cuda) {
        let count = count.parse().unwrap_or(MAX_GIVEN_WIDTH);
        return Some(count * if number == "double" { 8 } else { 4 });
    }
    if is_half(cuda) {
        return Some(2 * parts(cuda).map_or(1, |(_, count)| count as u32));
    }
    let bytes = |rust: &str| {
        rust.trim_start_matches(['f', 'i', 'u']).parse().ok().map(|bits: u32| bits / 8)
    };
    PRIMITIVES.iter().find_map(|&(rust, name, stem)| {
        let count = match cuda.name.strip_prefix(stem) {
            _ if cuda.name == name => 1,
            _ if cuda.name == format!("td_vector4<{name}>") => 4,
            Some(count) => count.parse().ok()?,
            None => return None,
        };
        bytes(rust).map(|bytes| bytes * count)
    })
}

/// The CUDA name and the number of a vector's components; `None` if the type is not a vector.
pub(crate) fn parts(cuda: &CudaType) -> Option<(String, usize)> {
    let primitives = PRIMITIVES.iter().map(|&(rust, name, _)| (rust, name));
    primitives.chain(HALVES.iter().copied()).find_map(|(rust, name)| {
        let lengths = 2..=4;
        let length =
            lengths.into_iter().find(|&length| vector(rust, length).as_ref() == Some(cuda));
        length.map(|length| (name.to_owned(), length))
    })
}

/// Whether it is an unsigned number of at least 32 bits, or a vector of such.
pub(crate) fn has_unsigned_words(cuda: &CudaType) -> bool {
    let number = parts(cuda).map(|(number, _)| number);
    let number = number.as_ref().unwrap_or(&cuda.name);
    ["unsigned int", "unsigned long long"].contains(&number.as_str())
}

/// CUDA's type of this many bytes that a thread stores at once, if there is one.
pub(crate) fn stored_at_once(bytes: u32) -> Option<&'static str> {
    match bytes {
        4 => Some("unsigned int"),
        8 => Some("uint2"),
        16 => Some("uint4"),
        _ => None,
    }
}

/// The CUDA type of the Rust primitive `name`.
pub(crate) fn primitive(name: &str) -> Option<CudaType> {
    PRIMITIVES.iter().find(|row| row.0 == name).map(|row| builtin(row.1.into()))
}

/// Whether the type is that of one of these Rust primitives.
pub(crate) fn is_one_of(cuda: &CudaType, primitives: &[&str]) -> bool {
    primitives.iter().any(|name| primitive(name).as_ref() == Some(cuda))
}

/// The CUDA type of the 16-bit float `name` of the crate `half`.
pub(crate) fn half(name: &str) -> Option<CudaType> {
    HALVES.iter().find(|row| row.0 == name).map(|row| helper(row.1.into()))
}

/// Whether the type is a 16-bit float, or a vector of them.
pub(crate) fn is_half(cuda: &CudaType) -> bool {
    cuda.origin == Origin::Helper && halves(&cuda.name).next().is_some()
}

/// The type in which values of this type are compared. 16-bit floats are compared as `float`, which keeps their order.
pub(crate) fn compared(cuda: CudaType) -> CudaType {
    let count = parts(&cuda).map(|(_, count)| count);
    let as_floats = match count {
        _ if !is_half(&cuda) => None,
        Some(count) => vector("f32", count),
        None => primitive("f32"),
    };
    as_floats.unwrap_or(cuda)
}

/// The helpers of the 16-bit floats that a source names.
pub(crate) fn halves(text: &str) -> impl Iterator<Item = &'static str> {
    HALVES.iter().map(|row| row.1).filter(|helper| {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == *helper)
    })
}

/// The CUDA vector type of `[name; length]`, if there is one.
pub(crate) fn vector(name: &str, length: usize) -> Option<CudaType> {
    if let Some(half) = half(name) {
        let is_vector = (2..=4).contains(&length);
        return is_vector.then(|| helper(format!("td_floats<{}, {length}>", half.name)));
    }
    let (_, cuda, stem) = PRIMITIVES.iter().find(|row| row.0 == name)?;
    match length {
        // CUDA 13 renamed these four types and warns about the old names, so the source has its own.
        4 if name.ends_with("64") => Some(helper(format!("td_vector4<{cuda}>"))),
        2..=4 => Some(builtin(format!("{stem}{length}"))),
        _ => None,
    }
}

/// The CUDA type of the user's struct `name`.
pub(crate) fn user(name: String) -> CudaType {
    CudaType { name, origin: Origin::User }
}

/// Whether CUDA C++ has a vector type of this name.
pub(crate) fn is_vector(name: &str) -> bool {
    let (stem, length) = name.split_at(name.trim_end_matches(|c| ('1'..='4').contains(&c)).len());
    length.len() == 1 && PRIMITIVES.iter().any(|row| row.2 == stem)
}

fn helper(name: String) -> CudaType {
    CudaType { name, origin: Origin::Helper }
}

fn builtin(name: String) -> CudaType {
    CudaType { name, origin: Origin::Builtin }
}

/// The greatest magnitude of an 8-bit integer of this type; `None` for other types.
pub(crate) fn magnitude_of_byte(cuda: &CudaType) -> Option<u32> {
    match cuda.name.as_str() {
        "signed char" => Some(1 << 7),
        "unsigned char" => Some((1 << 8) - 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_match_rust() {
        for (rust, length, bytes) in [
            ("f32", 1, 4),
            ("f32", 3, 12),
            ("f64", 4, 32),
            ("u8", 2, 2),
            ("i16", 4, 8),
            ("u64", 1, 8),
            ("i64", 2, 16),
            ("f16", 1, 2),
            ("f16", 3, 6),
            ("bf16", 4, 8),
        ] {
            let cuda = match length {
                1 => primitive(rust).or_else(|| half(rust)),
                _ => vector(rust, length),
            };
            assert_eq!(cuda.as_ref().and_then(size), Some(bytes), "{rust} {length}");
        }
        assert_eq!(size(&user("Sphere".into())), None);
        assert_eq!(halves("float td_f16_x(td_bf16 *b);").collect::<Vec<_>>(), ["td_bf16"]);
    }

    #[test]
    fn vector_names_are_known() {
        for name in ["float4", "uchar1", "ulonglong3"] {
            assert!(is_vector(name), "{name}");
        }
        for name in ["float", "float5", "float44", "4", "", "sphere4"] {
            assert!(!is_vector(name), "{name}");
        }
    }
}
