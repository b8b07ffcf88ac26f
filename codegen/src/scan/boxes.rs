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
}
