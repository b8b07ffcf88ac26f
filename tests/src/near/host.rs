//! What the kernels of this module find, computed on the host pair by pair: without tiles, boxes, an order or a device.
//!
//! A pair's value has the same bits everywhere, so it is computed as the body writes it. All else is exact.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use super::kept;
use super::nearest::{self, Found as Neighbours};
use super::two::{self, Dot};
use super::{Ball, Found};

/// All pairs i > j of n elements.
fn triangle(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(|i| (0..i).map(move |j| (i, j)))
}

/// As C++'s `!(a > b)`, which is true for a NaN.
fn is_at_most<T: PartialOrd>(a: T, b: T) -> bool {
    a.partial_cmp(&b) != Some(Ordering::Greater)
}

pub(super) fn square([a, b]: [&[f32; 3]; 2]) -> f32 {
    let [x, y, z] = [0, 1, 2].map(|d| a[d] - b[d]);
    x * x + y * y + z * z
}

/// The distance along an axis of a periodic cell.
pub(super) fn wrapped(x: f32, edge: f32) -> f32 {
    x - edge * (x / edge).round_ties_even()
}

/// The distance of two balls' surfaces.
fn gap(a: &Ball, b: &Ball) -> f32 {
    square([&a.center, &b.center]).sqrt() - (a.radius + b.radius)
}

/// Keeps the least value, of equal ones that of the smaller index.
fn offer(least: &mut Option<(f32, u32)>, value: f32, index: usize) {
    let index = index as u32;
    if least.is_none_or(|(than, at)| value < than || (value == than && index < at)) {
        *least = Some((value, index));
    }
}

fn bits(least: Vec<Option<(f32, u32)>>) -> Vec<Option<(u32, u32)>> {
    least.into_iter().map(|each| each.map(|(value, index)| (value.to_bits(), index))).collect()
}

/// As [`touching_pairs`](super::touching_pairs).
pub fn touching_pairs(balls: &[Ball], margin: f32) -> Found {
    let n = balls.len();
    let mut found = Found { degrees: vec![0; n], moments: vec![0; n], ..Found::default() };
    let mut least = vec![None; n];
    for (i, j) in triangle(n) {
        let gap = gap(&balls[i], &balls[j]) - margin;
        if !is_at_most(gap, 0.0) {
            continue;
        }
        let value = if gap.is_nan() { -1.0 } else { gap };
        let [own, other] = [i, j].map(|at| balls[at].weight);
        let pair = [i as u32, j as u32];
        found.plain.push(pair);
        found.pairs.push((pair, (value + f32::from(own) - 2.0 * f32::from(other)).to_bits()));
        found.count += 1;
        found.degrees[i] += 1;
        found.degrees[j] += 1;
        found.moments[i] += i32::from(other);
        found.moments[j] -= i32::from(own);
        offer(&mut least[i], value, j);
        offer(&mut least[j], value, i);
    }
    found.least = bits(least);
    found
}

/// As [`periodic_pairs`](super::periodic_pairs).
pub fn periodic_pairs(
    points: &[[f32; 3]],
    edges: [f32; 2],
    limit: f32,
) -> (Vec<([u32; 2], u64)>, Vec<u32>) {
    let n = points.len();
    let (mut pairs, mut degrees) = (Vec::new(), vec![0; n]);
    for (i, j) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))) {
        let [z, x] = [(2, edges[0]), (0, edges[1])]
            .map(|(d, edge): (usize, f32)| wrapped(points[i][d] - points[j][d], edge));
        let square = z * z + x * x;
        if is_at_most(square, limit) {
            pairs.push(([i as u32, j as u32], super::bits_of(square.into())));
            degrees[i] += 1;
            // A pair (i, i) adds to its element through `.i` only.
            degrees[j] += u32::from(i != j);
        }
    }
    (pairs, degrees)
}

/// As [`close_pairs`](super::close_pairs). Of numbers in order, those within the limit follow each other.
pub fn close_pairs(numbers: &[f64], limit: f64) -> Vec<[u32; 2]> {
    let mut order: Vec<_> = (0..numbers.len()).collect();
    order.sort_unstable_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    let mut pairs = Vec::new();
    for (at, &a) in order.iter().enumerate() {
        let near = order[at + 1..].iter();
        for &b in near.take_while(|&&b| is_at_most(numbers[b] - numbers[a], limit)) {
            if a % 3 == b % 3 {
                pairs.push([a.max(b) as u32, a.min(b) as u32]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// As [`gap_histograms`](super::gap_histograms).
#[expect(clippy::type_complexity)]
pub fn gap_histograms(
    balls: &[Ball],
    limit: f32,
) -> (Vec<u64>, Vec<f64>, [Option<(f32, u32, u32)>; 2]) {
    let (mut h, mut weights) = (vec![0; 17], vec![0.0; 9]);
    let [mut most, mut least]: [Option<(f32, u32, u32)>; 2] = [None; 2];
    for (i, j) in triangle(balls.len()) {
        let gap = square([&balls[i].center, &balls[j].center]).sqrt();
        if gap.is_nan() || gap > limit {
            continue;
        }
        if gap < limit {
            h[((gap * (17.0 / limit)) as usize).min(16)] += 1;
        }
        if let Some(sum) = weights.get_mut((2.0 * gap) as usize) {
            *sum += f64::from(1 + balls[i].weight);
        }
        // Of equal gaps the smallest pair stays.
        let new = Some((gap, i as u32, j as u32));
        if most.is_none_or(|(than, ..)| gap > than) {
            most = new;
        }
        if least.is_none_or(|(than, ..)| gap < than) {
            least = new;
        }
    }
    (h, weights, [most, least])
}

/// The touching pairs, as [`counted`](super::counted). A ball's cell has those that it may touch around it.
pub fn counted(balls: &[Ball]) -> u64 {
    let most = balls.iter().fold(0.0_f64, |most, ball| most.max(ball.radius.into()));
    let side = match most.is_finite() && most > 0.0 {
        true => 2.001 * most,
        false => f64::INFINITY,
    };
    let cell_of = |ball: &Ball| ball.center.map(|x| (f64::from(x) / side).floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    for (k, ball) in balls.iter().enumerate() {
        cells.entry(cell_of(ball)).or_default().push(k as u32);
    }
    let touches = |i: usize, j: u32| {
        let (a, b) = (&balls[i], &balls[j as usize]);
        let r = a.radius + b.radius;
        (j as usize) < i && square([&a.center, &b.center]) <= r * r
    };
    let around = (0..27).map(|k| [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1]);
    let count = |(i, ball): (usize, &Ball)| {
        let cell = cell_of(ball);
        let all = around
            .clone()
            .filter_map(|by| cells.get(&[0, 1, 2].map(|d| cell[d].wrapping_add(by[d]))));
        all.flatten().filter(|j| touches(i, **j)).count() as u64
    };
    balls.par_iter().enumerate().map(count).sum()
}

/// The k nearest of `columns` for each of `rows`, by the value of a pair. A NaN is no value.
fn nearest<T: PartialOrd + Copy + Send>(
    [rows, columns]: [usize; 2],
    k: usize,
    value: impl Fn(usize, usize) -> Option<T> + Sync,
) -> Neighbours<T> {
    let of_row = |row| {
        let mut best: Vec<(T, u32)> = Vec::new();
        for column in 0..columns {
            let Some(value) = value(row, column) else { continue };
            // Of equal values the smaller index stays before.
            let at = best.partition_point(|(than, _)| *than <= value);
            if at < k {
                best.truncate(k - 1);
                best.insert(at, (value, column as u32));
            }
        }
        best.into_iter().map(|(value, index)| (index, value)).unzip()
    };
    let rows: Vec<(Vec<u32>, Vec<T>)> = (0..rows).into_par_iter().map(of_row).collect();
    let (indices, values): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    nearest::rows_of(indices, values.concat())
}

fn number(value: f32) -> Option<f32> {
    (!value.is_nan()).then_some(value)
}

/// As [`nearest::near_balls`].
pub fn near_balls(balls: &[Ball]) -> Neighbours<f32> {
    let value = |i: usize, j: usize| number(gap(&balls[i], &balls[j]) - 0.5);
    nearest([balls.len(); 2], 5, |i, j| if i == j { None } else { value(i, j) })
}

/// The k nearest points of each point in a periodic cell, with the point itself if `diagonal`.
pub fn nearest_squares(
    points: &[[f32; 3]],
    edges: [f32; 3],
    k: usize,
    diagonal: bool,
) -> Neighbours<f32> {
    nearest([points.len(); 2], k, |i, j| {
        let [x, y, z] = [0, 1, 2].map(|d| wrapped(points[i][d] - points[j][d], edges[d]));
        number(x * x + y * y + z * z).filter(|_| diagonal || i != j)
    })
}

/// As [`nearest::nearest_any`].
pub fn nearest_any(points: &[[f32; 3]], k: usize) -> Neighbours<f32> {
    let value = |i: usize, j: usize| number(square([&points[i], &points[j]]));
    nearest([points.len(); 2], k, |i, j| if i == j { None } else { value(i, j) })
}

/// As [`nearest::near_numbers`].
pub fn near_numbers(numbers: &[i32], limit: u32) -> Neighbours<u16> {
    nearest([numbers.len(); 2], 3, |i, j| {
        let value = numbers[i].abs_diff(numbers[j]);
        (i != j && i % 3 == j % 3 && value <= limit).then_some(value as u16)
    })
}

/// As [`two::hit_dots`].
pub fn hit_dots(
    balls: &[Ball],
    dots: &[Dot],
    margin: f32,
    rows: Option<Range<usize>>,
) -> two::Results {
    let [n, m] = [balls.len(), dots.len()];
    let mut found = two::Results {
        pairs: Vec::new(),
        count: 0,
        degrees: vec![0; n],
        moments: vec![0; m],
        least: Vec::new(),
        bins: vec![0; 7],
        most: None,
    };
    let (mut least, mut most) = (vec![None; n], None::<(f32, u32, u32)>);
    for (i, j) in rows.unwrap_or(0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
        let (ball, dot) = (&balls[i], &dots[j]);
        let gap = square([&ball.center, &dot.center]).sqrt() - ball.radius - margin;
        if !is_at_most(gap, 0.0) {
            continue;
        }
        let value = if gap.is_nan() { -1.0 } else { gap };
        let pair = [i as u32, j as u32];
        found.pairs.push((pair, (value + f32::from(dot.weight)).to_bits()));
        found.count += 1;
        found.degrees[i] += 1;
        found.moments[j] += i32::from(ball.weight) - i32::from(dot.weight);
        offer(&mut least[i], value, j);
        found.bins[j % 7] += 1;
        if most.is_none_or(|(than, ..)| value > than) {
            most = Some((value, pair[0], pair[1]));
        }
    }
    found.least = bits(least);
    found.most = most.map(|(value, i, j)| (value.to_bits(), i, j));
    found
}

/// As [`two::close_pairs`].
pub fn close_of_two(rows: &[f32], columns: &[f64], limit: f64) -> Vec<[u32; 2]> {
    let pairs = (0..rows.len()).flat_map(|i| (0..columns.len()).map(move |j| (i, j)));
    let close = pairs.filter(|(i, j)| is_at_most((f64::from(rows[*i]) - columns[*j]).abs(), limit));
    close.map(|(i, j)| [i as u32, j as u32]).collect()
}

/// The k nearest points of each query, in a cell that is periodic along x.
pub fn nearest_of_two([queries, points]: [&[[f32; 3]]; 2], edge: f32, k: usize) -> Neighbours<f32> {
    nearest([queries.len(), points.len()], k, |i, j| {
        let [x, y, z] = [0, 1, 2].map(|d| queries[i][d] - points[j][d]);
        let x = wrapped(x, edge);
        number(x * x + y * y + z * z)
    })
}

/// What a kernel of [`kept`] finds: the pairs, a sum of weights, and the degrees.
pub(super) fn close(balls: &[Ball], margin: f32, factor: u32) -> kept::Found {
    let (mut pairs, mut total, mut degrees) = (Vec::new(), 0, vec![0; balls.len()]);
    for (i, j) in triangle(balls.len()) {
        if gap(&balls[i], &balls[j]) <= margin {
            pairs.push([i as u32, j as u32]);
            total += u64::from(factor * u32::from(balls[i].weight));
            degrees[i] += 1;
            degrees[j] += 2;
        }
    }
    (pairs, total, degrees)
}
