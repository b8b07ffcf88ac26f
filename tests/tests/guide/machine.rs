//! The chapter on reviewing generated code: what its machine code takes on GPUs.

use td_kernel::td_kernel;

// ANCHOR: kernel
#[td_kernel(map = "ltm", sqrt = "rsqrt")]
unsafe fn edm(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#
}
// ANCHOR_END: kernel

// ANCHOR: report
use td_kernel::testing::{self, Failure};

/// What each variant of the kernel takes on these GPUs, a line for each.
fn report() -> Result<String, Failure> {
    let mut report = String::new();
    for architecture in [80, 90] {
        for (variant, source) in edm::SOURCES.iter().enumerate() {
            for function in testing::functions("edm", source, edm::OPTIONS, architecture)? {
                report += &format!("sm_{architecture}, variant {variant}: {function}\n");
            }
        }
    }
    Ok(report)
}

#[test]
fn no_register_is_spilled() -> Result<(), Failure> {
    let report = report()?;
    assert_eq!(report.lines().count(), 2 * edm::SOURCES.len());
    assert!(report.lines().all(|line| line.contains(" 0 local,")), "{report}");
    Ok(())
}
// ANCHOR_END: report

/// Another compiler generates other machine code: the guide's report is of this version.
#[test]
fn guide_report_matches_nvrtc_13_5() -> Result<(), Failure> {
    let shown = include_str!("machine.txt");
    let report = report()?;
    if td_kernel::nvrtc::version()? == (13, 5) {
        assert_eq!(report, shown);
    }
    let texts = |report: &str| -> Vec<String> {
        report.lines().map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(texts(&report), texts(shown));
    Ok(())
}
