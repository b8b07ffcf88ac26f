//! Every map and root, and the texts for ranges of rows.

use td_kernel::maps::{MAPS, Root};
use td_kernel_tests::rows;

use super::{COUNT, EDM, ENERGY, cuda, text};

#[test]
fn every_map() {
    for map in MAPS {
        let name = map.name();
        cuda(&format!("map_{name}"), &format!("map = \"{name}\", tile = 0"), EDM);
        if map.has_linear_grid() {
            let grid = format!("map = \"{name}\", grid = \"linear\", tile = 0");
            cuda(&format!("map_{name}_linear"), &grid, EDM);
        }
        if map.has_thread_space() {
            let space = format!("map = \"{name}\", space = \"thread\"");
            cuda(&format!("map_{name}_thread"), &space, EDM);
        }
        cuda(
            &format!("map_{name}_diagonal"),
            &format!("map = \"{name}\", diagonal = true, block = 32"),
            EDM,
        );
    }
}

const ADD: &str = r##"unsafe fn add(total: &mut Sum<u32>) { r#" total += i ^ j; "# }"##;

#[test]
fn every_root() {
    for name in Root::NAMES {
        cuda(&format!("root_{name}"), &format!("sqrt = \"{name}\", tile = 0"), ADD);
    }
    cuda("root_epsilon", r#"sqrt = "sqrt", epsilon = 0.00025, tile = 0"#, ADD);
}

/// The text of each map that has ranges of rows, and of each sweep that has a text for them.
#[test]
fn ranges_of_rows() {
    for map in MAPS {
        let name = map.name();
        let found = rows(&format!("map = \"{name}\", tile = 0"), EDM);
        assert_eq!(found.is_some(), map.has_row_ranges(), "{name}");
        if let Some(found) = found {
            text(&format!("range_{name}"), &found);
        }
    }
    text("range_ltm_linear", &rows("grid = \"linear\", tile = 0", EDM).unwrap());
    text("range_rows", &rows("diagonal = true", EDM).unwrap());
    text("range_columns", &rows("", COUNT).unwrap());
    text("range_columns_walk", &rows("map = \"walk\"", ENERGY).unwrap());
    let square = EDM.replace("Packed", "Square");
    assert_eq!((rows("", &square), rows("space = \"thread\"", EDM)), (None, None));
}
