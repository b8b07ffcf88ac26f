//! Kernels with many kinds of parameters and outputs at once, over all rows and over some. All values are integers or halves,
//! so they are the same on every device and in any order.

use td_kernel::{Device, DeviceType, HostPairs, Result, Shape, td_kernel};

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceType)]
struct Body {
    at: [f32; 5],
    kind: u32,
}

fn body(k: usize) -> Body {
    let kind = number(k + 3) as u32;
    Body { at: [kind as f32 / 2.0; 5], kind }
}

/// A number from 0 to 99.
fn number(k: usize) -> i32 {
    ((k * 7919 + k / 3 * 104_729) % 101 % 100) as i32
}

fn all<T>(count: usize, value: impl Fn(usize) -> T) -> Vec<T> {
    (0..count).map(value).collect()
}

/// Slots of several types; some pairs return early.
#[td_kernel]
unsafe fn slots(
    #[each] p: &[i32],
    #[each] q: &[f64],
    #[each] body: &[Body],
    weights: &[f32],
    shift: f32,
    value: &mut Packed<f32>,
    place: &mut Packed<[u8; 3]>,
    own: &mut Packed<Body>,
) {
    r#"
    value = shift;
    own.kind = i + n;
    if (body.i.kind == body.j.kind)
        return;
    value += weights[body.i.kind] * body.j.at[4] + (float)(q.i + p.j);
    place = make_uchar3(i, j, weights_length);
    own.at[3] = value;
    "#
}

#[td_kernel]
unsafe fn squares(
    #[each] p: &[i32],
    square: &mut Square<f32>,
    place: &mut Square<[u16; 3]>,
    packed: &mut Packed<f64>,
) {
    r#" square = 0.5f * p.i - p.j; place = make_ushort3(i, j, n); packed = square; "#
}

#[td_kernel(diagonal = true)]
unsafe fn full_square(#[each] p: &[i32], square: &mut Square<i32>, count: &mut Sum<u64>) {
    r#" square = p.i - 2 * p.j; count += 1; "#
}

/// In larger tiles.
#[td_kernel(diagonal = true)]
unsafe fn small_squares(
    #[each] p: &[i32],
    packed: &mut Packed<u8>,
    square: &mut Square<u8>,
    list: &mut Pairs<i16>,
) {
    r#"
    packed = 3 * p.i + p.j;
    square = p.i - 2 * p.j;
    if (square == packed)
        list.push(i + j);
    "#
}

/// Slots, and results of the elements of each pair.
macro_rules! slots_and_results {
    ($($name:ident: $keys:tt;)*) => {$(
        #[td_kernel $keys]
        unsafe fn $name(
            #[each] p: &[i32],
            value: &mut Packed<i16>,
            #[each] least: &mut Minima<(i32, u32)>,
            #[each] total: &mut Sums<[i64; 2]>,
            #[each] most: &mut Maxima<i16>,
            list: &mut Pairs,
        ) {
            r#"
            value = p.i - 2 * p.j;
            least.offer(value);
            total.i.x += value;
            total.j.y += i;
            most.offer(p.i + p.j);
            if (value == 3)
                list.push();
            "#
        }
    )*};
}

slots_and_results! {
    results_of_tiles: ();
    results_of_full_tiles: (diagonal = true, tile = 128);
    results_of_auto: (map = "auto");
}

/// Sums, lists and results of elements.
#[td_kernel(diagonal = true)]
unsafe fn gathered(
    #[each] p: &[i32],
    #[each] v: &[[i16; 4]],
    #[each] body: &[Body],
    count: &mut Sum<u32>,
    total: &mut Sum<i64>,
    small: &mut Sum<i32>,
    close: &mut Pairs,
    valued: &mut Pairs<[f32; 2]>,
    own: &mut Pairs<Body>,
    seen: &mut [u32],
    #[each] degree: &mut Sums<u32>,
    #[each] nearest: &mut Minima<(i32, u32)>,
    #[each] most: &mut Maxima<[u16; 2]>,
    #[each] least: &mut Minima<f32>,
) {
    r#"
    const int difference = p.i - p.j;
    total += difference + v.i.x * v.j.w;
    small -= difference;
    nearest.offer(difference * difference);
    most.i.offer(make_ushort2(p.i + p.j, j));
    least.j.offer(0.5f * difference);
    atomicAdd(&seen[(p.i + p.j) % seen_length], 1u);
    if (difference % 3)
        return;
    count += 1;
    degree.i += 2;
    degree.j += p.i;
    close.push();
    if (p.i > p.j)
        valued.push(make_float2(p.i, j));
    if (p.i == p.j)
        own.push(body.i);
    "#
}

#[td_kernel]
unsafe fn two_sets(
    #[row] a: &[i32],
    #[column] b: &[[i32; 2]],
    #[row] body: &[Body],
    shift: f32,
    cost: &mut Matrix<f32>,
    total: &mut Sum<i64>,
    close: &mut Pairs<u8>,
    #[row] least: &mut Minima<(f32, u32)>,
    #[column] most: &mut Maxima<f32>,
    #[column] degree: &mut Sums<i64>,
) {
    r#"
    cost = abs(a - b.x) * b.y + body.at[1] + shift + (float)rows - columns;
    total += a;
    least.offer(cost);
    most.offer(cost);
    degree += (int)i - (int)j;
    if (body.kind % 2)
        close.push(body.kind);
    "#
}

/// Runs the kernels of one set over `n` elements, and compares all results.
pub fn check(device: &Device, n: usize) -> Result<()> {
    check_slots(device, n)?;
    check_squares(device, n)?;
    check_results(device, n)?;
    check_gathered(device, n)
}

fn check_slots(device: &Device, n: usize) -> Result<()> {
    let p = device.upload(&all(n, number))?;
    let q = device.upload(&all(n, |k| f64::from(number(k + 2))))?;
    let bodies = device.upload(&all(n, body))?;
    let weights = device.upload(&all(100, |kind| kind as f32))?;
    let kernel = slots::load(device)?;
    for rows in [0..n / 3, n / 3..n, 0..n] {
        let mut value = device.packed(Shape::triangle(n).of_rows(rows.clone()))?;
        let mut place = device.packed(Shape::triangle(n).of_rows(rows.clone()))?;
        let mut own = device.packed(Shape::triangle(n).of_rows(rows.clone()))?;
        let kernel = kernel.rows(rows.clone());
        kernel.launch(&p, &q, &bodies, &weights, 1.5, &mut value, &mut place, &mut own)?;
        let (mut values, mut places, mut owned) = (Vec::new(), Vec::new(), Vec::new());
        for (i, j) in rows.clone().flat_map(|i| (0..i).map(move |j| (i, j))) {
            let (mut value, mut place, mut own) = (1.5, [0; 3], Body::default());
            own.kind = (i + n) as u32;
            let (a, b) = (body(i), body(j));
            if a.kind != b.kind {
                value += a.kind as f32 * b.at[4] + (number(i + 2) + number(j)) as f32;
                place = [i as u8, j as u8, 100];
                own.at[3] = value;
            }
            values.push(value);
            places.push(place);
            owned.push(own);
        }
        let context = format!("n = {n}, rows {rows:?}, on {}", device.name());
        assert!(value.download()?.as_slice() == values, "{context}: floats");
        assert!(place.download()?.as_slice() == places, "{context}: vectors");
        assert!(own.download()?.as_slice() == owned, "{context}: structs");
    }
    Ok(())
}

fn check_squares(device: &Device, n: usize) -> Result<()> {
    let context = format!("n = {n}, on {}", device.name());
    let p = device.upload(&all(n, number))?;
    let mut square = device.square(n)?.with_diagonal(-2.5);
    let (mut place, mut packed) = (device.square(n)?, device.packed(n)?);
    squares::load(device)?.launch(&p, &mut square, &mut place, &mut packed)?;
    let (mut full, mut count) = (device.square(n)?, device.sum()?);
    full_square::load(device)?.launch(&p, &mut full, &mut count)?;
    let value = |i: usize, j: usize| 0.5 * number(i) as f32 - number(j) as f32;
    let cells = all(n * n, |cell| (cell / n, cell % n));
    let of_pair = |&(i, j): &(usize, usize)| (i.max(j), i.min(j));
    let mut expected = (Vec::new(), Vec::new(), Vec::new());
    for (i, j) in cells.iter().map(of_pair) {
        expected.0.push(if i == j { -2.5 } else { value(i, j) });
        expected.1.push(if i == j { [0; 3] } else { [i, j, n].map(|each| each as u16) });
        expected.2.push(number(i) - 2 * number(j));
    }
    assert!(square.download()?.as_slice() == expected.0, "{context}: square");
    assert!(place.download()?.as_slice() == expected.1, "{context}: square of vectors");
    assert!(full.download()?.as_slice() == expected.2, "{context}: square with its diagonal");
    assert_eq!(count.download()?, (n * (n + 1) / 2) as u64, "{context}");
    let below = cells.into_iter().filter(|(i, j)| i > j);
    let expected: Vec<_> = below.map(|(i, j)| f64::from(value(i, j))).collect();
    assert!(packed.download()?.as_slice() == expected, "{context}: packed");

    for text in 0..small_squares::SOURCES.len() {
        let kernel = small_squares { kernel: small_squares::load(device)?.kernel.pin(text) };
        check_small_squares(device, &kernel, n)?;
    }
    Ok(())
}

fn check_small_squares(device: &Device, kernel: &small_squares, n: usize) -> Result<()> {
    let context = format!("n = {n}, on {}", device.name());
    let p = device.upload(&all(n, number))?;
    let mut packed = device.packed(Shape::triangle(n).with_diagonal())?;
    let (mut square, mut list) = (device.square(n)?, device.pairs(n * n)?);
    kernel.launch(&p, &mut packed, &mut square, &mut list)?;
    let values = |i: usize, j: usize| {
        [3 * number(i) + number(j), number(i) - 2 * number(j)].map(|value| value as u8)
    };
    let pairs = || (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let expected: Vec<u8> = pairs().map(|(i, j)| values(i, j)[0]).collect();
    assert!(packed.download()?.as_slice() == expected, "{context}: packed bytes");
    let all = (0..n).flat_map(|i| (0..n).map(move |j| (i.max(j), i.min(j))));
    let expected: Vec<u8> = all.map(|(i, j)| values(i, j)[1]).collect();
    assert!(square.download()?.as_slice() == expected, "{context}: square of bytes");
    let equal = pairs().filter(|(i, j)| values(*i, *j)[0] == values(*i, *j)[1]);
    let expected: Vec<_> = equal.map(|(i, j)| ([i as u32, j as u32], (i + j) as i16)).collect();
    let found = list.download()?.sorted()?;
    assert!(found.iter().map(|(pair, value)| (pair, *value)).eq(expected), "{context}: list");
    Ok(())
}

fn check_results(device: &Device, n: usize) -> Result<()> {
    let p = device.upload(&all(n, number))?;
    for rows in [0..n, n / 3..n, n / 3..n - n / 4] {
        macro_rules! check {
            ($kernel:ident, $diagonal:literal) => {
                for text in 0..$kernel::SOURCES.len() {
                    let kernel = $kernel { kernel: $kernel::load(device)?.kernel.pin(text) };
                    let shape = Shape::triangle(n);
                    let shape = if $diagonal { shape.with_diagonal() } else { shape };
                    let mut value = device.packed(shape.of_rows(rows.clone()))?;
                    let (mut least, mut total) = (device.minima(n)?, device.sums(n)?);
                    let (mut most, mut list) = (device.maxima(n)?, device.pairs(n * n)?);
                    kernel
                        .rows(rows.clone())
                        .launch(&p, &mut value, &mut least, &mut total, &mut most, &mut list)?;
                    let context = format!("{rows:?} of {n}, text {text}, on {}", device.name());
                    let (mut values, mut pairs) = (Vec::new(), Vec::new());
                    let (mut leasts, mut totals) = (vec![None; n], vec![[0_i64; 2]; n]);
                    let mut greatest = vec![i16::MIN; n];
                    let own = |i: usize| 0..i + usize::from($diagonal);
                    for (i, j) in rows.clone().flat_map(|i| own(i).map(move |j| (i, j))) {
                        let value = number(i) - 2 * number(j);
                        values.push(value as i16);
                        totals[i][0] += i64::from(value);
                        // A pair (i, i) adds to its element through `.i` only.
                        if i != j {
                            totals[j][1] += i as i64;
                        }
                        for (at, other) in [(i, j), (j, i)] {
                            offer(&mut leasts[at], (value, other as u32));
                            greatest[at] = greatest[at].max((number(i) + number(j)) as i16);
                        }
                        if value == 3 {
                            pairs.push([i as u32, j as u32]);
                        }
                    }
                    assert!(value.download()?.as_slice() == values, "{context}: values");
                    assert_eq!(least.download()?, leasts, "{context}: least");
                    assert_eq!(total.download()?, totals, "{context}: totals");
                    assert_eq!(most.download()?, greatest, "{context}: greatest");
                    assert_eq!(list.download()?.sorted()?, pairs.into(), "{context}: list");
                }
            };
        }
        check!(results_of_tiles, false);
        check!(results_of_full_tiles, true);
        check!(results_of_auto, false);
    }
    Ok(())
}

fn check_gathered(device: &Device, n: usize) -> Result<()> {
    let context = format!("n = {n}, on {}", device.name());
    let vector = |k: usize| [0, 1, 2, 3].map(|at| number(4 * k + at) as i16);
    let (p, v) = (device.upload(&all(n, number))?, device.upload(&all(n, vector))?);
    let bodies = device.upload(&all(n, body))?;

    let (mut total, mut small, mut seen) = (0_i64, 0_i32, [0_u32; 13]);
    let (mut close, mut valued, mut own) = (Vec::new(), Vec::new(), Vec::new());
    let (mut degree, mut nearest) = (vec![0_u32; n], vec![None; n]);
    let (mut most, mut least) = (vec![[0_u16; 2]; n], vec![f32::INFINITY; n]);
    for (i, j) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))) {
        let (a, b, pair) = (number(i), number(j), [i as u32, j as u32]);
        let difference = a - b;
        total += i64::from(difference) + i64::from(vector(i)[0]) * i64::from(vector(j)[3]);
        small -= difference;
        for (element, other) in [(i, pair[1]), (j, pair[0])] {
            offer(&mut nearest[element], (difference * difference, other));
        }
        most[i] = [most[i][0].max((a + b) as u16), most[i][1].max(j as u16)];
        least[j] = least[j].min(0.5 * difference as f32);
        seen[(a + b) as usize % 13] += 1;
        if difference % 3 != 0 {
            continue;
        }
        degree[i] += 2;
        // A pair (i, i) adds its contribution to i only.
        degree[j] += if i == j { 0 } else { a as u32 };
        close.push(pair);
        if a > b {
            valued.push((pair, [a as f32, j as f32]));
        }
        if a == b {
            own.push((pair, body(i)));
        }
    }

    let (mut count, mut of_all, mut of_small) = (device.sum()?, device.sum()?, device.sum()?);
    let mut listed = device.pairs(close.len())?;
    let (mut with_values, mut with_bodies) =
        (device.pairs(2 * valued.len())?, device.pairs(2 * own.len())?);
    let mut places = device.zeroed(13)?;
    let (mut degrees, mut nearests) = (device.sums(n)?, device.minima(n)?);
    let (mut greatest, mut smallest) = (device.maxima(n)?, device.minima(n)?);
    let kernel = gathered::load(device)?;
    let mut launch = |listed: &mut td_kernel::Pairs| {
        kernel.launch(
            &p, &v, &bodies, &mut count, &mut of_all, &mut of_small, listed, &mut with_values,
            &mut with_bodies, &mut places, &mut degrees, &mut nearests, &mut greatest,
            &mut smallest,
        )?;
        Ok::<_, td_kernel::Error>((
            (count.download()?, of_all.download()?, of_small.download()?, places.download()?),
            (with_values.download()?.sorted()?, with_bodies.download()?.sorted()?),
            (degrees.download()?, nearests.download()?),
            (greatest.download()?, smallest.download()?),
        ))
    };
    let (totals, lists, results, extremes) = launch(&mut listed)?;
    assert_eq!(totals, (close.len() as u32, total, small, seen.to_vec()), "{context}: totals");
    assert!(listed.download()?.sorted()?.pairs() == close, "{context}: list");
    assert!(lists == (list(valued)?, list(own)?), "{context}: lists with values");
    assert_eq!(results, (degree, nearest), "{context}: degrees and nearest");
    assert_eq!(extremes, (most, least), "{context}: greatest and least");

    // The list is full, and reports the required room.
    launch(&mut listed)?;
    if !close.is_empty() {
        let error = listed.download().err();
        let needed = error.and_then(|error| error.needed());
        assert_eq!(needed, Some(2 * close.len()), "{context}");
    }
    Ok(())
}

/// Keeps the smallest value, and among equal values the one with the smallest index.
fn offer<T: Copy + PartialOrd>(least: &mut Option<(T, u32)>, offered: (T, u32)) {
    if least.is_none_or(|least| offered < least) {
        *least = Some(offered);
    }
}

fn list<T>(pairs: Vec<([u32; 2], T)>) -> Result<HostPairs<T>> {
    let (pairs, values) = pairs.into_iter().unzip();
    HostPairs::from_vecs(pairs, values)
}

/// Runs the kernel of two sets, and compares all results.
pub fn check_two_sets(device: &Device, [rows, columns]: [usize; 2]) -> Result<()> {
    let column = |k: usize| [number(k + 1), number(k + 2)];
    let (a, b) = (device.upload(&all(rows, number))?, device.upload(&all(columns, column))?);
    let bodies = device.upload(&all(rows, body))?;
    let kernel = two_sets::load(device)?;
    for chunk in [0..rows / 2, rows / 2..rows, 0..rows] {
        let mut cost = device.matrix(Shape::rectangle(rows, columns).of_rows(chunk.clone()))?;
        let (mut total, mut close) = (device.sum()?, device.pairs(rows * columns)?);
        let (mut least, mut most) = (device.minima(rows)?, device.maxima(columns)?);
        let mut degree = device.sums(columns)?;
        kernel.rows(chunk.clone()).launch(
            &a, &b, &bodies, 1.5, &mut cost, &mut total, &mut close, &mut least, &mut most,
            &mut degree,
        )?;
        let (mut costs, mut sum, mut pairs) = (Vec::new(), 0_i64, Vec::new());
        let (mut leasts, mut greatest) = (vec![None; rows], vec![f32::NEG_INFINITY; columns]);
        let mut degrees = vec![0_i64; columns];
        for (i, j) in chunk.clone().flat_map(|i| (0..columns).map(move |j| (i, j))) {
            let ([x, y], own) = (column(j), body(i));
            let gap = ((number(i) - x).abs() * y) as f32;
            let cost = gap + own.at[1] + 1.5 + rows as f32 - columns as f32;
            costs.push(cost);
            sum += i64::from(number(i));
            offer(&mut leasts[i], (cost, j as u32));
            greatest[j] = greatest[j].max(cost);
            degrees[j] += i as i64 - j as i64;
            if own.kind % 2 == 1 {
                pairs.push(([i as u32, j as u32], own.kind as u8));
            }
        }
        let context = format!("{rows} x {columns}, rows {chunk:?}, on {}", device.name());
        assert!(cost.download()?.as_slice() == costs, "{context}: matrix");
        assert_eq!(total.download()?, sum, "{context}: total");
        assert!(close.download()?.sorted()? == list(pairs)?, "{context}: list");
        assert_eq!(least.download()?, leasts, "{context}: least");
        assert_eq!(most.download()?, greatest, "{context}: greatest");
        assert_eq!(degree.download()?, degrees, "{context}: sums");
    }
    Ok(())
}
