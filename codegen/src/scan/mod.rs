//! Scans a body as C++ tokens, once: for mistakes of its author, and for facts that the generated kernel depends on.
//!
//! The author is trusted: a body is `unsafe` code, and can do whatever C++ can. So this is not a security check. It finds
//! mistakes that would be silent, or hard to understand when the kernel is compiled. It sees only tokens: macros are not
//! expanded, and files that the body includes are not read.

mod boxes;
mod counting;
mod definitions;
mod doubles;
mod histograms;
mod lists;
mod prelude_use;
mod rules;
#[cfg(test)]
mod tests;
mod tokens;
mod updates;
mod uses;

use std::collections::BTreeSet;

pub(crate) use definitions::Definition;
pub(crate) use doubles::{Finding, Meaning};
pub(crate) use lists::Listed;
use prelude_use::PreludeUse;
use rules::Kind;
pub(crate) use rules::Problem;
use tokens::Token;
pub(crate) use uses::Use;

use crate::names;

/// The result of scanning a body or a prelude.
pub(crate) struct Scan {
    /// The reasons why this cannot be the body of a pair function, or a prelude.
    pub(crate) problems: Vec<Problem>,
    /// Its names: identifiers and keywords outside comments and strings, without those of members, such as the `i` of `p.i`.
    /// Includes names that macros of the prelude may expand to.
    pub(crate) names: BTreeSet<String>,
    /// Its length in tokens, with the prelude's functions written out; `None` if it includes a file or defines a macro, and so
    /// may be longer.
    pub(crate) length: Option<usize>,
    /// The definitions of a prelude.
    pub(crate) definitions: Vec<Definition>,
    prelude_use: PreludeUse,
    tokens: Vec<Token>,
    /// The line of each token.
    lines: Vec<usize>,
}

/// Scans a body, which starts on this line of its file, after a prelude.
pub(crate) fn body(text: &str, line: usize, prelude: Option<&Scan>) -> Scan {
    let includes = prelude.is_some_and(Scan::includes);
    let mut scan = read_as(Kind::Body { includes }, text, line);
    if let Some(prelude) = prelude {
        let used = prelude_use::of(prelude, &scan.tokens);
        scan.length = scan.length.and(used.length);
        scan.names.extend(used.names.iter().cloned());
        scan.prelude_use = used;
        let is_of_prelude =
            |name: &str| prelude.definitions.iter().any(|each| each.is_macro && each.name == name);
        let removed = scan.removed_macros(is_of_prelude);
        scan.problems.extend(removed);
    }
    scan
}

/// Scans a prelude, which starts on this line of its file.
pub(crate) fn prelude(text: &str, line: usize) -> Scan {
    let mut scan = read_as(Kind::Prelude, text, line);
    let (definitions, unended) = definitions::definitions(&scan.tokens, &scan.lines);
    scan.definitions = definitions;
    // A compiler would report it in the generated source.
    scan.problems.extend(unended.map(|line| Problem {
        line,
        message: "this declaration does not end: write `;` after it".into(),
    }));
    scan
}

/// Scans an expression, or a body without a prelude.
pub(crate) fn read(text: &str, line: usize) -> Scan {
    body(text, line, None)
}

fn read_as(kind: Kind, text: &str, line: usize) -> Scan {
    // With a single character at the end of each line.
    let text = text.replace("\r\n", "\n");
    let tokens = tokens::read(&text, line);
    let mut problems = rules::problems(kind, &tokens, line);
    problems.extend(rules::continued(kind, &text, line));
    let (lines, tokens): (Vec<usize>, Vec<Token>) = tokens.into_iter().unzip();
    let names: BTreeSet<_> = named(&tokens).map(str::to_owned).collect();
    let is_all = !names.contains("include") && !names.contains("define");
    let written = tokens.iter().filter(|token| !matches!(token, Token::EndOfDirective)).count();
    let mut scan = Scan {
        problems,
        names,
        length: is_all.then_some(written),
        definitions: Vec::new(),
        prelude_use: PreludeUse::default(),
        tokens,
        lines,
    };
    let removed = scan.removed_macros(names::is_macro);
    scan.problems.extend(removed);
    scan
}

/// The names among these tokens.
fn named(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter_map(|token| match token {
        Token::Name(name) => Some(name.as_str()),
        _ => None,
    })
}

impl Scan {
    /// Whether it includes a file, or the prelude before it does.
    pub(crate) fn includes(&self) -> bool {
        self.names.contains("include") || self.prelude_use.includes
    }

    /// Whether it defines this name as a macro.
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.tokens.windows(3).any(|tokens| match tokens {
            [Token::Directive, Token::Name(word), Token::Name(defined)] => {
                word == "define" && defined == name
            }
            _ => false,
        })
    }

    /// Each `#undef` of a macro from elsewhere that the rest of the source may use.
    fn removed_macros(&self, is_used: impl Fn(&str) -> bool) -> Vec<Problem> {
        let removed = |(at, tokens): (usize, &[Token])| match tokens {
            [Token::Directive, Token::Name(word), Token::Name(name)]
                if word == "undef" && is_used(name) && !self.defines(name) =>
            {
                let message = format!(
                    "`#undef {name}` removes a macro that the rest of the source may use: remove this line"
                );
                Some(Problem { line: self.lines[at], message })
            }
            _ => None,
        };
        self.tokens.windows(3).enumerate().filter_map(removed).collect()
    }

    /// The line of the first token.
    pub(crate) fn first_line(&self) -> Option<usize> {
        self.lines.first().copied()
    }

    /// The line of the first token that can only be part of a statement.
    pub(crate) fn statement(&self) -> Option<usize> {
        let is_statement = |token: &Token| match token {
            Token::Sign(';') => true,
            Token::Name(name) => name == "return",
            _ => false,
        };
        Some(self.lines[self.tokens.iter().position(is_statement)?])
    }

    /// The line of a comparison of two numbers, if the expression's value is its result: outside all parentheses, and not the
    /// condition of a `?`.
    pub(crate) fn comparison(&self) -> Option<usize> {
        let mut depth = 0_usize;
        let outside = self.tokens.iter().enumerate().filter(|(_, token)| {
            match token {
                Token::Open(_) => depth += 1,
                Token::Close(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        let outside: Vec<_> = outside.collect();
        let is = |at: usize, signs: &str| match self.tokens.get(at) {
            Some(Token::Sign(sign)) => signs.contains(*sign),
            _ => false,
        };
        let has = |signs: &str| outside.iter().any(|(at, _)| is(*at, signs));
        // `<` and `>` together are angle brackets, as in `static_cast<float>`.
        let is_alone = has("<") != has(">");
        let compares = |at: usize| {
            (is(at, "<>=!") && is(at + 1, "="))
                || (is(at, "&") && is(at + 1, "&"))
                || (is(at, "|") && is(at + 1, "|"))
                || (is_alone && is(at, "<>"))
        };
        let (at, _) = outside.iter().find(|(at, _)| compares(*at)).filter(|_| !has("?"))?;
        Some(self.lines[*at])
    }

    /// Whether all names are visible: no macro or included file may add others.
    pub(crate) fn has_all_names(&self) -> bool {
        !self.includes() && !self.prelude_use.has_macros && !self.names.contains("define")
    }

    /// The maximum number of terms that the body adds to `name` or subtracts from it for one pair; `None` if it uses `name` in
    /// any other way, or may repeat an addition.
    pub(crate) fn additions(&self, name: &str) -> Option<u32> {
        self.added(name, |_, _| true)
    }

    /// The number of additions to `name` that `allows` accepts. A macro of the prelude may add or repeat under any name.
    fn added(&self, name: &str, allows: impl Fn(char, &[Token]) -> bool) -> Option<u32> {
        if self.prelude_use.has_macros {
            return None;
        }
        counting::added(&self.tokens, name, allows)
    }

    /// Whether the body has no numbers, and calls only these functions.
    pub(crate) fn is_plain(&self, functions: &[&str]) -> bool {
        let is_plain = |(at, token): (usize, &Token)| match token {
            Token::Number(_) => false,
            Token::Open('(') => {
                let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
                !matches!(before, Some(Token::Name(name)) if !functions.contains(&name.as_str()))
            }
            _ => true,
        };
        !self.prelude_use.is_used && self.tokens.iter().enumerate().all(is_plain)
    }

    /// Whether the body only adds integers below 256 to `name`, each at most once: nothing in the body can repeat or hide an
    /// addition.
    pub(crate) fn only_counts(&self, name: &str) -> bool {
        let is_small = |sign: char, term: &[Token]| match term {
            [Token::Number(number)] => sign == '+' && number.parse::<u8>().is_ok(),
            _ => false,
        };
        self.added(name, is_small).is_some()
    }

    /// Whether the body only adds 1 to bins of the histogram `name`, a few times for each pair.
    pub(crate) fn only_adds_ones(&self, name: &str) -> bool {
        !self.prelude_use.has_macros && histograms::only_adds_ones(&self.tokens, name)
    }

    /// The line of the body's first use of `name` of this kind, if `name` is certainly not the body's own there.
    pub(crate) fn uses(&self, name: &str, kind: Use) -> Option<usize> {
        // A macro of the prelude may declare anything.
        if self.prelude_use.has_macros {
            return None;
        }
        Some(self.lines[uses::first(&self.tokens, name, kind)?])
    }

    /// The line of the first `name()`, if the name is used in no other way, such as a declaration.
    pub(crate) fn called(&self, name: &str) -> Option<usize> {
        let is_name = |at: &usize| matches!(&self.tokens[*at], Token::Name(found) if found == name);
        let mut uses = (0..self.tokens.len()).filter(is_name);
        let first = uses.clone().next()?;
        let is_call =
            |at| matches!(self.tokens[at + 1..], [Token::Open('('), Token::Close('('), ..]);
        (uses.all(is_call) && !self.includes()).then(|| self.lines[first])
    }

    /// The line of the first operator such as `+=` or `++` that changes memory of this name while other pairs may do the same,
    /// and the operator: `=` if the new value is computed from the old one.
    pub(crate) fn shared_update(&self, name: &str) -> Option<(usize, String)> {
        if self.prelude_use.has_macros {
            return None;
        }
        let at = uses::first(&self.tokens, name, Use::Updated)?;
        let operator = updates::shared(name, &self.tokens[..at], &self.tokens[at + 1..])?;
        Some((self.lines[at], operator))
    }

    /// The line and the number of arguments of each `name.push(…)`.
    pub(crate) fn pushes(&self, name: &str) -> Vec<(usize, usize)> {
        let push = |at: usize| match &self.tokens[at..] {
            [
                Token::Name(found),
                Token::Sign('.'),
                Token::Member(member),
                Token::Open('('),
                rest @ ..,
            ] if found == name && member == "push" => {
                Some((self.lines[at], lists::arguments(rest)?))
            }
            _ => None,
        };
        (0..self.tokens.len()).filter_map(push).collect()
    }

    /// The accidental doubles in the body, given the meaning of its names.
    pub(crate) fn doubles(&self, meaning: &dyn Fn(&str) -> Option<Meaning>) -> Vec<Finding> {
        // A macro of the prelude may expand to anything.
        if self.prelude_use.has_macros {
            return Vec::new();
        }
        doubles::found(&self.tokens, &self.lines, false, meaning)
    }

    /// The accidental doubles in a prelude's functions.
    pub(crate) fn doubles_of_functions(&self) -> Vec<Finding> {
        // A file may define any macro.
        if self.includes() {
            return Vec::new();
        }
        doubles::found_in_functions(&self.tokens, &self.lines, &|name| self.defines(name))
    }

    /// How often the innermost statement of its loops runs, and of those of the prelude's functions that it uses, according to
    /// the numbers in their heads.
    pub(crate) fn repetitions(&self) -> u64 {
        counting::repetitions(&self.tokens).max(self.prelude_use.repetitions)
    }

    /// The form of the expressions.
    pub(crate) fn listed(&self) -> Listed {
        lists::listed(&self.tokens)
    }
}
