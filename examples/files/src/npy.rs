//! Reads two-dimensional arrays of numbers in NumPy's format.

/// The rows of an array.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) values: Numbers,
    pub(crate) width: usize,
}

/// The numbers of an array: integers as they are, others as doubles.
#[derive(Debug)]
pub(crate) enum Numbers {
    Integers(Vec<i128>),
    Floats(Vec<f64>),
}

/// The rows of an array (format versions 1 to 3), of floats, integers or booleans of any size and byte order.
pub(crate) fn read(bytes: &[u8]) -> Result<Rows, String> {
    let cut = || "the file ends before its array".to_owned();
    let begin = bytes.strip_prefix(b"\x93NUMPY").ok_or("it is not an array of NumPy")?;
    let (length, begin) = match begin.first() {
        Some(1) => (begin.get(2..4).map(|two| u32::from(u16::from_le_bytes([two[0], two[1]]))), 4),
        _ => (begin.get(2..6).map(|all| u32::from_le_bytes([all[0], all[1], all[2], all[3]])), 6),
    };
    let data = bytes.get(6 + begin..).ok_or_else(cut)?;
    let (header, data) = data.split_at_checked(length.ok_or_else(cut)? as usize).ok_or_else(cut)?;
    let header = String::from_utf8_lossy(header);
    let field = |name: &str| {
        let (_, rest) = header.split_once(&format!("'{name}'"))?;
        Some(rest.trim_start().strip_prefix(':')?.trim_start().to_owned())
    };
    let fields = (field("descr"), field("fortran_order"), field("shape"));
    let (Some(kind), Some(order), Some(shape)) = fields else {
        return Err("the header of the array does not have descr, fortran_order and shape".into());
    };
    let kind = kind.strip_prefix('\'').and_then(|kind| kind.split_once('\'')).map(|(kind, _)| kind);
    let kind =
        kind.ok_or("it is an array of records: save its numbers as a two-dimensional array")?;
    // Python 2 wrote long numbers with an L.
    let sizes = shape.strip_prefix('(').and_then(|shape| shape.split_once(')')).ok_or_else(cut)?.0;
    let sizes = sizes.split(',').map(|size| size.trim().trim_end_matches('L'));
    let sizes: Option<Vec<usize>> =
        sizes.filter(|size| !size.is_empty()).map(|size| size.parse().ok()).collect();
    let Some([rows, width]) = sizes.as_deref() else {
        return Err(format!("an array of two dimensions is needed, and its shape is ({shape}"));
    };
    let (rows, width) = (*rows, *width);
    let (byte_order, letter, size) = match (kind.get(..1), kind.get(1..2), kind.get(2..)) {
        (Some(order), Some(letter), Some(size)) => (order, letter, size.parse().unwrap_or(0)),
        _ => ("", "", 0),
    };
    let count = rows.checked_mul(width).ok_or_else(cut)?;
    let data = count.checked_mul(size).and_then(|length| data.get(..length)).ok_or_else(cut)?;
    // The bytes of a number, the least significant first, without those that it does not have.
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(bytes);
        if byte_order == ">" {
            word[..size].reverse();
        }
        u64::from_le_bytes(word)
    };
    let (is_signed, is_float) = match (letter, size) {
        ("f", 2 | 4 | 8) => (false, true),
        ("i", 1 | 2 | 4 | 8) => (true, false),
        ("u", 1 | 2 | 4 | 8) | ("b", 1) => (false, false),
        _ => {
            return Err(format!(
                "the type {kind} is not supported: save the array as floats or integers, with astype"
            ));
        }
    };
    let at = |slot: usize| match order.starts_with("True") {
        true => slot % width * rows + slot / width,
        false => slot,
    };
    let words = (0..count).map(|slot| word(&data[at(slot) * size..][..size]));
    let values = match (is_float, size) {
        (true, 2) => Numbers::Floats(words.map(|word| half(word as u16)).collect()),
        (true, 4) => {
            Numbers::Floats(words.map(|word| f32::from_bits(word as u32).into()).collect())
        }
        (true, _) => Numbers::Floats(words.map(f64::from_bits).collect()),
        (false, _) => {
            let unused = 64 - 8 * size as u32;
            Numbers::Integers(match is_signed {
                true => words.map(|word| i128::from((word << unused) as i64 >> unused)).collect(),
                false => words.map(i128::from).collect(),
            })
        }
    };
    Ok(Rows { values, width })
}

/// A float of 16 bits.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}
