//! Pictures of the distances.

use std::fs::File;
use std::io::BufReader;

use td_kernel_examples::tried::texts;

use super::{Files, check, report};

#[test]
fn a_picture_has_a_cell_for_each_pair() {
    let (files, path) = Files::with("t.csv", "0,0\n3,4\n0,1\n");
    let picture = files.path("t.PNG");
    report(&["--input", &path, "--plot", &picture]).unwrap();
    let file = BufReader::new(File::open(&picture).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let width = reader.next_frame(&mut bytes).unwrap().width as usize;
    let points = bytes.as_chunks::<3>().0;
    // The colours of the least and the greatest value, which are on and off the diagonal; 200 points a cell.
    let [least, greatest] = [[20, 12, 60], [252, 238, 140]];
    let first = points.iter().position(|point| *point == least).unwrap();
    let cell =
        |row: usize, column: usize| points[first + (200 * row + 100) * width + 200 * column + 100];
    for at in 0..3 {
        assert_eq!(cell(at, at), least);
    }
    assert_eq!([cell(0, 1), cell(1, 0)], [greatest; 2]);
    assert_eq!(cell(0, 2), cell(2, 0));
    assert!(cell(0, 2) != least && cell(0, 2) != cell(1, 2));
}

#[test]
fn a_picture_says_what_it_shows() {
    let files = Files::empty();
    let path = files.path("iris.svg");
    report(&["--plot", &path]).unwrap();
    let all = texts(&path);
    assert_eq!(all[0], "Euclidean distance, 150 points of 4 features");
    assert!(all.contains(&"points".to_owned()) && all.contains(&"100".to_owned()), "{all:?}");
    // More points than cells.
    report(&["--random", "1001", "--features", "1", "--plot", &path, "--force"]).unwrap();
    let title = "Euclidean distance, 1001 points of one feature, means in 1000 x 1000 cells";
    assert_eq!(texts(&path)[0], title);
}

#[test]
fn a_picture_changes_nothing_else() {
    let files = Files::empty();
    let picture = files.path("a.svg");
    check(&["--random", "20", "--plot", &picture, "--force"]);
    assert!(std::fs::exists(&picture).unwrap());
}

#[test]
fn pictures_that_cannot_be_drawn_are_refused_before_any_work() {
    let (files, taken) = Files::with("taken.png", "precious");
    let svg = files.path("a.svg");
    for (arguments, message) in [
        (vec!["--plot", "a.gif"], "cannot tell what a.gif is: the name has to end in .png or .svg"),
        (vec!["--plot", "svg"], "cannot tell what svg is"),
        (vec!["--plot", &taken], "exists already"),
        (vec!["--plot", "nowhere/a.png"], "there is no folder nowhere"),
        (vec!["--plot", &svg, "--output", &svg], "named as two different outputs"),
        (
            vec!["--plot", &svg, "--random", "0"],
            "there are no points, of which there is no picture",
        ),
    ] {
        let error = report(&arguments).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(std::fs::read_to_string(&taken).unwrap(), "precious");
    assert!(!std::fs::exists(&svg).unwrap());
}
