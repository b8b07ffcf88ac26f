//! Inputs, and what is printed for them, from the files in `tests/cases`.
//!
//! A case has a title after `==`, files, each after `--` and its name, and commands after `$`, each before what it prints: of an
//! example, the beginnings of some of its lines; of a reader in this process, all lines; of `floats`, the values of an array. A
//! file may have `\t`, `\r`, `\0`, `\u{a0}`, `\u{feff}` and, for a line without an end, `\c`; or its bytes, if `(hex)` follows its
//! name. An array has its format's version and its header after its name, and its bytes below.

use std::fs;

use clap::Parser;
use td_kernel_examples::{Result, Table, TableOptions};

use super::Folder;

#[derive(Parser)]
struct Options {
    #[command(flatten)]
    table: TableOptions,
}

/// What a reader of rows prints for options.
pub(crate) fn rows(
    folder: &Folder,
    arguments: &str,
    read: impl Fn(&TableOptions) -> Result<Table>,
) -> Result<String> {
    let (name, more) = arguments.split_once(' ').unwrap_or((arguments, ""));
    let path = folder.path(name).display().to_string();
    let words = ["table", "--input", &path].into_iter().chain(more.split_whitespace());
    let table = read(&Options::parse_from(words).table)?;
    let line = |row: &[f64]| row.iter().map(|value| format!(" {value}")).collect::<String>();
    let lines = table.rows().map(|row| format!("\n{}", line(row).trim_start()));
    Ok(table.origin.clone() + &lines.collect::<String>())
}

/// Runs all cases, and lists those that print something else. `reader` is the name of a reader, and `read` what it prints in a
/// folder for what follows its name.
pub(crate) fn check(cases: &str, reader: &str, read: impl Fn(&Folder, &str) -> Result<String>) {
    let mut wrong = String::new();
    for case in cases.split("\n== ").skip(1) {
        let (folder, mut parts) = (Folder::new(), Vec::<(&str, Vec<&str>)>::new());
        for line in case.trim_end().lines() {
            if parts.is_empty() || line.starts_with("-- ") || line.starts_with("$ ") {
                parts.push((line, Vec::new()));
            } else {
                parts.last_mut().unwrap().1.push(line);
            }
        }
        for (head, lines) in &parts[1..] {
            let text = head[2..].trim();
            let (name, arguments) = text.split_once(' ').unwrap_or((text, ""));
            if head.starts_with("-- ") {
                fs::write(folder.path(name), content(arguments, lines)).unwrap();
                continue;
            }
            let (printed, is_right) = if [reader, "floats"].contains(&name) {
                let printed = match name {
                    "floats" => Ok(format!("{:?}", folder.array(arguments))),
                    _ => read(&folder, arguments),
                };
                let printed = printed.unwrap_or_else(|error| format!("error: {error}"));
                let printed = printed.replace(&folder.path("").display().to_string(), "");
                let is_right = printed.lines().eq(lines.iter().copied());
                (printed, is_right)
            } else {
                let (success, out, error) = folder.start(name, arguments);
                // clap's messages are longer.
                let is_short = success || error.lines().count() == 1 || error.contains("'--help'");
                let is_right = success != lines[0].starts_with("error: ") && is_short;
                let printed = out + &error;
                let has = |line: &&str| printed.lines().any(|it| it.trim_start().starts_with(line));
                let is_right = is_right && lines.iter().all(has);
                (printed, is_right)
            };
            if !is_right {
                wrong += &format!("== {}\n{head}\n{printed}\n\n", parts[0].0);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The content of a file.
fn content(header: &str, lines: &[&str]) -> Vec<u8> {
    let mut text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    if header.is_empty() {
        let characters = [("\\t", "\t"), ("\\r", "\r"), ("\\0", "\0"), ("\\c\n", "")];
        let wide = [("\\u{a0}", "\u{a0}"), ("\\u{feff}", "\u{feff}")];
        for (escape, meant) in characters.into_iter().chain(wide) {
            text = text.replace(escape, meant);
        }
        return text.into();
    }
    let digits: Vec<char> = text.split_whitespace().flat_map(str::chars).collect();
    let byte = |two: &[char]| u8::from_str_radix(&String::from_iter(two), 16).unwrap();
    let bytes: Vec<u8> = digits.chunks(2).map(byte).collect();
    let Some((version, header)) = header.split_once(' ') else { return bytes };
    let length = &(header.len() as u32).to_le_bytes()[..if version == "1" { 2 } else { 4 }];
    let begin = [b"\x93NUMPY", &[version.parse().unwrap(), 0][..], length].concat();
    [&begin, header.as_bytes(), &bytes].concat()
}
