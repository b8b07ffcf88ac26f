//! Reports how a kernel would be launched, and the resources of its compiled code.

use std::fmt;
use std::ops::Range;

use td_kernel_geometry::{SET_TILES, SETS};

use super::Kernel;
use crate::backend::Resources;
use crate::plan::extent::Extent;
use crate::types::info::Variant;
use crate::{Result, Sweep};

/// How a kernel is launched for some number of elements, returned by `report` of a generated kernel.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// let device = Device::emulator()?;
/// let report = distance::load(&device)?.report(1000)?;
/// // As many blocks as the triangle has tiles, or a few more: how large a tile is depends on the device.
/// assert_eq!((report.map, report.sweep.name()), ("ltm", "rows"));
/// let tiles = report.elements.div_ceil(report.tile as usize);
/// let [width, height] = report.grids[0].map(|blocks| blocks as usize);
/// assert!(width * height >= tiles * (tiles + 1) / 2);
/// // On a GPU: registers, shared memory, spills, occupancy.
/// assert_eq!(report.resources, None);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The number of elements; for a rectangle, of its rows.
    pub elements: usize,
    /// The number of a rectangle's columns.
    pub columns: Option<usize>,
    /// The rows of the pairs, if the kernel is restricted to some.
    pub rows: Option<Range<usize>>,
    /// The map.
    pub map: &'static str,
    /// How the threads of a block visit its pairs.
    pub sweep: Sweep,
    /// Elements per side of a block's tile.
    pub tile: u32,
    /// Threads per block, along x and y.
    pub block: [u32; 2],
    /// The pairs of each thread in a tile off the diagonal.
    pub pairs_per_thread: u32,
    /// If the CPU runs the kernel in plain loops: the rows of a part, which one core visits, or over `Sets` its runs of 256 pairs;
    /// the columns, if `#[column]` elements have the kernel's `Nearest` or `Reduce`.
    /// Map, sweep, tile, block and pairs are then those of the source that [`Device::emulator`](crate::Device::emulator) would run.
    pub part_rows: Option<u32>,
    /// Whether parts are of the user's columns instead of rows.
    has_column_parts: bool,
    /// The blocks of each launch along x and y, on several devices of each in turn; for plain loops, the parts. Empty if there
    /// is nothing to do.
    pub grids: Vec<[u32; 2]>,
    /// Whether each launch first tests some pairs, and visits all pairs if many of them may count. The other fields are for a launch
    /// that visits near tiles.
    pub or_all_pairs: bool,
    /// Why a product of features, `#[dot]`, is folded without tensor cores, if it is. Not shown for plain loops.
    pub folded: Option<&'static str>,
    /// The GPU resources of the code, on several devices of the first; `None` on the CPU.
    pub resources: Option<Resources>,
}

/// What a report adds if launches may visit all pairs instead.
const OR_ALL: &str = "\nor all pairs, if many of some pairs that the launch tests may count";

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { elements, rows, map, sweep, tile, block: [x, y], grids, resources, .. } = self;
        let pairs = match self.pairs_per_thread {
            1 => "1 pair each".to_owned(),
            pairs => format!("{pairs} pairs each"),
        };
        write_counts(f, *elements, self.columns)?;
        if let Some(rows) = rows {
            write!(f, ", rows {rows:?}")?;
        }
        if let Some(height) = self.part_rows {
            let (most, unit) = match *map {
                _ if *map == SETS.name() => ("", "runs of 256 pairs"),
                _ if *map == SET_TILES.name() => ("up to ", "bands of 64 rows"),
                _ if self.has_column_parts => ("", "columns"),
                _ => ("", "rows"),
            };
            write!(f, ": plain loops on the CPU, {most}{height} {unit} at a time; ")?;
            if grids.is_empty() {
                return f.write_str("no parts: nothing to do");
            }
            f.write_str("parts:")?;
            grids.iter().try_for_each(|[parts, _]| write!(f, " {parts}"))?;
            return f.write_str(if self.or_all_pairs { OR_ALL } else { "" });
        }
        write!(f, ": map {map}, sweep {}, {tile} x {tile} elements per block", sweep.name())?;
        write!(f, "\nblocks of {x} x {y} threads, {pairs}; grid")?;
        match grids.as_slice() {
            [] => f.write_str("s: none, nothing to do")?,
            [[x, y]] => write!(f, " {x} x {y}")?,
            several => {
                f.write_str("s")?;
                for [x, y] in several {
                    write!(f, " {x} x {y}")?;
                }
            }
        }
        f.write_str(if self.or_all_pairs { OR_ALL } else { "" })?;
        if let Some(why) = self.folded {
            write!(f, "\nthe product is folded without tensor cores: {why}")?;
        }
        if let Some(Resources { registers, shared, local, blocks, occupancy }) = resources {
            write!(
                f,
                "\n{registers} registers per thread, {shared} bytes of shared memory per block, {local} bytes of local memory per thread"
            )?;
            write!(
                f,
                "\n{blocks} blocks at a time per multiprocessor, {:.0} % of its warps",
                100.0 * occupancy
            )?;
        }
        Ok(())
    }
}

/// Writes n, or a rectangle's rows and columns.
pub(super) fn write_counts(
    f: &mut fmt::Formatter<'_>,
    elements: usize,
    columns: Option<usize>,
) -> fmt::Result {
    match columns {
        None => write!(f, "n = {elements}"),
        Some(columns) => write!(f, "{elements} rows and {columns} columns"),
    }
}

impl Kernel {
    /// Compiles what launches for `elements` elements need.
    #[doc(hidden)]
    pub fn prepare(&self, elements: usize) -> Result<()> {
        match self.visits_list() {
            true => self.compile_entries(),
            false => self.report(elements).and_then(|_| self.prepare_all_pairs()),
        }
    }

    /// Compiles what launches for these rows and columns need.
    #[doc(hidden)]
    pub fn prepare_rectangle(&self, rows: usize, columns: usize) -> Result<()> {
        match self.visits_list() {
            true => self.compile_entries(),
            false => self.report_rectangle(rows, columns).and_then(|_| self.prepare_all_pairs()),
        }
    }

    /// How a launch for `elements` elements runs.
    #[doc(hidden)]
    pub fn report(&self, elements: usize) -> Result<Report> {
        let extent = Extent::new(self.info, elements, None, self.rows.as_ref())?;
        // Without a pair there is no launch. One element is reported like two, which have the same variant and code.
        let is_work = match &extent.rows {
            None => elements > 1 || (elements == 1 && (self.info.diagonal || self.info.has_square)),
            Some(_) => extent.has_pairs(self.info.diagonal),
        };
        let extent = Extent { n: elements.max(2), ..extent };
        self.report_extent(elements, extent, is_work)
    }

    /// How a launch for these rows and columns runs.
    #[doc(hidden)]
    pub fn report_rectangle(&self, rows: usize, columns: usize) -> Result<Report> {
        let (n, row_length) = self.info.own_counts(rows, Some(columns));
        let extent = Extent::new(self.info, n, row_length, self.rows.as_ref())?;
        // Without a pair there is no launch. Then the variant for one pair is reported.
        let is_work = extent.has_pairs(false);
        let planned = match is_work {
            true => extent,
            false => {
                let columns = row_length.map(|columns| columns.max(1));
                Extent { n: n.max(1), columns, ..extent }
            }
        };
        let report = self.report_extent(rows, planned, is_work)?;
        Ok(Report { columns: Some(columns), ..report })
    }

    /// Why this variant, or the CPU's plain loops, fold a product of features, if they do.
    fn folded(&self, variant: &Variant, is_loops: bool) -> Option<&'static str> {
        let has_product = self.info.variants.iter().any(|each| each.tiling.sweep == Sweep::Product);
        let of_device = match is_loops {
            true => "a CPU has no tensor cores",
            false => "they need compute capability 8.0 and enough shared memory",
        };
        let why = self.info.refused.products.or(has_product.then_some(of_device));
        why.filter(|_| is_loops || variant.tiling.sweep == Sweep::Fold)
    }

    /// How a launch for this extent runs. `is_work`: whether there is anything to do.
    fn report_extent(&self, elements: usize, extent: Extent, is_work: bool) -> Result<Report> {
        self.expect("be reported", self.refused().reports)?;
        self.expect_rows(&extent)?;
        let plan = match self.is_of_sets() {
            true => self.plan_of_set(&extent)?,
            false => self.plan(extent.clone(), None)?,
        };
        let steps = plan.parts.iter().flat_map(|(_, part)| &part.steps);
        let grids = steps.map(|step| step.grid).filter(|_| is_work).collect();
        let first = plan.parts.first().map(|(_, part)| part);
        let variant = first.map_or(plan.variant, |part| part.variant);
        let resources = first.map_or(Ok(None), |part| part.code.resources())?;
        Ok(Report {
            elements,
            columns: extent.columns,
            rows: self.rows.as_ref().map(|_| extent.rows()),
            map: variant.map,
            sweep: variant.tiling.sweep,
            tile: variant.tiling.side,
            block: variant.tiling.threads(),
            pairs_per_thread: variant.tiling.pairs_of_thread(),
            part_rows: first.and_then(|part| {
                part.loops.and_then(|_| part.steps.first()?.numbers.first().copied())
            }),
            has_column_parts: self.info.is_exchanged,
            grids,
            or_all_pairs: is_work && plan.all_pairs.is_some(),
            folded: self.folded(variant, first.is_some_and(|part| part.loops.is_some())),
            resources,
        })
    }
}
