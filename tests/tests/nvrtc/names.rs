//! With structs and parameters of any accepted name, the generated source keeps its meaning.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rayon::prelude::*;
use td_kernel::__private::Sweep;
use td_kernel::Result;
use td_kernel::nvrtc::{self, Compiled};
use td_kernel_geometry::Root;
use td_kernel_tests::covering::{EVERY, chosen};
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::{Choice, NoFiles, OPTIONS, every, folds, source, tokens};

/// The names in the sources of all maps and sweeps, and some of CUDA's and of compilers'. By default there are few sources:
/// they cover each map with each root, space and grid, and each sweep with and without the diagonal and in each tile size.
static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let of_others =
        ["dim3", "gridDim", "linux", "main", "printf", "size_t", "std", "unix", "warpSize"];
    let mut names: BTreeSet<String> = of_others.map(str::to_owned).into();
    let all: Vec<_> = Choice::maps().into_iter().chain(Choice::tiles()).collect();
    let of_texts = |choice: &Choice| {
        let Choice { map, root, space, linear, sweep, square, diagonal, .. } = choice;
        vec![
            format!("{map} {root:?} {space:?} {linear}"),
            format!("{sweep:?} {square} {diagonal} {}", *map == "walk"),
            format!("{sweep:?} {square} of {}", choice.side()),
        ]
    };
    for choice in chosen(&all, of_texts) {
        names.extend(names_of(&choice));
    }
    names
});

/// The [`NAMES`] that are accepted in place of NAME.
fn names_allowed_in(item: &str) -> Vec<String> {
    let mut names = NAMES.clone();
    // With one source, since the same names are rejected for all keys.
    let is_allowed = |name: &String| {
        item.replace("NAME", name).parse().is_ok_and(|item| {
            td_kernel_codegen::cuda_sources(tokens("tile = 0"), item, &NoFiles).is_ok()
        })
    };
    names.retain(is_allowed);
    assert!(names.len() > 100, "{names:?}");
    names.into_iter().collect()
}

/// The names in a choice's source.
fn names_of(choice: &Choice) -> BTreeSet<String> {
    let text = source(&choice.attribute(), &every::item(choice));
    let code = text.lines().filter_map(|line| line.split("//").next());
    let code = code.collect::<Vec<_>>().join("\n");
    let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    words.filter(is_name).map(str::to_owned).collect()
}

/// The `names` that occur in this choice's source, and so can have a meaning in it. The first place tests all names, including
/// those of compilers.
fn names_for(place: usize, choice: &Choice, names: &[String]) -> Vec<String> {
    let own = names_of(choice);
    names.iter().filter(|name| place == 0 || own.contains(*name)).cloned().collect()
}

/// One choice for each sweep, and for each map in the classic one.
fn sweeps_and_maps() -> Vec<Choice> {
    let mut choices: Vec<_> = Choice::maps().into_iter().chain(Choice::tiles()).collect();
    choices.retain(|choice| choice.root == Root::Exact && !choice.diagonal && !choice.linear);
    choices.retain(|choice| choice.map == "ltm" || choice.sweep == Sweep::Classic);
    // The declarations of a map's and a sweep's source do not depend on the sizes.
    let sweep = |choice: &Choice| format!("{:?} {}", choice.sweep, choice.square);
    chosen(&choices, |choice| vec![sweep(choice), format!("{} {:?}", choice.map, choice.space)])
}

/// The attribute that makes the last parameter a result of each element, if the sweep needs one, and the statement that adds to
/// it.
fn of_each(choice: &Choice) -> (&'static str, &'static str) {
    match choice.sweep {
        Sweep::Rotate => ("#[each]", "t9.i += 1;"),
        _ => ("", "t9 += 1;"),
    }
}

/// A line that defines a struct of this name and uses it, with index `at`.
fn line_of_struct(at: usize, name: &str) -> String {
    format!(
        "struct {name} {{ float value; }}; extern \"C\" __global__ void f{at}_kernel({name} x) {{ }}\n"
    )
}

/// Compiles a source to PTX: names do not matter for machine code.
fn compile(text: &str) -> Result<Compiled> {
    let newest = nvrtc::architectures()?.into_iter().max().unwrap_or_default();
    nvrtc::compile("every", text, OPTIONS, newest + 10)
}

/// Keeps the names that a struct can have without other source. All are compiled together, and again without those in whose
/// lines NVRTC finds a mistake, which are then compiled one by one, because some only conflict with each other.
fn retain_valid(names: &mut Vec<String>) {
    let mut wrong = BTreeSet::new();
    loop {
        let others: Vec<_> = names.iter().filter(|name| !wrong.contains(*name)).cloned().collect();
        let lines = others.iter().enumerate().map(|(at, name)| line_of_struct(at, name));
        let Err(error) = compile(&lines.collect::<String>()) else { break };
        let error = error.to_string();
        let is_named = |at: usize| error.contains(&format!("every.cu:{}: error", at + 1));
        let named = others.into_iter().enumerate().filter(|(at, _)| is_named(*at));
        let before = wrong.len();
        wrong.extend(named.map(|(_, name)| name));
        assert!(wrong.len() > before, "{error}");
    }
    names.retain(|name| !wrong.contains(name) || compile(&line_of_struct(0, name)).is_ok());
}

/// With any struct name, the generated source keeps its meaning. By default, more structs are in one source.
#[test]
fn structs_with_every_allowed_name() {
    let mut names =
        names_allowed_in("unsafe fn f(x: &[NAME], t9: &mut Sum<u32>) { r#\" t9 += 1; \"# }");
    // CUDA's own functions and variables are not valid struct names in any source.
    retain_valid(&mut names);
    assert!(names.len() > 100, "{names:?}");
    // The tests of folds have a parameter `own`, and the kernel's variables derive from its name.
    names.retain(|name| name != "own" && !name.starts_with("own_"));
    sweeps_and_maps().par_iter().enumerate().check_each(|(place, choice)| {
        let names = names_for(place, choice, &names);
        let slot = match choice.sweep {
            Sweep::Columns => "Sum<u32>",
            Sweep::Rotate => "Sums<u32>",
            _ if choice.sweep == Sweep::Mirror || choice.square => "Square<u8>",
            _ => "Packed<u8>",
        };
        for names in names.chunks(if EVERY { 20 } else { 80 }) {
            let all = names.iter().enumerate();
            // An `#[each]` parameter, so that the type's name occurs among the kernel's variables.
            let parameters = all.map(|(at, name)| format!("#[each] a{at}: &[{name}], "));
            let parameters: String = parameters.collect();
            let (of_each, add) = of_each(choice);
            let item =
                format!("unsafe fn f({parameters} {of_each} t9: &mut {slot}) {{ r#\" {add} \"# }}");
            let item = folds::item(&item, choice.sweep);
            let structs = names.iter().map(|name| format!("struct {name} {{ float value; }};\n"));
            let text = structs.collect::<String>() + &source(&choice.attribute(), &item);
            compile(&text).unwrap_or_else(|error| panic!("{choice:?} {item}\n{error}"));
        }
    });
}

/// With any parameter name, the generated source keeps its meaning. By default, more parameters are in one source.
#[test]
fn parameters_with_every_allowed_name() {
    let names = names_allowed_in("unsafe fn f(NAME: u8, t9: &mut Sum<u32>) { r#\" t9 += 1; \"# }");
    sweeps_and_maps().par_iter().enumerate().check_each(|(first, choice)| {
        let slot = match choice.sweep == Sweep::Mirror || choice.square {
            true => "NAME: &mut Square<u8>",
            false => "NAME: &mut Packed<u8>",
        };
        let mut kinds = vec!["#[each] NAME: &[[f32; 3]]", "NAME: &[f64]", "NAME: u8"];
        if !choice.sweep.keeps_rows() {
            kinds.push(slot);
        }
        // The smallest tile has room for some more features and folds.
        if choice.sweep == Sweep::Fold && choice.tile == 32 {
            kinds.extend(["#[fold] NAME: u8", "#[each] NAME: &Features<f32>"]);
        }
        if choice.sweep != Sweep::Rows || !choice.square {
            kinds.extend([
                "NAME: &mut [u8]",
                "NAME: &mut Sum<u32>",
                "NAME: &mut Pairs",
                "NAME: &mut Pairs<f32>",
            ]);
        }
        let last = match choice.sweep {
            Sweep::Rotate => "NAME: &mut Sums<u32>",
            _ if choice.sweep.keeps_rows() => "NAME: &mut Sum<u32>",
            _ => slot,
        };
        let (of_each, add) = of_each(choice);
        let last = format!("{of_each} {}", last.replace("NAME", "t9"));
        let turn = first % kinds.len();
        kinds.rotate_left(turn);
        let mut names = names_for(first, choice, &names);
        if choice.sweep == Sweep::Fold {
            // Names of kernels over features, which other kernels may use, and names of the tests' parameters.
            names.retain(|name| !["features", "folded", "k", "own"].contains(&name.as_str()));
        }
        // A block has shared memory for one more parameter of features.
        let rounds = match choice.sweep {
            Sweep::Fold => 1,
            _ if EVERY => 3,
            _ => 9,
        };
        for chunk in names.chunks(rounds * kinds.len()) {
            let parameters = chunk.iter().zip(kinds.iter().cycle());
            let parameters: Vec<_> =
                parameters.map(|(name, kind)| kind.replace("NAME", name)).collect();
            let parameters = parameters.join(", ");
            // Outputs and folds must be used.
            let outputs = chunk.iter().zip(kinds.iter().cycle());
            let outputs = outputs.filter(|(_, kind)| kind.contains("&mut "));
            let used: String = outputs.map(|(name, _)| format!("(void){name}; ")).collect();
            let item = format!("unsafe fn f({parameters}, {last}) {{ r#\" {used}{add} \"# }}");
            let of_folds = chunk.iter().zip(kinds.iter().cycle());
            let of_folds = of_folds.filter(|(_, kind)| kind.starts_with("#[fold]"));
            let folded: String = of_folds.map(|(name, _)| format!("{name} += 1; ")).collect();
            let item = folds::item(&item, choice.sweep);
            let item = item.replace("folded += ", &format!("{folded}folded += "));
            let compiled = compile(&source(&choice.attribute(), &item));
            let compiled = compiled.unwrap_or_else(|error| panic!("{item}\n{error}"));
            assert_eq!(compiled.warnings, "", "{choice:?} {item}");
        }
    });
}
