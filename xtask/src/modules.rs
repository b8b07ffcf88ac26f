//! Finds circles: modules of a crate that use each other, directly or through others. Also finds layers of the runtime that use
//! higher ones.
//!
//! The modules in one folder are compared, each together with the modules below it. A module uses another if a path in its
//! code, outside of tests, leads there. An imported name counts as the module that it comes from; so do the names that a
//! crate's root re-exports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, UseTree};
use xshell::Shell;

use crate::files;

/// The roots of crates, as git patterns.
const ROOTS: [&str; 4] =
    [":(glob)*/src/lib.rs", ":(glob)*/src/main.rs", "examples/files/src/lib.rs", ":(exclude)tests"];

/// The crate with layers, and its layers from the lowest one up: each uses only those before it.
const LAYERED: &str = "runtime/src/lib.rs";
const LAYERS: [&str; 10] =
    ["error", "types", "host", "backend", "memory", "plan", "run", "group", "chunks", "testing"];

/// A path, or the path of a module in its crate: empty for the root.
type Names = Vec<String>;

/// For each module of a folder, the other modules of the folder that it uses, with the position of the first use.
type Uses = BTreeMap<String, BTreeMap<String, String>>;

/// Fails with every use that is part of a circle, or of a higher layer.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let mut circles = Vec::new();
    for root in files(shell, &ROOTS)? {
        let folders = folders(shell, &root)?;
        circles.extend(circles_of(&folders));
        if root == LAYERED {
            let layers =
                folders.get(&Names::new()).with_context(|| format!("{root}: no modules"))?;
            let up = uses_up(layers);
            ensure!(up.is_empty(), "layers use higher ones:\n{}", up.join("\n"));
        }
    }
    ensure!(
        circles.is_empty(),
        "modules use each other: move the code that both use into a separate module\n{}",
        circles.join("\n")
    );
    Ok(())
}

/// The folders of a crate, with the uses between their modules.
fn folders(shell: &Shell, root: &str) -> Result<BTreeMap<Names, Uses>> {
    let mut read = Crate::default();
    read.file(shell, Path::new(root), &Names::new())?;
    Ok(read.folders())
}

/// The uses of higher layers, each on a line. A module outside the layers counts as higher.
fn uses_up(uses: &Uses) -> Vec<String> {
    let height = |layer: &str| LAYERS.iter().position(|known| *known == layer);
    let up = each_of(uses).filter(|(from, to, _)| {
        height(from).is_some_and(|own| height(to).is_none_or(|other| other > own))
    });
    up.map(|(from, to, place)| format!("{place}: {from} uses {to}")).collect()
}

/// A module, another one that it uses, and the position of the first use.
fn each_of(uses: &Uses) -> impl Iterator<Item = (&String, &String, &String)> {
    uses.iter().flat_map(|(from, to)| to.iter().map(move |(to, place)| (from, to, place)))
}

/// The uses of a crate that are parts of circles, each on a line.
fn circles_of(folders: &BTreeMap<Names, Uses>) -> Vec<String> {
    let mut circles = Vec::new();
    for uses in folders.values() {
        for (from, to, place) in each_of(uses) {
            if reaches(uses, to, from, &mut BTreeSet::new()) {
                circles.push(format!("{place}: {from} uses {to}"));
            }
        }
    }
    circles
}

fn reaches<'a>(uses: &'a Uses, from: &'a str, to: &str, known: &mut BTreeSet<&'a str>) -> bool {
    let mut next = uses.get(from).into_iter().flat_map(BTreeMap::keys);
    from == to || next.any(|next| known.insert(next) && reaches(uses, next, to, known))
}

/// The parsed code of a crate.
#[derive(Default)]
struct Crate {
    modules: BTreeSet<Names>,
    /// The names that each module imports, and the paths that they stand for.
    imports: BTreeMap<(Names, String), Names>,
    /// The module of each path, the path itself, and its position in the code.
    paths: Vec<(Names, Names, String)>,
}

impl Crate {
    /// Reads a module's file, and those of the modules below it.
    fn file(&mut self, shell: &Shell, file: &Path, module: &Names) -> Result<()> {
        let parsed = syn::parse_file(&shell.read_file(file)?);
        let items = parsed.with_context(|| file.display().to_string())?.items;
        self.items(shell, file, module, &items)
    }

    fn items(&mut self, shell: &Shell, file: &Path, module: &Names, items: &[Item]) -> Result<()> {
        for item in items {
            let tokens = without_tests(item.to_token_stream());
            if tokens.is_empty() {
                continue;
            }
            if let Item::Mod(inner) = item {
                let name = inner.ident.to_string();
                let place = [&module[..], std::slice::from_ref(&name)].concat();
                self.modules.insert(place.clone());
                if let Some((_, items)) = &inner.content {
                    self.items(shell, file, &place, items)?;
                    continue;
                }
                let is_folder =
                    ["lib.rs", "main.rs", "mod.rs"].iter().any(|name| file.ends_with(name));
                let folder =
                    if is_folder { file.with_file_name("") } else { file.with_extension("") };
                let files = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
                let below = files.iter().find(|file| shell.path_exists(file));
                self.file(shell, below.unwrap_or(&files[0]), &place)?;
                continue;
            }
            if let Item::Use(import) = item {
                self.import(module, &import.tree, &Names::new());
            }
            let mut paths = Vec::new();
            collect(tokens, &[], &mut paths);
            self.paths.extend(paths.into_iter().map(|(path, span)| {
                (module.clone(), path, format!("{}:{}", file.display(), span.start().line))
            }));
        }
        Ok(())
    }

    fn import(&mut self, module: &Names, tree: &UseTree, before: &[String]) {
        let (name, meant) = match tree {
            UseTree::Path(path) => {
                let before = [before, &[path.ident.to_string()]].concat();
                return self.import(module, &path.tree, &before);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(module, tree, before));
            }
            UseTree::Name(name) if name.ident == "self" => (before.last().cloned(), None),
            UseTree::Name(name) => (Some(name.ident.to_string()), Some(name.ident.to_string())),
            UseTree::Rename(new) => (Some(new.rename.to_string()), Some(new.ident.to_string())),
            _ => return,
        };
        if let Some(name) = name {
            let path = before.iter().cloned().chain(meant).collect();
            self.imports.insert((module.clone(), name), path);
        }
    }

    /// A path of a module's code as a path from the crate's root; `None` if it leads to another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module, rest].concat()),
            "super" => {
                let parent = module.split_last()?.1;
                let goes_on = rest.first().is_some_and(|name| name == "super");
                if goes_on { self.absolute(parent, rest) } else { Some([parent, rest].concat()) }
            }
            name => {
                let below = [module, &[name.to_owned()]].concat();
                self.modules.contains(&below).then(|| [module, path].concat())
            }
        }
    }

    /// The module that a path from the root leads to, through at most `imports` imports.
    fn module_of(&self, path: &[String], imports: usize) -> Names {
        let mut module = Names::new();
        for (k, name) in path.iter().enumerate() {
            let below = [&module[..], std::slice::from_ref(name)].concat();
            if self.modules.contains(&below) {
                module = below;
                continue;
            }
            let import = self.imports.get(&(module.clone(), name.clone())).filter(|_| imports > 0);
            if let Some(meant) = import.and_then(|import| self.absolute(&module, import)) {
                return self.module_of(&[&meant, &path[k + 1..]].concat(), imports - 1);
            }
            break;
        }
        module
    }

    /// For each folder, which modules use which.
    fn folders(&self) -> BTreeMap<Names, Uses> {
        let mut folders: BTreeMap<Names, Uses> = BTreeMap::new();
        for (module, path, place) in &self.paths {
            let Some(path) = self.absolute(module, path) else { continue };
            let target = self.module_of(&path, 8);
            let common = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (module.get(common), target.get(common)) {
                let uses = folders.entry(module[..common].to_vec()).or_default();
                let places = uses.entry(from.clone()).or_default();
                places.entry(to.clone()).or_insert_with(|| place.clone());
            }
        }
        folders
    }
}

/// The tokens without items, statements and fields that exist only in tests.
fn without_tests(tokens: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_test = |next: &TokenTree| matches!(next, TokenTree::Group(group) if is_for_tests(group.stream()));
        if is_mark(&token, '#') && tokens.peek().is_some_and(is_test) {
            let mut is_field = true;
            for token in tokens.by_ref().skip(1) {
                match &token {
                    TokenTree::Ident(word) => is_field &= word != "fn" && word != "impl",
                    TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
                    token if is_mark(token, ';') || is_field && is_mark(token, ',') => break,
                    _ => {}
                }
            }
            continue;
        }
        kept.push(token);
    }
    kept.into_iter().collect()
}

/// Whether an attribute is `test`, `cfg(test)` or `cfg(all(test, …))`.
fn is_for_tests(attribute: TokenStream) -> bool {
    let text = attribute.to_string().replace(' ', "");
    text == "test" || text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(own) if own.as_char() == mark)
}

/// The paths in tokens that start with `crate`, `self` or `super`. Inside an import's braces, `before` is the path before them,
/// which each name continues.
fn collect(tokens: TokenStream, before: &[String], paths: &mut Vec<(Names, Span)>) {
    let start = || Some(before.to_vec()).filter(|before| !before.is_empty());
    let mut path = start();
    let mut tokens = without_tests(tokens).into_iter().peekable();
    while let Some(token) = tokens.next() {
        let span = token.span();
        match token {
            TokenTree::Ident(word) => {
                let is_start = ["crate", "self", "super"].iter().any(|start| word == start);
                if path.is_none() && !is_start {
                    continue;
                }
                path.get_or_insert_default().push(word.to_string());
                let mut colon = || tokens.next_if(|token| is_mark(token, ':')).is_some();
                if !(colon() && colon()) {
                    paths.extend(path.take().map(|path| (path, span)));
                }
            }
            TokenTree::Group(group) => {
                collect(group.stream(), &path.take().unwrap_or_default(), paths);
            }
            token if is_mark(&token, ',') => path = start(),
            // `::*` of an import, or `::<` of a generic function.
            _ => paths.extend(path.take().map(|path| (path, span))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::repository;

    /// The uses between the modules of a crate with these files.
    fn read(files: &[(&str, &str)]) -> BTreeMap<Names, Uses> {
        let (shell, _folder) = repository(files);
        folders(&shell, files[0].0).unwrap()
    }

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        circles_of(&read(files))
    }

    #[test]
    fn layers_use_lower_ones() {
        let files = [
            ("lib.rs", "mod error; mod host; mod other;"),
            ("error.rs", "use crate::host::A;"),
            ("host.rs", "use crate::error::Error; use crate::other::B;"),
            ("other.rs", "use crate::host::A;"),
        ];
        let up = uses_up(&read(&files)[&Names::new()]);
        assert_eq!(up, ["error.rs:1: error uses host", "host.rs:1: host uses other"]);
    }

    #[test]
    fn names_each_use_of_a_circle() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "\nuse crate::b::B;"),
            ("b.rs", "fn b() { let _ = [crate::c::f::<u8>()]; }"),
            ("c.rs", "use crate::a::{self, A};"),
            ("d.rs", "use crate::{a as _, b::B};"),
        ];
        assert_eq!(circles(&files), ["a.rs:2: a uses b", "b.rs:1: b uses c", "c.rs:1: c uses a"]);
    }

    #[test]
    fn follows_reexports_and_folders() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use self::a::inner::A as Renamed; pub use b::B;"),
            ("a/mod.rs", "pub mod inner;"),
            ("a/inner.rs", "fn f(_: &crate::B) {}"),
            ("b.rs", "struct B; macro_rules! m { () => { $crate::Renamed } }"),
        ];
        assert_eq!(circles(&files), ["a/inner.rs:1: a uses b", "b.rs:1: b uses a"]);
        let files = [
            ("main.rs", "mod a;"),
            ("a.rs", "mod b; mod c { use super::b::B; }"),
            ("a/b.rs", "pub struct B(super::c::C);"),
        ];
        assert_eq!(circles(&files), ["a/b.rs:1: b uses c", "a.rs:1: c uses b"]);
    }

    #[test]
    fn tests_make_no_circle() {
        let a = "use b::B; #[cfg(test)] mod tests { use crate::b::B; }
            #[cfg(all(test, unix))] use crate::b::B; #[test] fn f<A, B>() { crate::b::f() }
            struct S { #[cfg(test)] field: crate::b::B, other: u8 }
            impl S { #[cfg(test)] fn f() { crate::b::f() } fn g() { #[cfg(test)] crate::b::f(); } }";
        let b = ("b.rs", "use crate::a;");
        assert_eq!(circles(&[("lib.rs", "mod a; mod b;"), ("a.rs", a), b]), [""; 0]);
        let used = a.replace("other: u8", "other: crate::b::B");
        assert_eq!(circles(&[("lib.rs", "mod a; mod b;"), ("a.rs", &used), b]).len(), 2);
    }
}
