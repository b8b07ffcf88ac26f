//! Bodies in which the compiler could fuse different products. The tests check that a pair has the same bits everywhere in
//! tiles of one size: in partial tiles, in interior ones, in chunks of rows, and when it is visited again.

use td_kernel::{Device, Nearest, Packed, Result, Shape, td_kernel};

/// A kernel with a tile size: its inputs besides features, its `feature` body, and its `pair` body.
macro_rules! kernel {
    ($name:ident, $tile:literal, ($($parameters:tt)*) $feature:literal $pair:literal) => {
        #[td_kernel(tile = $tile)]
        unsafe fn $name(#[each] p: &Features<f32>, $($parameters)*) {
            let feature = $feature;
            let pair = $pair;
        }
    };
}

macro_rules! kernels {
    ($([$($name:ident: $tile:literal),*] $parameters:tt $feature:literal $pair:literal;)*) => {
        $($(kernel!($name, $tile, $parameters $feature $pair);)*)*
    };
}

kernels! {
    // Sums of squares that several pairs share. A compiler may compute them once for all pairs, and fuse or not.
    [squares_128: 128, squares_32: 32] (#[fold] s: f32, out: &mut Packed<f32>)
        r#" s += p.i * p.i + p.j * p.j; "#
        r#" out = s; "#;
    // The squares in the `pair` body.
    [norms_128: 128, norms_32: 32] (#[each] x: &[f32], #[fold] s: f32, out: &mut Packed<f32>)
        r#" s += p.i * p.j; "#
        r#" out = x.j * x.j + x.i * x.i - 2.0f * s; "#;
    // The same for nearest neighbours. They are as many as the pairs, unless there are more elements than neighbours can be
    // kept.
    [near_128: 128, near_32: 32] (#[each] x: &[f32], #[fold] s: f32, #[each] near: &mut Nearest<f32, 256>)
        r#" s += p.i * p.j; "#
        r#" near.push(x.j * x.j + x.i * x.i - 2.0f * s); "#;
    // A body that reads only its folds. Interior tiles evaluate it at one place of the source, queued pairs at another.
    [folds_64: 64] (#[fold] s: f32, #[fold] t: f32, #[each] near: &mut Nearest<f32, 256>)
        r#" s += p.i * p.j; t += p.i + p.j; "#
        r#" near.push(s * s + t * t); "#;
}

/// The elements that are all each other's neighbours, enough for interior tiles.
const FEW: usize = 200;
const MANY: usize = 257;

/// Runs each kernel at several sizes and widths.
pub fn check(device: &Device) -> Result<()> {
    for width in [1, 5, 67] {
        let values: Vec<f32> = reciprocals(MANY * width);
        let norms: Vec<f32> = (0..MANY).map(|at| 1.0 / (3.0 + at as f32)).collect();
        let features = |n: usize| device.features(&values[..n * width], width);
        let elements = |n: usize| device.upload(&norms[..n]);
        let name = device.name();
        macro_rules! packed {
            ($kernel:ident $(, $elements:ident)?) => {
                let kernel = $kernel::load(device)?;
                let place = format!("{}, width {width}, {name}", stringify!($kernel));
                let mut whole = Vec::new();
                for n in [1, FEW, MANY] {
                    let p = features(n)?;
                    $(let x = $elements(n)?;)?
                    // The packed slots of fewer elements are the first ones.
                    let before = whole;
                    let mut slots = device.packed(n)?;
                    kernel.launch(&p, $(packed!(@ $elements x),)? &mut slots)?;
                    whole = bits_of(&slots)?;
                    assert!(whole.starts_with(&before), "{place}: n = {n}");
                    let mut chunks = Vec::new();
                    for rows in [0..n / 3, n / 3..n / 2, n / 2..n] {
                        let mut chunk = device.packed(Shape::triangle(n).of_rows(rows.clone()))?;
                        let kernel = kernel.rows(rows);
                        kernel.launch(&p, $(packed!(@ $elements x),)? &mut chunk)?;
                        chunks.extend(bits_of(&chunk)?);
                    }
                    assert!(chunks == whole, "{place}: chunks, n = {n}");
                }
            };
            (@ $elements:ident $x:ident) => { &$x };
        }
        packed!(squares_128);
        packed!(squares_32);
        packed!(norms_128, elements);
        packed!(norms_32, elements);
        macro_rules! nearest {
            ($kernel:ident $(, $elements:ident)?) => {
                let kernel = $kernel::load(device)?;
                let place = format!("{}, width {width}, {name}", stringify!($kernel));
                let mut of_few = Vec::new();
                for n in [FEW, MANY] {
                    let p = features(n)?;
                    $(let x = $elements(n)?;)?
                    let mut near: Nearest<f32, 256> = device.nearest(n)?;
                    kernel.launch(&p, $(nearest!(@ $elements x),)? &mut near)?;
                    let once = pairs_of(&near, n, &place)?;
                    // Every pair is visited again with all bounds known: other bits would be other neighbours.
                    kernel.launch(&p, $(nearest!(@ $elements x),)? &mut near)?;
                    assert!(pairs_of(&near, n, &place)? == once, "{place}: again, n = {n}");
                    if n == FEW {
                        of_few = once;
                    } else {
                        let same = (0..FEW * FEW).all(|at| {
                            once[at / FEW * n + at % FEW] == of_few[at]
                        });
                        assert!(same, "{place}: {FEW} elements and {n}");
                    }
                }
            };
            (@ $elements:ident $x:ident) => { &$x };
        }
        nearest!(near_128, elements);
        nearest!(near_32, elements);
        nearest!(folds_64);
    }
    Ok(())
}

/// Numbers whose products are rounded.
fn reciprocals(count: usize) -> Vec<f32> {
    (0..count).map(|at| 1.0 / (1.0 + (at * 7919 % 1009) as f32)).collect()
}

fn bits_of(slots: &Packed<f32>) -> Result<Vec<u32>> {
    Ok(slots.download()?.as_slice().iter().map(|value| value.to_bits()).collect())
}

/// The bits of all pairs' values, by rows. Checks that each element has all others as neighbours, once each, and that both
/// elements of a pair have the same bits.
fn pairs_of(near: &Nearest<f32, 256>, n: usize, place: &str) -> Result<Vec<Option<u32>>> {
    let mut pairs = vec![None; n * n];
    for (element, others, values) in near.download()?.rows() {
        assert_eq!(others.len(), n - 1, "{place}: the neighbours of {element}");
        for (other, value) in others.iter().zip(values) {
            let pair = &mut pairs[element * n + *other as usize];
            assert_eq!(pair.replace(value.to_bits()), None, "{place}: {element} has {other} twice");
        }
    }
    let is_symmetric = (0..n * n).all(|at| pairs[at] == pairs[at % n * n + at / n]);
    assert!(is_symmetric, "{place}: a pair has two values");
    Ok(pairs)
}
