//! Packed distances in hand-written Triton, measured by a Python process between two measurements of
//! ours.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use td_kernel::{LaunchWith, PackedSlots, Slice};

use super::Setting;
use super::target::{Measured, Outcome};
use crate::measure::gpu::ROUNDS;
use crate::measure::points::Point;
use crate::measure::times::{Spread, Times};
use crate::subject::{Contest, Distances, GENERATED, InPacked, Subject};
use crate::{Failure, child};

const SCRIPT: &str = include_str!("../../peers/triton_edm.py");

/// Triton compiles eight variants, and torch takes its time to start; longer than this, it hangs.
const PATIENCE: Duration = Duration::from_secs(240);

pub(super) fn measure<T: Point, K>(
    Setting { gpu, python }: &Setting,
    n: usize,
) -> Result<Outcome, Failure>
where
    K: for<'a> LaunchWith<(&'a dyn Slice<T>, &'a mut dyn PackedSlots<f32>)>,
{
    let subject = Distances::<T, InPacked>::distances(gpu, n)?;
    let contest = Contest::new(&subject, vec![subject.generated::<K>()?])?;
    let ours = || gpu.samples(ROUNDS, 4, contest.ways().collect());
    let mut samples = ours()?.concat();
    let [reference, fill] = match run(python, n, T::FEATURES) {
        Ok(times) => times,
        Err(not_measured) => return Ok(Outcome::NotMeasured { not_measured }),
    };
    samples.extend(ours()?.concat());
    contest.verify()?;
    let ms = Spread::extremes(samples).ok_or("nothing was timed")?;
    let ours = Times { name: GENERATED.into(), ms };
    Ok(Outcome::Measured(Measured { ours, reference, others: vec![fill] }))
}

/// Triton's times, and those of torch's fill; or why there are none.
fn run(python: &Path, n: usize, features: u32) -> Result<[Times; 2], String> {
    let no_folder = |error| format!("cannot write the Triton script: {error}");
    let folder = tempfile::tempdir().map_err(no_folder)?;
    // Triton reads a kernel's text from its file, so that it cannot be piped in.
    let script = folder.path().join("triton_edm.py");
    std::fs::write(&script, SCRIPT).map_err(no_folder)?;
    let mut command = Command::new(python);
    command.arg(&script).args(["--elements", &n.to_string(), "--features", &features.to_string()]);
    let ended = child::run(&mut command, PATIENCE)?;
    match ended.complaint {
        Some(complaint) => Err(complaint),
        None => parse(&ended.output, features),
    }
}

/// The script's answer.
fn parse(answer: &str, features: u32) -> Result<[Times; 2], String> {
    // Whatever a library prints before it, the answer is the last line.
    let line = answer.lines().last().unwrap_or_default();
    let report: Value = serde_json::from_str(line)
        .map_err(|error| format!("the Triton script printed no JSON: {error}"))?;
    let times = |key: &str, name: String| {
        let number = |value: &Value| value.as_f64().filter(|number| *number > 0.0);
        let each = &report[key];
        match (number(&each["ms"]), number(&each["low_ms"]), number(&each["high_ms"])) {
            (Some(median), Some(low), Some(high)) => {
                Ok(Times { name, ms: Spread { median, low, high } })
            }
            _ => Err(format!("the Triton script told no time for {key:?}")),
        }
    };
    let word = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let key = features.to_string();
    let (version, torch) =
        (word(&report["versions"]["triton"]), word(&report["versions"]["torch"]));
    let name = format!("Triton {version}, {}", word(&report[&key]["variant"]));
    Ok([times(&key, name)?, times("fill", format!("fill by torch {torch}"))?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_read() {
        let time = r#"{"ms": 2.0, "low_ms": 1.5, "high_ms": 3.0, "variant": "4 warps"}"#;
        let answer = format!(
            "a warning\n{{\"4\": {time}, \"fill\": {time}, \"versions\": {{\"triton\": \"3.4\", \"torch\": \"2.8\"}}}}\n"
        );
        let [triton, fill] = parse(&answer, 4).unwrap();
        assert_eq!((triton.name.as_str(), triton.ms.median), ("Triton 3.4, 4 warps", 2.0));
        assert_eq!((fill.ms.low, fill.ms.high), (1.5, 3.0));
        assert!(parse(&answer, 2).unwrap_err().contains("no time for \"2\""));
        assert!(parse("", 2).unwrap_err().contains("no JSON"));
    }

    #[test]
    fn without_python_or_triton_there_is_a_reason() {
        let reason = run(Path::new("no-such-python"), 1024, 2).unwrap_err();
        assert!(reason.starts_with("cannot run no-such-python: "), "{reason}");
        // A program that fails stands for a Python without Triton.
        let reason = run(Path::new("false"), 1024, 2).unwrap_err();
        assert_eq!(reason, "it failed without a word");
    }
}
