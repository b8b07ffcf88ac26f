//! Preludes and constants: NVRTC accepts them, and reports mistakes in them at their lines.

use td_kernel::{Device, nvrtc, td_kernel};
use td_kernel_tests::{OPTIONS, preludes};

#[test]
fn nvrtc_has_no_warnings() {
    for (kernel, sources) in preludes::SOURCES {
        for source in *sources {
            let compiled = nvrtc::compile(kernel, source, OPTIONS, 90).unwrap();
            assert_eq!(compiled.warnings, "", "{source}");
        }
    }
}

#[td_kernel(prelude = r#"
    inline float f(float x) { return x * NOWHERE; }
    inline float g(float x) { return x.i; }
"#)]
unsafe fn wrong(out: &mut Packed<f32>) {
    r#" out = f(i) + g(i) + h(i); "#
}

/// Each compiler names the lines of the prelude, and explains where a name comes from.
#[test]
fn prelude_errors_name_their_lines() {
    let text = include_str!("preludes.rs");
    let line = |part: &str| text.lines().position(|line| line.contains(part)).unwrap() + 1;
    let lines = [line("return x * NOWHERE"), line("return x.i;"), line("out = f(i)")];
    let device = |device: Device| wrong::load(&device).unwrap_err().to_string();
    for message in [
        device(Device::cpu().unwrap()),
        device(Device::emulator().unwrap()),
        nvrtc::compile("wrong", wrong::SOURCE, wrong::OPTIONS, 90).unwrap_err().to_string(),
    ] {
        for line in lines {
            assert!(
                message.contains(&format!("tests/tests/compilers/preludes.rs:{line}:")),
                "{line}: {message}"
            );
        }
        let note = "note: put your own functions, structs and constants into the kernel's prelude";
        assert_eq!(message.matches(note).count(), 1, "{message}");
        assert!(!message.contains("wrong.cu"), "{message}");
    }
}
