//! Which tables are kept for which devices.

use std::iter;

use td_kernel_maps::sets::LARGE;

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
