//! What a body does with a sum: whether it only counts, so that its threads can count in 32 bits for a while, and how
//! often it adds to it, so that they can add up a few floats first.

use super::{Token, Tokens};

/// Whether the body does nothing with `name` but add whole numbers below 256 to it, each at most once: it
/// has no loop, and nothing that could hide one or be called twice.
pub(crate) fn only_counts(text: &str, name: &str) -> bool {
    let is_small = |term: &[Token]| match term {
        [Token::Number(number)] => number.parse::<u8>().is_ok(),
        _ => false,
    };
    added(text, name, is_small).is_some()
}

/// How many terms the body adds to `name`, at most, for one pair; where it does something else with it, or may
/// add one of them several times, nothing.
pub(crate) fn additions(text: &str, name: &str) -> Option<u32> {
    added(text, name, |_| true)
}

/// The number of additions to `name`, of which each is a statement by itself that runs at most once, and
/// whose term `allows` accepts.
fn added(text: &str, name: &str, allows: impl Fn(&[Token]) -> bool) -> Option<u32> {
    const REPEATING: &[&str] =
        &["for", "while", "do", "goto", "define", "include", "auto", "struct", "class", "union"];
    // A backslash at the end of a line joins names that are then read in halves here.
    if text.contains("\\\n") || text.contains("\\\r") {
        return None;
    }
    let tokens: Vec<_> = Tokens::new(text).map(|(_, token)| token).collect();
    let mut additions = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Name(found) if *found == name => {
                let term = term(&tokens, at)?;
                if !allows(term) {
                    return None;
                }
                additions += 1;
            }
            Token::Name(found) if REPEATING.contains(found) => return None,
            _ => {}
        }
    }
    Some(additions)
}

/// What the name at `at` has added to it in a statement of its own: elsewhere its value could be used, or its
/// type be another.
fn term<'a, 'b>(tokens: &'b [Token<'a>], at: usize) -> Option<&'b [Token<'a>]> {
    let stands_alone = match at.checked_sub(1).map(|before| (before, &tokens[before])) {
        None | Some((_, Token::Open('{') | Token::Close('{') | Token::Sign(';'))) => true,
        Some((_, Token::Name("else"))) => true,
        Some((before, Token::Close('('))) => closes_if(tokens, before),
        _ => false,
    };
    let [Token::Sign('+'), Token::Sign('='), rest @ ..] = tokens.get(at + 1..)? else {
        return None;
    };
    let end = rest.iter().position(|token| matches!(token, Token::Sign(';')))?;
    stands_alone.then_some(&rest[..end])
}

/// Whether the parenthesis that closes at `at` is the condition of an `if`.
fn closes_if(tokens: &[Token], at: usize) -> bool {
    let mut open = 0_usize;
    for before in (0..=at).rev() {
        match tokens[before] {
            Token::Close('(') => open += 1,
            Token::Open('(') if open == 1 => {
                let name = before.checked_sub(1).map(|name| &tokens[name]);
                return matches!(name, Some(Token::Name("if")));
            }
            Token::Open('(') => open -= 1,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{additions, only_counts};

    #[test]
    fn counting_is_known_where_it_cannot_be_anything_else() {
        for text in [
            "if (x < 1) c += 1;",
            "c += 1; if (x) { c+=255; } else c += 2;",
            "y = a[c2] + 1; c += 0;",
        ] {
            assert!(only_counts(text, "c"), "{text}");
        }
        for text in [
            "c += x;",
            "c += 256;",
            "c += 1.0;",
            "c += 1 + x;",
            "y = c += 1;",
            "y = c;",
            "for (;;) c += 1;",
            "again: c += 1; goto again;",
            "#define TWICE c += 1; c += 1;\nTWICE",
            "#include \"body.cuh\"\nc += 1;",
            "auto add = [&] { c += 1; }; add(); add();",
            "f(c);",
            "(unsigned long long &)c += 1;",
            "fo\\\nr (int k = 0; k < 9; ++k) { c += 255; }",
        ] {
            assert!(!only_counts(text, "c"), "{text}");
        }
    }

    #[test]
    fn additions_are_counted_where_none_is_repeated() {
        assert_eq!(additions("", "e"), Some(0));
        assert_eq!(additions("e += f(x) * 2.0f;", "e"), Some(1));
        assert_eq!(additions("if (x) e += 1; else { e += y; } e += z;", "e"), Some(3));
        for text in [
            "for (;;) e += 1;",
            "e += e2; f(e);",
            "y = e += x;",
            "e += x, e += y;",
            "e += f(e);",
            "auto add = [&] { e += x; };",
            "e",
        ] {
            assert_eq!(additions(text, "e"), None, "{text}");
        }
    }
}
