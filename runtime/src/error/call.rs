//! Calls, as messages tell people to write them.

/// A call of a method of `Device` that is written with its arguments' names, with a number for `what`, or for `n`.
pub(super) fn called(call: &str, what: &str, number: usize) -> String {
    let (method, names) = call.trim_end_matches(')').split_once('(').unwrap_or((call, ""));
    let argument = |name: &str| match name == what || name == "n" {
        true => number.to_string(),
        false => name.to_owned(),
    };
    let arguments: Vec<String> = names.split(", ").map(argument).collect();
    format!("`device.{method}({})`", arguments.join(", "))
}
