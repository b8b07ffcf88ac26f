//! The attributes of the annotated function that the generated items keep.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

use quote::quote;

/// The attributes that are kept, by where they go.
#[derive(Default)]
pub(crate) struct Attributes {
    /// Documentation and lint levels, which the generated type keeps.
    pub(crate) of_type: Vec<Attribute>,
    /// `cfg`s, which every generated item keeps.
    pub(crate) conditions: Vec<Attribute>,
    /// The lint levels among those of the type.
    pub(crate) levels: Vec<Attribute>,
    /// Whether there is documentation.
    pub(crate) is_documented: bool,
    /// Whether the kernel is deprecated, under whatever condition.
    pub(crate) is_deprecated: bool,
}

/// The levels that a lint can be given. (An expectation would have to be fulfilled by each item that repeats it.)
const LEVELS: &[&str] = &["allow", "warn", "deny", "forbid"];

impl Attributes {
    /// The function's attributes. Each part of a `cfg_attr` goes where it would go without the condition.
    pub(crate) fn of(function: &[Attribute]) -> Attributes {
        let mut kept = Attributes::default();
        for attribute in function {
            match &attribute.meta {
                Meta::List(list) if list.path.is_ident("cfg_attr") => {
                    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
                    // rustc reports a `cfg_attr` that cannot be read.
                    let Ok(parts) = list.parse_args_with(parser) else { continue };
                    let mut parts = parts.into_iter();
                    let Some(predicate) = parts.next() else { continue };
                    for part in parts {
                        let mut conditional = attribute.clone();
                        if let Meta::List(list) = &mut conditional.meta {
                            list.tokens = quote!(#predicate, #part);
                        }
                        kept.keep(conditional, &part);
                    }
                }
                meta => {
                    // A conditional `doc` does not count: it may be absent, and the default documentation beside it
                    // does no harm.
                    kept.is_documented |= meta.path().is_ident("doc");
                    kept.keep(attribute.clone(), meta);
                }
            }
        }
        kept
    }

    /// Keeps an attribute by what it means. Paths are compared, since the text of an attribute may mention any other.
    fn keep(&mut self, attribute: Attribute, meaning: &Meta) {
        self.is_deprecated |= meaning.path().is_ident("deprecated");
        if LEVELS.iter().any(|level| meaning.path().is_ident(level)) {
            self.levels.push(attribute.clone());
        }
        let is_condition = meaning.path().is_ident("cfg");
        if is_condition { &mut self.conditions } else { &mut self.of_type }.push(attribute);
    }
}
