//! `cargo xtask docs`: the tables in documents: of maps and sweeps from the registry in the crate `geometry`, of parameters and of what
//! does not go together from the code generator.
//!
//! A table is between two lines, `<!-- docs: NAME -->` and `<!-- end -->`, also in a Rust file's documentation.

use anyhow::{Context, Result, ensure};
use td_kernel_geometry::{MAPS, Map, RECTANGLE, SWEEPS, Shape, Space, largest};
use xshell::Shell;

/// The files with tables.
const FILES: [&str; 6] = [
    "docs/maps.md",
    "geometry/src/lib.rs",
    "runtime/docs/maps.md",
    "runtime/docs/parameters.md",
    "guide/src/parameters.md",
    "runtime/src/group/kernel/generated.rs",
];
const BEGIN: &str = "<!-- docs: ";
const END: &str = "<!-- end -->";
/// The rows of blocks in the launches of the tables. The number favours no map.
const ROWS: u32 = 1000;

/// Writes all tables, or with `check` fails if one would change.
pub(crate) fn run(shell: &Shell, check: bool) -> Result<()> {
    for file in FILES {
        let old = shell.read_file(file)?;
        let new = filled(&old).context(file)?;
        if old != new {
            ensure!(!check, "{file}: a table differs from the code: run `cargo xtask docs`");
            shell.write_file(file, new)?;
        }
    }
    Ok(())
}

/// Rewrites the tables of a document.
fn filled(text: &str) -> Result<String> {
    let mut filled = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        filled += &format!("{line}\n");
        let Some((comment, rest)) = line.split_once(BEGIN) else { continue };
        let name = rest.trim_end_matches("-->").trim();
        let rows = table(name).with_context(|| format!("there is no table `{name}`"))?;
        let end = lines.find(|line| line.trim_end().ends_with(END));
        let end = end.with_context(|| format!("table `{name}` does not end"))?;
        // Markdown needs an empty line before a table.
        let blank = comment.trim_end();
        filled += &format!("{blank}\n");
        for row in rows {
            filled += &format!("{comment}| {} |\n", row.join(" | "));
        }
        filled += &format!("{blank}\n{end}\n");
    }
    Ok(filled)
}

/// The rows of a table.
fn table(name: &str) -> Option<Vec<Vec<String>>> {
    let (head, rows): (&str, Vec<Vec<String>>) = match name {
        "words" => {
            let row = |map: &&dyn Map| {
                vec![
                    format!("`\"{}\"`", map.name()),
                    map.summary().to_owned(),
                    map.advice().to_owned(),
                ]
            };
            ("`map` | what it does | choose it", MAPS.iter().map(row).collect())
        }
        "launches" => {
            let maps = MAPS.iter().chain([&RECTANGLE]);
            let grids = maps.flat_map(|map| {
                let linear = map.has_linear_grid().then(|| launches(*map, true));
                [launches(*map, false)].into_iter().chain(linear)
            });
            let head = "map | grid | launches | surplus blocks | most rows | root | \
                        last n in thread space | ranges of rows";
            (head, grids.collect())
        }
        "sweeps" => {
            let rows = SWEEPS
                .iter()
                .map(|sweep| vec![format!("`\"{sweep}\"`"), sweep.summary().to_owned()]);
            ("`sweep` | what it does", rows.collect())
        }
        "support" => {
            let rows = td_kernel_codegen::support().into_iter().map(Vec::from);
            ("kernel or launch | what does not work | because", rows.collect())
        }
        "arguments" => {
            let rows = td_kernel_codegen::arguments().into_iter().map(Vec::from);
            ("in the signature | in the tuple", rows.collect())
        }
        _ => return None,
    };
    let head: Vec<String> = head.split(" | ").map(str::to_owned).collect();
    let rule = vec!["---".to_owned(); head.len()];
    Some([vec![head, rule], rows].concat())
}

/// The launches of a map in one of its grids.
fn launches(map: &dyn Map, linear: bool) -> Vec<String> {
    let is_rectangle = map.name() == RECTANGLE.name();
    let shape = Shape::blocks(ROWS).with_linear(linear);
    let shape = if is_rectangle { shape.with_columns(ROWS) } else { shape };
    let launches = map.launches(&shape);
    let grids = launches.iter().map(|launch| launch.grid);
    let blocks: u64 = grids.clone().map(|grid| grid.units()).sum();
    // Surplus blocks find no tile; in a map that walks, other blocks have several.
    let mut surplus = 0;
    for launch in &launches {
        for (x, y) in (0..launch.grid.y).flat_map(|y| (0..launch.grid.x).map(move |x| (x, y))) {
            let mut is_surplus = true;
            map.tiles(&shape, launch, [x, y], &mut |_| is_surplus = false);
            surplus += u64::from(is_surplus);
        }
    }
    let surplus = match (surplus, 100.0 * surplus as f64 / blocks as f64) {
        (0, _) => "0".to_owned(),
        (surplus, percent) => format!("{} ({percent:.2} %)", grouped(surplus)),
    };
    let grid = grids.max_by_key(|grid| grid.units());
    let grid =
        grid.map_or_else(String::new, |grid| format!("{} x {}", grouped(grid.x), grouped(grid.y)));
    let rows = match largest(map, &shape, Space::Block, 16) {
        // The search ends one before the largest number.
        rows if rows == u32::MAX - 1 => "any".to_owned(),
        rows => grouped(u64::from(rows)),
    };
    // n elements have a triangle of n - 1 rows in thread space, on a one-dimensional grid if a map has one.
    let last_n = (map.has_thread_space() && !linear)
        .then(|| grouped(u64::from(largest(map, &shape.with_linear(true), Space::Thread, 16)) + 1));
    let words = match (linear, is_rectangle) {
        (true, _) => ", linear grid",
        (_, true) => ", as many columns",
        _ => "",
    };
    let is = |is: bool| if is { "yes" } else { "" }.to_owned();
    vec![
        format!("`{}`{words}", map.name()),
        format!("{grid}{}", if launches.len() > 1 { " the largest" } else { "" }),
        launches.len().to_string(),
        surplus,
        rows,
        is(map.takes_root()),
        last_n.unwrap_or_default(),
        is(map.has_row_ranges()),
    ]
}

/// A number in groups of three digits.
fn grouped(number: u64) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_a_table_between_its_lines() {
        for comment in ["", "//! "] {
            let blank = comment.trim_end();
            let text =
                format!("{comment}a\n{comment}{BEGIN}sweeps -->\nstale\n{comment}{END}\nb\n");
            let new = filled(&text).unwrap();
            let start =
                format!("{comment}a\n{comment}{BEGIN}sweeps -->\n{blank}\n{comment}| `sweep` |");
            assert!(new.starts_with(&start), "{new}");
            assert!(new.ends_with(&format!(" |\n{blank}\n{comment}{END}\nb\n")), "{new}");
            assert!(!new.contains("stale"), "{new}");
            assert_eq!(filled(&new).unwrap(), new);
        }
        let unknown = filled(&format!("{BEGIN}hats -->\n{END}\n")).unwrap_err();
        assert_eq!(unknown.to_string(), "there is no table `hats`");
        let open = filled(&format!("{BEGIN}sweeps -->\n| |\n")).unwrap_err();
        assert_eq!(open.to_string(), "table `sweeps` does not end");
    }

    #[test]
    fn groups_digits() {
        assert_eq!([0, 7, 1000, 1_234_067].map(grouped), ["0", "7", "1,000", "1,234,067"]);
    }
}
