//! What a picture is made of, before it is a file of some kind.

use super::colours::Colour;

/// Width and height of a letter, in points; letters of fonts are narrower.
pub(super) const LETTER: (usize, usize) = (16, 16);

/// From a picture to what is beside it.
pub(super) const GAP: usize = 12;

/// The colour of lines and letters.
pub(super) const INK: Colour = [20, 20, 20];

/// What is drawn: images, strokes in their order, and then rectangles and texts. The background is white.
#[derive(Debug)]
pub(super) struct Drawing {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) images: Vec<Image>,
    pub(super) strokes: Vec<Stroke>,
    pub(super) rectangles: Vec<Rectangle>,
    pub(super) texts: Vec<Text>,
}

/// Coloured cells that share a rectangle.
#[derive(Debug)]
pub(super) struct Image {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    /// How many cells there are from left to right.
    pub(super) columns: usize,
    /// The cells, by rows.
    pub(super) pixels: Vec<Colour>,
}

impl Image {
    /// How many cells there are from top to bottom.
    pub(super) fn rows(&self) -> usize {
        self.pixels.len() / self.columns.max(1)
    }
}

/// A coloured line, straight or round. Places are in points, of which the first one's middle is 0.5.
#[derive(Clone, Debug)]
pub(super) struct Stroke {
    pub(super) form: Form,
    pub(super) width: f64,
    pub(super) colour: Colour,
}

/// The form of a stroke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    /// From a place to another.
    Line([f64; 2], [f64; 2]),
    /// Around a place, at a distance.
    Circle([f64; 2], f64),
}

/// A rectangle of ink.
#[derive(Debug)]
pub(super) struct Rectangle {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// A line of text.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) x: usize,
    /// Where letters stand.
    pub(super) baseline: usize,
    pub(super) anchor: Anchor,
    pub(super) text: String,
}

/// Which part of a text is at its position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    pub(super) fn new(width: usize, height: usize) -> Drawing {
        let (images, strokes) = (Vec::new(), Vec::new());
        let (rectangles, texts) = (Vec::new(), Vec::new());
        Drawing { width, height, images, strokes, rectangles, texts }
    }

    pub(super) fn rectangle(&mut self, x: usize, y: usize, width: usize, height: usize) {
        self.rectangles.push(Rectangle { x, y, width, height });
    }

    pub(super) fn text(&mut self, x: usize, baseline: usize, anchor: Anchor, text: &str) {
        self.texts.push(Text { x, baseline, anchor, text: text.into() });
    }
}
