//! The attribute `td_kernel` and the derive `DeviceType`.
//!
//! Use them through the crate `td-kernel`, which re-exports both and contains the items that their expansions call. This crate
//! only passes tokens to `td-kernel-codegen`, and is the only place that reads files.

use std::path::{Path, PathBuf};

use proc_macro::TokenStream;
use proc_macro2::Span;
use td_kernel_codegen::Files;

#[doc = include_str!("../docs/td_kernel.md")]
#[proc_macro_attribute]
pub fn td_kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    td_kernel_codegen::td_kernel(attribute.into(), item.into(), &CompilerFiles).into()
}

#[doc = include_str!("../docs/device_type.md")]
#[proc_macro_derive(DeviceType, attributes(device_type))]
pub fn device_type(item: TokenStream) -> TokenStream {
    td_kernel_codegen::device_type(item.into()).into()
}

/// For the runtime alone: what launches over lists, and those shared with other processes, do not support.
#[doc(hidden)]
#[proc_macro]
pub fn other_launches(_: TokenStream) -> TokenStream {
    td_kernel_codegen::other_launches().into()
}

/// The compiler's view of files.
struct CompilerFiles;

impl Files for CompilerFiles {
    fn shown(&self, span: Span) -> String {
        shown(Path::new(&span.file()))
    }

    fn read(&self, span: Span, path: &str) -> Result<(String, String), String> {
        // A path from another machine leads to no file; the message then says so.
        let from = span.local_file().unwrap_or_else(|| span.file().into());
        let name = shown(&beside(Path::new(&span.file()), path));
        match std::fs::read_to_string(beside(&from, path)) {
            Ok(text) => Ok((text, name)),
            Err(error) => Err(format!(
                "cannot read {name}: {error}; the path is relative to the folder of the file that contains it"
            )),
        }
    }

    fn tokens(&self, span: Span) -> Option<proc_macro2::TokenStream> {
        std::fs::read_to_string(span.local_file()?).ok()?.parse().ok()
    }
}

/// Resolves `path` as `include_str!` does in the file `from`.
fn beside(from: &Path, path: &str) -> PathBuf {
    from.parent().map_or_else(|| PathBuf::from(path), |folder| folder.join(path))
}

/// A path as messages show it: relative to the package's folder if it is inside, because the generated source must not depend
/// on where a machine keeps its files.
fn shown(file: &Path) -> String {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let inside = package.and_then(|package| file.strip_prefix(package).ok());
    inside.unwrap_or(file).display().to_string()
}
