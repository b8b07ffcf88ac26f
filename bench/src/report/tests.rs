//! What a report says of figures, without a GPU.

use std::path::Path;

use super::*;
use crate::cpu_loops::Row;
use crate::devices::Together;
use crate::experiment::Table;
use crate::experiment::tests::file;
use crate::targets::target::Targets;
use crate::variants::Variants;

/// Figures of two tests at two n, as a run writes them.
const FIGURES: &str = r#"{
    "blocks": [{"n": 1024, "launched_and_needed": {"bb": [4096, 2080], "ltm": [2115, 2080]}}],
    "points": [
        {"work": "dummy", "n": 1024, "rounds": 7, "repeats": 4, "choices": [
            {"name": "bb", "ms": [0.02, 0.019, 0.021], "factor": [1, 1, 1]},
            {"name": "ltm", "ms": [0.01, 0.009, 0.011], "factor": [2, 1.9, 2.1]},
            {"name": "utm_thread_rsqrt", "refused": "kernel: its map ends\n to do: another"}]},
        {"work": "edm-4", "n": 131072, "rounds": 5, "repeats": 0, "skipped": "no memory", "choices": []}
    ]}"#;

fn options(folder: &Path, check: bool) -> Options {
    Options { from: folder.into(), check, page: folder.join("page.md") }
}

/// A text without what stands around the words of its tables.
fn read(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn with_figures() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let figures: Figures = serde_json::from_str(FIGURES).unwrap();
    file(folder.path(), "figures", figures).keep().unwrap();
    folder
}

#[test]
fn what_is_made_is_checked() {
    let folder = with_figures();
    let page = folder.path().join("page.md");
    let begin = format!("<!-- report: {} factors -->", folder.path().display());
    std::fs::write(&page, format!("# Page\n{begin}\n<!-- end -->\n")).unwrap();
    assert!(run(&options(folder.path(), true)).unwrap_err().to_string().contains("maps.svg"));
    run(&options(folder.path(), false)).unwrap();
    run(&options(folder.path(), true)).unwrap();
    assert!(read(&page).contains("| ltm | 2.00 (1.90..2.10) |"));

    let path = folder.path().join("maps.svg");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("ltm", "LTM")).unwrap();
    let error = run(&options(folder.path(), true)).unwrap_err().to_string();
    assert!(error.contains("maps.svg differs") && error.contains("without --check"), "{error}");
}

#[test]
fn what_did_not_run_is_told() {
    let folder = with_figures();
    run(&options(folder.path(), false)).unwrap();
    let text = read(&folder.path().join("tables.md"));
    assert!(text.contains("| utm thread rsqrt | 1,024 | refused: kernel: its map ends | Dummy |"));
    assert!(text.contains("| all | 131,072 | skipped: no memory | EDM, 4 features |"), "{text}");
    assert!(text.contains("| bb | 2,016 |"), "{text}");
}

#[test]
fn a_folder_without_figures_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let error = run(&options(folder.path(), false)).unwrap_err().to_string();
    assert!(error.contains("has no figures"), "{error}");
    std::fs::write(folder.path().join("limits.json"), "{\"what\": \"else\"}").unwrap();
    let error = run(&options(folder.path(), false)).unwrap_err().to_string();
    assert!(error.contains("limits.json") && error.contains("td-bench limits"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Every folder of figures, with both pages that may have sections of them.
#[test]
fn the_report_in_the_repository_is_what_its_figures_give() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = std::fs::read_dir(root.join("bench/results")).unwrap();
    let folders: Vec<_> = folders.map(|folder| folder.unwrap().path()).collect();
    assert!(folders.iter().any(|folder| folder.ends_with("h200")));
    for from in folders {
        for page in ["docs/results.md", "docs/targets.md", "docs/scale.md"] {
            let page = root.join(page);
            run(&Options { from: from.clone(), check: true, page }).unwrap();
        }
    }
}

/// A CPU's figures have a folder of their own, and their section in a page.
#[test]
fn loops_on_a_cpu_are_reported_beside_their_limit() {
    let folder = tempfile::tempdir().unwrap();
    let row = |n, ours_ms| Row {
        work: "forces".into(),
        n,
        ours_ms,
        by_hand_ms: 1.0,
        other_by_hand_ms: 1.25,
    };
    let rows = vec![row(2000, 1.1), row(4000, 1.5)];
    let figures = CpuLoops { host: "A processor.".into(), turns: 12, rows };
    let name = cpu_loops::NAME;
    file(folder.path(), name, figures).keep().unwrap();
    let page = folder.path().join("page.md");
    let begin = format!("<!-- report: {} cpu-loops -->", folder.path().display());
    std::fs::write(&page, format!("# Page\n{begin}\n<!-- end -->\n")).unwrap();
    assert!(run(&options(folder.path(), true)).is_err());
    run(&options(folder.path(), false)).unwrap();
    run(&options(folder.path(), true)).unwrap();
    let text = read(&page);
    assert!(text.contains("| forces | 2,000 | 1.10 | 1.00 | 1.25 |"), "{text}");
    assert!(text.contains("| 1.100 | at most 1.30 |"), "{text}");
    assert!(text.contains("| 1.500, missed | at most 1.30 |"), "{text}");
    // Nothing of GPUs stands among them.
    assert!(!read(&folder.path().join("tables.md")).contains("Vector distances"));
    let missed = File::<CpuLoops>::judge(&experiment::path(folder.path(), name), name);
    assert!(missed.unwrap_err().to_string().starts_with("1 of 2 targets are missed"));
}

#[test]
fn every_file_in_the_repository_is_read() {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/h200");
    let at = |name: &str| from.join(format!("{name}.json"));
    for name in ["launch", "load", "h-launches"] {
        File::<Table>::judge(&at(name), name).unwrap();
    }
    File::<Variants>::judge(&at("variants"), "variants").unwrap();
    let missed = File::<Targets>::judge(&at("targets"), "targets").unwrap_err().to_string();
    assert!(missed.starts_with("17 of 60 targets are missed"), "{missed}");
    File::<Table>::judge(&at("nearest-ladder"), "nearest-ladder").unwrap();
    let missed = File::<Together>::judge(&at("devices"), "devices").unwrap_err().to_string();
    assert!(missed.starts_with("1 of 1 targets are missed"), "{missed}");
    let missed = File::<Streamed>::judge(&at("bands"), "bands").unwrap_err().to_string();
    assert!(missed.starts_with("1 of 2 targets are missed"), "{missed}");
    let missed = File::<Scaled>::judge(&at("scale"), "scale").unwrap_err().to_string();
    assert!(missed.starts_with("1 of 4 targets are missed"), "{missed}");
}
