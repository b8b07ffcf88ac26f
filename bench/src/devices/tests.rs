//! CPUs in the place of GPUs, and figures that nobody measured.
#![allow(clippy::unwrap_used)]

use super::*;

#[test]
fn devices_do_the_same_together() {
    let cpu = Device::cpu().unwrap();
    let all = [cpu.clone(), cpu.clone(), cpu];
    for work in Work::ALL {
        let rows = measure(work, [300, 200], &all, 2).unwrap();
        let counts: Vec<_> = rows.iter().map(|row| (row.devices, row.agrees, row.n)).collect();
        assert_eq!(counts, [(1, true, 300), (2, true, 300), (3, true, 300)], "{work:?}");
    }
}

/// Of other elements other results come.
#[test]
fn results_are_told_apart() {
    let devices = Devices::cpu(1).unwrap();
    for work in Work::ALL {
        let result = |n: usize| {
            let mut job = work.job(&devices, n).unwrap();
            let before = job.result().unwrap();
            job.start().unwrap();
            let after = job.result().unwrap();
            assert_ne!(before, after, "{work:?}");
            job.forget().unwrap();
            job.start().unwrap();
            assert_eq!(job.result().unwrap(), after, "{work:?}");
            after
        };
        assert_ne!(result(2000), result(4000), "{work:?}");
    }
}

#[test]
fn numbers_of_devices_double_up_to_all() {
    let expected: [&[usize]; 6] = [&[], &[1], &[1, 2], &[1, 2, 3], &[1, 2, 4], &[1, 2, 4, 5]];
    for (all, expected) in expected.into_iter().enumerate() {
        assert_eq!(counts(all), expected);
    }
    assert_eq!(counts(8), [1, 2, 4, 8]);
}

fn figures(times: [f64; 3]) -> Together {
    let row = |(devices, ms): (usize, f64)| {
        let ms = Spread { median: ms, low: ms, high: ms };
        Row { work: Work::Neighbours, n: 5000, devices, ms, agrees: true }
    };
    Together { rows: [1, 2, 4].into_iter().zip(times).map(row).collect() }
}

#[test]
fn what_is_missed_is_told() {
    let good = figures([100.0, 52.0, 27.0]);
    assert!(good.missed().is_empty() && good.wrong().is_empty());
    let text = &good.sections()[0].text;
    assert!(text.contains(" 1.92 | ") && text.contains(" 1.90 | "), "{text}");
    let [(name, plot)] = &good.plots().unwrap()[..] else { panic!("no plot") };
    assert!(*name == "devices" && plot.contains("4 GPUs") && plot.contains("1.92 x, 52.0 ms"));

    let mut bad = figures([100.0, 60.0, 27.0]);
    let missed = bad.missed();
    assert_eq!(missed.len(), 2, "{missed:?}");
    assert!(missed[1].contains("on 2 GPUs: 1.67 times as fast, and not 1.9"), "{missed:?}");
    bad.rows[2].agrees = false;
    assert_eq!(bad.wrong().len(), 1);
    // On one GPU there is nothing to draw.
    bad.rows.truncate(1);
    assert!(bad.plots().unwrap().is_empty() && bad.missed().is_empty());
}
