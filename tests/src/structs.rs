//! A kernel over structs: nested, with arrays, aligned, in more than one parameter.

use td_kernel::{Device, DeviceType, Result, Shape, td_kernel};

/// Part of a body, in a struct of its own.
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(C)]
pub struct Part {
    /// Kilograms.
    pub mass: f64,
    /// Its kind.
    pub kind: u8,
}

/// A body.
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(C, align(32))]
pub struct Body {
    /// Metres.
    pub center: [f32; 3],
    /// Its parts.
    pub parts: [Part; 2],
    /// A matrix.
    pub frame: [[i16; 3]; 2],
}

/// Mixes the fields of both elements of a pair, and a struct by value.
#[td_kernel(map = "ltm", diagonal = true, block = 8)]
pub unsafe fn mixed(#[each] body: &[Body], shift: Part, parts: &[Part], out: &mut Packed<Part>) {
    r#"
    out.mass = body.i.center[2] + body.j.parts[1].mass + shift.mass + parts[j].mass;
    out.kind = body.i.parts[0].kind + body.j.frame[1][2] + shift.kind;
    "#
}

/// Runs the kernel, and compares its results with the same computation in Rust.
pub fn check(device: &Device) -> Result<()> {
    let part = |k: usize| Part { mass: k as f64 / 3.0, kind: (k % 50) as u8 };
    let body = |k: usize| Body {
        center: [k as f32, 0.0, -(k as f32)],
        parts: [part(k + 1), part(k + 2)],
        frame: [[0; 3], [1, 2, (k % 7) as i16]],
    };
    let bodies: Vec<Body> = (0..50).map(body).collect();
    let parts: Vec<Part> = (0..50).map(part).collect();
    let shift = Part { mass: 0.25, kind: 3 };

    let mut out = device.packed(Shape::triangle(50).with_diagonal())?;
    let (b, p) = (device.upload(&bodies)?, device.upload(&parts)?);
    mixed::load(device)?.launch(&b, shift, &p, &mut out)?;
    let out = out.download()?;
    for i in 0..50 {
        for j in 0..=i {
            let (bi, bj) = (&bodies[i], &bodies[j]);
            let expected = Part {
                mass: f64::from(bi.center[2]) + bj.parts[1].mass + shift.mass + parts[j].mass,
                kind: bi.parts[0].kind + bj.frame[1][2] as u8 + shift.kind,
            };
            assert_eq!(out.get(i, j), Some(&expected), "({i}, {j})");
        }
    }
    Ok(())
}
