//! Which tables are kept for which devices.

use std::iter;

use td_kernel_geometry::sets::LARGE;

use super::*;
use crate::Devices;

/// The devices of one process can be more than those of another one, also for sets without elements, which are on no device.
#[test]
fn tables_are_those_of_the_launch() -> Result<()> {
    let layout = SetLayout::new(SetOffsets::new(&[0, 0])?, LARGE);
    for count in [2, 1, 3] {
        let target = Devices::cpu(count)?.part_of(0, 4)?;
        for (_, tables) in [
            layout.triangles(&target, true)?,
            layout.rectangles(&layout, &target)?,
            layout.rows(None, &target)?,
            layout.tiles(None, &target, |_| Ok(iter::repeat_n(Visited::Bands, count).collect()))?,
        ] {
            assert_eq!(tables.len(), count);
        }
    }
    Ok(())
}

/// The tables of the latest columns are not used for others, which may be those of the sets themselves.
#[test]
fn tables_are_those_of_the_columns() -> Result<()> {
    let of = |offsets: &[usize]| Ok::<_, Error>(SetLayout::new(SetOffsets::new(offsets)?, LARGE));
    let (rows, first, second) = (of(&[0, 3, 7])?, of(&[0, 2, 9])?, of(&[0, 5, 6])?);
    let target = Devices::cpu(2)?;
    let visited = |_: &mut dyn FnMut(u32) -> u64| Ok(iter::repeat_n(Visited::Bands, 2).collect());
    for columns in [Some(&first), Some(&second), None, Some(&first), None] {
        let expected = columns.map(|columns| &columns.offsets);
        // A fresh layout has no tables to use again.
        let fresh = of(&[0, 3, 7])?;
        for [used, fresh] in [
            [rows.rows(columns, &target)?, fresh.rows(columns, &target)?],
            [rows.tiles(columns, &target, visited)?, fresh.tiles(columns, &target, visited)?],
            match columns {
                Some(all) => [rows.rectangles(all, &target)?, fresh.rectangles(all, &target)?],
                None => [rows.triangles(&target, true)?, fresh.triangles(&target, true)?],
            },
        ] {
            assert_eq!(used.0.columns(), expected);
            for (used, fresh) in used.1.iter().zip(&*fresh.1) {
                for (used, fresh) in used.memory.iter().zip(&fresh.memory) {
                    assert_eq!(used.download()?, fresh.download()?);
                }
            }
        }
    }
    Ok(())
}
