//! What the arguments of a launch tell about bands of its rows.

use super::Launch;
use crate::Result;
use crate::bands::{BandsOf, Whole, rectangle};
use crate::extent::Extent;

impl Launch<'_> {
    /// What bands are cut from, by the arguments, which are all but the slots.
    ///
    /// # Errors
    ///
    /// The kernel's rows are none of these.
    pub fn bands(self) -> Result<BandsOf> {
        let (info, rows) = (self.kernel.info, self.kernel.rows.as_ref());
        let count = self.n.map_or(0, |(count, _)| count);
        let whole = match (info.is_rectangle, self.columns) {
            (true, columns) => {
                let columns = columns.map_or(0, |(columns, _)| columns);
                rectangle(info.name, [count, columns], rows)?
            }
            (false, _) => {
                Extent::new(info, count, rows)?;
                Whole::Triangle { elements: count, diagonal: info.diagonal }
            }
        };
        // The variant for many elements has the largest tiles.
        let side = info.variants.first().map_or(1, |variant| variant.tiling.side as usize);
        let source = info.variants.first().map_or("", |variant| variant.source);
        let text = format!("{}\n{source}", info.name);
        let gathers = self.has_outputs.then_some(info.name);
        let (device, rows) = (self.kernel.device.clone(), rows.cloned());
        Ok(BandsOf { device, whole, rows, side, text, gathers })
    }
}
