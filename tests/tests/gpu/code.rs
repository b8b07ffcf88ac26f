//! Compiled kernels: chosen, reported, cached on disk.

use crate::{assert_near, distances, edm, gpu, points};

#[test]
fn small_tune_and_report() {
    let device = gpu();
    let kernel = edm::load(&device).unwrap();
    let host = points(2000);
    let p = device.upload(&host).unwrap();
    let mut distance = device.packed(host.len()).unwrap();
    let tuned = kernel.tune(&p, &mut distance).unwrap();
    println!("{tuned}");
    assert_eq!((tuned.elements, tuned.times.len()), (2000, edm::SOURCES.len()));
    assert_near(distance.download().unwrap().as_slice(), &distances(&host));
    let report = kernel.report(2000).unwrap();
    println!("{report}");
    assert!(tuned.times[0].0.contains(&format!("tile {}", report.tile)), "{tuned}\n{report}");
    let code = report.resources.unwrap();
    assert_eq!(code.local, 0);
    assert!(code.registers > 0 && code.shared > 0 && code.blocks > 0);
    assert!(code.occupancy > 0.0 && code.occupancy <= 1.0);
}

/// A GPU that is opened again has no kernels loaded, and finds this one on disk.
#[test]
fn small_cached_kernels() {
    let folder = tempfile::tempdir().unwrap();
    let host = points(300);
    let kept = || std::fs::read_dir(folder.path()).unwrap().count();
    for round in 0..2 {
        let before = kept();
        let device = gpu().with_cache(folder.path());
        let p = device.upload(&host).unwrap();
        let mut distance = device.packed(host.len()).unwrap();
        edm::load(&device).unwrap().launch(&p, &mut distance).unwrap();
        assert_near(distance.download().unwrap().as_slice(), &distances(&host));
        assert_eq!(kept() > before, round == 0, "round {round}: {before}, then {}", kept());
    }
}
