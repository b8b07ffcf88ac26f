//! Launches with parameters that the compiled kernel does not have, as when two versions disagree.

use td_kernel::__private::Axis;
use td_kernel::{Device, ErrorKind};

use crate::Choice;

/// Launches a kernel with the wrong parameters, which must be an error before anything runs.
#[allow(clippy::unwrap_used)]
pub fn check(device: &Device) {
    let item = "unsafe fn scaled(scale: f32, total: &mut Sum<f32>) { r#\" total += scale; \"# }";
    let choices = Choice::maps();
    let choice = choices.iter().find(|choice| choice.map == "table").unwrap();
    let kernel = choice.load(device, "scaled", item).unwrap();
    let mut total = device.sum::<f32>().unwrap();
    let mut launch = |scale: &[f32]| {
        let mut launch = kernel.launch();
        launch.bind(Axis::Each, "n", 3)?;
        for scale in scale {
            launch.bind(Axis::All, "scalar", scale)?;
        }
        launch.bind(Axis::All, "total", &mut total)?;
        // SAFETY: a missing or an extra parameter is detected before anything runs.
        unsafe { launch.run() }
    };
    // First with the right parameters: this launch queries the GPU for their sizes.
    launch(&[2.0]).unwrap();
    for (scale, words) in
        [(&[][..], "passes [4, 4, 8, 8]"), (&[1.0; 2], "passes [4, 4, 8, 4, 4, 8]")]
    {
        let error = launch(scale).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::VersionMismatch, "{error}");
        assert_eq!(error.kernel(), Some("scaled"));
        let text = error.to_string();
        assert!(
            text.contains("parameters of [4, 4, 8, 4, 8] bytes") && text.contains(words),
            "{text}"
        );
    }
    assert_eq!(total.download().unwrap(), 6.0);
}
