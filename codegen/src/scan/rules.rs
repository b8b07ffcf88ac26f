//! Likely mistakes in a body, and what to write instead.

use super::tokens::Token;

/// A problem of a body, with a suggestion.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// The line of the file.
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// The kind of C++ that is scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The body for a pair or a feature, after a prelude that may include files.
    Body { includes: bool },
    /// The prelude before the bodies.
    Prelude,
}

impl Kind {
    fn name(self) -> &'static str {
        if self == Kind::Prelude { "prelude" } else { "body" }
    }
}

/// All problems of these tokens, which begin on line `first`.
pub(super) fn problems(kind: Kind, tokens: &[(usize, Token)], first: usize) -> Vec<Problem> {
    let mut check = Check::of(kind);
    // An included file may define a `std` of its own.
    let is_include =
        |(_, token): &(usize, Token)| matches!(token, Token::Name(name) if name == "include");
    let includes = kind == (Kind::Body { includes: true }) || tokens.iter().any(is_include);
    if tokens.is_empty() {
        check.problem(
            first,
            match kind {
                Kind::Body { .. } => "the body is empty: write its CUDA C++",
                Kind::Prelude => {
                    "the prelude is empty: write the definitions that the body uses, or remove `prelude`"
                }
            },
        );
    }
    for (at, &(line, ref token)) in tokens.iter().enumerate() {
        match token {
            Token::Directive => check.begin_directive(line, &tokens[at + 1..]),
            Token::EndOfDirective => check.end_directive(),
            Token::Open(bracket) => check.open.push((*bracket, line)),
            Token::Close(bracket) => check.close(line, *bracket),
            Token::Name(name) if name == "std" && !includes && is_scope(tokens, at) => {
                check.problem(line, "the C++ standard library is not available on a GPU: write the function without `std::`, as in `sqrtf(x)` or `min(a, b)`");
            }
            Token::Name(name) => check.name(line, name),
            Token::Literal(text) if has_barrier(text) => {
                check.problem(line, format!("a {} cannot contain a barrier, which would wait for threads without a pair: remove it", kind.name()));
            }
            Token::Unclosed(what) => {
                check.problem(line, format!("this {what} is not closed: write its end"));
            }
            Token::Member(_) | Token::Number(_) | Token::Sign(_) | Token::Literal(_) => {}
        }
    }
    check.finish()
}

/// The problem of the last line, if it ends in a backslash; the C++ begins on line `first`. Some compilers ignore spaces after
/// a backslash.
pub(super) fn continued(kind: Kind, text: &str, first: usize) -> Option<Problem> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let is_continued = text.trim_end_matches([' ', '\t', '\r']).ends_with('\\');
    is_continued.then(|| Problem {
        line: first + text.matches('\n').count(),
        message: format!(
            "the {} ends in `\\`, which joins this line with the source after it: remove the `\\`",
            kind.name()
        ),
    })
}

/// Whether the name at this place is the first one of a path with `::`.
fn is_scope(tokens: &[(usize, Token)], at: usize) -> bool {
    let is_colon = |token: Option<&(usize, Token)>| matches!(token, Some((_, Token::Sign(':'))));
    let is_first = at == 0 || !is_colon(tokens.get(at - 1));
    is_first && is_colon(tokens.get(at + 1)) && is_colon(tokens.get(at + 2))
}

/// An opening bracket, and its line.
type Bracket = (char, usize);

/// The state after the tokens read so far.
struct Check<'a> {
    kind: Kind,
    problems: Vec<Problem>,
    /// The open brackets; within a directive, only its own.
    open: Vec<Bracket>,
    /// The brackets that were open before the current directive.
    around_directive: Option<Vec<Bracket>>,
    /// Each `#if` without its `#endif` so far.
    groups: Vec<Group>,
    /// The macros that are defined, each with its line.
    defined: Vec<(&'a str, usize)>,
}

/// The branches from an `#if` to its `#endif`. The preprocessor takes one of them.
struct Group {
    line: usize,
    /// The open brackets before each branch.
    before: Vec<Bracket>,
    /// The open brackets after each branch. A missing `#else` counts as an empty branch.
    after: Vec<usize>,
}

impl<'a> Check<'a> {
    fn of(kind: Kind) -> Self {
        let (problems, open, groups, defined) = <_>::default();
        Check { kind, problems, open, around_directive: None, groups, defined }
    }

    fn problem(&mut self, line: usize, message: impl Into<String>) {
        self.problems.push(Problem { line, message: message.into() });
    }

    /// Begins a directive at its `#`, before the tokens in `rest`.
    fn begin_directive(&mut self, line: usize, rest: &'a [(usize, Token)]) {
        let word = |at: usize| match rest.get(at) {
            Some((_, Token::Name(name))) => name.as_str(),
            _ => "",
        };
        match (word(0), word(1)) {
            ("define", name) if !name.is_empty() => self.defined.push((name, line)),
            ("undef", name) => self.defined.retain(|(each, _)| *each != name),
            ("if" | "ifdef" | "ifndef", _) => {
                let (before, after) = (self.open.clone(), vec![self.open.len()]);
                self.groups.push(Group { line, before, after });
            }
            (end @ ("elif" | "elifdef" | "elifndef" | "else" | "endif"), _) => {
                self.end_branch(line, end);
            }
            _ => {}
        }
        self.around_directive = Some(std::mem::take(&mut self.open));
    }

    fn end_directive(&mut self) {
        let Some(around) = self.around_directive.take() else { return };
        if let Some(&(bracket, line)) = std::mem::replace(&mut self.open, around).first() {
            self.problem(
                line,
                format!("this `{bracket}` is not closed in its directive: close it there"),
            );
        }
    }

    fn end_branch(&mut self, line: usize, end: &str) {
        let Some(mut group) = self.groups.pop() else {
            let text = self.kind.name();
            return self
                .problem(line, format!("this `#{end}` has no `#if` in the {text}: remove it"));
        };
        group.after.push(self.open.len());
        if end == "else" {
            // With an `#else`, no branch is missing.
            group.after.swap_remove(0);
        }
        if end != "endif" {
            self.open.clone_from(&group.before);
            return self.groups.push(group);
        }
        group.after.dedup();
        if group.after.len() > 1 {
            self.problem(group.line, "the branches of this `#if` leave different brackets open (a missing `#else` is an empty branch): close each bracket in the branch that opens it");
            self.open = group.before;
        }
    }

    fn close(&mut self, line: usize, bracket: char) {
        let closing = closing(bracket);
        let message = match self.open.pop() {
            Some((open, _)) if open == bracket => return,
            Some((open, line)) => {
                format!("this `{closing}` closes the `{open}` of line {line}: close that first")
            }
            None if self.around_directive.is_some() => {
                format!(
                    "this `{closing}` closes nothing in its directive: remove it, or open it there"
                )
            }
            None if bracket == '{' && self.kind != Kind::Prelude => {
                "this `}` closes the function around the body: remove it, or open it first".into()
            }
            None => format!("this `{closing}` closes nothing: remove it, or open it first"),
        };
        self.problem(line, message);
    }

    fn name(&mut self, line: usize, name: &str) {
        let text = self.kind.name();
        let message = if name == "__shared__" {
            format!(
                "a {text} cannot declare shared memory, because a pair cannot wait for what other pairs store there: remove `__shared__`"
            )
        } else if name.starts_with("__sync") || name.starts_with("__barrier_sync") {
            format!(
                "a {text} cannot contain the barrier `{name}`, which would wait for threads without a pair: remove it"
            )
        } else if name.starts_with("__") && name.ends_with("_sync") {
            format!(
                "a {text} cannot contain the warp function `{name}`, which would wait for lanes without a pair: remove it"
            )
        } else if name.starts_with("td_") || name.starts_with("TD_") {
            let start = &name[..3];
            format!(
                "`{name}` starts with `{start}`, which is reserved for the generated kernel: choose another name"
            )
        } else {
            return;
        };
        self.problem(line, message);
    }

    fn finish(mut self) -> Vec<Problem> {
        if let Some((bracket, line)) = self.open.pop() {
            let closing = closing(bracket);
            self.problem(line, format!("this `{bracket}` is not closed: write its `{closing}`"));
        }
        let text = self.kind.name();
        for group in std::mem::take(&mut self.groups) {
            self.problem(group.line, format!("this `#if` has no `#endif`: write it in the {text}"));
        }
        // A prelude's macros are for the bodies.
        let defined = std::mem::take(&mut self.defined);
        let is_of_body = self.kind != Kind::Prelude;
        for (name, line) in defined.into_iter().filter(|_| is_of_body) {
            self.problem(line, format!("the macro `{name}` would stay defined in the generated source: write `#undef {name}` at the end of the body"));
        }
        self.problems
    }
}

/// Whether a string contains a PTX barrier, as one for `asm` may.
fn has_barrier(text: &str) -> bool {
    let mut ends = [".sync", ".red", ".arrive", ".cta", ".cluster"].into_iter();
    ends.any(|end| ["bar", "barrier"].iter().any(|name| text.contains(&format!("{name}{end}"))))
}

fn closing(bracket: char) -> char {
    if bracket == '{' { '}' } else { ')' }
}
