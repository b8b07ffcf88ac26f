//! Sets of balls for which sorting and boxes are easy, hard or useless.

use super::Ball;

/// Pseudorandom numbers from 0 to 1.
pub fn numbers(seed: u32) -> impl Iterator<Item = f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    })
}

/// Balls at these centers.
pub fn balls(centers: impl Iterator<Item = [f32; 3]>, radius: f32) -> Vec<Ball> {
    let ball = |(k, center): (usize, [f32; 3])| Ball {
        index: k as u32,
        center,
        radius,
        weight: (k % 7) as u8,
    };
    centers.enumerate().map(ball).collect()
}

/// Points in the unit cube.
pub fn uniform(seed: u32, n: usize) -> Vec<[f32; 3]> {
    let mut all = numbers(seed);
    let mut next = || all.next().unwrap_or_default();
    (0..n).map(|_| [next(), next(), next()]).collect()
}

/// The radius with which each of n balls in the unit cube touches about `neighbours` others.
pub fn radius(n: usize, neighbours: f32) -> f32 {
    (neighbours / (n.max(1) as f32 * 4.2)).cbrt() / 2.0
}

/// Balls that each touch about so many others.
pub fn spread(seed: u32, n: usize, neighbours: f32) -> Vec<Ball> {
    balls(uniform(seed, n).into_iter(), radius(n, neighbours))
}

/// All sets of n balls, with their names.
pub fn all(n: usize) -> Vec<(&'static str, Vec<Ball>)> {
    let cube = || uniform(n as u32 + 1, n).into_iter();
    let radius = radius(n, 8.0);
    let at = |centers: Vec<[f32; 3]>| balls(centers.into_iter(), radius);
    let with = |change: &dyn Fn(usize, &mut Ball)| {
        let mut all = balls(cube(), radius);
        all.iter_mut().enumerate().for_each(|(k, ball)| change(k, ball));
        all
    };
    let clusters = uniform(7, 8);
    vec![
        ("uniform", at(cube().collect())),
        (
            "clusters",
            at(cube()
                .enumerate()
                .map(|(k, x)| {
                    let center = clusters[k % 8];
                    [0, 1, 2].map(|d| center[d] + 0.02 * (x[d] - 0.5))
                })
                .collect()),
        ),
        ("one point", at(vec![[0.3, -2.0, 5e6]; n])),
        ("line", at(cube().map(|[x, ..]| [100.0 * x, 2.0, -7.0]).collect())),
        (
            "shell",
            at(cube()
                .map(|x| {
                    let y = x.map(|x| x - 0.5);
                    let norm = y.iter().map(|y| y * y).sum::<f32>().sqrt();
                    y.map(|y| y / norm)
                })
                .collect()),
        ),
        (
            "lattice",
            at((0..n)
                .map(|k| [k % 16, k / 16 % 16, k / 256].map(|k| k as f32 * radius * 2.0))
                .collect()),
        ),
        (
            "outlier",
            with(&|k, ball| {
                if k == n / 2 {
                    ball.center = [1e30, -1e30, 3.0];
                }
            }),
        ),
        ("huge offset", at(cube().map(|x| x.map(|x| 1e6 + x)).collect())),
        ("overflow", at(cube().map(|x| x.map(|x| (x - 0.5) * 3e38)).collect())),
        ("tiny", at(cube().map(|x| x.map(|x| x * 1e-42)).collect())),
        (
            "NaN",
            with(&|k, ball| match k % 11 {
                0 => ball.center[k % 3] = f32::NAN,
                5 if k % 2 == 0 => ball.radius = f32::NAN,
                _ => {}
            }),
        ),
        (
            "infinities",
            with(&|k, ball| match k % 13 {
                0 => ball.center[k % 3] = f32::INFINITY,
                1 => ball.center[k % 3] = f32::NEG_INFINITY,
                2 if k % 2 == 0 => ball.radius = f32::INFINITY,
                3 if k % 2 == 0 => ball.radius = f32::NEG_INFINITY,
                _ => {}
            }),
        ),
        (
            "radii",
            with(&|k, ball| {
                if k % 200 == 3 {
                    ball.radius *= 1e3;
                } else if k % 3 == 0 {
                    ball.radius *= 0.1;
                }
            }),
        ),
    ]
}
