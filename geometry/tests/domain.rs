//! The expressions of domains, compared with brute force: each is evaluated as C++ would, for small numbers.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::ops::Range;

use td_kernel_geometry::{Domain, Form, Space};

/// The names of an expression and their values.
type Names<'a> = &'a [(&'a str, i128)];

/// The value of a C++ expression of names, numbers and the operators `+ - * / % == < <= > >= && ||`, in which nothing
/// overflows.
fn value(text: &str, names: Names<'_>) -> i128 {
    let spaced = text.replace("(unsigned long long)", "");
    let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let value = binary(&mut rest, 0, names);
    assert!(rest.is_empty(), "{rest:?} is left of {text}");
    value
}

/// The operators by precedence.
const LEVELS: [&[&str]; 6] =
    [&["||"], &["&&"], &["=="], &["<", "<=", ">", ">="], &["+", "-"], &["*", "/", "%"]];

fn binary(words: &mut &[&str], level: usize, names: Names<'_>) -> i128 {
    let Some(operators) = LEVELS.get(level) else { return operand(words, names) };
    let mut left = binary(words, level + 1, names);
    while let Some((operator, rest)) =
        words.split_first().filter(|(word, _)| operators.contains(word))
    {
        *words = rest;
        let right = binary(words, level + 1, names);
        left = match *operator {
            "||" => i128::from(left != 0 || right != 0),
            "&&" => i128::from(left != 0 && right != 0),
            "==" => i128::from(left == right),
            "<" => i128::from(left < right),
            "<=" => i128::from(left <= right),
            ">" => i128::from(left > right),
            ">=" => i128::from(left >= right),
            "+" => left + right,
            "-" => left - right,
            "*" => left * right,
            "/" => left / right,
            _ => left % right,
        };
    }
    left
}

fn operand(words: &mut &[&str], names: Names<'_>) -> i128 {
    let (word, rest) = words.split_first().unwrap();
    *words = rest;
    if *word == "(" {
        let value = binary(words, 0, names);
        assert_eq!(words.first(), Some(&")"));
        *words = &words[1..];
        return value;
    }
    let known = names.iter().find(|(name, _)| name == word).map(|(_, value)| *value);
    known.or_else(|| word.parse().ok()).unwrap_or_else(|| panic!("what is {word}?"))
}

/// Every domain of a few elements: with its rows and the names of its kernel.
fn each_domain(mut each: impl FnMut(Domain, Range<i128>, &[(&str, i128)])) {
    for n in 0..10 {
        each(Domain::Triangle, 0..n, &[("n", n)]);
        for end in 0..=n {
            for first in 0..=end {
                let slot = first * (first - 1) / 2;
                let names =
                    [("n", n), ("row_begin", first), ("row_end", end), ("first_slot", slot)];
                each(Domain::Rows, first..end, &names);
            }
        }
    }
}

fn with<'a>(names: Names<'a>, more: &[(&'a str, i128)]) -> Vec<(&'a str, i128)> {
    names.iter().chain(more).copied().collect()
}

#[test]
fn filter_accepts_pairs_of_rows() {
    each_domain(|domain, rows, names| {
        for diagonal in [false, true] {
            let filter = domain.has("i", "j", diagonal);
            for i in 0..12 {
                for j in 0..12 {
                    let is_pair = rows.contains(&i) && (j < i || (diagonal && j == i));
                    let names = with(names, &[("i", i), ("j", j)]);
                    assert_eq!(value(&filter, &names), i128::from(is_pair), "{filter} {names:?}");
                }
            }
        }
    });
}

#[test]
fn interior_tiles_of_triangles() {
    each_domain(|domain, rows, names| {
        let interior = domain.interior();
        for side in [1, 2, 3, 8] {
            for row in 0..12 / side {
                for col in 0..12 / side {
                    let filter = domain.has("i", "j", false);
                    let all = (row * side..(row + 1) * side).all(|i| {
                        (col * side..(col + 1) * side)
                            .all(|j| value(&filter, &with(names, &[("i", i), ("j", j)])) == 1)
                    });
                    let names = with(names, &[("tile_i", row), ("tile_j", col), ("TILE", side)]);
                    assert_eq!(value(&interior, &names), i128::from(all), "{rows:?} {names:?}");
                }
            }
        }
    });
}

#[test]
fn columns_of_rows() {
    each_domain(|domain, rows, names| {
        for i in rows {
            for diagonal in [false, true] {
                let has = |j: i128| {
                    value(&domain.has("i", "j", diagonal), &with(names, &[("i", i), ("j", j)])) != 0
                };
                let end = value(&domain.columns_end("i", diagonal), &with(names, &[("i", i)]));
                assert!((0..end).all(has) && !(end..end + 3).any(has), "{domain:?} {i} {end}");
                for j in 0..=end {
                    let from = domain.columns_from("i", "j", diagonal);
                    assert_eq!(value(&from, &with(names, &[("i", i), ("j", j)])), end - j);
                }
            }
        }
    });
}

#[test]
fn slots_are_contiguous() {
    for diagonal in [false, true] {
        for first in 0..10 {
            let whole = Domain::Triangle.row_start("i", diagonal);
            let first_slot = value(&whole, &[("i", first)]);
            let mut slot = 0;
            for i in first..16 {
                let names = [("i", i), ("first_slot", first_slot)];
                assert_eq!(value(&Domain::Rows.row_start("i", diagonal), &names), slot);
                assert_eq!(value(&whole, &names), slot + first_slot);
                slot += i + i128::from(diagonal);
            }
        }
    }
}

#[test]
fn tile_rows_cover_the_domain() {
    each_domain(|domain, rows, names| {
        let form = Form::new(domain, Space::Block);
        for side in [1, 3, 8, 16] {
            let names = &with(names, &[("TILE", side)]);
            let first = form.first().map_or(0, |first| value(&first, names));
            let end = value(&form.rows(), names);
            for tile in 0..12 {
                let has_rows = (tile * side..(tile + 1) * side).any(|i| rows.contains(&i));
                // An empty range may have a row of tiles without rows, whose filter accepts nothing.
                let is_launched = (first..end).contains(&tile);
                assert!(is_launched >= has_rows, "{names:?}");
                assert!(rows.is_empty() || is_launched == has_rows, "{names:?}");
            }
        }
    });
}

/// Every rectangle of a few rows and columns, and every range of its rows: with the names of its kernel.
fn each_rectangle(mut each: impl FnMut(Domain, Range<i128>, i128, &[(&str, i128)])) {
    for (height, width) in (0..8).flat_map(|height| (0..8).map(move |width| (height, width))) {
        let counts = [("rows", height), ("columns", width)];
        each(Domain::Rectangle, 0..height, width, &counts);
        for end in 0..=height {
            for first in 0..=end {
                let own = [("row_begin", first), ("row_end", end), ("first_slot", first * width)];
                each(Domain::RectangleRows, first..end, width, &with(&counts, &own));
            }
        }
    }
}

#[test]
fn rectangles_have_all_pairs() {
    each_rectangle(|domain, rows, width, names| {
        let has = |i: i128, j: i128| {
            value(&domain.has("i", "j", false), &with(names, &[("i", i), ("j", j)])) != 0
        };
        for i in 0..10 {
            for j in 0..10 {
                assert_eq!(
                    has(i, j),
                    rows.contains(&i) && j < width,
                    "{domain:?} {names:?} {i} {j}"
                );
            }
        }
        for i in rows.clone() {
            let end = value(&domain.columns_end("i", false), &with(names, &[("i", i)]));
            assert_eq!(end, width);
            for j in 0..=end {
                let from = domain.columns_from("i", "j", false);
                assert_eq!(value(&from, &with(names, &[("i", i), ("j", j)])), end - j);
            }
            let start = value(&domain.row_start("i", false), &with(names, &[("i", i)]));
            assert_eq!(start, (i - if domain.first().is_some() { rows.start } else { 0 }) * width);
        }
    });
}

/// Tiles that are interior have all their pairs, moved or not; and together with the tiles at the ends, whose segments
/// begin at column 0 and end with the row, they have each column of a row once.
#[test]
fn interior_tiles_of_rectangles() {
    each_rectangle(|domain, rows, width, names| {
        let (interior, moved) = (domain.interior(), domain.interior_moved());
        let goes_on = domain.goes_on();
        for (side, alignment) in [(1, 1), (2, 2), (2, 1), (4, 2), (4, 4)] {
            let names = &with(names, &[("TILE", side), ("ALIGNMENT", alignment)]);
            for row in 0..12 / side {
                let own = row * side..(row + 1) * side;
                let has_rows = own.clone().all(|i| rows.contains(&i));
                for i in own.filter(|i| rows.contains(i)) {
                    let start = value(&domain.row_start("i", false), &with(names, &[("i", i)]));
                    let skew = start % alignment;
                    let mut next = 0;
                    for col in 0..(width + side - 1) / side {
                        let names = with(names, &[("tile_i", row), ("tile_j", col)]);
                        let is = |text: &str| value(text, &names) != 0;
                        let (first, end) = (col * side, (col + 1) * side);
                        assert_eq!(is(&interior), has_rows && end <= width, "{names:?}");
                        // All tiles that their whole skew leaves inside, whichever row it is, are interior: no
                        // other condition sends a tile to the slower loops.
                        let stays = width % alignment == 0 || (col > 0 && end < width);
                        assert_eq!(is(&moved), is(&interior) && stays, "{names:?}");
                        let (first, end) = match is(&moved) {
                            true => {
                                assert!(has_rows && first >= skew && end - skew <= width);
                                (first - skew, end - skew)
                            }
                            false => (
                                if col > 0 { first - skew } else { 0 },
                                if is(&goes_on) { end - skew } else { width },
                            ),
                        };
                        assert_eq!(first, next, "{domain:?} {names:?} row {i}");
                        next = end;
                    }
                    assert_eq!(next, width, "{domain:?} {names:?} row {i}");
                }
            }
        }
    });
}
