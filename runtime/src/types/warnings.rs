//! The macro's warnings about a kernel's bodies.

#[cfg(test)]
mod tests;

/// A line of a body that computes in double precision by accident.
#[derive(Debug)]
pub struct Warning {
    /// The file and the line.
    pub place: &'static str,
    /// The expressions that cause it, each after its replacement for floats.
    pub forms: &'static [(&'static str, &'static str)],
    /// Fields, each after its struct's name. The warning holds only if all of them are floats; the macro does not see structs.
    pub floats: &'static [(&'static str, &'static str)],
}

impl Warning {
    /// The message.
    fn text(&self) -> String {
        let forms: Vec<_> =
            self.forms.iter().map(|(to, from)| format!("`{to}` instead of `{from}`")).collect();
        format!(
            "{}: warning: this line computes floats in double precision, which is slow on a GPU: write {}",
            self.place,
            forms.join(" and ")
        )
    }

    /// Whether the warning holds for a kernel with this source, which has the definitions of its structs.
    fn holds(&self, source: &str) -> bool {
        self.floats.iter().all(|(of, field)| is_float(source, of, field))
    }
}

/// The note after all of a kernel's warnings.
const NOTE: &str = "note: if double precision is intended, make it explicit with a cast, `(double)x`, or a variable of type `double`";

/// The messages of the warnings that hold for a kernel with this source, one a line; empty if none does.
pub(crate) fn of(warnings: &[Warning], source: &str) -> String {
    let held = warnings.iter().filter(|warning| warning.holds(source));
    let mut texts: Vec<_> = held.map(Warning::text).collect();
    if !texts.is_empty() {
        texts.push(NOTE.to_owned());
    }
    texts.join("\n")
}

/// Reports a kernel's warnings through `tracing`. A program without a subscriber gets them on standard error: a kernel in
/// double precision by accident is slow and gives no other sign.
pub(crate) fn report(message: &str) {
    match tracing::dispatcher::has_been_set() {
        true => tracing::warn!("{message}"),
        false => eprintln!("warning: {message}"),
    }
}

/// The types of fields that computations convert to `float`.
const FLOATS: [&str; 3] = ["float ", "td_f16 ", "td_bf16 "];

/// Whether a field of a struct is a float or an array of floats.
fn is_float(source: &str, of: &str, field: &str) -> bool {
    let is_open = |line: &&str| line.starts_with("struct ") && line.ends_with(&format!(" {of} {{"));
    let is_field = |line: &str| {
        let member = FLOATS.iter().find_map(|float| line.trim_start().strip_prefix(float));
        let rest = member.and_then(|member| member.strip_prefix(field));
        rest.is_some_and(|rest| rest.starts_with([';', '[']))
    };
    let mut lines = source.lines().skip_while(|line| !is_open(line));
    lines.by_ref().take_while(|line| !line.starts_with("};")).any(is_field)
}
