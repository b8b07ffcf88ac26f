//! Rewrites NVRTC's messages as `file:line: error: …`, with lines of the body where the mistake is in the body.

/// NVRTC's log for `source`, which NVRTC calls `{kernel}.cu`, rewritten.
pub(super) fn readable(kernel: &str, source: &str, log: &str) -> String {
    let file = format!("{kernel}.cu");
    let mut text = String::new();
    let mut lines = log.lines().peekable();
    while let Some(line) = lines.next() {
        if is_superfluous(line) || (line.is_empty() && text.ends_with("\n\n")) {
            continue;
        }
        let Some(Head { path, number, message }) = Head::of(line) else {
            text.push_str(line);
            text.push('\n');
            continue;
        };
        let end = (path == file).then(|| End::body_end(source, number)).flatten();
        match end {
            // NVRTC reports a mistake in the last line of a body at the closing brace.
            Some(End { path, number, line }) => {
                text.push_str(&format!(
                    "{path}:{number}: {message} at the end of the body\n  {line}\n"
                ));
                text.push_str(&format!("{:>1$}\n", "^", 3 + line.chars().count()));
                while lines.next_if(|next| next.starts_with("  ")).is_some() {}
            }
            None => text.push_str(&format!("{path}:{number}: {message}\n")),
        }
    }
    text.trim_end().to_owned()
}

/// Lines that only count messages, or recommend options that a user of this crate cannot set.
fn is_superfluous(line: &str) -> bool {
    let is_count = line.contains(" detected in the compilation of ");
    is_count || line.starts_with("Remark: The warnings can be suppressed")
}

/// `path(number): message`
struct Head<'a> {
    path: &'a str,
    number: usize,
    message: &'a str,
}

impl<'a> Head<'a> {
    fn of(line: &'a str) -> Option<Head<'a>> {
        if line.starts_with(' ') {
            return None;
        }
        let (place, message) = line.split_once("): ")?;
        let (path, number) = place.rsplit_once('(')?;
        Some(Head { path, number: number.parse().ok()?, message })
    }
}

/// The last line of a body that is not blank.
struct End<'a> {
    path: &'a str,
    number: usize,
    line: &'a str,
}

impl<'a> End<'a> {
    /// The end of the body that is closed by the brace on line `brace` of `source`, if there is one.
    fn body_end(source: &'a str, brace: usize) -> Option<End<'a>> {
        let lines: Vec<&str> = source.lines().collect();
        let after = brace.checked_sub(2)?;
        if lines.get(after + 1) != Some(&"}") || !lines[after].starts_with("#line ") {
            return None;
        }
        let before = lines[..after].iter().rposition(|line| line.starts_with("#line "))?;
        let (first, path) = lines[before].strip_prefix("#line ")?.split_once(' ')?;
        let last = lines[before + 1..after].iter().rposition(|line| !line.trim().is_empty())?;
        Some(End {
            path: path.trim_matches('"'),
            number: first.parse::<usize>().ok()? + last,
            line: lines[before + 1 + last].trim_end(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::readable;

    const SOURCE: &str = "// A kernel.\nvoid edm_pair()\n{\n#line 7 \"src/main.rs\"\n\n    a = 1;\n    b = 2\n    \n#line 10 \"edm.cu\"\n}\n";

    #[test]
    fn places_use_editor_format() {
        let log = "src/main.rs(8): error: identifier \"a\" is undefined\n      a = 1;\n      ^\n\nf (2)(3): warning: x\n";
        assert_eq!(
            readable("edm", SOURCE, log),
            "src/main.rs:8: error: identifier \"a\" is undefined\n      a = 1;\n      ^\n\nf (2):3: warning: x"
        );
    }

    #[test]
    fn error_after_the_body_is_at_its_end() {
        let log = "edm.cu(10): error: expected a \";\"\n  }\n  ^\n\n1 error detected in the compilation of \"edm.cu\".\n";
        assert_eq!(
            readable("edm", SOURCE, log),
            "src/main.rs:9: error: expected a \";\" at the end of the body\n      b = 2\n           ^"
        );
        // A line elsewhere in the generated source is unchanged.
        assert_eq!(readable("edm", SOURCE, "edm.cu(2): error: no"), "edm.cu:2: error: no");
        assert_eq!(readable("edm", SOURCE, "edm.cu(99): error: no"), "edm.cu:99: error: no");
    }

    #[test]
    fn log_without_places_is_unchanged() {
        let log = "ptxas warning : Registers are spilled to local memory in function 'a'";
        assert_eq!(readable("edm", SOURCE, log), log);
        assert_eq!(readable("edm", SOURCE, ""), "");
    }
}
