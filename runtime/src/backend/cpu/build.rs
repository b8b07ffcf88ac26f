//! Builds a shared library from a kernel's source.

mod frames;
mod library;
mod options;
mod shim;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};

use td_kernel_emulator::{Context, Request, USUAL_SIZE};

use super::cache::{self, CachedLibrary, Key};
use super::compiler::Compiler;
use super::process;
use super::program::{EXPORTED, Program};
use crate::backend::KernelSource;
use crate::backend::compiler_messages::explained;
use crate::backend::nvrtc::{Cache, includes_files};
use crate::types::warnings;
use crate::{Error, Result};
use frames::Frames;
use library::Library;
use options::{
    ALIGNED, OF_LOOPS, OF_THREADS, OPTIONAL_FLAGS, OPTIONAL_LOOP_FLAGS, OPTIONAL_THREAD_FLAGS,
    OPTIONS, TRAP, known, processor_options, usual,
};
pub(super) use shim::write_shim;
use shim::{SHIM, SHIM_FOLDER};

/// The local memory that a GPU gives a thread for its variables.
const LOCAL_MEMORY: usize = 512 * 1024;

/// The most that plain loops keep of a block's columns and of a part's rows, which are local variables.
const OF_BLOCKS: usize = 256 * 1024;

/// Stack for functions of the system's libraries, and for the fiber itself.
const MARGIN: usize = 64 * 1024;

/// Compiles and loads a kernel, or loads it from the cache.
pub(super) fn program(
    compiler: &Compiler,
    text: &KernelSource<'_>,
    cache: Option<&Cache>,
) -> Result<Program> {
    let padded = padded(text);
    let text = &KernelSource { source: &padded, ..*text };
    let folder = cache.filter(|cache| !cache.is_off()).map(Cache::folder);
    let kept = folder.and_then(|folder| Some((folder, key(compiler, text)?)));
    let found = kept.as_ref().and_then(|(folder, key)| cache::lookup(folder, key));
    let is_new = found.is_none();
    let library = match found {
        Some(found) => {
            tracing::debug!("kernel `{}` comes from the cache", text.kernel);
            unpacked(compiler, text, &found)?
        }
        None => build(compiler, text)?,
    };
    let path = library.path();
    let program = Program::load(text.kernel, text.entry, &path, library.stack);
    let program = program.map_err(|error| no_library(compiler, text.kernel, &path, error))?;
    // Only a library that loads is kept.
    if let Some((folder, key)) = kept.filter(|_| is_new) {
        library.keep(folder, &key);
    }
    Ok(program)
    // The file is removed here; the loaded library stays. On a system that locks loaded files, the file stays too.
}

/// Loaders' messages for a file for another machine, or for a file that is not a library. Linux reports a missing file if it is
/// for another processor.
const FOREIGN: [&str; 6] =
    ["ELF", "file too short", "No such file", "Exec format error", "mach-o", "architecture"];

/// The error. It names the compiler if that has left no library, or one that cannot be the kernel's.
fn no_library(compiler: &Compiler, kernel: &str, path: &Path, error: Error) -> Error {
    let Some(reason) = error.io_error() else { return error };
    let words = reason.to_string();
    let words = words.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&words);
    let found = match std::fs::metadata(path) {
        Err(_) => "no library".to_owned(),
        Ok(file) if file.len() == 0 => "an empty library".to_owned(),
        Ok(_) if words.contains(EXPORTED) => format!("a library without the kernel ({words})"),
        Ok(_) if FOREIGN.iter().any(|foreign| words.contains(foreign)) => {
            format!("a file that is not a library for this machine ({words})")
        }
        // For example, a function that the kernel declares and nothing defines.
        Ok(_) => return error,
    };
    let command = compiler.command();
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    let (command, compiler) = (words.join(" "), compiler.describe());
    let problem = format!(
        "the command `{command}` ({compiler}) exited without an error, but produced {found}: set $CXX to a C++ compiler that accepts the options of g++ and compiles for this machine, or unset $CXX"
    );
    Error::no_compiler(problem).of_kernel(kernel.to_owned())
}

/// The source with each piece of the user's code moved to its column in the user's file, so that messages have the right
/// columns.
fn padded(text: &KernelSource<'_>) -> String {
    text.columns.iter().fold(text.source.to_owned(), |padded, (directive, column)| {
        let start = format!("{directive}\n");
        padded.replacen(&start, &format!("{start}{:column$}", ""), 1)
    })
}

/// Everything that a compiled library depends on; `None` if it cannot be known.
pub(super) fn key(compiler: &Compiler, text: &KernelSource<'_>) -> Option<Key> {
    if includes_files(text.source) {
        return None;
    }
    let command = compiler.command();
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.as_encoded_bytes()).collect();
    // The compiler determines which of the options it supports.
    let optional_flags = [OPTIONAL_FLAGS, OPTIONAL_LOOP_FLAGS, OPTIONAL_THREAD_FLAGS].concat();
    let options =
        [OPTIONS, OF_THREADS, OF_LOOPS, &optional_flags, processor_options(), text.options]
            .concat();
    let shim = SHIM.iter().map(|(_, text)| text.as_bytes());
    let others = text.others.iter().map(String::as_bytes);
    let [is_loops, is_wide] = [text.is_loops, text.is_wide].map(usize::from);
    let counts = [words.len(), options.len(), others.len(), is_loops, is_wide];
    let counts = counts.map(|count| count as u8);
    let own = [text.kernel, text.entry, text.source, compiler.describe()].map(str::as_bytes);
    let parts = words.into_iter().chain(options.iter().map(|option| option.as_bytes()));
    Key::of(parts.chain(shim).chain(own).chain(others).chain([counts.as_slice()]))
}

/// A library from the cache, in a directory of its own, so that only bytes that were checked are loaded.
fn unpacked(
    compiler: &Compiler,
    text: &KernelSource<'_>,
    found: &CachedLibrary,
) -> Result<Library> {
    let library = Library::new(found.stack)?;
    let path = library.path();
    std::fs::write(&path, &found.library).map_err(|reason| Error::io("write", path, reason))?;
    warn(compiler, text.kernel, &found.warnings);
    Ok(library)
}

fn warn(compiler: &Compiler, kernel: &str, log: &str) {
    if !log.is_empty() {
        let compiler = compiler.describe();
        warnings::report(&format!(
            "kernel `{kernel}` compiles with warnings of {compiler}:\n{log}"
        ));
    }
}

/// Compiles the kernel's source. Warnings go to `tracing`, errors into the result.
fn build(compiler: &Compiler, whole: &KernelSource<'_>) -> Result<Library> {
    let KernelSource { kernel, entry, others, source, is_loops, .. } = *whole;
    let mut library = Library::new(USUAL_SIZE)?;
    let folder = library.directory.path();
    let (extension, way) = if is_loops { ("cpp", "TD_CPU_LOOPS") } else { ("cu", "TD_CPU_ENTRY") };
    let text = folder.join(format!("{entry}.{extension}"));
    let functions = std::iter::once(entry).chain(others.iter().map(String::as_str));
    let exported: String = functions.map(|function| format!("{way}({function})\n")).collect();
    write(&text, &format!("{source}\n#line 1 \"{SHIM_FOLDER}/entry\"\n{exported}"))?;

    write_shim(folder)?;
    let compile = |known: &[&str]| compiled(compiler, &library, &text, &options(known, whole));
    let usual = usual(compiler);
    let mut output = compile(&usual)?;
    if !is_silent(&output) {
        // The compiler may be complaining about an option. If that cannot be found out, its output stands.
        if let Ok(known) = known(compiler, folder)
            && known != usual
        {
            output = compile(&known)?;
        }
    }
    let log = log(folder, &output);
    if !output.status.success() {
        return Err(Error::compile(kernel, compiler.describe(), explained(kernel, source, &log)));
    }
    warn(compiler, kernel, &log);
    library.warnings = log;
    let frames = Frames::of(folder);
    if frames.largest > LOCAL_MEMORY + if is_loops { OF_BLOCKS } else { 0 } {
        let problem = format!(
            "its variables take {} bytes of a thread's stack, but a GPU thread has {LOCAL_MEMORY} bytes of local memory: use smaller arrays, or keep them in a slice",
            frames.largest
        );
        return Err(Error::compile(kernel, compiler.describe(), problem));
    }
    // Without recursion each function has at most one frame on the stack, so the sum of all frames is enough.
    library.stack = USUAL_SIZE.max(frames.all + MARGIN);
    Ok(library)
}

/// Compiles a source file, with the shim in front.
fn compiled(
    compiler: &Compiler,
    library: &Library,
    text: &Path,
    options: &[OsString],
) -> Result<Output> {
    let folder = library.directory.path();
    let mut command = compiler.command();
    // Puts the compiler's temporary files here, so that their paths are known in its messages.
    command.args(options).env("TMPDIR", folder);
    command.arg("-include").arg(folder.join(SHIM_FOLDER).join("prelude.h"));
    run(compiler, command.args(["-x", "c++"]).arg(text).arg("-o").arg(library.path()))
}

/// Whether the compiler succeeded without output.
fn is_silent(output: &Output) -> bool {
    output.status.success() && output.stderr.is_empty()
}

fn options(known: &[&str], text: &KernelSource<'_>) -> Vec<OsString> {
    let others = if text.is_loops { OPTIONAL_THREAD_FLAGS } else { OPTIONAL_LOOP_FLAGS };
    let is_for_text =
        |flag: &&&str| !others.contains(flag) && (**flag != ALIGNED || known.contains(&TRAP));
    let own: Vec<_> = match text.is_loops {
        true => [OF_LOOPS, text.options].concat(),
        false => [OF_THREADS, processor_options()].concat(),
    };
    let sizes = [
        format!("-DTD_CPU_REQUEST_SIZE={}", size_of::<Request>()),
        format!("-DTD_CPU_CONTEXT_SIZE={}", size_of::<Context>()),
    ];
    let wide = text.is_wide.then_some(&"-DTD_WIDE");
    let known = known.iter().filter(is_for_text);
    let given = OPTIONS.iter().chain(known).chain(&own).chain(wide).map(OsString::from);
    given.chain(sizes.map(OsString::from)).collect()
}

fn run(compiler: &Compiler, command: &mut Command) -> Result<Output> {
    process::run(command).map_err(|reason| Error::io("run", compiler.program(), reason))
}

/// The compiler's output without the directory, which means nothing to the user. The `#line` directives in the kernel's source
/// already give it the user's line numbers.
fn log(folder: &Path, output: &Output) -> String {
    let mut log = String::from_utf8_lossy(&output.stderr).into_owned();
    for separator in ['/', std::path::MAIN_SEPARATOR] {
        log = log.replace(&format!("{}{separator}", folder.display()), "");
    }
    let log = log.trim_end();
    if log.is_empty() && !output.status.success() {
        return format!("the compiler printed no message and exited with {}", output.status);
    }
    log.to_owned()
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).map_err(|reason| Error::io("write", path, reason))
}
