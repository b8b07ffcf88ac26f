//! The texts of every map: with each root, space, diagonal and size of tiles, for ranges of rows, and for blocks that 64 bits count.

use rayon::prelude::*;
use td_kernel::maps::{MAPS, Root};
use td_kernel::nvrtc;
use td_kernel_tests::{Choice, bands, every, rows, source};

use super::{architectures, by_turns, compiles_for, is_understood};

/// The choices whose texts become machine code: every size of tile of `ltm`; the walk in every sweep, since its loop is around
/// the sweep; and every other map, root, space and grid in some sweep, by turns. What these leave to a sweep is two numbers, and
/// how they are found needs no registers any more. The emulator runs each of a map's texts, and a GPU every choice.
fn optimized(all: &[Choice]) -> Vec<Choice> {
    let is_first =
        |choice: &&Choice| choice.map == "ltm" && choice.root == Root::Exact && !choice.linear;
    let mut chosen: Vec<_> = all.iter().filter(is_first).copied().collect();
    let others = bands::covering_of(all).into_iter().filter(|choice| !is_first(&choice));
    let (walks, others): (Vec<_>, Vec<_>) = others.partition(|choice| choice.map == "walk");
    chosen.extend(walks);
    let way = |choice: &Choice| (choice.map, choice.root, choice.space, choice.linear);
    let of_each_way = others.chunk_by(|a, b| way(a) == way(b)).enumerate();
    chosen.extend(of_each_way.map(|(turn, alike)| alike[turn % alike.len()]));
    chosen
}

/// The others, whose texts are only read.
fn read_only<'a>(all: &'a [Choice], optimized: &[Choice]) -> Vec<&'a Choice> {
    all.iter().filter(|choice| !optimized.contains(choice)).collect()
}

#[test]
fn every_combination_compiles() {
    let choices: Vec<_> = Choice::all().into_iter().chain(Choice::tiles()).collect();
    let optimized = optimized(&choices);
    read_only(&choices, &optimized).par_iter().for_each(|choice| {
        let attribute = choice.attribute();
        is_understood(&attribute, &source(&attribute, &every::item(choice)));
    });
    for map in MAPS {
        assert!(optimized.iter().any(|choice| choice.map == map.name()), "{}", map.name());
    }
    optimized.par_iter().enumerate().for_each(|(turn, choice)| {
        let attribute = choice.attribute();
        compiles_for(&attribute, &source(&attribute, &every::item(choice)), &by_turns(turn));
    });
}

/// The texts for ranges of rows, and texts that count blocks in 64 bits: of the two of a choice, one becomes machine code, by
/// turns, and the other is read.
#[test]
fn every_combination_compiles_for_rows() {
    let able = bands::able();
    let text = |choice: &Choice| {
        let (attribute, item) = (choice.attribute(), every::item(choice));
        rows(&attribute, &item).unwrap_or_else(|| panic!("{choice:?} has no text"))
    };
    let wide = |choice: &Choice, text: &str| {
        let is_wide = choice.takes_root && choice.root == Root::Exact;
        is_wide.then(|| format!("#define TD_WIDE\n{text}"))
    };
    let optimized = optimized(&able);
    read_only(&able, &optimized).par_iter().for_each(|choice| {
        let (attribute, text) = (choice.attribute(), text(choice));
        is_understood(&attribute, &text);
        if let Some(text) = wide(choice, &text) {
            is_understood(&attribute, &text);
        }
    });
    optimized.par_iter().enumerate().for_each(|(turn, choice)| {
        let (attribute, text) = (choice.attribute(), text(choice));
        let (compiled, read) = match wide(choice, &text) {
            Some(wide) if turn % 2 == 1 => (wide, Some(text)),
            wide => (text, wide),
        };
        compiles_for(&attribute, &compiled, &by_turns(turn));
        if let Some(read) = read {
            is_understood(&attribute, &read);
        }
    });
    // The choices without such a text are known as well.
    let able: Vec<_> = able.iter().map(Choice::attribute).collect();
    for choice in Choice::all().iter().chain(&Choice::tiles()) {
        let attribute = choice.attribute();
        let has_text = rows(&attribute, &every::item(choice)).is_some();
        assert_eq!(has_text, able.contains(&attribute) && !choice.square, "{choice:?}");
    }
}

/// Every map on some of the architectures that NVRTC knows, by turns, and its text for all rows or the one for some: each
/// architecture has both of several maps.
#[test]
fn every_map_compiles_for_every_architecture() {
    let (known, usual) = (nvrtc::architectures().unwrap(), architectures());
    assert!(known.len() >= usual.len() && known.iter().all(|each| *each >= 60), "{known:?}");
    Choice::maps().par_iter().enumerate().for_each(|(place, choice)| {
        let attribute = choice.attribute();
        let texts = [Some(source(&attribute, every::ITEM)), rows(&attribute, every::ITEM)];
        let texts: Vec<_> = texts.iter().flatten().collect();
        let others = known.iter().filter(|each| !usual.contains(each));
        let turns = others.enumerate().map(|(turn, each)| (place + turn, each));
        for (turn, &architecture) in turns.filter(|(turn, _)| turn.is_multiple_of(3)) {
            let text = texts[turn / 3 % texts.len()];
            let compiled = nvrtc::compile("every", text, architecture).unwrap();
            assert_eq!(compiled.warnings, "", "{choice:?}, sm_{architecture}");
        }
    });
}

#[test]
fn wide_lambdas_compile() {
    let usual = architectures();
    let ends = [usual[0], usual[usual.len() - 1]];
    // The oldest and the newest by turns, where machine code is made: of each map, both have texts.
    let all = Choice::all().into_iter().filter(|choice| choice.root == Root::Exact);
    all.collect::<Vec<_>>().par_iter().enumerate().for_each(|(turn, choice)| {
        let source = source(&choice.attribute(), every::ITEM);
        let text = format!("#define TD_WIDE\n{source}");
        // Of the six choices of a map one size of blocks, another one in the next map, without the diagonal and with it.
        let (map, place) = (turn / 6, turn % 6);
        match (map + place) % 3 {
            0 => compiles_for(&choice.attribute(), &text, &ends[(map + place / 3) % 2..][..1]),
            _ => is_understood(&choice.attribute(), &text),
        }
    });
}
