//! Points on a sphere, with a lower bound of their angles.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use td_kernel::{Nearest, Result, Target, td_kernel};

use super::{Neighbours, Way, neighbours, sets};

/// Latitudes and longitudes: at poles, on both sides of the date line, copies, almost copies some turns away, antipodes, and
/// others anywhere.
pub fn points(n: usize) -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = Vec::new();
    for (k, [u, v, _]) in sets::uniform(n as u32, n).into_iter().enumerate() {
        let (u, v) = (f64::from(u), f64::from(v));
        let [latitude, longitude] = [(2.0 * u - 1.0).asin(), PI * (2.0 * v - 1.0)];
        let [a, b] = points.get(k / 2).copied().unwrap_or_default();
        points.push(match k % 12 {
            0 => [FRAC_PI_2, longitude],
            1 => [-FRAC_PI_2, longitude],
            2 => [FRAC_PI_2 - 1e-3 * u * u, longitude],
            3 => [latitude, PI - 0.01 * v],
            4 => [latitude, 0.01 * v - PI],
            5 => [a, b],
            6 => [(a + 1e-7).min(FRAC_PI_2), b - 3.0 * TAU],
            7 => [-a, b + PI],
            _ => [latitude, longitude],
        });
    }
    points
}

/// All sets of n points.
pub fn all(n: usize) -> Vec<(&'static str, Vec<[f64; 2]>)> {
    let with = |change: &dyn Fn(usize, &mut [f64; 2])| {
        let mut all = points(n);
        all.iter_mut().enumerate().for_each(|(k, point)| change(k, point));
        all
    };
    vec![
        ("points", points(n)),
        ("one point", vec![[0.7, -3.0]; n]),
        ("past poles", with(&|k, point| point[0] *= [1.0, 1.1, -3.0, 8.0][k / 5 % 4])),
        ("cap", with(&|_, point| point[0] = FRAC_PI_2 - 0.01 * point[0].abs())),
        (
            "not finite",
            with(&|k, point| match k % 40 {
                3 => point[0] = f64::NAN,
                9 => point[1] = f64::INFINITY,
                21 => point[0] = f64::NEG_INFINITY,
                _ => {}
            }),
        ),
    ]
}

/// A kernel, and a function that returns the pairs within an angle, with the bits of their angles, and the number of evaluated pairs.
macro_rules! within {
    ($name:ident, $find:ident, $real:ty, ($($keys:tt)*), $longitude:expr, $pair:literal) => {
        #[td_kernel($($keys)*)]
        unsafe fn $name(#[each] p: &[[$real; 2]], limit: $real, list: &mut Pairs<$real>, evaluated: &mut Sum<u64>) {
            let pair = $pair;
            let lower_bound = r#" sphere_distance(p.i, p.j) - limit "#;
        }

        /// The pairs within an angle, with their angles, and the number of evaluated pairs.
        pub fn $find(device: &Target, way: Way, points: &[[f64; 2]], limit: f64) -> Result<(Vec<([u32; 2], f64)>, u64)> {
            let point = |point: &[f64; 2]| [point[1 - $longitude] as $real, point[$longitude] as $real];
            let p = device.upload(&points.iter().map(point).collect::<Vec<_>>())?;
            let n = points.len();
            let (mut list, mut evaluated) = (device.pairs(n * n.saturating_sub(1) / 2)?, device.sum()?);
            load!($name, device, way).launch(&p, limit as $real, &mut list, &mut evaluated)?;
            let list = list.download()?;
            let mut pairs: Vec<_> = list.iter().map(|(pair, angle)| (pair, f64::from(*angle))).collect();
            pairs.sort_unstable_by_key(|(pair, _)| *pair);
            Ok((pairs, evaluated.download()?))
        }
    };
}

within!(
    floats,
    within_floats,
    f32,
    (order = "y, x"),
    0,
    r#"
    evaluated += 1;
    const float x = sinf((p.i.x - p.j.x) / 2), y = sinf((p.i.y - p.j.y) / 2);
    const float square = y * y + cosf(p.i.y) * cosf(p.j.y) * x * x;
    const float angle = 2 * asinf(sqrtf(square < 0 ? 0 : square > 1 ? 1 : square));
    // A pair with a NaN is in.
    if (!(angle > limit))
        list.push(angle);
"#
);

within!(
    doubles,
    within_doubles,
    f64,
    (),
    1,
    r#"
    evaluated += 1;
    const double x = sin((p.i.x - p.j.x) / 2), y = sin((p.i.y - p.j.y) / 2);
    const double square = x * x + cos(p.i.x) * cos(p.j.x) * y * y;
    const double angle = 2 * asin(sqrt(square < 0 ? 0 : square > 1 ? 1 : square));
    if (!(angle > limit))
        list.push(angle);
"#
);

#[td_kernel]
unsafe fn stations(
    #[row] p: &[[f32; 2]],
    #[column] q: &[[f64; 2]],
    #[row] near: &mut Nearest<f32, 3>,
) {
    let pair = r#"
    const double x = sin((p.x - q.x) / 2), y = sin((p.y - q.y) / 2);
    const double square = x * x + cos((double)p.x) * cos(q.x) * y * y;
    near.push(2 * asin(sqrt(square < 0 ? 0 : square > 1 ? 1 : square)));
    "#;
    let lower_bound = r#" sphere_distance(p, q) "#;
}

/// The nearest columns of each row.
pub fn nearest(
    device: &Target,
    way: Way,
    rows: &[[f64; 2]],
    columns: &[[f64; 2]],
) -> Result<Neighbours> {
    let rows: Vec<_> = rows.iter().map(|point| point.map(|x| x as f32)).collect();
    let mut near: Nearest<f32, 3> = device.nearest(rows.len())?;
    load!(stations, device, way).launch(
        &device.upload(&rows)?,
        &device.upload(columns)?,
        &mut near,
    )?;
    Ok(neighbours(&near.download()?))
}
