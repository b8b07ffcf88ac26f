//! A kernel's sources in parts, each stored once: the sources of variants differ in a few lines, and the CPU source has the
//! same bodies.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use proc_macro2::TokenStream;
use quote::quote;

use crate::cuda;
use crate::errors::Internal;
use crate::model::{Kernel, SourceInput};

/// A piece of a source.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Piece<'a> {
    /// A line, with its line break.
    Line(&'a str),
    /// The C++ definitions of the user's structs.
    Definitions,
    /// The line of the constant with this index.
    Constant(usize),
}

impl Piece<'_> {
    fn length(self) -> usize {
        match self {
            Piece::Line(line) => line.len(),
            // Large enough for a part of its own.
            _ => LEAST,
        }
    }
}

/// Parts as Rust expressions, and for each source the indices of its parts.
type Parts = (Vec<TokenStream>, Vec<Vec<usize>>);

/// The minimum size in bytes of a part: a reference to a smaller one takes as much space.
const LEAST: usize = 150;

/// All sources of a kernel: those of the variants, the one for the CPU, those over given pairs, the one for the CPU over all
/// pairs, and those that list near pairs.
pub(crate) fn all(kernel: &Kernel) -> Vec<SourceInput<'_>> {
    let pair_sources = kernel.entries_source().into_iter().flat_map(SourceInput::with_loops);
    let all = kernel.sources().chain(kernel.loops_source()).chain(pair_sources);
    let all = all.chain(kernel.partners_sources()).chain(kernel.all_pairs_loops());
    all.chain(kernel.list_source().into_iter().flat_map(SourceInput::with_loops)).collect()
}

/// The parts as Rust expressions, and for each source the indices of its parts.
pub(super) fn parts(kernel: &Kernel, inputs: &[SourceInput<'_>]) -> Result<Parts, Internal> {
    let written = inputs.iter().map(written).collect::<Result<Vec<_>, _>>()?;
    let mut stored = Vec::new();
    let runs: Vec<_> = written
        .iter()
        .map(|[title, rest]| store(&mut stored, &pieces(kernel, title, rest)))
        .collect();
    let ends = runs.iter().flatten().flat_map(|run| [run.start, run.end]);
    let given = stored.iter().enumerate().filter(|(_, piece)| !matches!(piece, Piece::Line(_)));
    let cuts: BTreeSet<usize> = ends.chain(given.flat_map(|(at, _)| [at, at + 1])).collect();
    let cuts: Vec<usize> = cuts.into_iter().collect();
    let parts = cuts.windows(2).map(|cut| part(kernel, &stored[cut[0]..cut[1]])).collect();
    let place = |at: usize| cuts.partition_point(|cut| *cut < at);
    let order = |runs: &Vec<Range<usize>>| {
        runs.iter().flat_map(|run| place(run.start)..place(run.end)).collect()
    };
    Ok((parts, runs.iter().map(order).collect()))
}

/// A source, split at the definitions of structs. Only rustc knows these, and the values of constants.
fn written(input: &SourceInput<'_>) -> Result<[String; 2], Internal> {
    let source = cuda::source(input)?;
    if !input.kernel.has_structs() {
        return Ok([String::new(), source]);
    }
    let (title, rest) = source.split_at(source.find("\n\n").map_or(0, |at| at + 1));
    Ok([title.to_owned(), cuda::after_title(input, title, rest)])
}

fn pieces<'a>(kernel: &Kernel, title: &'a str, rest: &'a str) -> Vec<Piece<'a>> {
    let mut pieces: Vec<_> = title.split_inclusive('\n').map(Piece::Line).collect();
    if kernel.has_structs() {
        pieces.push(Piece::Definitions);
    }
    // Constants come in order, before everything that the user has written.
    let names = kernel.constants.iter().map(|constant| cuda::constant_line(&constant.plain_name()));
    let mut names = names.enumerate().peekable();
    for line in rest.split_inclusive('\n') {
        let constant = names.next_if(|(_, name)| name == line);
        pieces.push(constant.map_or(Piece::Line(line), |(at, _)| Piece::Constant(at)));
    }
    pieces
}

/// Stores the pieces of a source that `stored` lacks, and returns the ranges of `stored` that make up the source.
fn store<'a>(stored: &mut Vec<Piece<'a>>, source: &[Piece<'a>]) -> Vec<Range<usize>> {
    let (mut runs, mut at): (Vec<Range<usize>>, _) = (Vec::new(), 0);
    let (earlier, mut places) = (stored.clone(), HashMap::<_, Vec<usize>>::new());
    for (place, piece) in earlier.iter().enumerate() {
        places.entry(piece).or_default().push(place);
    }
    while at < source.len() {
        let rest = &source[at..];
        let equal = |start: &usize| {
            let both = earlier[*start..].iter().zip(rest).take_while(|(a, b)| a == b);
            *start..start + both.count()
        };
        let length = |run: &Range<usize>| -> usize {
            earlier[run.clone()].iter().map(|piece| piece.length()).sum()
        };
        let longest = places.get(&source[at]).into_iter().flatten().map(equal).max_by_key(length);
        let run = longest.filter(|run| length(run) >= LEAST).unwrap_or_else(|| {
            stored.push(source[at]);
            stored.len() - 1..stored.len()
        });
        at += run.len();
        match runs.last_mut() {
            Some(last) if last.end == run.start => last.end = run.end,
            _ => runs.push(run),
        }
    }
    runs
}

/// A part: lines, or one of the other pieces.
fn part(kernel: &Kernel, pieces: &[Piece<'_>]) -> TokenStream {
    let name = &kernel.name;
    match *pieces {
        [Piece::Definitions] => quote!(#name::TD_DEFINITIONS),
        [Piece::Constant(at)] => quote!(#name::TD_CONSTANTS[#at]),
        _ => {
            let lines = pieces.iter().map(|piece| match piece {
                Piece::Line(line) => line,
                _ => "",
            });
            let lines: String = lines.collect();
            quote!(#lines)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_lines_are_stored_once() {
        let [long, other] = ["x".repeat(LEAST), "y".repeat(LEAST)];
        let [long, other] = [&long, &other].map(|line| Piece::Line(line));
        let [a, b] = ["a", "b"].map(Piece::Line);
        let sources =
            [vec![a, long, b], vec![b, long, a, long, b], vec![other, Piece::Constant(0)]];
        let mut stored = Vec::new();
        let runs = sources.each_ref().map(|source| store(&mut stored, source));
        for (source, runs) in sources.iter().zip(&runs) {
            let pieces = runs.iter().flat_map(|run| &stored[run.clone()]);
            assert!(pieces.eq(source));
        }
        assert_eq!(runs[1], [3..4, 1..2, 0..3]);
        assert_eq!(stored.iter().filter(|piece| **piece == long).count(), 1);
    }
}
