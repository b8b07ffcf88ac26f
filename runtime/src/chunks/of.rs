//! The chunks of a launch: of a kernel's own, or of any.

use std::ops::Range;

use super::{ChunkSlots, Chunks, Limits};
use crate::group::launch::Launch;
use crate::plan::extent::Extent;
use crate::{DeviceType, Result, Shape, Target};

/// Everything that chunks need except the launch, taken from a kernel's arguments.
pub struct ChunksOf {
    pub(crate) device: Target,
    pub(crate) shape: Shape,
    pub(crate) rows: Option<Range<usize>>,
    pub(crate) side: usize,
    /// The kernel's name and source, if it is one kernel.
    pub(crate) text: String,
    /// The bytes of the scalars that are numbers.
    pub(crate) scalars: Vec<u8>,
    /// The kernel's name, if it has outputs besides the values.
    pub(crate) gathers: Option<&'static str>,
}

impl ChunksOf {
    /// The chunks that `launch` computes.
    pub fn by<'a, T>(
        self,
        launch: impl FnMut(Range<usize>, &mut ChunkSlots<T>) -> Result<()> + 'a,
    ) -> Chunks<'a, T> {
        Chunks {
            of: self,
            only: None,
            is_condensed: false,
            limits: Limits { in_flight: 2, height: usize::MAX, ..Limits::default() },
            inspect: None,
            at_step: |_| (),
            progress: None,
            launch: Box::new(launch),
        }
    }
}

/// The result of a kernel with `chunks`. Nothing implements it: a kernel with a square has the method only for this message.
#[diagnostic::on_unimplemented(
    message = "a `Square` cannot be computed in chunks",
    label = "the result of this kernel is a `{Self}`",
    note = "for each pair once, write `&mut Packed<T>` in the kernel's signature; for whole rows, write `#[row]`, `#[column]` and `&mut Matrix<T>`, and pass the same elements as rows and columns"
)]
pub trait InChunks<'a> {
    /// Never called.
    fn never<A, R>(arguments: A) -> R;
}

impl Launch<'_> {
    /// The description of the chunks, from all arguments but the slots.
    ///
    /// # Errors
    ///
    /// The kernel's rows are out of range.
    pub fn chunks(self) -> Result<ChunksOf> {
        let rows = self.kernel.refused().rows.filter(|_| self.kernel.visits_list());
        self.kernel.expect("be launched in chunks of rows", rows)?;
        let (info, rows) = (self.kernel.info, self.kernel.rows.as_ref());
        let count = self.expect_count(self.n)?;
        let columns = info.is_rectangle.then(|| self.expect_count(self.columns)).transpose()?;
        Extent::new(info, count, columns, rows)?;
        let shape = match columns {
            Some(columns) => Shape::rectangle(count, columns),
            None => Shape::triangle_of(count, info.diagonal),
        };
        // The variant for many elements has the largest tiles.
        let first = info.variants.first();
        let side = first.map_or(1, |variant| variant.tiling.side as usize);
        let source = first.map_or_else(String::new, |variant| variant.source.text());
        let text = format!("{}\n{source}", info.name);
        let gathers = self.has_outputs.then_some(info.name);
        let (device, rows) = (self.kernel.device.clone(), rows.cloned());
        let scalars = self.number_bytes(|_| true);
        Ok(ChunksOf { device, shape, rows, side, text, scalars, gathers })
    }
}

impl Target {
    /// The values of these pairs in chunks of rows, each computed by `launch`: for functions that are generic over kernels, and
    /// for kernels with several outputs. Other kernels have their own `chunks`. `pairs` is n, `(rows, columns)`, or a [`Shape`].
    ///
    /// ```
    /// use td_kernel::{Device, LaunchWith, Packed, Result, Slice, Slots, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn difference(#[each] x: &[f32], out: &mut Packed<f32>) {
    ///     r#" out = x.i - x.j; "#
    /// }
    ///
    /// /// The sum of all values, by any kernel from numbers to packed slots.
    /// fn sum<K>(device: &Device, x: &[f32]) -> Result<f64>
    /// where
    ///     K: for<'a> LaunchWith<(&'a dyn Slice<f32>, &'a mut dyn Slots<Packed<f32>>)>,
    /// {
    ///     let (kernel, buffer, mut sum) = (K::load(device)?, device.upload(x)?, 0.0);
    ///     let chunks = device.chunks(x.len(), |rows, slots| {
    ///         kernel.rows(rows).launch_with((&buffer, slots))
    ///     });
    ///     chunks.each(|chunk| {
    ///         sum += chunk.values.iter().copied().map(f64::from).sum::<f64>();
    ///         Ok(())
    ///     })?;
    ///     Ok(sum)
    /// }
    ///
    /// assert_eq!(sum::<difference>(&Device::cpu()?, &[1.0, 3.0, 7.0])?, 12.0);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    pub fn chunks<'a, T: DeviceType>(
        &self,
        pairs: impl Into<Shape>,
        launch: impl FnMut(Range<usize>, &mut ChunkSlots<T>) -> Result<()> + 'a,
    ) -> Chunks<'a, T> {
        let shape = pairs.into();
        let rows = Some(shape.rows()).filter(|_| !shape.is_whole());
        let (device, text, scalars) = (self.clone(), String::new(), Vec::new());
        ChunksOf { device, shape: shape.whole(), rows, side: 1, text, scalars, gathers: None }
            .by(launch)
    }
}
