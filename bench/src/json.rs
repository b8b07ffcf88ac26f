//! JSON as people read it: lists over lines, and whatever is small on one.

use serde_json::Value;

/// The longest value that is kept on one line.
const WIDTH: usize = 160;

/// The text of a file.
pub(crate) fn of(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text.push('\n');
    text
}

fn write(value: &Value, depth: usize, text: &mut String) {
    let short = value.to_string();
    match value {
        _ if short.len() <= WIDTH => text.push_str(&short),
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                next(place, depth, text);
                write(item, depth + 1, text);
            }
            end(depth, text);
            text.push(']');
        }
        Value::Object(entries) => {
            text.push('{');
            for (place, (key, item)) in entries.iter().enumerate() {
                next(place, depth, text);
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push_str(": ");
                write(item, depth + 1, text);
            }
            end(depth, text);
            text.push('}');
        }
        _ => text.push_str(&short),
    }
}

fn next(place: usize, depth: usize, text: &mut String) {
    if place > 0 {
        text.push(',');
    }
    end(depth + 1, text);
}

fn end(depth: usize, text: &mut String) {
    text.push('\n');
    text.extend(std::iter::repeat_n("  ", depth));
}
