//! Where a kernel is in its file. The compiler does not tell a macro that it is in an `impl`, and its error about the generated
//! items is only "struct is not supported".

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::ext::IdentExt;

use super::item::Function;
use crate::Files;

/// Whether the function is certainly among the items of an `impl` or a `trait`.
pub(super) fn is_associated(function: &Function, files: &dyn Files) -> bool {
    let span = function.name.span();
    // An item of an `impl` is indented. The test avoids reading the file, which takes time.
    if function.is_method() || span.start().column <= "unsafe fn ".len() {
        return false;
    }
    let name = function.name.unraw().to_string();
    files.tokens(span).is_some_and(|tokens| all_associated(tokens, &name))
}

/// Whether these tokens contain kernels of this name, all of them in an `impl` or a `trait`.
fn all_associated(tokens: TokenStream, name: &str) -> bool {
    let mut found = Found::default();
    found.add(tokens, name, false);
    found.associated > 0 && found.free == 0
}

/// The number of kernels with a name.
#[derive(Default)]
struct Found {
    associated: usize,
    free: usize,
}

/// The state after an item's first tokens.
#[derive(Default)]
struct Item {
    is_function: bool,
    is_kernel: bool,
    associates: bool,
}

impl Found {
    /// Counts the kernels among these tokens; `is_associated` is whether they are in an `impl` or a `trait`.
    fn add(&mut self, tokens: TokenStream, name: &str, is_associated: bool) {
        let mut item = Item::default();
        for token in tokens {
            match token {
                TokenTree::Ident(word) if word == "fn" => item.is_function = true,
                TokenTree::Ident(word)
                    if item.is_function && item.is_kernel && word.unraw() == name =>
                {
                    let count = if is_associated { &mut self.associated } else { &mut self.free };
                    *count += 1;
                    item.is_kernel = false;
                }
                TokenTree::Ident(word) => item.associates |= word == "impl" || word == "trait",
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                    item.is_kernel |= group.stream().to_string().contains("td_kernel");
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let inner = std::mem::take(&mut item);
                    self.add(group.stream(), name, inner.associates && !inner.is_function);
                }
                TokenTree::Punct(sign) if sign.as_char() == ';' => item = Item::default(),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::all_associated;

    #[test]
    fn kernels_in_impls_are_detected() {
        let kernel = "#[td_kernel] unsafe fn edm(#[each] x: &[f32]) { r#\"\"# }";
        for (text, expected) in [
            (kernel.to_owned(), false),
            (format!("impl A {{ const B: u8 = 1; {kernel} }}"), true),
            (format!("unsafe impl<T> A for B<T> where T: C {{ {kernel} }}"), true),
            (format!("mod m {{ pub trait A: B {{ fn f(&self) {{}} {kernel} }} }}"), true),
            (format!("impl A {{ fn f() {{ {kernel} }} }}"), false),
            (format!("impl A {{ fn f() -> impl B {{ {kernel} }} }}"), false),
            (format!("fn f(x: impl A) -> impl B {{ {kernel} }}"), false),
            (format!("impl A {{}} mod m {{ {kernel} }}"), false),
            (format!("impl A {{ {kernel} }} {kernel}"), false),
            // That is another function of the name.
            ("impl A { fn edm(&self) {} } kernel!(edm);".into(), false),
            ("impl A { #[test] fn edm() {} #[td_kernel] fn other() {} }".into(), false),
            ("impl A { #[td_kernel::td_kernel(tile = 64)] pub unsafe fn edm() {} }".into(), true),
        ] {
            assert_eq!(all_associated(text.parse().unwrap(), "edm"), expected, "{text}");
        }
    }
}
