//! The members of boxes that a lower bound uses.

use super::Scan;
use super::tokens::Token;

impl Scan {
    /// The members in `name.i.lo.member`, `name.j.hi.member` and the like.
    pub(crate) fn members_of_boxes(&self, name: &str) -> Vec<String> {
        let member = |tokens: &[Token]| match tokens {
            [
                Token::Name(found),
                Token::Sign('.'),
                Token::Member(end),
                Token::Sign('.'),
                Token::Member(limit),
                Token::Sign('.'),
                Token::Member(member),
            ] if found == name
                && ["i", "j"].contains(&end.as_str())
                && ["lo", "hi"].contains(&limit.as_str()) =>
            {
                Some(member.clone())
            }
            _ => None,
        };
        let of_set = |tokens: &[Token]| match tokens {
            [
                Token::Name(found),
                Token::Sign('.'),
                Token::Member(limit),
                Token::Sign('.'),
                Token::Member(member),
            ] if found == name && ["lo", "hi"].contains(&limit.as_str()) => Some(member.clone()),
            _ => None,
        };
        let of_each = self.tokens.windows(7).filter_map(member);
        of_each.chain(self.tokens.windows(5).filter_map(of_set)).collect()
    }

    /// Whether boxes of `name` are used as a whole, other than as arguments of these functions, so that any member may be read.
    pub(crate) fn uses_whole_boxes(&self, name: &str, functions: &[&str]) -> bool {
        // The functions whose arguments the tokens are.
        let mut calls = Vec::new();
        self.tokens.iter().enumerate().any(|(at, token)| {
            match token {
                Token::Open('(') => {
                    let before = at.checked_sub(1).map(|at| &self.tokens[at]);
                    let function = match before {
                        Some(Token::Name(function)) => function.as_str(),
                        _ => "",
                    };
                    calls.push(function);
                }
                Token::Close('(') => drop(calls.pop()),
                Token::Name(found) if found == name => {
                    let rest = self.tokens[at + 1..].chunks(2).map_while(|tokens| match tokens {
                        [Token::Sign('.'), Token::Member(member)] => Some(member.as_str()),
                        _ => None,
                    });
                    let is_whole =
                        !rest.into_iter().any(|member| !["i", "j", "lo", "hi"].contains(&member));
                    return is_whole && !calls.last().is_some_and(|call| functions.contains(call));
                }
                _ => {}
            }
            false
        })
    }
}
