//! A large body, which a kernel calls and does not inline: the Levenshtein distance of words of 16 letters.

use td_kernel::{Device, Result, td_kernel};

#[td_kernel]
pub unsafe fn levenshtein(
    #[each] word: &[u32],
    distance: &mut Packed<u8>,
    #[each] near: &mut Sums<u32>,
    total: &mut Sum<u64>,
) {
    include_str!("levenshtein.cu")
}

fn expected(a: u32, b: u32) -> u8 {
    let letter = |word: u32, at: usize| word >> (2 * at) & 3;
    let mut row: [u8; 17] = std::array::from_fn(|at| at as u8);
    for k in 0..16 {
        let mut before = std::mem::replace(&mut row[0], k as u8 + 1);
        for at in 0..16 {
            let replaced = before + u8::from(letter(a, k) != letter(b, at));
            before = row[at + 1];
            row[at + 1] = replaced.min(before.min(row[at]) + 1);
        }
    }
    row[16]
}

/// Compares all distances, and their sums.
///
/// # Errors
///
/// The kernel does not compile or run.
pub fn check(device: &Device) -> Result<()> {
    assert!(levenshtein::SOURCES.iter().all(|source| source.contains("__noinline__")));
    let words: Vec<u32> = (0..150_u32).map(|k| k.wrapping_mul(0x9e37_79b1)).collect();
    let mut distance = device.packed(words.len())?;
    let (mut near, mut total) = (device.sums(words.len())?, device.sum()?);
    let word = device.upload(&words)?;
    levenshtein::load(device)?.launch(&word, &mut distance, &mut near, &mut total)?;
    let (mut degrees, mut sum) = (vec![0; words.len()], 0);
    for ((i, j), found) in distance.download()?.iter() {
        let right = expected(words[i], words[j]);
        assert_eq!(*found, right, "({i}, {j}) on {}", device.name());
        sum += u64::from(right);
        degrees[i] += u32::from(right < 8);
        degrees[j] += u32::from(right < 8);
    }
    assert_eq!((near.download()?, total.download()?), (degrees, sum), "{}", device.name());
    Ok(())
}
