//! Splits a compiler's log into errors, each with its line of the kernel's source.

/// An error in a compiler's log.
pub(super) struct CompilerError<'a> {
    /// The message with plain quotation marks; compilers choose them by locale.
    pub(super) message: String,
    /// The operands of an operator, which NVRTC names on a separate line.
    pub(super) operands: &'a str,
    /// The source line, if found.
    pub(super) code: &'a str,
    /// Whether that line is in the prelude.
    pub(super) is_of_prelude: bool,
}

/// The prefix of the operands.
const OPERANDS: &str = "operand types are: ";

/// The errors in a compiler's log for this source.
pub(super) fn parse<'a>(source: &'a str, log: &'a str) -> Vec<CompilerError<'a>> {
    let lines: Vec<&str> = log.lines().collect();
    let error = |(at, line): (usize, &&'a str)| {
        let (place, message) = line.split_once(": error")?;
        // Lines that belong to a message are indented.
        let mut below = lines[at + 1..].iter().take_while(|line| line.starts_with(' '));
        let operands = below.clone().find_map(|line| line.split_once(OPERANDS));
        let shown = below.find(|line| !line.contains(OPERANDS));
        let found = place_of(place).and_then(|(path, number)| user_line(source, path, number));
        let (code, is_of_prelude) = found.unwrap_or((shown.copied().unwrap_or_default(), false));
        let message = message.replace(['‘', '’'], "'");
        let operands = operands.map_or("", |(_, operands)| operands);
        Some(CompilerError { message, operands, code, is_of_prelude })
    };
    lines.iter().enumerate().filter_map(error).collect()
}

/// The path and the line in `path:line` or `path:line:column`.
fn place_of(place: &str) -> Option<(&str, usize)> {
    let (before, last) = place.rsplit_once(':')?;
    let last = last.parse().ok()?;
    let with_column =
        before.rsplit_once(':').and_then(|(path, number)| Some((path, number.parse().ok()?)));
    Some(with_column.unwrap_or((before, last)))
}

/// The numbered line of a user's file within a kernel's source, and whether it is in the prelude. A body follows the `{` of a
/// function.
fn user_line<'a>(source: &'a str, path: &str, number: usize) -> Option<(&'a str, bool)> {
    let (mut before, mut file, mut next, mut is_of_prelude) = ("", "", 1, false);
    for line in source.lines() {
        if let Some((to, rest)) =
            line.strip_prefix("#line ").map(|to| to.split_once(' ').unwrap_or((to, file)))
        {
            (file, next) = (rest.trim_matches('"'), to.trim().parse().ok()?);
            is_of_prelude = before != "{";
        } else if file == path && next == number {
            return Some((line, is_of_prelude));
        } else {
            next += 1;
        }
        before = line;
    }
    None
}
