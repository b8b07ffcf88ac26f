//! Reads a compiler's output, and finds messages in it.

/// The parts of a message between its insertions: `{}`, `{name}` and the like.
pub fn parts(message: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut rest = message;
    while let Some(c) = rest.chars().next() {
        let hole = rest.strip_prefix('{').and_then(|inside| {
            let length = inside.find(|c: char| !(c.is_alphanumeric() || "_.:?#".contains(c)))?;
            inside[length..].strip_prefix('}')
        });
        let brace = ["{{", "}}"].into_iter().find_map(|pair| rest.strip_prefix(pair));
        rest = match (brace, hole) {
            (Some(after), _) => {
                part.push(c);
                after
            }
            (None, Some(after)) => {
                parts.push(std::mem::take(&mut part));
                after
            }
            (None, None) => {
                part.push(c);
                &rest[c.len_utf8()..]
            }
        };
    }
    parts.push(part);
    parts
}

/// Whether the parts of `message` occur in one of `shown`, in order.
pub fn is_shown(message: &str, shown: &[String]) -> bool {
    let parts = parts(message);
    shown.iter().any(|line| {
        let mut rest = line.as_str();
        parts.iter().all(|part| match rest.split_once(part.as_str()) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
    })
}

/// The messages, notes and labels in a compiler's output, without quoted source lines.
pub fn messages(output: &str) -> Vec<String> {
    let messages = output.lines().filter_map(|line| {
        if line.starts_with("error") {
            return line.split_once(": ").map(|(_, message)| message);
        }
        let (margin, text) = line.split_once(['|', '='])?;
        if !margin.trim().is_empty() {
            return None;
        }
        text.trim().strip_prefix("note: ").or_else(|| {
            let (marks, label) = text.rsplit_once("^ ")?;
            marks.chars().all(|mark| " |_-^".contains(mark)).then_some(label)
        })
    });
    messages.map(str::to_owned).collect()
}
