//! Elements and some of their pairs in a plane.

use super::colours::{Colour, colour};
use super::drawing::{Anchor, Drawing, Form, GAP, LETTER, Stroke};
use super::kind::Kind;
use super::legend::Legend;
use super::ticks;
use crate::{NewFile, Result};

/// The longer side of the plane, in points.
const SIDE: f64 = 800.0;
/// The least length of the other side.
const LEAST: f64 = 200.0;
/// The colour of elements that no link has.
const ALONE: Colour = [200, 200, 200];
/// The colour of elements that a link has.
const LINKED: Colour = [110, 110, 130];
/// The width of elements' lines.
const THIN: f64 = 1.0;
/// The width of links.
const THICK: f64 = 3.0;

/// Elements in a plane, and links between them, which have a value each.
#[derive(Debug)]
pub struct Scene<'a> {
    /// What the picture shows: some lines.
    pub title: &'a [String],
    /// What the directions to the right and upwards are.
    pub axes: [&'a str; 2],
    /// Whether both directions have the same scale.
    pub is_even: bool,
    /// The elements, and whether a link has them.
    pub shapes: Vec<(Shape, bool)>,
    /// The links.
    pub links: Vec<Link>,
    /// What the values of links are.
    pub value: &'a str,
}

/// An element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A circle: its centre and its radius.
    Circle([f64; 2], f64),
    /// An interval to the right: where it begins, where it ends, and how high it is.
    Interval(f64, f64, f64),
}

/// A line between two places, with a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Where it begins.
    pub from: [f64; 2],
    /// Where it ends.
    pub to: [f64; 2],
    /// Its value.
    pub value: f64,
}

impl Scene<'_> {
    /// Draws it to a file of this kind.
    ///
    /// # Errors
    ///
    /// The errors of [`NewFile::write`].
    pub fn write(&self, file: &NewFile, kind: Kind) -> Result<()> {
        kind.write(file, &self.drawing())
    }

    fn drawing(&self) -> Drawing {
        let plane = Plane::new(self);
        let values = self.links.iter().map(|link| link.value).filter(|value| value.is_finite());
        let range = values.fold(None, |range: Option<(f64, f64)>, value| match range {
            None => Some((value, value)),
            Some((low, high)) => Some((low.min(value), high.max(value))),
        });
        let legend = Legend::new(range, false);
        let [across, up] = [0, 1].map(|axis| ticks::of_values(Some(plane.range(axis))));
        let [width, height] = plane.size.map(|length| length.ceil() as usize);
        let letters = |texts: &[(f64, String)]| {
            texts.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0) * LETTER.0
        };
        let left = 3 * GAP + LETTER.0 + letters(&up);
        let top = self.title.len() * (LETTER.1 + GAP) + 2 * GAP + LETTER.1;
        let bar = left + width + 2 * GAP;
        let lines = self.title.iter().map(|line| line.chars().count() * LETTER.0).max();
        let right = bar + legend.width().max(self.value.chars().count() * LETTER.0) + GAP;
        let whole = right.max(left + lines.unwrap_or(0) + GAP);
        let mut drawing = Drawing::new(whole, top + height + 3 * GAP + 2 * LETTER.1);

        for (line, text) in self.title.iter().enumerate() {
            drawing.text(left, (line + 1) * (LETTER.1 + GAP), Anchor::Start, text);
        }
        let at = |place: [f64; 2]| {
            let [x, y] = plane.share(place);
            [left as f64 + x * plane.size[0], top as f64 + (1.0 - y) * plane.size[1]]
        };
        // Those with links are above the others, and the links above all, greater values last.
        for wanted in [false, true] {
            for (shape, is_linked) in &self.shapes {
                if *is_linked == wanted {
                    let form = match *shape {
                        Shape::Circle(centre, radius) => {
                            Form::Circle(at(centre), radius * plane.scale(0))
                        }
                        Shape::Interval(from, to, up) => Form::Line(at([from, up]), at([to, up])),
                    };
                    let colour = if *is_linked { LINKED } else { ALONE };
                    drawing.strokes.push(Stroke { form, width: THIN, colour });
                }
            }
        }
        let mut links: Vec<&Link> = self.links.iter().collect();
        links.sort_by(|a, b| a.value.total_cmp(&b.value));
        for link in links {
            let (form, colour) =
                (Form::Line(at(link.from), at(link.to)), colour(link.value, range));
            drawing.strokes.push(Stroke { form, width: THICK, colour });
        }

        drawing.rectangle(left - 1, top, 1, height);
        drawing.rectangle(left - 1, top + height, width + 1, 1);
        let mut next = 0;
        for (share, name) in &across {
            let place = left + (share * plane.size[0]).round() as usize;
            drawing.rectangle(place, top + height, 1, GAP / 2);
            let half = name.chars().count() * LETTER.0 / 2;
            if place >= next + half {
                next = place + half + LETTER.0;
                drawing.text(place, top + height + GAP + LETTER.1, Anchor::Middle, name);
            }
        }
        let mut last = usize::MAX;
        for (share, name) in &up {
            let place = top + ((1.0 - share) * plane.size[1]).round() as usize;
            drawing.rectangle(left - GAP / 2, place, GAP / 2, 1);
            if place + LETTER.1 <= last {
                last = place;
                drawing.text(left - GAP, place + LETTER.1 / 2, Anchor::End, name);
            }
        }
        let below = top + height + 2 * GAP + 2 * LETTER.1;
        drawing.text(left + width / 2, below, Anchor::Middle, self.axes[0]);
        drawing.text(left, top - GAP, Anchor::End, self.axes[1]);
        if range.is_some() {
            drawing.text(bar, top - GAP, Anchor::Start, self.value);
            legend.draw(&mut drawing, [bar, top], height);
        }
        drawing
    }
}

/// The part of the plane that is drawn.
struct Plane {
    low: [f64; 2],
    high: [f64; 2],
    /// In points.
    size: [f64; 2],
}

impl Plane {
    /// What holds all elements.
    fn new(scene: &Scene<'_>) -> Plane {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (shape, _) in &scene.shapes {
            let corners = match *shape {
                Shape::Circle([x, y], r) => [[x - r, y - r], [x + r, y + r]],
                Shape::Interval(from, to, up) => [[from, up], [to, up]],
            };
            for axis in [0, 1] {
                low[axis] = low[axis].min(corners[0][axis]);
                high[axis] = high[axis].max(corners[1][axis]);
            }
        }
        for axis in [0, 1] {
            if low[axis] >= high[axis] {
                // All in one place, or nothing at all.
                let middle = if low[axis].is_finite() { low[axis] } else { 0.0 };
                let margin = 0.5_f64.max(middle.abs() * 1e-6);
                (low[axis], high[axis]) = (middle - margin, middle + margin);
            }
        }
        let extent = [high[0] - low[0], high[1] - low[1]];
        let longest = extent[0].max(extent[1]);
        let mut size = [SIDE, SIDE * 0.75];
        if scene.is_even {
            for axis in [0, 1] {
                size[axis] = (SIDE * extent[axis] / longest).max(LEAST);
                // More room than is needed, about the middle.
                let more = (size[axis] * longest / SIDE - extent[axis]).max(0.0) / 2.0;
                (low[axis], high[axis]) = (low[axis] - more, high[axis] + more);
            }
        }
        Plane { low, high, size }
    }

    fn range(&self, axis: usize) -> (f64, f64) {
        (self.low[axis], self.high[axis])
    }

    /// A place as its share of each side.
    fn share(&self, place: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| (place[axis] - self.low[axis]) / (self.high[axis] - self.low[axis]))
    }

    /// Points for a unit along an axis.
    fn scale(&self, axis: usize) -> f64 {
        self.size[axis] / (self.high[axis] - self.low[axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(shapes: Vec<(Shape, bool)>, links: Vec<Link>, is_even: bool) -> Drawing {
        let title = ["title".to_owned()];
        let (axes, value) = (["x", "y"], "depth");
        Scene { title: &title, axes, is_even, shapes, links, value }.drawing()
    }

    #[test]
    fn circles_and_links_are_to_scale() {
        let shapes = vec![
            (Shape::Circle([1.0, 1.0], 1.0), true),
            (Shape::Circle([2.0, 1.0], 0.5), true),
            (Shape::Circle([7.0, 3.0], 1.0), false),
        ];
        let link = Link { from: [1.0, 1.0], to: [2.0, 1.0], value: 0.5 };
        let drawing = scene(shapes, vec![link], true);
        let forms: Vec<Form> = drawing.strokes.iter().map(|stroke| stroke.form).collect();
        // 8 units are 800 points. The first one is the one without a link.
        let [Form::Circle(far, r), Form::Circle(one, s), Form::Circle(other, t), line] = forms[..]
        else {
            panic!("{forms:?}")
        };
        assert_eq!([r, s, t], [100.0, 100.0, 50.0]);
        assert_eq!([far[0] - one[0], far[1] - one[1]], [600.0, -200.0]);
        assert_eq!(line, Form::Line(one, other));
        assert_eq!((drawing.strokes[0].colour, drawing.strokes[1].colour), (ALONE, LINKED));
    }

    #[test]
    fn greater_values_are_drawn_last() {
        let link = |value| Link { from: [0.0, 0.0], to: [1.0, value], value };
        let drawing = scene(vec![], [3.0, 1.0, 2.0].map(link).to_vec(), true);
        let colours: Vec<Colour> = drawing.strokes.iter().map(|stroke| stroke.colour).collect();
        let range = Some((1.0, 3.0));
        assert_eq!(colours, [1.0, 2.0, 3.0].map(|value| colour(value, range)));
        assert!(drawing.texts.iter().any(|text| text.text == "depth"));
        // Without links, there is no legend.
        let drawing = scene(vec![(Shape::Circle([0.0; 2], 1.0), false)], vec![], true);
        assert!(drawing.texts.iter().all(|text| text.text != "depth") && drawing.images.is_empty());
    }

    #[test]
    fn everything_has_a_finite_place() {
        let all = [
            vec![],
            vec![(Shape::Circle([5.0, 5.0], 0.0), false)],
            vec![(Shape::Circle([1e15, -1e15], 0.0), true)],
            vec![(Shape::Circle([0.0, 0.0], 1e15), true), (Shape::Circle([1e-20, 0.0], 0.0), true)],
            vec![(Shape::Interval(0.0, 1.0, 0.0), true), (Shape::Interval(0.5, 9.0, 1.0), true)],
        ];
        for shapes in all {
            for is_even in [true, false] {
                let drawing = scene(shapes.clone(), vec![], is_even);
                assert!(drawing.width < 2000 && drawing.height < 1200, "{shapes:?}");
                for stroke in &drawing.strokes {
                    let places = match stroke.form {
                        Form::Line(from, to) => [from, to].concat(),
                        Form::Circle(centre, radius) => vec![centre[0], centre[1], radius],
                    };
                    let is_inside = |place: &f64| (-1.0..1200.0).contains(place);
                    assert!(places.iter().all(is_inside), "{stroke:?}");
                }
            }
        }
    }
}
