//! The messages of the macros for the cases in `messages/`, with the source that each points at.
//!
//! The test calls the macros' library, which is faster than a compiler and gives the same messages without rustc's frame.
//! `messages/support.snap` is about combinations: `tests/tests/texts/support.rs` tries those of the table of support.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use td_kernel_codegen::Files;

/// A case as the macros see it.
struct Case {
    path: PathBuf,
    text: String,
}

impl Files for Case {
    fn shown(&self, _: Span) -> String {
        self.path.file_name().unwrap().to_str().unwrap().to_owned()
    }

    fn read(&self, _: Span, path: &str) -> Result<(String, String), String> {
        match fs::read_to_string(self.path.parent().unwrap().join(path)) {
            Ok(text) => Ok((text, path.to_owned())),
            Err(error) => Err(format!(
                "cannot read {path}: {error}; the path is relative to the folder of the file that contains it"
            )),
        }
    }

    fn tokens(&self, _: Span) -> Option<TokenStream> {
        self.text.parse().ok()
    }
}

impl Case {
    /// Expands the macros' items among `tokens`, and those inside of other items. `add` gets each item and its expansion.
    fn expand(&self, tokens: TokenStream, add: &mut dyn FnMut(&TokenStream, TokenStream)) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            // Inner attributes, such as a file's documentation.
            if let [TokenTree::Punct(hash), TokenTree::Punct(bang), TokenTree::Group(_), ..] =
                &tokens[at..]
                && hash.as_char() == '#'
                && bang.as_char() == '!'
            {
                at += 3;
                continue;
            }
            let start = at;
            let mut attributes = Vec::new();
            while let [TokenTree::Punct(hash), TokenTree::Group(attribute), ..] = &tokens[at..]
                && hash.as_char() == '#'
                && attribute.delimiter() == Delimiter::Bracket
            {
                attributes.push(attribute.stream());
                at += 2;
            }
            let ends = |token: &TokenTree| match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(sign) => sign.as_char() == ';',
                _ => false,
            };
            let end = tokens[at..].iter().position(ends).map_or(tokens.len(), |end| at + end + 1);
            let index = |name: &str| attributes.iter().position(|each| is_named(each, name));
            let without = |index: usize| {
                let own = start + 2 * index..start + 2 * index + 2;
                let all = tokens[start..end].iter().cloned().enumerate();
                all.filter(|(k, _)| !own.contains(&(start + k))).map(|(_, token)| token).collect()
            };
            if let [TokenTree::Ident(name), _, TokenTree::Group(list)] = &tokens[at..end]
                && name == "mistakes"
            {
                mistakes(list.stream()).for_each(|item| self.expand(item, add));
            } else if let Some(index) = index("td_kernel") {
                let keys = attributes[index].clone().into_iter().find_map(|token| match token {
                    TokenTree::Group(keys) => Some(keys.stream()),
                    _ => None,
                });
                let keys = keys.unwrap_or_default();
                let item: TokenStream = without(index);
                add(&item, td_kernel_codegen::td_kernel(keys, item.clone(), self));
            } else if let Some(index) = index("derive")
                && attributes[index].to_string().contains("DeviceType")
            {
                let item: TokenStream = without(index);
                add(&item, td_kernel_codegen::device_type(item.clone()));
            } else if let Some(TokenTree::Group(body)) = tokens[at..end].last() {
                self.expand(body.stream(), add);
            }
            at = end;
        }
    }
}

/// Each message once, with the places in the source that it points at.
#[derive(Default)]
struct Messages(Vec<(String, Vec<(usize, String)>)>);

impl Messages {
    /// Adds the messages of an expansion, with a note if it has no items: then other uses of the item's name are errors, too.
    fn add_item(&mut self, expansion: TokenStream) {
        let is_item = |token: &TokenTree| {
            let words = ["const", "enum", "fn", "impl", "static", "struct"];
            matches!(token, TokenTree::Ident(word) if words.iter().any(|item| word == item))
        };
        let is_empty = !expansion.clone().into_iter().any(|token| is_item(&token));
        self.add_all(expansion, if is_empty { " (nothing is left of the item)" } else { "" });
    }

    /// Adds each `compile_error!`.
    fn add_all(&mut self, expansion: TokenStream, note: &str) {
        let tokens: Vec<TokenTree> = expansion.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match (token, tokens.get(at + 2)) {
                (TokenTree::Ident(name), Some(TokenTree::Group(group)))
                    if name == "compile_error" =>
                {
                    self.add(token.span(), group, note);
                }
                (TokenTree::Group(group), _) => self.add_all(group.stream(), note),
                _ => {}
            }
        }
    }

    fn add(&mut self, start: Span, message: &Group, note: &str) {
        let text = syn::parse2::<syn::LitStr>(message.stream()).unwrap().value() + note;
        let span = start.join(message.span()).unwrap_or(start);
        let source = span.source_text().unwrap_or_default();
        let mut lines = source.lines();
        let first = lines.next().unwrap_or_default();
        let more = if lines.next().is_some() { " ..." } else { "" };
        let place = (span.start().line, format!("{first}{more}"));
        match self.0.iter_mut().find(|(known, _)| *known == text) {
            Some((_, places)) => places.push(place),
            None => self.0.push((text, vec![place])),
        }
    }
}

impl fmt::Display for Messages {
    /// Consecutive messages about the same places share them, and places in a line share its number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = None;
        for (text, places) in &self.0 {
            if before != Some(places) {
                for (at, lines) in places.chunk_by(|a, b| a.0 == b.0).enumerate() {
                    let sources: Vec<_> = lines.iter().map(|(_, source)| source.as_str()).collect();
                    let separator = if at == 0 { "" } else { "; " };
                    write!(f, "{separator}{}: {}", lines[0].0, sources.join(", "))?;
                }
                writeln!(f)?;
            }
            writeln!(f, "    {text}")?;
            before = Some(places);
        }
        Ok(())
    }
}

/// The items of `mistakes! { item {…} {…} }`: the item for each `{…}`, whose content it has in place of `MISTAKE`.
fn mistakes(list: TokenStream) -> impl Iterator<Item = TokenStream> {
    let mut tokens: Vec<TokenTree> = list.into_iter().collect();
    let braced = |token: &TokenTree| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
        _ => None,
    };
    let end = 1 + tokens.iter().position(|token| braced(token).is_some()).unwrap();
    let mistakes = tokens.split_off(end);
    mistakes.into_iter().map(move |each| {
        let mistake = braced(&each).unwrap();
        with_mistake(tokens.iter().cloned(), &mistake)
    })
}

fn with_mistake(item: impl IntoIterator<Item = TokenTree>, mistake: &TokenStream) -> TokenStream {
    let tokens = item.into_iter().map(|token| match token {
        TokenTree::Ident(name) if name == "MISTAKE" => mistake.clone(),
        TokenTree::Group(group) => {
            let mut with = Group::new(group.delimiter(), with_mistake(group.stream(), mistake));
            with.set_span(group.span());
            TokenTree::from(with).into()
        }
        token => token.into(),
    });
    tokens.collect()
}

/// Whether an attribute's path ends with this name.
fn is_named(attribute: &TokenStream, name: &str) -> bool {
    let path = attribute.clone().into_iter().take_while(|token| match token {
        TokenTree::Group(_) => false,
        TokenTree::Punct(sign) => sign.as_char() == ':',
        _ => true,
    });
    path.last().is_some_and(|last| last.to_string() == name)
}

/// Whether an expansion has a `compile_error!`.
fn is_refused(expansion: TokenStream) -> bool {
    expansion.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "compile_error",
        TokenTree::Group(group) => is_refused(group.stream()),
        _ => false,
    })
}

/// The programs in `messages/`. They are only read, so most mistakes are on one line.
fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("messages");
    let mut paths: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|own| own == "rs"));
    paths.sort();
    let case = |path: PathBuf| Case { text: fs::read_to_string(&path).unwrap(), path };
    paths.into_iter().map(case).collect()
}

/// The items in `messages/` that are right: they are beside similar ones that are not.
const RIGHT: [&str; 13] = [
    "bodies: right",
    "folds: Force",
    "lower_bound: with_a_condition",
    "lower_bound: right",
    "names: row",
    "preludes: Sphere",
    "preludes: right",
    "results: Force",
    "sweeps: square_of_threads_with_diagonal",
    "unused: used_outputs",
    "unused: pasted",
    "unused: printed",
    "unused: right",
];

/// The name of an item: of a function or a struct.
fn name(item: &TokenStream) -> String {
    let tokens: Vec<_> = item.clone().into_iter().map(|token| token.to_string()).collect();
    let at = tokens.iter().position(|token| ["fn", "struct"].contains(&token.as_str()));
    at.and_then(|at| tokens.get(at + 1).cloned()).unwrap_or_default()
}

/// Whatever the messages are, each item is refused. A blessed snapshot may lack its message.
#[test]
fn cases_are_refused() {
    let mut count = 0;
    let mut accepted = Vec::new();
    for case in cases() {
        let file = case.path.file_stem().unwrap().to_str().unwrap();
        case.expand(case.text.parse().unwrap(), &mut |item, expansion| {
            count += 1;
            if !is_refused(expansion) {
                accepted.push(format!("{file}: {}", name(item)));
            }
        });
    }
    assert_eq!(accepted, RIGHT);
    assert!(count > 350, "only {count} items were found");
}

#[test]
fn messages() {
    for case in cases() {
        let mut messages = Messages::default();
        case.expand(case.text.parse().unwrap(), &mut |_, expansion| {
            messages.add_item(expansion);
        });
        let name = case.path.file_stem().unwrap().to_str().unwrap();
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "../../messages" }, {
            insta::assert_snapshot!(name, messages.to_string());
        });
    }
}
