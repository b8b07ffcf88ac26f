//! The changes of lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// A line of generated sources, and what replaces it.
#[derive(Debug)]
pub(crate) struct Mutant {
    /// What the line is for: a sweep, or a function that sweeps share.
    pub(crate) kind: String,
    /// The line.
    pub(crate) line: String,
    /// The changed line.
    pub(crate) changed: String,
}

/// What replaces what.
const CHANGES: [(&str, &str); 22] = [
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" == ", " != "),
    (" != ", " == "),
    (" && ", " || "),
    (" || ", " && "),
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    (" / ", " * "),
    (" % ", " / "),
    (" += ", " -= "),
    (" -= ", " += "),
    (" & ", " | "),
    (" | ", " & "),
    (" << ", " >> "),
    (" >> ", " << "),
    (" 1", " 2"),
    (" 0", " 1"),
    ("min(", "max("),
];

/// The lines that the generator wrote: without those of the user's body, comments and what has no effect.
pub(crate) fn own_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut is_own = true;
    text.lines().filter(move |line| {
        if let Some(at) = line.strip_prefix("#line ") {
            // The user's lines begin with a line of the user's file, and end with a line of the generated one.
            is_own = at.contains(".cu\"") || at.contains(".cpp\"");
        }
        let code = line.trim();
        let is_code = !code.is_empty() && !code.starts_with("//") && !code.starts_with('#');
        is_own && is_code && code.len() > 3
    })
}

/// Every change of a line: one of each kind, and without the statement.
fn changes(line: &str) -> Vec<String> {
    let mut all: Vec<_> = CHANGES
        .iter()
        .filter_map(|(from, to)| {
            let at = line.find(from)?;
            Some(format!("{}{to}{}", &line[..at], &line[at + from.len()..]))
        })
        .collect();
    let code = line.trim();
    let is_declaration = code.contains(" = ") && code.split(' ').count() > 3 && !code.contains("[");
    if code.ends_with(';') && !code.starts_with("return") && !is_declaration {
        all.push(";".to_owned());
    }
    all
}

/// This many mutants of each kind, of lines that differ by more than names. They depend on the seed.
pub(crate) fn mutants(
    kinds: &BTreeMap<String, BTreeSet<&'static str>>,
    count: usize,
    seed: u64,
) -> Vec<Mutant> {
    let functions = functions();
    let mut lines = BTreeMap::new();
    for line in kinds.keys() {
        lines.entry(plain(line)).or_insert(line);
    }
    let mut all: Vec<_> = lines
        .values()
        .flat_map(|line| changes(line).into_iter().map(|changed| ((*line).clone(), changed)))
        .map(|(line, changed)| {
            let kind = kind(&functions, &line, &kinds[&line]);
            Mutant { kind, line, changed }
        })
        .collect();
    println!("{} lines, {} mutants", lines.len(), all.len());
    all.sort_by_cached_key(|Mutant { line, changed, .. }| hash(seed, &format!("{line}{changed}")));
    let mut counts = BTreeMap::<_, usize>::new();
    all.retain(|mutant| {
        let own = counts.entry(mutant.kind.clone()).or_default();
        *own += 1;
        *own <= count
    });
    all
}

/// The lines of the functions that sweeps share, with what their files are for.
fn functions() -> BTreeMap<String, &'static str> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../codegen/cuda");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut lines = BTreeMap::new();
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        let kind = match () {
            () if has(&["bins", "counts", "tally"]) => "histograms",
            () if has(&["join", "state"]) => "states",
            () => "functions",
        };
        let text = fs::read_to_string(file).unwrap();
        lines.extend(text.lines().map(|line| (line.trim().to_owned(), kind)));
    }
    lines
}

/// What a line is for, in sources of these sweeps.
fn kind(
    functions: &BTreeMap<String, &'static str>,
    line: &str,
    sweeps: &BTreeSet<&'static str>,
) -> String {
    let sweep = sweeps.first().filter(|_| sweeps.len() == 1);
    let function = functions.get(line.trim()).filter(|_| line.contains(char::is_alphabetic));
    (*function.or(sweep).unwrap_or(&"several sweeps")).to_owned()
}

/// A line without the names of parameters.
fn plain(line: &str) -> String {
    let mut words = line.split('_');
    let first = words.next().unwrap_or_default();
    let begin = first.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    let rest: Vec<_> = words.collect();
    format!("{begin}_{}", rest.join("_"))
}

fn hash(seed: u64, text: &str) -> u64 {
    text.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(5)
    })
}
