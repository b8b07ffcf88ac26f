//! Messages of errors.

use td_kernel::Error;

/// Checks that the error's message has each of `parts`.
pub fn assert_message(error: &Error, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{part:?} in {text:?}");
    }
    assert_eq!(format!("{error:?}"), text);
}
