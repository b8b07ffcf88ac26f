//! A picture of the values of all pairs.

use td_kernel_examples::plot::{Heatmap, Kind, Ticks};
use td_kernel_examples::{Error, NewFile, Result, Vectors};

use crate::distances::Compared;
use crate::metric::Metric;
use crate::order::Order;

/// Refuses what cannot be drawn.
pub(crate) fn check(rows: &Vectors, order: Order) -> Result<()> {
    if rows.count == 0 {
        return Err(Error::NothingToPlot { what: "rows" });
    }
    match (order, &rows.labels) {
        (Order::Label, None) => Err(Error::NoLabels),
        _ => Ok(()),
    }
}

/// Draws the values of all pairs with the rows in some order, which has the row of each place.
pub(crate) fn write(
    file: &NewFile,
    kind: Kind,
    rows: &Vectors,
    compared: &Compared,
    (metric, order, places): (Metric, Order, &[usize]),
) -> Result<()> {
    let ticks = match (order, &rows.labels) {
        (Order::Label, Some(labels)) => {
            let label = |row: &usize| (labels.of.get(*row), labels.name(*row));
            Ticks::of_groups(places.iter().map(label))
        }
        _ => Ticks::of_numbers(rows.count),
    };
    let heatmap = Heatmap {
        title: &format!("{metric}, {} rows of {} features", rows.count, rows.features),
        side: match order {
            // The numbers beside it are places in this order, and no rows' own.
            Order::Axis => "places of rows along their first principal axis",
            Order::Label => "rows, by label",
            Order::None => "rows",
        },
        ticks,
        values: &compared.values,
        own: &compared.own,
        order: places,
    };
    heatmap.write(file, kind)
}
