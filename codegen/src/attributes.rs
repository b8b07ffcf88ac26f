//! The attributes of the annotated function that the generated items keep.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

use quote::quote;

/// The kept attributes, by destination.
#[derive(Default)]
pub(crate) struct Attributes {
    /// Documentation and lint levels: kept by the generated type.
    pub(crate) type_attributes: Vec<Attribute>,
    /// `cfg`s: kept by every generated item.
    pub(crate) conditions: Vec<Attribute>,
    /// The lint levels among `type_attributes`.
    pub(crate) levels: Vec<Attribute>,
    /// Whether the kernel has documentation.
    pub(crate) is_documented: bool,
    /// Whether the kernel is deprecated, under any condition.
    pub(crate) is_deprecated: bool,
}

/// The lint levels. `expect` is missing: each item that repeats it would have to fulfil it.
const LEVELS: &[&str] = &["allow", "warn", "deny", "forbid"];

impl Attributes {
    /// Sorts the function's attributes. Each part of a `cfg_attr` goes where it would go without the condition.
    pub(crate) fn of(function: &[Attribute]) -> Attributes {
        let mut kept = Attributes::default();
        for attribute in function {
            match &attribute.meta {
                Meta::List(list) if list.path.is_ident("cfg_attr") => {
                    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
                    // rustc reports an unreadable `cfg_attr`.
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
                    // A conditional `doc` does not count: it may be absent, and the default documentation beside it does no
                    // harm.
                    kept.is_documented |= meta.path().is_ident("doc");
                    kept.keep(attribute.clone(), meta);
                }
            }
        }
        kept
    }

    /// Sorts one attribute by its meaning. Compares paths, because the tokens of an attribute may mention any other attribute.
    fn keep(&mut self, attribute: Attribute, meaning: &Meta) {
        self.is_deprecated |= meaning.path().is_ident("deprecated");
        if LEVELS.iter().any(|level| meaning.path().is_ident(level)) {
            self.levels.push(attribute.clone());
        }
        let is_condition = meaning.path().is_ident("cfg");
        if is_condition { &mut self.conditions } else { &mut self.type_attributes }.push(attribute);
    }
}
