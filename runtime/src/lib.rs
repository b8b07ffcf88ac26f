//! GPU kernels over all pairs of n elements.
//!
//! Write what happens to one pair, in CUDA C++; [`macro@td_kernel`] makes a complete kernel of it, that
//! launches the triangle of pairs i > j instead of the square; this crate compiles it with NVRTC
//! and runs it. With no GPU, the CPU device makes plain loops of the same body, and compiles them with the system's C++
//! compiler.
//!
//! ```
//! use td_kernel::{Device, td_kernel};
//!
//! /// Euclidean distance of every pair of points.
//! #[td_kernel(map = "ltm", sqrt = "rsqrt")]
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
//!
//! # The attribute
//!
//! | key | values | default | meaning |
//! | --- | --- | --- | --- |
//! | `map` | a name of [`maps::MAPS`]; `"auto"` | `"ltm"`; `"strips"` with features | which map: see [`maps`]; `"auto"`: some of them, for `tune` to choose from |
//! | `sqrt` | `"exact"`, `"sqrt"`, `"newton"`, `"rsqrt"` | `"exact"` | how the root in the map is taken: see [`maps::Root`] |
//! | `epsilon` | a float literal | `1e-4` | the ε of the last three |
//! | `space` | `"block"`, `"thread"` | `"block"` | what the map places: blocks, or single threads, for maps that have thread space |
//! | `grid` | `"balanced"`, `"linear"` | `"balanced"` | the shape of `ltm`'s grid |
//! | `diagonal` | `true`, `false` | `false` | pairs i >= j, or i > j |
//! | `sweep` | `"classic"`, `"columns"`, `"rotate"`, `"rows"`, `"mirror"`, `"fold"` | see below | how the threads of a block visit its pairs: see [`Sweep`] |
//! | `tile` | a multiple of 32, 32 to 256; 0 | by n | elements per side of a tile; 0 is the classic sweep |
//! | `block` | 8, 16, 32 | 16 | threads per side of a block, in the classic sweep |
//! | `deterministic` | `true`, `false` | `false` | whether sums of floats have the same bits in every run: see [`Sums`] |
//! | `crate` | a path | `::td_kernel` | this crate, where `Cargo.toml` gives it another name, or it is re-exported |
//!
//! Without `sweep`, it follows from what the kernel writes. `Packed` and `Matrix` are written along their rows. A `Square` is mirrored;
//! where its rows do not start at sectors of memory, it is written along its rows. With only `Sum`, `Pairs` and `Nearest`, a
//! thread keeps rows and goes along the columns; with results of both elements of a pair, the columns go around among
//! threads. A kernel with both `Packed` and `Square`, or with `&mut [T]` and
//! neither of them, or with slots and results of elements, has one thread for each pair; so has a kernel with `block`, `tile = 0` or `space = "thread"`.
//! Elements with features are folded, whatever the kernel writes.
//!
//! Without `tile`, a kernel is generated with several tiles, and a launch takes the one for its n.
//!
//! # Parameters
//!
//! | in Rust | in the body | the argument of `launch` |
//! | --- | --- | --- |
//! | `#[each] x: &[T]` | `x.i`, `x.j`: the pair's two elements | a [`Slice`] of n elements |
//! | `#[row] x: &[T]`, `#[column] y: &[T]` | `x`, `y`: the elements of the pair's row and column, of two sets | a [`Slice`] of as many elements as there are rows or columns |
//! | `#[each] x: &Features<T>`, or with `#[row]` or `#[column]` | in the text `feature`: `x.i`, `x.j` or `x`, one feature of the elements; in both texts `features`, how many there are | [`Features`]: n elements, of as many features as the launch says |
//! | `#[fold] x: T`, `#[fold(start = "INFINITY")] x: T` | a variable of the pair, from its first feature to the text `pair` | none |
//! | `x: &[T]` | `const T *x`, and `x_length`, how many there are | a [`Slice`] of any length |
//! | `x: &mut [T]` | `T *x`, and `x_length`; races are the body's own affair | a [`SliceMut`] of any length |
//! | `x: T` | `const T x` | a `T` |
//! | `x: &mut Packed<T>` | `x`, a variable that starts at zero; its value is stored | [`PackedSlots`]: one slot a pair |
//! | `x: &mut Square<T>` | the same; its value is stored at (i, j) and at (j, i) | [`SquareSlots`]: n² values |
//! | `x: &mut Matrix<T>` | the same, for the pairs of two sets; its value is stored at (i, j) | [`MatrixSlots`]: rows x columns values |
//! | `x: &mut Sum<T>` | `x += value`, `x -= value` | a [`Sum`] |
//! | `#[each] x: &mut Sum<T>` | `x.i += value`, `x.j -= value`; also `x.i.x += …` of vectors | [`Sums`]: a sum for each element |
//! | `#[each] x: &mut Min<T>`, `Max<T>` | `x.i.offer(value)`, `x.j.offer(value)`, or `x.offer(value)` to both | [`Minima`], [`Maxima`] |
//! | `#[each] x: &mut Min<(f32, u32)>` | the same; the index of the other element goes with the value | [`Minima`], [`Maxima`] |
//! | `#[row]` or `#[column] x: &mut Sum<T>`, … | `x += value`, `x.offer(value)`: for the element of the pair's row or column | [`Sums`], [`Minima`], [`Maxima`] |
//! | `#[each] x: &mut Nearest<T, K>` | `x.push(value)` offers the pair to both elements, each of which keeps the K least | [`Nearest`] |
//! | `#[row] x: &mut Nearest<T, K>` | the same, to the row's element: its nearest columns | [`Nearest`] |
//! | `x: &mut Pairs` | `x.push()` puts the pair on the list; a second `push` adds nothing | a [`Pairs`] |
//! | `x: &mut Pairs<T>` | `x.push(value)` puts the pair on the list with a value; of several, the last value counts | a [`Pairs<T>`](Pairs) |
//!
//! `T` is `f32`, `f64`, `i8` to `i64`, `u8` to `u64`, with the feature `half` also `half::f16` and `half::bf16`, an array of
//! 2, 3 or 4 of these (in CUDA `float4` and the like, with members `x`, `y`, `z`, `w`), or a struct with `#[repr(C)]` and
//! [`#[derive(DeviceType)]`](derive@DeviceType). `i`, `j` and `n` are in scope in every body (of two
//! sets: `i`, `j`, `rows` and `columns`), and `return` leaves the pair. A slice without `#[each]` may have any length: a body that is to be safe to launch
//! compares its indices with `x_length`. The arguments of `launch` come in the order of the signature. A kernel
//! with a `Nearest` has no other output: some pairs are visited several times. A kernel
//! with no `#[each]`, `Packed` or `Square` parameter takes n first; of two sets, `rows` and `columns` that no parameter
//! tells.
//!
//! With 16-bit floats a body computes as with `float`: one of them converts to a `float` by itself, and a number that is
//! assigned is rounded to a `float` and then to the nearest 16-bit float, of two to the even one. A vector of them is made by
//! `{x, y}`. A `Min` or `Max` compares the floats that are offered, and rounds the result; a `Sum` is of `f32`.
//!
#![cfg_attr(feature = "half", doc = "```")]
#![cfg_attr(not(feature = "half"), doc = "```ignore")]
//! use td_kernel::half::f16;
//! use td_kernel::{Device, td_kernel};
//!
//! #[td_kernel]
//! unsafe fn products(#[each] x: &[f16], product: &mut Packed<f16>, total: &mut Sum<f32>) {
//!     r#"
//!     product = x.i * x.j;
//!     total += x.i * x.j;
//!     "#
//! }
//!
//! # fn main() -> td_kernel::Result<()> {
//! let device = Device::cpu()?;
//! let x = device.upload(&[0.5, 3.0, 1001.0].map(f16::from_f32))?;
//! let (mut product, mut total) = (device.packed(x.len())?, device.sum()?);
//! products::load(&device)?.launch(&x, &mut product, &mut total)?;
//! // From 2048 to 4096 an `f16` is even, and 3003 is halfway between two of them.
//! assert_eq!(product.download()?.as_slice(), [1.5, 500.5, 3004.0].map(f16::from_f32));
//! assert_eq!(total.download()?, 1.5 + 500.5 + 3003.0);
//! # Ok(())
//! # }
//! ```
//!
//! The body is one raw string, or `include_str!("pair.cu")`. The function is `unsafe`, because the
//! body is C++ and can do anything: trust belongs where the body is written. Launching is safe, and so is
//! all that is generated for rustc: `#![forbid(unsafe_code)]` does not forbid kernels, and says nothing of them.
//!
//! A kernel can stand wherever a type can: in modules and in functions, but not in an `impl` or a `trait`.
//! Attributes above it are those of the type that it becomes.
//!
//! # Folds
//!
//! Elements with many features, as rows of a matrix, are [`Features`]. A kernel over them has two texts: `feature`, which
//! is run for each feature `k` of a pair, in order, and `pair`, which is run after the last one. What goes from one to the
//! other are folds, which start at zero or where `start` says; the loop over the features, and how they get to the
//! registers, is the generator's affair.
//!
//! ```
//! use td_kernel::{Device, td_kernel};
//!
//! /// The cosine of the angle between every two vectors.
//! #[td_kernel]
//! unsafe fn cosine(
//!     #[each] p: &Features<f32>,
//!     #[each] norm: &[f32],
//!     #[fold] dot: f32,
//!     cosine: &mut Packed<f32>,
//! ) {
//!     let feature = r#" dot += p.i * p.j; "#;
//!     let pair = r#" cosine = dot / (norm.i * norm.j); "#;
//! }
//!
//! # fn main() -> td_kernel::Result<()> {
//! let device = Device::cpu()?;
//! // Three vectors of five features.
//! let values = [3.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 2.0, 0.0, 0.0, 6.0, 0.0, 0.0, 0.0, 8.0];
//! let (p, norm) = (device.features(&values, 5)?, device.upload(&[5.0, 2.0, 10.0])?);
//! let mut result = device.packed(p.len())?;
//! cosine::load(&device)?.launch(&p, &norm, &mut result)?;
//! assert_eq!(result.download()?.as_slice(), [0.0, 1.0, 0.0]);
//! # Ok(())
//! # }
//! ```
//!
//! Features have 1, 2, 4 or 8 bytes, those of one kernel all the same, and there are at most two parameters of them with
//! `#[each]`, or five with `#[row]` and `#[column]`. `pair` has everything that other bodies have, but not
//! the features; `feature` has the features, `k`, folds, scalars and slices, and neither `i` nor `j`; `return` leaves the feature. A fold is a number, but no
//! float of 16 bits, or a vector of 2, 3 or 4 of them, which is folded by its members. It starts at one expression of
//! constants, a vector at one for each member, `#[fold(start = "{INFINITY, 0}")]`. Tiles have 128, 64 or 32 elements a side, by the types;
//! `block`, `tile = 0` and `space = "thread"` are refused. A float is folded in
//! the order of the features, one after the other, and a product with an addition is fused as CUDA does by default: so a sum
//! of m terms is within m 2⁻²⁴ of the sum of their absolute values. The folds of a pair have 64 bytes at most.
//!
//! # Nearest neighbours
//!
//! A [`Nearest`] has the K nearest others of each element, exactly, in the same order in every run. Nothing is stored for
//! the pairs that are not among them, and each pair is computed once for both of its elements. It goes with plain bodies
//! and with features, with the pairs of one set and with those of two.
//!
//! ```
//! use td_kernel::{Device, td_kernel};
//!
//! /// The nearest rows of each row, by squared distance.
//! #[td_kernel]
//! unsafe fn nearest(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Nearest<f32, 2>) {
//!     let feature = r#" float d = p.i - p.j; sum += d * d; "#;
//!     let pair = r#" near.push(sum); "#;
//! }
//!
//! # fn main() -> td_kernel::Result<()> {
//! let device = Device::cpu()?;
//! let p = device.features(&[0.0, 0.0, 3.0, 4.0, 1.0, 0.0, 0.0, 2.0], 2)?;
//! let mut near = device.nearest(p.len())?;
//! nearest::load(&device)?.launch(&p, &mut near)?;
//! let near = near.download()?;
//! assert_eq!(near.row(1), Some((&[3, 2][..], &[13.0, 20.0][..])));
//! // A graph, by rows, whose neighbours ascend.
//! assert_eq!(near.to_csr()?.neighbours_of(1), Some(&[2, 3][..]));
//! # Ok(())
//! # }
//! ```
//!
//! Such a kernel has the map `rounds` ([`maps::Rounds`]), which no key names, and is launched for all rows: with
//! `kernel.rows(a..b)` a launch is an error. A launch waits for its rounds.
//!
//! # The generated type
//!
//! `edm` becomes a type with these items: `edm::load(&device)`; `edm::SOURCE`, the generated CUDA for large n, and
//! `edm::SOURCES`, the CUDA of all variants; `kernel.launch(…)`, `kernel.with_stream(&stream)` and `kernel.rows(a..b)`;
//! `kernel.report(n)`, what a launch would take of the GPU; and `kernel.tune(…)`, which takes the arguments of `launch`
//! and finds the fastest variant. [`PairKernel`] and [`LaunchWith`] are for code that is generic over kernels. The
//! module `testing` is for the tests of a crate that has kernels.
//!
//! # Features
//!
//! | feature | on by default | what it is for |
//! | --- | --- | --- |
//! | `cpu` | yes | `Device::cpu()`, which [`Device::best()`] takes where there is no GPU |
//! | `testing` | no | the module `testing`, for `[dev-dependencies]` |
//! | `half` | no | [`half::f16` and `half::bf16`](https://docs.rs/half/2) as numbers of kernels; the crate is `td_kernel::half` |
//! | `ndarray` | no | [`ndarray`](https://docs.rs/ndarray/0.17)'s arrays: `Device::upload_array`, `upload_array_rows` and `features_from_array`; `to_array`, `to_condensed_array`, `from_condensed_array` and `from_lower_triangle` of a [`PackedMatrix`]; a [`SquareMatrix`] or a [`RectangularMatrix`] is made of an `Array2` and into one by `try_into` and `into`; [`Neighbours`] into two, by `into_arrays` |
//! | `serde` | no | a [`PackedMatrix`], a [`SquareMatrix`], a [`RectangularMatrix`], a [`PairList`] and [`Neighbours`] are written and read; what is read is checked as `from_vec` does |
//!
//! # Some rows of the triangle
//!
//! [`kernel.rows(a..b)`](PairKernel::rows) is the same kernel for the pairs (i, j) whose larger index i is in a..b: for
//! results that are larger than a device's memory, or for slots on several devices. [`Device::packed_rows`] has only the slots
//! of these pairs; a [`Packed`] of all pairs works too, and its other slots stay as they are. Sums and lists get only
//! what these pairs add. Bands that together are 0..n visit each pair once.
//!
//! ```
//! use td_kernel::{Device, td_kernel};
//!
//! #[td_kernel]
//! unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
//!     r#" distance = fabsf(x.i - x.j); "#
//! }
//!
//! # fn main() -> td_kernel::Result<()> {
//! let device = Device::cpu()?;
//! let kernel = distance::load(&device)?;
//! let x = device.upload(&[0.0, 1.0, 3.0, 6.0, 10.0])?;
//! let (n, height) = (x.len(), 2);
//! let mut sums = Vec::new();
//! for first in (0..n).step_by(height) {
//!     let rows = first..n.min(first + height);
//!     let mut band = device.packed_rows(n, rows.clone())?; // 1, 5 and 4 slots
//!     kernel.rows(rows).launch(&x, &mut band)?;
//!     for (_, row) in band.download()?.rows() {
//!         sums.push(row.iter().sum::<f32>());
//!     }
//! }
//! assert_eq!(sums, [0.0, 1.0, 5.0, 14.0, 30.0]);
//! # Ok(())
//! # }
//! ```
//!
//! A slot has the same bits in each band as in one launch of all rows: in kernels with slots, only `fmaf` fuses a
//! product with an addition. In other kernels, and in folds over features, CUDA's compiler fuses as it likes, and may do so differently where a
//! range cuts a tile. There a condition like `x.i * x.i + x.j * x.j < 1` can change for a pair at the very edge;
//! `fmaf(x.i, x.i, __fmul_rn(x.j, x.j)) < 1` cannot.
//!
//! The maps `bb`, `ltm`, `rb`, `walk`, `table` and `strips` have ranges of rows, in block space. With another map, with
//! `space = "thread"` or with a `Square`, a launch of such a kernel is an error that says what to write instead.
//!
//! # Pairs of two sets
//!
//! With `#[row]` and `#[column]`, several of each and of any types, a kernel visits each pair of one set with the
//! other: a rectangle of rows i and columns j. Every pair is visited once, and there is no diagonal. A [`Matrix`] has a
//! value for each pair, by rows; `Sum` and `Pairs` are as for one set. `sweep`, `tile` and `block` work as for one set;
//! the other keys are about triangles.
//!
//! ```
//! use td_kernel::{Device, td_kernel};
//!
//! /// The distance of every query to every point.
//! #[td_kernel]
//! unsafe fn cross(#[row] query: &[[f32; 2]], #[column] point: &[[f32; 2]], distance: &mut Matrix<f32>) {
//!     r#"
//!     float dx = query.x - point.x, dy = query.y - point.y;
//!     distance = sqrtf(fmaf(dy, dy, dx * dx));
//!     "#
//! }
//!
//! # fn main() -> td_kernel::Result<()> {
//! let device = Device::cpu()?;
//! let queries = device.upload(&[[0.0, 0.0], [3.0, 0.0]])?;
//! let points = device.upload(&[[0.0, 4.0], [3.0, 4.0], [3.0, 0.0]])?;
//! let mut distance = device.matrix(queries.len(), points.len())?;
//! cross::load(&device)?.launch(&queries, &points, &mut distance)?;
//! assert_eq!(distance.download()?.as_slice(), [4.0, 5.0, 3.0, 5.0, 4.0, 0.0]);
//! # Ok(())
//! # }
//! ```
//!
//! [`kernel.rows(a..b)`](PairKernel::rows) visits the pairs whose row is in a..b. [`Device::matrix_rows`] has only their
//! values; a matrix of all rows works too, and its other rows stay as they are.
//!
//! # Threads, streams and devices
//!
//! Everything here is `Send` and `Sync`: threads share a device and its kernels, by reference or by clone, and
//! launch one kernel at the same time. What a kernel writes is borrowed mutably, so no two launches are given the
//! same output by accident.
//!
//! ```
//! use td_kernel::{Buffer, Device, Error, Kernel, Matrix, Packed, Pairs, Square, Sum};
//!
//! fn is_shared<T: Send + Sync + 'static>() {}
//! is_shared::<Device>();
//! is_shared::<Kernel>(); // and so every generated kernel
//! is_shared::<(Buffer<f32>, Packed<f32>, Square<f32>, Matrix<f32>, Sum<f32>, Pairs)>();
//! is_shared::<Error>();
//!
//! // A panic is caught around them without more ado.
//! fn is_unwind_safe<T: std::panic::UnwindSafe + std::panic::RefUnwindSafe>() {}
//! is_unwind_safe::<(Device, Kernel, Buffer<f32>, Packed<f32>, Square<f32>, Sum<f32>, Pairs)>();
//! ```
//!
//! On a GPU a launch returns before its kernel ends. Launches on one stream run one after another.
//! `kernel.with_stream(&stream)` is the same kernel on another stream. Where it reads what an earlier launch on a
//! different stream writes, or writes what that launch reads, its stream waits for that launch (cudarc keeps an event
//! with each allocation). A download waits for every launch that writes what it copies.
//!
//! Large copies are shared by several threads. They are fastest between a GPU and memory from [`Device::pinned`], by
//! [`Device::upload`], [`Buffer::download_into`] and the other methods of that name. When a copy returns it has ended.
//!
//! A kernel, its stream and its memory belong to one device, and a launch that mixes devices is an error.
//!
//! # Several GPUs
//!
//! [`Devices`] are several devices as one, for kernels that gather: into `Sum`, `Pairs` and results of elements. Whatever takes a
//! [`Device`] takes them, launches share the rows, and the results are those of one device.
//!
//! ```
//! use td_kernel::{Device, Devices, td_kernel};
//!
//! #[td_kernel]
//! unsafe fn collisions(#[each] p: &[[f32; 2]], radius: f32, hits: &mut Sum<u64>) {
//!     r#"
//!     float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
//!     if (dx * dx + dy * dy < radius * radius) hits += 1;
//!     "#
//! }
//!
//! /// Knows nothing of several devices.
//! fn count(device: &Device, points: &[[f32; 2]]) -> td_kernel::Result<u64> {
//!     let kernel = collisions::load(device)?;
//!     let mut hits = device.sum()?;
//!     kernel.launch(&device.upload(points)?, 1.0, &mut hits)?;
//!     hits.download()
//! }
//!
//! # fn main() -> td_kernel::Result<()> {
//! let devices = Devices::cpu(2)?; // or Devices::all(): every GPU
//! assert_eq!(count(&devices, &[[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [5.0, 5.0]])?, 2);
//! # Ok(())
//! # }
//! ```
//!
//! For slots, load the kernel for each device, and launch `kernel.rows(a..b)` there: from one thread or from several. A kernel
//! with a `Nearest` is for one device.
//!
//! After a kernel has failed on a GPU, for example by writing outside its memory, every call for that device is an
//! error until the process ends: CUDA cannot recover a lost context.

pub mod nvrtc;

mod argument;
mod backend;
mod buffer;
mod compiler_messages;
#[cfg(feature = "cpu")]
mod cpu;
mod cuda;

mod device;
mod device_type;
mod devices;
mod driver;
mod error;
mod exact;
mod extent;
mod features;
mod files;
mod generated;
mod host;
mod indexed;
mod info;
mod interop;
mod kernel;
mod launch;
mod matrix;
mod memory;
#[cfg(feature = "testing")]
mod observer;
mod order;
mod packed;
mod pairs;
mod pinned;
mod plan;
mod results;
mod several;
mod slice;
mod square;
mod sum;
#[cfg(feature = "testing")]
pub mod testing;
mod triangle;
mod typed;
mod view;

pub use argument::{MatrixSlots, PackedSlots, Slice, SliceMut, SquareSlots};
pub use backend::{Progress, Resources};
pub use buffer::Buffer;
#[cfg(feature = "cpu")]
pub use cpu::{NoBuilds, remove_build_folders};
pub use cudarc;
pub use device::Device;
pub use device_type::DeviceType;
pub use devices::Devices;
pub use error::{Error, ErrorKind, Result};
pub use features::Features;
pub use generated::{LaunchWith, PairKernel};
#[cfg(feature = "half")]
pub use half;
pub use indexed::IndexedValues;
#[doc(hidden)]
pub use kernel::Kernel;
pub use kernel::{Report, Tuned};
pub use matrix::{Matrix, MatrixShape, RectangularMatrix};
pub use packed::{Packed, PackedMatrix, PackedShape};
pub use pairs::{Csr, PairList, PairValue, Pairs};
pub use pinned::Pinned;
pub use results::{Comparand, Maxima, Minima, Nearest, NearestValue, Neighbours, Summands, Sums};
pub use slice::{BufferSlice, BufferSliceMut};
pub use square::{Square, SquareMatrix};
pub use sum::{Sum, Summand};
pub use td_kernel_macros::{DeviceType, td_kernel};
pub use td_kernel_maps as maps;
pub use td_kernel_maps::Sweep;
pub use view::{View, ViewMut};

/// What generated code calls. Do not use it by hand: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::__register as register;
    pub use crate::device_type::{Definition, Parts, Piece, concatenate, definition, length, text};
    pub use crate::device_type::{td_bf16, td_f16};
    pub use crate::info::{
        KernelInfo, Loops, Variant, first, fitting, parameters, room, sector, shared,
    };
    pub use crate::sum::Total;
    #[cfg(feature = "testing")]
    pub use crate::testing::Registered;
    pub use crate::typed::Typed;
    #[cfg(feature = "testing")]
    pub use inventory;
    pub use td_kernel_maps::{Kept, Root, Space, Sweep, Tiling};
}

/// Lists a kernel for `testing`.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($kernel:expr, $variants:expr) => {
        $crate::__private::inventory::submit! {
            $crate::__private::Registered { kernel: $kernel, variants: $variants }
        }
    };
}

/// Without the feature `testing`, no list is needed.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($kernel:expr, $variants:expr) => {};
}

/// What a fuzzer calls, in a build of its own.
#[cfg(feature = "__fuzz")]
#[doc(hidden)]
pub mod __fuzz {
    /// Damages the files of a cache as `data` says, and reads them.
    ///
    /// # Errors
    ///
    /// Something is read that was not written.
    pub fn cache(data: &[u8]) -> Result<(), &'static str> {
        thread_local! {
            static FOLDER: Option<tempfile::TempDir> = tempfile::tempdir().ok();
        }
        FOLDER.with(|folder| {
            let folder = folder.as_ref().ok_or("there is no temporary folder")?;
            crate::nvrtc::check_entry(folder.path(), data)?;
            crate::kernel::check_tuning(folder.path(), data)
        })
    }
}

// The documentation's examples call the macros as users do, by the crate's own name.
extern crate self as td_kernel;
