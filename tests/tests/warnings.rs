//! Warnings reach the user: when a kernel is loaded, also from the cache, and as failures of `testing::compile_all`.
//! These tests need NVRTC and a C++ compiler, and no GPU.
#![allow(clippy::unwrap_used, clippy::panic)]

use td_kernel::testing::{self, Checked, Failure};
use td_kernel::{Device, DeviceType, td_kernel};
use tracing_subscriber::util::SubscriberInitExt;

/// An environment variable of a process that has no subscriber.
const PLAIN: &str = "TD_KERNEL_TEST_PLAIN";

// ANCHOR: accident
#[td_kernel]
unsafe fn accident(#[each] x: &[f32], width: f32, out: &mut Packed<f32>) {
    r#"
    float d = x.i - x.j;
    if (d < 0.25)
        d = width / 2.0;
    out = M_PI * expf(-d);
    "#
}
// ANCHOR_END: accident

/// Computes in double precision, and says so.
#[td_kernel]
unsafe fn meant(#[each] x: &[f32], total: &mut Sum<f64>) {
    r#"
    double d = 0.5 * x.i;
    total += 0.25 * d + (double)x.j * 0.5;
    "#
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Light {
    mass: f32,
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Heavy {
    mass: f64,
}

#[td_kernel]
unsafe fn light(#[each] p: &[Light], out: &mut Packed<f32>) {
    r#" out = 0.5 * p.i.mass * p.j.mass; "#
}

#[td_kernel]
unsafe fn heavy(#[each] p: &[Heavy], out: &mut Packed<f32>) {
    r#" out = 0.5 * p.i.mass * p.j.mass; "#
}

/// Two variants, each with a double.
#[td_kernel]
unsafe fn features(#[each] x: &Features<f32>, #[fold] s: f32, out: &mut Packed<f32>) {
    let feature = r#" s += 0.5 * x.i * x.j; "#;
    let pair = r#" out = s * 0.75; "#;
}

/// The function's, and not the body's.
#[td_kernel(prelude = r#"
inline float bounded(float x)
{
    return 1.0 / (1.0 + x * x);
}
"#)]
unsafe fn of_prelude(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = bounded(x.i - x.j); "#
}

/// Compilers warn about its number.
#[td_kernel]
unsafe fn overflow(out: &mut Packed<u8>) {
    r#"
    unsigned char c = 1000;
    out = c;
    "#
}

/// Computes with a variable that has no value yet.
#[td_kernel]
unsafe fn valueless(#[each] x: &[f32], total: &mut Sum<f32>) {
    r#"
    float d;
    d += x.i - x.j;
    total += d;
    "#
}

/// The same in the `feature` body.
#[td_kernel]
unsafe fn valueless_feature(#[each] x: &Features<f32>, #[fold] s: f32, out: &mut Packed<f32>) {
    let feature = r#"
    float2 product;
    product.x *= x.i * x.j;
    s += product.x;
    "#;
    let pair = r#" out = s; "#;
}

/// The warnings that `work` logs.
fn logged(work: impl FnOnce()) -> String {
    let log = tempfile::NamedTempFile::new().unwrap();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing_subscriber::filter::LevelFilter::WARN);
    let guard = subscriber.with_writer(log.reopen().unwrap()).finish().set_default();
    work();
    drop(guard);
    std::fs::read_to_string(log.path()).unwrap()
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}

/// The lines of this file for which a string has warnings.
fn lines(text: &str) -> Vec<usize> {
    let named = text.split("tests/tests/warnings.rs:").skip(1);
    named.filter_map(|rest| rest.split_once(": warning")?.0.parse().ok()).collect()
}

/// The number of the first line with this text.
fn line(text: &str) -> usize {
    1 + include_str!("warnings.rs").lines().position(|line| line.contains(text)).unwrap()
}

#[test]
fn double_precision_warns_once_per_device() {
    for device in [Device::cpu().unwrap(), Device::emulator().unwrap()] {
        let load = || logged(|| drop(accident::load(&device).unwrap()));
        let text = load();
        has(&text, &[" WARN ", "kernel `accident` has warnings", "`0.25f` instead of `0.25`"]);
        // The guide's output, after the time and the place.
        let told = text.split_once("kernel `").map_or("", |(_, rest)| rest);
        assert_eq!(format!("kernel `{}\n", told.trim_end()), include_str!("guide/warning.txt"));
        let first = line("if (d < 0.25)");
        assert_eq!(lines(&text), [first, first + 1, first + 2]);
        assert_eq!(load(), "", "said twice");
    }
    let cpu = Device::cpu().unwrap();
    assert_eq!(logged(|| drop(meant::load(&cpu).unwrap())), "");
}

#[test]
fn standard_error_replaces_a_subscriber() {
    if std::env::var_os(PLAIN).is_some() {
        accident::load(&Device::cpu().unwrap()).unwrap();
        return;
    }
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "standard_error_replaces_a_subscriber", "--nocapture"]);
    let output = command.env(PLAIN, "").output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    has(&text, &["warning: kernel `accident` has warnings", "`0.25f` instead of `0.25`"]);
}

#[test]
fn launch_with_a_warning_runs() {
    let device = Device::cpu().unwrap();
    let x = device.upload(&[Light { mass: 3.0 }, Light { mass: 7.0 }]).unwrap();
    let mut out = device.packed(2).unwrap();
    light::load(&device).unwrap().launch(&x, &mut out).unwrap();
    assert_eq!(out.download().unwrap().as_slice(), [10.5]);
}

#[test]
fn struct_field_types_are_known() {
    let device = Device::cpu().unwrap();
    let text = logged(|| drop(light::load(&device).unwrap()));
    assert_eq!(lines(&text), [line("out = 0.5 * p.i.mass")], "{text}");
    assert_eq!(logged(|| drop(heavy::load(&device).unwrap())), "");
}

#[test]
fn both_bodies_are_scanned() {
    let device = Device::cpu().unwrap();
    let text = logged(|| drop(features::load(&device).unwrap()));
    let first = line("s += 0.5 * x.i");
    assert_eq!(lines(&text), [first, first + 1], "{text}");
}

#[test]
fn prelude_functions_are_scanned() {
    let device = Device::cpu().unwrap();
    let text = logged(|| drop(of_prelude::load(&device).unwrap()));
    assert_eq!(lines(&text), [line("return 1.0 / (1.0 + x * x)")], "{text}");
}

#[test]
fn uninitialized_variable_warns_on_every_device() {
    for device in [Device::cpu().unwrap(), Device::emulator().unwrap()] {
        let text = logged(|| drop(valueless::load(&device).unwrap()));
        let number = line("d += x.i - x.j");
        has(&text, &[&format!("tests/tests/warnings.rs:{number}:"), "uninitialized"]);
        let text = logged(|| drop(valueless_feature::load(&device).unwrap()));
        let number = line("product.x *= x.i * x.j");
        has(&text, &[&format!("tests/tests/warnings.rs:{number}:"), "uninitialized"]);
    }
}

/// The compiler's own warnings are stored beside the code, and the macro's are in the program.
#[test]
fn cached_kernels_warn_again() {
    let folder = tempfile::tempdir().unwrap();
    for open in [Device::cpu, Device::emulator] {
        let load = || {
            let device = open().unwrap().with_cache(folder.path());
            logged(|| {
                overflow::load(&device).unwrap();
                light::load(&device).unwrap();
            })
        };
        let (compiled, kept) = (load(), load());
        for text in [&compiled, &kept] {
            has(text, &["tests/tests/warnings.rs:", "kernel `light` has warnings"]);
            let number = line("unsigned char c = 1000;");
            has(text, &[&format!("tests/tests/warnings.rs:{number}:"), "warning: "]);
        }
    }
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let kept = entries.filter(|entry| {
        entry.as_ref().unwrap().path().extension().is_some_and(|extension| extension == "cpu")
    });
    assert!(kept.count() >= 4, "nothing was kept");
}

/// The kernels with a warning of NVRTC or of the macro.
const WARNED: [&str; 7] =
    ["accident", "light", "features", "of_prelude", "overflow", "valueless", "valueless_feature"];

/// By default, for one architecture, as in the test below: the messages about a source are the same for all.
#[test]
fn compile_all_fails_on_warnings() {
    let architectures: &[u32] = if td_kernel_tests::covering::EVERY { &[75, 90] } else { &[90] };
    let failure = testing::compile_all(architectures).unwrap_err();
    let Failure::Warnings { warnings, warned, compilations, .. } = &failure else {
        panic!("{failure}")
    };
    assert!(warned < compilations, "{failure}");
    // Each line once, though each kernel has several sources.
    let text = failure.to_string();
    let mut named = lines(&text);
    let all = named.len();
    named.sort_unstable();
    named.dedup();
    assert_eq!(named.len(), all, "{text}");
    let is_said = |kernel: &str| {
        warnings.iter().any(|each| each.starts_with(&format!("kernel `{kernel}`:\n")))
    };
    assert!(WARNED.into_iter().all(is_said), "{text}");
    assert!(!["meant", "heavy"].into_iter().any(is_said), "{text}");
    has(
        &text,
        &["warnings of ", " compilations:", "`compile_all_allowing`", "`2.0f` instead of `2.0`"],
    );
    let number = line("unsigned char c = 1000;");
    has(&text, &[&format!("tests/tests/warnings.rs:{number}: warning ")]);
}

#[test]
fn allowed_warnings_are_returned() {
    let is_known = |text: &Checked| !text.warnings.is_empty() && WARNED.contains(&text.kernel);
    let checked = testing::compile_all_allowing(&[90], is_known).unwrap();
    let (warned, silent): (Vec<_>, Vec<_>) =
        checked.iter().partition(|text| !text.warnings.is_empty());
    assert!(warned.iter().all(|text| is_known(text)));
    assert!(silent.iter().all(|text| ["meant", "heavy"].contains(&text.kernel)));
    assert!(!silent.is_empty());
    // Only some of them.
    let failure =
        testing::compile_all_allowing(&[90], |text| text.kernel != "overflow").unwrap_err();
    let Failure::Warnings { warnings, .. } = &failure else { panic!("{failure}") };
    assert_eq!(warnings.len(), 1, "{failure}");
    assert!(warnings[0].contains("overflow"), "{failure}");
}
