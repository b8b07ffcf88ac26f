//! Bars that lie, each with its name before it and its value behind it.

use super::canvas::{BLACK, Canvas, Colour, GREY, Place, Plot, Side, plot};
use crate::Failure;

/// One bar.
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// What stands behind the bar.
    pub(crate) text: String,
    pub(crate) colour: Colour,
}

/// Bars that are compared with each other.
pub(crate) struct Group {
    pub(crate) title: String,
    pub(crate) unit: &'static str,
    pub(crate) bars: Vec<Bar>,
    /// A value with a vertical line, and what it is.
    pub(crate) mark: Option<(f64, &'static str)>,
    /// Whether a step to the right multiplies, for values that are far apart: bars then start at 1.
    pub(crate) multiplies: bool,
}

const WIDTH: u32 = 900;
const HEADING: f64 = 58.0;
const STEP: f64 = 26.0;
const BELOW: f64 = 20.0;
const LEFT: f64 = 270.0;
const RIGHT: f64 = 190.0;

/// Groups under each other.
pub(crate) fn groups(all: &[Group]) -> Result<Plot, Failure> {
    if all.is_empty() {
        return Err("there are no times to compare\n to do: measure again".into());
    }
    let height: f64 = all.iter().map(Group::height).sum();
    plot((WIDTH, height as u32), |draw| {
        let mut top = 0.0;
        for group in all {
            group.draw(draw, (0.0, top))?;
            top += group.height();
        }
        Ok(())
    })
}

impl Group {
    fn height(&self) -> f64 {
        HEADING + STEP * self.bars.len() as f64 + BELOW
    }

    fn draw(&self, draw: &Canvas<'_>, (x, y): Place) -> Result<(), Failure> {
        let left = x + LEFT;
        draw.text((x + 16.0, y + 16.0), Side::Left, 15.0, BLACK, &self.title)?;
        draw.text((x + 16.0, y + 36.0), Side::Left, 11.0, GREY, self.unit)?;
        let values = self.bars.iter().map(|bar| bar.value);
        let most =
            values.chain(self.mark.map(|(value, _)| value)).fold(f64::MIN_POSITIVE, f64::max);
        let share = |value: f64| match self.multiplies {
            true => value.max(1.0).ln() / most.max(2.0).ln(),
            false => value / most,
        };
        let width = |value: f64| (f64::from(WIDTH) - LEFT - RIGHT) * share(value);
        for (number, bar) in self.bars.iter().enumerate() {
            let middle = y + HEADING + STEP * (number as f64 + 0.5);
            let end = left + width(bar.value).max(1.0);
            draw.text((left - 8.0, middle), Side::Right, 13.0, BLACK, &bar.name)?;
            draw.bar((left, middle - 9.0), (end, middle + 9.0), bar.colour)?;
            // Never across the mark, which would make it hard to read.
            let behind = match self.mark {
                Some((value, _)) if bar.value <= value => left + width(value),
                _ => end,
            };
            draw.text((behind + 8.0, middle), Side::Left, 12.0, bar.colour, &bar.text)?;
        }
        if let Some((value, name)) = self.mark {
            let place = left + width(value);
            let bottom = y + HEADING + STEP * self.bars.len() as f64;
            draw.line(&[(place, y + HEADING - 4.0), (place, bottom)], BLACK, 1)?;
            draw.text((place, y + HEADING - 12.0), Side::Centre, 11.0, BLACK, name)?;
        }
        Ok(())
    }
}
