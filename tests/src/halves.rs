//! 16-bit floats: each of their values in both directions, and the operations of a body.

mod conversions;

use td_kernel::half::{bf16, f16};
use td_kernel::{Device, DeviceType, Result, td_kernel};

/// The C++ that 16-bit floats support: each line combines them with other numbers in one way.
#[td_kernel]
unsafe fn arithmetic(
    #[each] p: &[f16],
    #[each] q: &[bf16],
    scale: f16,
    table: &[bf16],
    pairs: &[[f16; 2]],
    small: &mut Packed<f16>,
    wide: &mut Packed<bf16>,
    both: &mut Packed<[f16; 2]>,
    total: &mut Sum<f32>,
    above: &mut Sum<u32>,
) {
    r#"
    float x = p.i, d = p.i - p.j;
    small = p.i < p.j ? p.i : p.j;
    if (p.i == p.j || !(p.i != 0))
        small += 1.0f;
    small += d * d * scale;
    small -= 0.5;
    small *= 2;
    small /= x > 0 ? 3.0f : scale;
    const auto kept = q.j;
    wide = q.i > q.j ? q.i : 0.0f;
    wide += -kept + fmaxf(q.i, 1.0f) + max(p.i, p.j) + fabsf(q.i * 0.5f);
    wide = wide * table[j % table_length] + (int)p.i;
    both = {d, 2 * p.j};
    both.y += pairs[i % pairs_length].x;
    total += p.i;
    total += q.i * q.j;
    above += p.i > q.j;
    "#
}

fn check_arithmetic(device: &Device) -> Result<()> {
    let n = 200;
    let p: Vec<_> = (0..n).map(|k| f16::from_f32((k * k % 97) as f32 / 8.0 - 4.0)).collect();
    let q: Vec<_> = (0..n).map(|k| bf16::from_f32((k * 31 % 89) as f32 / 4.0 - 9.0)).collect();
    let scale = f16::from_f32(0.75);
    let table: Vec<_> = (0..7).map(|k| bf16::from_f32(k as f32 - 2.5)).collect();
    let pairs: Vec<_> = (0..5).map(|k| [f16::from_f32(k as f32 / 3.0), f16::ZERO]).collect();
    let (mut small, mut wide, mut both) = (device.packed(n)?, device.packed(n)?, device.packed(n)?);
    let (mut total, mut above) = (device.sum()?, device.sum()?);
    arithmetic::load(device)?.launch(
        &device.upload(&p)?,
        &device.upload(&q)?,
        scale,
        &device.upload(&table)?,
        &device.upload(&pairs)?,
        &mut small,
        &mut wide,
        &mut both,
        &mut total,
        &mut above,
    )?;
    let (small, wide, both) = (small.download()?, wide.download()?, both.download()?);
    let (mut expected_total, mut expected_above) = (0.0_f64, 0);
    for i in 0..n {
        for j in 0..i {
            let (pi, pj, qi, qj) = (p[i].to_f32(), p[j].to_f32(), q[i].to_f32(), q[j].to_f32());
            let d = pi - pj;
            // After each assignment a value has 16 bits again.
            let mut a = f16::from_f32(pi.min(pj));
            if pi == pj || pi == 0.0 {
                a = f16::from_f32(a.to_f32() + 1.0);
            }
            a = f16::from_f32(a.to_f32() + d * d * scale.to_f32());
            a = f16::from_f32(a.to_f32() - 0.5);
            a = f16::from_f32(a.to_f32() * 2.0);
            a = f16::from_f32(a.to_f32() / if pi > 0.0 { 3.0 } else { scale.to_f32() });
            assert_eq!(small.get(i, j), Some(&a), "small, ({i}, {j})");
            let mut b = bf16::from_f32(if qi > qj { qi } else { 0.0 });
            let more = -qj + qi.max(1.0) + pi.max(pj) + (qi * 0.5).abs();
            b = bf16::from_f32(b.to_f32() + more);
            b = bf16::from_f32(b.to_f32() * table[j % 7].to_f32() + (pi as i32) as f32);
            assert_eq!(wide.get(i, j), Some(&b), "wide, ({i}, {j})");
            let y = f16::from_f32(2.0 * pj).to_f32() + pairs[i % 5][0].to_f32();
            assert_eq!(
                both.get(i, j),
                Some(&[f16::from_f32(d), f16::from_f32(y)]),
                "both, ({i}, {j})"
            );
            expected_total += f64::from(pi) + f64::from(qi * qj);
            expected_above += u32::from(pi > qj);
        }
    }
    let total: f32 = total.download()?;
    let tolerance = 1e-5 * expected_total.abs().max(1e5);
    assert!((f64::from(total) - expected_total).abs() < tolerance, "{total}, {expected_total}");
    assert_eq!(above.download()?, expected_above);
    Ok(())
}

/// A struct with 16-bit floats, one after another and among other numbers.
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(C)]
pub struct Weighted {
    /// Its position.
    pub place: [f16; 3],
    /// Its weight.
    pub weight: bf16,
    /// Its kind.
    pub kind: u8,
}

/// Structs with 16-bit floats beside plain 16-bit floats: both need the definition, which the source has once.
#[td_kernel]
pub unsafe fn weighted(
    #[each] s: &[Weighted],
    #[each] x: &[f16],
    #[each] light: &mut Minima<(f16, u32)>,
    #[each] far: &mut Maxima<[bf16; 2]>,
) {
    r#"
    float d = s.i.place[2] - s.j.place[2], w = s.i.weight * s.j.weight * x.i * x.j;
    light.offer(w);
    far.offer(make_float2(d, -d));
    "#
}

fn check_structs(device: &Device) -> Result<()> {
    let n = 150;
    let x: Vec<_> = (0..n).map(|k| f16::from_f32((k * 7 % 11) as f32 / 2.0 - 2.0)).collect();
    let structs: Vec<_> = (0..n)
        .map(|k| Weighted {
            place: [0, 1, k * 37 % n].map(|place| f16::from_f32(place as f32)),
            weight: bf16::from_f32(1.0 + (k % 13) as f32 / 8.0),
            kind: (k % 3) as u8,
        })
        .collect();
    let (s, given) = (device.upload(&structs)?, device.upload(&x)?);
    let (mut light, mut far) = (device.minima(n)?, device.maxima(n)?);
    weighted::load(device)?.launch(&s, &given, &mut light, &mut far)?;
    let (light, far) = (light.download()?, far.download()?);
    for i in 0..n {
        let (mut least, mut most) = (None, [f32::NEG_INFINITY; 2]);
        for j in (0..n).filter(|j| *j != i) {
            let (high, low) = (i.max(j), i.min(j));
            let weight = |k: usize| structs[k].weight.to_f32();
            let w = weight(high) * weight(low) * x[high].to_f32() * x[low].to_f32();
            if least.is_none_or(|(value, _)| w < value) {
                least = Some((w, j as u32));
            }
            let d = structs[high].place[2].to_f32() - structs[low].place[2].to_f32();
            most = [most[0].max(d), most[1].max(-d)];
        }
        let least = least.map(|(value, index)| (f16::from_f32(value), index));
        assert_eq!(light[i], least, "lightest of {i}");
        assert_eq!(far[i], most.map(bf16::from_f32), "farthest of {i}");
    }
    Ok(())
}

/// Every source of this module's kernels, with the kernel's name.
pub fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = [("arithmetic", arithmetic::SOURCES), ("weighted", weighted::SOURCES)];
    conversions::SOURCES
        .into_iter()
        .chain(all)
        .flat_map(|(name, sources)| sources.iter().map(move |source| (name, *source)))
}

/// Runs all kernels of this module, and compares their results with those of the crate half.
pub fn check(device: &Device) -> Result<()> {
    conversions::check(device)?;
    check_arithmetic(device)?;
    check_structs(device)
}
