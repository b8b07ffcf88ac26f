//! The choices of an attribute's keys that are compared, and a kernel of each for some work.

use td_kernel::Device;
use td_kernel::maps::{DEFAULT_EPSILON, Root, Shape, Space, triangle};

use crate::subject::{Launch, Subject};

/// One choice of keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    /// The name in tables and plots.
    pub(crate) name: &'static str,
    /// The keys, and their values as they are written.
    pub(crate) keys: &'static [(&'static str, &'static str)],
}

/// A kernel with these keys.
pub(crate) struct Choice<S: Subject> {
    pub(crate) keys: Keys,
    pub(crate) load: fn(&Device) -> td_kernel::Result<Launch<S>>,
    #[cfg_attr(not(test), allow(dead_code, reason = "tests compile it"))]
    pub(crate) source: &'static str,
}

/// A kernel for each choice, one thread a pair: every map with every root, space and grid that means
/// something to it. More choices may follow the item.
///
/// The item is what [`kernels`] takes.
macro_rules! one_thread_a_pair {
    ($item:tt $($more:tt)*) => {
        $crate::figures::choices::kernels! { $item
            bb: map = "bb", tile = 0;
            ltm: map = "ltm", tile = 0;
            ltm_sqrt: map = "ltm", sqrt = "sqrt", tile = 0;
            ltm_newton: map = "ltm", sqrt = "newton", tile = 0;
            ltm_rsqrt: map = "ltm", sqrt = "rsqrt", tile = 0;
            ltm_linear: map = "ltm", grid = "linear", tile = 0;
            ltm_linear_sqrt: map = "ltm", grid = "linear", sqrt = "sqrt", tile = 0;
            ltm_linear_newton: map = "ltm", grid = "linear", sqrt = "newton", tile = 0;
            ltm_linear_rsqrt: map = "ltm", grid = "linear", sqrt = "rsqrt", tile = 0;
            ltm_thread: map = "ltm", space = "thread", tile = 0;
            ltm_thread_sqrt: map = "ltm", space = "thread", sqrt = "sqrt", tile = 0;
            ltm_thread_newton: map = "ltm", space = "thread", sqrt = "newton", tile = 0;
            ltm_thread_rsqrt: map = "ltm", space = "thread", sqrt = "rsqrt", tile = 0;
            utm: map = "utm", tile = 0;
            utm_sqrt: map = "utm", sqrt = "sqrt", tile = 0;
            utm_newton: map = "utm", sqrt = "newton", tile = 0;
            utm_rsqrt: map = "utm", sqrt = "rsqrt", tile = 0;
            utm_thread: map = "utm", space = "thread", tile = 0;
            utm_thread_sqrt: map = "utm", space = "thread", sqrt = "sqrt", tile = 0;
            utm_thread_newton: map = "utm", space = "thread", sqrt = "newton", tile = 0;
            utm_thread_rsqrt: map = "utm", space = "thread", sqrt = "rsqrt", tile = 0;
            rb: map = "rb", tile = 0;
            rb_thread: map = "rb", space = "thread", tile = 0;
            rec: map = "rec", tile = 0;
            h: map = "h", tile = 0;
            walk: map = "walk", tile = 0;
            walk_sqrt: map = "walk", sqrt = "sqrt", tile = 0;
            walk_newton: map = "walk", sqrt = "newton", tile = 0;
            walk_rsqrt: map = "walk", sqrt = "rsqrt", tile = 0;
            table: map = "table", tile = 0;
            strips: map = "strips", tile = 0;
            $($more)*
        }
    };
}
pub(super) use one_thread_a_pair;

/// The same, and a kernel for each map with the tiles that it gets by default.
macro_rules! with_tiles {
    ($item:tt) => {
        $crate::figures::choices::one_thread_a_pair! { $item
            bb_tiles: map = "bb";
            ltm_tiles: map = "ltm";
            utm_tiles: map = "utm";
            rb_tiles: map = "rb";
            rec_tiles: map = "rec";
            h_tiles: map = "h";
            walk_tiles: map = "walk";
            table_tiles: map = "table";
            strips_tiles: map = "strips";
        }
    };
}
pub(super) use with_tiles;

/// A kernel for each choice. The item is the subject, the kernel's parameters, and its body.
macro_rules! kernels {
    ({$subject:ty, $parameters:tt $body:tt} $($choice:ident: $($key:ident = $value:literal),+;)+) => {
        $(
            #[td_kernel::td_kernel($($key = $value),+)]
            pub(crate) unsafe fn $choice $parameters {
                $body
            }
        )+

        /// The choices; the bounding box, which the others are compared with, is the first.
        pub(crate) const CHOICES: &[$crate::figures::choices::Choice<$subject>] = &[
            $($crate::figures::choices::Choice {
                keys: $crate::figures::choices::Keys {
                    name: stringify!($choice),
                    keys: &[$((stringify!($key), stringify!($value))),+],
                },
                load: $crate::subject::generated::<$subject, $choice>,
                source: $choice::SOURCE,
            }),+
        ];
    };
}
pub(super) use kernels;

/// Threads per side of a block, as in the papers.
const BLOCK: u32 = 16;

impl Keys {
    /// The value of a key, if it is there.
    fn value(&self, key: &str) -> Option<&'static str> {
        let (_, value) = self.keys.iter().find(|(name, _)| *name == key)?;
        Some(value.trim_matches('"'))
    }

    fn space(&self) -> Space {
        if self.value("space") == Some("thread") { Space::Thread } else { Space::Block }
    }

    /// The blocks that are launched for n elements and those that it takes at least, where a block is 16 x
    /// 16 threads and each thread has a pair.
    pub(crate) fn blocks(&self, n: usize) -> Option<[u64; 2]> {
        if self.value("tile") != Some("0") {
            return None;
        }
        let map = td_kernel::maps::map(self.value("map")?)?;
        let space = self.space();
        let rows = match space {
            Space::Thread => u32::try_from(n).ok()?.checked_sub(1)?,
            _ => u32::try_from(n).ok()?.div_ceil(BLOCK),
        };
        let linear = self.value("grid") == Some("linear") || space == Space::Thread;
        let root = Root::new(self.value("sqrt").unwrap_or("exact"), DEFAULT_EPSILON)?;
        // A walk has no spare blocks, however many are resident; here each walks one.
        let shape = Shape::blocks(rows).with_root(root).with_linear(linear).with_resident(u32::MAX);
        let launches = map.launches(&shape);
        let grids = launches.iter().map(|launch| launch.grid.blocks(space, BLOCK));
        let launched =
            grids.map(|grid| grid.map(|[x, y]| u64::from(x) * u64::from(y))).sum::<Option<u64>>();
        let needed = match space {
            Space::Thread => triangle(rows).div_ceil(u64::from(BLOCK * BLOCK)),
            _ => triangle(rows),
        };
        // The grid of a walk is cut to 32 bits here, far above what is measured.
        Some([launched?, needed])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use td_kernel::maps::MAPS;

    use crate::figures::kernels;

    /// What a choice's keys say, in the order in which the registry is gone through.
    type Said = (String, String, String, bool, bool);

    fn said(choice: &super::Keys) -> Said {
        let or = |key, default: &str| choice.value(key).unwrap_or(default).to_owned();
        let linear = choice.value("grid") == Some("linear");
        (
            or("map", "ltm"),
            or("sqrt", "exact"),
            or("space", "block"),
            linear,
            choice.value("tile") == Some("0"),
        )
    }

    #[test]
    fn the_choices_are_those_of_the_registry() {
        let mut expected = BTreeSet::new();
        for map in MAPS {
            let roots = if map.takes_root() { td_kernel::maps::Root::NAMES } else { &["exact"] };
            for root in roots {
                let mut add = |space: &str, linear, classic| {
                    let name = map.name().to_owned();
                    expected.insert((name, (*root).to_owned(), space.to_owned(), linear, classic));
                };
                add("block", false, true);
                if map.has_linear_grid() {
                    add("block", true, true);
                }
                if map.has_thread_space() {
                    add("thread", false, true);
                }
                if *root == "exact" {
                    add("block", false, false);
                }
            }
        }
        let choices = kernels::edm_4::CHOICES.iter().map(|choice| &choice.keys);
        let found: BTreeSet<Said> = choices.map(said).collect();
        assert_eq!(found, expected);
        assert_eq!(found.len(), kernels::edm_4::CHOICES.len());
    }

    #[test]
    fn blocks_are_counted() {
        let all = || kernels::edm_4::CHOICES.iter().map(|choice| choice.keys);
        let choice = |name| all().find(|choice| choice.name == name).unwrap();
        assert_eq!(choice("bb").blocks(1024), Some([4096, 2080]));
        assert_eq!(choice("rb").blocks(1024), Some([2080, 2080]));
        assert_eq!(choice("walk").blocks(1024), Some([2080, 2080]));
        assert_eq!(choice("ltm_linear").blocks(1024), Some([2080, 2080]));
        // 1024 x 1023 / 2 pairs, 256 a block.
        assert_eq!(choice("ltm_thread").blocks(1024), Some([2046, 2046]));
        assert_eq!(choice("ltm_tiles").blocks(1024), None);
        for choice in all().filter(|choice| choice.blocks(1024).is_some()) {
            for n in [16, 1000, 30_720, 131_072] {
                let [launched, needed] = choice.blocks(n).unwrap();
                assert!(launched >= needed && launched <= 2 * needed, "{choice:?}, {n}");
            }
        }
    }
}
