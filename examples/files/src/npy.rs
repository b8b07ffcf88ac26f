//! Reads two-dimensional arrays of numbers in NumPy's format.

use half::f16;

/// The width and the values of an array (format versions 1 to 3), of floats, integers or booleans of any size and byte order. With
/// them the numbers themselves, if a double does not hold all of them; else none.
pub(crate) fn read(bytes: &[u8]) -> Result<(usize, Vec<f64>, Vec<i128>), String> {
    let cut = || "the file ends before its array".to_owned();
    let Some(begin) = bytes.strip_prefix(b"\x93NUMPY") else {
        return Err("this is not an array of NumPy: write one with numpy.save".into());
    };
    let (length, begin) = match begin.first() {
        Some(1) => (begin.get(2..4).map(|two| u32::from(u16::from_le_bytes([two[0], two[1]]))), 4),
        _ => (begin.get(2..6).map(|all| u32::from_le_bytes([all[0], all[1], all[2], all[3]])), 6),
    };
    let data = bytes.get(6 + begin..).ok_or_else(cut)?;
    let (header, data) = data.split_at_checked(length.ok_or_else(cut)? as usize).ok_or_else(cut)?;
    let header = String::from_utf8_lossy(header);
    let field = |name: &str| {
        let (_, rest) = header.split_once(&format!("'{name}'"))?;
        Some(rest.trim_start().strip_prefix(':')?.trim_start())
    };
    let fields = (field("descr"), field("fortran_order"), field("shape"));
    let (Some(kind), Some(order), Some(shape)) = fields else {
        return Err("the header of the array does not have descr, fortran_order and shape".into());
    };
    let kind = kind.strip_prefix('\'').and_then(|kind| kind.split_once('\'')).map(|(kind, _)| kind);
    let kind =
        kind.ok_or("it is an array of records: save its numbers as a two-dimensional array")?;
    let (shape, _) = shape.trim_start_matches('(').split_once(')').ok_or_else(cut)?;
    // Python 2 wrote long numbers with an L.
    let sizes = shape.split(',').map(|size| size.trim().trim_end_matches('L'));
    let sizes: Option<Vec<usize>> =
        sizes.filter(|size| !size.is_empty()).map(|size| size.parse().ok()).collect();
    let Some([rows, width]) = sizes.as_deref() else {
        let problem = format!("expected an array of two dimensions, got the shape ({shape})");
        return Err(problem + ": write one row for each element, as a.reshape(len(a), -1)");
    };
    let (byte_order, kind_and_size) = kind.split_at_checked(1).unwrap_or_default();
    let unsupported = "is not supported: save the array as floats or integers, with astype";
    let number: fn(u64) -> f64 = match kind_and_size {
        "f2" => |bits| f16::from_bits(bits as u16).into(),
        "f4" => |bits| f32::from_bits(bits as u32).into(),
        "f8" => f64::from_bits,
        "i1" => |bits| (bits as i8).into(),
        "i2" => |bits| (bits as i16).into(),
        "i4" => |bits| (bits as i32).into(),
        "i8" => |bits| bits as i64 as f64,
        "b1" | "u1" | "u2" | "u4" | "u8" => |bits| bits as f64,
        _ => return Err(format!("the type {kind} {unsupported}")),
    };
    let size = usize::from(kind_and_size.as_bytes()[1] - b'0');
    let count = rows.checked_mul(*width).ok_or_else(cut)?;
    let data = count.checked_mul(size).and_then(|length| data.get(..length)).ok_or_else(cut)?;
    let bits = |slot: usize| {
        let at = if order.starts_with("True") { slot % width * rows + slot / width } else { slot };
        // The least significant byte first.
        let mut word = [0; 8];
        word[..size].copy_from_slice(&data[at * size..][..size]);
        if byte_order == ">" {
            word[..size].reverse();
        }
        u64::from_le_bytes(word)
    };
    let values: Vec<f64> = (0..count).map(|slot| number(bits(slot))).collect();
    let is_signed = kind_and_size == "i8";
    let integer = |slot| if is_signed { (bits(slot) as i64).into() } else { bits(slot).into() };
    let is_inexact = |slot| values[slot] as i128 != integer(slot);
    let is_wide = (is_signed || kind_and_size == "u8") && (0..count).any(is_inexact);
    let integers = if is_wide { (0..count).map(integer).collect() } else { Vec::new() };
    Ok((*width, values, integers))
}
