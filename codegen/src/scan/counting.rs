//! Whether a sum only counts: then its threads can count in 32 bits for a while.

use super::{Token, Tokens};

/// Whether the body does nothing with `name` but add whole numbers below 256 to it, each at most once: it
/// has no loop, and nothing that could hide one or be called twice.
pub(crate) fn only_counts(text: &str, name: &str) -> bool {
    const REPEATING: &[&str] =
        &["for", "while", "do", "goto", "define", "include", "auto", "struct", "class", "union"];
    // A backslash at the end of a line joins names that are then read in halves here.
    if text.contains("\\\n") || text.contains("\\\r") {
        return false;
    }
    let tokens: Vec<_> = Tokens::new(text).map(|(_, token)| token).collect();
    // Whether the parenthesis that closes at `at` is the condition of an `if`.
    let closes_if = |at: usize| {
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
    };
    let adds = |at: usize| {
        let [
            Some(Token::Sign('+')),
            Some(Token::Sign('=')),
            Some(Token::Number(number)),
            Some(Token::Sign(';')),
        ] = [1, 2, 3, 4].map(|next| tokens.get(at + next))
        else {
            return false;
        };
        // As a statement of its own: elsewhere its value could be used, or its type be another.
        let stands_alone = match at.checked_sub(1).map(|before| (before, &tokens[before])) {
            None | Some((_, Token::Open('{') | Token::Close('{') | Token::Sign(';'))) => true,
            Some((_, Token::Name("else"))) => true,
            Some((before, Token::Close('('))) => closes_if(before),
            _ => false,
        };
        stands_alone && number.parse::<u8>().is_ok()
    };
    tokens.iter().enumerate().all(|(at, token)| match token {
        Token::Name(found) if *found == name => adds(at),
        Token::Name(found) => !REPEATING.contains(found),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::only_counts;

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
}
