//! Pictures of spheres and their collisions.

use std::fs;

use td_kernel_examples::tried::texts;

use super::{fact, file, report};

/// Draws to an SVG file, and returns the report, the file's text and the texts in it.
fn picture(arguments: &[&str]) -> (String, String, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.svg").to_str().unwrap().to_owned();
    let report = report(&[arguments, &["--plot", &path]].concat()).unwrap();
    (report, fs::read_to_string(&path).unwrap(), texts(&path))
}

#[test]
fn every_atom_and_every_collision_is_drawn() {
    let (report, svg, texts) = picture(&[]);
    let collisions = fact(&report, "collisions: ");
    assert_eq!(svg.matches("<circle ").count(), 556);
    assert_eq!(svg.matches("<line ").count().to_string(), collisions);
    let title = format!("{collisions} collisions of 556 spheres, seen along x");
    assert_eq!(texts[0], title);
    // No second line of the title: the axes and the legend follow.
    assert!(!texts.iter().any(|text| text.starts_with("drawn")), "{texts:?}");
    assert!(["y", "z", "overlap"].iter().all(|text| texts.iter().any(|other| other == text)));
}

#[test]
fn spheres_are_seen_along_the_shortest_side_and_to_scale() {
    let (_folder, path) = file("t.csv", "0,0,0,1\n0,0.5,1.5,1\n8,0,6,1\n");
    let (_, svg, texts) = picture(&["--input", &path]);
    assert_eq!(texts[0], "1 collision of 3 spheres, seen along y");
    // 10 units are 800 points.
    assert_eq!(svg.matches("r=\"80.00\"").count(), 3, "{svg}");
    let line = svg.lines().find(|line| line.starts_with("<line ")).unwrap();
    let number = |name: &str| -> f64 {
        let rest = line.split(&format!(" {name}=\"")).nth(1).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    assert_eq!(number("x1"), number("x2"));
    assert!(((number("y1") - number("y2")).abs() - 120.0).abs() < 0.02, "{line}");
}

#[test]
fn of_many_some_are_drawn_and_the_title_says_so() {
    // 150 spheres in one place have 11175 pairs.
    let (_folder, path) = file("t.csv", &"1,2,3,0.5\n".repeat(150));
    let (_, svg, texts) = picture(&["--input", &path]);
    assert_eq!(
        texts[..2],
        ["11175 collisions of 150 spheres, seen along z", "drawn: 3725 of the collisions"]
    );
    assert_eq!(svg.matches("<line ").count(), 3725);
    let far: String = (0..6000).map(|at| format!("{at},{at},0,0.5\n")).collect();
    let (_folder, path) = file("t.csv", &format!("{far}0.5,0,0,0.25\n"));
    let (_, svg, texts) = picture(&["--input", &path, "--scale", "1"]);
    assert_eq!(
        texts[..2],
        ["1 collision of 6001 spheres, seen along z", "drawn: the spheres that collide"]
    );
    assert_eq!(svg.matches("<circle ").count(), 2);
}

#[test]
fn intervals_lie_above_each_other() {
    let (_folder, path) = file("t.csv", "0,9,9,1\n1.5,0,0,1\n7,0,0,1\n");
    let (_, svg, texts) = picture(&["--input", &path, "--dimensions", "1"]);
    assert_eq!(texts[0], "1 collision of 3 spheres");
    assert!(["x", "index"].iter().all(|text| texts.iter().any(|other| other == text)), "{texts:?}");
    // Three intervals and a pair, which is where both are: in the middle of 0.5 and 1.
    let lines: Vec<&str> = svg.lines().filter(|line| line.starts_with("<line ")).collect();
    assert_eq!(lines.len(), 4);
    let number = |line: &str, name: &str| -> f64 {
        let rest = line.split(&format!(" {name}=\"")).nth(1).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    // 9 units, from -1 on.
    let start = lines.iter().map(|line| number(line, "x1")).fold(f64::INFINITY, f64::min);
    let pair = lines[3];
    assert_eq!(number(pair, "x1"), number(pair, "x2"));
    assert!((number(pair, "x1") - start - 800.0 * 1.75 / 9.0).abs() < 0.02, "{pair}");
    // Of many, some.
    let (_folder, path) = file("t.csv", &"0,0,0,1\n".repeat(30));
    let (_, svg, texts) = picture(&["--input", &path, "--dimensions", "1"]);
    assert_eq!(texts[1], "drawn: 145 of the collisions");
    assert_eq!(svg.matches("<line ").count(), 30 + 145);
}

#[test]
fn both_kinds_of_files_are_drawn_for_any_number_of_spheres() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png").to_str().unwrap().to_owned();
    for n in ["1", "2", "300"] {
        for dimensions in ["1", "3"] {
            let arguments = ["--random", n, "--dimensions", dimensions, "--plot", &path, "--force"];
            report(&arguments).unwrap();
            let bytes = fs::read(&path).unwrap();
            let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
            let (width, height) = (reader.info().width, reader.info().height);
            assert!((800..1600).contains(&width) && (300..1100).contains(&height));
        }
    }
}

#[test]
fn pictures_that_cannot_be_drawn_are_refused_before_any_work() {
    let (folder, taken) = file("taken.png", "precious");
    let svg = folder.path().join("a.svg").to_str().unwrap().to_owned();
    for (arguments, message) in [
        (vec!["--plot", "a.jpg"], "cannot tell what a.jpg is: the name has to end in .png or .svg"),
        (vec!["--plot", &taken], "exists already"),
        (vec!["--plot", &svg, "--save-input", &svg], "named as two different outputs"),
        (
            vec!["--plot", &svg, "--random", "0"],
            "there are no spheres, of which there is no picture",
        ),
    ] {
        let error = report(&arguments).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(fs::read_to_string(&taken).unwrap(), "precious");
    assert!(!fs::exists(&svg).unwrap());
}
