//! Fills the templates with the catalogue's kernels and with keys for map, space, grid, sweep, tile and diagonal. An unknown
//! name in a template is an error.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rayon::prelude::*;
use td_kernel_geometry::{MAPS, SWEEPS};
use td_kernel_tests::catalogue::{self, CatalogueFiles, Domain, Entry};
use td_kernel_tests::covering::part;
use td_kernel_tests::parallel::CheckEach;

/// The keys. If keys conflict with each other or with the item, the macro reports an error and generates no source.
fn attributes() -> Vec<String> {
    let mut attributes = vec![String::new(), "map = \"auto\"".into(), "tile = 0".into()];
    attributes.push("prelude = r\"inline int g(int x) { return x; }\"".into());
    // Without triangle keys, for the pairs of two sets.
    for sweep in SWEEPS {
        attributes.push(format!("sweep = \"{sweep}\""));
        attributes
            .extend([32, 64, 96, 256].map(|tile| format!("sweep = \"{sweep}\", tile = {tile}")));
    }
    for map in MAPS.iter().map(|map| map.name()) {
        attributes.push(format!("map = \"{map}\", space = \"thread\""));
        attributes.push(format!("map = \"{map}\", grid = \"linear\""));
        // The diagonal affects the sweep; the maps have their own tests for it.
        for &diagonal in if map == "ltm" { &[false, true][..] } else { &[false] } {
            for sweep in SWEEPS {
                attributes
                    .push(format!("map = \"{map}\", sweep = \"{sweep}\", diagonal = {diagonal}"));
            }
        }
    }
    for tile in (32..=256).step_by(32) {
        for sweep in SWEEPS {
            for map in ["ltm", "walk"] {
                attributes.push(format!("map = \"{map}\", sweep = \"{sweep}\", tile = {tile}"));
            }
        }
    }
    attributes
}

/// Each kernel of the catalogue as it is. One whose map and sweep keys can choose also with every third list of keys, and each list
/// with every third kernel; with the feature `every`, each with each.
#[test]
fn every_template_is_filled() {
    let (attributes, entries) = (attributes(), catalogue::all());
    let tried = entries.par_iter().enumerate().flat_map(|(turn, entry)| {
        let has_choice = entry.keys.is_empty()
            && !entry.has_bound
            && matches!(entry.domain, Domain::One | Domain::Two);
        let parts = if has_choice { part(&attributes, PARTS, turn) } else { Vec::new() };
        let keys = parts.into_par_iter().chain([entry.keys.to_owned()]);
        keys.map(move |keys| (keys, entry))
    });
    let filled = tried.check_each(|(attribute, entry)| check(&attribute, entry));
    // Those that filled templates extend, import or include.
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../codegen/kernels"));
    let (mut reached, mut next) = (BTreeSet::new(), Vec::from_iter(filled.into_iter().flatten()));
    while let Some(name) = next.pop() {
        if !reached.insert(name.clone()) {
            continue;
        }
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let lines = text.lines().filter(|line| {
            let words = ["//% extends ", "//% from ", "//% import ", "//% include "];
            words.iter().any(|word| line.starts_with(word))
        });
        next.extend(lines.map(|line| line.split('"').nth(1).unwrap().to_owned()));
    }
    let files = |of: &'static str| {
        let files = fs::read_dir(folder.join(of)).unwrap().map(Result::unwrap);
        let files = files.filter(|file| file.file_type().unwrap().is_file());
        files.map(move |file| of.to_owned() + file.file_name().to_str().unwrap())
    };
    assert_eq!(reached, files("").chain(files("outputs/")).collect::<BTreeSet<_>>());
}

const PARTS: usize = 3;

/// The templates of kernels that take the same arguments whatever they use: a launch over given pairs or near pairs passes all,
/// one that filters pairs passes the number of all rows, and one of bytes on tensor cores passes the features beside their copy.
const PASSES_ALL: &[&str] =
    &["entries.cu", "entries.cpp", "near.cpp", "near_nearest.cpp", "filter_pairs.cu", "product.cu"];

/// Checks every source of a kernel with these keys, and returns the names of their templates.
fn check(attribute: &str, entry: &Entry) -> BTreeSet<String> {
    let item = entry.item;
    let sources = td_kernel_codegen::filled_templates(
        attribute.parse().unwrap(),
        item.parse().unwrap(),
        &CatalogueFiles,
    );
    let sources = match sources {
        Ok(sources) => sources,
        Err(errors) => {
            let errors = errors.to_string();
            for error in errors.split("compile_error").skip(1) {
                let error = error.split("} #").next().unwrap_or(error);
                // The table of support has a test of its own.
                let is_of = |key: &&str| error.contains(&format!("`{}", key.trim()));
                let mut keys = attribute.split(" = ").map(|part| part.rsplit(' ').next());
                assert!(
                    keys.any(|key| key.as_ref().is_some_and(is_of)),
                    "{attribute}\n{item}\n{error}"
                );
            }
            return BTreeSet::new();
        }
    };
    let mut templates = BTreeSet::new();
    for (template, text) in sources {
        // Marks that only templates and their layout may have.
        for left in ["#error", "${", "//%", "//#", "¶", "\0", "{~", "~}", "#include"] {
            assert!(!text.contains(left), "{left:?} is left with {attribute}\n{item}\n{text}");
        }
        let function = function(&text, entry.name);
        for name in parameters(&function) {
            let words = function.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let uses = words.filter(|word| *word == name).count();
            assert!(
                uses > 1 || PASSES_ALL.contains(&template.as_str()),
                "`{name}` is passed, and nothing is done with it, with {attribute}\n{item}\n{text}"
            );
        }
        one_trip(&function);
        // Members of the body's own structs are defined elsewhere.
        let own = [item, attribute, include_str!("../../src/catalogue/join.cuh")];
        let is_own = |name: &str| own.iter().any(|own| own.contains(&format!(".{name}")));
        let mut undefined = members(&text);
        undefined.retain(|name| !defines(&text, name) && !is_own(name));
        assert!(
            undefined.is_empty(),
            "no struct has {undefined:?}, with {attribute}\n{item}\n{text}"
        );
        let count = |c| text.chars().filter(|each| *each == c).count();
        assert_eq!(count('{'), count('}'), "{attribute}\n{item}\n{text}");
        templates.insert(template);
    }
    templates
}

/// The kernel function, without its comments.
fn function(text: &str, name: &str) -> String {
    let (_, after) = text.split_once(&format!("{name}_kernel(")).unwrap();
    let code = after.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<_>>().join("\n")
}

/// The names of the kernel's parameters.
fn parameters(function: &str) -> Vec<String> {
    let list = function.split(')').next().unwrap_or_default();
    list.split(',')
        .filter_map(|each| each.split_whitespace().next_back())
        .map(|name| name.trim_start_matches(['*', '&']).to_owned())
        .filter(|name| name.chars().all(is_of_name))
        .collect()
}

/// The names behind a dot, but for those in strings and the components of vectors.
fn members(text: &str) -> BTreeSet<&str> {
    let code = text.lines().filter(|line| !line.contains('"'));
    let code = code.map(|line| line.split("//").next().unwrap_or_default());
    let dots = code.flat_map(|line| line.match_indices('.').map(move |(at, _)| line.split_at(at)));
    let is_number = |before: &str| before.ends_with(|c: char| c.is_ascii_digit());
    let after = dots.filter(|(before, _)| !is_number(before)).map(|(_, after)| &after[1..]);
    let names = after.map(|rest| rest.split(|c: char| !is_of_name(c)).next().unwrap_or_default());
    names.filter(|name| !["", "x", "y", "z", "w"].contains(name)).collect()
}

/// Whether a name is also written without a dot before it, as in a struct.
fn defines(text: &str, name: &str) -> bool {
    let mut at = text.match_indices(name);
    at.any(|(at, _)| {
        let [before, after] = [&text[..at], &text[at + name.len()..]];
        !before.ends_with(|c: char| is_of_name(c) || c == '.') && !after.starts_with(is_of_name)
    })
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Checks that no loop runs only once: a loop whose step equals its end, from 0 or from a thread's index on.
fn one_trip(function: &str) {
    let loops = function.lines().filter(|line| line.trim_start().starts_with("for ("));
    for line in loops {
        let parts: Vec<_> = line.split(';').map(str::trim).collect();
        let [_, condition, step] = parts[..] else { panic!("what is {line}?") };
        let end = condition.split("&&").next().and_then(|part| part.split_once(" < "));
        let step = step.split_once("+= ").map(|(_, step)| step.trim_end_matches(['{', ' ', ')']));
        if let (Some((_, end)), Some(step)) = (end, step) {
            assert_ne!(end.trim(), step, "one trip: {line}");
        }
    }
}
