//! The definitions of a prelude: names at file scope, which the kernel's bodies and its generated source see. Only tokens are
//! scanned: included files are not read.

use std::ops::Range;

use super::Token;
use super::tokens::without_directives;

/// A name at file scope.
pub(crate) struct Definition {
    pub(crate) name: String,
    /// The line of the file.
    pub(crate) line: usize,
    /// Whether it is a macro that is still defined at the prelude's end.
    pub(crate) is_macro: bool,
    /// Its tokens after the name.
    pub(super) tokens: Range<usize>,
}

/// Words that can precede a parenthesis without declaring a function.
const NO_FUNCTIONS: &[&str] = &[
    "__align__", "__asm__", "__attribute__", "__declspec", "__launch_bounds__", "alignas", "asm",
    "decltype", "noexcept", "static_assert",
];

/// Words of C++ at places where a name could be.
const WORDS: &[&str] = &[
    "class", "const", "default", "delete", "enum", "final", "noexcept", "operator", "override",
    "struct", "union", "volatile",
];

/// The definitions in the tokens, and the line of the last token if it is in an unfinished declaration.
pub(super) fn definitions(tokens: &[Token], lines: &[usize]) -> (Vec<Definition>, Option<usize>) {
    let mut found = macros(tokens, lines);
    let mut reader = Reader { tokens, lines, found: Vec::new(), statement: Statement::default() };
    let places = without_directives(tokens);
    for (at, place) in places.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &tokens[places[before]]);
        let after = places.get(at + 1).map(|&after| &tokens[after]);
        reader.read(*place, before, after);
    }
    let unended = places.last().filter(|_| !reader.statement.is_ended()).map(|&last| lines[last]);
    reader.end(tokens.len());
    found.append(&mut reader.found);
    found.sort_by_key(|each| each.line);
    (found, unended)
}

/// The macros that are defined at the end.
fn macros(tokens: &[Token], lines: &[usize]) -> Vec<Definition> {
    let mut found: Vec<Definition> = Vec::new();
    for (at, window) in tokens.windows(3).enumerate() {
        let [Token::Directive, Token::Name(word), Token::Name(name)] = window else { continue };
        let start = at + 3;
        let length = tokens[start..].iter().position(|token| *token == Token::EndOfDirective);
        match word.as_str() {
            "undef" => found.retain(|each| each.name != *name),
            "define" => found.push(Definition {
                name: name.clone(),
                line: lines[at + 2],
                is_macro: true,
                tokens: start..start + length.unwrap_or(0),
            }),
            _ => {}
        }
    }
    found
}

/// A declaration at file scope, as far as it was read.
#[derive(Default)]
struct Statement {
    /// The number of open brackets.
    depth: usize,
    /// The number of open angle brackets outside of all other brackets.
    angles: usize,
    /// Set while the tokens are a value or the like and no declarator: the character before which it ends.
    value: Option<char>,
    /// Whether it defines a type, so that it continues after its braces.
    is_type: bool,
    /// Whether it is an `enum`, whose names are also at file scope; those of an `enum class` are not.
    is_enum: bool,
    is_using: bool,
    /// The index of its first definition.
    first: Option<usize>,
    has_function: bool,
    /// Whether it has begun.
    has_begun: bool,
}

impl Statement {
    /// Whether the declaration is complete. One with open brackets is a different mistake.
    fn is_ended(&self) -> bool {
        !self.has_begun || self.depth > 0
    }
}

struct Reader<'a> {
    tokens: &'a [Token],
    lines: &'a [usize],
    found: Vec<Definition>,
    statement: Statement,
}

impl Reader<'_> {
    /// Reads the token at this place, between these.
    fn read(&mut self, place: usize, before: Option<&Token>, after: Option<&Token>) {
        let statement = &mut self.statement;
        let token = &self.tokens[place];
        statement.has_begun = true;
        match token {
            Token::Open(_) => statement.depth += 1,
            Token::Close(bracket) => {
                statement.depth = statement.depth.saturating_sub(1);
                let is_value = statement.value == Some(',');
                let is_over = statement.has_function || !(is_value || statement.is_type);
                if statement.depth == 0 && *bracket == '{' {
                    statement.value = statement.value.filter(|_| !statement.is_type);
                    if is_over {
                        self.end(place + 1);
                    }
                }
            }
            Token::Name(name) if statement.depth == 1 && statement.is_enum => {
                let is_first = matches!(before, Some(Token::Open('{') | Token::Sign(',')));
                if is_first {
                    self.define(name, place);
                }
            }
            _ if statement.depth > 0 => {}
            Token::Sign(';') => self.end(place + 1),
            Token::Sign(',') if statement.value == Some(',') => statement.value = None,
            _ if statement.value.is_some() => {}
            // The `<` of an operator's name does not begin template arguments.
            Token::Sign('<') if matches!(before, Some(Token::Name(name)) if name != "operator") => {
                statement.angles += 1;
            }
            Token::Sign('>') => statement.angles = statement.angles.saturating_sub(1),
            _ if statement.angles > 0 => {}
            Token::Sign('=') => statement.value = Some(','),
            // The base of a type, or the member initialisers of a constructor.
            Token::Sign(':') if ![before, after].contains(&Some(token)) => {
                statement.value = Some('{');
            }
            Token::Name(name) => self.name(name, place, before, after),
            _ => {}
        }
    }

    /// Reads a name outside of all brackets.
    fn name(&mut self, name: &str, place: usize, before: Option<&Token>, after: Option<&Token>) {
        let statement = &mut self.statement;
        match name {
            "struct" | "class" if matches!(before, Some(Token::Name(word)) if word == "enum") => {
                statement.is_enum = false;
            }
            "struct" | "class" | "union" | "typedef" => statement.is_type = true,
            "enum" => (statement.is_type, statement.is_enum) = (true, true),
            "using" => statement.is_using = true,
            // An operator is not called by name.
            "operator" => {
                statement.has_function = true;
                self.define(name, place);
            }
            _ => {}
        }
        let is_in_order = match before {
            Some(Token::Name(word)) => word != "operator",
            Some(Token::Sign(sign)) => "*&>],".contains(*sign),
            Some(Token::Close(_)) => true,
            _ => false,
        };
        let is_word = WORDS.contains(&name) || NO_FUNCTIONS.contains(&name);
        let is_name = match after {
            _ if is_word || !is_in_order => false,
            Some(Token::Open('(')) => {
                self.statement.has_function = true;
                true
            }
            Some(Token::Sign('=')) => true,
            Some(Token::Open('{') | Token::Sign(';' | '[' | ',')) => !self.statement.is_using,
            Some(Token::Sign(':')) => self.statement.is_type,
            _ => false,
        };
        if is_name {
            self.define(name, place);
        }
    }

    fn define(&mut self, name: &str, place: usize) {
        self.statement.first.get_or_insert(self.found.len());
        self.found.push(Definition {
            name: name.to_owned(),
            line: self.lines[place],
            is_macro: false,
            tokens: place + 1..place + 1,
        });
    }

    /// Ends the declaration before this place.
    fn end(&mut self, place: usize) {
        let Statement { first, .. } = std::mem::take(&mut self.statement);
        for definition in self.found.iter_mut().skip(first.unwrap_or(usize::MAX)) {
            definition.tokens.end = place;
        }
    }
}
