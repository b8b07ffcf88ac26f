//! Nearest neighbours and states of columns. The kernel exchanges the two sets, which messages and reports do not show.

use td_kernel::{Device, DeviceType, Result, td_kernel};

use super::simt;

#[td_kernel]
unsafe fn few(
    #[row] a: &[i32],
    w: &[i32],
    #[column] near: &mut Nearest<i32, 7>,
    #[column] b: &[i32],
) {
    r#" near.push(abs(a - b) + w[j]); "#
}

/// A launch gives the number of rows.
#[td_kernel]
unsafe fn without_rows(#[column] b: &[i32], #[column] near: &mut Nearest<i32, 3>) {
    r#" near.push(abs((int)i - b)); "#
}

#[td_kernel]
unsafe fn of_sets(
    #[column] b: &Sets<i32>,
    #[row] a: &Sets<i32>,
    #[column] near: &mut Nearest<i32, 5>,
) {
    r#" near.push(abs(a - b)); "#
}

#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
struct State {
    sum: u32,
}

#[td_kernel(prelude = r#"State join(State a, State b) { return {a.sum + b.sum}; }"#)]
unsafe fn joined(#[row] x: &[u32], #[column] y: &[u32], #[column] out: &mut Reduce<State>) {
    r#" out.join({x + y}); "#
}

/// Messages and reports have the user's rows and columns.
#[test]
fn counts_are_those_of_the_signature() -> Result<()> {
    let device = simt();
    let (a, w) = (device.upload(&[1, 2, 3])?, device.upload(&[0; 5])?);
    let mut near = device.nearest(5)?;
    let launched = few::load(&device)?.launch(&a, &w, &mut near, &a);
    assert_errors! { launched => "`b` is for 3 columns, but `near` requires 5"; }
    let report = few::load(&device)?.report(300, 70)?;
    assert_eq!((report.elements, report.columns), (300, Some(70)));
    let report = joined::load(&Device::cpu()?)?.report(2, 3)?.to_string();
    assert!(report.starts_with("2 rows and 3 columns: plain loops on the CPU, "), "{report}");
    assert!(report.contains(" columns at a time; "), "{report}");
    let (b, mut least) = (device.upload(&[5, 0, 9])?, device.nearest(3)?);
    without_rows::load(&device)?.launch(2, &b, &mut least)?;
    let least = least.download()?;
    assert_eq!(least.rows().map(|(_, of, _)| of).collect::<Vec<_>>(), [[1, 0], [0, 1], [1, 0]]);
    let ranged = few::load(&device)?.rows(4..9);
    assert_errors! {
        ranged.launch(&a, &w, &mut near, &w) => "for a column is from all rows", NoRows;
        ranged.report(20, 20) => "for a column is from all rows", NoRows;
    }
    Ok(())
}

/// Nor do messages about sets exchange them.
#[test]
fn sets_are_those_of_the_signature() -> Result<()> {
    let device = simt();
    let [three, two] = [device.sets(&[1, 2, 3], &[0, 1, 2, 3])?, device.sets(&[1, 2], &[0, 1, 2])?];
    let (kernel, mut near) = (of_sets::load(&device)?, device.nearest(2)?);
    assert_errors! { kernel.launch(&two, &three, &mut near) => "write as many sets of rows as of columns"; }
    assert_errors! { kernel.rows(0..1).launch(&two, &two, &mut near) => "pass a `Sets` with fewer sets", NoRows; }
    Ok(())
}
