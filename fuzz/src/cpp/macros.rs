//! Macros: what the tokens of a body become.

use std::collections::{BTreeMap, BTreeSet};

use super::lexer::{Line, PARAMETERS, begins_word};

/// The macros that are defined.
#[derive(Default)]
pub(super) struct Macros(BTreeMap<String, Macro>);

#[derive(Clone)]
struct Macro {
    /// The parameters' names; `None` where it takes no arguments.
    parameters: Option<Vec<String>>,
    text: Line,
}

/// A token, and the macros that it came out of, which are not expanded in it again.
#[derive(Clone)]
struct Token {
    text: String,
    from: BTreeSet<String>,
}

/// As many tokens as are followed of what a text becomes: macros that repeat their arguments, and are each
/// other's arguments, make millions of a few lines.
const MOST: usize = 1 << 14;

impl Macros {
    pub(super) fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Follows a `define` or `undef`, whose words after that are given.
    pub(super) fn change(&mut self, directive: &str, words: &[String]) {
        let Some((name, rest)) = words.split_first() else { return };
        if !name.starts_with(begins_word) {
            return;
        }
        if directive == "undef" {
            self.0.remove(name);
            return;
        }
        let close = rest.iter().position(|word| word == ")");
        let defined = match (rest.first().map(String::as_str), close) {
            (Some(PARAMETERS), Some(close)) => Macro {
                parameters: Some(parameters(&rest[1..close])),
                text: rest[close + 1..].to_vec(),
            },
            _ => Macro { parameters: None, text: rest.to_vec() },
        };
        self.0.insert(name.clone(), defined);
    }

    /// What the tokens become; `None` where that is too much.
    pub(super) fn expand(&self, tokens: Line) -> Option<Line> {
        let mut budget = MOST;
        let tokens = tokens.into_iter().map(|text| Token { text, from: BTreeSet::new() });
        let expanded = self.expanded(tokens.collect(), &mut budget)?;
        Some(expanded.into_iter().map(|token| token.text).collect())
    }

    fn expanded(&self, tokens: Vec<Token>, budget: &mut usize) -> Option<Vec<Token>> {
        // The next token is the last one.
        let mut rest: Vec<Token> = tokens.into_iter().rev().collect();
        let mut done = Vec::new();
        while let Some(token) = rest.pop() {
            *budget = budget.checked_sub(1)?;
            let found = self.0.get(&token.text).filter(|_| !token.from.contains(&token.text));
            let Some(found) = found else {
                done.push(token);
                continue;
            };
            let arguments = match &found.parameters {
                None => BTreeMap::new(),
                Some(names) => match arguments(&mut rest) {
                    Some(given) => named(names, given),
                    None => {
                        done.push(token);
                        continue;
                    }
                },
            };
            let from: BTreeSet<_> =
                token.from.iter().cloned().chain([token.text.clone()]).collect();
            let text = self.substituted(found, &arguments, &from, budget)?;
            rest.extend(text.into_iter().rev());
        }
        Some(done)
    }

    /// A macro's text with its arguments in it.
    fn substituted(
        &self,
        found: &Macro,
        arguments: &BTreeMap<String, Vec<Token>>,
        from: &BTreeSet<String>,
        budget: &mut usize,
    ) -> Option<Vec<Token>> {
        let is_paste =
            |at: usize| matches!(found.text.get(at).map(String::as_str), Some("##" | "%:%:"));
        let mut text: Vec<Token> = Vec::new();
        let mut pastes = false;
        for (at, word) in found.text.iter().enumerate() {
            if is_paste(at) {
                pastes = true;
                continue;
            }
            let mut part = match arguments.get(word) {
                Some(_) if at > 0 && matches!(found.text[at - 1].as_str(), "#" | "%:") => {
                    // The sign before it made a string of it.
                    text.pop();
                    vec![Token { text: "\"\"".into(), from: BTreeSet::new() }]
                }
                Some(argument) if pastes || is_paste(at + 1) => argument.clone(),
                Some(argument) => self.expanded(argument.clone(), budget)?,
                None => vec![Token { text: word.clone(), from: BTreeSet::new() }],
            };
            *budget = budget.checked_sub(part.len())?;
            for token in &mut part {
                token.from.extend(from.iter().cloned());
            }
            let mut part = part.into_iter();
            if std::mem::take(&mut pastes)
                && let (Some(last), Some(first)) = (text.last_mut(), part.next())
            {
                last.text += &first.text;
            }
            text.extend(part);
        }
        Some(text)
    }
}

fn parameters(words: &[String]) -> Vec<String> {
    let names = words.iter().filter(|word| *word != ",");
    names.map(|name| if name == "." { "__VA_ARGS__".into() } else { name.clone() }).collect()
}

/// Takes the arguments of a call; `None`, and takes nothing, where none follows.
fn arguments(rest: &mut Vec<Token>) -> Option<Vec<Vec<Token>>> {
    rest.last().filter(|token| token.text == "(")?;
    let mut depth = 0_usize;
    let mut given = vec![Vec::new()];
    for at in (0..rest.len()).rev() {
        match rest[at].text.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        match (rest[at].text.as_str(), depth) {
            (")", 0) => {
                rest.truncate(at);
                return Some(given);
            }
            ("(", 1) if at + 1 == rest.len() => {}
            (",", 1) => given.push(Vec::new()),
            _ => given.last_mut()?.push(rest[at].clone()),
        }
    }
    None
}

/// The arguments by name. What is too much goes to the last one, as with `...`.
fn named(names: &[String], given: Vec<Vec<Token>>) -> BTreeMap<String, Vec<Token>> {
    let mut arguments: BTreeMap<String, Vec<Token>> = BTreeMap::new();
    for (at, tokens) in given.into_iter().enumerate() {
        if let Some(name) = names.get(at).or(names.last()) {
            arguments.entry(name.clone()).or_default().extend(tokens);
        }
    }
    arguments
}
