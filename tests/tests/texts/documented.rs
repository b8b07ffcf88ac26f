//! Every type and trait that a user can name has an example in its documentation, which the doc tests run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta, UseTree, Visibility};

#[test]
fn every_public_type_has_an_example() {
    for package in ["runtime", "maps"] {
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
