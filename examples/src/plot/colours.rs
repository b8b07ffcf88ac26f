//! The colour of a value.

/// Red, green and blue.
pub(super) type Colour = [u8; 3];

/// The colour of what is no number.
pub(super) const UNDEFINED: Colour = [170, 170, 170];

/// Colours from the least value to the greatest. Each is lighter than the one before, so that they can be told apart in
/// grey and by whoever sees fewer colours.
const SCALE: [Colour; 6] =
    [[20, 12, 60], [62, 40, 130], [30, 104, 150], [44, 160, 120], [150, 206, 74], [252, 238, 140]];

/// The colour of a value in a range; one without extent has the middle colour.
pub(super) fn colour(value: f64, range: Option<(f64, f64)>) -> Colour {
    let Some((low, high)) = range.filter(|_| !value.is_nan()) else { return UNDEFINED };
    let share = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 };
    let place = share * (SCALE.len() - 1) as f64;
    let first = (place.floor() as usize).min(SCALE.len() - 2);
    let part = place - first as f64;
    [0, 1, 2].map(|at| {
        let (from, to) = (f64::from(SCALE[first][at]), f64::from(SCALE[first + 1][at]));
        (from + part * (to - from)).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greater_values_are_lighter() {
        let light = |value| {
            let [red, green, blue] = colour(value, Some((-2.0, 3.0))).map(f64::from);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        for step in 0..100 {
            let value = |step| -2.0 + f64::from(step) / 20.0;
            assert!(light(value(step + 1)) > light(value(step)), "{step}");
        }
        assert_eq!(colour(-2.0, Some((-2.0, 3.0))), SCALE[0]);
        assert_eq!(colour(3.0, Some((-2.0, 3.0))), SCALE[5]);
        assert_eq!(colour(f64::INFINITY, Some((-2.0, 3.0))), SCALE[5]);
    }

    #[test]
    fn every_value_has_a_colour() {
        assert_eq!(colour(f64::NAN, Some((0.0, 1.0))), UNDEFINED);
        assert_eq!(colour(f64::NAN, None), UNDEFINED);
        assert_eq!(colour(4.0, Some((4.0, 4.0))), colour(0.5, Some((0.0, 1.0))));
    }
}
