//! The colours of a picture. All are light, so that dark numbers can be read on them.

/// Tints that can be told apart with every kind of colour blindness, also when adjacent. A picture with more launches
/// repeats them; the numbers still tell the launches apart.
const TINTS: [[u8; 3]; 4] =
    [[0xb3, 0xdc, 0xf7], [0xf0, 0xa3, 0x5e], [0xfb, 0xeb, 0x9a], [0x9f, 0x8f, 0xd0]];

/// The first and the last tint of a single launch.
const RAMP: [[u8; 3]; 2] = [[0xe0, 0xef, 0xfc], [0x6f, 0xb1, 0xe6]];
/// How many tints a ramp has. Cells of one tint share their text in the file.
const STEPS: usize = 12;

/// The tint of the launch, or of the walking block, at this index.
pub(super) fn of(index: usize) -> String {
    hexadecimal(TINTS[index % TINTS.len()])
}

/// The tint of block `index` of `blocks`: later blocks are darker.
pub(super) fn ramp(index: usize, blocks: usize) -> String {
    let step = index * STEPS / blocks.max(1);
    let [from, to] = RAMP;
    let mixed = [0, 1, 2].map(|part| {
        let whole = usize::from(from[part]) * (STEPS - 1 - step) + usize::from(to[part]) * step;
        (whole / (STEPS - 1)) as u8
    });
    hexadecimal(mixed)
}

fn hexadecimal([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_goes_from_its_first_tint_to_its_last() {
        assert_eq!(ramp(0, 91), hexadecimal(RAMP[0]));
        assert_eq!(ramp(90, 91), hexadecimal(RAMP[1]));
        assert_eq!(ramp(0, 1), hexadecimal(RAMP[0]));
    }
}
