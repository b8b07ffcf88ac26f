//! What near tiles of many points find, by a tree of boxes on the host: a launch over all pairs would share a kernel's faults.
//!
//! A pair's value has the same bits as in the body. Boxes are compared in double precision, with room for the body's roundings. The
//! points are near the unit cube.

use std::collections::HashMap;

use rayon::prelude::*;

use super::Ball;
use super::host::{square, wrapped};
use super::nearest::{self, Found};

/// The most points of a leaf.
const LEAF: usize = 16;

/// How far the roundings of a body may move a distance, and a square by as much of itself.
const MARGIN: f64 = 1e-5;

/// Some of the points: their box, and two parts of them, or their indices.
struct Node {
    lo: [f64; 3],
    hi: [f64; 3],
    halves: Option<Box<[Node; 2]>>,
    indices: Vec<u32>,
    count: u64,
}

impl Node {
    fn new(points: &[[f32; 3]], mut indices: Vec<u32>) -> Node {
        let count = indices.len() as u64;
        let at = |index: &u32, d: usize| f64::from(points[*index as usize][d]);
        let all = |d: usize| indices.iter().map(move |index| at(index, d));
        let lo = [0, 1, 2].map(|d| all(d).fold(f64::INFINITY, f64::min));
        let hi = [0, 1, 2].map(|d| all(d).fold(f64::NEG_INFINITY, f64::max));
        let halves = (indices.len() > LEAF).then(|| {
            let width = |d: &usize| hi[*d] - lo[*d];
            let d = (0..3).max_by(|a, b| width(a).total_cmp(&width(b))).unwrap_or(0);
            let middle = indices.len() / 2;
            indices.select_nth_unstable_by(middle, |a, b| at(a, d).total_cmp(&at(b, d)));
            let first: Vec<_> = indices.drain(..middle).collect();
            let second = std::mem::take(&mut indices);
            let (first, second) =
                rayon::join(|| Node::new(points, first), || Node::new(points, second));
            Box::new([first, second])
        });
        Node { lo, hi, halves, indices, count }
    }

    /// At most the distance of a point along an axis that repeats by this edge.
    fn gap(&self, at: f32, d: usize, edge: f32) -> f64 {
        let (at, edge) = (f64::from(at), f64::from(edge));
        let [lo, hi] = [self.lo[d] - at, self.hi[d] - at];
        // The box is between two multiples of the edge, or contains one.
        let [below, above] = [(lo / edge).floor() * edge, (hi / edge).ceil() * edge];
        if (lo / edge).ceil() * edge <= hi { 0.0 } else { (lo - below).min(above - hi) }
    }

    /// At most the square of a point's distance in a body.
    fn least_square(&self, point: &[f32; 3], edges: [f32; 3]) -> f64 {
        let gaps = [0, 1, 2].map(|d| self.gap(point[d], d, edges[d]));
        let distance = gaps.iter().map(|gap| gap * gap).sum::<f64>().sqrt();
        (distance - MARGIN).max(0.0).powi(2) * (1.0 - MARGIN)
    }

    /// Offers the points that may be among the nearest.
    fn search(
        &self,
        k: usize,
        best: &mut Vec<(f32, u32)>,
        least: &impl Fn(&Node) -> f64,
        value: &impl Fn(u32) -> Option<f32>,
    ) {
        for &index in &self.indices {
            let Some(value) = value(index) else { continue };
            // Of equal values the smaller index stays before.
            let at = best.partition_point(|each| *each < (value, index));
            best.insert(at, (value, index));
            best.truncate(k);
        }
        let mut halves: Vec<_> = self.halves.iter().flat_map(|halves| halves.iter()).collect();
        halves.sort_by(|a, b| least(a).total_cmp(&least(b)));
        for half in halves {
            if best.len() < k || least(half) <= f64::from(best[k - 1].0) {
                half.search(k, best, least, value);
            }
        }
    }

    /// The points of which the squares of the distances are at most `most`.
    fn count(&self, points: &[[f32; 3]], point: &[f32; 3], most: f32) -> u64 {
        let ends = [0, 1, 2].map(|d| [self.lo[d], self.hi[d]].map(|x| x - f64::from(point[d])));
        let far = ends.map(|[lo, hi]| lo.abs().max(hi.abs()));
        let near = ends.map(|[lo, hi]| lo.max(-hi).max(0.0));
        let [far, near] = [far, near].map(|all| all.iter().map(|x| x * x).sum::<f64>());
        match &self.halves {
            _ if far * (1.0 + MARGIN) <= most.into() => self.count,
            _ if near * (1.0 - MARGIN) > most.into() => 0,
            Some(halves) => halves.iter().map(|half| half.count(points, point, most)).sum(),
            None => {
                let is_near = |index: &&u32| square([point, &points[**index as usize]]) <= most;
                self.indices.iter().filter(is_near).count() as u64
            }
        }
    }
}

/// The k nearest points of each query in a cell with these edges, among the pairs of indices that count.
pub fn nearest(
    [queries, points]: [&[[f32; 3]]; 2],
    edges: [f32; 3],
    k: usize,
    counts: impl Fn(usize, usize) -> bool + Sync,
) -> Found<f32> {
    let tree = Node::new(points, (0..points.len() as u32).collect());
    let of_query = |(i, query): (usize, &[f32; 3])| {
        let mut best = Vec::new();
        let value = |j: u32| {
            let point = &points[j as usize];
            let [x, y, z] = [0, 1, 2].map(|d| wrapped(query[d] - point[d], edges[d]));
            counts(i, j as usize).then_some(x * x + y * y + z * z)
        };
        tree.search(k, &mut best, &|node: &Node| node.least_square(query, edges), &value);
        best.into_iter().map(|(value, index)| (index, value)).unzip()
    };
    let rows: Vec<(Vec<u32>, Vec<f32>)> = queries.par_iter().enumerate().map(of_query).collect();
    let (indices, values): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    nearest::rows_of(indices, values.concat())
}

/// The touching pairs of balls with few radii, as [`counted`](super::counted). A ball whose radius is NaN touches none.
pub fn counted(balls: &[Ball]) -> u64 {
    let centers: Vec<_> = balls.iter().map(|ball| ball.center).collect();
    let mut by_radius: HashMap<u32, Vec<u32>> = HashMap::new();
    let is_number = |ball: &&Ball| !ball.radius.is_nan();
    for ball in balls.iter().filter(is_number) {
        by_radius.entry(ball.radius.to_bits()).or_default().push(ball.index);
    }
    let trees = by_radius.into_iter();
    let trees: Vec<_> =
        trees.map(|(radius, all)| (f32::from_bits(radius), Node::new(&centers, all))).collect();
    let count = |ball: &Ball| -> u64 {
        let of_tree = |(radius, tree): &(f32, Node)| {
            let r = ball.radius + radius;
            tree.count(&centers, &ball.center, r * r)
        };
        trees.iter().map(of_tree).sum()
    };
    let all: u64 = balls.par_iter().filter(is_number).map(count).sum();
    // Each pair is counted twice, and each ball touches itself.
    (all - balls.iter().filter(is_number).count() as u64) / 2
}
