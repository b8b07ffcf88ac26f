//! Tables of which a reader could silently lose a part: each is read as a whole, or refused with the position of the
//! mistake.

use td_kernel_examples::{Missing, Table};

/// The numbers in the columns that are taken by default.
fn read(text: &[u8]) -> Result<Vec<f64>, String> {
    let table = Table::parse("t.csv", text).map_err(|error| error.to_string())?;
    let columns = table.numeric_columns(4, Missing::Error).map_err(|error| error.to_string())?;
    table.numbers(&columns).map_err(|error| error.to_string())
}

#[test]
fn a_whole_table_is_read_however_it_is_written() {
    let numbers = vec![1.0, 2.0, 3.0, 4.0];
    for text in [
        "a,b\n1,2\n3,4\n",
        "a,b\r1,2\r3,4\r",
        "a,b\r\n1,2\r\n3,4\r\n",
        "\u{feff}\"a\",\"b\"\n\"1\",\"2\"\n\"3\",\"4\"",
        "a,\"b \"\"of\"\" c\"\n1,2\n3,4\n",
        "a,b\n\"1\" ,2\n3,\"4\"\t\n",
        // A row with its only gap in a column of text.
        "name,a,b\nx,1,2\n,3,4\n",
        "name,a,b\n,1,2\ny,3,4\n",
        "name,a,b\n5\" pipe,1,2\nit's,3,4\n",
        "name,a,b\n\"two\nlines\",1,2\ny,3,4\n",
        "name,a,b\n\"two\nlines, and a comma\",1,2\ny,3,4\n",
        "name,a,b\n\"a, b\",1,2\n\"c; d\",3,4\n",
        // The first row tells values from names by the columns that hold numbers.
        "NA,a\n1,2\n3,4\n",
        ",b\n1,2\n3,4\n",
        "1st,b\n1,2\n3,4\n",
        "K,Na\n1,2\n3,4\n",
        "a,a\n1,2\n3,4\n",
        // Semicolons and tabs.
        "a;b\n1;2\n3;4\n",
        "a\tb\n1\t\"2\" \n3\t4\n",
        "1;2\r\n3;4\r\n",
        "name;a;b\n\"x;y\";1;2\nx, y;3;4\n",
        "name\ta\tb\n\"x\ty\"\t1\t2\nx\t3\t4\n",
    ] {
        assert_eq!(read(text.as_bytes()), Ok(numbers.clone()), "{text:?}");
    }
    // Columns after the fourth of numbers are not looked at.
    assert_eq!(read(b"1,2,3,4,5\n1,2,3,4,x\n"), Ok([1.0, 2.0, 3.0, 4.0].repeat(2)));
}

#[test]
fn what_would_be_lost_is_told_with_its_place() {
    let unclosed = "the quote that opens here is never closed";
    let swallowed = "this cell goes on to line";
    let mixed = "is not a number, and";
    let no_name = "is neither a number nor a name";
    for (text, place, message) in [
        // Quotes.
        ("a,b\n1,2\n\"3,4\n5,6\n", "line 3, character 1", unclosed),
        ("a,b\n1,2\n3,\"4\n5,6\n", "line 3, character 3", unclosed),
        ("name,a\nä,1\nö,2\n\"ü,3\n5,6\n", "line 4, character 1", unclosed),
        ("\u{feff}\"a,b\n1,2\n", "line 1, character 1", unclosed),
        ("a\r1\r\"2\r3\r", "line 3, character 1", unclosed),
        ("name,a\n\"x,1\ny,2\n\"z\",3\n", "line 2, character 1", "the quote that opens here"),
        ("name,a\n\"x,1\ny,2\nz\",3\n", "line 2, character 1", swallowed),
        ("name,a,b\n1,\"x,1\ny,2,y,2\nz\",3\n", "line 2, character 3", swallowed),
        ("name,a\n\"x\"y,1\n", "line 2, character 4", "text behind a closing quote"),
        ("name;a\n\"x;1\ny;2\nz\";3\n", "line 2, character 1", "as many semicolons as whole rows"),
        ("name\ta\n\"x\"y\t1\n", "line 2, character 4", "text behind a closing quote"),
        // Columns.
        ("a,b\n1,2o\n3,4\n", "line 2, column `b`: `2o`", mixed),
        ("1,2o\n3,4\n5,6\n", "line 1, column 1 (counted from 0): `2o`", mixed),
        ("1,2\n3,4\n5,6o\n", "line 3, column 1 (counted from 0): `6o`", mixed),
        ("a,b\nNA,2\n3,4\n", "line 2, column `a`: `NA`", "is not a number: write one"),
        ("name,a\nx,1\n7,2\n", "line 2, column `name`: `x`", mixed),
        // Headers.
        ("NA,NA\n1,2\n", "line 1", no_name),
        ("n/a,null\n1,2\n", "line 1", no_name),
        (",\n1,2\n", "line 1", no_name),
        ("?,-\n1,2\n", "line 1", no_name),
        ("1o,2o\n1,2\n", "line 1", no_name),
        ("setosa,NA,NA\nvirginica,1,2\n", "line 1, column 1 (counted from 0): `NA`", no_name),
        // Cells.
        ("1,5;2,5\n3,5;4,5\n", "line 1", "can be split by comma and by semicolon"),
        ("1\t2,x\n1\t2,x\n", "line 1", "can be split by comma and by tab"),
        ("a;b\n3,5;1\n", "line 2, column `a`: `3,5`", "a point before its decimals"),
        ("1|2,x\n1|2,x\n", "line 2, column `1|2`: `1|2`", "to be separated by commas"),
        ("a\n1e-60\n", "line 2, column `a`: 1e-60", "too small"),
        ("a\n0.0e-99\n1e-400\n", "line 3, column `a`: 1e-400", "too small"),
        ("a\n1e39\n", "line 2, column `a`: 1e39", "out of range"),
        ("a,b\n1,inf\n", "line 2, column `b`: inf", "out of range"),
        ("nan,1\n2,3\n", "line 1, column 0 (counted from 0): nan", "out of range"),
        ("1,2\n3\n", "line 2", "another number of cells"),
        ("1,2,\n3,4,\n", "line 1, column 2 (counted from 0)", "the cell is empty"),
        ("a,b\r1,2\r3,x\r", "line 3, column `b`: `x`", mixed),
        ("a,b\r\r1,2,3\r", "line 3", "another number of cells"),
        // Bytes.
        ("a,b\n1,2\n3,\0\n", "line 3", "a zero byte"),
    ] {
        let error = read(text.as_bytes()).expect_err(text);
        assert!(error.starts_with(&format!("t.csv, {place}")), "{text:?}: {error}");
        assert!(error.contains(message), "{text:?}: {error}");
    }
}

#[test]
fn another_encoding_is_called_by_its_name() {
    let text = "a,b\n1,2\n3,4\n";
    let wide = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let (little, big) = (wide(u16::to_le_bytes), wide(u16::to_be_bytes));
    for (bytes, message) in [
        ([b"\xff\xfe", little.as_slice()].concat(), "t.csv: this is UTF-16"),
        ([b"\xfe\xff", big.as_slice()].concat(), "t.csv: this is UTF-16"),
        (little, "t.csv, line 1: a zero byte"),
        (big, "t.csv, line 1: a zero byte"),
        (b"a,b\n1,2\n3,\xe9\n".to_vec(), "t.csv, line 3: this is not text in UTF-8"),
        (b"a,b\r1,2\r3,\xe9\r".to_vec(), "t.csv, line 3: this is not text in UTF-8"),
    ] {
        let error = read(&bytes).expect_err(message);
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn half_of_a_thousand_rows_is_not_a_table() {
    let mut text = String::from("x,y,name\n");
    for row in 0..1000 {
        let quote = if row == 500 { "\"" } else { "" };
        text += &format!("{row},{row},{quote}n{row}\n");
    }
    let error = read(text.as_bytes()).expect_err("an unclosed quote");
    assert!(error.starts_with("t.csv, line 502, character 9: "), "{error}");
}

#[test]
fn one_quote_too_many_or_too_few_loses_no_number() {
    for (names, ending) in [
        (["plain", "\"quoted\"", "\"of, two\""], "\n"),
        (["plain", "\"a \"\"b\"\" c\"", "\"\""], "\r\n"),
        (["\"x\"", "\"y\"", "\"z\""], "\r"),
        (["\"two\nlines\"", "5\" wide", "\"a\""], "\n"),
    ] {
        let mut text = format!("x,\"name\",y,note{ending}");
        for row in 0..9 {
            let [name, note, _] = [0, 1, 2].map(|k| names[(row + k) % 3]);
            text += &format!("{row},{name},-{row}.5,{note}{ending}");
        }
        let numbers = read(text.as_bytes()).unwrap();
        assert_eq!(numbers.len(), 18, "{text:?}");
        for at in 0..=text.len() {
            let (before, behind) = text.split_at(at);
            let more = format!("{before}\"{behind}");
            let less = behind.strip_prefix('"').map(|behind| format!("{before}{behind}"));
            for text in [Some(more), less].into_iter().flatten() {
                if let Ok(found) = read(text.as_bytes()) {
                    assert_eq!(found, numbers, "{text:?}");
                }
            }
        }
    }
}
