//! Launches that keep a list of near pairs, compared with launches without a list, over time steps.

use td_kernel::{GivenPairs, Result, Target, td_kernel};

use super::{Ball, sets};

#[td_kernel(order = "center[0], center[1], center[2]")]
unsafe fn close(
    #[each] p: &[Ball],
    margin: f32,
    factor: u32,
    list: &mut Pairs,
    total: &mut Sum<u64>,
    #[each] degree: &mut Sums<u32>,
) {
    let pair = r#"
    const float x = p.i.center[0] - p.j.center[0], y = p.i.center[1] - p.j.center[1], z = p.i.center[2] - p.j.center[2];
    if (sqrtf(x * x + y * y + z * z) - (p.i.radius + p.j.radius) <= margin) {
        list.push();
        total += factor * p.i.weight;
        degree.i += 1;
        degree.j += 2;
    }
    "#;
    let lower_bound = r#" box_distance(p.i, p.j) - (p.i.hi.radius + p.j.hi.radius) - margin "#;
}

#[td_kernel]
unsafe fn degrees(
    #[each] p: &[[f32; 3]],
    edges: [f32; 3],
    radius: f32,
    #[each] degree: &mut Sums<u32>,
) {
    let pair = r#"
    float3 d = make_float3(p.i.x - p.j.x, p.i.y - p.j.y, p.i.z - p.j.z);
    d.x -= edges.x * rintf(d.x / edges.x);
    d.y -= edges.y * rintf(d.y / edges.y);
    d.z -= edges.z * rintf(d.z / edges.z);
    if (d.x * d.x + d.y * d.y + d.z * d.z <= radius * radius) {
        degree.i += 1;
        degree.j += 1;
    }
    "#;
    let lower_bound = r#" periodic_distance(p.i, p.j, edges.x, edges.y, edges.z) - radius "#;
}

#[td_kernel(order = "x, y, z", diagonal = true)]
unsafe fn weighted(#[each] p: &[[f32; 4]], #[each] degree: &mut Sums<u32>) {
    let pair = r#" if (fabsf(p.i.x - p.j.x) <= p.i.w + p.j.w) degree.i += 1; "#;
    let lower_bound = r#" box_distance(p.i, p.j) - p.i.hi.w - p.j.hi.w "#;
}

#[td_kernel]
unsafe fn hits(
    #[row] p: &[[f32; 4]],
    #[column] q: &[[f64; 3]],
    #[row] row: &mut Sums<u32>,
    #[column] column: &mut Maxima<u32>,
) {
    let pair = r#"
    const double x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    if (sqrt(x * x + y * y + z * z) <= p.w) {
        row += 1;
        column.offer(i);
    }
    "#;
    let lower_bound = r#" box_distance(p, q) - p.hi.w "#;
}

/// Pairs, a sum of weights, and degrees.
type Found = (Vec<[u32; 2]>, u64, Vec<u32>);

/// What a kernel finds.
fn found(kernel: &close, device: &Target, p: &[Ball], margin: f32, factor: u32) -> Result<Found> {
    let mut list = device.pairs(p.len() * p.len())?;
    let (mut total, mut degree) = (device.sum()?, device.sums(p.len())?);
    let p = device.upload(p)?;
    kernel.launch(&p, margin, factor, &mut list, &mut total, &mut degree)?;
    let list = list.download()?.sorted()?.pairs().to_vec();
    Ok((list, total.download()?, degree.download()?))
}

/// The list of a kernel that has one.
#[allow(clippy::expect_used)]
fn list(kernel: &close) -> GivenPairs {
    kernel.kept().expect("it has a list")
}

/// Time steps in which elements move by less than half of the skin: results are those without a list, and the list stays the same.
/// After a larger move, or another change of what the lower bound reads, the kernel makes a new list.
pub fn check_steps(device: &Target, n: usize) -> Result<()> {
    let plain = close::load(device)?;
    let kept = plain.keep(0.0625);
    assert!(kept.kept().is_none());
    let mut balls = sets::balls(sets::uniform(5, n).into_iter(), sets::radius(n, 8.0));
    let check = |balls: &[Ball], margin, factor| -> Result<GivenPairs> {
        let expected = found(&plain, device, balls, margin, factor)?;
        assert!(found(&kept, device, balls, margin, factor)? == expected, "n = {n}");
        Ok(list(&kept))
    };
    if n < 2 {
        assert!(found(&kept, device, &balls, 0.0, 1)? == (Vec::new(), 0, vec![0; n]));
        assert!(kept.kept().is_none());
        return Ok(());
    }
    let first = check(&balls, 0.0, 1)?;
    let start = balls.clone();
    let mut moves = sets::numbers(9);
    for step in 1..=3 {
        for (ball, start) in balls.iter_mut().zip(&start) {
            // At most sqrt(3) times 0.018 in all.
            let at = |d: usize, to: f32| start.center[d] + 0.036 * (to - 0.5);
            ball.center = [0, 1, 2].map(|d| at(d, moves.next().unwrap_or_default()));
        }
        // Numbers that the lower bound does not use, and other members, may change.
        balls[n / 2].weight = step;
        assert!(first.is_same(&check(&balls, 0.0, step.into())?), "step {step}");
    }
    // The last step of one element, near the limit and past it.
    let mut latest = first;
    for last in [0, n - 1] {
        balls.clone_from(&start);
        balls[last].center[1] += 0.03124;
        let near = check(&balls, 0.0, 1)?;
        assert!(latest.is_same(&near));
        balls[last].center[1] = start[last].center[1] + 0.03126;
        latest = check(&balls, 0.0, 1)?;
        assert!(!latest.is_same(&near));
        balls.clone_from(&start);
        // Back by as much.
        let back = check(&balls, 0.0, 1)?;
        assert!(!latest.is_same(&back));
        latest = back;
    }
    // What the lower bound reads besides.
    let mut expect = |balls: &[Ball], margin, is_same| -> Result<()> {
        let next = check(balls, margin, 1)?;
        assert_eq!(next.is_same(&latest), is_same, "{margin} {:?}", balls.last());
        latest = next;
        Ok(())
    };
    expect(&balls, 0.01, false)?;
    expect(&balls, 0.01, true)?;
    balls[n - 1].radius *= 1.5;
    expect(&balls, 0.01, false)?;
    expect(&balls, 0.01, true)?;
    // A NaN is never where it was.
    balls[n / 3].center[2] = f32::NAN;
    expect(&balls, 0.01, false)?;
    expect(&balls, 0.01, false)?;
    balls[n / 3].center[2] = 0.5;
    expect(&balls, 0.01, false)?;
    // Another number of elements, and all far away.
    if n == 2 {
        found(&kept, device, &balls[..1], 0.01, 1)?;
        assert!(kept.kept().is_none());
    } else {
        expect(&balls[..n - 1], 0.01, false)?;
        balls.iter_mut().for_each(|ball| ball.center[0] *= 100.0);
        expect(&balls, 0.01, false)?;
        expect(&balls, 0.01, true)?;
    }
    Ok(())
}

/// A list that outgrows its room, and one without pairs.
pub fn check_room(device: &Target) -> Result<()> {
    let n = 300;
    let plain = close::load(device)?;
    let kept = plain.keep(0.25_f32);
    let balls = |radius| sets::balls(sets::uniform(5, n).into_iter(), radius);
    for (radius, room) in [(0.0, 0..9000), (1.0, 44_850..44_851), (0.01, 0..9000)] {
        let expected = found(&plain, device, &balls(radius), -1e-6, 1)?;
        assert!(found(&kept, device, &balls(radius), -1e-6, 1)? == expected);
        assert!(room.contains(&list(&kept).len()), "{:?}", list(&kept));
    }
    Ok(())
}

/// In a periodic cell elements may leave it. If they are put back into it, the list is made again.
pub fn check_cell(device: &Target, n: usize) -> Result<()> {
    let edges = [1.0, 1.5, 2.0];
    let plain = degrees::load(device)?;
    let kept = plain.keep(0.05);
    let mut p: Vec<[f32; 3]> = sets::uniform(4, n);
    let run = |kernel: &degrees, p: &[[f32; 3]]| -> Result<Vec<u32>> {
        let mut degree = device.sums(n)?;
        kernel.launch(&device.upload(p)?, edges, 0.125, &mut degree)?;
        degree.download()
    };
    let mut lists: Vec<GivenPairs> = Vec::new();
    for step in 0..4 {
        assert_eq!(run(&kept, &p)?, run(&plain, &p)?, "step {step}");
        lists.extend(kept.kept());
        match step {
            0 | 1 => p.iter_mut().for_each(|at| at[0] += 0.01),
            _ => p.iter_mut().for_each(|at| at[0] -= at[0].floor()),
        }
    }
    let same: Vec<_> = lists.windows(2).map(|two| two[0].is_same(&two[1])).collect();
    assert_eq!(same, [true, true, false]);
    Ok(())
}

/// The pairs (i, i), and a component of a vector that the lower bound reads.
pub fn check_diagonal(device: &Target) -> Result<()> {
    let kept = weighted::load(device)?.keep(1);
    let run = |p: &[[f32; 4]]| {
        let mut degree = device.sums(p.len())?;
        kept.launch(&device.upload(p)?, &mut degree)?;
        degree.download()
    };
    let mut p = [[0.0, 0.0, 0.0, 0.5], [3.0, 0.0, 0.0, 0.5], [9.0, 0.0, 0.0, 0.5]];
    assert_eq!(run(&p[..1])?, [1]);
    assert_eq!(run(&p)?, [1, 1, 1]);
    assert_eq!(kept.kept().map(|list| list.len()), Some(3));
    p[2][3] = 5.5;
    assert_eq!(run(&p)?, [1, 1, 2]);
    assert_eq!(kept.kept().map(|list| list.len()), Some(4));
    Ok(())
}

/// Two sets, each of which may move.
pub fn check_two(device: &Target, [rows, columns]: [usize; 2]) -> Result<()> {
    let plain = hits::load(device)?;
    let kept = plain.keep(0.1);
    let mut p: Vec<[f32; 4]> =
        sets::uniform(1, rows).iter().map(|[x, y, z]| [*x, *y, *z, 0.1]).collect();
    let mut q: Vec<[f64; 3]> =
        sets::uniform(2, columns).iter().map(|at| at.map(f64::from)).collect();
    let run = |kernel: &hits, p: &[[f32; 4]], q: &[[f64; 3]]| -> Result<[Vec<u32>; 2]> {
        let (mut row, mut column) = (device.sums(p.len())?, device.maxima(q.len())?);
        kernel.launch(&device.upload(p)?, &device.upload(q)?, &mut row, &mut column)?;
        Ok([row.download()?, column.download()?])
    };
    let mut lists: Vec<Option<GivenPairs>> = Vec::new();
    for step in 0..5 {
        assert!(run(&kept, &p, &q)? == run(&plain, &p, &q)?, "step {step}");
        lists.push(kept.kept());
        match step {
            0 => q.iter_mut().for_each(|at| at[2] += 0.049),
            1 => p.iter_mut().for_each(|at| at[0] -= 0.049),
            2 => q.iter_mut().take(1).for_each(|at| at[1] -= 0.02),
            _ => p.iter_mut().take(1).for_each(|at| at[3] = 0.11),
        }
    }
    let is_same = |two: &[Option<GivenPairs>]| match two {
        [Some(a), Some(b)] => a.is_same(b),
        _ => true,
    };
    let same: Vec<_> = lists.windows(2).map(is_same).collect();
    assert_eq!(same, if rows * columns > 0 { [true, true, false, false] } else { [true; 4] });
    Ok(())
}

#[td_kernel]
unsafe fn squares(#[each] p: &[[f32; 2]], count: &mut Sum<u32>) {
    let pair = r#" if (fabsf(p.i.x - p.j.x) < 1) count += 1; "#;
    let lower_bound = r#" box_square(p.i, p.j) - 1 "#;
}

#[td_kernel]
unsafe fn search(#[each] p: &[[f32; 2]], #[each] near: &mut Nearest<f32, 2>) {
    let pair = r#" near.push(fabsf(p.i.x - p.j.x)); "#;
    let lower_bound = r#" p.i.lo.x - p.j.hi.x "#;
}

/// What is refused, before an output changes.
#[allow(clippy::unwrap_used)]
pub fn check_errors(device: &Target, other: &Target) -> Result<()> {
    let kernel = close::load(device)?;
    let balls = device.upload(&sets::balls(sets::uniform(5, 9).into_iter(), 1.0))?;
    let mut list = device.pairs(99)?;
    let (mut total, mut degree) = (device.sum()?, device.sums(9)?);
    let mut expect = |kernel: &close, words: &str| {
        let launched = kernel.launch(&balls, 0.0, 1, &mut list, &mut total, &mut degree);
        crate::assert_errors! { launched => words; }
        assert_eq!((list.count().unwrap(), total.download().unwrap()), (0, 0));
    };
    for skin in [-0.5, f64::NAN, f64::INFINITY] {
        expect(&kernel.keep(skin), "must be finite and not below 0");
    }
    expect(
        &kernel.rows(1..3).keep(1),
        "cannot be launched for a range of rows, because the pairs of a list",
    );
    let tuned = kernel.keep(1).tune(&balls, 0.0, 1, &mut list, &mut total, &mut degree);
    crate::assert_errors! {
        tuned => "cannot be tuned, because launches over a list";
        kernel.keep(1).report(9) => "cannot be reported, because a launch over a list";
    }
    kernel.keep(1).prepare(9)?;
    // Of `keep` and `pairs`, the last call counts.
    let none = device.given_pairs(&[])?;
    kernel.keep(1).pairs(&none).launch(&balls, 0.0, 1, &mut list, &mut total, &mut degree)?;
    assert_eq!(list.count()?, 0);
    kernel.pairs(&none).keep(1).launch(&balls, 0.0, 1, &mut list, &mut total, &mut degree)?;
    assert_eq!(list.count()?, 36);
    let elsewhere = other.upload(&sets::balls(sets::uniform(5, 9).into_iter(), 1.0))?;
    let kept = kernel.keep(1);
    let launched = kept.launch(&elsewhere, 0.0, 1, &mut list, &mut total, &mut degree);
    let p = device.upload(&[[0.0, 1.0], [2.0, 3.0]])?;
    let (squares, search) = (squares::load(device)?.keep(1), search::load(device)?.keep(1));
    crate::assert_errors! {
        launched => "", WrongDevice;
        squares.launch(&p, &mut device.sum()?) => "is a square or a sum of distances";
        search.launch(&p, &mut device.nearest(2)?) => "it searches for nearest neighbours";
    }
    Ok(())
}

/// An error of any launch on these devices.
#[allow(clippy::unwrap_used)]
pub fn expect_refused(device: &Target, words: &str) -> Result<()> {
    let p = device.upload(&sets::uniform(1, 5))?;
    let launched = degrees::load(device)?.keep(0.5).launch(&p, [1.0; 3], 0.1, &mut device.sums(5)?);
    crate::assert_errors! { launched => words; }
    Ok(())
}
