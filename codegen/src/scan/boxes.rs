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
        let set_member = |tokens: &[Token]| match tokens {
            [
                Token::Name(found),
                Token::Sign('.'),
                Token::Member(limit),
                Token::Sign('.'),
                Token::Member(member),
            ] if found == name && ["lo", "hi"].contains(&limit.as_str()) => Some(member.clone()),
            _ => None,
        };
        let members = self.tokens.windows(7).filter_map(member);
        members.chain(self.tokens.windows(5).filter_map(set_member)).collect()
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

    /// Whether the expression is arithmetic, `max` and `min` of boxes, their members, integers, and names that `is` accepts.
    pub(crate) fn is_arithmetic_of(&self, is: &dyn Fn(&str) -> bool) -> bool {
        let is_function = |name: &str| ["max", "min"].contains(&name);
        let members = ["i", "j", "lo", "hi", "x", "y", "z", "w"];
        let is_integer = |text: &str| text.trim_end_matches(['u', 'U']).parse::<i32>().is_ok();
        let is_called = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
            matches!(before, Some(Token::Name(name)) if is_function(name))
        };
        // Whether each open parenthesis is of a call. A comma elsewhere is an operator.
        let mut calls = Vec::new();
        let is_part = |(at, token): (usize, &Token)| match token {
            Token::Name(name) => is_function(name) || is(name),
            Token::Member(name) => members.contains(&name.as_str()),
            Token::Number(number) => is_integer(number),
            Token::Sign(',') => calls.last() == Some(&true),
            Token::Sign(sign) => "+-*/%.".contains(*sign),
            Token::Open('(') => {
                calls.push(is_called(at));
                true
            }
            Token::Close('(') => calls.pop().is_some(),
            _ => false,
        };
        !self.prelude_use.is_used
            && !self.prelude_use.has_macros
            && self.tokens.iter().enumerate().all(is_part)
    }
}
