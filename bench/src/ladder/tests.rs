//! What is said of the ladder, without a GPU.

use std::path::Path;

use serde_json::json;

use super::*;

fn row(rung: Rung, ms: f64) -> Row {
    Row { n: 512, rung, outcome: Outcome::Ms(Spread { median: ms, low: ms, high: ms }) }
}

fn sample() -> Ladder {
    let wrong = Row { n: 512, rung: Rung::Tiled, outcome: Outcome::Wrong("slot 3".into()) };
    let rows = vec![row(Rung::Sequential, 60.0), row(Rung::Naive, 0.5), wrong];
    Ladder { host: "a CPU".into(), rows }
}

/// The line of a table that begins with this, without what stands around its words.
fn line(text: &str, name: &str) -> Vec<String> {
    let found = text.lines().find(|line| line.starts_with(&format!("| {name} ")));
    found.unwrap().split('|').map(|cell| cell.trim().to_owned()).collect()
}

#[test]
fn factors_are_over_the_same_machines_sequential_c() {
    let [_, times, factors] = sample().sections().try_into().ok().unwrap();
    assert_eq!(line(&times.text, "naive")[2..6], ["", "", "0.500", ""]);
    assert_eq!(line(&times.text, "tiled")[4], "wrong: slot 3");
    assert_eq!(line(&factors.text, "naive, the paper")[2..5], ["3.05", "1.65", "0.927"]);
    assert_eq!(line(&factors.text, "naive, here")[2..5], ["", "", "120"]);
    assert_eq!(line(&factors.text, "tiled, here")[4], "");
    assert!(!factors.text.contains("generated, the paper"));
    assert_eq!(sample().wrong(), ["tiled, n = 512: slot 3"]);
}

#[test]
fn the_plot_has_both() {
    let plots = sample().plots().unwrap();
    assert_eq!(plots[0].0, "ladder");
    for word in ["conflict-free, the paper", "naive, here", "120 x, 0.500 ms", "0.927 x, 350 ms"] {
        assert!(plots[0].1.contains(word), "{word}");
    }
    assert!(Ladder::default().plots().unwrap().is_empty());
}

#[test]
fn what_is_written_is_read_again() {
    let value = json!(sample());
    assert_eq!(value["rows"][1], json!({ "n": 512, "rung": "naive", "ms": [0.5, 0.5, 0.5] }));
    assert_eq!(serde_json::from_value::<Ladder>(value).unwrap(), sample());
}

#[test]
fn without_a_gpu_the_cpus_rungs_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let run = |from| Run { output: folder.path().into(), from, commit: None };
    let options = |sizes, from| Options {
        cpu: true,
        compiler: Path::new("g++").into(),
        sizes,
        run: run(from),
    };
    super::run(&options(vec![128], None)).unwrap();
    let path = folder.path().join("ladder-cpu.json");
    super::run(&options(Vec::new(), Some(path.clone()))).unwrap();
    let file = File::<CpuLadder>::read(&path, "ladder --cpu").unwrap().unwrap();
    let CpuLadder(ladder) = file.figures;
    let rungs: Vec<Rung> = ladder.rows.iter().map(|row| row.rung).collect();
    assert_eq!(rungs, Rung::HOST);
    assert!(ladder.ms(Rung::OpenMpSimd, 128).is_some() && ladder.host.contains(" threads"));
}

#[test]
fn other_sizes_are_refused() {
    assert_eq!(is_size("256"), Ok(256));
    assert!(is_size("200").unwrap_err().starts_with("the paper has [128, 256"));
}
