//! Reads a compiled source's GPU resources from its machine code, an ELF file.

use std::fmt;

use object::elf::FileHeader64;
use object::read::elf::ElfFile;
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, SymbolIndex};

/// A function of a compiled source, and its GPU resources: in [`Checked`](super::Checked), for reviews of kernels.
///
/// `Display` writes a line for people:
///
/// ```no_run
/// # use td_kernel::testing;
/// for text in testing::compile_all(&[90])? {
///     for function in &text.functions {
///         println!("{text}: {function}");
///     }
/// }
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// ```text
/// edm 0, sm_90: 29 registers, 2112 bytes shared, 0 local, 469 instructions
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function {
    /// The function's name in the machine code.
    pub name: String,
    /// Registers per thread.
    pub registers: u32,
    /// Statically sized shared memory per block, in bytes. From compute capability 9.0 on, CUDA uses 1024 of these bytes.
    pub shared: u64,
    /// Local memory per thread, in bytes: spilled registers and the body's own arrays.
    pub local: u32,
    /// Instructions in the machine code, for all branches together. This is not the number executed per pair.
    pub instructions: u64,
}

impl fmt::Display for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Function { registers, shared, local, instructions, .. } = self;
        write!(
            formatter,
            "{registers} registers, {shared} bytes shared, {local} local, {instructions} instructions"
        )
    }
}

/// The kind of an entry in `.nv.info` whose value is a function's symbol and its registers.
const REGISTERS: u8 = 0x2f;

/// The kind with the bytes of a function's variables.
const FRAME: u8 = 0x11;

/// The bytes of an instruction, on all GPUs since compute capability 7.0.
const INSTRUCTION: u64 = 16;

/// The functions in the machine code, by name. `None` if its format is not that of NVIDIA's current tools.
pub(super) fn functions(cubin: &[u8], architecture: u32) -> Option<Vec<Function>> {
    let file = ElfFile::<FileHeader64<LittleEndian>>::parse(cubin).ok()?;
    let named_sections = |name: &str| file.sections().find(|section| section.name() == Ok(name));
    let facts = facts(named_sections(".nv.info")?.data().ok()?);
    let about = |symbol: SymbolIndex, kind: u8| {
        let is_about = |fact: &&Fact| fact.symbol == symbol.0 && fact.kind == kind;
        facts.iter().find(is_about).map(|fact| fact.value)
    };
    let mut functions = Vec::new();
    for symbol in file.symbols() {
        let Some(registers) = about(symbol.index(), REGISTERS) else { continue };
        let name = symbol.name().ok()?;
        let code = named_sections(&format!(".text.{name}"))?;
        let shared =
            named_sections(&format!(".nv.shared.{name}")).map_or(0, |section| section.size());
        // Before 7.0 an instruction has 8 bytes, and every fourth 8-byte word is control information for the three after it.
        let instructions = match architecture {
            70.. => instructions(code.data().ok()?),
            _ => code.size() / 8 * 3 / 4,
        };
        let (name, local) = (name.to_owned(), about(symbol.index(), FRAME)?);
        functions.push(Function { name, registers, shared, local, instructions });
    }
    functions.sort_by(|one, other| one.name.cmp(&other.name));
    (!functions.is_empty()).then_some(functions)
}

/// An entry of `.nv.info` about a function.
struct Fact {
    kind: u8,
    symbol: usize,
    value: u32,
}

/// The entries with a symbol and a number. Each entry of the list has its form, its kind, and a length or a value.
fn facts(mut entries: &[u8]) -> Vec<Fact> {
    const HAS_LENGTH: u8 = 4;
    let mut facts = Vec::new();
    while let Some((&[form, kind, low, high], rest)) = entries.split_first_chunk() {
        entries = rest;
        if form != HAS_LENGTH {
            continue;
        }
        let length = usize::from(u16::from_le_bytes([low, high]));
        let Some((value, rest)) = rest.split_at_checked(length) else { break };
        entries = rest;
        let words: Vec<u32> =
            value.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
        if let [symbol, value] = words[..] {
            facts.push(Fact { kind, symbol: symbol as usize, value });
        }
    }
    facts
}

/// The number of instructions before the padding at the end: an unreachable branch to itself, and no-ops.
fn instructions(code: &[u8]) -> u64 {
    // The twelve lowest bits are the opcode.
    const NOTHING: u16 = 0x918;
    const BRANCH: u16 = 0x947;
    let kinds: Vec<u16> = code
        .chunks_exact(INSTRUCTION as usize)
        .map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]) & 0xfff)
        .collect();
    let end = kinds.iter().rposition(|kind| *kind != NOTHING).map_or(0, |last| last + 1);
    let has_end = kinds[..end].last() == Some(&BRANCH);
    end as u64 - u64::from(has_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbol_entries_are_found() {
        let list = [
            &[3, 0x1b, 255, 0][..],
            &[4, REGISTERS, 8, 0, 12, 0, 0, 0, 40, 0, 0, 0],
            &[4, 0x0a, 4, 0, 1, 2, 3, 4],
            &[4, FRAME, 8, 0, 12, 0, 0, 0, 144, 1, 0, 0],
        ]
        .concat();
        let found = facts(&list);
        let found: Vec<_> = found.iter().map(|fact| (fact.kind, fact.symbol, fact.value)).collect();
        assert_eq!(found, [(REGISTERS, 12, 40), (FRAME, 12, 400)]);
        // A truncated entry does not count.
        for length in 0..list.len() {
            assert!(facts(&list[..length]).len() < 2, "{length}");
        }
    }

    #[test]
    fn padding_instructions_do_not_count() {
        let code = |kinds: &[u16]| -> Vec<u8> {
            kinds.iter().flat_map(|kind| [&kind.to_le_bytes()[..], &[0; 14]].concat()).collect()
        };
        assert_eq!(instructions(&code(&[0x221, 0x918, 0x94d, 0x947, 0x918, 0x918])), 3);
        assert_eq!(instructions(&code(&[0x221, 0x94d])), 2);
        assert_eq!(instructions(&[]), 0);
    }

    #[test]
    fn other_data_has_no_functions() {
        for bytes in [&b""[..], b"\x7fELF", b".version 8.0"] {
            assert_eq!(functions(bytes, 90), None);
        }
    }
}
