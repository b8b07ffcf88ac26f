//! The sources of every map: with each root, space, diagonal and tile size, for ranges of rows, and for block counts of 64
//! bits.

use rayon::prelude::*;
use td_kernel::nvrtc;
use td_kernel_geometry::Root;
use td_kernel_tests::covering::chosen;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::{Choice, OPTIONS, every, source, sources};

use super::{architectures, by_turns, compiles, compiles_for};

/// The properties of a source that can be wrong separately: how the map finds a block, how the sweep processes it, and, for
/// registers, the walk's loop around the sweep. The emulator tests that the blocks of every kind of map suit each sweep.
fn properties(choice: &Choice) -> Vec<String> {
    let Choice { map, root, space, linear, diagonal, sweep, square, .. } = choice;
    vec![
        format!("{map} {root:?} {space:?} {linear}"),
        format!("{map} {diagonal}"),
        format!("{sweep:?} {square} {diagonal} {}", *map == "walk"),
        format!("{sweep:?} {square} of {}", choice.side()),
    ]
}

#[test]
fn every_combination_compiles() {
    let all: Vec<_> = Choice::all().into_iter().chain(Choice::tiles()).collect();
    chosen(&all, properties).par_iter().enumerate().check_each(|(turn, choice)| {
        let text = source(&choice.attribute(), &every::item(choice));
        compiles_for(&choice.attribute(), &text, &by_turns(turn));
    });
}

/// The sources that visit ranges of rows.
#[test]
fn ranges_of_rows() {
    let all: Vec<_> = Choice::all().into_iter().chain(Choice::tiles()).collect();
    for choice in &chosen(&all, Choice::properties_of_text) {
        let has_rows = sources(&choice.attribute(), &every::item(choice))[0].has_rows;
        assert_eq!(has_rows, choice.has_ranges(), "{choice:?}");
    }
}

/// Every map on some of NVRTC's architectures, by turns. By default this covers each architecture and each map; with the
/// feature `every`, also each root of a map.
#[test]
fn maps_compile_for_every_architecture() {
    let (known, usual) = (nvrtc::architectures().unwrap(), architectures());
    assert!(known.len() >= usual.len() && known.iter().all(|each| *each >= 60), "{known:?}");
    let others = || known.iter().filter(|each| !usual.contains(each));
    let all = Choice::maps().into_iter().enumerate().flat_map(|(place, choice)| {
        let turns = others().enumerate().map(move |(turn, each)| (choice, place + turn, *each));
        let turns = turns.filter(|(_, turn, _)| turn.is_multiple_of(3));
        turns.map(|(choice, _, each)| (choice, each)).collect::<Vec<_>>()
    });
    let all: Vec<_> = all.collect();
    let properties = |(choice, architecture): &(Choice, u32)| {
        vec![format!("{architecture}"), choice.map.to_owned()]
    };
    chosen(&all, properties).par_iter().check_each(|(choice, architecture)| {
        let text = source(&choice.attribute(), every::ITEM);
        let compiled = nvrtc::compile("every", &text, OPTIONS, *architecture).unwrap();
        assert_eq!(compiled.warnings, "", "{choice:?}, sm_{architecture}");
    });
}

/// For the oldest and the newest by turns.
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
    chosen(&all, properties).par_iter().enumerate().check_each(|(turn, choice)| {
        compiles_for(&choice.attribute(), &wide(choice), &ends[turn % 2..][..1]);
    });
}

/// The functions that make the pairs of a list by element.
#[test]
fn lists_by_element_compile() {
    compiles("partners", include_str!("../../../runtime/src/run/partner_lists.cu"));
}
