//! What messages say.

use td_kernel::Error;

/// Checks that the error's message has each of `parts`.
///
/// # Panics
///
/// A part is missing.
pub fn names(error: &Error, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{part:?} in {text:?}");
    }
    assert_eq!(format!("{error:?}"), text);
}
