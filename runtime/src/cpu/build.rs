//! From a kernel's text to a shared library.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::compiler::Compiler;
use super::folder::{self, Folder};
use super::interface::{Context, Request};
use super::kept::{self, Kept, Key};
use super::program::Program;
use super::{process, stacks};
use crate::Result;
use crate::backend::Text;
use crate::compiler_messages::explained;
use crate::error::Cause;
use crate::nvrtc::{Cache, includes_files};

/// A compiled library in a directory of its own, which goes away with this value.
struct Library {
    directory: Folder,
    /// The size of a stack on which its threads can run.
    stack: usize,
    /// What the compiler said.
    warnings: String,
}

/// The headers that stand in for what CUDA gives a kernel without an `#include`.
const SHIM: [(&str, &str); 16] = [
    ("prelude.h", include_str!("shim/prelude.h")),
    ("qualifiers.h", include_str!("shim/qualifiers.h")),
    ("vector_types.h", include_str!("shim/vector_types.h")),
    ("execution.h", include_str!("shim/execution.h")),
    ("barriers.h", include_str!("shim/barriers.h")),
    ("warp_functions.h", include_str!("shim/warp_functions.h")),
    ("warp_reductions.h", include_str!("shim/warp_reductions.h")),
    ("atomics.h", include_str!("shim/atomics.h")),
    ("memory.h", include_str!("shim/memory.h")),
    ("integer_functions.h", include_str!("shim/integer_functions.h")),
    ("simd_functions.h", include_str!("shim/simd_functions.h")),
    ("conversions.h", include_str!("shim/conversions.h")),
    ("float_functions.h", include_str!("shim/float_functions.h")),
    ("special_functions.h", include_str!("shim/special_functions.h")),
    ("rounding_functions.h", include_str!("shim/rounding_functions.h")),
    ("minimum_maximum.h", include_str!("shim/minimum_maximum.h")),
];

/// The shim's folder as messages show it: a note such as "candidate function" can lead there.
const SHIM_FOLDER: &str = "td_kernel_cpu";

const OPTIONS: &[&str] = &[
    "-std=c++17",
    "-shared",
    "-fPIC",
    // Only the entry is exported, and calls within the library are direct.
    "-fvisibility=hidden",
    // There is no errno in CUDA, and without it a square root is one instruction.
    "-fno-math-errno",
    // A body may read floats as a float4: nvcc allows it. The generated text itself does not need it.
    "-fno-strict-aliasing",
    // CUDA has no exceptions, and none could unwind across a fiber's stack.
    "-fno-exceptions",
    // `#pragma unroll` is for nvcc.
    "-Wno-unknown-pragmas",
    // Without it, g++ notes an old change of its ABI at every parameter aligned to 32 bytes.
    "-Wno-psabi",
    // Off by default in g++, but no body leaves out a `return` on purpose.
    "-Wreturn-type",
    // A function that is declared but not defined is a build error with its name. Otherwise the call would end the
    // process.
    #[cfg(target_os = "linux")]
    "-Wl,-z,defs",
];

/// Options for a GPU's text.
const OF_THREADS: &[&str] = &[
    "-O2",
    // A product and a sum are rounded as they are written, on every processor.
    "-ffp-contract=off",
];

/// Options for plain loops, which become vector instructions.
const OF_LOOPS: &[&str] = &[
    "-O3",
    // A product and a sum are rounded as they are written, unless the text asks for another option.
    "-ffp-contract=off",
    // No operation on floats traps, in CUDA neither: so a condition around one can become a choice between values.
    "-fno-trapping-math",
];

/// What a line starts with that asks for an option.
const OPTION_LINE: &str = "// C++ option: ";

/// The options that a text asks for in its first lines, which are comments.
fn of_text(text: &str) -> impl Iterator<Item = &str> {
    let first = text.lines().take_while(|line| line.starts_with("//"));
    first.filter_map(|line| line.strip_prefix(OPTION_LINE)).map(str::trim)
}

/// Options for plain loops that not every compiler knows.
const WISHES_OF_LOOPS: &[&str] = &[
    // A loop's sums may be added up in the order of its vectors, where its `#pragma omp simd` says so.
    "-fopenmp-simd",
    // clang warns where it cannot make vectors of such a loop.
    "-Wno-pass-failed",
    // The library runs on this machine only.
    "-march=native",
    // g++ would make a call of `memcpy` of the loops that store folds, and would then no longer keep these in registers:
    // distances took 1.6 times as long.
    "-fno-tree-loop-distribute-patterns",
];

/// Options that not every compiler knows.
const WISHES: &[&str] = &[
    // A frame that is larger than a guard page touches each page of itself, and so cannot jump over the guard.
    "-fstack-clash-protection",
    // Files that say how large the frames of all functions are.
    "-fstack-usage",
];

/// The local memory that a GPU gives a thread for its variables.
const LOCAL_MEMORY: usize = 512 * 1024;

/// What plain loops keep of a block's columns and of a part's rows, at most: it is in the frame of the variables.
const OF_BLOCKS: usize = 256 * 1024;

/// Stack for functions of the system's libraries, and for the fiber itself.
const MARGIN: usize = 64 * 1024;

/// Compiles and loads a kernel, or loads what an earlier process has compiled and kept in the cache.
pub(super) fn program(
    compiler: &Compiler,
    text: &Text<'_>,
    cache: Option<&Cache>,
) -> Result<Program> {
    let folder = cache.filter(|cache| !cache.is_off()).map(Cache::folder);
    let kept = folder.and_then(|folder| Some((folder, key(compiler, text)?)));
    let library = match kept.as_ref().and_then(|(folder, key)| kept::lookup(folder, key)) {
        Some(found) => {
            tracing::debug!("kernel `{}` comes from the cache", text.kernel);
            unpacked(compiler, text, &found)?
        }
        None => {
            let library = build(compiler, text)?;
            if let Some((folder, key)) = &kept {
                library.keep(folder, key);
            }
            library
        }
    };
    Program::load(text.kernel, &library.path(), library.stack)
    // The file is removed here, and the loaded library stays. On a system that locks loaded files, the file stays too.
}

/// What a compiled library depends on. `None` where it cannot be known.
fn key(compiler: &Compiler, text: &Text<'_>) -> Option<Key> {
    if includes_files(text.source) {
        return None;
    }
    let command = compiler.command();
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.as_encoded_bytes()).collect();
    // Which of the options a compiler knows follows from the compiler.
    let options = [OPTIONS, OF_THREADS, OF_LOOPS, WISHES, WISHES_OF_LOOPS, of_processor()].concat();
    let shim = SHIM.iter().map(|(_, text)| text.as_bytes());
    let counts = [words.len() as u8, options.len() as u8, u8::from(text.is_loops)];
    let own = [text.kernel, text.entry, text.source, compiler.describe()].map(str::as_bytes);
    let parts = words.into_iter().chain(options.iter().map(|option| option.as_bytes()));
    Key::of(parts.chain(shim).chain(own).chain([counts.as_slice()]))
}

/// A library from the cache, in a directory of its own: only what was read and checked is loaded.
fn unpacked(compiler: &Compiler, text: &Text<'_>, found: &Kept) -> Result<Library> {
    let library = Library::new(found.stack)?;
    let path = library.path();
    std::fs::write(&path, &found.library)
        .map_err(|reason| Cause::Io { action: "write", path, reason }.into())?;
    warn(compiler, text.kernel, &found.warnings);
    Ok(library)
}

/// Reports a compiler's warnings.
fn warn(compiler: &Compiler, kernel: &str, log: &str) {
    if !log.is_empty() {
        tracing::warn!(kernel, compiler = compiler.describe(), "{log}");
    }
}

/// Compiles the kernel's text. Warnings go to `tracing`, errors into the result.
fn build(compiler: &Compiler, whole: &Text<'_>) -> Result<Library> {
    let Text { kernel, entry, source, is_loops, .. } = *whole;
    let mut library = Library::new(stacks::USUAL_SIZE)?;
    let folder = library.directory.path();
    let known = known(compiler, folder)?;
    write_shim(folder)?;
    let (extension, way) = if is_loops { ("cpp", "TD_CPU_LOOPS") } else { ("cu", "TD_CPU_ENTRY") };
    let text = folder.join(format!("{entry}.{extension}"));
    write(&text, &format!("{source}\n#line 1 \"{SHIM_FOLDER}/entry\"\n{way}({entry})\n"))?;

    let mut command = command(compiler, folder, &text, &library.path());
    let is_for_text = |wish: &&&str| is_loops || !WISHES_OF_LOOPS.contains(wish);
    command.args(known.iter().filter(is_for_text));
    match is_loops {
        true => command.args(OF_LOOPS).args(of_text(source)),
        false => command.args(OF_THREADS).args(of_processor()),
    };
    let output = run(compiler, &mut command)?;
    let log = log(folder, &output);
    if !output.status.success() {
        return Err(Cause::Compile {
            kernel: kernel.to_owned(),
            compiler: compiler.describe().to_owned(),
            log: explained(kernel, source, &log),
        }
        .into());
    }
    warn(compiler, kernel, &log);
    library.warnings = log;
    let frames = Frames::of(folder);
    if frames.largest > LOCAL_MEMORY + if is_loops { OF_BLOCKS } else { 0 } {
        return Err(Cause::Compile {
            kernel: kernel.to_owned(),
            compiler: compiler.describe().to_owned(),
            log: format!(
                "its variables take {} bytes of a thread's stack, and a GPU's thread has {LOCAL_MEMORY} bytes of local memory: write smaller arrays, or keep them in a slice",
                frames.largest
            ),
        }.into());
    }
    // Without recursion each function has at most one frame on the stack, so the sum of all frames is enough.
    library.stack = stacks::USUAL_SIZE.max(frames.all + MARGIN);
    Ok(library)
}

/// The sizes of the frames of a library's functions, in bytes, as far as the compiler knows them.
#[derive(Default)]
struct Frames {
    largest: usize,
    all: usize,
}

impl Frames {
    /// The frames in the files that `-fstack-usage` has left in a folder. Compilers name these files differently.
    fn of(folder: &Path) -> Frames {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let files = files.map(|file| file.path());
        let files = files.filter(|path| path.extension().is_some_and(|end| end == "su"));
        let texts = files.filter_map(|path| std::fs::read(path).ok());
        texts.fold(Frames::default(), |frames, text| frames.and(&String::from_utf8_lossy(&text)))
    }

    /// Adds the frames of such a file: each line has a function, its bytes and how the compiler knows them, separated
    /// by tabs.
    fn and(self, text: &str) -> Frames {
        let sizes = text.lines().filter_map(|line| line.split('\t').nth(1)?.parse().ok());
        sizes.fold(self, |Frames { largest, all }, size: usize| Frames {
            largest: largest.max(size),
            all: all.saturating_add(size),
        })
    }
}

impl Library {
    /// A directory for a library.
    fn new(stack: usize) -> Result<Library> {
        let parent = folder::parent();
        let directory = Folder::new(&parent).map_err(|reason| {
            Cause::Io { action: "make a directory in", path: parent, reason }.into()
        })?;
        Ok(Library { directory, stack, warnings: String::new() })
    }

    /// Keeps it in the cache's folder for other processes.
    fn keep(&self, folder: &Path, key: &Key) {
        // A library that cannot be read is not kept: loading it tells why.
        if let Ok(library) = std::fs::read(self.path()) {
            let (stack, warnings) = (self.stack, self.warnings.clone());
            kept::store(folder, key, &Kept { stack, warnings, library });
        }
    }

    fn path(&self) -> PathBuf {
        let name =
            format!("{}kernel{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        self.directory.path().join(name)
    }
}

/// Writes the shim's headers into a folder of the directory.
pub(super) fn write_shim(directory: &Path) -> Result<()> {
    let folder = directory.join(SHIM_FOLDER);
    std::fs::create_dir(&folder)
        .map_err(|reason| Cause::Io { action: "create", path: folder.clone(), reason }.into())?;
    SHIM.iter().try_for_each(|(name, text)| write(&folder.join(name), text))
}

fn command(compiler: &Compiler, folder: &Path, text: &Path, library: &Path) -> Command {
    let mut command = compiler.command();
    command
        .args(OPTIONS)
        .arg(format!("-DTD_CPU_REQUEST_SIZE={}", size_of::<Request>()))
        .arg(format!("-DTD_CPU_CONTEXT_SIZE={}", size_of::<Context>()))
        .arg("-include")
        .arg(folder.join(SHIM_FOLDER).join("prelude.h"))
        .args(["-x", "c++"])
        .arg(text)
        .arg("-o")
        .arg(library)
        // The compiler's own temporary files, so that their names are known in its messages.
        .env("TMPDIR", folder);
    command
}

/// Options for what not every processor has. With fused products, `fmaf` is one instruction; without, it is a call of
/// the C library, which made distances of four features take 1.8 times as long.
fn of_processor() -> &'static [&'static str] {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("fma") {
        return &["-mfma"];
    }
    &[]
}

/// The options of [`WISHES`] and [`WISHES_OF_LOOPS`] that the compiler knows. They are tried in `folder` when they are first needed.
fn known<'a>(compiler: &'a Compiler, folder: &Path) -> Result<&'a [&'static str]> {
    if let Some(known) = compiler.known.get() {
        return Ok(known);
    }
    let knows = |options: &[&str]| {
        let output = run(compiler, &mut trial(compiler, folder, options)?)?;
        Ok(output.status.success())
    };
    let wishes = [WISHES, WISHES_OF_LOOPS].concat();
    let known = if knows(&wishes)? {
        wishes
    } else {
        let each = wishes.iter().map(|wish| Ok((*wish, knows(&[wish])?)));
        let each = each.collect::<Result<Vec<_>>>()?;
        each.into_iter().filter_map(|(wish, known)| known.then_some(wish)).collect()
    };
    Ok(compiler.known.get_or_init(|| known))
}

/// The command that tells whether the compiler knows these options: an unknown one is an error, or a warning.
fn trial(compiler: &Compiler, folder: &Path, options: &[&str]) -> Result<Command> {
    let text = folder.join("options.cpp");
    write(&text, "int options() { return 0; }\n")?;
    let mut command = compiler.command();
    command.args(options).args(["-Werror", "-c", "-x", "c++"]);
    command.arg(&text).arg("-o").arg(folder.join("options.o")).env("TMPDIR", folder);
    Ok(command)
}

/// Runs the compiler.
fn run(compiler: &Compiler, command: &mut Command) -> Result<Output> {
    process::run(command).map_err(|reason| {
        Cause::Io { action: "run", path: compiler.program().to_owned(), reason }.into()
    })
}

/// What the compiler said, without the directory, which means nothing to the user. The lines
/// are the user's own already, by the `#line` directives in the kernel's text.
fn log(folder: &Path, output: &Output) -> String {
    let mut log = String::from_utf8_lossy(&output.stderr).into_owned();
    for separator in ['/', std::path::MAIN_SEPARATOR] {
        log = log.replace(&format!("{}{separator}", folder.display()), "");
    }
    let log = log.trim_end();
    if log.is_empty() && !output.status.success() {
        return format!("the compiler said nothing and ended with {}", output.status);
    }
    log.to_owned()
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text)
        .map_err(|reason| Cause::Io { action: "write", path: path.to_owned(), reason }.into())
}
