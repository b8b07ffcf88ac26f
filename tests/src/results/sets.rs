//! Results of the elements of two sets.

use std::ops::Range;
use td_kernel::__private::Axis;

use td_kernel::{Buffer, Device, Kernel, Maxima, Minima, Result, Slice, Sums, Sweep};

use crate::folds::{Added, pass};
use crate::rectangle::Choice;

/// The kernel: results of rows, and of columns if the sweep has them.
const ITEM: &str = r##"
unsafe fn results(
    #[row] x: &[u32],
    #[column] y: &[f64],
    #[row] total: &mut Sums<i64>,
    #[row] nearest: &mut Minima<(i32, u32)>,
    #[row] edges: &mut Maxima<[f32; 2]>,
    COLUMNS
    wrong: &mut Sum<u64>,
) {
    r#"
    if (x != i || y != 0.5 * j || i >= rows || j >= columns) {
        wrong += 1;
        return;
    }
    const int value = (int)((i * 31 + j * 17) % 13) - 6;
    total -= (long long)j - value;
    nearest.offer(value * value);
    edges.offer(make_float2(value, -(float)j));
    BODY
    "#
}
"##;

const COLUMNS: [&str; 2] = [
    "#[column] force: &mut Sums<[f32; 3]>,
    #[column] farthest: &mut Maxima<(i32, u32)>,
    #[column] least: &mut Minima<u64>,",
    "force += make_float3(i % 64, 1, value);
    if (value > 0)
        farthest.offer(value);
    least.offer((unsigned long long)value * value << 40);",
];

/// Every sweep with results, in tiles of every kind.
pub fn rectangle_choices() -> Vec<Choice> {
    let sides: [(Sweep, &[u32]); 4] = [
        (Sweep::Classic, &[8, 16, 32]),
        (Sweep::Columns, &[32, 64, 96, 128, 256]),
        (Sweep::Rotate, &[32, 64, 96, 128, 192, 256]),
        (Sweep::Fold, &[32, 64]),
    ];
    let of = |(sweep, sides): (Sweep, &'static [u32])| {
        sides.iter().map(move |&side| Choice { sweep, side })
    };
    sides.into_iter().flat_map(of).collect()
}

/// Runs the kernel over these rows and columns, in one launch and in chunks, and compares all results.
pub fn check_rectangle(device: &Device, choice: &Choice, sizes: &[[usize; 2]]) -> Result<()> {
    let [parameters, body] = if choice.sweep == Sweep::Columns { ["", ""] } else { COLUMNS };
    let item = ITEM.replace("COLUMNS", parameters).replace("BODY", body);
    let kernel = choice.load(device, "results", &item)?;
    for &[rows, columns] in sizes {
        let x = device.upload(&(0..rows as u32).collect::<Vec<_>>())?;
        let y = device.upload(&(0..columns).map(|k| 0.5 * k as f64).collect::<Vec<_>>())?;
        let run = Run { device, choice, x, y };
        let (third, half) = (rows / 3, rows / 2);
        for chunks in [
            std::iter::once(0..rows).collect(),
            vec![0..third, third..rows],
            vec![half..rows, 0..half],
        ] {
            run.check(&kernel, &chunks)?;
        }
    }
    Ok(())
}

struct Run<'a> {
    device: &'a Device,
    choice: &'a Choice,
    x: Buffer<u32>,
    y: Buffer<f64>,
}

/// For each element, the value that `better` keeps of those in `offered`; `None` if nothing was offered.
fn kept<V: Copy>(
    count: usize,
    offered: impl Iterator<Item = (usize, V)>,
    better: impl Fn(V, V) -> bool,
) -> Vec<Option<V>> {
    let mut kept = vec![None; count];
    for (element, value) in offered {
        if kept[element].is_none_or(|other| better(value, other)) {
            kept[element] = Some(value);
        }
    }
    kept
}

impl Run<'_> {
    fn check(&self, kernel: &Kernel, chunks: &[Range<usize>]) -> Result<()> {
        let Run { device, choice, x, y } = self;
        let (rows, columns) = (x.len(), y.len());
        let place = format!("{choice:?}, {rows} x {columns}, {chunks:?}, on {}", device.name());
        let mut total: Sums<i64> = device.sums(rows)?;
        let mut nearest: Minima<(i32, u32)> = device.minima(rows)?;
        let mut edges: Maxima<[f32; 2]> = device.maxima(rows)?;
        let mut force: Sums<[f32; 3]> = device.sums(columns)?;
        let mut farthest: Maxima<(i32, u32)> = device.maxima(columns)?;
        let mut least: Minima<u64> = device.minima(columns)?;
        let mut wrong = device.sum::<u64>()?;
        let has_columns = choice.sweep != Sweep::Columns;
        let added = Added::of_sets(device, choice.sweep, [rows, columns])?;
        for rows in chunks {
            let kernel = if chunks.len() == 1 { kernel.clone() } else { kernel.rows(rows.clone()) };
            let mut launch = kernel.launch();
            pass!(launch, added);
            launch.bind(Axis::Row, "x", Slice::view(x))?;
            launch.bind(Axis::Column, "y", Slice::view(y))?;
            launch.bind(Axis::Row, "total", &mut total)?;
            launch.bind(Axis::Row, "nearest", &mut nearest)?;
            launch.bind(Axis::Row, "edges", &mut edges)?;
            if has_columns {
                launch.bind(Axis::Column, "force", &mut force)?;
                launch.bind(Axis::Column, "farthest", &mut farthest)?;
                launch.bind(Axis::Column, "least", &mut least)?;
            }
            launch.bind(Axis::All, "wrong", &mut wrong)?;
            // SAFETY: the parameters of the item, in its order and with its types.
            unsafe { launch.run() }?;
        }
        assert_eq!(wrong.download()?, 0, "{place}: elements of another pair");
        let pairs = || (0..rows).flat_map(move |i| (0..columns).map(move |j| (i, j)));
        let value = |(i, j): (usize, usize)| ((i * 31 + j * 17) % 13) as i32 - 6;
        let mut totals = vec![0; rows];
        let mut all_edges = vec![[f32::NEG_INFINITY; 2]; rows];
        let mut forces = vec![[0.0; 3]; columns];
        let mut leasts = vec![u64::MAX; columns];
        for (i, j) in pairs() {
            let value = value((i, j));
            totals[i] -= j as i64 - i64::from(value);
            let edge = all_edges[i];
            all_edges[i] = [edge[0].max(value as f32), edge[1].max(-(j as f32))];
            let force: [f32; 3] = forces[j];
            forces[j] = [force[0] + (i % 64) as f32, force[1] + 1.0, force[2] + value as f32];
            leasts[j] = leasts[j].min((i64::from(value * value) as u64) << 40);
        }
        assert_eq!(total.download()?, totals, "{place}: sums of i64");
        assert_eq!(edges.download()?, all_edges, "{place}: greatest [f32; 2]");
        let of_rows = pairs().map(|(i, j)| (i, (value((i, j)).pow(2), j as u32)));
        let nearests = kept(rows, of_rows, |a, b| a < b);
        assert_eq!(nearest.download()?, nearests, "{place}: least i32 with its partner");
        if has_columns {
            assert_eq!(force.download()?, forces, "{place}: sums of [f32; 3]");
            assert_eq!(least.download()?, leasts, "{place}: least u64");
            let offered = pairs().filter(|pair| value(*pair) > 0);
            let of_columns = offered.map(|(i, j)| (j, (value((i, j)), i as u32)));
            let farthests =
                kept(columns, of_columns, |a, b| a.0 > b.0 || (a.0 == b.0 && a.1 < b.1));
            assert_eq!(farthest.download()?, farthests, "{place}: greatest i32 with its partner");
        }
        Ok(())
    }
}
