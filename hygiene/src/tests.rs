//! Runs the kernels on the CPU.
#![allow(
    clippy::float_cmp,
    clippy::question_mark_used,
    clippy::shadow_unrelated,
    reason = "this is no generated code"
)]

use ::core::option::Option::Some;
use ::core::prelude::v1::test;
use ::core::result::Result::Ok;
use ::core::{assert, assert_eq};
use ::gpu::{Device, Result, Shape};

use crate::captures::{self, given, kernel, r#match};
use crate::{Point, Whole};

#[test]
fn user_names_are_not_captured() -> Result<()> {
    let device = Device::cpu()?;
    let element = |field| captures::Device { field, value: [[0.0, 1.0], [0.5, 2.0]] };
    let elements = device.upload(&[element(1), element(2)])?;
    let mut packed = device.packed(2)?;
    let added = kernel::load(&device)?;
    added.launch(&elements, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, &mut packed)?;
    assert_eq!(packed.download()?.as_slice(), [23.5]);
    assert!(added.report(2)?.tile > 0);
    added.tune(&elements, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, &mut packed)?;

    let mut packed = device.packed(3)?;
    r#match::load(&device)?.launch(10, &mut packed)?;
    assert_eq!(packed.download()?.as_slice(), [10, 20, 21]);
    assert!(r#match::SOURCE.contains("/src/pair.cu\""), "{}", r#match::SOURCE);

    let mut packed = device.packed(3)?;
    given::load(&device)?.launch(&mut packed)?;
    assert_eq!(packed.download()?.as_slice(), [1.5, 3.0, 3.0]);
    Ok(())
}

#[test]
fn features_are_folded() -> Result<()> {
    let device = Device::cpu()?;
    let values = device.features(&[1.0, 2.0, 3.0, 4.0], 2)?;
    let weights = device.upload(&[1.0, 0.5])?;
    let mut packed = device.packed(2)?;
    let kernel = crate::folded::load(&device)?;
    kernel.launch(&values, &weights, &mut packed)?;
    assert_eq!(packed.download()?.as_slice(), [3.0]);
    kernel.rows(1..2).tune(&values, &weights, &mut packed)?;
    Ok(())
}

#[test]
fn features_are_multiplied() -> Result<()> {
    let device = Device::cpu()?;
    let values = device.features(&[1.0, 2.0, 3.0, 4.0], 2)?;
    let mut packed = device.packed(2)?;
    crate::multiplied::load(&device)?.launch(&values, &mut packed)?;
    assert_eq!(packed.download()?.as_slice(), [11.0]);
    Ok(())
}

#[test]
fn kernels_made_by_macros() -> Result<()> {
    let device = Device::cpu()?;
    let points = device.upload(&[[1.0, 0.0, 2.0], [4.0, 0.0, 8.0]])?;
    let mut out = device.packed(Shape::triangle(2).with_diagonal())?;
    crate::by_macro::load(&device)?.launch(&points, &mut out)?;
    assert_eq!(out.download()?.as_slice(), [-1.0, 2.0, -4.0]);

    let point = Point { place: 0.5 };
    let parts = device.upload(&[Whole { values: [0.0, 2.0, 0.0, 0.0], point }; 3])?;
    let points = device.upload(&[point; 3])?;
    let mut total = device.sum()?;
    crate::of_crate::load(&device)?.launch(&parts, &points, &mut total)?;
    assert_eq!(total.download()?, 7.5);
    Ok(())
}

#[test]
fn kernels_inside_functions() -> Result<()> {
    let device = Device::cpu()?;
    let points = [3.0, 1.0, 2.0];
    assert_eq!(
        crate::differences(&device, &points, &device)?.download()?.as_slice(),
        [-2.0, -1.0, 1.0]
    );
    assert_eq!(Point::descents(&device, &points.map(|place| Point { place }))?, 2);
    assert_eq!(crate::pairs(&device, 5)?, 10);
    assert!(crate::inside().contains("hidden"));
    Ok(())
}

#[test]
fn every_parameter_kind_runs() -> Result<()> {
    let device = Device::cpu()?;
    let points = device.upload(&[Point { place: 1.0 }, Point { place: 3.0 }])?;
    let (weights, mut marks) = (device.upload(&[1.0, 2.0])?, device.upload(&[1_u8, 0])?);
    let (mut packed, mut total, mut list) = (device.packed(2)?, device.sum()?, device.pairs(4)?);
    let mut differences = device.pairs(1)?;
    crate::documented::load(&device)?.launch(
        &points, &weights, &mut marks, 0.5, &mut packed, &mut total, &mut list, &mut differences,
    )?;
    assert_eq!(differences.download()?.values(), [2.0]);
    assert_eq!(packed.download()?.as_slice(), [2.0]);
    assert_eq!(total.download()?, 1.0);
    assert_eq!(list.download()?.pairs(), [[1, 0]]);

    let points = device.upload(&[[1.0, 0.0], [3.0, 0.0]])?;
    let mut square = device.square(2)?;
    crate::undocumented::load(&device)?.launch(&points, &mut square)?;
    assert_eq!(square.download()?.get(1, 0), Some(&[2.0, 0.0]));
    Ok(())
}
