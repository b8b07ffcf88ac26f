//! Where the system's loader finds a library, and where it has found one.

use std::path::{Path, PathBuf};
use std::{env, fs};

use libloading::Library;

/// glibc's list of the libraries that `ldconfig` has found.
const LIST: &str = "/etc/ld.so.cache";

/// Where the loader looks in the end.
const FOLDERS: &[&str] = &["/lib64", "/usr/lib64", "/lib", "/usr/lib"];

/// The file that loading `candidate` would find, if there is one. Nothing is loaded.
///
/// For a bare name this follows the loader's order, though not its every rule: a program may say
/// where its own libraries are, or have loaded one of that name. [`file_of`] knows in the end.
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

/// The file that `library` was loaded from, if the system tells. Loaded as `candidate`.
pub(super) fn file_of(library: &Library, candidate: &Path) -> Option<PathBuf> {
    // SAFETY: a symbol's address is only compared here.
    let symbol = unsafe { library.get::<unsafe extern "C" fn()>(b"nvrtcVersion\0") }.ok()?;
    match fs::read("/proc/self/maps") {
        Ok(maps) => mapped(&String::from_utf8_lossy(&maps), *symbol as usize),
        // Another system than Linux. A path with folders is opened as it is.
        Err(_) => Some(candidate.to_owned()).filter(|path| !is_bare(path)),
    }
}

/// Whether the loader looks for it, rather than opens it.
fn is_bare(path: &Path) -> bool {
    path.components().count() == 1 && path.is_relative()
}

/// The file that is mapped to an address, in the kernel's own list. The path of one that was
/// deleted or replaced since says so at its end, and leads to no file.
fn mapped(maps: &str, address: usize) -> Option<PathBuf> {
    maps.lines().find_map(|line| {
        // Addresses, permissions, offset, device, inode, path.
        let mut fields = line.splitn(6, ' ');
        let (start, end) = fields.next()?.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        let path = fields.nth(4)?.trim_start();
        (number(start)? <= address && address < number(end)?).then(|| PathBuf::from(path))
    })
}

/// The files that glibc's list has for a name, in the loader's order.
///
/// A header of 48 bytes, with the number of entries at byte 20; then 24 bytes for each entry, with
/// the place of its name at byte 4 and of its path at byte 8, counted from the header's start.
fn listed(list: &[u8], name: &str) -> Vec<String> {
    // The present format may stand behind an older one.
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

    #[test]
    fn a_mapped_file_is_found_by_an_address() {
        let maps = "\
7f10-7f20 r--p 00000000 08:01 77                         /usr/lib/a library.so
7f20-7f30 r-xp 00010000 08:01 77                         /usr/lib/a library.so
7f40-7f50 rw-p 00000000 00:00 0 \n7f50-7f60 r-xp 00000000 08:01 78 /usr/lib/b.so (deleted)\n";
        assert_eq!(mapped(maps, 0x7f20), Some("/usr/lib/a library.so".into()));
        assert_eq!(mapped(maps, 0x7f30), None);
        assert_eq!(mapped(maps, 0x7f5f), Some("/usr/lib/b.so (deleted)".into()));
        assert_eq!(mapped("", 1), None);
        assert_eq!(mapped("[not a list]\n\n", 1), None);
    }

    /// Two libraries of one name, and another one.
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
    fn the_list_of_libraries_is_read_in_its_order() {
        assert_eq!(listed(&list(), "a.so"), ["/first/a.so", "/second/a.so"]);
        assert_eq!(listed(&list(), "b.so"), ["/b.so"]);
        assert!(listed(&list(), "c.so").is_empty());
    }

    #[test]
    fn no_list_of_libraries_panics() {
        for length in 0..list().len() {
            let _ = listed(&list()[..length], "a.so");
            let mut changed = list();
            changed[length] ^= 0xff;
            let _ = listed(&changed, "a.so");
        }
    }

    /// The C library is in every process, and found by its name alone.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn the_file_found_is_the_file_loaded() {
        let found = find(Path::new("libc.so.6")).unwrap().canonicalize().unwrap();
        // SAFETY: it is loaded already, and the symbol's address is only compared.
        let address = unsafe {
            let library = Library::new("libc.so.6").unwrap();
            *library.get::<unsafe extern "C" fn()>(b"malloc\0").unwrap() as usize
        };
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        assert_eq!(mapped(&maps, address), Some(found));
    }
}
