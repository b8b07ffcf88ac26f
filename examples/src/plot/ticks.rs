//! What is written along the sides of a picture.

/// Marks along a side, by their place from 0 to 1.
#[derive(Debug, Default)]
pub struct Ticks {
    /// Where lines are.
    pub(super) edges: Vec<f64>,
    /// Names and where their middles are.
    pub(super) names: Vec<(f64, String)>,
}

/// The most round numbers, or one more: of rows, and of values.
const NUMBERS: [f64; 2] = [5.0, 8.0];

impl Ticks {
    /// A line between any two groups, and each group's name in its middle: of neighbours whose group is the same.
    pub fn of_groups<'a, G: PartialEq>(elements: impl Iterator<Item = (G, &'a str)>) -> Ticks {
        let elements: Vec<(G, &str)> = elements.collect();
        let mut ticks = Ticks::default();
        let share = |place: usize| place as f64 / elements.len() as f64;
        let mut first = 0;
        for group in elements.chunk_by(|a, b| a.0 == b.0) {
            let end = first + group.len();
            ticks.edges.push(share(first));
            let name = group.first().map_or("", |(_, name)| name);
            ticks.names.push(((share(first) + share(end)) / 2.0, name.into()));
            first = end;
        }
        ticks.edges.push(1.0);
        ticks
    }

    /// Round numbers among `count` places, each in the middle of its place.
    pub fn of_numbers(count: usize) -> Ticks {
        let step = round(count as f64 / NUMBERS[0]).max(1.0) as usize;
        let mut ticks = Ticks::default();
        for number in (0..count).step_by(step) {
            let place = (number as f64 + 0.5) / count as f64;
            ticks.edges.push(place);
            ticks.names.push((place, number.to_string()));
        }
        ticks
    }
}

/// Round numbers of a range, with its ends where they are far enough from those.
pub(super) fn of_values(range: Option<(f64, f64)>) -> Vec<(f64, String)> {
    let Some((low, high)) = range else { return Vec::new() };
    if low >= high {
        return vec![(0.5, low.to_string())];
    }
    let step = round((high - low) / NUMBERS[1]);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    // As many digits as the step has.
    let digits = (-step.log10().floor()).clamp(0.0, 20.0) as usize;
    let is_readable = (1e-4..1e7).contains(&low.abs().max(high.abs()));
    let shown = |value: f64| match is_readable {
        // Adding zero makes a negative one positive.
        true => format!("{:.digits$}", value + 0.0),
        false => format!("{value:.2e}"),
    };
    let at = |value: f64| (value - low) / (high - low);
    let values = (first..=last).map(|number| number as f64 * step);
    values.map(|value| (at(value), shown(value))).collect()
}

/// The next 1, 2 or 5 with zeros, from a number on.
fn round(number: f64) -> f64 {
    if number <= 0.0 {
        return 0.0;
    }
    let power = 10_f64.powf(number.log10().floor());
    let factors =
        [1.0, 2.0, 5.0].into_iter().find(|factor| number <= factor * power * (1.0 + 1e-9));
    factors.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[(f64, String)]) -> Vec<&str> {
        texts.iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn numbers_are_round() {
        assert_eq!(names(&Ticks::of_numbers(150).names), ["0", "50", "100"]);
        assert_eq!(names(&Ticks::of_numbers(3).names), ["0", "1", "2"]);
        assert_eq!(Ticks::of_numbers(1).names, [(0.5, "0".into())]);
        assert!(Ticks::of_numbers(0).names.is_empty());
        assert_eq!(names(&of_values(Some((0.0, 7.085)))), ["0", "1", "2", "3", "4", "5", "6", "7"]);
        assert_eq!(names(&of_values(Some((-1.0, 1.0)))), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(
            names(&of_values(Some((0.9951, 1.0)))),
            ["0.996", "0.997", "0.998", "0.999", "1.000"]
        );
        assert_eq!(
            names(&of_values(Some((0.0, 2e12)))),
            ["0.00e0", "5.00e11", "1.00e12", "1.50e12", "2.00e12"]
        );
        assert_eq!(of_values(Some((3.0, 3.0))), [(0.5, "3".into())]);
        assert!(of_values(None).is_empty());
    }

    #[test]
    fn places_are_where_the_values_are() {
        for (low, high) in [(0.0, 1.0), (-3.7, 12.1), (1e-30, 1e-29), (1e14, 1.1e14)] {
            let ticks = of_values(Some((low, high)));
            assert!((4..=9).contains(&ticks.len()), "{ticks:?}");
            for (place, text) in ticks {
                assert!((-1e-9..=1.0 + 1e-9).contains(&place));
                let value: f64 = text.parse().unwrap();
                let expected = low + place * (high - low);
                assert!((value - expected).abs() <= 0.01 * (high - low), "{value} {expected}");
            }
        }
    }

    #[test]
    fn names_are_in_the_middle_of_their_groups() {
        let elements = [(0, "a"), (0, "a"), (1, "b"), (1, "b"), (1, "b")];
        let ticks = Ticks::of_groups(elements.into_iter());
        assert_eq!(ticks.edges, [0.0, 0.4, 1.0]);
        assert_eq!(ticks.names, [(0.2, "a".into()), (0.7, "b".into())]);
    }
}
