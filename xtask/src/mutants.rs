//! `cargo xtask mutants --rust FILE`: changes operators of Rust files, and prints the changes that no test shows.
//!
//! A copy of the repository is built once with every change in it. A variable of the environment chooses the one that a run has,
//! so that a mutant costs what the tests cost.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, parse_quote};
use xshell::{Shell, cmd};

use crate::target;

/// The variable that chooses a change.
const CHOICE: &str = "TD_MUTANT";

/// A run that takes this many times as long as one without a change has a loop without an end.
const SLOW: u32 = 4;

/// The program that runs the catalogue's kernels.
const CATALOGUE: &str = "catalogue";

/// Builds tests.
const TEST: [&str; 2] = ["test", "--no-run"];

/// A change of an operator.
struct Mutant {
    place: String,
    change: String,
}

/// What shows changes.
pub(crate) enum Shown {
    /// The catalogue's kernels, or those with this text.
    Kernels(Option<String>),
    /// A test program.
    Test(String),
    /// All tests of a package.
    Package(String),
}

impl Shown {
    /// What cargo is called with.
    fn targets(&self) -> Vec<&str> {
        let of_tests = ["--package", "td-kernel-tests", "--features", "every"];
        match self {
            Shown::Kernels(_) => [&["build"], &of_tests[..], &["--bin", CATALOGUE]].concat(),
            Shown::Test(name) => [&TEST, &of_tests[..], &["--test", name]].concat(),
            Shown::Package(name) => {
                [&TEST[..], &["--package", name, "--tests", "--all-features"]].concat()
            }
        }
    }

    /// What the program is called with.
    fn arguments(&self) -> Vec<&str> {
        match self {
            Shown::Kernels(with) => ["run"].into_iter().chain(with.as_deref()).collect(),
            _ => Vec::new(),
        }
    }
}

/// A program that shows changes, and where it runs.
struct Program {
    path: String,
    folder: PathBuf,
}

/// Tries this many changes of these files, which the seed chooses.
pub(crate) fn run(
    shell: &Shell,
    files: &[String],
    shown: &Shown,
    count: usize,
    seed: u64,
) -> Result<()> {
    let folder = target(shell)?.join("mutants");
    let copy = folder.join("copy");
    shell.remove_path(&copy)?;
    shell.create_dir(&copy)?;
    cmd!(shell, "git checkout-index --all --prefix={copy}/").run()?;
    let mut mutants = Vec::new();
    for file in files {
        let text = shell.read_file(file)?;
        let parsed = syn::parse_file(&text).with_context(|| file.clone())?;
        shell.write_file(copy.join(file), changed(parsed, file, &mut mutants))?;
    }
    let programs = build(shell, &folder, &copy, shown)?;
    let tests = |choice: usize, limit| is_right(shell, &programs, shown, choice, limit);
    let start = Instant::now();
    ensure!(tests(0, Duration::from_secs(3600))?, "a test fails without a change");
    let limit = start.elapsed() * SLOW;
    let mut chosen: Vec<_> = (1..).zip(&mutants).collect();
    let hasher = BuildHasherDefault::<DefaultHasher>::new();
    chosen.sort_by_cached_key(|(choice, _)| hasher.hash_one((seed, choice)));
    chosen.truncate(count);
    let mut lives = 0;
    for (done, (choice, Mutant { place, change })) in (1..).zip(&chosen) {
        if tests(*choice, limit)? {
            lives += 1;
            println!("{place}: {change}");
        }
        eprint!("\r{done} of {} in {} s ", chosen.len(), start.elapsed().as_secs());
    }
    println!("\n{lives} of {} mutants live, of {} in all", chosen.len(), mutants.len());
    Ok(())
}

/// Builds the copy. Returns the programs that run the tests.
fn build(shell: &Shell, folder: &Path, copy: &Path, shown: &Shown) -> Result<Vec<Program>> {
    let _copy = shell.push_dir(copy);
    let _flags = shell.push_env("RUSTFLAGS", "--cap-lints warn");
    let _target = shell.push_env("CARGO_TARGET_DIR", folder.join("target"));
    let targets = shown.targets();
    let are_tests = !matches!(shown, Shown::Kernels(_));
    let messages = cmd!(shell, "cargo {targets...} --message-format json").read()?;
    let mut programs = Vec::new();
    for line in messages.lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        // Cargo builds the programs of a package, too, for its tests.
        let is_test = message["profile"]["test"] == true;
        let is_shown = if are_tests { is_test } else { message["target"]["name"] == CATALOGUE };
        let [path, manifest] = ["executable", "manifest_path"].map(|key| message[key].as_str());
        if let (true, Some(path), Some(manifest)) = (is_shown, path, manifest) {
            let folder = Path::new(manifest).parent().unwrap_or(copy).to_owned();
            programs.push(Program { path: path.to_owned(), folder });
        }
    }
    ensure!(!programs.is_empty(), "cargo built no test");
    Ok(programs)
}

/// Whether all tests pass with a change.
fn is_right(
    shell: &Shell,
    programs: &[Program],
    shown: &Shown,
    choice: usize,
    limit: Duration,
) -> Result<bool> {
    let limit = format!("{}s", limit.as_secs() + 1);
    let (choice, arguments) = (choice.to_string(), &shown.arguments()[..]);
    for Program { path, folder } in programs {
        let _folder = shell.push_dir(folder);
        let run = cmd!(shell, "timeout --kill-after=1s {limit} {path} {arguments...}");
        let output = run.env(CHOICE, &choice).quiet().ignore_status().output()?;
        if !output.status.success() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A file with every change of its operators, each chosen at run time.
fn changed(mut file: syn::File, name: &str, mutants: &mut Vec<Mutant>) -> String {
    Changes { name, mutants }.visit_file_mut(&mut file);
    let choice = quote! {
        fn td_is_mutant(own: usize) -> bool {
            static CHOICE: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
            let choice = CHOICE.get_or_init(|| {
                std::env::var(#CHOICE).ok().and_then(|choice| choice.parse().ok()).unwrap_or(0)
            });
            *choice == own
        }
    };
    format!("{}\n{choice}\n", file.into_token_stream())
}

struct Changes<'a> {
    name: &'a str,
    mutants: &'a mut Vec<Mutant>,
}

impl VisitMut for Changes<'_> {
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        let attributes = match item {
            syn::Item::Mod(each) => &each.attrs,
            syn::Item::Const(_) | syn::Item::Static(_) | syn::Item::Macro(_) => return,
            syn::Item::Fn(each) if each.sig.constness.is_some() => return,
            _ => return visit_mut::visit_item_mut(self, item),
        };
        if !attributes.iter().any(|each| each.to_token_stream().to_string().contains("test")) {
            visit_mut::visit_item_mut(self, item);
        }
    }

    fn visit_impl_item_mut(&mut self, item: &mut syn::ImplItem) {
        match item {
            syn::ImplItem::Fn(each) if each.sig.constness.is_none() => {
                visit_mut::visit_impl_item_fn_mut(self, each);
            }
            _ => {}
        }
    }

    // The lengths of arrays are constants.
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}

    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let Expr::Binary(binary) = &*expr else { return };
        let text = |expr: &Expr| expr.to_token_stream().to_string();
        let is_text = [&binary.left, &binary.right]
            .iter()
            .any(|side| matches!(***side, Expr::Reference(_)) || text(side).contains('"'));
        let has_let = text(expr).contains("let ");
        let Some(other) = other(&binary.op).filter(|_| !is_text && !has_let) else { return };
        let mut changed = binary.clone();
        changed.op = other;
        self.mutants.push(Mutant {
            place: format!("{}:{}", self.name, binary.op.span().start().line),
            change: format!(
                "{} for {} in {}",
                other.to_token_stream(),
                binary.op.to_token_stream(),
                text(expr).chars().take(90).collect::<String>()
            ),
        });
        let own = self.mutants.len();
        *expr = parse_quote!((if td_is_mutant(#own) { #changed } else { #binary }));
    }
}

/// What replaces an operator.
fn other(operator: &BinOp) -> Option<BinOp> {
    Some(match operator {
        BinOp::Lt(_) => parse_quote!(<=),
        BinOp::Le(_) => parse_quote!(<),
        BinOp::Gt(_) => parse_quote!(>=),
        BinOp::Ge(_) => parse_quote!(>),
        BinOp::Eq(_) => parse_quote!(!=),
        BinOp::Ne(_) => parse_quote!(==),
        BinOp::And(_) => parse_quote!(||),
        BinOp::Or(_) => parse_quote!(&&),
        BinOp::Add(_) => parse_quote!(-),
        BinOp::Sub(_) => parse_quote!(+),
        BinOp::Mul(_) => parse_quote!(+),
        BinOp::Div(_) => parse_quote!(*),
        BinOp::Rem(_) => parse_quote!(/),
        BinOp::AddAssign(_) => parse_quote!(-=),
        BinOp::SubAssign(_) => parse_quote!(+=),
        BinOp::Shl(_) => parse_quote!(>>),
        BinOp::Shr(_) => parse_quote!(<<),
        _ => return None,
    })
}
