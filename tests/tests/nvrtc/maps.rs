//! The texts of every map: with each root, space, diagonal and size of tiles, for ranges of rows, and for blocks that 64 bits count.

use rayon::prelude::*;
use td_kernel::maps::Root;
use td_kernel::nvrtc;
use td_kernel_tests::covering::{EVERY, chosen, covering, in_turn};
use td_kernel_tests::{Choice, bands, every, rows, source};

use super::{architectures, by_turns, compiles_for, is_understood};

/// What of a text needs registers: the sweep with its sizes and the diagonal, and the walk's loop, which is around the sweep. What
/// other maps leave to a sweep is two numbers, and how they are found needs no registers any more.
fn of_machine_code(choice: &Choice) -> Vec<String> {
    let Choice { map, sweep, square, diagonal, .. } = choice;
    let walks = *map == "walk";
    vec![
        format!("{sweep:?} {square} of {}", choice.side()),
        format!("{sweep:?} {square} {diagonal} {walks}"),
    ]
}

/// Few of the choices with the largest tile of their sweep, in which registers are spilled first. Each sweep is among them, and the
/// walk's loop around a sweep and other maps' texts, both with the diagonal and without.
fn of_largest(all: &[Choice]) -> Vec<Choice> {
    let is_of =
        |one: &Choice, other: &Choice| one.sweep == other.sweep && one.square == other.square;
    let largest = |choice: &Choice| {
        let of_sweep = all.iter().filter(|each| is_of(each, choice));
        of_sweep.map(Choice::side).max() == Some(choice.side())
    };
    let largest: Vec<_> = all.iter().filter(|choice| largest(choice)).copied().collect();
    covering(&largest, |Choice { map, sweep, square, diagonal, .. }| {
        vec![format!("{sweep:?} {square}"), format!("{diagonal} {}", *map == "walk")]
    })
}

/// What NVRTC is to read of a choice: how the map finds a block, and what the sweep does in it. That the blocks of every
/// kind of map suit each sweep is what the emulator shows.
fn of_reading(choice: &Choice) -> Vec<String> {
    let Choice { map, root, space, linear, diagonal, sweep, square, .. } = choice;
    vec![
        format!("{map} {root:?} {space:?} {linear}"),
        format!("{map} {diagonal}"),
        format!("{sweep:?} {square} {diagonal}"),
        format!("{sweep:?} {square} of {}", choice.side()),
    ]
}

/// Those of some choices that become machine code, and those that are only read. With default features only the largest tiles of each
/// sweep become machine code. The emulator runs each of a map's texts, and a GPU every choice.
fn compiled_and_read(all: &[Choice]) -> (Vec<Choice>, Vec<Choice>) {
    let compiled = if EVERY { covering(all, of_machine_code) } else { of_largest(all) };
    let mut read = chosen(all, of_reading);
    read.retain(|choice| !compiled.contains(choice));
    (compiled, read)
}

#[test]
fn every_combination_compiles() {
    let all: Vec<_> = Choice::all().into_iter().chain(Choice::tiles()).collect();
    let (compiled, read) = compiled_and_read(&all);
    let text = |choice: &Choice| source(&choice.attribute(), &every::item(choice));
    compiled.par_iter().enumerate().for_each(|(turn, choice)| {
        compiles_for(&choice.attribute(), &text(choice), &by_turns(turn));
    });
    read.par_iter().for_each(|choice| is_understood(&choice.attribute(), &text(choice)));
}

/// The texts for ranges of rows, and texts that count blocks in 64 bits: of the two of a choice, one by turns, or both.
#[test]
fn every_combination_compiles_for_rows() {
    let able = bands::able();
    let texts = |turn: usize, choice: &Choice| {
        let usual = rows(&choice.attribute(), &every::item(choice));
        let usual = usual.unwrap_or_else(|| panic!("{choice:?} has no text"));
        let has_wide = choice.takes_root && choice.root == Root::Exact;
        let wide = has_wide.then(|| format!("#define TD_WIDE\n{usual}"));
        in_turn([Some(usual), wide].into_iter().flatten(), turn)
    };
    let (compiled, read) = compiled_and_read(&able);
    compiled.par_iter().enumerate().for_each(|(turn, choice)| {
        for (at, text) in texts(turn, choice) {
            compiles_for(&choice.attribute(), &text, &by_turns(turn + at));
        }
    });
    read.par_iter().enumerate().for_each(|(turn, choice)| {
        for (_, text) in texts(turn, choice) {
            is_understood(&choice.attribute(), &text);
        }
    });
    // The choices without such a text are known as well.
    let able: Vec<_> = able.iter().map(Choice::attribute).collect();
    let all: Vec<_> = Choice::all().into_iter().chain(Choice::tiles()).collect();
    for choice in &chosen(&all, Choice::properties_of_text) {
        let attribute = choice.attribute();
        let has_text = rows(&attribute, &every::item(choice)).is_some();
        assert_eq!(has_text, able.contains(&attribute) && !choice.square, "{choice:?}");
    }
}

/// Every map on some of the architectures that NVRTC knows, by turns, and its text for all rows or the one for some. With default
/// features, each architecture and each map's two texts are there, and with the feature `every` each root of a map too: each
/// architecture then has both texts of several maps.
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
        vec![format!("{architecture}"), format!("{} {}", choice.map, turn % 2)]
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

/// Machine code is for the oldest and the newest by turns; of most maps the texts are only read.
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
    let (compiled, read) = compiled_and_read(&all);
    compiled.par_iter().enumerate().for_each(|(turn, choice)| {
        compiles_for(&choice.attribute(), &wide(choice), &ends[turn % 2..][..1]);
    });
    read.par_iter().for_each(|choice| is_understood(&choice.attribute(), &wide(choice)));
}
