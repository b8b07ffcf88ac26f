//! How a body adds to a histogram: whether each pair adds 1 a few times, so that a block's counters cannot overflow.

use super::Token;
use super::counting::REPEATING;
use super::lists::arguments;

/// The most additions of a pair: a block has at most 2^28 pairs.
const MOST: u32 = 15;

/// The methods of a histogram that only compute a bin.
const BINS: &[&str] = &["bins", "linear", "logarithmic", "between"];

/// Whether these tokens only add 1 to bins of `name`, a few times, and use it in no other way.
pub(super) fn only_adds_ones(tokens: &[Token], name: &str) -> bool {
    let mut additions = 0;
    for (at, token) in tokens.iter().enumerate() {
        let Token::Name(found) = token else { continue };
        if found != name {
            if REPEATING.contains(&found.as_str()) {
                return false;
            }
            continue;
        }
        let [Token::Sign('.'), Token::Member(member), rest @ ..] = &tokens[at + 1..] else {
            return false;
        };
        match (member.as_str(), rest) {
            ("add", [Token::Open('('), rest @ ..]) if arguments(rest) == Some(1) => additions += 1,
            (member, _) if BINS.contains(&member) => {}
            _ => return false,
        }
    }
    additions <= MOST
}
