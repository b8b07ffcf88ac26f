//! CPUs in the place of GPUs, and figures that nobody measured.
#![allow(clippy::unwrap_used)]

use super::*;

fn options(folder: &std::path::Path, devices: u32, seconds: u64) -> Options {
    Options {
        elements: vec![300, 401],
        devices: Some(devices),
        device: DeviceChoice::Cpu,
        memory: Some(20_000),
        rounds: 2,
        seconds,
        run: Run { output: folder.into(), from: None, commit: None },
    }
}

#[test]
fn all_numbers_of_devices_have_the_checksums_of_one_launch() {
    let folder = tempfile::tempdir().unwrap();
    run(&options(folder.path(), 3, 600)).unwrap();
    let path = folder.path().join("scale.json");
    let figures = File::<Scaled>::read(&path, "scale").unwrap().unwrap().figures;
    let all: Vec<_> = figures.rows.iter().map(|row| (row.elements, row.devices)).collect();
    assert_eq!(all, [(300, 1), (300, 2), (300, 3), (401, 1), (401, 2), (401, 3)]);
    for row in &figures.rows {
        assert_eq!((row.differing, row.of_launch), (0, (row.devices == 1).then_some(0)));
        assert!(row.bands > 5 && row.largest <= 20_000, "{row:?}");
        assert_eq!((row.seconds.len(), row.computed.len(), row.copied), (2, 2, None));
        let one = figures.one(row).unwrap();
        assert_eq!(one.checksum, row.checksum);
    }
    assert_ne!(figures.rows[0].checksum, figures.rows[3].checksum);
    File::<Scaled>::judge(&path, "scale").unwrap();
    // Without time there is nothing.
    run(&options(folder.path(), 3, 0)).unwrap();
    assert!(File::<Scaled>::read(&path, "scale").is_ok());
}

#[test]
fn a_checksum_tells_values_and_their_order() {
    let values: Vec<f32> = (0..100).map(|k| k as f32).collect();
    let sum = steps::checksum(&values);
    for at in 0..100 {
        let mut other = values.clone();
        other[at] += 0.5;
        assert_ne!(steps::checksum(&other), sum, "{at}");
        let mut other = values.clone();
        other.swap(at, (at + 37) % 100);
        assert_ne!(steps::checksum(&other), sum, "{at}");
    }
    assert_ne!(steps::checksum(&values[..99]), sum);
    assert_ne!(steps::checksum(&[]), steps::checksum(&[0.0]));
}

fn row(devices: usize, seconds: f64, copied: f64) -> Row {
    Row {
        elements: 200_000,
        devices,
        bands: 458,
        largest: 1 << 27,
        seconds: vec![seconds; 3],
        computed: vec![0.025 / devices as f64; 3],
        copied: Some(copied),
        checked: seconds,
        checksum: "00ff".into(),
        differing: 0,
        of_launch: None,
    }
}

#[test]
fn shares_and_factors_are_judged() {
    // 80 GB at 50 and at 100 GB/s.
    let figures = Scaled { on_gpus: true, rows: vec![row(1, 1.6, 51e9), row(2, 0.8, 102e9)] };
    assert!(figures.missed().is_empty(), "{:?}", figures.missed());
    let text = &figures.sections()[0].text;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("| 102 | 98.0 % | 2.00 | 6,400 | 2.00 |"), "{text}");
    assert!(figures.plots().unwrap()[0].1.contains("GB/s"));
    let slow = Scaled { rows: vec![row(1, 2.0, 51e9)], on_gpus: true };
    assert_eq!(slow.missed()[1], "  n = 200,000 on 1 GPU: 78.4 %, and not 95.0 %");
    let wrong = Row { differing: 3, ..row(2, 0.8, 100e9) };
    let wrong = Scaled { rows: vec![row(1, 1.6, 51e9), wrong], on_gpus: true };
    assert_eq!(wrong.wrong().len(), 1);
}
