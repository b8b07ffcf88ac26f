use std::{fs, thread};

use tempfile::TempDir;

use super::super::Code;
use super::super::library::Identity;
use super::damage::{key, nvrtc, sealed};
use super::entry::{Defect, decode, encode};
use super::*;
use crate::backend::logged::warnings;

fn cubin() -> Compiled {
    Compiled { code: Code::Cubin(vec![0, 1, 2, 0, 255]), warnings: "unused variable".into() }
}

fn ptx() -> Compiled {
    Compiled { code: Code::Ptx(".version 8.0".into()), warnings: String::new() }
}

/// A folder of the test's own, with a cache in it.
fn cache() -> (TempDir, Cache) {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path().join("kernels"));
    (folder, cache)
}

#[test]
fn stored_entry_is_found() {
    let (_folder, cache) = cache();
    let said = warnings(|| {
        assert!(cache.lookup(&key("a")).is_none());
        cache.store(&key("a"), &cubin());
        cache.store(&key("b"), &ptx());
        let later = Cache::new(cache.folder());
        assert_eq!(later.lookup(&key("a")), Some(cubin()));
        assert_eq!(later.lookup(&key("b")), Some(ptx()));
        assert!(later.lookup(&key("c")).is_none());
        later.store(&key("a"), &ptx());
        assert_eq!(cache.lookup(&key("a")), Some(ptx()));
    });
    assert_eq!(said, "");
    assert_eq!(fs::read_dir(cache.folder()).unwrap().count(), 2, "no temporary file stays");
}

#[test]
fn each_input_changes_the_key() {
    let nvrtc = nvrtc();
    let this = Inputs::new(&nvrtc, "edm", "text", &[], 90);
    let other = |change: &dyn Fn(&mut Identity)| {
        let mut other = nvrtc.clone();
        change(&mut other);
        other
    };
    let nvrtcs = [
        other(&|nvrtc| nvrtc.path = "/opt/libnvrtc.so.12".into()),
        other(&|nvrtc| nvrtc.size += 1),
        other(&|nvrtc| nvrtc.modified += 1),
        other(&|nvrtc| nvrtc.head.push(0)),
    ];
    let mut all = vec![
        this,
        Inputs { format: this.format + 1, ..this },
        Inputs { version: "0.0.0", ..this },
        Inputs { common: &[], ..this },
        Inputs { common: &["--std=c++17", "--use_fast_math"], ..this },
        Inputs { options: &[""], ..this },
        Inputs { options: &["--use_fast_math"], ..this },
        Inputs { architecture: 80, ..this },
        Inputs { kernel: "other", ..this },
        Inputs { source: "other text", ..this },
        // The same letters, divided differently.
        Inputs { kernel: "edmt", source: "ext", ..this },
        Inputs { kernel: "", source: "edmtext", ..this },
    ];
    all.extend(nvrtcs.iter().map(|nvrtc| Inputs { nvrtc, ..this }));
    let keys: Vec<Key> = all.iter().map(Key::of).collect();
    let names: std::collections::BTreeSet<String> = keys.iter().map(Key::file_name).collect();
    assert_eq!(names.len(), keys.len());
    assert!(names.iter().all(|name| name.len() == 64), "{names:?}");

    let (_folder, cache) = cache();
    cache.store(&keys[0], &cubin());
    assert!(keys[1..].iter().all(|key| cache.lookup(key).is_none()));
    assert_eq!(Key::of(&this), keys[0]);
}

#[test]
fn damaged_entry_is_refused() {
    let key = key("a");
    for compiled in [cubin(), ptx()] {
        let whole = encode(&key, &compiled);
        assert_eq!(decode(&key, &whole).ok(), Some(compiled.clone()));
        for at in 0..whole.len() {
            assert!(decode(&key, &whole[..at]).is_err(), "{at} bytes");
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                assert!(decode(&key, &changed).is_err(), "byte {at}, bit {bit}");
            }
        }
        let longer = [whole.as_slice(), b"x"].concat();
        assert_eq!(decode(&key, &longer).err(), Some(Defect::Damaged));
    }
    let empty = Compiled { code: Code::Cubin(Vec::new()), warnings: String::new() };
    assert_eq!(decode(&key, &encode(&key, &empty)).err(), Some(Defect::Damaged));
}

#[test]
fn sealed_nonsense_is_refused() {
    // With a valid checksum, as an attacker would write it.
    let none = 0_u64.to_le_bytes();
    let refused: [Vec<u8>; 7] = [
        vec![],
        vec![0, 1, 2],
        [&[2], none.as_slice(), b"neither form"].concat(),
        [&[0], 3_u64.to_le_bytes().as_slice(), b"ab"].concat(),
        [&[0], u64::MAX.to_le_bytes().as_slice(), b"ab"].concat(),
        [&[1], none.as_slice(), b"PTX with \0"].concat(),
        [&[1], none.as_slice(), b"\xff"].concat(),
    ];
    for rest in refused {
        let found = decode(&key("a"), &sealed(&key("a"), &rest)).err();
        assert_eq!(found, Some(Defect::Damaged), "{rest:?}");
    }
    let whole = [&[0], none.as_slice(), b"code"].concat();
    assert!(decode(&key("a"), &sealed(&key("a"), &whole)).is_ok());
}

#[test]
fn damage_is_reported_and_overwritten() {
    let (_folder, cache) = cache();
    let path = cache.path(&key("a"));
    cache.store(&key("a"), &cubin());
    let entry = fs::read(&path).unwrap();
    let of_another = encode(&key("b"), &cubin());
    let cases: [(&[u8], &str); 4] = [
        (b"", "is not a compiled kernel"),
        (b"#!/bin/sh\n", "is not a compiled kernel"),
        (&entry[..entry.len() - 1], "is truncated, or was changed"),
        // As if two keys had the same file name.
        (&of_another, "is the entry of another kernel"),
    ];
    for (bytes, words) in cases {
        fs::write(&path, bytes).unwrap();
        let said = warnings(|| assert!(cache.lookup(&key("a")).is_none()));
        assert!(said.contains(words) && said.contains(&key("a").file_name()), "{said}");
        cache.store(&key("a"), &cubin());
        assert_eq!(cache.lookup(&key("a")), Some(cubin()));
    }
}

#[test]
fn unusable_folder_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "in the folder's place").unwrap();
    for place in [file.clone(), file.join("below")] {
        let cache = Cache::new(&place);
        let said = warnings(|| {
            for source in ["a", "b"] {
                assert!(cache.lookup(&key(source)).is_none());
                cache.store(&key(source), &cubin());
            }
        });
        assert_eq!(said.lines().count(), 1, "{said}");
        let parts = ["cannot store", place.to_str().unwrap(), "TD_KERNEL_CACHE", "with_cache"];
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    }
}

#[test]
fn folder_named_like_an_entry_is_reported() {
    let (_folder, cache) = cache();
    fs::create_dir_all(cache.path(&key("a")).join("below")).unwrap();
    let said = warnings(|| {
        assert!(cache.lookup(&key("a")).is_none());
        cache.store(&key("a"), &cubin());
        assert!(cache.lookup(&key("a")).is_none());
    });
    assert!(said.contains("it is not a file") && said.contains("cannot store"), "{said}");
}

#[test]
fn threads_store_whole_entries() {
    let (_folder, first) = cache();
    let large = Compiled { code: Code::Cubin(vec![7; 1 << 16]), warnings: "w".repeat(1 << 12) };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let cache = Cache::new(first.folder());
                let said = warnings(|| {
                    for _ in 0..50 {
                        cache.store(&key("a"), &large);
                        assert_eq!(cache.lookup(&key("a")), Some(large.clone()));
                    }
                });
                assert_eq!(said, "");
            });
        }
    });
    assert_eq!(fs::read_dir(first.folder()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn open_folder_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    for (mode, is_reported) in [(0o700, false), (0o775, false), (0o777, true), (0o1777, true)] {
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
        let said = warnings(|| drop(Cache::new(folder.path())));
        assert_eq!(said.contains("every user of this machine can write"), is_reported, "{said}");
    }
    assert_eq!(warnings(|| drop(Cache::new(folder.path().join("new")))), "");
}

#[test]
fn empty_path_turns_the_cache_off() {
    assert!(Cache::asked_for(None).is_none());
    assert!(Cache::asked_for(Some(OsString::new())).is_none());
    let cache = Cache::asked_for(Some("kernels".into())).unwrap();
    assert!(cache.folder().is_absolute() && cache.folder().ends_with("kernels"));
    assert!(Cache::new("").is_off() && !Cache::new(".").is_off());
    assert_eq!(Cache::new("").folder(), Path::new(""));
}

#[test]
fn fuzzers_corpus_passes() {
    // The folder is beside the crates in the repository, and is not in this crate's package.
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/cache");
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(corpus).into_iter().flatten() {
        let data = fs::read(entry.unwrap().path()).unwrap();
        damage::check(folder.path(), &data).unwrap();
        crate::plan::tuned::check(folder.path(), &data).unwrap();
    }
    for way in 0..16 {
        for rest in [b"".as_slice(), b"\x05\x00\x01", b"td-kernel entry\n"] {
            damage::check(folder.path(), &[&[way], rest].concat()).unwrap();
        }
    }
}
