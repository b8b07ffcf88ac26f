//! Short bands on the CPU, and what is said of figures.

use super::*;
use crate::experiment::tests::file;

fn step(name: &str, bytes: usize, seconds: f64) -> Step {
    Step { name: name.into(), bytes, seconds: vec![2.0 * seconds, seconds, 0.5 * seconds] }
}

/// Bands at these shares of the copies and of the writes.
fn streamed(copied: f64, written: f64) -> Streamed {
    let gigabyte = 1_000_000_000;
    let steps = vec![
        step(BANDS, 4 * gigabyte, 4.0 / (50.0 * copied)),
        step(COPY, gigabyte, 1.0 / 50.0),
        step(FILE, gigabyte, 1.0 / (2.0 * written)),
        step(WRITE, gigabyte, 0.5),
    ];
    Streamed {
        elements: 44_721,
        on_gpu: true,
        bands: 16,
        largest: gigabyte / 4,
        steps,
        ..Streamed::default()
    }
}

#[test]
fn targets_are_shares_of_what_the_machine_does() {
    assert!(streamed(0.96, 0.97).missed().is_empty());
    let missed = streamed(0.9, 0.5).missed();
    assert_eq!(missed[0], "2 of 2 targets are missed");
    assert_eq!(missed[1], "  bands to host memory: 90.0 %, and not 95.0 %");
    assert_eq!(missed[2], "  bands to a file: 50.0 %, and not 95.0 %");
    // Without a GPU only the file is judged.
    let cpu = Streamed { on_gpu: false, ..streamed(0.9, 0.99) };
    assert!(cpu.missed().is_empty());
    let wrong = Streamed { differing: 3, ..streamed(1.0, 1.0) };
    assert_eq!(wrong.missed(), ["3 bands have other values than launches of their rows"]);
    let text = &streamed(0.96, 0.97).sections()[0].text;
    assert!(text.contains("96.0 %") && text.contains("97.0 %"), "{text}");
}

#[test]
fn bands_are_measured_on_the_cpu_too() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        elements: 300,
        file_elements: Some(200),
        memory: Some(20_000),
        in_flight: 2,
        device: DeviceChoice::Cpu,
        rounds: 2,
        folder: folder.path().into(),
        run: Run { output: folder.path().into(), from: None, commit: None },
    };
    let measured = steps::measure(&options).unwrap();
    let figures = &measured.figures;
    assert_eq!((figures.differing, figures.on_gpu), (0, false));
    assert!(figures.bands > 5 && figures.largest <= 20_000, "{figures:?}");
    let names: Vec<&str> = figures.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, [START, BANDS, IN_TURNS, FILE, WRITE]);
    measured.keep().unwrap();
    let back = File::<Streamed>::read(&folder.path().join("bands.json"), "bands").unwrap().unwrap();
    assert_eq!(&back.figures, figures);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let other = file(folder.path(), "bands", streamed(1.0, 1.0));
    assert!(other.figures.wrong().is_empty());
}
