//! A picture of the spheres and of the pairs that overlap.

use std::collections::HashSet;

use td_kernel_examples::plot::{Kind, Link, Scene, Shape};
use td_kernel_examples::{NewFile, Result};

use crate::arguments::Dimensions;
use crate::contacts::Contacts;
use crate::sphere::Ball;
use crate::spheres::Spheres;

/// The most spheres that are all drawn; of more, only those that overlap are.
const MOST_SPHERES: usize = 5000;
/// The most pairs that are drawn.
const MOST_PAIRS: usize = 5000;
/// The same of intervals, which lie above each other.
const MOST_INTERVALS: usize = 200;

/// The names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Draws the spheres from the side from which they are widest, or intervals above each other, with a line for each pair.
pub(crate) fn write(
    file: &NewFile,
    kind: Kind,
    spheres: &Spheres,
    contacts: &Contacts,
    dimensions: Dimensions,
) -> Result<()> {
    let [most_spheres, most_pairs] = match dimensions {
        Dimensions::One => [MOST_INTERVALS; 2],
        Dimensions::Three => [MOST_SPHERES, MOST_PAIRS],
    };
    // Every so-and-so-many-th, so that they are from everywhere.
    let step = contacts.pairs.len().div_ceil(most_pairs).max(1);
    let pairs: Vec<[u32; 2]> = contacts.pairs.iter().copied().step_by(step).collect();
    let linked: HashSet<u32> = pairs.iter().flatten().copied().collect();
    let are_all = spheres.all.len() <= most_spheres;
    let drawn: Vec<u32> = (0_u32..)
        .take(spheres.all.len())
        .filter(|index| are_all || linked.contains(index))
        .collect();

    let (counted, n) = (contacts.pairs.len(), spheres.all.len());
    let view = View::new(&spheres.all, dimensions, &drawn);
    let word = if counted == 1 { "collision" } else { "collisions" };
    let mut title = vec![format!("{counted} {word} of {n} spheres{}", view.direction())];
    match (are_all, step) {
        (true, 1) => {}
        (true, _) => title.push(format!("drawn: {} of the collisions", pairs.len())),
        (false, 1) => title.push("drawn: the spheres that collide".into()),
        (false, _) => {
            title.push(format!("drawn: {} of the collisions, and their spheres", pairs.len()));
        }
    }
    let shapes = drawn.iter().map(|&index| (view.shape(index), linked.contains(&index)));
    let links = pairs.iter().map(|&pair| {
        let [from, to] = view.link(pair);
        Link { from, to, value: spheres.overlap(pair) }
    });
    let scene = Scene {
        title: &title,
        axes: view.axes(),
        is_even: dimensions == Dimensions::Three,
        shapes: shapes.collect(),
        links: links.collect(),
        value: "overlap",
    };
    scene.write(file, kind)
}

/// From where spheres are seen.
enum View<'a> {
    /// Along an axis: the other two.
    Along { spheres: &'a [Ball], seen: [usize; 2], axis: usize },
    /// Intervals above each other: which ones, in the order of their indices.
    Stacked { spheres: &'a [Ball], drawn: &'a [u32] },
}

impl<'a> View<'a> {
    fn new(spheres: &'a [Ball], dimensions: Dimensions, drawn: &'a [u32]) -> View<'a> {
        if dimensions == Dimensions::One {
            return View::Stacked { spheres, drawn };
        }
        let extent = |axis: usize| {
            let places = spheres.iter().map(|sphere| place(sphere)[axis]);
            let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |range, place| {
                (range.0.min(place), range.1.max(place))
            });
            high - low
        };
        // Of equal extents, the last one is looked along.
        let least = (0..3).rev().min_by(|&a, &b| extent(a).total_cmp(&extent(b))).unwrap_or(2);
        let seen = match least {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        };
        View::Along { spheres, seen, axis: least }
    }

    fn direction(&self) -> String {
        match self {
            View::Along { axis, .. } => format!(", seen along {}", AXES[*axis]),
            View::Stacked { .. } => String::new(),
        }
    }

    fn axes(&self) -> [&'static str; 2] {
        match self {
            View::Along { seen, .. } => seen.map(|axis| AXES[axis]),
            View::Stacked { spheres, drawn } if spheres.len() == drawn.len() => ["x", "index"],
            View::Stacked { .. } => ["x", "nth"],
        }
    }

    fn shape(&self, index: u32) -> Shape {
        match self {
            View::Along { spheres, .. } => {
                let radius = spheres[index as usize].radius;
                Shape::Circle(self.middle(index), radius)
            }
            View::Stacked { spheres, .. } => {
                let radius = spheres[index as usize].radius;
                let [x, height] = self.middle(index);
                Shape::Interval(x - radius, x + radius, height)
            }
        }
    }

    /// The ends of a line for a pair: the centres, or where two intervals overlap.
    fn link(&self, [i, j]: [u32; 2]) -> [[f64; 2]; 2] {
        let ends = [i, j].map(|index| self.middle(index));
        match self {
            View::Along { .. } => ends,
            View::Stacked { spheres, .. } => {
                let radii = [i, j].map(|index| spheres[index as usize].radius);
                let low = (ends[0][0] - radii[0]).max(ends[1][0] - radii[1]);
                let high = (ends[0][0] + radii[0]).min(ends[1][0] + radii[1]);
                ends.map(|[_, height]| [(low + high) / 2.0, height])
            }
        }
    }

    fn middle(&self, index: u32) -> [f64; 2] {
        match self {
            View::Along { spheres, seen, .. } => {
                let place = place(&spheres[index as usize]);
                seen.map(|axis| place[axis])
            }
            View::Stacked { spheres, drawn } => {
                let height = drawn.partition_point(|other| *other < index);
                [spheres[index as usize].x, height as f64]
            }
        }
    }
}

fn place(sphere: &Ball) -> [f64; 3] {
    [sphere.x, sphere.y, sphere.z]
}
