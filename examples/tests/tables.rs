//! Every way in which a table can be read or refused, with the position that the message names.

use std::path::Path;

use td_kernel_examples::{Delimiter, Missing, Table, data};

/// The numbers in the columns that are taken by default.
fn read(text: &str) -> Result<Vec<f64>, String> {
    let table = Table::parse("t.csv", text.as_bytes()).map_err(|error| error.to_string())?;
    let columns = table.numeric_columns(4, Missing::Error).map_err(|error| error.to_string())?;
    table.numbers(&columns).map_err(|error| error.to_string())
}

/// The columns that are chosen.
fn choose(text: &str, wanted: &[&str]) -> Result<Vec<usize>, String> {
    let table = Table::parse("t.csv", text.as_bytes()).map_err(|error| error.to_string())?;
    table.columns(wanted).map_err(|error| error.to_string())
}

fn refused(text: &str) -> String {
    read(text).err().unwrap_or_default()
}

#[test]
fn a_table_has_a_header_or_none() {
    for text in [
        "1,2\n3,4\n",
        "a,b\n1,2\n3,4",
        "\n\na , b\r\n 1, 2\r\n\r\n3,\"4\"\r\n",
        "\u{feff}a,b\n1,2\n3,4\n",
        "\u{feff}1,2\n3,4\n",
    ] {
        assert_eq!(read(text), Ok(vec![1.0, 2.0, 3.0, 4.0]), "{text:?}");
    }
    // A name among numbers does not make a header.
    assert_eq!(read("1,x,2\n3,y,4\n"), Ok(vec![1.0, 2.0, 3.0, 4.0]));
    assert_eq!(read("a\n7\n"), Ok(vec![7.0]));
}

#[test]
fn the_first_four_columns_of_numbers_are_taken() {
    assert_eq!(read("n,a,b,c,d,e\nx,1,2,3,4,5\n"), Ok(vec![1.0, 2.0, 3.0, 4.0]));
    let table = Table::parse(data::IRIS.name, data::IRIS.text.as_bytes()).unwrap();
    assert_eq!((table.height(), table.width()), (150, 5));
    assert_eq!(table.numeric_columns(4, Missing::Error).unwrap(), [0, 1, 2, 3]);
    assert_eq!(table.name(2), "petal_length");
}

#[test]
fn columns_are_chosen_by_name_or_number() {
    let text = "a,b,c\n1,2,3\n";
    assert_eq!(choose(text, &["c", "a"]), Ok(vec![2, 0]));
    assert_eq!(choose(text, &["2", " b "]), Ok(vec![2, 1]));
    assert_eq!(choose("1,2,3\n", &["1"]), Ok(vec![1]));
}

#[test]
fn columns_are_chosen_by_ranges() {
    let text = "a,b,c,d,a..b\n1,2,3,4,5\n";
    for (wanted, columns) in [
        (vec!["a..c"], vec![0, 1, 2]),
        (vec!["1..3"], vec![1, 2, 3]),
        (vec!["b .. 2", "a"], vec![1, 2, 0]),
        (vec!["d..d"], vec![3]),
        // A name, as it is.
        (vec!["a..b"], vec![4]),
        (vec!["d..a..b"], vec![3, 4]),
    ] {
        assert_eq!(choose(text, &wanted), Ok(columns), "{wanted:?}");
    }
    for (wanted, message) in [
        (
            vec!["c..a"],
            "column `c..a`: the range ends before it begins: write the column first that stands first, as a..c",
        ),
        (vec!["a..x"], "column `x`: there is no such column"),
        (vec!["..c"], "column ``: there is no such column"),
        (vec!["2.."], "column ``: there is no such column"),
        (vec!["1..9"], "column `9`: there is no such column"),
        (vec!["a..c", "b"], "column `b`: the column is chosen twice"),
    ] {
        let error = choose(text, &wanted).expect_err(message);
        assert!(error.starts_with(&format!("t.csv, line 1, {message}")), "{error}");
    }
}

#[test]
fn a_delimiter_may_be_named() {
    let read = |text: &str, delimiter| {
        let table = Table::parse_by("t.csv", text.as_bytes(), Some(delimiter));
        let table = table.map_err(|error| error.to_string())?;
        let columns = table.numeric_columns(4, Missing::Error);
        table
            .numbers(&columns.map_err(|error| error.to_string())?)
            .map_err(|error| error.to_string())
    };
    assert_eq!(read("a|b\n1|2\n", Delimiter::Bar), Ok(vec![1.0, 2.0]));
    assert_eq!(read("1;x,2\n3;x,4\n", Delimiter::Semicolon), Ok(vec![1.0, 3.0]));
    assert_eq!(read("1;x,2\n3;x,4\n", Delimiter::Comma), Ok(vec![2.0, 4.0]));
    let error = read("a,b\n1,2\n", Delimiter::Tab).unwrap_err();
    assert!(error.ends_with("where commas separate cells, say --delimiter comma"), "{error}");
    let error = read("a,b\nx,y\n", Delimiter::Tab).unwrap_err();
    assert!(error.contains("separated by tabs, and --delimiter names another"), "{error}");
    let error = read("1;2\n3;4\n", Delimiter::Comma).unwrap_err();
    assert!(error.contains("`3;4` is more than one number"), "{error}");
}

#[test]
fn gaps_are_words_too() {
    for word in ["", "NA", "N/A", "null", "None"] {
        let text = format!("a,b\n1,2\n{word},4\n");
        let table = Table::parse("t.csv", text.as_bytes()).unwrap();
        assert_eq!(table.numeric_columns(4, Missing::Error).unwrap(), [0, 1], "{word}");
    }
    // Columns without a single number: of gaps alone, of words for gaps, and of text among which are such words.
    let text = "a,b,c,d\n1,,NA,x\n2,,NA,NA\n";
    let table = Table::parse("t.csv", text.as_bytes()).unwrap();
    assert_eq!(table.numeric_columns(4, Missing::Error).unwrap(), [0, 1]);
    assert_eq!(table.numeric_columns(4, Missing::Skip).unwrap(), [0]);
}

#[test]
fn a_bad_choice_of_columns_is_refused() {
    let text = "\na,b,b\n1,2,3\n";
    for (wanted, message) in [
        (
            vec!["d"],
            "t.csv, line 2, column `d`: there is no such column; the file has `a`, `b`, `b`",
        ),
        (vec!["3"], "t.csv, line 2, column `3`: there is no such column"),
        (vec!["-1"], "t.csv, line 2, column `-1`: there is no such column"),
        (vec!["b"], "t.csv, line 2, column `b`: two columns have this name"),
        (vec!["a", "a"], "t.csv, line 2, column `a`: the column is chosen twice"),
        (vec!["a", "0"], "t.csv, line 2, column `0`: the column is chosen twice"),
    ] {
        let error = choose(text, &wanted).expect_err(message);
        assert!(error.starts_with(message), "{error}");
    }
    let error = choose("1,2\n", &["a"]).expect_err("no names");
    assert!(error.ends_with("the file has no header, and the columns 0 to 1"), "{error}");
}

#[test]
fn a_bad_cell_is_told_with_its_place() {
    for (text, message) in [
        (
            "x,y\n1\u{a0}000,2\n2\u{a0}000,4\n",
            "t.csv, line 2, column `x`: `1\u{a0}000` is not a number: write nothing between its thousands",
        ),
        ("a,b\n1,2\n3,x\n", "t.csv, line 3, column `b`: `x` is not a number"),
        ("1,2\n3,x\n", "t.csv, line 2, column 1 (counted from 0): `x` is not a number"),
        ("a,b\n1,2\n,4\n", "t.csv, line 3, column `a`: the cell is empty"),
        ("a,b\n,2\n3,4\n", "t.csv, line 2, column `a`: the cell is empty"),
        ("a,b\n1,nan\n", "t.csv, line 2, column `b`: nan is out of range"),
        ("a\n-inf\n", "t.csv, line 2, column `a`: -inf is out of range"),
        ("a\n1e300\n", "t.csv, line 2, column `a`: 1e300 is out of range"),
        // Blank lines and line ends of every kind count as an editor counts them.
        ("\r\na,b\r\n\r\n\r\n1,2\r\n\r\n3,x\r\n", "t.csv, line 7, column `b`: `x`"),
        ("a,b\n\n\n1,2\n\n3,x", "t.csv, line 6, column `b`: `x`"),
        // A cell of two lines.
        ("a,b\n1,\"x\ny\"\n2,3\nz,4\n", "t.csv, line 5, column `a`: `z`"),
    ] {
        let error = refused(text);
        assert!(error.starts_with(message), "{text:?}: {error}");
    }
}

#[test]
fn what_is_no_table_is_refused() {
    for (text, message) in [
        ("", "t.csv: the file is empty"),
        ("\n\r\n\n", "t.csv: the file is empty"),
        ("\na,b\n", "t.csv, line 2: there is no row below the header"),
        (
            "a,b\n\n1,2\n3\n",
            "t.csv, line 4: the row has another number of cells (1) than line 1 (2)",
        ),
        (
            "a;b\n1;2\n3\n",
            "t.csv, line 3: the row has another number of cells (1) than line 1 (2): every row needs the same \
             number, and a cell that holds a semicolon needs quotes",
        ),
        (
            "1,2\n\n3,4,5\n",
            "t.csv, line 3: the row has another number of cells (3) than line 1 (2)",
        ),
        (
            "a,b\nc,d\n",
            "t.csv, line 2: no cell of this row is a number; cells were taken to be separated by commas",
        ),
    ] {
        let error = refused(text);
        assert!(error.starts_with(message), "{text:?}: {error}");
    }
    let error = Table::parse("t.csv", b"a,b\n\n1,2\n3,\xff\n").expect_err("Latin-1");
    let message = "t.csv, line 4: this is not text in UTF-8: save the file as UTF-8";
    assert_eq!(error.to_string(), message);
}

#[test]
fn a_missing_file_is_told_by_name() {
    let error = Table::read(Path::new("nowhere/t.csv")).expect_err("no such file");
    let error = error.to_string();
    assert!(error.starts_with("cannot read nowhere/t.csv: "), "{error}");
}
