//! The stack that a library's functions need.

use std::path::Path;

/// The sizes of a library's stack frames in bytes, as far as the compiler knows them.
#[derive(Default)]
pub(super) struct Frames {
    pub(super) largest: usize,
    pub(super) all: usize,
}

impl Frames {
    /// The frames in a folder's `-fstack-usage` files. Compilers name these files differently.
    pub(super) fn of(folder: &Path) -> Frames {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let files = files.map(|file| file.path());
        let files = files.filter(|path| path.extension().is_some_and(|end| end == "su"));
        let texts = files.filter_map(|path| std::fs::read(path).ok());
        texts.fold(Frames::default(), |frames, text| frames.and(&String::from_utf8_lossy(&text)))
    }

    /// Adds the frames of such a file. Each line has a function, its bytes and how the compiler knows them, separated by tabs.
    fn and(self, text: &str) -> Frames {
        let sizes = text.lines().filter_map(|line| line.split('\t').nth(1)?.parse().ok());
        sizes.fold(self, |Frames { largest, all }, size: usize| Frames {
            largest: largest.max(size),
            all: all.saturating_add(size),
        })
    }
}
