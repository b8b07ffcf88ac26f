//! The machine's memory, and how much of it this process may still use.

use std::fs;
use std::path::{Path, PathBuf};

/// Memory of the host, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MemoryBudget {
    /// What processes like this one could use if all memory were free.
    pub(crate) total: usize,
    /// What can be used now, including caches that the system would release.
    pub(crate) free: usize,
    /// What can be used now without swap, and so can be page-locked.
    pub(crate) unswapped: usize,
}

impl MemoryBudget {
    /// The memory now; `None` if unknown, as on other systems than Linux. Then only the allocator limits an allocation.
    pub(crate) fn now() -> Option<MemoryBudget> {
        if cfg!(target_os = "linux") { MemoryBudget::under(Path::new("/")) } else { None }
    }

    /// Like [`MemoryBudget::now`], with Linux's files under another root.
    fn under(root: &Path) -> Option<MemoryBudget> {
        let text = fs::read_to_string(root.join("proc/meminfo")).ok()?;
        let bytes = |name| field(&text, name).and_then(|kibibytes| kibibytes.checked_mul(1024));
        let swap = |name| bytes(name).unwrap_or_default();
        let available = bytes("MemAvailable:")?;
        let machine = MemoryBudget {
            total: bytes("MemTotal:")?.saturating_add(swap("SwapTotal:")),
            free: available.saturating_add(swap("SwapFree:")),
            unswapped: available,
        };
        let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
        let limits =
            groups.lines().flat_map(|line| Group::of(root, line)).filter_map(Group::budget);
        Some(limits.fold(machine, |least, limit| MemoryBudget {
            total: least.total.min(limit.total),
            free: least.free.min(limit.free),
            unswapped: least.unswapped.min(limit.unswapped),
        }))
    }
}

/// A control group, of a container or of a batch system's job.
struct Group {
    folder: PathBuf,
    names: &'static Names,
}

/// The names of the files of one version of control groups.
struct Names {
    limit: &'static str,
    usage: &'static str,
    /// The usage includes the page cache, which the system releases before the limit ends a process.
    cached: [&'static str; 2],
}

const FIRST: Names = Names {
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    cached: ["total_inactive_file", "total_active_file"],
};

const SECOND: Names = Names {
    limit: "memory.max",
    usage: "memory.current",
    cached: ["inactive_file", "active_file"],
};

impl Group {
    /// The groups of a line of /proc/self/cgroup, `hierarchy:controllers:path`, from the process's own to the root: all their
    /// limits apply. In a container the path may exist only on the host.
    fn of(root: &Path, line: &str) -> Vec<Group> {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next().unwrap_or_default(), parts.next());
        let (mount, names) = match controllers {
            "" => ("sys/fs/cgroup", &SECOND),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("sys/fs/cgroup/memory", &FIRST)
            }
            _ => return Vec::new(),
        };
        let path = Path::new(path.unwrap_or_default());
        let inner = path.strip_prefix("/").unwrap_or(path);
        let mount = root.join(mount);
        inner.ancestors().map(|inner| Group { folder: mount.join(inner), names }).collect()
    }

    /// `None` if the group or its limit does not exist.
    fn budget(self) -> Option<MemoryBudget> {
        let read = |name| fs::read_to_string(self.folder.join(name)).ok();
        let number = |name| read(name)?.trim().parse::<usize>().ok();
        let total = number(self.names.limit)?;
        let usage = number(self.names.usage)?;
        let statistics = read("memory.stat").unwrap_or_default();
        let cached = self.names.cached.iter().filter_map(|name| field(&statistics, name));
        let used = cached.fold(usage, usize::saturating_sub);
        // These limits exclude swap.
        let free = total.saturating_sub(used);
        Some(MemoryBudget { total, free, unswapped: free })
    }
}

/// The number after a name, on its line.
fn field(text: &str, name: &str) -> Option<usize> {
    let mut lines = text.lines().map(str::split_whitespace);
    let mut words = lines.find_map(|mut words| (words.next() == Some(name)).then_some(words))?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMINFO: &str = "\
MemTotal:       1000 kB
MemFree:         100 kB
MemAvailable:    600 kB
SwapTotal:        50 kB
SwapFree:         40 kB
";

    fn budget(files: &[(&str, &str)]) -> Option<MemoryBudget> {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        MemoryBudget::under(root.path())
    }

    #[test]
    fn unlimited_group_has_machine_memory() {
        assert_eq!(budget(&[]), None);
        let machine = MemoryBudget { total: 1050 << 10, free: 640 << 10, unswapped: 600 << 10 };
        assert_eq!(budget(&[("proc/meminfo", MEMINFO)]), Some(machine));
        let files = [
            ("proc/meminfo", MEMINFO),
            ("proc/self/cgroup", "0::/a\n3:cpu,cpuacct:/\nodd\n"),
            ("sys/fs/cgroup/a/memory.max", "max\n"),
            ("sys/fs/cgroup/a/memory.current", "5\n"),
        ];
        assert_eq!(budget(&files), Some(machine));
    }

    #[test]
    fn smallest_limit_excludes_page_cache() {
        let files = [
            ("proc/meminfo", MEMINFO),
            ("proc/self/cgroup", "0::/slice/job\n"),
            ("sys/fs/cgroup/slice/memory.max", "300000\n"),
            ("sys/fs/cgroup/slice/memory.current", "250000\n"),
            ("sys/fs/cgroup/slice/memory.stat", "anon 1\ninactive_file 90000\nactive_file 10000\n"),
            ("sys/fs/cgroup/slice/job/memory.max", "max\n"),
            ("sys/fs/cgroup/slice/job/memory.current", "1\n"),
        ];
        let expected = MemoryBudget { total: 300_000, free: 150_000, unswapped: 150_000 };
        assert_eq!(budget(&files), Some(expected));
    }

    #[test]
    fn cgroup_v1_limit_is_read() {
        let files = [
            ("proc/meminfo", MEMINFO),
            ("proc/self/cgroup", "4:memory:/docker/only-on-the-host\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "200000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "150000\n"),
            ("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 20000\n"),
        ];
        let expected = MemoryBudget { total: 200_000, free: 70_000, unswapped: 70_000 };
        assert_eq!(budget(&files), Some(expected));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_reports_memory() {
        let budget @ MemoryBudget { total, free, unswapped } = MemoryBudget::now().unwrap();
        assert!(0 < unswapped && unswapped <= free && free <= total, "{budget:?}");
    }
}
