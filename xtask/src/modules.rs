//! Finds circles: modules of a crate that use each other, directly or through others.
//!
//! The modules in one folder are compared, each together with the modules below it. A module uses another if a path in
//! its code, outside of tests, leads there. A name that a module imports counts as the module that it comes from; so do
//! the names that a crate's root re-exports.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, UseTree};

use crate::failure::{Failure, Result};

/// The roots of the crates whose modules are checked.
const ROOTS: [&str; 15] = [
    "maps/src/lib.rs",
    "codegen/src/lib.rs",
    "macros/src/lib.rs",
    "emulator/src/lib.rs",
    "runtime/src/lib.rs",
    "examples/src/lib.rs",
    "examples/edm/main.rs",
    "examples/collision/main.rs",
    "examples/forces/main.rs",
    "examples/cross/main.rs",
    "examples/similarity/main.rs",
    "examples/knn/main.rs",
    "bench/src/main.rs",
    "xtask/src/main.rs",
    "cluster/src/lib.rs",
];

/// A path, or the path of a module in its crate: empty for the root.
type Names = Vec<String>;

/// For each module of a folder, the other modules of the folder that it uses, with the position of the first use.
type Uses = BTreeMap<String, BTreeMap<String, String>>;

/// An error that names every circle.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut circles = Vec::new();
    for file in ROOTS {
        let mut read = Crate::default();
        read.file(root, Path::new(file), &Names::new())?;
        for (folder, uses) in read.folders() {
            let inside = folder.iter().map(|name| format!("::{name}")).collect::<String>();
            circles.extend(found(&uses).iter().map(|circle| format!("{file}{inside}: {circle}")));
        }
    }
    if circles.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        format!("modules need each other:\n{}", circles.join("\n")),
        "move what both need into a module of its own, or what only one needs into that one",
    ))
}

/// What was read of a crate.
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
    fn file(&mut self, root: &Path, file: &Path, module: &Names) -> Result<()> {
        let path = root.join(file);
        let text =
            fs::read_to_string(&path).map_err(|error| Failure::file("read", &path, &error))?;
        let parsed = syn::parse_file(&text).map_err(|error| {
            let line = error.span().start().line;
            let what = format!("{}:{line}: {error}", file.display());
            Failure::new(what, "mend the syntax, then run the task again")
        })?;
        self.items(root, file, module, &parsed.items)
    }

    fn items(&mut self, root: &Path, file: &Path, module: &Names, items: &[Item]) -> Result<()> {
        for item in items {
            let tokens = without_tests(item.to_token_stream());
            if tokens.is_empty() {
                continue;
            }
            if let Item::Mod(inner) = item {
                let name = inner.ident.to_string();
                let place = [&module[..], std::slice::from_ref(&name)].concat();
                self.modules.insert(place.clone());
                match &inner.content {
                    Some((_, items)) => self.items(root, file, &place, items)?,
                    None => {
                        let is_folder =
                            |stem| ["lib", "main", "mod"].iter().any(|name| stem == *name);
                        let own = file.file_stem().is_some_and(is_folder);
                        let folder =
                            if own { file.with_file_name("") } else { file.with_extension("") };
                        let beside = folder.join(format!("{name}.rs"));
                        let is_beside = root.join(&beside).is_file();
                        let below = folder.join(name).join("mod.rs");
                        self.file(root, if is_beside { &beside } else { &below }, &place)?;
                    }
                }
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

    /// A path of a module's code as a path from the crate's root; `None` for one that leads to another crate.
    fn absolute(&self, module: &Names, path: &[String]) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module, rest].concat()),
            "super" => {
                let parent = module.split_last()?.1.to_vec();
                let goes_on = rest.first().is_some_and(|name| name == "super");
                if goes_on { self.absolute(&parent, rest) } else { Some([&parent, rest].concat()) }
            }
            name => {
                let below = [&module[..], &[name.to_owned()]].concat();
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

/// The circles of a folder: the shortest circle through each use that is part of one, without repetitions.
fn found(uses: &Uses) -> Vec<String> {
    let mut known = BTreeSet::new();
    let mut circles = Vec::new();
    for (from, to) in uses.iter().flat_map(|(from, to)| to.keys().map(move |to| (from, to))) {
        let Some(mut way) = shortest(uses, to, from) else { continue };
        way.rotate_right(1);
        if known.insert(way.iter().copied().collect::<BTreeSet<_>>()) {
            let places = way
                .iter()
                .zip(way.iter().cycle().skip(1))
                .map(|(from, to)| format!("\n    {}: {from} uses {to}", uses[*from][*to]));
            circles.push(format!(
                "{} -> {}{}",
                way.join(" -> "),
                way[0],
                places.collect::<String>()
            ));
        }
    }
    circles
}

/// The modules on the shortest path between two.
fn shortest<'a>(uses: &'a Uses, from: &'a str, to: &str) -> Option<Vec<&'a str>> {
    let mut known = BTreeSet::from([from]);
    let mut ways = VecDeque::from([vec![from]]);
    while let Some(way) = ways.pop_front() {
        let last = *way.last()?;
        if last == to {
            return Some(way);
        }
        for next in uses.get(last).into_iter().flat_map(BTreeMap::keys) {
            if known.insert(next) {
                ways.push_back([&way[..], &[next]].concat());
            }
        }
    }
    None
}

/// The tokens without items, statements and fields that exist only in tests.
fn without_tests(tokens: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_test = |next: &TokenTree| matches!(next, TokenTree::Group(group) if is_for_tests(group.stream()));
        if matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '#')
            && tokens.peek().is_some_and(is_test)
        {
            let mut is_field = true;
            for token in tokens.by_ref().skip(1) {
                match &token {
                    TokenTree::Ident(word) => is_field &= word != "fn" && word != "impl",
                    TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
                    TokenTree::Punct(mark)
                        if mark.as_char() == ';' || is_field && mark.as_char() == ',' =>
                    {
                        break;
                    }
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
    let text: String =
        attribute.into_iter().map(|token| token.to_string().replace(' ', "")).collect();
    text == "test" || text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

/// The paths in tokens that start with `crate`, `self` or `super`. Inside an import's braces, `before` is the path
/// before them, which each name continues.
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
                let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ':');
                let goes_on =
                    tokens.next_if(is_colon).is_some() && tokens.next_if(is_colon).is_some();
                if !goes_on {
                    paths.extend(path.take().map(|path| (path, span)));
                }
            }
            TokenTree::Group(group) => {
                collect(group.stream(), &path.take().unwrap_or_default(), paths);
            }
            TokenTree::Punct(mark) if mark.as_char() == ',' => path = start(),
            // `::*` of an import, or `::<` of a generic function.
            _ => paths.extend(path.take().map(|path| (path, span))),
        }
    }
}
