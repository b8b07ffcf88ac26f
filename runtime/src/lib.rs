//! GPU kernels over all pairs of n elements.
//!
//! Write the code for one pair in CUDA C++. [`macro@td_kernel`] generates the complete kernel, which visits the triangle of
//! pairs i > j instead of the square. This crate compiles it with NVRTC and launches it. Without a GPU, the CPU device runs the
//! same body as loops that the system's C++ compiler vectorises.
//!
//! ```
//! use td_kernel::{Device, td_kernel};
//!
//! /// Euclidean distance of every pair of points.
//! #[td_kernel]
//! unsafe fn edm(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
//!     r#"
//!     float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
//!     distance = sqrtf(fmaf(dy, dy, dx * dx));
//!     "#
//! }
//!
//! fn main() -> td_kernel::Result<()> {
//!     let device = Device::cpu()?; // or Device::best(): the first GPU, else the CPU
//!     let kernel = edm::load(&device)?;
//!     let points = device.upload(&[[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])?;
//!     let mut distance = device.packed(points.len())?;
//!     kernel.launch(&points, &mut distance)?;
//!     assert_eq!(distance.download()?.as_slice(), [5.0, 10.0, 5.0]);
//!     Ok(())
//! }
//! ```
#![doc = include_str!("../docs/attribute.md")]
#![doc = include_str!("../docs/parameters.md")]
#![doc = include_str!("../docs/preludes.md")]
#![doc = include_str!("../docs/folds.md")]
#![doc = include_str!("../docs/products.md")]
#![doc = include_str!("../docs/nearest.md")]
#![doc = include_str!("../docs/near.md")]
#![doc = include_str!("../docs/given.md")]
#![doc = include_str!("../docs/generated.md")]
#![doc = include_str!("../docs/features.md")]
#![doc = include_str!("../docs/rows.md")]
#![doc = include_str!("../docs/chunks.md")]
#![doc = include_str!("../docs/two_sets.md")]
#![doc = include_str!("../docs/threads.md")]
#![doc = include_str!("../docs/several.md")]
// docs.rs builds with nightly: its pages name the feature that an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// The crate's layers, in alphabetical order. `ARCHITECTURE.md` has their order, which `cargo xtask modules` checks.
mod backend;
mod chunks;
mod error;
mod group;
mod host;
mod memory;
mod plan;
mod run;
#[cfg(feature = "testing")]
pub mod testing;
mod types;

#[cfg(feature = "cpu")]
pub use backend::cpu::{BuildLock, remove_build_folders};
pub use backend::nvrtc;
pub use backend::stream::Stream;
#[cfg(feature = "cudarc")]
pub use backend::view::{View, ViewMut};
pub use backend::{Progress, Resources};
pub use chunks::{Chunk, ChunkProgress, ChunkSlots, Chunks, NpyValue, StartedChunks};
#[cfg(feature = "cudarc")]
pub use cudarc;
pub use error::{Error, ErrorKind, Result};
pub use group::devices::Devices;
#[doc(hidden)]
pub use group::kernel::Kernel;
pub use group::kernel::generated::{LaunchWith, PairKernel};
pub use group::kernel::{Report, TuneReport};
#[cfg(feature = "half")]
pub use half;
pub use host::histogram::HostHistogram;
pub use host::indexed::IndexedValues;
pub use host::matrix::{
    HostMatrix, HostPacked, HostSquare, HostValues, RectangleKind, SquareKind, TriangleKind,
};
pub use host::sets::{HostMatrixSets, HostPackedSets, HostSetValues};
pub use host::shape::Shape;
pub use memory::addend::{SumElement, SumScalar};
pub use memory::argument::{Shaped, Slice, SliceMut, Slots};
pub use memory::arrays::Arrays;
pub use memory::buffer::Buffer;
pub use memory::device::Device;
pub use memory::features::Features;
pub use memory::given::{GivenPairs, PairSource};
pub use memory::ordered::Ordered;
pub use memory::pairs::{Csr, HostPairs, PairValue, Pairs};
pub use memory::partial_result::PartialResult;
pub use memory::pinned::Pinned;
pub use memory::results::{
    ArraySums, ExtremeValue, Histogram, HistogramValue, HostNearest, Max, Maxima, Min, Minima,
    Nearest, NearestValue, OrderedValue, Reduce, Sums,
};
pub use memory::sets::{AnySets, FeatureSets, MatrixSets, PackedSets, Sets};
pub use memory::shaped::{Matrix, Packed, Square};
pub use memory::slice::{BufferSlice, BufferSliceMut};
pub use memory::sum::Sum;
pub use memory::target::Target;
pub use td_kernel_geometry::Sweep;
pub use td_kernel_macros::{DeviceType, td_kernel};
pub use types::device_type::DeviceType;

pub mod maps {
    #![doc = include_str!("../docs/maps.md")]

    pub use td_kernel_geometry::{
        MAPS, Map, Root, SWEEPS, Space, Sweep, bb, entries, full, h, ltm, map, near, near_rows,
        persistent, persistent_rounds, rb, rec, round_rows, rounds, row_blocks, runs, sets, strips,
        table, utm, walk,
    };
}

/// Files in NumPy's format that several processes write together. Each process writes some chunks of one result.
///
/// One process looks for the unfinished file of an interrupted run, and divides the remaining rows among all. It begins the
/// file, and the others join it. Each process computes chunks of its own rows and writes them to their places. At the end the
/// first process gives the file its name. The processes choose how they communicate; the crate `td-kernel-cluster` uses MPI.
///
/// ```
/// use td_kernel::{Device, Error, Shape, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// # let folder = std::env::temp_dir().join(format!("td-kernel-npy-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).map_err(Error::other)?;
/// # let path = folder.join("distances.npy");
/// let device = Device::cpu()?;
/// let x: Vec<f32> = (0..100).map(|at| at as f32).collect();
/// let (kernel, elements) = (distance::load(&device)?, device.upload(&x)?);
/// // Each process describes the same file.
/// let file = kernel.chunks(&elements)?.npy_file(&path, &x)?.resume(true);
///
/// // The first of two processes sends the other one the remaining rows, and its ticket.
/// let partial = file.find()?;
/// let parts = Shape::triangle(x.len()).parts_of(&partial.left(), 2);
/// let mut first = partial.begin(2)?;
/// let ticket = first.ticket();
///
/// // The second process, with index 1 of 2:
/// let mut second = file.join(ticket, [1, 2])?;
/// kernel.chunks(&elements)?.only(parts[1].clone()).each(|chunk| second.write(&chunk))?;
///
/// // The first process finishes the file when both have written their chunks.
/// kernel.chunks(&elements)?.only(parts[0].clone()).each(|chunk| first.write(&chunk))?;
/// first.finish()?;
/// assert_eq!(std::fs::metadata(&path).map_err(Error::other)?.len(), 128 + 4950 * 4);
/// # std::fs::remove_dir_all(&folder).map_err(Error::other)?;
/// # Ok::<(), Error>(())
/// ```
///
/// Processes on one machine share its memory: with [`Chunks::shared_by`] chunks take a part of the free memory, and
/// [`Chunks::needs`] is what they will take.
pub mod npy {
    pub use crate::chunks::{Need, NpyFile, NpyWriter, Partial, Work};
}

/// What generated code calls. Do not call it yourself: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::__register as register;
    pub use crate::chunks::{ChunksOf, InChunks};
    pub use crate::group::kernel::NearTiles;
    pub use crate::group::launch::bind::{Axis, Exact, OfSets, elements, output};
    pub use crate::host::count::Count;
    pub use crate::memory::addend::Total;
    pub use crate::memory::argument::{Slice, SliceMut};
    pub use crate::plan::thresholds;
    #[cfg(feature = "testing")]
    pub use crate::testing::Registered;
    pub use crate::types::device_type::{
        Constant, Definition, Parts, Piece, Text, concatenate, definition, length, text,
    };
    pub use crate::types::device_type::{td_bf16, td_f16};
    pub use crate::types::info::{
        Entries, KernelInfo, Loops, NearInfo, NearList, NearSet, Refused, Source, Variant, first,
        fitting, parameters, room, sector, shared,
    };
    pub use crate::types::warnings::Warning;
    #[cfg(feature = "testing")]
    pub use inventory;
    pub use td_kernel_geometry::{Root, SharedUse, Space, Sweep, Tiling};
}

/// Registers a kernel for `testing`.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($kernel:expr, $variants:expr, $entries:expr, $near:expr, $options:expr, $warnings:expr) => {
        $crate::__private::inventory::submit! {
            $crate::__private::Registered {
                kernel: $kernel,
                variants: $variants,
                entries: $entries,
                near: $near,
                options: $options,
                warnings: $warnings,
            }
        }
    };
}

/// Without the feature `testing`, nothing is registered.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($kernel:expr, $variants:expr, $entries:expr, $near:expr, $options:expr, $warnings:expr) => {};
}

/// The entry points of fuzzers, in a build of their own.
#[cfg(feature = "__fuzz")]
#[doc(hidden)]
pub mod __fuzz {
    /// Damages the files of a cache as given by `data`, and reads them.
    ///
    /// # Errors
    ///
    /// A read returns data that was never written.
    pub fn cache(data: &[u8]) -> Result<(), &'static str> {
        thread_local! {
            static FOLDER: Option<tempfile::TempDir> = tempfile::tempdir().ok();
        }
        FOLDER.with(|folder| {
            let folder = folder.as_ref().ok_or("cannot create a temporary folder")?;
            crate::backend::nvrtc::check_entry(folder.path(), data)?;
            crate::plan::tuned::check(folder.path(), data)
        })
    }
}

// The documentation's examples call the macros by the crate's own name, as users do.
extern crate self as td_kernel;
