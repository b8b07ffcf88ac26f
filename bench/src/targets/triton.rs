//! Packed distances in hand-written Triton, measured by a Python process between two measurements of
//! ours.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use td_kernel::{LaunchWith, PackedSlots, Slice};

use super::Setting;
use super::target::{Measured, Outcome};
use crate::measure::gpu::ROUNDS;
use crate::measure::points::Point;
use crate::measure::times::{Spread, Times};
use crate::subject::{Contest, Distances, GENERATED, InPacked, Subject};
use crate::{Failure, python};

/// Triton compiles eight variants, and torch takes its time to start; longer than this, it hangs.
const LIMIT: Duration = Duration::from_secs(240);

pub(super) fn measure<T: Point, K>(
    Setting { gpu, python, .. }: &Setting,
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

/// What the script prints.
#[derive(Deserialize)]
struct Printed {
    triton: Timed,
    fill: Timed,
    versions: Versions,
}

#[derive(Deserialize)]
struct Timed {
    ms: Spread,
    #[serde(default)]
    variant: String,
}

#[derive(Deserialize)]
struct Versions {
    triton: String,
    torch: String,
}

/// Triton's times, and those of torch's fill; or why there are none.
fn run(python: &Path, n: usize, features: u32) -> Result<[Times; 2], String> {
    let arguments = ["--elements".into(), n.to_string(), "--features".into(), features.to_string()];
    let Printed { triton, fill, versions } =
        python::run(python, "triton_edm.py", &arguments, LIMIT)?;
    let name = format!("Triton {}, {}", versions.triton, triton.variant);
    let fill = Times { name: format!("fill by torch {}", versions.torch), ms: fill.ms };
    Ok([Times { name, ms: triton.ms }, fill])
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_answer_is_read_or_there_is_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let python = folder.path().join("python");
        let answer = r#"{"triton": {"ms": [2.0, 1.5, 3.0], "variant": "4 warps"}, "fill": {"ms": [1, 1, 1]},
            "versions": {"triton": "3.4", "torch": "2.8"}}"#;
        let text = format!("#!/bin/sh\necho '{}'\n", answer.replace('\n', ""));
        std::fs::write(&python, text).unwrap();
        std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
        let [triton, fill] = run(&python, 1024, 4).unwrap();
        assert_eq!((triton.name.as_str(), triton.ms.median), ("Triton 3.4, 4 warps", 2.0));
        assert_eq!((fill.name.as_str(), fill.ms.low), ("fill by torch 2.8", 1.0));
        // A program that fails stands for a Python without Triton.
        assert!(run(Path::new("false"), 1024, 2).unwrap_err().starts_with("it ended with "));
    }
}
