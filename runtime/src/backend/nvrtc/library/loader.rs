//! Where the system's loader would find a library, and where it has found one.

use std::path::{Path, PathBuf};
use std::{env, fs};
#[cfg(unix)]
use std::{
    ffi::{CStr, OsStr, c_void},
    mem::MaybeUninit,
    os::unix::ffi::OsStrExt,
    slice,
};

use libloading::Library;

use super::identity::Identity;

/// glibc's list of the libraries that `ldconfig` found.
const LIST: &str = "/etc/ld.so.cache";

/// The folders that the loader searches last.
const FOLDERS: &[&str] = &["/lib64", "/usr/lib64", "/lib", "/usr/lib"];

/// The file that loading `candidate` would find, if any. Loads nothing.
///
/// For a bare name this follows the loader's order, but not all its rules: a program may name its own library folders, or may
/// have loaded a library of that name. After loading, [`identity_of`] returns the actual file.
pub(super) fn find(candidate: &Path) -> Option<PathBuf> {
    if !is_bare(candidate) {
        return candidate.is_file().then(|| candidate.to_owned());
    }
    let variable = if cfg!(windows) { "PATH" } else { "LD_LIBRARY_PATH" };
    // An empty value would be split into one empty path.
    let named = env::var_os(variable).filter(|folders| !folders.is_empty());
    let in_folder = |folder: PathBuf| Some(folder.join(candidate)).filter(|file| file.is_file());
    let mut named = named.iter().flat_map(env::split_paths);
    named.find_map(in_folder).or_else(|| {
        if cfg!(windows) {
            return None;
        }
        let name = candidate.to_str()?;
        let list = fs::read(LIST).unwrap_or_default();
        let listed = listed(&list, name).into_iter().map(PathBuf::from).find(|file| file.is_file());
        listed.or_else(|| FOLDERS.iter().map(PathBuf::from).find_map(in_folder))
    })
}

/// The file that `library` was loaded from, if the system reports it and the file is still there. `library` was loaded as
/// `candidate` and has `function`.
pub(super) fn identity_of(
    library: &Library,
    function: &[u8],
    candidate: &Path,
) -> Option<Identity> {
    // SAFETY: a symbol's address is not called here.
    let symbol = unsafe { library.get::<unsafe extern "C" fn()>(function) }.ok()?;
    #[cfg(unix)]
    {
        let _ = candidate;
        let mut found = MaybeUninit::<libc::Dl_info>::uninit();
        // SAFETY: the address is one of a loaded library, and `found` has room for the result.
        if unsafe { libc::dladdr(*symbol as *const c_void, found.as_mut_ptr()) } == 0 {
            return None;
        }
        // SAFETY: dladdr has found the library, and so has filled `found`.
        let found = unsafe { found.assume_init() };
        if found.dli_fname.is_null() || found.dli_fbase.is_null() {
            return None;
        }
        // SAFETY: the string belongs to the loader and lives as long as the library, which is borrowed.
        let path = unsafe { CStr::from_ptr(found.dli_fname) };
        let identity = Identity::of(PathBuf::from(OsStr::from_bytes(path.to_bytes())))?;
        // SAFETY: the loader maps whole pages of at least 4096 bytes, and a head has at most 4096. The first page can be read:
        // it holds the headers that unwinding reads. Nothing writes to it while the library is borrowed.
        let loaded =
            unsafe { slice::from_raw_parts(found.dli_fbase.cast::<u8>(), identity.head.len()) };
        // If the file has been replaced since, the path leads to another one.
        Some(identity).filter(|identity| identity.head == loaded)
    }
    #[cfg(not(unix))]
    {
        let _ = symbol;
        // A path with folders is opened directly.
        Some(candidate.to_owned()).filter(|path| !is_bare(path)).and_then(Identity::of)
    }
}

/// Whether the loader searches for the name instead of opening it as a path.
fn is_bare(path: &Path) -> bool {
    path.components().count() == 1 && path.is_relative()
}

/// The files that glibc's list has for a name, in the loader's order.
///
/// The header has 48 bytes, with the number of entries at byte 20. Each entry has 24 bytes, with the offset of its name at byte
/// 4 and of its path at byte 8, both from the header's start.
fn listed(list: &[u8], name: &str) -> Vec<String> {
    // The current format may follow an older one in the file.
    const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
    let Some(start) = list.windows(MAGIC.len()).position(|bytes| bytes == MAGIC) else {
        return Vec::new();
    };
    let list = &list[start..];
    let number = |place: usize| -> Option<usize> {
        let bytes = list.get(place..)?.first_chunk()?;
        usize::try_from(u32::from_ne_bytes(*bytes)).ok()
    };
    let text = |place: usize| {
        let text = list.get(place..)?.split(|byte| *byte == 0).next()?;
        std::str::from_utf8(text).ok()
    };
    let entries = list.get(48..).unwrap_or_default().chunks_exact(24).len();
    let entries = number(20).unwrap_or_default().min(entries);
    let path = |entry: usize| {
        let place = 48 + 24 * entry;
        let is_wanted = text(number(place + 4)?)? == name;
        is_wanted.then(|| text(number(place + 8)?)).flatten().map(str::to_owned)
    };
    (0..entries).filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list with two libraries of one name, and another library.
    fn list() -> Vec<u8> {
        let strings: &[u8] = b"a.so\0/first/a.so\0/second/a.so\0b.so\0/b.so\0";
        let place = |text: &[u8]| {
            let at = strings.windows(text.len()).position(|bytes| bytes == text).unwrap();
            u32::try_from(48 + 3 * 24 + at).unwrap().to_ne_bytes()
        };
        let mut list = b"old format: glibc-ld.so.cache1.1".to_vec();
        list.extend(3_u32.to_ne_bytes());
        list.extend([0; 24]);
        for (name, path) in
            [("a.so\0", "/first/a.so"), ("b.so\0", "/b.so"), ("a.so\0", "/second/a.so")]
        {
            list.extend([0; 4]);
            list.extend(place(name.as_bytes()));
            list.extend(place(path.as_bytes()));
            list.extend([0; 12]);
        }
        list.extend(strings);
        list
    }

    #[test]
    fn library_list_is_read_in_order() {
        assert_eq!(listed(&list(), "a.so"), ["/first/a.so", "/second/a.so"]);
        assert_eq!(listed(&list(), "b.so"), ["/b.so"]);
        assert!(listed(&list(), "c.so").is_empty());
    }

    #[test]
    fn damaged_library_list_does_not_panic() {
        for length in 0..list().len() {
            let _ = listed(&list()[..length], "a.so");
            let mut changed = list();
            changed[length] ^= 0xff;
            let _ = listed(&changed, "a.so");
        }
    }

    /// Every process has loaded the C library, and finds it by its name alone.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn found_file_is_the_loaded_one() {
        let name = Path::new("libc.so.6");
        // SAFETY: it is loaded already.
        let library = unsafe { Library::new(name) }.unwrap();
        let found = Identity::of(find(name).unwrap());
        assert_eq!(identity_of(&library, b"malloc\0", name), found);
        assert_eq!(identity_of(&library, b"no_such_function\0", name), None);
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn replaced_file_is_not_the_loaded_one() {
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (folder.path().join("own.so"), folder.path().join("other.so"));
        fs::copy(find(Path::new("libm.so.6")).unwrap(), &own).unwrap();
        fs::copy(find(Path::new("libc.so.6")).unwrap(), &other).unwrap();
        // SAFETY: the mathematics library has no initialisers that a second copy of it could disturb.
        let library = unsafe { Library::new(&own) }.unwrap();
        let now = || identity_of(&library, b"cos\0", &own);
        assert_eq!(now(), Identity::of(own.clone()));
        assert!(now().is_some());
        fs::rename(&other, &own).unwrap();
        assert!(Identity::of(own.clone()).is_some());
        assert_eq!(now(), None);
        fs::remove_file(&own).unwrap();
        assert_eq!(now(), None);
    }
}
