//! The pictures, point by point.

use std::fs::{self, File};
use std::io::BufReader;

use ndarray::Array1;
use ndarray_npy::read_npy;

use super::{Files, check, report};

/// The points of a PNG file, by rows.
fn points(path: &str) -> Vec<Vec<[u8; 3]>> {
    let file = BufReader::new(File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let points = bytes.as_chunks::<3>().0;
    points.chunks(info.width as usize).map(<[_]>::to_vec).collect()
}

/// The texts of an SVG file.
fn texts(svg: &str) -> Vec<&str> {
    let texts = svg.split("</text>").filter_map(|text| text.rsplit_once('>'));
    let mut texts: Vec<&str> = texts.map(|(_, text)| text).collect();
    // Behind the last one, the file ends.
    texts.pop();
    texts
}

#[test]
fn a_picture_has_the_values_where_their_rows_are() {
    let files = Files::empty();
    let path = files.path("iris.png");
    report(&["--plot", &path, "--order", "label"]).unwrap();
    let points = points(&path);
    // Four points for each of the 150 rows, which are in the order of their labels already: the square is where the
    // diagonal's colour, that of the least value, begins and ends.
    let least = [20, 12, 60];
    let top = points.iter().position(|row| row.contains(&least)).unwrap();
    let left = points[top].iter().position(|point| *point == least).unwrap();
    let square = check("euclidean", &[]).square;
    let largest = square.iter().copied().fold(0.0, f32::max);
    let mut shades: Vec<(f32, u32)> = Vec::new();
    for i in 0..150 {
        for j in 0..150 {
            let cell = points[top + 4 * i][left + 4 * j];
            let (corner, value) = (points[top + 4 * i + 3][left + 4 * j + 3], square[[i, j]]);
            assert_eq!(cell, corner);
            let [red, green, blue] = cell.map(u32::from);
            shades.push((value / largest, 2126 * red + 7152 * green + 722 * blue));
        }
    }
    // Greater values are lighter, but for what rounding to 8 bits changes.
    shades.sort_by(|a, b| a.0.total_cmp(&b.0));
    for pair in shades.windows(2) {
        assert!(pair[1].1 + 10_000 > pair[0].1, "{pair:?}");
    }
    assert!(shades[0].1 < 300_000 && shades[22_499].1 > 2_200_000);
}

#[test]
fn a_picture_says_what_it_shows() {
    let files = Files::empty();
    let path = files.path("iris.svg");
    let texts_of = |arguments: &[&str]| {
        report(&[&["--plot", &path, "--force"], arguments].concat()).unwrap();
        let svg = fs::read_to_string(&path).unwrap();
        texts(&svg).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let by_label = texts_of(&["--order", "label", "--metric", "correlation"]);
    assert_eq!(by_label[0], "correlation, 150 rows of 4 features");
    for text in ["setosa", "versicolor", "virginica"] {
        // Beside its rows, and below its columns.
        assert_eq!(by_label.iter().filter(|other| *other == text).count(), 2, "{by_label:?}");
    }
    assert!(by_label.contains(&"rows, by label".to_owned()));
    assert!(by_label.ends_with(&["0.8", "0.9", "1.0"].map(str::to_owned)), "{by_label:?}");
    let along = texts_of(&[]);
    assert!(along.contains(&"places of rows along their first principal axis".to_owned()));
    assert!(along.contains(&"100".to_owned()));
}

/// The row at each place of a picture, and the colours of its cells.
#[test]
fn a_picture_can_be_traced_back_to_its_rows() {
    let (files, path) = Files::with("t.csv", "x,kind\n5,b\n1,a\n9,b\n3,a\n");
    let [picture, order] = ["t.png", "order.npy"].map(|name| files.path(name));
    for (choice, expected) in
        [("axis", [1, 3, 0, 2]), ("label", [0, 2, 1, 3]), ("none", [0, 1, 2, 3])]
    {
        report(&[
            "--input",
            &path,
            "--label",
            "kind",
            "--plot",
            &picture,
            "--order",
            choice,
            "--save-order",
            &order,
            "--force",
        ])
        .unwrap();
        let rows: Array1<i64> = read_npy(&order).unwrap();
        assert_eq!(rows.to_vec(), expected, "{choice}");
        // The cells of the first column, whose distances from its row are all different: lighter where they are greater.
        let points = points(&picture);
        let least = [20, 12, 60];
        let top = points.iter().position(|row| row.contains(&least)).unwrap();
        let left = points[top].iter().position(|point| *point == least).unwrap();
        let value = |row: i64| [5.0_f64, 1.0, 9.0, 3.0][row as usize];
        let mut cells: Vec<(f64, u32)> = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            let light = points[top + 150 * place][left].iter().map(|part| u32::from(*part)).sum();
            cells.push(((value(*row) - value(rows[0])).abs(), light));
        }
        cells.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(cells.is_sorted_by(|a, b| a.0 == b.0 || a.1 < b.1), "{choice}: {cells:?}");
    }
}

#[test]
fn a_picture_is_the_same_in_every_run() {
    let files = Files::empty();
    for name in ["a.png", "a.svg"] {
        let path = files.path(name);
        let picture = || {
            let arguments = ["--random", "70", "--plot", &path, "--force", "--metric", "rbf"];
            report(&arguments).unwrap();
            fs::read(&path).unwrap()
        };
        assert_eq!(picture(), picture());
    }
}

#[test]
fn any_number_of_rows_has_a_picture() {
    let files = Files::empty();
    let path = files.path("a.PNG");
    for n in ["1", "2", "601", "1500"] {
        let arguments = ["--random", n, "--features", "2", "--plot", &path, "--force"];
        report(&arguments).unwrap();
        let (height, width) = (points(&path).len(), points(&path)[0].len());
        assert!((600..1300).contains(&height) && (600..1500).contains(&width));
    }
}

#[test]
fn what_is_undefined_is_grey() {
    let (files, path) = Files::with("t.csv", "name,x,y\n<a>,0,0\nb,1,2\nc,3,1\n");
    let picture = files.path("t.png");
    let arguments = ["--input", &path, "--label", "name", "--metric", "cosine", "--plot"];
    report(&[&arguments[..], &[&picture]].concat()).unwrap();
    let points = points(&picture);
    let grey = points.iter().flatten().filter(|point| **point == [170; 3]).count();
    // Five of nine cells of 200 x 200 points, and the legend's.
    assert_eq!(grey, 5 * 200 * 200 + 24 * 16);
    let picture = files.path("t.svg");
    report(&[&arguments[..], &[&picture, "--order", "label"]].concat()).unwrap();
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(texts(&svg).contains(&"undefined") && texts(&svg).contains(&"&lt;a&gt;"), "{svg}");
}
