//! The texts of every map: with each root, space, diagonal and size of tiles, for ranges of rows, and for blocks that 64 bits count.

use rayon::prelude::*;
use td_kernel::maps::Root;
use td_kernel::nvrtc;
use td_kernel_tests::covering::{EVERY, chosen, covering};
use td_kernel_tests::{Choice, bands, every, rows, source};

use super::{architectures, by_turns, compiles_for, is_understood};

/// Every map with each root, space and grid, every sweep in each map, and every size of tile becomes machine code. What these
/// leave to a sweep is two numbers, and how they are found needs no registers any more, so that the other combinations are at
/// most read. The emulator runs each of a map's texts, and a GPU every choice.
#[test]
fn every_combination_compiles() {
    let all: Vec<_> = Choice::all().into_iter().chain(Choice::tiles()).collect();
    let compiled = covering(&all, Choice::properties);
    compiled.par_iter().enumerate().for_each(|(turn, choice)| {
        let attribute = choice.attribute();
        compiles_for(&attribute, &source(&attribute, &every::item(choice)), &by_turns(turn));
    });
    read_only(&all, &compiled).par_iter().for_each(|choice| {
        let attribute = choice.attribute();
        is_understood(&attribute, &source(&attribute, &every::item(choice)));
    });
}

/// The choices that are not compiled, if every combination is tried.
fn read_only<'a>(all: &'a [Choice], compiled: &[Choice]) -> Vec<&'a Choice> {
    all.iter().filter(|choice| EVERY && !compiled.contains(choice)).collect()
}

/// The texts for ranges of rows, and texts that count blocks in 64 bits: of the two of a choice, one becomes machine code, by
/// turns, and the other is at most read.
#[test]
fn every_combination_compiles_for_rows() {
    let able = bands::able();
    let texts = |choice: &Choice| {
        let (attribute, item) = (choice.attribute(), every::item(choice));
        let usual = rows(&attribute, &item);
        let usual = usual.unwrap_or_else(|| panic!("{choice:?} has no text"));
        let has_wide = choice.takes_root && choice.root == Root::Exact;
        let wide = has_wide.then(|| format!("#define TD_WIDE\n{usual}"));
        (attribute, [Some(usual), wide])
    };
    let compiled = covering(&able, Choice::properties);
    compiled.par_iter().enumerate().for_each(|(turn, choice)| {
        let (attribute, texts) = texts(choice);
        let texts: Vec<_> = texts.iter().flatten().collect();
        for (at, text) in texts.iter().enumerate() {
            match turn % texts.len() == at {
                true => compiles_for(&attribute, text, &by_turns(turn)),
                false if EVERY => is_understood(&attribute, text),
                false => {}
            }
        }
    });
    read_only(&able, &compiled).par_iter().for_each(|choice| {
        let (attribute, texts) = texts(choice);
        texts.iter().flatten().for_each(|text| is_understood(&attribute, text));
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
    let others = || known.iter().filter(|each| !usual.contains(each));
    let all = Choice::maps().into_iter().enumerate().flat_map(|(place, choice)| {
        let turns = others().enumerate().map(move |(turn, each)| (choice, place + turn, *each));
        turns.filter(|(_, turn, _)| turn.is_multiple_of(3)).collect::<Vec<_>>()
    });
    let all: Vec<_> = all.collect();
    let properties = |(choice, turn, architecture): &(Choice, usize, u32)| {
        vec![choice.attribute(), format!("{architecture}"), format!("{} {}", choice.map, turn % 2)]
    };
    chosen(&all, properties).par_iter().for_each(|(choice, turn, architecture)| {
        let attribute = choice.attribute();
        let texts = [Some(source(&attribute, every::ITEM)), rows(&attribute, every::ITEM)];
        let texts: Vec<_> = texts.iter().flatten().collect();
        let text = texts[turn / 3 % texts.len()];
        let compiled = nvrtc::compile("every", text, *architecture).unwrap();
        assert_eq!(compiled.warnings, "", "{choice:?}, sm_{architecture}");
    });
}

/// The oldest and the newest by turns: of each map, both have texts.
#[test]
fn wide_lambdas_compile() {
    let usual = architectures();
    let ends = [usual[0], usual[usual.len() - 1]];
    let all: Vec<_> =
        Choice::all().into_iter().filter(|choice| choice.root == Root::Exact).collect();
    let wide = |choice: &Choice| {
        let source = source(&choice.attribute(), every::ITEM);
        format!("#define TD_WIDE\n{source}")
    };
    let compiled = covering(&all, Choice::properties);
    compiled.par_iter().enumerate().for_each(|(turn, choice)| {
        compiles_for(&choice.attribute(), &wide(choice), &ends[turn % 2..][..1]);
    });
    read_only(&all, &compiled)
        .par_iter()
        .for_each(|choice| is_understood(&choice.attribute(), &wide(choice)));
}
