//! Which devices take kernels that look for neighbours: the CPU in rounds, and several devices not at all.

use td_kernel::{Device, Devices, ErrorKind, Result, td_kernel};

use super::rectangles::queries;
use super::{check, of_large_tiles, random};

#[td_kernel]
unsafe fn folded_pairs(
    #[each] p: &Features<i32>,
    #[fold] sum: i32,
    #[each] near: &mut Nearest<i32, 3>,
) {
    let feature = r#" sum += abs(p.i - p.j); "#;
    let pair = r#" near.push(sum); "#;
}

/// Rounds are for one device, with a text of the GPU's and in plain loops.
#[test]
fn several_devices_are_refused() -> Result<()> {
    let devices = Devices::new([Device::cpu()?, Device::emulator()?])?;
    let one = Devices::cpu(1)?;
    let loaded = [
        ("of_large_tiles", of_large_tiles::load(&devices).map(drop)),
        ("queries", queries::load(&devices).map(drop)),
        ("folded_pairs", folded_pairs::load(&devices).map(drop)),
        ("folded_pairs", folded_pairs::load(&one).map(drop)),
    ];
    for (name, loaded) in loaded {
        let error = loaded.unwrap_err();
        assert_eq!((error.kind(), error.kernel()), (ErrorKind::Arguments, Some(name)));
        assert!(error.to_string().contains("load it for one of "), "{error}");
    }
    let error = devices.nearest::<f32, 3>(5).unwrap_err();
    assert_eq!((error.kind(), error.kernel()), (ErrorKind::Arguments, None));
    assert!(error.to_string().contains("a `Nearest` is on one device"), "{error}");
    // What the messages say to do.
    for device in devices.iter() {
        let (query, data) = (device.upload(&[5, 1, 9])?, device.upload(&[2, 4, 8])?);
        let mut near = device.nearest(2)?;
        queries::load(device)?.launch(&query.slice(1..3)?, &data, 0, &mut near)?;
        let near = near.download()?;
        assert_eq!(near.row(0), Some((&[0, 1, 2][..], &[1, 3, 7][..])));
        assert_eq!(near.row(1), Some((&[2, 1, 0][..], &[1, 5, 7][..])));
    }
    Ok(())
}

/// The CPU runs the rounds of kernels without features, and reports and tunes their texts.
#[test]
fn the_cpu_runs_rounds() -> Result<()> {
    assert_eq!((of_large_tiles::CPU_SOURCE, queries::CPU_SOURCE), (None, None));
    assert!(folded_pairs::CPU_SOURCE.is_some());
    let device = Device::cpu()?;
    let x: Vec<i32> = random(5, 1000).map(|x| x as i32).take(300).collect();
    let kernel = of_large_tiles::load(&device)?;
    let mut near = device.nearest(300)?;
    kernel.launch(&device.upload(&x)?, &mut near)?;
    check("rounds", &near.download()?, 300, |i, j| (i != j).then(|| (x[i] - x[j]).abs()));
    let report = kernel.report(300)?;
    assert_eq!((report.map, report.part_rows), ("rounds", None));
    let tuned = kernel.tune(&device.upload(&x)?, &mut near)?;
    assert_eq!(tuned.times.len(), of_large_tiles::SOURCES.len());
    Ok(())
}
