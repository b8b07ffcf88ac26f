//! Lines that a backslash joins.

/// A backslash and the end of the line after it.
pub(super) struct Splice {
    pub(super) length: usize,
    /// Whether spaces are between the two.
    pub(super) is_spaced: bool,
}

/// The splice that the text begins with. The end of the text counts as one of a line, since the
/// kernel goes on with the next.
pub(super) fn splice(text: &str) -> Option<Splice> {
    let after = text.strip_prefix('\\')?;
    let end = after.trim_start_matches(is_space);
    let spaces = &after[..after.len() - end.len()];
    let length = 1 + spaces.len() + end.chars().next().map_or(0, char::len_utf8);
    let is_spaced = !matches!(spaces, "" | "\r");
    (end.is_empty() || end.starts_with('\n')).then_some(Splice { length, is_spaced })
}

/// Whether a comment ends earlier than it looks, after `*` and joined lines.
pub(super) fn splits_its_end(comment: &str) -> bool {
    comment.match_indices('*').any(|(at, _)| {
        let mut rest = &comment[at + 1..];
        let mut joins = false;
        while let Some(splice) = splice(rest) {
            joins = true;
            rest = &rest[splice.length..];
        }
        joins && rest.starts_with('/')
    })
}

/// What separates tokens of a line.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\x0b' | '\x0c' | '\r')
}

/// A literal as it is after lines are joined.
pub(super) fn joined(text: &str) -> String {
    text.replace("\\\r\n", "").replace("\\\n", "")
}
