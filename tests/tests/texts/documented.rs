//! Every type and trait that a user can name has an example in its documentation, which the doc tests run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta, UseTree, Visibility};
use td_kernel_tests::NoFiles;

#[test]
fn every_public_type_has_an_example() {
    for package in ["runtime", "geometry"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("src");
        let root = file(&folder.join("lib.rs"));
        let mut named = BTreeSet::new();
        exported(&root.items, &mut named);
        let mut types = Vec::new();
        for path in files(&folder) {
            types.extend(file(&path).items.iter().filter_map(described));
        }
        let public: Vec<_> = types.iter().filter(|(name, _)| named.contains(name)).collect();
        assert!(public.len() > 15, "{package}: only {public:?} were found");
        let bare: Vec<_> = public.iter().filter(|(_, has_example)| !has_example).collect();
        assert!(bare.is_empty(), "{package}: no example in the documentation of {bare:?}");
    }
}

/// Libraries without doc tests (`cfg(not(doctest))`) have no examples.
#[test]
fn examples_are_in_tested_libraries() {
    for package in ["tests", "examples"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("src");
        let paths = files(&folder);
        assert!(paths.len() > 1, "{package}: {paths:?}");
        for path in paths {
            let text = fs::read_to_string(&path).unwrap();
            let mut lines = text.lines().map(str::trim_start);
            let is_fence =
                |line: &str| ["/// ```", "//! ```"].iter().any(|own| line.starts_with(own));
            assert!(!lines.any(is_fence), "{}: nothing runs its example", path.display());
        }
    }
}

/// The attribute's own page, the table of the crate's documentation and the macro name the same keys.
#[test]
fn every_key_is_documented() {
    let keys = |text: &str, mark: &str| -> BTreeSet<String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(mark)?.split('`').next());
        lines.map(str::to_owned).collect()
    };
    let table = keys(&document("runtime/docs/attribute.md"), "| `");
    let page = document("macros/docs/td_kernel.md");
    let (_, list) = page.split_once("# Keys").unwrap();
    let refused = td_kernel_codegen::td_kernel(
        "unknown = 1".parse().unwrap(),
        "unsafe fn f(o: &mut Packed<f32>) { r\"o = 1;\" }".parse().unwrap(),
        &NoFiles,
    );
    let message = refused.to_string();
    let known = message.split_once("the keys are").unwrap().1.split('"').next().unwrap();
    let known: BTreeSet<_> = known.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    assert_eq!(keys(list, "- `"), known);
    assert_eq!(table.intersection(&known).count(), known.len(), "{table:?}");
}

/// The pages of the macros are shown in two crates, so they link to HTML pages, which rustdoc does not check.
#[test]
fn macros_link_to_sections() {
    let mut headings = BTreeSet::new();
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/docs");
    for entry in fs::read_dir(documents).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let titles = text.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
        headings.extend(titles.map(|title| title.to_lowercase().replace(' ', "-")));
    }
    for page in ["macros/docs/td_kernel.md", "macros/docs/device_type.md"] {
        let text = document(page);
        let links: Vec<_> =
            text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(!links.is_empty(), "{page}");
        for link in links {
            let section = link.strip_prefix("../td_kernel/index.html#");
            assert!(section.is_some_and(|section| headings.contains(section)), "{page}: {link}");
        }
    }
}

/// The text of a file of the repository.
fn document(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

/// The names that a crate's root re-exports in its documentation.
fn exported(items: &[Item], named: &mut BTreeSet<String>) {
    for item in items {
        if let Item::Use(item) = item
            && matches!(item.vis, Visibility::Public(_))
            && !item.attrs.iter().any(is_hidden)
        {
            leaves(&item.tree, named);
        }
    }
}

fn leaves(tree: &UseTree, named: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, named),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, named)),
        UseTree::Name(name) => {
            named.insert(name.ident.to_string());
        }
        UseTree::Rename(_) | UseTree::Glob(_) => {}
    }
}

/// Whether this hides an item from the documentation.
fn is_hidden(attribute: &Attribute) -> bool {
    let hidden = attribute.parse_args::<syn::Ident>();
    attribute.path().is_ident("doc") && hidden.is_ok_and(|word| word == "hidden")
}

/// A public type or trait, and whether its documentation has an example.
fn described(item: &Item) -> Option<(String, bool)> {
    let (visibility, name, attributes) = match item {
        Item::Struct(item) => (&item.vis, &item.ident, &item.attrs),
        Item::Enum(item) => (&item.vis, &item.ident, &item.attrs),
        Item::Trait(item) => (&item.vis, &item.ident, &item.attrs),
        _ => return None,
    };
    let is_public = matches!(visibility, Visibility::Public(_));
    is_public.then(|| (name.to_string(), attributes.iter().any(begins_example)))
}

/// Whether this is a line of documentation with which a code block begins or ends.
fn begins_example(attribute: &Attribute) -> bool {
    let Meta::NameValue(line) = &attribute.meta else { return false };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &line.value else { return false };
    attribute.path().is_ident("doc") && text.value().contains("```")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    files
}

fn file(path: &Path) -> syn::File {
    let text = fs::read_to_string(path).unwrap();
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
