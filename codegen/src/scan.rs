//! Reads a body as C++ tokens, as far as needed to know that it stays inside its function.
//!
//! Comments, strings and characters are passed over; braces are counted; names are collected. The
//! preprocessor may take either branch of an `#if`, and a macro may drop its arguments or repeat
//! them: so brackets have to close in the branch, the directive and the parentheses in which they
//! open, and the body then stays inside whatever is taken. What it includes is not read, nor are
//! macros of the compiler's own headers.

mod counting;
mod splice;
#[cfg(test)]
mod tests;
mod tokens;

use std::collections::BTreeSet;

pub(crate) use counting::{additions, only_counts};
use splice::joined;
use tokens::{Token, Tokens};

/// What is wrong, and on which line of the text, counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The line.
    pub(crate) line: usize,
    /// What is wrong, and what to write instead.
    pub(crate) message: String,
}

/// The names in `text`: identifiers and keywords outside comments and strings, but for those of
/// members, as the `i` of `p.i`.
pub(crate) fn names(text: &str) -> BTreeSet<&str> {
    Tokens::new(text)
        .filter_map(|(_, token)| match token {
            Token::Name(name) => Some(name),
            _ => None,
        })
        .collect()
}

/// How long the body is, in tokens; `None` where it includes a file or defines a macro, and so may be
/// longer than it looks.
pub(crate) fn length(text: &str) -> Option<usize> {
    let names = names(text);
    let counts = |token: &Token<'_>| !matches!(token, Token::EndOfDirective);
    (!names.contains("include") && !names.contains("define"))
        .then(|| Tokens::new(text).filter(|(_, token)| counts(token)).count())
}

/// The barriers of PTX, for all threads of a block.
const BARRIERS: &[&str] = &[
    "bar.sync",
    "bar.red",
    "bar.arrive",
    "bar.cta",
    "barrier.sync",
    "barrier.red",
    "barrier.arrive",
    "barrier.cta",
    "barrier.cluster",
];

/// Everything that keeps `text` from being the body of a pair function.
pub(crate) fn check(text: &str) -> Vec<Problem> {
    let mut check = Check { problems: characters(text), ..Check::default() };
    let mut empty = true;
    for (line, token) in Tokens::new(text) {
        empty = false;
        check.line = line;
        check.token(token);
    }
    if empty {
        check.line = 1;
        check.problem("the body is empty: write what happens to one pair");
    }
    check.finish()
}

/// The characters that compilers disagree about wherever they stand.
fn characters(text: &str) -> Vec<Problem> {
    let is_odd = |&(at, c): &(usize, char)| match c {
        '\r' => !text[at + 1..].starts_with('\n'),
        '\0' => true,
        _ => false,
    };
    let found = text.char_indices().find(is_odd);
    let problem = |(at, c): (usize, char)| {
        Problem {
        line: text[..=at].lines().count().max(1),
        message: match c {
            '\0' => "the body has a NUL character: remove it".into(),
            _ => "a carriage return by itself ends the line for some compilers: write a line feed after it".into(),
        },
    }
    };
    found.map(problem).into_iter().collect()
}

/// What is known of a body as far as it is read.
#[derive(Default)]
struct Check<'text> {
    problems: Vec<Problem>,
    /// The line that is read.
    line: usize,
    /// The brackets that are open, each with its line.
    open: Vec<(char, usize)>,
    /// The parts between `#if` and `#endif` that are open.
    groups: Vec<Group>,
    /// How many branches there have been.
    branches: usize,
    defined: Vec<Definition<'text>>,
    directive: Option<Directive>,
    /// How many brackets were open before the directive that is read.
    before_directive: usize,
}

/// A part between `#if` and `#endif`.
struct Group {
    line: usize,
    /// How many brackets were open before.
    open: usize,
    /// Which branch is read.
    branch: usize,
}

struct Definition<'text> {
    name: &'text str,
    line: usize,
    /// The branches that it is in.
    branches: Vec<usize>,
}

/// How far a directive is read.
#[derive(Clone, Copy, PartialEq)]
enum Directive {
    /// Before its name.
    Begins,
    /// After `define`: the next name is the macro's.
    Defines,
    Undefines,
    /// In the rest, which brackets do not leave.
    Rest,
}

impl<'text> Check<'text> {
    fn problem(&mut self, message: impl Into<String>) {
        self.problems.push(Problem { line: self.line, message: message.into() });
    }

    fn token(&mut self, token: Token<'text>) {
        self.follow(token);
        match token {
            Token::Open(bracket) => self.open.push((bracket, self.line)),
            Token::Close(bracket) => self.close(bracket),
            Token::Name(name) | Token::Member(name) => {
                self.name(name, matches!(token, Token::Member(_)));
            }
            // Where `_Pragma` takes it. Nothing else in a kernel has a use for such a string.
            Token::Literal(text) if joined(text).contains("pop_macro") => {
                self.problem("this string may bring a macro back: remove it");
            }
            // PTX, where `asm` takes it.
            Token::Literal(text) if BARRIERS.iter().any(|name| joined(text).contains(name)) => {
                self.problem("this barrier would wait for threads that have no pair, and a pair body has none: remove it");
            }
            Token::Unterminated(what) => {
                self.problem(format!("this {what} is not closed: write its end"));
            }
            Token::Ambiguous(message) => self.problem(message),
            Token::Directive
            | Token::EndOfDirective
            | Token::Number(_)
            | Token::Sign(_)
            | Token::Literal(_) => {}
        }
    }

    /// Follows the parts of a directive.
    fn follow(&mut self, token: Token<'text>) {
        let Some(directive) = self.directive else {
            if matches!(token, Token::Directive) {
                self.directive = Some(Directive::Begins);
                self.before_directive = self.open.len();
            }
            return;
        };
        self.directive = Some(Directive::Rest);
        match (directive, token) {
            (_, Token::EndOfDirective) => {
                self.directive = None;
                self.close_all(self.before_directive, "directive");
            }
            (Directive::Begins, Token::Name(name)) => self.begin(name),
            (Directive::Defines, Token::Name(name)) => {
                let branches = self.groups.iter().map(|group| group.branch).collect();
                self.defined.push(Definition { name, line: self.line, branches });
            }
            (Directive::Undefines, Token::Name(name)) => {
                // Only where it is read whenever the definition is.
                let branches: Vec<usize> = self.groups.iter().map(|group| group.branch).collect();
                self.defined
                    .retain(|each| each.name != name || !each.branches.starts_with(&branches));
            }
            _ => {}
        }
    }

    /// At a directive's name.
    fn begin(&mut self, name: &str) {
        match name {
            "define" => self.directive = Some(Directive::Defines),
            "undef" => self.directive = Some(Directive::Undefines),
            "if" | "ifdef" | "ifndef" => {
                self.branches += 1;
                let (line, open, branch) = (self.line, self.open.len(), self.branches);
                self.groups.push(Group { line, open, branch });
            }
            "elif" | "elifdef" | "elifndef" | "else" | "endif" => {
                let Some(open) = self.groups.last().map(|group| group.open) else {
                    return self
                        .problem(format!("this `#{name}` has no `#if` in the body: remove it"));
                };
                self.close_all(open, "branch of `#if`");
                self.before_directive = self.open.len();
                self.branches += 1;
                let branch = self.branches;
                match self.groups.last_mut() {
                    Some(group) if name != "endif" => group.branch = branch,
                    _ => drop(self.groups.pop()),
                }
            }
            _ => {}
        }
    }

    /// How many of the open brackets cannot be closed here.
    fn floor(&self) -> usize {
        match (self.directive, self.groups.last()) {
            (Some(_), _) => self.before_directive,
            (None, group) => group.map_or(0, |group| group.open),
        }
    }

    fn close(&mut self, bracket: char) {
        let closing = if bracket == '{' { '}' } else { ')' };
        match self.open.last() {
            None if bracket == '{' => {
                self.problem(
                    "this `}` closes the function around the body: remove it, or open it first",
                );
            }
            None => self.problem("this `)` closes nothing: remove it, or open it first"),
            Some(_) if self.open.len() <= self.floor() => {
                let place = if self.directive.is_some() { "directive" } else { "branch of `#if`" };
                self.problem(format!("this `{closing}` closes what was opened before this {place}: open and close it in one"));
            }
            Some(&(open, line)) if open != bracket => {
                self.open.pop();
                self.problem(format!(
                    "this `{closing}` closes the `{open}` of line {line}: close that first"
                ));
            }
            Some(_) => {
                self.open.pop();
            }
        }
    }

    /// Where what was opened after `floor` has to be closed.
    fn close_all(&mut self, floor: usize, place: &str) {
        if let Some(&(bracket, line)) = self.open.get(floor) {
            self.open.truncate(floor);
            let message = format!(
                "this `{bracket}` is not closed in the {place} that it is in: close it there"
            );
            self.problems.push(Problem { line, message });
        }
    }

    fn name(&mut self, name: &str, is_member: bool) {
        if name == "push_macro" || name == "pop_macro" {
            self.problem(format!(
                "`{name}` hides what the kernel's own text then means: use `#define` and `#undef`"
            ));
        }
        if is_member {
            return;
        }
        if name == "__shared__" {
            self.problem("a pair has no shared memory of its own, and the kernel stages `#[each]` elements there already: remove `__shared__`");
        } else if name.starts_with("__sync") || name.starts_with("__barrier_sync") {
            self.problem(format!(
                "`{name}` would wait for threads that have no pair, and a pair body has no barrier: remove it"
            ));
        } else if name.starts_with("__") && name.ends_with("_sync") {
            self.problem(format!(
                "`{name}` would wait for lanes that have no pair, and a pair body has no warp functions: remove it"
            ));
        } else if name.starts_with("td_") || name.starts_with("TD_") {
            let start = &name[..3];
            self.problem(format!(
                "`{name}`: names that start with `{start}` are the generated kernel's own: choose another name"
            ));
        }
    }

    fn finish(mut self) -> Vec<Problem> {
        if let Some((bracket, line)) = self.open.pop() {
            let closing = if bracket == '{' { '}' } else { ')' };
            let message = format!("this `{bracket}` is not closed: write its `{closing}`");
            self.problems.push(Problem { line, message });
        }
        if let Some(group) = self.groups.pop() {
            let message = "this `#if` has no `#endif`: write it in the body".into();
            self.problems.push(Problem { line: group.line, message });
        }
        for Definition { name, line, .. } in self.defined {
            let message = format!(
                "the macro `{name}` would go on into the kernel's own text: write `#undef {name}` at the end of the body"
            );
            self.problems.push(Problem { line, message });
        }
        self.problems
    }
}
