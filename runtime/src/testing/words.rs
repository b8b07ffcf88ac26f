//! Descriptions of a wrong pair, which has a value or is on a list.

/// How a list can have a pair, in place of a value.
pub(super) const LISTED: &str = "listed";
pub(super) const NOT_LISTED: &str = "not listed";
pub(super) const LISTED_ONCE: &str = "listed once";
pub(super) const LISTED_AGAIN: &str = "listed again";

/// Describes what a kernel gave for a pair.
pub(super) fn given(found: &str) -> String {
    match found {
        LISTED | NOT_LISTED | LISTED_AGAIN => format!("was {found}"),
        _ => format!("gave {found}"),
    }
}

/// Describes what it should have given.
pub(super) fn wanted(expected: &str) -> String {
    match expected {
        LISTED | LISTED_ONCE => format!("should be {expected}"),
        NOT_LISTED => "should not be listed".to_owned(),
        _ => format!("{expected} was expected"),
    }
}
